CREATE OR REPLACE PACKAGE BODY publisher AS

  FUNCTION next_to_publish RETURN NUMBER IS
    l_scan NUMBER;
  BEGIN
    SELECT MIN(s.scan_id) INTO l_scan
    FROM scan s
    JOIN source_state t ON t.published_scn = s.scn_from
    WHERE s.purpose = 'MINE' AND s.status = 'SCANNED';
    RETURN l_scan;
  END next_to_publish;

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
    source.move_resume;
  END advance;

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
    pointers.begin_work;
    source.check_incarnation;
    check_turn(p_scan_id);
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    SELECT s.last_portion + 1 INTO l_first FROM source_state s;
    transactions.find_ended(p_scan_id, l_scan.stage_slot);
    transactions.find_dead(p_scan_id, l_scan.scn_to);
    l_resume := transactions.resume_of(p_scan_id);
    l_ripe := ripe_below;
    pointers.collect_untold(l_scan.stage_slot);
    pointers.collect(l_scan.stage_slot, l_first, pointers.portion_size, pointers.prev_floor(NVL(l_scan.rows_staged, 0)), l_ripe);
    pointers.stop_at_barriers;
    pointers.note_ddl(l_scan.stage_slot);
    pointers.settle_suspicions(l_ripe);
    transactions.forget_ended;
    transactions.carry_over(p_scan_id, l_scan.stage_slot);
    transactions.note_open(p_scan_id, l_scan.stage_slot, l_scan.scn_from);
    UPDATE scan SET status = 'PUBLISHED' WHERE scan_id = p_scan_id;
    stages.give_back(p_scan_id);
    pointers.add_portions(p_scan_id, l_scan.scn_from, l_scan.scn_to, l_resume);
    advance(p_scan_id, l_scan.scn_to, l_scan.mining_rule);
    -- It may have waited for the log of a repair that is not needed any more.
    miner.heal;
    slots.fill;
  END publish;

  PROCEDURE republish IS
    l_first NUMBER;
    l_scn   NUMBER;
  BEGIN
    pointers.begin_work;
    source.check_incarnation;
    IF NOT source.all_answer THEN
      RAISE_APPLICATION_ERROR(-20826, 'an instance does not answer: whether it has crashed is known when it is recovered');
    END IF;
    rebuilds.check_slots;
    IF rebuilds.lost_slots > 0 THEN
      RETURN;
    END IF;
    SELECT t.last_portion + 1, t.published_scn INTO l_first, l_scn FROM source_state t;
    source.note_restart;
    pointers.collect_held(l_first, pointers.portion_size);
    pointers.stop_at_barriers;
    pointers.add_portions(0, l_scn, l_scn, l_scn + 1);
    slots.fill;
  END republish;

  -- Ranges that were published go too: SCNs of another incarnation may come again. Portions that get lost from here on have a U
  -- for each table.
  PROCEDURE forget_mined(p_scn IN NUMBER) IS
  BEGIN
    FOR r IN (SELECT s.scan_id FROM scan s) LOOP
      rebuilds.drop_scan(r.scan_id);
    END LOOP;
    DELETE FROM carry;
    DELETE FROM tx;
    DELETE FROM suspicion;
    DELETE FROM published_ddl;
    UPDATE portion SET scan_id = 0, resume_scn = p_scn + 1;
  END forget_mined;

  -- Before RESETLOGS_CHANGE# the new incarnation has no redo, and as long as none of its logs is archived perhaps none that may be
  -- read.
  PROCEDURE check_skip(p_scn IN NUMBER) IS
    l_state source_state%ROWTYPE;
    l_reset NUMBER;
    l_least NUMBER;
  BEGIN
    SELECT * INTO l_state FROM source_state;
    SELECT i.incarnation INTO l_reset FROM incarnation_v i;
    l_least := CASE WHEN l_reset = l_state.incarnation THEN l_state.published_scn ELSE l_reset - 1 END;
    IF p_scn IS NULL OR p_scn > logs.flushed_scn OR p_scn < l_least THEN
      RAISE_APPLICATION_ERROR(-20826, 'mining can start anew behind an SCN from ' || TO_CHAR(l_least) || ' to '
        || TO_CHAR(logs.flushed_scn) || ', up to which redo can be read, not behind ' || NVL(TO_CHAR(p_scn), 'NULL'));
    END IF;
  END check_skip;

  PROCEDURE skip_to(p_scn IN NUMBER) IS
    l_first NUMBER;
    l_size  NUMBER := pointers.portion_size;
  BEGIN
    pointers.begin_work;
    check_skip(p_scn);
    forget_mined(p_scn);
    UPDATE source_table SET state = 'WAIT_TX', wait_scn = NULL WHERE state <> 'REFUSED';
    -- SCNs of another incarnation say nothing here, and redo behind this one is mined for every table.
    UPDATE source_table SET registered_scn = p_scn, looked_scn = LEAST(looked_scn, source.current_scn);
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
      incarnation = (SELECT i.incarnation FROM incarnation_v i),
      dbid = (SELECT i.dbid FROM incarnation_v i);
    source.set_state('OK', NULL);
    source.note('WARNING', 'SKIPPED', 'mining starts anew behind SCN ' || TO_CHAR(p_scn) || '; every table must be loaded again');
    pointers.add_portions(0, p_scn, p_scn, p_scn + 1);
    source.move_resume;
    rebuilds.show_state;
    slots.fill;
  END skip_to;

END publisher;
/
