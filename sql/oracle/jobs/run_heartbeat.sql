-- One run of a job HEARTBEAT_n: writes redo on its instance. Without it the redo of an idle instance stands still, and with it
-- the SCN up to which all of it is on disk. (logminer.md (f))
CREATE OR REPLACE PROCEDURE run_heartbeat AUTHID DEFINER AS
BEGIN
  MERGE INTO heartbeat h
  USING (SELECT TO_NUMBER(SYS_CONTEXT('USERENV', 'INSTANCE')) AS instance_no FROM dual) n
  ON (h.instance_no = n.instance_no)
  WHEN MATCHED THEN UPDATE SET beat_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
  WHEN NOT MATCHED THEN INSERT (instance_no, beat_at) VALUES (n.instance_no, SYS_EXTRACT_UTC(SYSTIMESTAMP));
  COMMIT;
END run_heartbeat;
/
