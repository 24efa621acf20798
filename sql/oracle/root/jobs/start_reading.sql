-- Starts the jobs that read for the container, or starts them again. They find work when START_MINING has been called there.
-- p_jobs: SETTING.PARALLEL_SCANS of the container, and one for repairs.
CREATE OR REPLACE PROCEDURE start_reading(p_jobs IN NUMBER DEFAULT 3) AUTHID DEFINER AS
BEGIN
  FOR r IN (SELECT j.job_name FROM user_scheduler_jobs j WHERE j.job_action = 'RUN_READER') LOOP
    DBMS_SCHEDULER.DROP_JOB(r.job_name, TRUE);
  END LOOP;
  FOR i IN 1 .. p_jobs LOOP
    make_job('READER_' || TO_CHAR(i), 'RUN_READER', 1);
  END LOOP;
END start_reading;
/
