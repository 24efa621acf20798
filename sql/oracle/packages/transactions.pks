CREATE OR REPLACE PACKAGE transactions AUTHID DEFINER AS

  -- Which transactions end in the scan that is published (table ENDED), and which stay open (TX, with their rows in CARRY).
  -- Used by PUBLISHER, in its transaction and under its lock; a transaction is known by (con_uid, xidusn, xidslt, xidsqn).
  --
  -- The cost does not grow with the number or age of what is open: CARRY is read and deleted from only for transactions that
  -- end, by index, and written only with rows of this scan.

  -- Into ENDED: transactions with a COMMIT (operation 7) or ROLLBACK (36) in (scn_from, scn_to] of the scan. Half open, so a
  -- control row that two scans have read counts once. (cases.md K6)
  PROCEDURE find_ended(p_scan_id IN NUMBER, p_stage_slot IN NUMBER);

  -- Into ENDED: open transactions that are dead since an SCN not above p_scn_to, and have no end in the scan.
  PROCEDURE find_dead(p_scan_id IN NUMBER, p_scn_to IN NUMBER);

  -- SCN from which on redo shows every transaction whole that ends in the scan. After FIND_ENDED, before FORGET_ENDED.
  FUNCTION resume_of(p_scan_id IN NUMBER) RETURN NUMBER;

  -- Deletes what has ended from TX and CARRY.
  PROCEDURE forget_ended;

  -- Into CARRY: staged rows of transactions that have not ended, also those of SCNs before the range.
  PROCEDURE carry_over(p_scan_id IN NUMBER, p_stage_slot IN NUMBER);

  -- Into TX: transactions of the scan that have not ended.
  PROCEDURE note_open(p_scan_id IN NUMBER, p_stage_slot IN NUMBER, p_scn_from IN NUMBER);

  -- Notes which transactions of TX the database does not know any more: neither GV$TRANSACTION nor DBA_2PC_PENDING has
  -- them. First those are read, then the SCN: a transaction that ended before the reading committed at a lower SCN.
  -- Does nothing while an open instance does not answer. (logminer.md (e), cases.md M21, M35)
  PROCEDURE bury;

END transactions;
/
