CREATE OR REPLACE PACKAGE gaps AUTHID DEFINER AS
  -- What the operator is told of redo that is missing: thread, sequence, SCNs, and the command that brings it back.
  -- Errors: ORA-20821 GAP, it is gone; ORA-20822 WAIT_LOG, it may come.

  -- Raises that a log is missing: which class, by what the control file knows of it.
  PROCEDURE missing(p_thread IN NUMBER, p_seq IN NUMBER);

  -- What a scan reads, for errors that name no log: its SCNs and its logs, or the one whose file p_error names; and the command.
  -- p_repair: the repair pass of the scan.
  FUNCTION reading_text(p_scan_id IN NUMBER, p_error IN VARCHAR2, p_repair IN BOOLEAN) RETURN VARCHAR2;
END gaps;
/
