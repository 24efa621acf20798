CREATE OR REPLACE PACKAGE BODY transactions AS

  -- XIDSQN of rollback records whose START LogMiner has not seen. (M21)
  c_no_xid CONSTANT NUMBER(10) := 4294967295;

  -- A COMMIT outweighs a ROLLBACK of the same transaction: on doubt a pointer more. Transactions that began before the scan
  -- have rows in CARRY; not in a rebuild, whose scan shows them whole.
  PROCEDURE find_ended(p_scan_id IN NUMBER, p_stage_slot IN NUMBER) IS
  BEGIN
    INSERT INTO ended (scan_id, con_uid, xidusn, xidslt, xidsqn, outcome, commit_scn, spanning)
    SELECT
      e.scan_id, e.con_uid, e.xidusn, e.xidslt, e.xidsqn, CASE WHEN e.commit_scn IS NULL THEN 'R' ELSE 'C' END, e.commit_scn,
      CASE WHEN e.purpose = 'MINE' AND t.xidusn IS NOT NULL THEN 'Y' ELSE 'N' END
    FROM (
      SELECT
        r.scan_id, r.con_uid, r.xidusn, r.xidslt, r.xidsqn, s.purpose, MAX(CASE r.op WHEN 7 THEN r.scn END) AS commit_scn
      FROM scan s
      JOIN staged_v r ON r.scan_id = s.scan_id
      WHERE s.scan_id = p_scan_id AND r.stage_slot = p_stage_slot
        AND r.op IN (7, 36) AND r.scn > s.scn_from AND r.scn <= s.scn_to AND r.xidsqn <> c_no_xid
      GROUP BY r.scan_id, r.con_uid, r.xidusn, r.xidslt, r.xidsqn, s.purpose
    ) e
    LEFT JOIN tx t
      ON t.con_uid = e.con_uid AND t.xidusn = e.xidusn AND t.xidslt = e.xidslt AND t.xidsqn = e.xidsqn;
  END find_ended;

  -- Whose end was before an SCN that this scan has passed, and was not seen.
  PROCEDURE find_dead(p_scan_id IN NUMBER, p_scn_to IN NUMBER) IS
  BEGIN
    INSERT INTO ended (scan_id, con_uid, xidusn, xidslt, xidsqn, outcome, commit_scn, spanning)
    SELECT p_scan_id, t.con_uid, t.xidusn, t.xidslt, t.xidsqn, 'D', NULL, 'Y'
    FROM tx t
    WHERE t.dead_scn <= p_scn_to
      AND NOT EXISTS (
        SELECT NULL FROM ended e
        WHERE e.con_uid = t.con_uid AND e.xidusn = t.xidusn AND e.xidslt = t.xidslt AND e.xidsqn = t.xidsqn
      );
    IF SQL%ROWCOUNT > 0 THEN
      source.note('INFO', 'DEAD_TRANSACTIONS', 'transactions that the database does not know and whose end was not seen were '
        || 'published with scan ' || TO_CHAR(p_scan_id));
    END IF;
  END find_dead;

  -- Where redo begins that shows every transaction whole that this scan publishes.
  FUNCTION resume_of(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_scn NUMBER;
  BEGIN
    SELECT LEAST(
      s.scn_from + 1,
      CASE WHEN s.mining_rule = 'S' THEN s.scn_from + 1 ELSE NVL(s.read_from, s.scn_from + 1) END,
      NVL((
        SELECT MIN(t.start_scn)
        FROM tx t
        JOIN ended e ON e.con_uid = t.con_uid AND e.xidusn = t.xidusn AND e.xidslt = t.xidslt AND e.xidsqn = t.xidsqn
        WHERE e.spanning = 'Y' AND e.outcome IN ('C', 'D')
      ), s.scn_from + 1)
    ) INTO l_scn
    FROM scan s
    WHERE s.scan_id = p_scan_id;
    RETURN l_scn;
  END resume_of;

  PROCEDURE forget_ended IS
  BEGIN
    DELETE FROM carry
    WHERE (xidusn, xidslt, xidsqn, con_uid) IN (
      SELECT e.xidusn, e.xidslt, e.xidsqn, e.con_uid FROM ended e WHERE e.spanning = 'Y'
    );
    DELETE FROM tx
    WHERE (con_uid, xidusn, xidslt, xidsqn) IN (
      SELECT e.con_uid, e.xidusn, e.xidslt, e.xidsqn FROM ended e WHERE e.spanning = 'Y'
    );
  END forget_ended;

  PROCEDURE carry_over(p_scan_id IN NUMBER, p_stage_slot IN NUMBER) IS
  BEGIN
    INSERT INTO carry (
      scan_id, con_uid, xidusn, xidslt, xidsqn, scn, seq, op, table_id, kind, row_id,
      k1, k2, k3, k4, k5, k6, k7, k8, o1, o2, o3, o4, o5, o6, o7, o8, note
    )
    SELECT
      r.scan_id, r.con_uid, r.xidusn, r.xidslt, r.xidsqn, r.scn, r.seq, r.op, r.table_id, r.kind, r.row_id,
      r.k1, r.k2, r.k3, r.k4, r.k5, r.k6, r.k7, r.k8, r.o1, r.o2, r.o3, r.o4, r.o5, r.o6, r.o7, r.o8, r.note
    FROM staged_v r
    WHERE r.stage_slot = p_stage_slot AND r.scan_id = p_scan_id AND r.kind IS NOT NULL
      AND NOT EXISTS (
        SELECT NULL FROM ended e
        WHERE e.con_uid = r.con_uid AND e.xidusn = r.xidusn AND e.xidslt = r.xidslt AND e.xidsqn = r.xidsqn
      );
  END carry_over;

  -- A transaction without START is taken to have begun with the range, or with its first row when that is older.
  PROCEDURE note_open(p_scan_id IN NUMBER, p_stage_slot IN NUMBER, p_scn_from IN NUMBER) IS
  BEGIN
    MERGE INTO tx t
    USING (
      SELECT
        r.con_uid, r.xidusn, r.xidslt, r.xidsqn,
        MIN(CASE WHEN r.op = 6 OR r.scn <= p_scn_from THEN r.scn ELSE p_scn_from + 1 END) AS lowest_scn,
        MIN(CASE WHEN r.op = 6 THEN r.scn END) AS start_scn,
        MAX(CASE WHEN b.has_lob = 'Y' OR r.op IN (0, 9, 10, 11, 29, 68, 70, 71, 91, 92, 93) THEN 'Y' ELSE 'N' END) AS has_lob
      FROM staged_v r
      LEFT JOIN source_table b ON b.table_id = r.table_id
      WHERE r.stage_slot = p_stage_slot AND r.scan_id = p_scan_id
        AND (r.kind IS NOT NULL OR r.op = 6 AND r.xidsqn <> c_no_xid)
        AND NOT EXISTS (
          SELECT NULL FROM ended e
          WHERE e.con_uid = r.con_uid AND e.xidusn = r.xidusn AND e.xidslt = r.xidslt AND e.xidsqn = r.xidsqn
        )
      GROUP BY r.con_uid, r.xidusn, r.xidslt, r.xidsqn
    ) n
    ON (t.con_uid = n.con_uid AND t.xidusn = n.xidusn AND t.xidslt = n.xidslt AND t.xidsqn = n.xidsqn)
    WHEN MATCHED THEN UPDATE SET
      has_lob = GREATEST(t.has_lob, n.has_lob),
      has_start = CASE WHEN n.start_scn IS NULL THEN t.has_start ELSE 'Y' END,
      start_scn = LEAST(t.start_scn, NVL(n.start_scn, n.lowest_scn))
    WHEN NOT MATCHED THEN INSERT (con_uid, xidusn, xidslt, xidsqn, start_scn, has_start, has_lob)
      VALUES (
        n.con_uid, n.xidusn, n.xidslt, n.xidsqn, NVL(n.start_scn, n.lowest_scn),
        CASE WHEN n.start_scn IS NULL THEN 'N' ELSE 'Y' END, n.has_lob
      );
  END note_open;

  PROCEDURE bury IS
    l_scn NUMBER;
  BEGIN
    source.lock_state;
    IF NOT source.all_answer THEN
      source.note('WARNING', 'INSTANCE_SILENT', 'GV$INSTANCE has fewer rows than V$THREAD open threads: the open transactions '
        || 'of an instance are not known');
      RETURN;
    END IF;
    UPDATE tx SET dead_scn = -1
    WHERE dead_scn IS NULL
      AND NOT EXISTS (
        SELECT NULL FROM gv$transaction g
        WHERE g.xidusn = tx.xidusn AND g.xidslot = tx.xidslt AND g.xidsqn = tx.xidsqn
      )
      AND NOT EXISTS (
        SELECT NULL FROM dba_2pc_pending d
        WHERE d.local_tran_id = TO_CHAR(tx.xidusn) || '.' || TO_CHAR(tx.xidslt) || '.' || TO_CHAR(tx.xidsqn)
      );
    IF NOT source.all_answer THEN
      UPDATE tx SET dead_scn = NULL WHERE dead_scn = -1;
      RETURN;
    END IF;
    l_scn := source.current_scn;
    UPDATE tx SET dead_scn = l_scn WHERE dead_scn = -1;
  END bury;

END transactions;
/
