-- One run of a job READER_n: one pass, or none. The memory that LogMiner has taken goes with the session. (logminer.md (g))
CREATE OR REPLACE PROCEDURE run_reader AUTHID DEFINER AS
  l_session VARCHAR2(64);
  l_pass    NUMBER;
  l_text    VARCHAR2(4000);
BEGIN
  set_job_session;
  SELECT s.sid || ',' || s.serial# || ',' || s.inst_id INTO l_session
  FROM gv$session s
  WHERE s.sid = TO_NUMBER(SYS_CONTEXT('USERENV', 'SID')) AND s.inst_id = TO_NUMBER(SYS_CONTEXT('USERENV', 'INSTANCE'));
  l_pass := reader.take(l_session);
  COMMIT;
  IF l_pass IS NOT NULL THEN
    reader.empty_stage(l_pass);
    COMMIT;
    reader.read(l_pass, l_session);
    COMMIT;
  END IF;
EXCEPTION
  WHEN OTHERS THEN
    l_text := SQLERRM;
    ROLLBACK;
    reader.fail(l_pass, l_session, l_text);
    COMMIT;
END run_reader;
/
