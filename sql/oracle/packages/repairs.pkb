CREATE OR REPLACE PACKAGE BODY repairs AS

  -- The rows of a repair are numbered from here on.
  c_repair_seq CONSTANT NUMBER(18) := 1000000000000;

  -- Transactions that committed in the range and did not start in it. Binds: scan, scn_from, scn_from.
  FUNCTION spanning_text(p_slot IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN 'SELECT c.con_uid, c.xidusn, c.xidslt, c.xidsqn, MAX(CASE WHEN c.op = 7 THEN c.scn END) AS scn'
      || ' FROM stage_' || p_slot || ' c WHERE c.scan_id = :1 AND c.op IN (6, 7)'
      || ' GROUP BY c.con_uid, c.xidusn, c.xidslt, c.xidsqn'
      || ' HAVING MAX(CASE WHEN c.op = 7 AND c.scn > :2 THEN 1 ELSE 0 END) = 1'
      || ' AND MAX(CASE WHEN c.op = 6 AND c.scn > :3 THEN 1 ELSE 0 END) = 0';
  END spanning_text;

  FUNCTION same_transaction(p_one IN VARCHAR2, p_other IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    RETURN REPLACE(REPLACE('<.con_uid = >.con_uid AND <.xidusn = >.xidusn AND <.xidslt = >.xidslt AND <.xidsqn = >.xidsqn',
      '<', p_one), '>', p_other);
  END same_transaction;

  -- Both NULL when nothing needs a repair. A transaction that TX does not know began before mining did.
  PROCEDURE repair_range(p_scan_id IN NUMBER, p_from OUT NUMBER, p_to OUT NUMBER) IS
    l_scan   scan%ROWTYPE;
    l_window NUMBER;
    l_lobs   NUMBER;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    SELECT window_scn INTO l_window FROM source_state;
    SELECT COUNT(*) INTO l_lobs FROM source_table WHERE has_lob = 'Y';
    p_from := NULL;
    p_to := NULL;
    IF l_lobs > 0 AND l_scan.status = 'SCANNED' AND l_scan.mining_rule = 'S' THEN
      EXECUTE IMMEDIATE 'SELECT MIN(NVL(t.start_scn, :0)), MAX(p.scn) FROM (' || spanning_text(l_scan.stage_slot)
        || ') p LEFT JOIN tx t ON ' || same_transaction('t', 'p')
        INTO p_from, p_to USING l_window, p_scan_id, l_scan.scn_from, l_scan.scn_from;
      p_from := LEAST(p_from, l_scan.scn_from);
    END IF;
  END repair_range;

  FUNCTION read_from(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_from NUMBER;
    l_to   NUMBER;
  BEGIN
    repair_range(p_scan_id, l_from, l_to);
    RETURN l_from;
  END read_from;

  -- What CARRY holds of LOB operations that are seen whole now: a half that names no row would count as a change that
  -- cannot be located. Alias of CARRY, or of a stage slot: s. Binds: as SPANNING_TEXT.
  FUNCTION half_text(p_slot IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN 's.kind = ''L'' AND (s.con_uid, s.xidusn, s.xidslt, s.xidsqn) IN'
      || ' (SELECT p.con_uid, p.xidusn, p.xidslt, p.xidsqn FROM (' || spanning_text(p_slot) || ') p)';
  END half_text;

  FUNCTION carried_halves(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_scan  scan%ROWTYPE;
    l_count NUMBER;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    IF l_scan.status <> 'SCANNED' THEN
      RETURN 0;
    END IF;
    EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM carry s WHERE ' || half_text(l_scan.stage_slot)
      INTO l_count USING p_scan_id, l_scan.scn_from, l_scan.scn_from;
    RETURN l_count;
  END carried_halves;

  -- In CDB$ROOT the pass is ordered, and waited for.
  FUNCTION reading_step(p_scan_id IN NUMBER) RETURN VARCHAR2 IS
    l_progress VARCHAR2(4);
  BEGIN
    IF NOT passes.in_root THEN
      RETURN 'READ';
    END IF;
    l_progress := passes.progress(p_scan_id);
    RETURN CASE l_progress WHEN 'WAIT' THEN c_wait WHEN 'DONE' THEN 'CONFIRM' ELSE 'ORDER' END;
  END reading_step;

  FUNCTION next_step(p_scan_id IN NUMBER) RETURN VARCHAR2 IS
    l_scan   scan%ROWTYPE;
    l_from   NUMBER;
    l_halves NUMBER := 0;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    IF l_scan.repair IS NULL AND l_scan.mining_rule = 'S' THEN
      l_from := read_from(p_scan_id);
    ELSIF l_scan.repair IS NULL THEN
      l_halves := carried_halves(p_scan_id);
    END IF;
    RETURN CASE
      WHEN l_scan.repair = 'CHOSEN' THEN reading_step(p_scan_id)
      WHEN l_scan.repair = 'STAGED' THEN 'READ'
      WHEN l_scan.repair = 'READ' OR l_halves > 0 THEN 'FINISH'
      WHEN l_from IS NOT NULL THEN 'CHOOSE'
    END;
  END next_step;

  PROCEDURE choose(p_scan_id IN NUMBER) IS
    l_from NUMBER;
    l_to   NUMBER;
    l_pass NUMBER;
  BEGIN
    repair_range(p_scan_id, l_from, l_to);
    IF logminer.reads_files OR logs.are_told THEN
      logs.choose(p_scan_id, l_from, l_to);
    END IF;
    l_pass := passes.new_number;
    UPDATE scan SET repair = 'CHOSEN', repair_from = l_from, repair_to = l_to, pass_no = l_pass WHERE scan_id = p_scan_id;
  END choose;

  PROCEDURE check_repair(p_scan_id IN NUMBER, p_repair IN VARCHAR2) IS
    l_fit NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_fit FROM scan WHERE scan_id = p_scan_id AND status = 'SCANNED' AND repair = p_repair;
    IF l_fit = 0 THEN
      RAISE_APPLICATION_ERROR(-20824, 'the repair of scan ' || p_scan_id || ' is not ' || p_repair);
    END IF;
  END check_repair;

  PROCEDURE place_order(p_scan_id IN NUMBER) IS
    l_scan scan%ROWTYPE;
  BEGIN
    check_repair(p_scan_id, 'CHOSEN');
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    passes.place_order(p_scan_id, l_scan.repair_from, l_scan.repair_to, FALSE, TRUE);
  END place_order;

  PROCEDURE confirm(p_scan_id IN NUMBER) IS
  BEGIN
    check_repair(p_scan_id, 'CHOSEN');
    passes.check_read(p_scan_id);
    UPDATE scan SET repair = 'STAGED' WHERE scan_id = p_scan_id;
  END confirm;

  PROCEDURE read(p_scan_id IN NUMBER) IS
    l_scan scan%ROWTYPE;
    l_rows NUMBER;
  BEGIN
    check_repair(p_scan_id, CASE WHEN passes.in_root THEN 'STAGED' ELSE 'CHOSEN' END);
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    passes.start_session(p_scan_id, l_scan.repair_from, l_scan.repair_to, FALSE);
    EXECUTE IMMEDIATE passes.insert_text(p_scan_id, c_repair_seq)
      || ' LEFT JOIN (' || spanning_text(l_scan.stage_slot) || ') p ON ' || same_transaction('p', 'v')
      || ' WHERE v.op = 34 OR (v.table_id IS NOT NULL AND v.has_lob = ''Y'' AND p.scn IS NOT NULL)'
      USING p_scan_id, p_scan_id, l_scan.scn_from, l_scan.scn_from;
    l_rows := SQL%ROWCOUNT;
    passes.end_session;
    UPDATE scan SET repair = 'READ', rows_staged = rows_staged + l_rows WHERE scan_id = p_scan_id;
  EXCEPTION
    WHEN OTHERS THEN
      passes.end_session;
      RAISE;
  END read;

  PROCEDURE finish(p_scan_id IN NUMBER) IS
    l_scan scan%ROWTYPE;
    l_rows NUMBER := 0;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    EXECUTE IMMEDIATE 'DELETE FROM carry s WHERE ' || half_text(l_scan.stage_slot)
      USING p_scan_id, l_scan.scn_from, l_scan.scn_from;
    IF l_scan.mining_rule = 'S' THEN
      check_repair(p_scan_id, 'READ');
      logs.check_unchanged(p_scan_id);
      stages.check_rows(p_scan_id, l_scan.stage_slot, l_scan.rows_staged, TRUE);
      EXECUTE IMMEDIATE 'DELETE FROM stage_' || l_scan.stage_slot || ' s WHERE s.scan_id = :0 AND s.seq < :1 AND '
        || half_text(l_scan.stage_slot)
        USING p_scan_id, c_repair_seq, p_scan_id, l_scan.scn_from, l_scan.scn_from;
      l_rows := SQL%ROWCOUNT;
    END IF;
    UPDATE scan SET repair = 'DONE', rows_staged = rows_staged - l_rows, detail = NULL, waits_for = NULL, waits_since = NULL
    WHERE scan_id = p_scan_id;
    miner.heal;
  END finish;

END repairs;
/
