CREATE OR REPLACE PACKAGE BODY publisher AS

  -- P$PREV is looked for among so many held pointers for each row that was staged.
  c_reach CONSTANT NUMBER(2) := 2;
  -- XIDSQN of rollback records whose START LogMiner has not seen. (M21)
  c_no_xid CONSTANT NUMBER(10) := 4294967295;
  c_endless CONSTANT NUMBER(18) := 999999999999999999;

  block_corrupt EXCEPTION;
  PRAGMA EXCEPTION_INIT(block_corrupt, -1578);
  block_not_logged EXCEPTION;
  PRAGMA EXCEPTION_INIT(block_not_logged, -26040);
  object_gone EXCEPTION;
  PRAGMA EXCEPTION_INIT(object_gone, -8103);
  table_missing EXCEPTION;
  PRAGMA EXCEPTION_INIT(table_missing, -942);
  file_unreadable EXCEPTION;
  PRAGMA EXCEPTION_INIT(file_unreadable, -376);

  FUNCTION next_to_publish RETURN NUMBER IS
    l_scan NUMBER;
  BEGIN
    SELECT MIN(s.scan_id) INTO l_scan
    FROM scan s
    JOIN source_state t ON t.published_scn = s.scn_from
    WHERE s.purpose = 'MINE' AND s.status = 'SCANNED';
    RETURN l_scan;
  END next_to_publish;

  FUNCTION portion_pointers RETURN NUMBER IS
    l_size NUMBER;
  BEGIN
    SELECT s.portion_pointers INTO l_size FROM setting s;
    RETURN l_size;
  END portion_pointers;

  -- OUTGOING and ENDED are empty when a transaction begins, except where temporary tables are ordinary ones.
  PROCEDURE begin_work IS
  BEGIN
    source.lock_state;
    DELETE FROM outgoing;
    DELETE FROM ended;
  END begin_work;

  -- ---------------------------------------------------------------------------------------------------------------
  -- Which transactions end

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

  -- ---------------------------------------------------------------------------------------------------------------
  -- What they have changed

  -- LOB operations whose row no other row tells become a U for the table, in number 0, which is no portion yet.
  -- Rows 1, 2, 3, 9, 68, 91 of a transaction and table begin a chapter. It is told by a LOB or INTERNAL row in it that knows
  -- its row. An INSERT of which only an UPDATE right behind it knows the row is the shape of an inline LOB. An UPDATE or
  -- INSERT tells nothing else: it may be of another row. (logminer.md (d), R1 to R5)
  PROCEDURE collect_untold(p_stage_slot IN NUMBER) IS
    l_count NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_count FROM ending_v r WHERE r.stage_slot IN (0, p_stage_slot) AND r.kind = 'L';
    IF l_count = 0 THEN
      RETURN;
    END IF;
    INSERT INTO outgoing (portion_id, ptr, prev, table_id, kind, note, commit_scn)
    SELECT 0, 0, 0, c.table_id, 'U', 'a LOB was changed in a row that redo does not tell', MAX(c.commit_scn)
    FROM (
      SELECT
        b.table_id, b.commit_scn, MAX(CASE b.kind WHEN 'L' THEN 1 ELSE 0 END) AS untold,
        MAX(CASE
          WHEN b.kind = 'R' AND b.op NOT IN (1, 2, 3) THEN 1
          WHEN b.kind = 'L' AND b.op = 1 AND b.next_op = 3 AND b.next_kind = 'R' THEN 1
          ELSE 0
        END) AS told
      FROM (
        SELECT
          r.con_uid, r.xidusn, r.xidslt, r.xidsqn, r.table_id, r.kind, r.op, r.commit_scn,
          SUM(CASE WHEN r.op IN (1, 2, 3, 9, 68, 91) THEN 1 ELSE 0 END) OVER (
            PARTITION BY r.con_uid, r.xidusn, r.xidslt, r.xidsqn, r.table_id ORDER BY r.scan_id, r.seq
          ) AS chapter,
          LEAD(r.op) OVER (
            PARTITION BY r.con_uid, r.xidusn, r.xidslt, r.xidsqn, r.table_id ORDER BY r.scan_id, r.seq
          ) AS next_op,
          LEAD(r.kind) OVER (
            PARTITION BY r.con_uid, r.xidusn, r.xidslt, r.xidsqn, r.table_id ORDER BY r.scan_id, r.seq
          ) AS next_kind
        FROM ending_v r
        WHERE r.stage_slot IN (0, p_stage_slot)
          AND r.table_id IN (SELECT t.table_id FROM source_table t WHERE t.has_lob = 'Y')
      ) b
      GROUP BY b.con_uid, b.xidusn, b.xidslt, b.xidsqn, b.table_id, b.chapter, b.commit_scn
    ) c
    WHERE c.untold = 1 AND c.told = 0
    GROUP BY c.table_id;
  END collect_untold;

  -- Suspicions seen before this SCN can be published: no transaction is open that began at or before it. A transaction whose
  -- START was not seen may have begun at any time.
  FUNCTION ripe_below RETURN NUMBER IS
    l_scn NUMBER;
  BEGIN
    SELECT NVL(MIN(s.window_scn), 0) INTO l_scn
    FROM source_state s
    WHERE NOT EXISTS (SELECT NULL FROM tx t WHERE t.has_start = 'N');
    RETURN l_scn;
  END ripe_below;

  -- The oldest portion in which P$PREV is looked for. Bounded by the size of what is published, so that a small
  -- publication stays cheap however much is held.
  FUNCTION prev_floor(p_rows IN NUMBER) RETURN NUMBER IS
    l_floor NUMBER;
  BEGIN
    SELECT NVL(MIN(p.portion_id), c_endless) INTO l_floor
    FROM (
      SELECT h.portion_id, SUM(h.pointers) OVER (ORDER BY h.portion_id DESC) AS reach FROM portion h
    ) p
    CROSS JOIN source_state t
    CROSS JOIN setting s
    WHERE p.portion_id > t.last_portion - s.prev_portions
      AND p.reach <= GREATEST(s.portion_pointers, c_reach * p_rows);
    RETURN l_floor;
  END prev_floor;

  -- One pointer for each identity, numbered and cut. The rows that held portions have of the same identity fall into the
  -- same group and yield P$PREV; a group of only those is none of ours.
  -- The order is that of identities, not of commits: so a portion touches few blocks of a table, and a pointer that is mined
  -- again finds its portion again (REBUILD_LOST). T, D and U lead.
  PROCEDURE collect(
    p_stage_slot IN NUMBER, p_first IN NUMBER, p_size IN NUMBER, p_floor IN NUMBER, p_ripe_below IN NUMBER
  ) IS
  BEGIN
    INSERT INTO outgoing (
      portion_id, ptr, prev, table_id, kind, row_id, k1, k2, k3, k4, k5, k6, k7, k8, note, commit_scn
    )
    SELECT
      p_first + FLOOR(n.place / p_size), MOD(n.place, p_size) + 1, n.prev, n.table_id, n.kind, n.row_id,
      n.k1, n.k2, n.k3, n.k4, n.k5, n.k6, n.k7, n.k8, n.note, n.commit_scn
    FROM (
      SELECT
        g.table_id, g.kind, g.row_id, g.k1, g.k2, g.k3, g.k4, g.k5, g.k6, g.k7, g.k8, MAX(g.note) AS note,
        MAX(g.commit_scn) AS commit_scn, NVL(MAX(g.held_in), 0) AS prev,
        ROW_NUMBER() OVER (
          ORDER BY
            CASE g.kind WHEN 'R' THEN 1 ELSE 0 END, g.table_id, NVL(NVL(g.row_id, g.k1), ' '),
            g.kind, g.row_id, g.k1, g.k2, g.k3, g.k4, g.k5, g.k6, g.k7, g.k8
        ) - 1 AS place
      FROM (
        SELECT
          r.table_id, CASE WHEN r.outcome = 'D' AND r.kind = 'T' THEN 'U' ELSE r.kind END AS kind,
          CASE WHEN r.kind = 'R' THEN r.row_id END AS row_id,
          r.k1, r.k2, r.k3, r.k4, r.k5, r.k6, r.k7, r.k8, r.note, r.commit_scn, CAST(NULL AS NUMBER(18)) AS held_in
        FROM ending_v r
        WHERE r.stage_slot IN (0, p_stage_slot) AND r.kind <> 'L'
        UNION ALL
        SELECT r.table_id, 'R', NULL, r.o1, r.o2, r.o3, r.o4, r.o5, r.o6, r.o7, r.o8, NULL, r.commit_scn, NULL
        FROM ending_v r
        WHERE r.stage_slot IN (0, p_stage_slot) AND r.o1 IS NOT NULL
        UNION ALL
        SELECT u.table_id, u.kind, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, u.note, u.commit_scn, NULL
        FROM outgoing u
        WHERE u.portion_id = 0
        UNION ALL
        SELECT x.table_id, 'U', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, x.note, NULL, NULL
        FROM suspicion x
        WHERE x.seen_scn < p_ripe_below
        UNION ALL
        SELECT /*+ LEADING(p) USE_NL(h) PUSH_PRED(h) */
          h.table_id, h.kind, h.row_id, h.k1, h.k2, h.k3, h.k4, h.k5, h.k6, h.k7, h.k8, NULL, NULL, p.portion_id
        FROM portion p
        JOIN slot s ON s.slot_id = p.slot_id AND s.status <> 'LOST'
        JOIN pointer_v h ON h.p$slot = p.slot_id AND h.p$portion = p.portion_id
        WHERE p.portion_id >= p_floor AND h.kind = 'R'
          AND NOT EXISTS (
            SELECT NULL FROM portion_table b
            WHERE b.table_id = h.table_id AND b.barriers > 0 AND b.portion_id > p.portion_id
          )
      ) g
      GROUP BY g.table_id, g.kind, g.row_id, g.k1, g.k2, g.k3, g.k4, g.k5, g.k6, g.k7, g.k8
      HAVING COUNT(*) > COUNT(g.held_in)
    ) n;
    DELETE FROM outgoing WHERE portion_id = 0 AND ptr = 0;
  END collect;

  -- What a T or D of this publication is in front of has nothing earlier.
  PROCEDURE stop_at_barriers IS
  BEGIN
    UPDATE outgoing SET prev = 0
    WHERE prev > 0 AND table_id IN (SELECT b.table_id FROM outgoing b WHERE b.kind IN ('T', 'D'));
  END stop_at_barriers;

  -- ---------------------------------------------------------------------------------------------------------------
  -- Portions

  PROCEDURE count_tables IS
  BEGIN
    INSERT INTO portion_table (portion_id, table_id, pointers, barriers, beside_redo)
    SELECT
      o.portion_id, o.table_id, COUNT(*), SUM(CASE WHEN o.kind IN ('T', 'D') THEN 1 ELSE 0 END),
      SUM(CASE WHEN o.commit_scn IS NULL THEN 1 ELSE 0 END)
    FROM outgoing o
    GROUP BY o.portion_id, o.table_id;
  END count_tables;

  -- Only the last portion of a scan completes its range: before it, not every commit up to scn_to is published.
  PROCEDURE add_portions(p_scan_id IN NUMBER, p_scn_from IN NUMBER, p_scn_to IN NUMBER, p_resume_scn IN NUMBER) IS
    l_first NUMBER;
    l_last  NUMBER;
    l_now   TIMESTAMP(6) := source.utc_now;
  BEGIN
    SELECT MIN(o.portion_id), MAX(o.portion_id) INTO l_first, l_last FROM outgoing o;
    IF l_first IS NULL THEN
      RETURN;
    END IF;
    INSERT INTO portion (
      portion_id, slot_id, scan_id, scn_from, scn_to, resume_scn, pointers, published_at, low_table, low_place
    )
    SELECT
      c.portion_id, 0, p_scan_id, p_scn_from, CASE WHEN c.portion_id = l_last THEN p_scn_to ELSE p_scn_from END,
      p_resume_scn, c.pointers, l_now, CASE WHEN c.portion_id > l_first AND f.kind = 'R' THEN f.table_id END,
      CASE WHEN c.portion_id > l_first AND f.kind = 'R' THEN NVL(NVL(f.row_id, f.k1), ' ') END
    FROM (SELECT o.portion_id, COUNT(*) AS pointers FROM outgoing o GROUP BY o.portion_id) c
    JOIN outgoing f ON f.portion_id = c.portion_id AND f.ptr = 1;
    count_tables;
    UPDATE source_state SET last_portion = l_last;
  END add_portions;

  -- ---------------------------------------------------------------------------------------------------------------
  -- What stays open

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

  -- ---------------------------------------------------------------------------------------------------------------
  -- Positions

  -- Not above published_scn: LogMiner also wants the log that ends where a range begins.
  PROCEDURE move_resume IS
  BEGIN
    UPDATE source_state SET
      resume_scn = LEAST(window_scn, published_scn, NVL((SELECT MIN(p.resume_scn) FROM portion p), window_scn));
  END move_resume;

  -- After a scan by rule C the redo that was read tells of no open transaction; then the samples of RANGES do, and while they do
  -- not, the window stays.
  PROCEDURE advance(p_scan_id IN NUMBER, p_scn_to IN NUMBER, p_rule IN VARCHAR2) IS
    l_open  NUMBER;
    l_mined NUMBER;
    l_seen  NUMBER := p_scn_to + 1;
    l_now   TIMESTAMP(6) := source.utc_now;
  BEGIN
    IF p_rule = 'C' THEN
      l_seen := ranges.open_from(p_scn_to);
    END IF;
    SELECT MIN(t.start_scn) INTO l_open FROM tx t;
    SELECT NVL(MIN(CASE WHEN s.status IN ('NEW', 'RUNNING') THEN s.scn_from END), MAX(s.scn_to)) INTO l_mined
    FROM scan s
    WHERE s.purpose = 'MINE' AND s.scn_to >= p_scn_to;
    UPDATE source_state SET
      published_scn = p_scn_to,
      published_scan = p_scan_id,
      mined_scn = GREATEST(mined_scn, l_mined),
      window_scn = LEAST(NVL(l_open, p_scn_to + 1), NVL(l_seen, window_scn), p_scn_to + 1),
      sampled_at = l_now;
    move_resume;
  END advance;

  -- ---------------------------------------------------------------------------------------------------------------
  -- Publication

  PROCEDURE check_turn(p_scan_id IN NUMBER) IS
    l_scan  scan%ROWTYPE;
    l_state source_state%ROWTYPE;
  BEGIN
    SELECT * INTO l_state FROM source_state;
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    IF l_scan.purpose <> 'MINE' OR l_scan.status <> 'SCANNED' THEN
      RAISE_APPLICATION_ERROR(-20824, 'scan ' || TO_CHAR(p_scan_id) || ' (' || l_scan.purpose || ') is ' || l_scan.status);
    END IF;
    IF l_scan.scn_from <> l_state.published_scn THEN
      RAISE_APPLICATION_ERROR(-20826, 'scan ' || TO_CHAR(p_scan_id) || ' begins behind SCN ' || TO_CHAR(l_scan.scn_from)
        || ', but everything up to ' || TO_CHAR(l_state.published_scn) || ' is published');
    END IF;
    IF source.restarted THEN
      RAISE_APPLICATION_ERROR(-20826, 'other instances are open than before: what is held must be published again first '
        || '(step REPUBLISH)');
    END IF;
    IF repairs.next_step(p_scan_id) IS NOT NULL THEN
      RAISE_APPLICATION_ERROR(-20826, 'scan ' || TO_CHAR(p_scan_id) || ' must be repaired first (package REPAIRS)');
    END IF;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(-20824, 'no scan ' || TO_CHAR(p_scan_id));
  END check_turn;

  PROCEDURE publish(p_scan_id IN NUMBER) IS
    l_scan   scan%ROWTYPE;
    l_resume NUMBER;
    l_ripe   NUMBER;
    l_first  NUMBER;
  BEGIN
    begin_work;
    source.check_incarnation;
    check_turn(p_scan_id);
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    SELECT s.last_portion + 1 INTO l_first FROM source_state s;
    find_ended(p_scan_id, l_scan.stage_slot);
    find_dead(p_scan_id, l_scan.scn_to);
    l_resume := resume_of(p_scan_id);
    l_ripe := ripe_below;
    collect_untold(l_scan.stage_slot);
    collect(l_scan.stage_slot, l_first, portion_pointers, prev_floor(NVL(l_scan.rows_staged, 0)), l_ripe);
    stop_at_barriers;
    DELETE FROM suspicion WHERE seen_scn < l_ripe;
    forget_ended;
    carry_over(p_scan_id, l_scan.stage_slot);
    note_open(p_scan_id, l_scan.stage_slot, l_scan.scn_from);
    UPDATE scan SET status = 'PUBLISHED' WHERE scan_id = p_scan_id;
    stages.give_back(p_scan_id);
    add_portions(p_scan_id, l_scan.scn_from, l_scan.scn_to, l_resume);
    advance(p_scan_id, l_scan.scn_to, l_scan.mining_rule);
    slots.fill;
  END publish;

  -- ---------------------------------------------------------------------------------------------------------------
  -- Dead transactions

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

  -- ---------------------------------------------------------------------------------------------------------------
  -- State of the slots

  FUNCTION lost_slots RETURN NUMBER IS
    l_count NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_count
    FROM slot s
    WHERE s.status = 'LOST' AND EXISTS (SELECT NULL FROM portion p WHERE p.slot_id = s.slot_id);
    RETURN l_count;
  END lost_slots;

  -- GAP, INCARNATION_CHANGED and STOPPED say more than TRANSPORT_LOST does.
  PROCEDURE show_transport IS
    l_state source_state%ROWTYPE;
    l_lost  NUMBER := lost_slots;
  BEGIN
    SELECT * INTO l_state FROM source_state;
    IF l_lost > 0 AND l_state.state IN ('OK', 'WAIT_LOG') THEN
      source.set_state('TRANSPORT_LOST', TO_CHAR(l_lost) || ' transport tables cannot be read; their portions are mined again');
    ELSIF l_lost = 0 AND l_state.state = 'TRANSPORT_LOST' THEN
      source.set_state('OK', NULL);
    END IF;
  END show_transport;

  PROCEDURE drop_scan(p_scan_id IN NUMBER) IS
  BEGIN
    stages.give_back(p_scan_id);
    DELETE FROM scan_log WHERE scan_id = p_scan_id;
    DELETE FROM scan WHERE scan_id = p_scan_id;
  END drop_scan;

  -- ---------------------------------------------------------------------------------------------------------------
  -- Release

  -- The latest portion that every shard surely has; without a shard all of them.
  FUNCTION releasable RETURN NUMBER IS
    l_portion NUMBER;
  BEGIN
    SELECT NVL(MIN(LEAST(s.acked_portion, NVL(m.sure_portion, 0))), MAX(t.last_portion)) INTO l_portion
    FROM source_state t
    LEFT JOIN shard s ON 1 = 1
    LEFT JOIN release_mark m ON m.shard = s.shard;
    RETURN l_portion;
  END releasable;

  FUNCTION release_due RETURN BOOLEAN IS
    l_oldest NUMBER;
    l_moving NUMBER;
  BEGIN
    SELECT MIN(p.portion_id) INTO l_oldest FROM portion p;
    SELECT COUNT(*) INTO l_moving
    FROM source_state t
    CROSS JOIN shard s
    LEFT JOIN release_mark m ON m.shard = s.shard
    WHERE m.shard IS NULL OR NVL(m.token, -1) <> NVL(s.token, -1)
      OR m.mark_scn <= t.mined_scn AND s.acked_portion > m.sure_portion;
    RETURN l_oldest IS NOT NULL AND (l_moving > 0 OR l_oldest <= releasable);
  END release_due;

  -- What was waited for and is passed is sure now, and the latest ack is waited for next.
  PROCEDURE move_marks IS
    l_mined NUMBER;
  BEGIN
    SELECT t.mined_scn INTO l_mined FROM source_state t;
    MERGE INTO release_mark m
    USING (SELECT s.shard, s.token, s.acked_portion, s.acked_scn FROM shard s) s
    ON (m.shard = s.shard)
    WHEN MATCHED THEN UPDATE SET
      token = s.token,
      sure_portion = CASE
        WHEN NVL(m.token, -1) <> NVL(s.token, -1) THEN 0
        WHEN m.mark_scn <= l_mined THEN m.mark_portion
        ELSE m.sure_portion
      END,
      mark_portion = CASE
        WHEN NVL(m.token, -1) <> NVL(s.token, -1) OR m.mark_scn <= l_mined THEN s.acked_portion
        ELSE m.mark_portion
      END,
      mark_scn = CASE
        WHEN NVL(m.token, -1) <> NVL(s.token, -1) OR m.mark_scn <= l_mined THEN s.acked_scn
        ELSE m.mark_scn
      END
    WHEN NOT MATCHED THEN INSERT (shard, token, sure_portion, mark_portion, mark_scn)
      VALUES (s.shard, s.token, 0, s.acked_portion, s.acked_scn);
  END move_marks;

  -- A rebuild needs the scan of a held portion, and rule W the last one that was published.
  PROCEDURE forget_scans IS
    l_before NUMBER;
  BEGIN
    SELECT LEAST(t.published_scan - 1000, NVL((SELECT MIN(p.scan_id) FROM portion p WHERE p.scan_id > 0), t.published_scan))
    INTO l_before
    FROM source_state t;
    DELETE FROM scan_log
    WHERE scan_id IN (
      SELECT s.scan_id FROM scan s WHERE s.scan_id < l_before AND s.purpose = 'MINE' AND s.status = 'PUBLISHED'
    );
    DELETE FROM scan WHERE scan_id < l_before AND purpose = 'MINE' AND status = 'PUBLISHED';
  END forget_scans;

  -- The portions that it was ordered for are released.
  PROCEDURE forget_rebuilds IS
  BEGIN
    FOR r IN (
      SELECT b.scan_id
      FROM scan b
      WHERE b.purpose = 'REBUILD' AND b.status = 'NEW'
        AND NOT EXISTS (
          SELECT NULL
          FROM scan m
          JOIN portion p ON p.scan_id = m.scan_id
          JOIN slot s ON s.slot_id = p.slot_id
          WHERE m.purpose = 'MINE' AND m.scn_from = b.scn_from AND s.status = 'LOST'
        )
    ) LOOP
      drop_scan(r.scan_id);
    END LOOP;
  END forget_rebuilds;

  PROCEDURE release IS
    l_up_to NUMBER;
  BEGIN
    source.lock_state;
    move_marks;
    l_up_to := releasable;
    DELETE FROM portion WHERE portion_id <= l_up_to;
    forget_rebuilds;
    forget_scans;
    move_resume;
    show_transport;
  END release;

  -- ---------------------------------------------------------------------------------------------------------------
  -- Lost slots

  PROCEDURE order_scans(p_slot_id IN NUMBER) IS
    l_last NUMBER;
  BEGIN
    SELECT t.last_scan INTO l_last FROM source_state t;
    FOR r IN (
      SELECT s.scn_from, s.scn_to, MIN(p.resume_scn) AS read_from
      FROM portion p
      JOIN scan s ON s.scan_id = p.scan_id
      WHERE p.slot_id = p_slot_id
        AND NOT EXISTS (SELECT NULL FROM scan b WHERE b.purpose = 'REBUILD' AND b.scn_from = s.scn_from)
      GROUP BY s.scn_from, s.scn_to
      ORDER BY s.scn_from
    ) LOOP
      l_last := l_last + 1;
      INSERT INTO scan (scan_id, purpose, scn_from, scn_to, status, mining_rule, read_from)
      VALUES (l_last, 'REBUILD', r.scn_from, r.scn_to, 'NEW', 'W', r.read_from);
    END LOOP;
    UPDATE source_state SET last_scan = l_last;
  END order_scans;

  PROCEDURE mark_lost(p_slot_id IN NUMBER) IS
  BEGIN
    source.lock_state;
    UPDATE slot SET status = 'LOST' WHERE slot_id = p_slot_id AND status IN ('OPEN', 'CLOSED');
    IF SQL%ROWCOUNT = 0 THEN
      RAISE_APPLICATION_ERROR(-20827, 'slot ' || TO_CHAR(p_slot_id) || ' holds nothing that could be lost');
    END IF;
    source.note('ERROR', 'SLOT_LOST', 'TRANSPORT_' || TO_CHAR(p_slot_id) || ' cannot be read or is incomplete');
    order_scans(p_slot_id);
    show_transport;
  END mark_lost;

  -- How many pointers of held portions a slot gives; -1 when it cannot be read. Reads the table, not its index.
  FUNCTION readable(p_slot_id IN NUMBER) RETURN NUMBER IS
    l_count NUMBER;
  BEGIN
    EXECUTE IMMEDIATE 'SELECT /*+ FULL(t) */ COUNT(*) FROM transport_' || TO_CHAR(p_slot_id) || ' t'
      || ' JOIN portion p ON p.portion_id = t.portion_id WHERE p.slot_id = :1' INTO l_count USING p_slot_id;
    RETURN l_count;
  EXCEPTION
    WHEN block_corrupt OR block_not_logged OR object_gone OR table_missing OR file_unreadable THEN
      RETURN -1;
  END readable;

  PROCEDURE check_slots IS
  BEGIN
    source.lock_state;
    FOR r IN (
      SELECT s.slot_id, SUM(p.pointers) AS pointers
      FROM slot s
      JOIN portion p ON p.slot_id = s.slot_id
      WHERE s.status <> 'LOST'
      GROUP BY s.slot_id
      ORDER BY s.slot_id
    ) LOOP
      IF readable(r.slot_id) <> r.pointers THEN
        mark_lost(r.slot_id);
      END IF;
    END LOOP;
  END check_slots;

  FUNCTION next_to_rebuild RETURN NUMBER IS
    l_scan  NUMBER;
    l_loose NUMBER;
  BEGIN
    SELECT MIN(s.scan_id) INTO l_scan FROM scan s WHERE s.purpose = 'REBUILD' AND s.status = 'SCANNED';
    SELECT COUNT(*) INTO l_loose
    FROM portion p
    JOIN slot s ON s.slot_id = p.slot_id
    WHERE s.status = 'LOST' AND p.scan_id = 0;
    RETURN NVL(l_scan, CASE WHEN l_loose > 0 THEN 0 END);
  END next_to_rebuild;

  -- From number 0 to the portions. Both ends of a portion count to it, so that equal places lie on either side. The T
  -- belongs in front of all others, which is the first portion: in a later one it would empty the table again.
  PROCEDURE distribute(p_scan_id IN NUMBER) IS
  BEGIN
    INSERT INTO outgoing (
      portion_id, ptr, prev, table_id, kind, row_id, k1, k2, k3, k4, k5, k6, k7, k8, note, commit_scn
    )
    SELECT
      p.portion_id, ROW_NUMBER() OVER (PARTITION BY p.portion_id ORDER BY o.ptr), 0, o.table_id, o.kind, o.row_id,
      o.k1, o.k2, o.k3, o.k4, o.k5, o.k6, o.k7, o.k8, o.note, o.commit_scn
    FROM portion p
    JOIN slot s ON s.slot_id = p.slot_id AND s.status = 'LOST'
    LEFT JOIN portion n ON n.portion_id = p.portion_id + 1 AND n.scan_id = p.scan_id
    JOIN outgoing o ON o.portion_id = 0
    WHERE p.scan_id = p_scan_id
      AND (
        o.kind IN ('D', 'U')
        OR o.kind = 'T' AND p.low_table IS NULL
        OR o.kind = 'R'
        AND (
          p.low_table IS NULL OR o.table_id > p.low_table
          OR o.table_id = p.low_table AND NVL(NVL(o.row_id, o.k1), ' ') >= p.low_place
        )
        AND (
          n.low_table IS NULL OR o.table_id < n.low_table
          OR o.table_id = n.low_table AND NVL(NVL(o.row_id, o.k1), ' ') <= n.low_place
        )
      );
    DELETE FROM outgoing WHERE portion_id = 0;
  END distribute;

  PROCEDURE stand_in_for_missing(p_scan_id IN NUMBER) IS
  BEGIN
    INSERT INTO outgoing (portion_id, ptr, prev, table_id, kind, note)
    SELECT
      m.portion_id, m.in_portion + ROW_NUMBER() OVER (PARTITION BY m.portion_id ORDER BY m.table_id), 0, m.table_id, 'U',
      'pointers were lost with their transport table'
    FROM (
      SELECT
        r.portion_id, r.table_id, r.pointers, r.beside_redo,
        (SELECT COUNT(*) FROM outgoing o WHERE o.portion_id = r.portion_id AND o.table_id = r.table_id) AS found,
        (SELECT COUNT(*) FROM outgoing o WHERE o.portion_id = r.portion_id) AS in_portion
      FROM portion_table r
      JOIN portion p ON p.portion_id = r.portion_id
      JOIN slot s ON s.slot_id = p.slot_id AND s.status = 'LOST'
      WHERE p.scan_id = p_scan_id
    ) m
    WHERE m.beside_redo > 0 OR m.found < m.pointers;
  END stand_in_for_missing;

  -- What PORTION and PORTION_TABLE say of the rebuilt portions. BESIDE_REDO stays: redo will not tell it the next time either.
  PROCEDURE count_again IS
  BEGIN
    MERGE INTO portion p
    USING (SELECT o.portion_id, COUNT(*) AS pointers FROM outgoing o GROUP BY o.portion_id) n
    ON (p.portion_id = n.portion_id)
    WHEN MATCHED THEN UPDATE SET pointers = n.pointers;
    MERGE INTO portion_table t
    USING (
      SELECT
        o.portion_id, o.table_id, COUNT(*) AS pointers, SUM(CASE WHEN o.kind IN ('T', 'D') THEN 1 ELSE 0 END) AS barriers
      FROM outgoing o
      GROUP BY o.portion_id, o.table_id
    ) n
    ON (t.portion_id = n.portion_id AND t.table_id = n.table_id)
    WHEN MATCHED THEN UPDATE SET pointers = n.pointers, barriers = GREATEST(t.barriers, n.barriers)
    WHEN NOT MATCHED THEN INSERT (portion_id, table_id, pointers, barriers)
      VALUES (n.portion_id, n.table_id, n.pointers, n.barriers);
  END count_again;

  -- A reader cannot meet half of it: a batch for which this makes a difference has a rebuilt portion in it, whose slot has
  -- changed when the reader looks at PORTION_V again.
  PROCEDURE forget_prev IS
  BEGIN
    FOR r IN (
      SELECT s.slot_id
      FROM slot s
      WHERE s.status <> 'LOST'
        AND EXISTS (
          SELECT NULL FROM portion p
          WHERE p.slot_id = s.slot_id AND p.portion_id > (SELECT MIN(o.portion_id) FROM outgoing o)
        )
    ) LOOP
      EXECUTE IMMEDIATE 'UPDATE transport_' || TO_CHAR(r.slot_id)
        || ' SET prev = 0 WHERE prev IN (SELECT o.portion_id FROM outgoing o)';
    END LOOP;
  END forget_prev;

  -- Number 0 gets what the scan has found. Returns the scan whose portions it is for.
  FUNCTION collect_again(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_scan   scan%ROWTYPE;
    l_origin NUMBER;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    IF l_scan.purpose <> 'REBUILD' OR l_scan.status <> 'SCANNED' THEN
      RAISE_APPLICATION_ERROR(-20824, 'scan ' || TO_CHAR(p_scan_id) || ' (' || l_scan.purpose || ') is ' || l_scan.status);
    END IF;
    SELECT MIN(s.scan_id) INTO l_origin FROM scan s WHERE s.purpose = 'MINE' AND s.scn_from = l_scan.scn_from;
    find_ended(p_scan_id, l_scan.stage_slot);
    collect_untold(l_scan.stage_slot);
    collect(l_scan.stage_slot, 0, c_endless, c_endless, 0);
    RETURN l_origin;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(-20824, 'no scan ' || TO_CHAR(p_scan_id));
  END collect_again;

  PROCEDURE rebuild_lost(p_scan_id IN NUMBER) IS
    l_origin NUMBER := 0;
  BEGIN
    begin_work;
    IF p_scan_id > 0 THEN
      l_origin := collect_again(p_scan_id);
      drop_scan(p_scan_id);
    END IF;
    distribute(l_origin);
    stand_in_for_missing(l_origin);
    count_again;
    forget_prev;
    slots.fill;
    show_transport;
  END rebuild_lost;

  -- ---------------------------------------------------------------------------------------------------------------
  -- Restart and skip

  PROCEDURE collect_held(p_first IN NUMBER, p_size IN NUMBER) IS
  BEGIN
    INSERT INTO outgoing (
      portion_id, ptr, prev, table_id, kind, row_id, k1, k2, k3, k4, k5, k6, k7, k8, note, commit_scn
    )
    SELECT
      p_first + FLOOR(n.place / p_size), MOD(n.place, p_size) + 1, n.prev, n.table_id, n.kind, n.row_id,
      n.k1, n.k2, n.k3, n.k4, n.k5, n.k6, n.k7, n.k8, n.note, n.commit_scn
    FROM (
      SELECT
        h.table_id, h.kind, h.row_id, h.k1, h.k2, h.k3, h.k4, h.k5, h.k6, h.k7, h.k8, MAX(h.note) AS note,
        MAX(h.commit_scn) AS commit_scn,
        CASE WHEN h.kind = 'R' AND MAX(p.portion_id) >= NVL(MAX(b.portion_id), 0) THEN MAX(p.portion_id) ELSE 0 END AS prev,
        ROW_NUMBER() OVER (
          ORDER BY
            CASE h.kind WHEN 'R' THEN 1 ELSE 0 END, h.table_id, NVL(NVL(h.row_id, h.k1), ' '),
            h.kind, h.row_id, h.k1, h.k2, h.k3, h.k4, h.k5, h.k6, h.k7, h.k8
        ) - 1 AS place
      FROM portion p
      JOIN pointer_v h ON h.p$slot = p.slot_id AND h.p$portion = p.portion_id
      LEFT JOIN (
        SELECT t.table_id, MAX(t.portion_id) AS portion_id FROM portion_table t WHERE t.barriers > 0 GROUP BY t.table_id
      ) b
        ON b.table_id = h.table_id
      WHERE h.kind IN ('R', 'D')
      GROUP BY h.table_id, h.kind, h.row_id, h.k1, h.k2, h.k3, h.k4, h.k5, h.k6, h.k7, h.k8
    ) n;
  END collect_held;

  PROCEDURE republish IS
    l_first NUMBER;
    l_scn   NUMBER;
  BEGIN
    begin_work;
    source.check_incarnation;
    IF NOT source.all_answer THEN
      RAISE_APPLICATION_ERROR(-20826, 'an instance does not answer: whether it has crashed is known when it is recovered');
    END IF;
    check_slots;
    IF lost_slots > 0 THEN
      RETURN;
    END IF;
    SELECT t.last_portion + 1, t.published_scn INTO l_first, l_scn FROM source_state t;
    source.note_restart;
    collect_held(l_first, portion_pointers);
    stop_at_barriers;
    add_portions(0, l_scn, l_scn, l_scn + 1);
    slots.fill;
  END republish;

  -- Ranges that were published go too: SCNs of another incarnation may come again. Portions that get lost from here on have a U
  -- for each table.
  PROCEDURE forget_mined(p_scn IN NUMBER) IS
  BEGIN
    FOR r IN (SELECT s.scan_id FROM scan s) LOOP
      drop_scan(r.scan_id);
    END LOOP;
    DELETE FROM carry;
    DELETE FROM tx;
    DELETE FROM suspicion;
    UPDATE portion SET scan_id = 0, resume_scn = p_scn + 1;
  END forget_mined;

  PROCEDURE check_skip(p_scn IN NUMBER) IS
    l_state source_state%ROWTYPE;
    l_reset NUMBER;
  BEGIN
    SELECT * INTO l_state FROM source_state;
    SELECT d.resetlogs_change# INTO l_reset FROM v$database d;
    IF p_scn IS NULL OR p_scn > logs.flushed_scn OR l_reset = l_state.incarnation AND p_scn < l_state.published_scn THEN
      RAISE_APPLICATION_ERROR(-20826, 'mining can start anew behind an SCN from ' || TO_CHAR(l_state.published_scn)
        || ' (after RESETLOGS from ' || TO_CHAR(l_reset) || ') to ' || TO_CHAR(logs.flushed_scn) || ', not behind '
        || NVL(TO_CHAR(p_scn), 'NULL'));
    END IF;
  END check_skip;

  PROCEDURE skip_to(p_scn IN NUMBER) IS
    l_first NUMBER;
    l_size  NUMBER := portion_pointers;
  BEGIN
    begin_work;
    check_skip(p_scn);
    forget_mined(p_scn);
    UPDATE source_table SET state = 'WAIT_TX', wait_scn = NULL WHERE state <> 'REFUSED';
    SELECT t.last_portion + 1 INTO l_first FROM source_state t;
    INSERT INTO outgoing (portion_id, ptr, prev, table_id, kind, note)
    SELECT
      l_first + FLOOR(n.place / l_size), MOD(n.place, l_size) + 1, 0, n.table_id, 'U',
      'changes up to SCN ' || TO_CHAR(p_scn) || ' were skipped'
    FROM (SELECT t.table_id, ROW_NUMBER() OVER (ORDER BY t.table_id) - 1 AS place FROM source_table t) n;
    UPDATE source_state SET
      planned_scn = p_scn,
      mined_scn = p_scn,
      published_scn = p_scn,
      window_scn = p_scn + 1,
      incarnation = (SELECT d.resetlogs_change# FROM v$database d),
      dbid = (SELECT d.dbid FROM v$database d);
    source.set_state('OK', NULL);
    source.note('WARNING', 'SKIPPED', 'mining starts anew behind SCN ' || TO_CHAR(p_scn) || '; every table must be loaded again');
    add_portions(0, p_scn, p_scn, p_scn + 1);
    move_resume;
    show_transport;
    slots.fill;
  END skip_to;

END publisher;
/
