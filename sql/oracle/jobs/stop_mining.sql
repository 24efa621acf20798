-- Stops mining. What runs comes to its end: the coordinator after its step, a scan after its range. Nothing is lost; the archived logs from
-- SOURCE_STATE.RESUME_SCN on must be kept, however long it takes.
CREATE OR REPLACE PROCEDURE stop_mining AUTHID DEFINER AS
BEGIN
  source.set_state('STOPPED', 'stopped by STOP_MINING at ' || TO_CHAR(SYSTIMESTAMP, 'YYYY-MM-DD HH24:MI:SS'));
  COMMIT;
  FOR r IN (SELECT j.job_name FROM mining_job_v j) LOOP
    DBMS_SCHEDULER.DISABLE(r.job_name, TRUE);
  END LOOP;
END stop_mining;
/
