CREATE OR REPLACE PACKAGE logs AUTHID DEFINER AS
  -- Which redo logs a range of SCNs needs, and whether they are there. Continuity is the chain of sequence numbers of each
  -- thread in the present incarnation, never adjacency of SCNs: a restart leaves holes in which no redo exists. Nothing is
  -- ever skipped: what is missing is said, with the command that brings it back (GAPS).
  -- Errors: ORA-20821 GAP, a log is gone; ORA-20822 WAIT_LOG, a log is not archived yet; ORA-20825, a log is not what it was.

  -- Highest SCN up to which all redo of all threads is on disk, for good. NULL: no thread is open.
  -- CURRENT_SCN runs ahead of LGWR; mining up to it loses what is written later (Debezium DBZ-4067). The least of the
  -- threads, never the greatest (DBZ-6013), and one less, because LogMiner looks one SCN beyond the end of its range.
  -- With SETTING.archived_only it is where the archived logs of the open threads end; a hole between them is for CHOOSE
  -- to tell, since a bound that stopped there would wait in silence.
  FUNCTION flushed_scn RETURN NUMBER;

  -- End of a range that begins behind p_lo: at most p_hi, and at the end of a log before that if the logs up to p_hi hold more
  -- than p_max_bytes bytes. At least one log is taken, however large, and two SCNs: LogMiner refuses a range of one (ORA-01281).
  FUNCTION cut(p_lo IN NUMBER, p_hi IN NUMBER, p_max_bytes IN NUMBER) RETURN NUMBER;

  -- Writes into SCAN_LOG the logs that hold the SCNs p_lo to p_hi, both inclusive, of every thread. Raises ORA-20821, ORA-20822.
  -- Counted are the threads of REDO_THREAD_V that are enabled, or were until p_lo was passed; of a closed one what it wrote before.
  PROCEDURE choose(p_scan_id IN NUMBER, p_lo IN NUMBER, p_hi IN NUMBER);

  -- After the start of a LogMiner that has found its logs itself (topology PDB): all that were chosen are among them, if V$LOGMNR_LOGS
  -- tells any, and SCAN_LOG says which files they are. Raises ORA-20821, ORA-20822.
  PROCEDURE adopt(p_scan_id IN NUMBER, p_lo IN NUMBER, p_hi IN NUMBER);

  -- Whether V$LOG tells anything. A managed service may hide it from a container; then LogMiner alone knows of logs.
  FUNCTION are_told RETURN BOOLEAN;

  -- After the rows are read: 1 when every online log that was chosen still is where it was, 0 when one was overwritten,
  -- perhaps while it was read, which LogMiner does not tell.
  FUNCTION still_there(p_scan_id IN NUMBER) RETURN NUMBER;

  -- After the rows are read: the same incarnation, and no online log was overwritten meanwhile. Raises ORA-20823, ORA-20825.
  PROCEDURE check_unchanged(p_scan_id IN NUMBER);

  -- Oldest sequence of each thread that has redo from p_scn on, for the operator's RMAN: 'thread 1 sequence 17, thread 2
  -- sequence 9'.
  FUNCTION keep_from(p_scn IN NUMBER) RETURN VARCHAR2;
END logs;
/
