CREATE OR REPLACE PACKAGE publisher AUTHID DEFINER AS

  -- Makes portions of what the scans have staged. No procedure here commits: each is one transaction of COORDINATOR, and each
  -- takes the lock of SOURCE_STATE first, as ATTACH does.
  --
  -- Why nothing is lost and nothing is premature
  --
  -- Order. A scan covers (scn_from, scn_to], and scn_from is the scn_to of the scan before, so every SCN belongs to exactly
  --   one scan. Only the scan whose scn_from is SOURCE_STATE.PUBLISHED_SCN can be published, and its publication moves
  --   PUBLISHED_SCN: each once, none skipped, none early, in whatever order they were scanned. PORTION_ID comes from
  --   LAST_PORTION under the row lock, not from a sequence: dense. (cases.md T5)
  -- Commit. A pointer is published with the scan that shows the COMMIT (operation 7) of its transaction, selected by the
  --   SCN of the COMMIT, not by that of the row. A scan ends before the flushed SCN, so that COMMIT is on disk, and what
  --   is on disk is visible: who reads after publication sees the change. (M3, M5)
  -- Carry-over. A row is staged by the scan of its own SCN, which is not after that of the COMMIT: by the scan of the COMMIT
  --   or by an earlier one. Rows of transactions that do not end in their scan go to CARRY in the transaction that
  --   publishes that scan, so at the COMMIT they are in CARRY or in the stage. (M1, M2)
  -- Rollback. Operation 36 removes the rows of its transaction. XIDSQN 4294967295 names no transaction and is ignored; a
  --   ROLLBACK that is missed so leaves a transaction that seems open and will be found dead. (M21)
  -- Dead transactions. TRANSACTIONS.BURY notes an SCN at which the database did not know a transaction any more: it ended before. When
  --   the scan with that SCN is published and has no end of it, the end was missed: its rows are published, because it may
  --   have committed. But as T would empty the table of a shard, and late at that, a T becomes U. (M35, logminer.md (e))
  -- T before R. Of the pointers of a scan T, D and U come first, in the first of its portions. All other pointers of the scan
  --   may come after T: a shard reads the row as it is now. Pointers of later scans come later. So a row that was
  --   inserted after the TRUNCATE has a pointer behind the T.
  -- P$PREV. The latest earlier held portion with exactly the same identities, NULL meeting NULL, not older than the latest
  --   portion that has a T or D of the table; 0 when this publication has one. Looked for only as far back as is cheap:
  --   too low a value costs a fetch, never a row. Requests are not looked at.
  -- Repetition. All of it is one transaction, so a failed publication has not happened. A scan that is PUBLISHED is refused.
  -- Release, loss of a slot. See packages RELEASES, REBUILDS.
  --
  -- Errors
  --   ORA-20823  incarnation changed (SOURCE.CHECK_INCARNATION)
  --   ORA-20824  scan in a wrong state
  --   ORA-20826  publication out of order
  --   ORA-20827  no slot can take portions
  --   ORA-20828  not started

  -- The scan to publish next, or NULL while it is not scanned.
  FUNCTION next_to_publish RETURN NUMBER;

  -- Publishes a scan: its commits become portions of at most SETTING.PORTION_POINTERS pointers. A scan that commits nothing of a
  -- registered table makes no portion, only the SCNs move. (M14, M29)
  -- Also published: suspicions (table SUSPICION) that were seen before the oldest transaction began that is still open;
  -- rows of dead transactions.
  -- Its repair (package REPAIRS) must be done.
  PROCEDURE publish(p_scan_id IN NUMBER);

  -- After an instance start or crash: publishes the identities of all held portions again. A shard may have read a row whose
  -- commit the crash took back, and no redo will ever mention that; every such read belongs to a portion that is held,
  -- because RELEASES waits for mining. T and U are not repeated: they were on disk, and no row is read for them.
  -- Looks at the slots first; when one is lost it does nothing more, and is repeated when it is rebuilt.
  -- ORA-20826 while an instance does not answer.
  PROCEDURE republish;

  -- The way out of GAP and INCARNATION_CHANGED, for SKIP_GAP: mining starts anew after p_scn, what was staged
  -- and open is forgotten, every table waits for open transactions again, and a U for each is published.
  -- p_scn is on disk already (LOGS.FLUSHED_SCN), and in the same incarnation not before PUBLISHED_SCN.
  PROCEDURE skip_to(p_scn IN NUMBER);

END publisher;
/
