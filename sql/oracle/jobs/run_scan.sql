-- One run of a job SCAN_n: one scan, or none. The memory that LogMiner has taken goes with the session. (logminer.md (g))
CREATE OR REPLACE PROCEDURE run_scan AUTHID DEFINER AS
  l_session  VARCHAR2(64);
  l_scan     NUMBER;
  l_readable BOOLEAN;
  l_code     NUMBER;
  l_text     VARCHAR2(4000);
BEGIN
  set_job_session;
  SELECT s.sid || ',' || s.serial# || ',' || s.inst_id INTO l_session
  FROM gv$session s
  WHERE s.sid = TO_NUMBER(SYS_CONTEXT('USERENV', 'SID')) AND s.inst_id = TO_NUMBER(SYS_CONTEXT('USERENV', 'INSTANCE'));
  l_scan := miner.take_scan(l_session);
  COMMIT;
  IF l_scan IS NOT NULL THEN
    miner.order_reading(l_scan, l_session);
    COMMIT;
    LOOP
      l_readable := miner.is_readable(l_scan, l_session);
      COMMIT;
      EXIT WHEN l_readable;
      DBMS_LOCK.SLEEP(0.2);
    END LOOP;
    miner.mine(l_scan, l_session);
    COMMIT;
    miner.finish_scan(l_scan, l_session);
    COMMIT;
  END IF;
EXCEPTION
  WHEN OTHERS THEN
    l_code := SQLCODE;
    l_text := SQLERRM;
    ROLLBACK;
    miner.fail(l_scan, l_session, l_code, l_text);
    COMMIT;
END run_scan;
/
