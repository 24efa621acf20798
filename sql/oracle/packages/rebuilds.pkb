CREATE OR REPLACE PACKAGE BODY rebuilds AS

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

  FUNCTION lost_slots RETURN NUMBER IS
    l_count NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_count
    FROM slot s
    WHERE s.status = 'LOST' AND EXISTS (SELECT NULL FROM portion p WHERE p.slot_id = s.slot_id);
    RETURN l_count;
  END lost_slots;

  -- GAP, INCARNATION_CHANGED and STOPPED say more than TRANSPORT_LOST does.
  PROCEDURE show_state IS
    l_state source_state%ROWTYPE;
    l_lost  NUMBER := lost_slots;
  BEGIN
    SELECT * INTO l_state FROM source_state;
    IF l_lost > 0 AND l_state.state IN ('OK', 'WAIT_LOG') THEN
      source.set_state('TRANSPORT_LOST', TO_CHAR(l_lost) || ' transport tables cannot be read; their portions are mined again');
    ELSIF l_lost = 0 AND l_state.state = 'TRANSPORT_LOST' THEN
      source.set_state('OK', NULL);
    END IF;
  END show_state;

  PROCEDURE drop_scan(p_scan_id IN NUMBER) IS
  BEGIN
    stages.give_back(p_scan_id);
    DELETE FROM scan_log WHERE scan_id = p_scan_id;
    DELETE FROM scan WHERE scan_id = p_scan_id;
  END drop_scan;

  -- The portions that it was ordered for are released.
  PROCEDURE forget_released IS
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
  END forget_released;

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
    show_state;
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

  FUNCTION next_scan RETURN NUMBER IS
    l_scan  NUMBER;
    l_loose NUMBER;
  BEGIN
    SELECT MIN(s.scan_id) INTO l_scan FROM scan s WHERE s.purpose = 'REBUILD' AND s.status = 'SCANNED';
    SELECT COUNT(*) INTO l_loose
    FROM portion p
    JOIN slot s ON s.slot_id = p.slot_id
    WHERE s.status = 'LOST' AND p.scan_id = 0;
    RETURN NVL(l_scan, CASE WHEN l_loose > 0 THEN 0 END);
  END next_scan;

  -- From number 0 to the portions. Both ends of a portion count to it, so that equal places lie on either side. The T
  -- belongs in front of all others, which is the first portion: in a later one it would empty the table again. A U may stand
  -- for rows that were told before (DDL since: redo has lost their columns), and is what REPUBLISH has of them.
  PROCEDURE distribute(p_scan_id IN NUMBER) IS
    -- In the statement POINTERS is a column too.
    l_lost VARCHAR2(100) := pointers.c_lost;
  BEGIN
    INSERT INTO outgoing (
      portion_id, ptr, prev, table_id, kind, row_id, k1, k2, k3, k4, k5, k6, k7, k8, note, commit_scn
    )
    SELECT
      p.portion_id, ROW_NUMBER() OVER (PARTITION BY p.portion_id ORDER BY o.ptr), 0, o.table_id, o.kind, o.row_id,
      o.k1, o.k2, o.k3, o.k4, o.k5, o.k6, o.k7, o.k8,
      CASE o.kind WHEN 'U' THEN SUBSTR(l_lost || ': ' || o.note, 1, 100) ELSE o.note END, o.commit_scn
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
    l_lost VARCHAR2(100) := pointers.c_lost;
  BEGIN
    INSERT INTO outgoing (portion_id, ptr, prev, table_id, kind, note)
    SELECT
      m.portion_id, m.in_portion + ROW_NUMBER() OVER (PARTITION BY m.portion_id ORDER BY m.table_id), 0, m.table_id, 'U',
      l_lost
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
    transactions.find_ended(p_scan_id, l_scan.stage_slot);
    pointers.collect_untold(l_scan.stage_slot);
    pointers.collect(l_scan.stage_slot, 0, pointers.c_endless, pointers.c_endless, 0);
    RETURN l_origin;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(-20824, 'no scan ' || TO_CHAR(p_scan_id));
  END collect_again;

  PROCEDURE rebuild_portions(p_scan_id IN NUMBER) IS
    l_origin NUMBER := 0;
  BEGIN
    pointers.begin_work;
    IF p_scan_id > 0 THEN
      l_origin := collect_again(p_scan_id);
      drop_scan(p_scan_id);
    END IF;
    distribute(l_origin);
    stand_in_for_missing(l_origin);
    count_again;
    forget_prev;
    slots.fill;
    show_state;
  END rebuild_portions;

END rebuilds;
/
