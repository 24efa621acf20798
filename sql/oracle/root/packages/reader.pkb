CREATE OR REPLACE PACKAGE BODY reader AS

  name_in_use EXCEPTION;
  PRAGMA EXCEPTION_INIT(name_in_use, -955);

  FUNCTION take(p_session IN VARCHAR2) RETURN NUMBER IS
    l_pass NUMBER;
  BEGIN
    SELECT MIN(pass_no) INTO l_pass FROM pass WHERE status = 'ORDERED';
    UPDATE pass SET status = 'READING', session_key = p_session WHERE pass_no = l_pass AND status = 'ORDERED';
    IF SQL%ROWCOUNT = 0 THEN
      RETURN NULL;
    END IF;
    RETURN l_pass;
  END take;

  PROCEDURE create_stage(p_stage_no IN NUMBER) IS
  BEGIN
    EXECUTE IMMEDIATE 'CREATE TABLE stage_' || p_stage_no || ' NOLOGGING AS SELECT * FROM stage_0 WHERE 1 = 0';
  EXCEPTION
    WHEN name_in_use THEN NULL;
  END create_stage;

  PROCEDURE empty_stage(p_pass_no IN NUMBER) IS
    l_stage NUMBER;
  BEGIN
    SELECT MAX(stage_no) INTO l_stage FROM pass WHERE pass_no = p_pass_no;
    IF l_stage IS NOT NULL THEN
      create_stage(l_stage);
      EXECUTE IMMEDIATE 'TRUNCATE TABLE stage_' || l_stage;
    END IF;
  END empty_stage;

  PROCEDURE read(p_pass_no IN NUMBER, p_session IN VARCHAR2) IS
    l_pass    pass%ROWTYPE;
    l_columns VARCHAR2(400);
    l_rows    NUMBER;
    l_pga     NUMBER;
  BEGIN
    SELECT * INTO l_pass FROM pass WHERE pass_no = p_pass_no AND status = 'READING' AND session_key = p_session;
    logminer.start_session(l_pass.scan_id, l_pass.read_from, l_pass.read_to, l_pass.committed_only = 'Y');
    l_columns := 'seq, con_uid, xidusn, xidslt, xidsqn, scn, commit_scn, op, table_id, has_lob, kind, row_id, '
      || 'k1, k2, k3, k4, k5, k6, k7, k8, o1, o2, o3, o4, o5, o6, o7, o8, note';
    EXECUTE IMMEDIATE 'INSERT /*+ APPEND */ INTO stage_' || l_pass.stage_no || ' (pass_no, ' || l_columns || ') '
      || 'SELECT /*+ LEADING(v) */ :1, v.' || REPLACE(l_columns, ', ', ', v.')
      || ' FROM redo_stage_v v WHERE v.op = 34 OR :2 = ''N'' OR v.has_lob = ''Y'''
      USING p_pass_no, l_pass.lobs_only;
    l_rows := SQL%ROWCOUNT;
    logminer.end_session;
    l_pga := logminer.pga_max;
    UPDATE pass SET status = 'READ', rows_read = l_rows, pga_max = l_pga WHERE pass_no = p_pass_no AND session_key = p_session;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(-20824, 'pass ' || p_pass_no || ' is not read by session ' || p_session);
    WHEN OTHERS THEN
      logminer.end_session;
      RAISE;
  END read;

  PROCEDURE fail(p_pass_no IN NUMBER, p_session IN VARCHAR2, p_text IN VARCHAR2) IS
    l_text VARCHAR2(4000);
  BEGIN
    IF p_pass_no IS NULL THEN
      RAISE_APPLICATION_ERROR(-20824, 'no pass could be taken: ' || p_text);
    END IF;
    l_text := SUBSTR(p_text, 1, 1000);
    UPDATE pass SET status = 'FAILED', error_text = l_text
    WHERE pass_no = p_pass_no AND session_key = p_session AND status = 'READING';
  END fail;

END reader;
/
