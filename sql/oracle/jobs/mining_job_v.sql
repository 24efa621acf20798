CREATE OR REPLACE VIEW mining_job_v AS
SELECT
  j.job_name, j.state, j.run_count, j.failure_count, j.last_start_date, j.last_run_duration, j.next_run_date,
  r.session_id, r.running_instance, r.elapsed_time
FROM user_scheduler_jobs j
LEFT JOIN user_scheduler_running_jobs r ON r.job_name = j.job_name
WHERE j.job_action IN ('RUN_COORDINATOR', 'RUN_SCAN', 'RUN_HEARTBEAT', 'KEEP_HEARTBEATS');
COMMENT ON TABLE mining_job_v IS 'Jobs of the mining side, what they do and did; what fails is in EVENT';
