CREATE OR REPLACE PACKAGE pointers AUTHID DEFINER AS

  -- From rows of transactions to numbered pointers (table OUTGOING) and their portions. Used by PUBLISHER and REBUILDS, in their
  -- transaction.

  -- Above every SCN and every number.
  c_endless CONSTANT NUMBER(18) := 999999999999999999;

  -- Note of a U that stands for pointers which nothing tells any more, or how it begins.
  c_lost CONSTANT VARCHAR2(100) := 'pointers were lost with their transport table';

  -- Takes the lock of the source and empties OUTGOING and ENDED.
  PROCEDURE begin_work;

  -- SETTING.PORTION_POINTERS.
  FUNCTION portion_size RETURN NUMBER;

  -- The oldest portion in which P$PREV is looked for when p_rows rows were staged. Bounded by the size of what is published,
  -- so that a small publication stays cheap however much is held.
  FUNCTION prev_floor(p_rows IN NUMBER) RETURN NUMBER;

  -- Into OUTGOING, under number 0, which is no portion: a U for each table of which a LOB operation tells no row.
  PROCEDURE collect_untold(p_stage_slot IN NUMBER);

  -- Into OUTGOING: the pointers of the transactions in ENDED, of the suspicions seen before p_ripe_below that nothing explains, and
  -- what COLLECT_UNTOLD has found; one for each identity, numbered from portion p_first on, p_size in each.
  -- What explains a suspicion was committed before it was seen, so it was published before it is ripe.
  PROCEDURE collect(
    p_stage_slot IN NUMBER, p_first IN NUMBER, p_size IN NUMBER, p_floor IN NUMBER, p_ripe_below IN NUMBER
  );

  -- Notes the DDL of the transactions in ENDED, for suspicions that are not ripe, or not even seen.
  PROCEDURE note_ddl(p_stage_slot IN NUMBER);

  -- Forgets the suspicions seen before p_ripe_below, which COLLECT has published, and DDL that can explain none of the others.
  PROCEDURE settle_suspicions(p_ripe_below IN NUMBER);

  -- Into OUTGOING: the identities of all held portions, their D pointers, and what stands for identities that were lost.
  PROCEDURE collect_held(p_first IN NUMBER, p_size IN NUMBER);

  -- Takes P$PREV from pointers of tables that have a T or D in OUTGOING.
  PROCEDURE stop_at_barriers;

  -- Adds PORTION and PORTION_TABLE for what is in OUTGOING and moves LAST_PORTION. p_scan_id 0: it cannot be mined again.
  -- SLOTS.FILL gives the portions their slots afterwards.
  PROCEDURE add_portions(p_scan_id IN NUMBER, p_scn_from IN NUMBER, p_scn_to IN NUMBER, p_resume_scn IN NUMBER);

END pointers;
/
