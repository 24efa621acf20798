CREATE OR REPLACE PACKAGE BODY pointers AS

  -- P$PREV is looked for among so many held pointers for each row that was staged.
  c_reach CONSTANT NUMBER(2) := 2;

  -- OUTGOING and ENDED are empty when a transaction begins, except where temporary tables are ordinary ones.
  PROCEDURE begin_work IS
  BEGIN
    source.lock_state;
    DELETE FROM outgoing;
    DELETE FROM ended;
  END begin_work;

  FUNCTION portion_size RETURN NUMBER IS
    l_size NUMBER;
  BEGIN
    SELECT s.portion_pointers INTO l_size FROM setting s;
    RETURN l_size;
  END portion_size;

  -- The oldest portion in which P$PREV is looked for. Bounded by the size of what is published, so that a small
  -- publication stays cheap however much is held.
  FUNCTION prev_floor(p_rows IN NUMBER) RETURN NUMBER IS
    l_floor NUMBER := pointers.c_endless;
  BEGIN
    SELECT NVL(MIN(p.portion_id), l_floor) INTO l_floor
    FROM (
      SELECT h.portion_id, SUM(h.pointers) OVER (ORDER BY h.portion_id DESC) AS reach FROM portion h
    ) p
    CROSS JOIN source_state t
    CROSS JOIN setting s
    WHERE p.portion_id > t.last_portion - s.prev_portions
      AND p.reach <= GREATEST(s.portion_pointers, c_reach * p_rows);
    RETURN l_floor;
  END prev_floor;

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

  -- One pointer for each identity, numbered and cut. The rows that held portions have of the same identity fall into the
  -- same group and yield P$PREV; a group of only those is none of ours.
  -- The order is that of identities, not of commits: so a portion touches few blocks of a table, and a pointer that is mined
  -- again finds its portion again (REBUILDS.REBUILD_PORTIONS). T, D and U lead.
  -- Redo from before a registration is mined for the table too, if it is mined again, or was late. What emptied or moved the table then
  -- is no news to a load, which begins later; and rows that came after it may be in ranges that were mined without the table, so that
  -- a T would take them from a shard for good. A D stays: the shard may have seen the columns before it.
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
          AND (
            r.kind IN ('R', 'D') OR r.commit_scn IS NULL
            OR r.commit_scn > (SELECT t.registered_scn FROM source_table t WHERE t.table_id = r.table_id)
          )
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
        FROM open_suspicion_v x
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

  -- Nearly always OUTGOING tells that there is none, and the rows are not read once more.
  PROCEDURE note_ddl(p_stage_slot IN NUMBER) IS
  BEGIN
    INSERT INTO published_ddl (table_id, scn, kind)
    SELECT DISTINCT r.table_id, r.commit_scn, r.kind
    FROM ending_v r
    WHERE r.stage_slot IN (0, p_stage_slot) AND r.op = 5 AND r.commit_scn IS NOT NULL
      AND (r.kind IN ('T', 'U') OR r.note LIKE redo_text.c_move || '%')
      AND EXISTS (SELECT NULL FROM outgoing u WHERE u.kind <> 'R');
  END note_ddl;

  PROCEDURE settle_suspicions(p_ripe_below IN NUMBER) IS
  BEGIN
    FOR r IN (
      SELECT t.owner, t.table_name, s.note
      FROM open_suspicion_v s
      JOIN source_table t ON t.table_id = s.table_id
      WHERE s.seen_scn < p_ripe_below AND s.since_scn IS NOT NULL
    ) LOOP
      source.note('WARNING', 'SEGMENT CHANGED', 'table "' || r.owner || '"."' || r.table_name || '": ' || r.note);
    END LOOP;
    DELETE FROM suspicion WHERE seen_scn < p_ripe_below;
    -- Needed by a look that is to come, or by a suspicion that is not ripe.
    DELETE FROM published_ddl
    WHERE NOT EXISTS (
        SELECT NULL FROM source_table t WHERE t.table_id = published_ddl.table_id AND t.looked_scn < published_ddl.scn
      )
      AND NOT EXISTS (
        SELECT NULL
        FROM suspicion s
        WHERE s.table_id = published_ddl.table_id AND s.since_scn < published_ddl.scn AND s.seen_scn >= published_ddl.scn
      );
  END settle_suspicions;

  PROCEDURE collect_held(p_first IN NUMBER, p_size IN NUMBER) IS
    -- In the statement POINTERS is a column too.
    l_lost VARCHAR2(100) := pointers.c_lost;
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
      WHERE h.kind IN ('R', 'D') OR h.note LIKE l_lost || '%'
      GROUP BY h.table_id, h.kind, h.row_id, h.k1, h.k2, h.k3, h.k4, h.k5, h.k6, h.k7, h.k8
    ) n;
  END collect_held;

  -- What a T or D of this publication is in front of has nothing earlier.
  PROCEDURE stop_at_barriers IS
  BEGIN
    UPDATE outgoing SET prev = 0
    WHERE prev > 0 AND table_id IN (SELECT b.table_id FROM outgoing b WHERE b.kind IN ('T', 'D'));
  END stop_at_barriers;

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

END pointers;
/
