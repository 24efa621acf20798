CREATE OR REPLACE PACKAGE BODY source AS

  FUNCTION utc_now RETURN TIMESTAMP IS
  BEGIN
    RETURN SYS_EXTRACT_UTC(SYSTIMESTAMP);
  END utc_now;

  FUNCTION current_scn RETURN NUMBER IS
    l_scn NUMBER;
  BEGIN
    SELECT d.current_scn INTO l_scn FROM v$database d;
    RETURN l_scn;
  END current_scn;

  -- In the time of the server, not in UTC: it is only ever compared with itself, and a conversion would move it when
  -- daylight saving time begins.
  FUNCTION last_start RETURN TIMESTAMP IS
    l_at TIMESTAMP(6);
  BEGIN
    SELECT CAST(MAX(i.startup_time) AS TIMESTAMP(6)) INTO l_at FROM gv$instance i;
    RETURN l_at;
  END last_start;

  FUNCTION open_instances RETURN VARCHAR2 IS
    l_text VARCHAR2(4000);
  BEGIN
    SELECT LISTAGG(TO_CHAR(i.inst_id) || ' since ' || TO_CHAR(i.startup_time, 'YYYY-MM-DD HH24:MI:SS'), ', ')
      WITHIN GROUP (ORDER BY i.inst_id)
    INTO l_text
    FROM gv$instance i;
    RETURN l_text;
  END open_instances;

  PROCEDURE start_at(p_scn IN NUMBER DEFAULT NULL) IS
    l_scn   NUMBER := NVL(p_scn, current_scn);
    l_start TIMESTAMP(6) := last_start;
    l_open  VARCHAR2(4000) := open_instances;
    l_now   TIMESTAMP(6) := utc_now;
  BEGIN
    INSERT INTO source_state (
      install_id, dbid, incarnation, started_at, instances, state,
      planned_scn, mined_scn, published_scn, window_scn, resume_scn, sampled_at
    )
    SELECT
      RAWTOHEX(SYS_GUID()), i.dbid, i.incarnation, l_start, l_open, 'OK',
      l_scn, l_scn, l_scn, l_scn + 1, l_scn, l_now
    FROM incarnation_v i;
  EXCEPTION
    WHEN DUP_VAL_ON_INDEX THEN
      RAISE_APPLICATION_ERROR(-20828, 'mining was started already; to start anew, uninstall first');
  END start_at;

  PROCEDURE lock_state IS
    l_row NUMBER;
  BEGIN
    SELECT s.only_row INTO l_row FROM source_state s FOR UPDATE;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(-20828, 'mining was not started: run SOURCE.START_AT first');
  END lock_state;

  PROCEDURE note(p_severity IN VARCHAR2, p_what IN VARCHAR2, p_detail IN VARCHAR2) IS
    l_detail VARCHAR2(4000) := SUBSTR(p_detail, 1, 1000);
    l_now    TIMESTAMP(6) := utc_now;
  BEGIN
    INSERT INTO event (event_id, at, severity, what, detail)
    SELECT event_seq.NEXTVAL, l_now, p_severity, p_what, l_detail
    FROM dual
    WHERE NOT EXISTS (
      SELECT NULL FROM event e
      WHERE e.what = p_what AND e.severity = p_severity AND NVL(e.detail, '-') = NVL(l_detail, '-')
        AND e.at > l_now - NUMTODSINTERVAL(10, 'MINUTE')
    );
  END note;

  PROCEDURE set_state(p_state IN VARCHAR2, p_detail IN VARCHAR2) IS
    l_before source_state.state%TYPE;
    l_detail VARCHAR2(4000) := SUBSTR(p_detail, 1, 1000);
  BEGIN
    lock_state;
    SELECT s.state INTO l_before FROM source_state s;
    UPDATE source_state SET state = p_state, state_detail = l_detail;
    IF l_before <> p_state THEN
      note(CASE WHEN p_state = 'OK' THEN 'INFO' ELSE 'WARNING' END, p_state, l_detail);
    END IF;
  END set_state;

  -- Not above published_scn: LogMiner also wants the log that ends where a range begins.
  PROCEDURE move_resume IS
  BEGIN
    UPDATE source_state SET
      resume_scn = LEAST(window_scn, published_scn, NVL((SELECT MIN(p.resume_scn) FROM portion p), window_scn));
  END move_resume;

  PROCEDURE check_incarnation IS
    l_mined source_state%ROWTYPE;
    l_now   incarnation_v%ROWTYPE;
    l_logs  VARCHAR2(4000);
  BEGIN
    SELECT * INTO l_mined FROM source_state;
    SELECT * INTO l_now FROM incarnation_v;
    IF l_now.dbid <> l_mined.dbid OR l_now.incarnation <> l_mined.incarnation THEN
      SELECT LISTAGG('thread ' || l.thread# || ' sequence ' || l.sequence#, ', ') WITHIN GROUP (ORDER BY l.thread#) INTO l_logs
      FROM v$log l
      WHERE l.status = 'CURRENT';
      RAISE_APPLICATION_ERROR(-20823, 'the database (DBID ' || TO_CHAR(l_now.dbid) || ', RESETLOGS ' || TO_CHAR(l_now.incarnation)
        || ') is not the one that was mined (DBID ' || TO_CHAR(l_mined.dbid) || ', RESETLOGS '
        || TO_CHAR(l_mined.incarnation) || '): its SCNs count other changes. SCN ' || TO_CHAR(l_now.incarnation) || ' to '
        || TO_CHAR(GREATEST(l_now.incarnation, l_mined.mined_scn)) || ' may have been mined before and never happened now; redo is now in '
        || NVL(l_logs, 'no log') || '; RMAN> LIST INCARNATION tells both. SKIP_GAP starts anew');
    END IF;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(-20828, 'mining was not started: run SOURCE.START_AT first');
  END check_incarnation;

  FUNCTION all_answer RETURN BOOLEAN IS
    l_open  NUMBER;
    l_heard NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_open FROM v$thread t WHERE t.status = 'OPEN';
    SELECT COUNT(*) INTO l_heard FROM gv$instance i;
    RETURN l_heard >= l_open;
  END all_answer;

  FUNCTION restarted RETURN BOOLEAN IS
    l_known VARCHAR2(4000);
  BEGIN
    SELECT s.instances INTO l_known FROM source_state s;
    RETURN l_known <> open_instances;
  END restarted;

  PROCEDURE note_restart IS
    l_start TIMESTAMP(6) := last_start;
    l_now   TIMESTAMP(6) := SYSTIMESTAMP;
    l_open  VARCHAR2(4000) := open_instances;
  BEGIN
    UPDATE source_state SET
      started_at = CASE WHEN started_at = l_start THEN l_now ELSE l_start END,
      instances = l_open;
    note('INFO', 'RESTART', 'open instances are ' || l_open || '; what is not released is published again');
  END note_restart;

END source;
/
