CREATE OR REPLACE PACKAGE BODY ranges AS

  FUNCTION plan_end RETURN NUMBER IS
    l_state      source_state%ROWTYPE;
    l_setting    setting%ROWTYPE;
    l_waiting    NUMBER;
    l_unfinished NUMBER;
    l_gaps       NUMBER;
    l_bound      NUMBER;
    l_end        NUMBER;
  BEGIN
    SELECT * INTO l_state FROM source_state;
    SELECT * INTO l_setting FROM setting;
    SELECT COUNT(*), COUNT(CASE WHEN status <> 'SCANNED' THEN 1 END), COUNT(CASE WHEN waits_for = 'GAP' THEN 1 END)
    INTO l_waiting, l_unfinished, l_gaps
    FROM scan
    WHERE purpose = 'MINE' AND status <> 'PUBLISHED';
    -- A gap may also be that of a rebuild, which mining has nothing to do with.
    IF l_state.state IN ('INCARNATION_CHANGED', 'STOPPED')
      OR (l_state.state = 'GAP' AND l_gaps > 0)
      OR l_waiting >= l_setting.stage_slots THEN
      RETURN NULL;
    END IF;
    l_bound := logs.flushed_scn;
    IF l_bound IS NULL OR l_bound - l_state.planned_scn < GREATEST(l_setting.scan_min_scn, 2) THEN
      RETURN NULL;
    END IF;
    l_end := logs.cut(
      l_state.planned_scn, LEAST(l_bound, l_state.planned_scn + GREATEST(l_setting.scan_max_scn, 2)), l_setting.scan_max_bytes
    );
    l_end := pace.end_in_time(l_state.planned_scn, l_end);
    IF l_end = l_bound AND l_unfinished > 0 THEN
      RETURN NULL;
    END IF;
    RETURN l_end;
  END plan_end;

  -- NULL when it cannot be known: a transaction that tells no START_SCN, one in doubt, an instance that does not answer.
  -- Before this look every instance had come to p_before: what is not seen here and is open later begins there or behind.
  FUNCTION oldest_open(p_before IN NUMBER) RETURN NUMBER IS
    l_unknown NUMBER;
    l_oldest  NUMBER;
    l_doubt   NUMBER;
  BEGIN
    SELECT COUNT(CASE WHEN NVL(start_scn, 0) = 0 THEN 1 END), NVL(MIN(start_scn), p_before) INTO l_unknown, l_oldest
    FROM gv$transaction;
    SELECT COUNT(*) INTO l_doubt FROM dba_2pc_pending;
    IF l_unknown + l_doubt > 0 OR NOT source.all_answer THEN
      RETURN NULL;
    END IF;
    RETURN LEAST(l_oldest, p_before);
  END oldest_open;

  FUNCTION open_from(p_scn IN NUMBER) RETURN NUMBER IS
    l_scn NUMBER;
  BEGIN
    SELECT MAX(open_from) INTO l_scn FROM scan WHERE sampled_scn <= p_scn;
    RETURN l_scn;
  END open_from;

  FUNCTION next_rule(p_scn_from IN NUMBER) RETURN VARCHAR2 IS
    l_rule   VARCHAR2(1);
    l_before VARCHAR2(1);
  BEGIN
    SELECT CASE WHEN mining_rule = 'W' AND committed_data_only = 'Y' THEN 'C' ELSE mining_rule END INTO l_rule FROM setting;
    SELECT MAX(mining_rule) INTO l_before FROM scan WHERE scn_to = p_scn_from AND purpose = 'MINE';
    RETURN CASE WHEN l_before = 'C' AND l_rule = 'S' THEN 'W' ELSE l_rule END;
  END next_rule;

  FUNCTION plan_scan RETURN NUMBER IS
    l_state   source_state%ROWTYPE;
    l_end     NUMBER;
    l_rule    VARCHAR2(1);
    l_sampled NUMBER;
    l_open    NUMBER;
  BEGIN
    source.lock_state;
    l_end := plan_end;
    IF l_end IS NULL THEN
      RETURN NULL;
    END IF;
    SELECT * INTO l_state FROM source_state;
    l_rule := next_rule(l_state.planned_scn);
    IF l_rule = 'C' THEN
      -- The current SCN is that of this instance, and another may lag behind; redo on disk is a bound for all. What ended
      -- between the two looks is open at no SCN from the second on.
      l_open := oldest_open(logs.flushed_scn);
      l_sampled := source.current_scn;
    END IF;
    INSERT INTO scan (scan_id, scn_from, scn_to, status, mining_rule, sampled_scn, open_from)
    VALUES (l_state.last_scan + 1, l_state.planned_scn, l_end, 'NEW', l_rule, l_sampled, l_open);
    UPDATE source_state SET planned_scn = l_end, last_scan = l_state.last_scan + 1;
    RETURN l_state.last_scan + 1;
  END plan_scan;

  PROCEDURE shorten(p_scan_id IN NUMBER, p_reason IN VARCHAR2) IS
    l_scan  scan%ROWTYPE;
    l_min   NUMBER;
    l_end   NUMBER;
    l_older NUMBER;
  BEGIN
    source.lock_state;
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    SELECT GREATEST(scan_min_scn, 2) INTO l_min FROM setting;
    l_end := l_scan.scn_from + FLOOR((l_scan.scn_to - l_scan.scn_from) / 2);
    l_older := l_scan.scn_from - NVL(l_scan.read_from, l_scan.scn_from);
    IF l_scan.status <> 'NEW' OR l_scan.purpose <> 'MINE' OR l_end - l_scan.scn_from < l_min OR l_older > l_scan.scn_to - l_scan.scn_from THEN
      RETURN;
    END IF;
    FOR r IN (SELECT scan_id FROM scan WHERE purpose = 'MINE' AND scn_from >= l_scan.scn_to ORDER BY scan_id) LOOP
      rebuilds.drop_scan(r.scan_id);
    END LOOP;
    UPDATE scan SET scn_to = l_end, failures = 0 WHERE scan_id = p_scan_id;
    UPDATE source_state SET planned_scn = l_end;
    source.note('WARNING', 'SCAN_CUT', 'scan ' || p_scan_id || ' of SCN ' || l_scan.scn_from || ' to ' || l_scan.scn_to || ' now ends at '
      || l_end || ', what is behind is cut anew: ' || p_reason);
  END shorten;

END ranges;
/
