CREATE OR REPLACE PACKAGE BODY logminer AS

  no_session  EXCEPTION;
  PRAGMA EXCEPTION_INIT(no_session, -1307);
  cannot_open EXCEPTION;
  PRAGMA EXCEPTION_INIT(cannot_open, -1284);
  no_file     EXCEPTION;
  PRAGMA EXCEPTION_INIT(no_file, -308);
  no_header   EXCEPTION;
  PRAGMA EXCEPTION_INIT(no_header, -1285);
  no_status   EXCEPTION;
  PRAGMA EXCEPTION_INIT(no_status, -27037);

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

  FUNCTION restore_text(p_thread IN NUMBER, p_seq IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN 'RMAN> RESTORE ARCHIVELOG SEQUENCE ' || p_seq || ' THREAD ' || p_thread
      || '; or give the range up with SKIP_GAP, after which every table is loaded anew';
  END restore_text;

  PROCEDURE add_file(p_scan_id IN NUMBER, p_thread IN NUMBER, p_seq IN NUMBER, p_options IN NUMBER) IS
    l_log scan_log%ROWTYPE;
  BEGIN
    SELECT * INTO l_log FROM scan_log WHERE scan_id = p_scan_id AND thread_no = p_thread AND seq_no = p_seq;
    dbms_logmnr.add_logfile(logfilename => l_log.file_name, options => p_options);
  EXCEPTION
    WHEN cannot_open OR no_file OR no_header OR no_status THEN
      RAISE_APPLICATION_ERROR(-20821, 'GAP: thread ' || p_thread || ' sequence ' || p_seq || ' (SCN ' || l_log.first_scn || ' to '
        || l_log.next_scn || '), file ' || l_log.file_name || ', counts as available but cannot be opened; if it was moved or compressed '
        || 'outside RMAN, put it back, or RMAN> CATALOG ARCHIVELOG ''file''; else ' || restore_text(p_thread, p_seq) || '; ' || SQLERRM);
  END add_file;

  PROCEDURE check_session(p_scan_id IN NUMBER) IS
    l_others NUMBER;
    l_file   scan_log.file_name%TYPE;
  BEGIN
    SELECT COUNT(*), MIN(s.file_name) INTO l_others, l_file
    FROM scan_log s
    WHERE s.scan_id = p_scan_id
      AND NOT EXISTS (
        SELECT NULL
        FROM v$logmnr_logs l
        JOIN v$database d ON d.resetlogs_change# = l.reset_scn
        WHERE l.thread_id = s.thread_no AND l.thread_sqn = s.seq_no
      );
    IF l_others > 0 THEN
      RAISE_APPLICATION_ERROR(-20825, 'file ' || l_file || ' does not hold the log that was chosen');
    END IF;
    FOR r IN (SELECT thread_id, thread_sqn, low_scn, info FROM v$logmnr_logs WHERE status = 4 ORDER BY thread_id, thread_sqn) LOOP
      RAISE_APPLICATION_ERROR(-20821, 'GAP: LogMiner does not find thread ' || r.thread_id || ' sequence ' || r.thread_sqn || ' (from SCN '
        || r.low_scn || '): ' || r.info || '; ' || restore_text(r.thread_id, r.thread_sqn));
    END LOOP;
  END check_session;

  -- An SCN that no log holds, in the hole that a restart leaves or before RESETLOGS, may be one at which LogMiner misses a log. What was
  -- chosen has all redo of the range (LOGS.CHOOSE), so there is none before the first of it.
  FUNCTION first_covered(p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER) RETURN NUMBER IS
    l_first NUMBER;
  BEGIN
    SELECT MIN(first_scn) INTO l_first FROM scan_log WHERE scan_id = p_scan_id;
    RETURN CASE WHEN l_first > p_from AND l_first < p_to THEN l_first ELSE p_from END;
  END first_covered;

  -- Nothing may have been written before it: LogMiner may commit.
  PROCEDURE start_session(p_scan_id IN NUMBER, p_from IN NUMBER, p_to IN NUMBER, p_committed_only IN BOOLEAN) IS
    l_options NUMBER;
  BEGIN
    IF reads_files THEN
      l_options := dbms_logmnr.new;
      FOR f IN (SELECT thread_no, seq_no FROM scan_log WHERE scan_id = p_scan_id ORDER BY thread_no, seq_no) LOOP
        add_file(p_scan_id, f.thread_no, f.seq_no, l_options);
        l_options := dbms_logmnr.addfile;
      END LOOP;
    END IF;
    l_options := dbms_logmnr.dict_from_online_catalog;
    IF p_committed_only THEN
      l_options := l_options + dbms_logmnr.committed_data_only;
    END IF;
    dbms_logmnr.start_logmnr(startscn => first_covered(p_scan_id, p_from, p_to), endscn => p_to, options => l_options);
    IF reads_files THEN
      check_session(p_scan_id);
    END IF;
  END start_session;

  FUNCTION pga_max RETURN NUMBER IS
    l_bytes NUMBER;
  BEGIN
    SELECT MAX(m.value) INTO l_bytes
    FROM v$mystat m
    JOIN v$statname n ON n.statistic# = m.statistic#
    WHERE n.name = 'session pga memory max';
    RETURN l_bytes;
  END pga_max;

END logminer;
/
