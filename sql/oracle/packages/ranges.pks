CREATE OR REPLACE PACKAGE ranges AUTHID DEFINER AS
  -- Redo is cut into ranges (scn_from, scn_to] that touch without a hole: table SCAN.

  -- End of the next range, NULL when there is none to cut now: nothing new is flushed, SETTING.stage_slots scans wait to be
  -- published, the source is in state GAP for one of them, INCARNATION_CHANGED or STOPPED, or the range would be the tail of redo and
  -- another scan is at work. So a miner that keeps up takes small ranges, one after the other, and one that is behind takes
  -- large ones in parallel, none larger than what is read in a quarter of SETTING.scan_max_seconds (PACE). Reads only.
  FUNCTION plan_end RETURN NUMBER;

  -- Makes a scan that waits smaller: its first half, and what came behind it is cut anew, also ranges that were scanned already (the
  -- numbers of scans are in the order of their SCNs). An event tells it. Nothing happens to one that is smaller than twice
  -- SETTING.scan_min_scn, of which less than half is its own range, or that rebuilds a slot: it has more time instead.
  PROCEDURE shorten(p_scan_id IN NUMBER, p_reason IN VARCHAR2);

  -- Cuts the next range: its scan_id, or NULL. Waits for the lock of SOURCE_STATE.
  FUNCTION plan_scan RETURN NUMBER;

  -- For rule C (see MINER): an SCN before which no transaction has begun that is open at p_scn, from what was seen of
  -- GV$TRANSACTION when ranges were cut. NULL: not known.
  FUNCTION open_from(p_scn IN NUMBER) RETURN NUMBER;
END ranges;
/
