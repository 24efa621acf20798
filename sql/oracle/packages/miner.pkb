CREATE OR REPLACE PACKAGE BODY miner AS

  -- So many failures in a row are told to the operator.
  c_failures CONSTANT NUMBER(3) := 3;
  -- A rebuild that waits for a log lets other scans pass for so long.
  c_again_seconds CONSTANT NUMBER(3) := 60;

  PROCEDURE scan_again(p_scan_id IN NUMBER, p_reason IN VARCHAR2) IS
  BEGIN
    stages.give_back(p_scan_id);
    UPDATE scan SET status = 'NEW', session_key = NULL, repair = NULL, repair_from = NULL, repair_to = NULL, rows_staged = NULL,
                    detail = SUBSTR(p_reason, 1, 1000)
    WHERE scan_id = p_scan_id;
  END scan_again;

  -- One that takes too long is cut, and one whose session is gone for the second time: LogMiner may have killed it (ORA-07445). What
  -- cannot be cut has twice the time the next time. In topology ROOT the time of a scan is that of its pass, and then of the copy: its own
  -- job tells when CDB$ROOT is too slow.
  PROCEDURE give_up_dead(p_max_seconds IN NUMBER) IS
    l_now     TIMESTAMP(6) := source.utc_now;
    l_seconds NUMBER := p_max_seconds;
    l_reason  VARCHAR2(400);
  BEGIN
    IF passes.in_root THEN
      l_seconds := 2 * p_max_seconds;
    END IF;
    FOR r IN (
      SELECT q.scan_id, q.session_key, q.failures, q.is_gone
      FROM (
        SELECT
          s.scan_id, s.session_key, s.failures, s.started_at,
          CASE
            WHEN EXISTS (SELECT NULL FROM gv$session g WHERE g.sid || ',' || g.serial# || ',' || g.inst_id = s.session_key) THEN 'N'
            ELSE 'Y'
          END AS is_gone
        FROM scan s
        WHERE s.status = 'RUNNING'
      ) q
      WHERE q.is_gone = 'Y' OR q.started_at < l_now - NUMTODSINTERVAL(l_seconds * POWER(2, LEAST(q.failures, 6)), 'SECOND')
      ORDER BY q.scan_id
    ) LOOP
      -- The job may have finished since: then there is nothing to give up.
      UPDATE scan SET failures = failures + 1 WHERE scan_id = r.scan_id AND status = 'RUNNING' AND session_key = r.session_key;
      IF SQL%ROWCOUNT = 1 THEN
        l_reason := 'session ' || r.session_key || CASE WHEN r.is_gone = 'Y' THEN ' is gone' ELSE ' takes too long' END;
        scan_again(r.scan_id, l_reason);
        source.note('WARNING', 'SCAN_DEAD', 'scan ' || r.scan_id || ' was given up: ' || l_reason);
        IF r.failures > 0 OR (r.is_gone = 'N' AND NOT passes.in_root) THEN
          ranges.shorten(r.scan_id, l_reason);
        END IF;
      END IF;
    END LOOP;
  END give_up_dead;

  FUNCTION is_allowed(p_parallel IN NUMBER, p_sessions IN NUMBER) RETURN BOOLEAN IS
    l_stopped NUMBER;
    l_running NUMBER;
    l_active  NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_stopped FROM source_state WHERE state IN ('INCARNATION_CHANGED', 'STOPPED');
    SELECT COUNT(*) INTO l_running FROM scan WHERE status = 'RUNNING';
    IF l_stopped > 0 OR l_running >= p_parallel THEN
      RETURN FALSE;
    END IF;
    IF p_sessions IS NULL THEN
      RETURN TRUE;
    END IF;
    SELECT COUNT(*) INTO l_active FROM gv$session WHERE status = 'ACTIVE' AND type = 'USER';
    RETURN l_active <= p_sessions;
  END is_allowed;

  -- What is lost comes first, shards wait for it. But one that waits for a log itself is tried between others, or it would keep them all back.
  -- The last stage slot is left to it: after a crash nothing is published, and no slot given back, before it is rebuilt.
  FUNCTION next_waiting RETURN NUMBER IS
    l_scan  NUMBER;
    l_free  NUMBER;
    l_again TIMESTAMP(6) := source.utc_now - NUMTODSINTERVAL(c_again_seconds, 'SECOND');
  BEGIN
    SELECT COUNT(*) INTO l_free FROM stage_slot WHERE status = 'FREE';
    SELECT COALESCE(
      MIN(CASE WHEN purpose = 'REBUILD' AND (waits_for IS NULL OR NVL(ended_at, started_at) < l_again) THEN scan_id END),
      MIN(CASE WHEN purpose = 'MINE' AND l_free > 1 THEN scan_id END),
      MIN(CASE WHEN purpose = 'REBUILD' THEN scan_id END),
      MIN(scan_id)
    ) INTO l_scan
    FROM scan
    WHERE status = 'NEW';
    RETURN l_scan;
  END next_waiting;

  -- Where reading begins. The seam margin does not go beyond the oldest transaction that is open at the seam: nothing
  -- else can be cut by it, and older logs may be gone.
  FUNCTION read_from(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_scan   scan%ROWTYPE;
    l_window NUMBER;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    SELECT window_scn INTO l_window FROM source_state;
    RETURN CASE
      WHEN l_scan.purpose = 'REBUILD' THEN LEAST(l_scan.scn_from, l_scan.read_from)
      WHEN l_scan.mining_rule = 'S' THEN LEAST(l_scan.scn_from, GREATEST(l_scan.scn_from - pace.seam(l_scan.scn_from), l_window))
      ELSE LEAST(l_scan.scn_from, l_window)
    END;
  END read_from;

  FUNCTION take_scan(p_session IN VARCHAR2) RETURN NUMBER IS
    l_setting setting%ROWTYPE;
    l_scan    scan%ROWTYPE;
    l_id      NUMBER;
    l_from    NUMBER;
    l_slot    NUMBER;
    l_pass    NUMBER;
  BEGIN
    -- One at a time takes: the lock of this row.
    SELECT * INTO l_setting FROM setting FOR UPDATE;
    give_up_dead(l_setting.scan_max_seconds);
    l_id := next_waiting;
    IF l_id IS NULL OR NOT is_allowed(l_setting.parallel_scans, l_setting.pause_above_sessions) THEN
      RETURN NULL;
    END IF;
    l_slot := stages.assign;
    IF l_slot IS NULL THEN
      RETURN NULL;
    END IF;
    source.check_incarnation;
    registry.renew_paths;
    SELECT * INTO l_scan FROM scan WHERE scan_id = l_id FOR UPDATE;
    l_from := read_from(l_id);
    IF logminer.reads_files OR logs.are_told THEN
      logs.choose(l_id, l_from, l_scan.scn_to);
    END IF;
    l_scan.redo_bytes := pace.redo_between(l_from, l_scan.scn_to);
    l_pass := passes.new_number;
    UPDATE scan SET status = 'RUNNING', session_key = p_session, attempts = attempts + 1, stage_slot = l_slot, read_from = l_from,
                    pass_no = l_pass, redo_bytes = l_scan.redo_bytes, started_at = source.utc_now, ended_at = NULL
    WHERE scan_id = l_id;
    RETURN l_id;
  END take_scan;

  PROCEDURE check_held(p_scan_id IN NUMBER, p_session IN VARCHAR2) IS
    l_held NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_held FROM scan WHERE scan_id = p_scan_id AND status = 'RUNNING' AND session_key = p_session;
    IF l_held = 0 THEN
      RAISE_APPLICATION_ERROR(-20824, 'scan ' || p_scan_id || ' is not run by session ' || p_session);
    END IF;
  END check_held;

  PROCEDURE order_reading(p_scan_id IN NUMBER, p_session IN VARCHAR2) IS
    l_scan scan%ROWTYPE;
  BEGIN
    check_held(p_scan_id, p_session);
    IF passes.in_root THEN
      SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
      passes.place_order(p_scan_id, l_scan.read_from, l_scan.scn_to, l_scan.mining_rule = 'C', FALSE);
    END IF;
  END order_reading;

  FUNCTION is_readable(p_scan_id IN NUMBER, p_session IN VARCHAR2) RETURN BOOLEAN IS
  BEGIN
    check_held(p_scan_id, p_session);
    IF passes.in_root THEN
      IF passes.progress(p_scan_id) = 'WAIT' THEN
        RETURN FALSE;
      END IF;
      passes.check_read(p_scan_id);
    END IF;
    RETURN TRUE;
  END is_readable;

  PROCEDURE mine(p_scan_id IN NUMBER, p_session IN VARCHAR2) IS
    l_scan scan%ROWTYPE;
    l_rows NUMBER;
  BEGIN
    check_held(p_scan_id, p_session);
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    passes.start_session(p_scan_id, l_scan.read_from, l_scan.scn_to, l_scan.mining_rule = 'C');
    EXECUTE IMMEDIATE passes.insert_text(p_scan_id, 0)
      || ' WHERE v.op = 34 OR (v.scn <= :2 AND (:3 <> ''C'' OR NVL(v.commit_scn, v.scn) > :4))'
      USING p_scan_id, l_scan.scn_to, l_scan.mining_rule, l_scan.scn_from;
    l_rows := SQL%ROWCOUNT;
    passes.end_session;
    UPDATE scan SET rows_staged = l_rows WHERE scan_id = p_scan_id AND session_key = p_session;
  EXCEPTION
    WHEN OTHERS THEN
      passes.end_session;
      RAISE;
  END mine;

  -- What a scan was stuck with is over: so the state of the source, unless another scan still is, or portions are lost.
  PROCEDURE heal IS
    l_state source_state.state%TYPE;
    l_stuck NUMBER;
  BEGIN
    SELECT state INTO l_state FROM source_state;
    IF l_state IN ('GAP', 'WAIT_LOG') THEN
      SELECT COUNT(*) INTO l_stuck FROM scan WHERE waits_for IS NOT NULL AND status <> 'PUBLISHED';
      IF l_stuck = 0 THEN
        source.set_state('OK', NULL);
        rebuilds.show_state;
      END IF;
    END IF;
  END heal;

  -- Before its range a scan has read rows of transactions that ended there, which are published, and, by rule W, rows of
  -- transactions that go on behind its range, which are carried already, unless the scan before was of rule C.
  FUNCTION drop_earlier(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_scan    scan%ROWTYPE;
    l_unknown NUMBER;
    l_keep    VARCHAR2(400);
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    SELECT COUNT(*) INTO l_unknown FROM scan
    WHERE scn_to = l_scan.scn_from AND purpose = l_scan.purpose AND mining_rule = 'C';
    IF l_scan.mining_rule = 'W' AND l_unknown = 0 THEN
      l_keep := 'MAX(CASE WHEN e.op = 7 AND e.scn > :4 THEN 1 ELSE 0 END) = 1';
    ELSE
      l_keep := 'MAX(CASE WHEN e.op IN (7, 36) AND e.scn <= :4 THEN 1 ELSE 0 END) = 0';
    END IF;
    -- Each transaction is looked at once, by hash: there are no statistics on a stage.
    EXECUTE IMMEDIATE 'DELETE FROM stage_' || l_scan.stage_slot || ' s WHERE s.scan_id = :1 AND s.scn <= :2'
      || ' AND (s.con_uid, s.xidusn, s.xidslt, s.xidsqn) NOT IN (SELECT /*+ HASH_AJ */ e.con_uid, e.xidusn, e.xidslt, e.xidsqn'
      || ' FROM stage_' || l_scan.stage_slot || ' e WHERE e.scan_id = :3'
      || ' GROUP BY e.con_uid, e.xidusn, e.xidslt, e.xidsqn HAVING ' || l_keep || ')'
      USING p_scan_id, l_scan.scn_from, p_scan_id, l_scan.scn_from;
    RETURN SQL%ROWCOUNT;
  END drop_earlier;

  PROCEDURE finish_scan(p_scan_id IN NUMBER, p_session IN VARCHAR2) IS
    l_scan    scan%ROWTYPE;
    l_earlier NUMBER;
    l_pga     NUMBER;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id FOR UPDATE;
    check_held(p_scan_id, p_session);
    logs.check_unchanged(p_scan_id);
    stages.check_rows(p_scan_id, l_scan.stage_slot, l_scan.rows_staged, FALSE);
    l_earlier := drop_earlier(p_scan_id);
    -- In topology ROOT it is known since IS_READABLE.
    l_pga := CASE WHEN passes.in_root THEN l_scan.pga_max ELSE logminer.pga_max END;
    UPDATE scan SET status = 'SCANNED', session_key = NULL, ended_at = source.utc_now, rows_staged = rows_staged - l_earlier,
                    pga_max = l_pga, failures = 0, detail = NULL, waits_for = NULL, waits_since = NULL
    WHERE scan_id = p_scan_id;
    heal;
  END finish_scan;

  FUNCTION state_for(p_code IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      -- No file for the range at all is what an SCN before all logs gives.
      WHEN p_code IN (-20821, -1292, -308, -1284, -1285, -27037) THEN 'GAP'
      WHEN p_code IN (-20822, -1291) THEN 'WAIT_LOG'
      WHEN p_code = -20823 THEN 'INCARNATION_CHANGED'
    END;
  END state_for;

  -- p_fixed: the range is what it is, that of a repair or a rebuild.
  FUNCTION advice(p_code IN NUMBER, p_fixed IN BOOLEAN) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN p_code = -65040 THEN ' (before 19.10 LogMiner runs in CDB$ROOT only: topology ROOT, sql/oracle/root/README.md)'
      WHEN p_code IN (-2019, -2085, -12154, -12514, -12541, -1017) THEN ' (database link ORAPULL_ROOT: link_root.sql makes it)'
      WHEN p_code IN (-12840, -12855) THEN ' (UPDATE setting SET direct_copy = ''N'')'
      WHEN p_code IN (-28365, -28374) THEN ' (the TDE wallet must be open on this instance)'
      WHEN p_code IN (-4030, -4036) AND p_fixed THEN ' (the range of a repair or a rebuild cannot be made smaller: raise PGA_AGGREGATE_LIMIT, or '
        || 'what the operating system allows; or give the range up with SKIP_GAP, after which every table is loaded anew)'
      WHEN p_code IN (-4030, -4036) THEN ' (lower SETTING.scan_max_bytes; COMMITTED_DATA_ONLY needs PGA for the largest transaction)'
    END;
  END advice;

  -- Errors of Oracle's own name no log, or a file.
  FUNCTION told(p_scan_id IN NUMBER, p_code IN NUMBER, p_text IN VARCHAR2, p_repair IN BOOLEAN, p_fixed IN BOOLEAN)
    RETURN VARCHAR2
  IS
    l_text VARCHAR2(4000) := SUBSTR(p_text, 1, 600);
  BEGIN
    IF state_for(p_code) IS NULL OR p_code IN (-20821, -20822, -20823) THEN
      RETURN SUBSTR(p_text, 1, 800) || advice(p_code, p_fixed);
    END IF;
    RETURN state_for(p_code) || ': ' || gaps.reading_text(p_scan_id, p_text, p_repair) || '; ' || l_text;
  END told;

  -- LogMiner can do it only in smaller pieces: it lacks memory or time, or fails in itself again.
  FUNCTION is_too_large(p_code IN NUMBER, p_rule IN VARCHAR2, p_failures IN NUMBER) RETURN BOOLEAN IS
  BEGIN
    RETURN p_code = passes.c_too_slow
      OR (p_code IN (-4030, -4036) AND p_rule <> 'C')
      OR (p_code IN (-600, -7445) AND p_failures > 0);
  END is_too_large;

  PROCEDURE fail(p_scan_id IN NUMBER, p_session IN VARCHAR2, p_code IN NUMBER, p_text IN VARCHAR2) IS
    l_setting setting%ROWTYPE;
    l_scan    scan%ROWTYPE;
    l_id      NUMBER;
    l_found   NUMBER;
    l_for     VARCHAR2(20);
    l_since   TIMESTAMP(6);
    l_now     TIMESTAMP(6);
    l_text    VARCHAR2(4000);
    l_code    NUMBER;
    l_repair  BOOLEAN;
  BEGIN
    SELECT * INTO l_setting FROM setting;
    l_code := passes.first_code(p_code, p_text);
    -- The error has undone that TAKE_SCAN gave up a scan, which may be the one it was about.
    IF p_scan_id IS NULL THEN
      give_up_dead(l_setting.scan_max_seconds);
    END IF;
    l_id := NVL(p_scan_id, next_waiting);
    IF l_id IS NULL THEN
      source.note('ERROR', 'SCAN_FAILS', 'no scan can be taken: ' || SUBSTR(p_text, 1, 800));
      RETURN;
    END IF;
    l_for := state_for(l_code);
    l_now := source.utc_now;
    SELECT COUNT(*) INTO l_found FROM scan WHERE scan_id = l_id;
    IF l_found = 0 THEN
      -- It was dropped meanwhile.
      RETURN;
    END IF;
    SELECT * INTO l_scan FROM scan WHERE scan_id = l_id FOR UPDATE;
    IF p_scan_id IS NOT NULL AND p_session IS NOT NULL AND NVL(l_scan.session_key, '-') <> p_session THEN
      RETURN;
    END IF;
    l_repair := p_session IS NULL AND l_scan.repair IS NOT NULL;
    l_text := told(l_id, l_code, p_text, l_repair, l_repair OR l_scan.purpose = 'REBUILD');
    IF l_scan.status = 'RUNNING' OR l_code IN (-20825, -1578, -26040, -8103) THEN
      scan_again(l_id, l_text);
    END IF;
    l_since := CASE WHEN l_for = l_scan.waits_for THEN l_scan.waits_since ELSE l_now END;
    UPDATE scan SET detail = l_text, waits_for = l_for, waits_since = l_since, ended_at = l_now,
                    failures = failures + CASE WHEN l_for IS NULL THEN 1 ELSE 0 END,
                    repair = CASE WHEN repair = 'DONE' THEN 'DONE' END,
                    -- PGA that the largest transaction does not fit into: without COMMITTED_DATA_ONLY it need not.
                    mining_rule = CASE WHEN l_code IN (-4030, -4036) AND mining_rule = 'C' THEN 'W' ELSE mining_rule END
    WHERE scan_id = l_id;
    IF is_too_large(l_code, l_scan.mining_rule, l_scan.failures) THEN
      ranges.shorten(l_id, l_text);
    END IF;
    IF l_for IN ('GAP', 'INCARNATION_CHANGED')
      OR (l_for = 'WAIT_LOG' AND l_since <= l_now - NUMTODSINTERVAL(l_setting.wait_log_seconds, 'SECOND')) THEN
      source.set_state(l_for, l_text);
    -- A log that was recycled while it was read is archived the next time.
    ELSIF l_for IS NULL AND l_scan.failures + 1 >= CASE WHEN l_code IN (-310, -1368) THEN 2 ELSE c_failures END THEN
      source.note('ERROR', 'SCAN_FAILS', 'scan ' || l_id || ' has failed ' || (l_scan.failures + 1) || ' times: ' || l_text);
    END IF;
  END fail;

END miner;
/
