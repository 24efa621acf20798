-- One run of job INSTANCES: there is a job HEARTBEAT_n for each open instance n, and for no other. GV$ views leave out, without an error, an instance that does not answer:
-- then nothing is dropped.
CREATE OR REPLACE PROCEDURE keep_heartbeats AUTHID DEFINER AS
BEGIN
  FOR r IN (
    SELECT i.inst_id
    FROM gv$instance i
    WHERE NOT EXISTS (SELECT NULL FROM user_scheduler_jobs j WHERE j.job_name = 'HEARTBEAT_' || TO_CHAR(i.inst_id))
    ORDER BY i.inst_id
  ) LOOP
    make_job('HEARTBEAT_' || TO_CHAR(r.inst_id), 'RUN_HEARTBEAT', 5, r.inst_id);
  END LOOP;
  IF source.all_answer THEN
    FOR r IN (
      SELECT j.job_name
      FROM user_scheduler_jobs j
      WHERE j.job_action = 'RUN_HEARTBEAT'
        AND NOT EXISTS (SELECT NULL FROM gv$instance i WHERE j.job_name = 'HEARTBEAT_' || TO_CHAR(i.inst_id))
    ) LOOP
      DBMS_SCHEDULER.DROP_JOB(r.job_name, TRUE);
    END LOOP;
  END IF;
END keep_heartbeats;
/
