CREATE OR REPLACE PACKAGE ranges AUTHID DEFINER AS
  -- Redo is cut into ranges (scn_from, scn_to] that touch without a hole: table SCAN.

  -- End of the next range, NULL when there is none to cut now: nothing new is flushed, SETTING.stage_slots scans wait to be
  -- published, the source is in state GAP, INCARNATION_CHANGED or STOPPED, or the range would be the tail of redo and
  -- another scan is at work. So a miner that keeps up takes small ranges, one after the other, and one that is behind takes
  -- large ones in parallel. Reads only.
  FUNCTION plan_end RETURN NUMBER;

  -- Cuts the next range: its scan_id, or NULL. Waits for the lock of SOURCE_STATE.
  FUNCTION plan_scan RETURN NUMBER;

  -- For rule C (see MINER): an SCN before which no transaction has begun that is open at p_scn, from what was seen of
  -- GV$TRANSACTION when ranges were cut. NULL: not known.
  FUNCTION open_from(p_scn IN NUMBER) RETURN NUMBER;
END ranges;
/
