CREATE OR REPLACE PACKAGE pace AUTHID DEFINER AS
  -- How much redo a range is, how fast it is written, and how fast scans have read it: by this ranges get their size. What is right
  -- does not depend on it.

  -- Redo of the SCNs p_lo to p_hi, both inclusive, of all threads, bytes: of a log as large a part as that of its SCNs.
  FUNCTION redo_between(p_lo IN NUMBER, p_hi IN NUMBER) RETURN NUMBER;

  -- End of a range behind p_lo, at most p_hi: as much redo as a scan reads in a quarter of SETTING.scan_max_seconds, by the slowest of
  -- the last scans. p_hi while none has been measured.
  FUNCTION end_in_time(p_lo IN NUMBER, p_hi IN NUMBER) RETURN NUMBER;

  -- How many SCNs before p_scn a scan of rule S reads again: SETTING.seam_scn, or those of a minute, as fast as they come in the log
  -- that holds p_scn. (logminer.md (e), R1)
  FUNCTION seam(p_scn IN NUMBER) RETURN NUMBER;
END pace;
/
