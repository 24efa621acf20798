CREATE OR REPLACE PACKAGE miner AUTHID DEFINER AS
  -- From redo to stage slots: scans of ranges, by jobs, several at a time and in any order, each into a stage slot of its own.
  -- PUBLISHER takes them in order.
  --
  -- A scan is three steps, each a transaction of its own, because LogMiner may commit and a table that was filled by direct
  -- path cannot be looked at before the commit (ORA-12838):
  --   l_scan := miner.take_scan(l_session);   miner.mine(l_scan, l_session);   miner.finish_scan(l_scan, l_session);
  -- In topology ROOT two more come before MINE, which do nothing in the others:
  --   miner.order_reading(l_scan, l_session);   miner.is_readable(l_scan, l_session), again until it is TRUE;
  -- after any error: ROLLBACK, miner.fail(l_scan, l_session, SQLCODE, SQLERRM). Nothing here commits.
  --
  -- Rules (SCAN.mining_rule)
  --   S  Each redo byte is read once. The scan reads its range, and some SCNs before it (PACE.SEAM): a change in several redo
  --      records (chained and migrated rows) is told by none of two scans when the seam between them cuts it. Rows of open
  --      transactions are staged too; PUBLISHER carries them until the commit is seen. What LOBs lose at a seam is brought
  --      back by REPAIRS. A stage that is lost is scanned anew by this rule as well: it only had what its own range told, and what
  --      earlier ranges told of open transactions is in CARRY, which is logged.
  --   W  The scan reads from where the oldest transaction began that is open at scn_from, so it sees every transaction whole
  --      that commits in its range, of any length. Costs as much redo as the oldest transaction is old.
  --   C  As W with COMMITTED_DATA_ONLY: LogMiner holds back what has not committed, in PGA. Such scans know nothing of open
  --      transactions, so the first one of another rule after them is W and takes up what is open. Nor do they show INTERNAL
  --      rows, so a LOB that is written through its locator in a table without a key cannot be located: a U.
  -- The rule is chosen by the operator: where nothing old is open S reads what W would read, and else less.
  -- An overlap of fixed length (DELTA) is not offered: a transaction that is longer than it is lost.
  --
  -- Errors: ORA-20821 GAP, ORA-20822 WAIT_LOG (see LOGS); ORA-20823 INCARNATION_CHANGED (see SOURCE); ORA-20824 the scan is
  -- not in the state, or not in the hands, that the step needs; ORA-20825 what was read cannot be trusted, the range is
  -- scanned anew.

  -- For a scan job: takes the oldest scan that waits, one that rebuilds a slot before others unless its logs are missing; chooses its
  -- logs and a stage slot. NULL: nothing to do now. Scans whose
  -- session is gone, or that are older than SETTING.scan_max_seconds, are given up first and wait again, the latter made smaller
  -- (RANGES.SHORTEN).
  -- p_session: 'sid,serial#,instance' of the job. Raises ORA-20821, ORA-20822, ORA-20823, and then has taken nothing.
  FUNCTION take_scan(p_session IN VARCHAR2) RETURN NUMBER;

  -- Orders that CDB$ROOT reads the range (PASSES), unless this session will do that.
  PROCEDURE order_reading(p_scan_id IN NUMBER, p_session IN VARCHAR2);

  -- Whether MINE can be called. Raises what the root has failed with (ORA-20829), and ORA-20825.
  FUNCTION is_readable(p_scan_id IN NUMBER, p_session IN VARCHAR2) RETURN BOOLEAN;

  -- Reads the range into the stage slot, in one pass. Tables that were registered meanwhile are in it: the registry is read after
  -- the end of the range was fixed.
  PROCEDURE mine(p_scan_id IN NUMBER, p_session IN VARCHAR2);

  -- Trusts what was read, or raises ORA-20821, ORA-20823, ORA-20825. Takes out what belongs to scans before. Then the scan
  -- is SCANNED.
  PROCEDURE finish_scan(p_scan_id IN NUMBER, p_session IN VARCHAR2);

  -- After an error of a step: the scan waits again, with the reason in SCAN.detail, and the source shows GAP, WAIT_LOG (when it
  -- has lasted SETTING.wait_log_seconds) or INCARNATION_CHANGED, until the scan is done. A scan that fails again and again
  -- becomes an event, and one that LogMiner has not enough memory or time for becomes smaller. p_scan_id NULL: the error was in
  -- TAKE_SCAN; p_session NULL: it was in a step of the coordinator.
  PROCEDURE fail(p_scan_id IN NUMBER, p_session IN VARCHAR2, p_code IN NUMBER, p_text IN VARCHAR2);

  -- The scan waits again; its slot is given back.
  PROCEDURE scan_again(p_scan_id IN NUMBER, p_reason IN VARCHAR2);

  -- The state of the source is OK again, or TRANSPORT_LOST, when no scan waits for anything: called when one is done, or gone.
  PROCEDURE heal;
END miner;
/
