CREATE OR REPLACE PACKAGE BODY coordinator AS

  c_settle_seconds CONSTANT NUMBER(3) := 1;
  c_chore_seconds  CONSTANT NUMBER(3) := 60;
  c_pause_seconds  CONSTANT NUMBER(3) := 10;
  -- A step that fails is tried more often than that.
  c_stale_seconds  CONSTANT NUMBER(3) := 600;

  -- Whether something that is done from time to time has not been done for so many seconds.
  FUNCTION due(p_name IN VARCHAR2, p_seconds IN NUMBER) RETURN BOOLEAN IS
    l_recent NUMBER;
    l_since  TIMESTAMP(6) := source.utc_now - NUMTODSINTERVAL(p_seconds, 'SECOND');
  BEGIN
    SELECT COUNT(*) INTO l_recent FROM chore c WHERE c.name = p_name AND c.done_at > l_since;
    RETURN l_recent = 0;
  END due;

  PROCEDURE note_done(p_name IN VARCHAR2) IS
    l_now TIMESTAMP(6) := source.utc_now;
  BEGIN
    MERGE INTO chore c
    USING (SELECT p_name AS name FROM dual) n
    ON (c.name = n.name)
    WHEN MATCHED THEN UPDATE SET done_at = l_now
    WHEN NOT MATCHED THEN INSERT (name, done_at) VALUES (n.name, l_now);
  END note_done;

  -- A step, or NULL when there is nothing to do or it has just failed.
  FUNCTION ready(p_step IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    IF p_step IS NOT NULL AND due('FAILED ' || p_step, c_pause_seconds) THEN
      RETURN p_step;
    END IF;
    RETURN NULL;
  END ready;

  FUNCTION numbered(p_word IN VARCHAR2, p_number IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN ready(CASE WHEN p_number IS NOT NULL THEN p_word || ' ' || TO_CHAR(p_number) END);
  END numbered;

  FUNCTION check_step RETURN VARCHAR2 IS
    l_wished NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_wished FROM chore c WHERE c.name = 'CHECK_SLOTS';
    RETURN ready(CASE WHEN l_wished > 0 THEN 'CHECK_SLOTS' END);
  END check_step;

  -- How many portions the next publication can have at most.
  FUNCTION portions_ahead RETURN NUMBER IS
    l_portions NUMBER;
  BEGIN
    SELECT NVL(MAX(CEIL(NVL(s.rows_staged, 0) / t.portion_pointers)), 0) INTO l_portions
    FROM scan s
    CROSS JOIN setting t
    WHERE s.status = 'SCANNED';
    RETURN l_portions;
  END portions_ahead;

  FUNCTION space_step RETURN VARCHAR2 IS
  BEGIN
    RETURN COALESCE(
      numbered('CLEAR_STAGE', stages.next_to_clear),
      numbered('CREATE_STAGE', stages.next_to_create),
      numbered('CLEAR_SLOT', slots.next_to_clear),
      numbered('CREATE_SLOT', slots.next_to_create(portions_ahead)),
      numbered('REBUILD', rebuilds.next_scan)
    );
  END space_step;

  FUNCTION restart_step RETURN VARCHAR2 IS
  BEGIN
    IF source.restarted AND rebuilds.lost_slots = 0 THEN
      RETURN ready('REPUBLISH');
    END IF;
    RETURN NULL;
  END restart_step;

  FUNCTION chore_step RETURN VARCHAR2 IS
    l_tables  NUMBER;
    l_waiting NUMBER;
    l_open    NUMBER;
    l_step    VARCHAR2(30);
  BEGIN
    SELECT COUNT(*), COUNT(CASE WHEN t.state = 'WAIT_TX' THEN 1 END) INTO l_tables, l_waiting FROM source_table t;
    SELECT COUNT(*) INTO l_open FROM tx t WHERE t.dead_scn IS NULL;
    IF l_waiting > 0 AND due('SETTLE', c_settle_seconds) THEN
      l_step := ready('SETTLE');
    END IF;
    IF l_step IS NULL AND releases.is_due THEN
      l_step := ready('RELEASE');
    END IF;
    IF l_step IS NULL AND l_open > 0 AND due('BURY', c_chore_seconds) THEN
      l_step := ready('BURY');
    END IF;
    IF l_step IS NULL AND l_tables > 0 AND due('WATCH', c_chore_seconds) THEN
      l_step := ready('WATCH');
    END IF;
    RETURN l_step;
  END chore_step;

  FUNCTION forget_step RETURN VARCHAR2 IS
    l_table NUMBER;
  BEGIN
    SELECT MIN(f.table_id) INTO l_table FROM forgotten f;
    RETURN numbered('FORGET', l_table);
  END forget_step;

  FUNCTION publish_step RETURN VARCHAR2 IS
    l_scan   NUMBER := publisher.next_to_publish;
    l_repair VARCHAR2(30);
  BEGIN
    IF l_scan IS NULL OR source.restarted THEN
      RETURN NULL;
    END IF;
    l_repair := repairs.next_step(l_scan);
    IF l_repair = repairs.c_wait THEN
      RETURN NULL;
    END IF;
    RETURN numbered(CASE WHEN l_repair IS NULL THEN 'PUBLISH' ELSE l_repair || '_REPAIR' END, l_scan);
  END publish_step;

  FUNCTION plan_step RETURN VARCHAR2 IS
  BEGIN
    RETURN ready(CASE WHEN ranges.plan_end IS NOT NULL THEN 'PLAN' END);
  END plan_step;

  FUNCTION next_step RETURN VARCHAR2 IS
    l_state source_state.state%TYPE;
  BEGIN
    SELECT s.state INTO l_state FROM source_state s;
    IF l_state IN ('STOPPED', 'INCARNATION_CHANGED') THEN
      RETURN c_idle;
    END IF;
    RETURN COALESCE(check_step, space_step, restart_step, chore_step, forget_step, publish_step, plan_step, c_idle);
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(-20828, 'mining was not started: run SOURCE.START_AT first');
  END next_step;

  -- A table with LOBs may have been registered since the step was chosen: then the scan must be repaired, which is the next
  -- step, and not an error. Under the lock no other comes.
  PROCEDURE publish_unless_repair(p_scan_id IN NUMBER) IS
  BEGIN
    source.lock_state;
    IF repairs.next_step(p_scan_id) IS NULL THEN
      publisher.publish(p_scan_id);
    END IF;
  END publish_unless_repair;

  PROCEDURE dispatch(p_word IN VARCHAR2, p_number IN NUMBER) IS
    l_scan NUMBER;
  BEGIN
    IF p_word = 'CHECK_SLOTS' THEN
      rebuilds.check_slots;
      DELETE FROM chore WHERE name = 'CHECK_SLOTS';
    ELSIF p_word = 'CLEAR_STAGE' THEN
      stages.clear(p_number);
    ELSIF p_word = 'CREATE_STAGE' THEN
      stages.create_slot(p_number);
    ELSIF p_word = 'CLEAR_SLOT' THEN
      slots.clear(p_number);
    ELSIF p_word = 'CREATE_SLOT' THEN
      slots.create_slot(p_number);
    ELSIF p_word = 'REBUILD' THEN
      rebuilds.rebuild_portions(p_number);
    ELSIF p_word = 'REPUBLISH' THEN
      publisher.republish;
    ELSIF p_word = 'SETTLE' THEN
      registry.settle;
      note_done(p_word);
    ELSIF p_word = 'RELEASE' THEN
      releases.release_portions;
    ELSIF p_word = 'BURY' THEN
      transactions.bury;
      note_done(p_word);
    ELSIF p_word = 'WATCH' THEN
      registry.watch;
      note_done(p_word);
    ELSIF p_word = 'FORGET' THEN
      resolver.drop_views(p_number);
    ELSIF p_word = 'CHOOSE_REPAIR' THEN
      repairs.choose(p_number);
    ELSIF p_word = 'ORDER_REPAIR' THEN
      repairs.place_order(p_number);
    ELSIF p_word = 'CONFIRM_REPAIR' THEN
      repairs.confirm(p_number);
    ELSIF p_word = 'READ_REPAIR' THEN
      repairs.read(p_number);
    ELSIF p_word = 'FINISH_REPAIR' THEN
      repairs.finish(p_number);
    ELSIF p_word = 'PUBLISH' THEN
      publish_unless_repair(p_number);
    ELSIF p_word = 'PLAN' THEN
      l_scan := ranges.plan_scan;
    ELSIF p_word IS NULL OR p_word <> c_idle THEN
      RAISE_APPLICATION_ERROR(-20828, 'no such step: ' || NVL(p_word, 'NULL'));
    END IF;
  END dispatch;

  -- Over is also what failed before it was known which step comes next, and a step that nobody has tried for a while, because what it was
  -- for is gone.
  PROCEDURE perform(p_step IN VARCHAR2) IS
    l_stale TIMESTAMP(6) := source.utc_now - NUMTODSINTERVAL(c_stale_seconds, 'SECOND');
  BEGIN
    dispatch(REGEXP_SUBSTR(p_step, '[^ ]+', 1, 1), TO_NUMBER(REGEXP_SUBSTR(p_step, '[^ ]+', 1, 2)));
    DELETE FROM chore
    WHERE name IN ('FAILED ' || p_step, 'FAILED ' || c_next) OR (name LIKE 'FAILED %' AND done_at < l_stale);
    IF SQL%ROWCOUNT > 0 THEN
      UPDATE source_state SET state_detail = NULL WHERE state = 'OK';
    END IF;
  END perform;

  -- Which of the two cannot be read, the stage or a slot, the error does not tell: the scan is done again, and the slots
  -- are looked at.
  PROCEDURE failed(p_step IN VARCHAR2, p_code IN NUMBER, p_text IN VARCHAR2) IS
    l_word   VARCHAR2(60) := REGEXP_SUBSTR(p_step, '[^ ]+', 1, 1);
    l_number NUMBER := TO_NUMBER(REGEXP_SUBSTR(p_step, '[^ ]+', 1, 2));
    l_state  source_state.state%TYPE;
  BEGIN
    note_done('FAILED ' || p_step);
    source.note('ERROR', 'STEP_FAILED', p_step || ': ' || p_text);
    SELECT s.state INTO l_state FROM source_state s;
    IF p_code = source.c_incarnation_changed THEN
      source.set_state('INCARNATION_CHANGED', p_text);
    ELSIF l_state = 'OK' THEN
      source.set_state(l_state, 'step ' || p_step || ' fails and is tried again: ' || p_text);
    END IF;
    IF p_code IN (-1578, -26040, -8103, -376) THEN
      note_done('CHECK_SLOTS');
      IF l_word IN ('PUBLISH', 'REBUILD') AND l_number > 0 THEN
        miner.scan_again(l_number, p_text);
      END IF;
    END IF;
    IF l_word IN ('CHOOSE_REPAIR', 'ORDER_REPAIR', 'CONFIRM_REPAIR', 'READ_REPAIR', 'FINISH_REPAIR') THEN
      miner.fail(l_number, NULL, p_code, p_text);
    END IF;
  END failed;

END coordinator;
/
