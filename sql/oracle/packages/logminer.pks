CREATE OR REPLACE PACKAGE logminer AUTHID DEFINER AS
  -- One session of LogMiner, from START_LOGMNR to END_LOGMNR, in one transaction that has written nothing before: LogMiner may
  -- commit. Its memory grows until it ends, so a session is never used twice, and ends on every way out.
  -- Never SKIP_CORRUPTION (it drops changes), never CONTINUOUS_MINE (it hides gaps and waits at the end of redo), no option that
  -- only changes texts.
  -- Errors: ORA-20821 GAP, a log cannot be opened or LogMiner misses one; ORA-20825, what was read cannot be trusted.

  -- Whether LogMiner is given its files. Inside a PDB it finds them itself.
  FUNCTION reads_files RETURN BOOLEAN;

  -- Starts LogMiner on the logs of SCAN_LOG for the SCNs p_from to p_to, both inclusive.
  PROCEDURE start_session(p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN);

  -- Ends the session, if there is one.
  PROCEDURE end_session;

  -- The direct-path insert of REDO_STAGE_V v into a stage slot, without its WHERE. First bind: the scan. Rows are numbered behind
  -- p_seq_from.
  FUNCTION insert_text(p_slot IN NUMBER, p_seq_from IN NUMBER) RETURN VARCHAR2;

  -- After the rows are committed: the stage slot has p_expected of them, and none says that redo was missing or corrupt (rows of
  -- OPERATION_CODE 34, STATUS 1291 or 1343: without an option LogMiner raises no error for them).
  PROCEDURE check_rows(p_scan_id IN NUMBER, p_slot IN NUMBER, p_expected IN NUMBER);

  -- After the rows are read: the same incarnation, and no online log was overwritten meanwhile.
  PROCEDURE check_logs(p_scan_id IN NUMBER);
END logminer;
/
