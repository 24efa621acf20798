CREATE OR REPLACE PACKAGE logminer AUTHID DEFINER AS
  -- One session of LogMiner, from START_LOGMNR to END_LOGMNR, in one transaction that has written nothing before: LogMiner may
  -- commit. Its memory grows until it ends, so a session is never used twice, and ends on every way out.
  -- Never SKIP_CORRUPTION (it drops changes), never CONTINUOUS_MINE (it hides gaps and waits at the end of redo), no option that
  -- only changes texts.
  -- Errors: ORA-20821 GAP, a log cannot be opened or LogMiner misses one; ORA-20825, what was read cannot be trusted.

  -- Whether LogMiner is given its files. Inside a PDB it finds them itself, and LOGS.ADOPT looks at what it has found.
  FUNCTION reads_files RETURN BOOLEAN;

  -- Starts LogMiner on the logs of SCAN_LOG for the SCNs p_from to p_to, both inclusive. Then each file holds the thread, sequence
  -- and incarnation that was chosen (file names are used again), and LogMiner misses none (it raises no error for that, it would
  -- only return a row MISSING_SCN).
  PROCEDURE start_session(p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN);

  -- Ends the session, if there is one.
  PROCEDURE end_session;

  -- Largest PGA of this session of the database, bytes.
  FUNCTION pga_max RETURN NUMBER;
END logminer;
/
