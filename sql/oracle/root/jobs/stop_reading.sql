-- Stops the jobs that read for the container. What runs comes to its end. Call STOP_MINING in the container first: what it orders
-- then waits, and is tried again.
CREATE OR REPLACE PROCEDURE stop_reading AUTHID DEFINER AS
BEGIN
  FOR r IN (SELECT j.job_name FROM user_scheduler_jobs j WHERE j.job_action = 'RUN_READER') LOOP
    DBMS_SCHEDULER.DISABLE(r.job_name, TRUE);
  END LOOP;
END stop_reading;
/
