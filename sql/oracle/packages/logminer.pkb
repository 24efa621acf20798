CREATE OR REPLACE PACKAGE BODY logminer AS

  no_session  EXCEPTION;
  PRAGMA EXCEPTION_INIT(no_session, -1307);
  cannot_open EXCEPTION;
  PRAGMA EXCEPTION_INIT(cannot_open, -1284);
  no_file     EXCEPTION;
  PRAGMA EXCEPTION_INIT(no_file, -308);

  FUNCTION reads_files RETURN BOOLEAN IS
    l_topology setting.topology%TYPE;
  BEGIN
    -- Inside a PDB LogMiner finds the files itself.
    SELECT topology INTO l_topology FROM setting;
    RETURN l_topology <> 'PDB';
  END reads_files;

  PROCEDURE end_session IS
  BEGIN
    dbms_logmnr.end_logmnr;
  EXCEPTION
    WHEN no_session THEN NULL;
  END end_session;

  PROCEDURE add_file(p_name IN VARCHAR2, p_options IN NUMBER) IS
  BEGIN
    dbms_logmnr.add_logfile(logfilename => p_name, options => p_options);
  EXCEPTION
    WHEN cannot_open OR no_file THEN
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || p_name || ' counts as available but cannot be opened; if it was moved or '
        || 'compressed outside RMAN, put it back, or RMAN> CATALOG ARCHIVELOG ''file''; ' || SQLERRM);
  END add_file;

  -- Nothing may have been written before it: LogMiner may commit.
  PROCEDURE start_session(p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN) IS
    l_options NUMBER;
  BEGIN
    IF reads_files THEN
      l_options := dbms_logmnr.new;
      FOR f IN (SELECT file_name FROM scan_log WHERE scan_id = p_scan_id ORDER BY thread_no, seq_no) LOOP
        add_file(f.file_name, l_options);
        l_options := dbms_logmnr.addfile;
      END LOOP;
    END IF;
    l_options := dbms_logmnr.dict_from_online_catalog;
    IF p_committed_only THEN
      l_options := l_options + dbms_logmnr.committed_data_only;
    END IF;
    dbms_logmnr.start_logmnr(startscn => p_from, endscn => p_to, options => l_options);
    IF reads_files THEN
      logs.check_session(p_scan_id);
    END IF;
  END start_session;

  FUNCTION insert_text(p_slot IN NUMBER, p_seq_from IN NUMBER) RETURN VARCHAR2 IS
    l_columns VARCHAR2(400);
  BEGIN
    l_columns := 'con_uid, xidusn, xidslt, xidsqn, scn, op, table_id, kind, row_id, '
      || 'k1, k2, k3, k4, k5, k6, k7, k8, o1, o2, o3, o4, o5, o6, o7, o8, note';
    RETURN 'INSERT /*+ APPEND */ INTO stage_' || p_slot || ' (scan_id, seq, ' || l_columns || ') '
      || 'SELECT /*+ LEADING(v) */ :1, v.seq + ' || p_seq_from || ', v.' || REPLACE(l_columns, ', ', ', v.')
      || ' FROM redo_stage_v v';
  END insert_text;

  PROCEDURE check_rows(p_scan_id IN NUMBER, p_slot IN NUMBER, p_expected IN NUMBER) IS
    l_rows    NUMBER;
    l_missing NUMBER;
    l_note    VARCHAR2(400);
  BEGIN
    EXECUTE IMMEDIATE 'SELECT COUNT(*), COUNT(CASE WHEN op = 34 THEN 1 END), MAX(CASE WHEN op = 34 THEN note END) FROM stage_'
      || p_slot || ' WHERE scan_id = :1' INTO l_rows, l_missing, l_note USING p_scan_id;
    IF l_missing > 0 THEN
      RAISE_APPLICATION_ERROR(-20821, 'GAP: LogMiner says: ' || l_note);
    ELSIF l_rows <> NVL(p_expected, -1) THEN
      RAISE_APPLICATION_ERROR(-20825, 'STAGE_' || p_slot || ' has ' || l_rows || ' rows of scan ' || p_scan_id || ', not '
        || NVL(TO_CHAR(p_expected), 'any'));
    END IF;
  END check_rows;

  PROCEDURE check_logs(p_scan_id IN NUMBER) IS
  BEGIN
    source.check_incarnation;
    IF logs.still_there(p_scan_id) = 0 THEN
      RAISE_APPLICATION_ERROR(-20825, 'an online log was overwritten while scan ' || p_scan_id || ' read it');
    END IF;
  END check_logs;

END logminer;
/
