-- Starts mining, or starts it again; also after SETTING.PARALLEL_SCANS has changed. p_scn: at the very
-- first start, mine what commits after this SCN; NULL: from now on.
CREATE OR REPLACE PROCEDURE start_mining(p_scn IN NUMBER DEFAULT NULL) AUTHID DEFINER AS
  l_state source_state.state%TYPE;
BEGIN
  SELECT MAX(s.state) INTO l_state FROM source_state s;
  IF l_state IS NULL THEN
    source.start_at(p_scn);
  ELSIF l_state = 'STOPPED' THEN
    source.set_state('OK', NULL);
  END IF;
  COMMIT;
  FOR r IN (SELECT j.job_name FROM mining_job_v j) LOOP
    DBMS_SCHEDULER.DROP_JOB(r.job_name, TRUE);
  END LOOP;
  keep_heartbeats;
  FOR r IN (SELECT s.parallel_scans FROM setting s) LOOP
    FOR i IN 1 .. r.parallel_scans LOOP
      make_job('SCAN_' || TO_CHAR(i), 'RUN_SCAN', 1);
    END LOOP;
  END LOOP;
  make_job('INSTANCES', 'KEEP_HEARTBEATS', 5);
  make_job('COORDINATOR', 'RUN_COORDINATOR', 1);
END start_mining;
/
