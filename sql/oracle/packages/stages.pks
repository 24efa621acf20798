CREATE OR REPLACE PACKAGE stages AUTHID DEFINER AS
  -- The stage slots STAGE_1 .. STAGE_n: what scans have found and publication has not taken yet. Each scan writes one of its
  -- own by direct path, because two direct-path inserts into one table wait for each other. A slot goes from FREE to USED
  -- (a scan has it) to DIRTY (given back) and, truncated in a step of its own, to FREE. Readers name the scan: a job that was
  -- given up for dead may still write into a slot that another scan has by then.
  -- Errors: ORA-20827, the slot is not in the state that is asked for.

  -- Takes a free slot: its number. NULL: none is free.
  FUNCTION assign RETURN NUMBER;

  -- The scan needs its slot no more: it is published, or will be scanned anew.
  PROCEDURE give_back(p_scan_id IN NUMBER);

  -- Number of the slot to be created next, until there are SETTING.stage_slots; NULL: there are.
  FUNCTION next_to_create RETURN NUMBER;

  -- Number of a slot to be truncated; NULL: none.
  FUNCTION next_to_clear RETURN NUMBER;

  -- Creates STAGE_n as a copy of STAGE_0 and shows it in STAGED_V. May be repeated after a crash.
  PROCEDURE create_slot(p_slot IN NUMBER);

  -- Truncates STAGE_n, which must be DIRTY. ORA-00054 while a job that was given up for dead still writes: try again.
  PROCEDURE clear(p_slot IN NUMBER);

  -- After the rows are committed: STAGE_n has p_expected rows of the scan, and none says that redo was missing or corrupt (rows of
  -- OPERATION_CODE 34, STATUS 1291 or 1343: without an option LogMiner raises no error for them). p_repair: after its repair pass. ORA-20821 GAP, ORA-20825.
  PROCEDURE check_rows(p_scan_id IN NUMBER, p_slot IN NUMBER, p_expected IN NUMBER, p_repair IN BOOLEAN);
END stages;
/
