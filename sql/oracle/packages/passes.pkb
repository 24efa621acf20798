CREATE OR REPLACE PACKAGE BODY passes AS

  -- Between the code of ours and the error of the root.
  c_in_root CONSTANT VARCHAR2(10) := 'CDB$ROOT: ';
  c_table_columns CONSTANT VARCHAR2(200) := 'table_id, owner, table_name, identity, key_count, is_iot, has_lob, '
    || 'k1_path, k2_path, k3_path, k4_path, k5_path, k6_path, k7_path, k8_path';
  c_object_columns CONSTANT VARCHAR2(60) := 'object_id, table_id, object_kind';
  c_log_columns CONSTANT VARCHAR2(100) := 'scan_id, thread_no, seq_no, first_scn, next_scn, file_name, kind, group_no';

  FUNCTION in_root RETURN BOOLEAN IS
    l_topology setting.topology%TYPE;
  BEGIN
    SELECT topology INTO l_topology FROM setting;
    RETURN l_topology = 'ROOT';
  END in_root;

  FUNCTION new_number RETURN NUMBER IS
  BEGIN
    IF NOT in_root THEN
      RETURN NULL;
    END IF;
    RETURN pass_seq.NEXTVAL;
  END new_number;

  -- How many rows are on one side only.
  FUNCTION differing(p_columns IN VARCHAR2, p_here IN VARCHAR2, p_there IN VARCHAR2) RETURN NUMBER IS
    l_here  VARCHAR2(400);
    l_there VARCHAR2(400);
    l_count NUMBER;
  BEGIN
    l_here := '(SELECT ' || p_columns || ' FROM ' || p_here;
    l_there := '(SELECT ' || p_columns || ' FROM ' || p_there || '@orapull_root';
    EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM (' || l_here || ' MINUS ' || SUBSTR(l_there, 2) || ') UNION ALL ' || l_there || ' MINUS '
      || SUBSTR(l_here, 2) || ')) d' INTO l_count;
    RETURN l_count;
  END differing;

  -- One order at a time: the lock of the root's setting. Nothing is written while nothing has changed, which is nearly always.
  PROCEDURE copy_registry IS
    l_here  setting.pdb_name%TYPE;
    l_there setting.pdb_name%TYPE;
  BEGIN
    SELECT pdb_name INTO l_here FROM setting;
    EXECUTE IMMEDIATE 'SELECT s.pdb_name FROM setting@orapull_root s FOR UPDATE' INTO l_there;
    IF l_there <> NVL(l_here, '-') THEN
      RAISE_APPLICATION_ERROR(-20828, 'ORAPULL_ROOT leads to what reads for container ' || l_there || ', and this is '
        || NVL(l_here, 'one without a name in SETTING'));
    END IF;
    IF differing(c_table_columns, 'source_table', 'source_table') + differing(c_object_columns, 'source_object', 'source_object') = 0 THEN
      RETURN;
    END IF;
    EXECUTE IMMEDIATE 'DELETE FROM source_table@orapull_root';
    EXECUTE IMMEDIATE 'INSERT INTO source_table@orapull_root (' || c_table_columns || ') SELECT ' || c_table_columns
      || ' FROM source_table';
    EXECUTE IMMEDIATE 'INSERT INTO source_object@orapull_root (' || c_object_columns || ') SELECT ' || c_object_columns
      || ' FROM source_object';
  END copy_registry;

  FUNCTION yes_no(p_is_so IN BOOLEAN) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE WHEN p_is_so THEN 'Y' ELSE 'N' END;
  END yes_no;

  PROCEDURE place_order(
    p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN, p_lobs_only IN BOOLEAN
  ) IS
    l_scan           scan%ROWTYPE;
    l_now            TIMESTAMP(6);
    l_committed_only VARCHAR2(1);
    l_lobs_only      VARCHAR2(1);
  BEGIN
    l_now := source.utc_now;
    l_committed_only := yes_no(p_committed_only);
    l_lobs_only := yes_no(p_lobs_only);
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    copy_registry;
    EXECUTE IMMEDIATE 'DELETE FROM scan_log@orapull_root WHERE scan_id = :1 OR scan_id IN'
      || ' (SELECT p.scan_id FROM pass@orapull_root p WHERE p.stage_no = :2)' USING p_scan_id, l_scan.stage_slot;
    EXECUTE IMMEDIATE 'DELETE FROM pass@orapull_root WHERE scan_id = :1 OR stage_no = :2' USING p_scan_id, l_scan.stage_slot;
    EXECUTE IMMEDIATE 'INSERT INTO scan_log@orapull_root (' || c_log_columns || ') SELECT ' || c_log_columns
      || ' FROM scan_log WHERE scan_id = :1' USING p_scan_id;
    EXECUTE IMMEDIATE 'INSERT INTO pass@orapull_root (pass_no, scan_id, stage_no, read_from, read_to, committed_only, lobs_only, '
      || 'status, ordered_at) VALUES (:1, :2, :3, :4, :5, :6, :7, ''ORDERED'', :8)'
      USING l_scan.pass_no, p_scan_id, l_scan.stage_slot, p_from, p_to, l_committed_only, l_lobs_only, l_now;
  END place_order;

  FUNCTION progress(p_scan_id IN NUMBER) RETURN VARCHAR2 IS
    l_scan     scan%ROWTYPE;
    l_seconds  NUMBER;
    l_waits    TIMESTAMP(6);
    l_reads    TIMESTAMP(6);
    l_progress VARCHAR2(4);
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    SELECT scan_max_seconds INTO l_seconds FROM setting;
    l_waits := source.utc_now - NUMTODSINTERVAL(l_seconds, 'SECOND');
    l_reads := source.utc_now - NUMTODSINTERVAL(l_seconds * POWER(2, LEAST(l_scan.failures, 6)), 'SECOND');
    EXECUTE IMMEDIATE 'SELECT MAX(CASE WHEN p.status = ''ORDERED'' AND p.ordered_at > :1 OR p.status = ''READING'' AND p.ordered_at > :2'
      || ' THEN ''WAIT'' ELSE ''DONE'' END) FROM pass_v@orapull_root p WHERE p.pass_no = :3' INTO l_progress USING l_waits, l_reads, l_scan.pass_no;
    RETURN l_progress;
  END progress;

  PROCEDURE check_read(p_scan_id IN NUMBER) IS
    l_scan   scan%ROWTYPE;
    l_status VARCHAR2(7);
    l_rows   NUMBER;
    l_pga    NUMBER;
    l_error  VARCHAR2(4000);
    l_found  NUMBER;
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    EXECUTE IMMEDIATE 'SELECT MAX(p.status), MAX(p.rows_read), MAX(p.pga_max), MAX(p.error_text)'
      || ' FROM pass_v@orapull_root p WHERE p.pass_no = :1' INTO l_status, l_rows, l_pga, l_error USING l_scan.pass_no;
    IF l_status = 'FAILED' THEN
      RAISE_APPLICATION_ERROR(c_failed_in_root, c_in_root || l_error);
    ELSIF l_status = 'READING' THEN
      RAISE_APPLICATION_ERROR(c_too_slow, 'scan ' || p_scan_id || ' is not read in CDB$ROOT after SETTING.scan_max_seconds, or twice that after a failure');
    ELSIF NVL(l_status, '-') <> 'READ' THEN
      RAISE_APPLICATION_ERROR(c_failed_in_root, 'nothing was read in CDB$ROOT, where the order of scan ' || p_scan_id || ' is '
        || NVL(l_status, 'unknown') || ': do jobs run there? EXEC start_reading, as the owner in CDB$ROOT');
    END IF;
    EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM stage_' || l_scan.stage_slot || '@orapull_root WHERE pass_no = :1'
      INTO l_found USING l_scan.pass_no;
    IF l_found <> l_rows THEN
      RAISE_APPLICATION_ERROR(-20825, 'STAGE_' || l_scan.stage_slot || ' of CDB$ROOT has ' || l_found || ' rows of scan ' || p_scan_id
        || ', not ' || l_rows);
    END IF;
    UPDATE scan SET pga_max = GREATEST(NVL(pga_max, 0), l_pga) WHERE scan_id = p_scan_id;
  END check_read;

  PROCEDURE start_session(p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN) IS
  BEGIN
    IF NOT in_root THEN
      logminer.start_session(p_scan_id, p_from, p_to, p_committed_only);
      IF NOT logminer.reads_files THEN
        logs.adopt(p_scan_id, p_from, p_to);
      END IF;
    END IF;
  END start_session;

  PROCEDURE end_session IS
  BEGIN
    IF NOT in_root THEN
      logminer.end_session;
    END IF;
  END end_session;

  FUNCTION insert_text(p_scan_id IN NUMBER, p_seq_from IN NUMBER) RETURN VARCHAR2 IS
    l_scan    scan%ROWTYPE;
    l_rows    VARCHAR2(100) := 'redo_stage_v';
    l_direct  setting.direct_copy%TYPE := 'Y';
    l_columns VARCHAR2(400);
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    IF in_root THEN
      SELECT direct_copy INTO l_direct FROM setting;
      l_rows := '(SELECT * FROM stage_' || l_scan.stage_slot || '@orapull_root WHERE pass_no = ' || l_scan.pass_no || ')';
    END IF;
    l_columns := 'con_uid, xidusn, xidslt, xidsqn, scn, op, table_id, kind, row_id, '
      || 'k1, k2, k3, k4, k5, k6, k7, k8, o1, o2, o3, o4, o5, o6, o7, o8, note';
    RETURN 'INSERT ' || CASE WHEN l_direct = 'Y' THEN '/*+ APPEND */ ' END || 'INTO stage_' || l_scan.stage_slot || ' (scan_id, seq, ' || l_columns || ') '
      || 'SELECT /*+ LEADING(v) */ :1, v.seq + ' || p_seq_from || ', v.' || REPLACE(l_columns, ', ', ', v.')
      || ' FROM ' || l_rows || ' v';
  END insert_text;

  FUNCTION first_code(p_code IN NUMBER, p_text IN VARCHAR2) RETURN NUMBER IS
    l_at NUMBER;
  BEGIN
    l_at := INSTR(p_text, c_in_root || 'ORA-');
    IF p_code = c_failed_in_root AND l_at > 0 THEN
      RETURN -TO_NUMBER(SUBSTR(p_text, l_at + LENGTH(c_in_root) + 4, 5));
    END IF;
    RETURN p_code;
  END first_code;

END passes;
/
