CREATE OR REPLACE PACKAGE rebuilds AUTHID DEFINER AS

  -- Transport tables that were lost, and their portions published again under the same numbers. (cases.md T3)
  --
  -- Errors
  --   ORA-20824  scan in a wrong state
  --   ORA-20827  a slot that holds nothing cannot be lost

  -- How many lost slots hold portions that are not rebuilt yet.
  FUNCTION lost_slots RETURN NUMBER;

  -- State TRANSPORT_LOST while there are such slots, unless the state says more already; OK when there are none any more.
  PROCEDURE show_state;

  -- Finds slots that cannot be read or hold fewer pointers than they should (after media recovery or a failover
  -- NOLOGGING tables give ORA-01578/26040) and marks them lost.
  PROCEDURE check_slots;

  -- Marks a slot lost and orders scans of its portions by rule W (purpose REBUILD in SCAN), which read from where the
  -- oldest transaction of the portion began. Mining and publication go on meanwhile.
  PROCEDURE mark_lost(p_slot_id IN NUMBER);

  -- Scan of purpose REBUILD that is ready; 0 when lost portions are left that no scan can give; NULL when nothing is.
  FUNCTION next_scan RETURN NUMBER;

  -- Publishes lost portions again under their numbers in another slot: more pointers perhaps, never fewer. A shard that has
  -- passed a portion does not read it again, so no pointer may move to an earlier one.
  -- The scan shows every transaction of the range whole (rule W), so all pointers are found again. They are put in the same order
  -- as before and cut at the same places (PORTION.LOW_TABLE, LOW_PLACE), which depend on the identity alone: each
  -- falls into its portion again, those at a cut into both. T only into the first, where it was; D and U into all.
  -- For what redo does not tell (suspicions, dead transactions, republished pointers), and whenever fewer pointers of a table
  -- come back, a U stands for the table. As identities may have changed their form (a key that cannot be decoded any more), no
  -- later pointer keeps a P$PREV to these portions.
  -- p_scan_id 0: portions without a scan.
  PROCEDURE rebuild_portions(p_scan_id IN NUMBER);

  -- Forgets ordered scans whose portions are released.
  PROCEDURE forget_released;

  -- Forgets a scan and gives its stage slot back.
  PROCEDURE drop_scan(p_scan_id IN NUMBER);

END rebuilds;
/
