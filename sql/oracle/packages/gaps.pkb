CREATE OR REPLACE PACKAGE BODY gaps AS

  c_give_up CONSTANT VARCHAR2(100) := '; or give the range up with SKIP_GAP, after which every table is loaded anew';

  FUNCTION scn_text(p_scn IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN NVL(TO_CHAR(p_scn), 'unknown');
  END scn_text;

  FUNCTION restore_text(p_thread IN NUMBER, p_seq IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN 'RMAN> RESTORE ARCHIVELOG SEQUENCE ' || p_seq || ' THREAD ' || p_thread || c_give_up;
  END restore_text;

  FUNCTION log_text(p_thread IN NUMBER, p_seq IN NUMBER) RETURN VARCHAR2 IS
    l_first NUMBER;
    l_next  NUMBER;
  BEGIN
    SELECT
      NVL(
        MAX(CASE WHEN a.sequence# = p_seq THEN a.first_change# END),
        MAX(CASE WHEN a.sequence# = p_seq - 1 THEN a.next_change# END)
      ),
      NVL(
        MAX(CASE WHEN a.sequence# = p_seq THEN a.next_change# END),
        MAX(CASE WHEN a.sequence# = p_seq + 1 THEN a.first_change# END)
      )
    INTO l_first, l_next
    FROM v$archived_log a
    JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
    WHERE a.thread# = p_thread;
    RETURN 'thread ' || p_thread || ' sequence ' || p_seq || ' (SCN ' || scn_text(l_first) || ' to ' || scn_text(l_next) || ')';
  END log_text;

  -- The control file knows a copy that is available.
  PROCEDURE not_readable(p_thread IN NUMBER, p_seq IN NUMBER) IS
    l_log    VARCHAR2(400) := log_text(p_thread, p_seq);
    l_file   redo_log_v.file_name%TYPE;
    l_local  NUMBER;
    l_dest   NUMBER;
  BEGIN
    SELECT MAX(l.file_name) INTO l_file FROM redo_log_v l WHERE l.thread_no = p_thread AND l.seq_no = p_seq;
    SELECT COUNT(*), MIN(a.dest_id) INTO l_local, l_dest
    FROM v$archived_log a
    JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
    LEFT JOIN v$archive_dest_status v ON v.dest_id = a.dest_id
    WHERE a.thread# = p_thread AND a.sequence# = p_seq AND a.status = 'A' AND a.deleted = 'NO' AND a.name IS NOT NULL
      AND a.standby_dest = 'NO' AND NVL(v.type, 'LOCAL') = 'LOCAL';
    IF l_file IS NOT NULL THEN
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ', file ' || l_file || ', counts as available, but LogMiner does not find it; if '
        || 'it was moved or compressed outside RMAN, put it back; else ' || restore_text(p_thread, p_seq));
    ELSIF l_local > 0 THEN
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ' is archived, but not to a destination of table ARCHIVE_DEST; add DEST_ID '
        || l_dest || ' there, or ' || restore_text(p_thread, p_seq));
    ELSE
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ' is archived on a standby or another node only; copy the file to where this '
        || 'database can read it and RMAN> CATALOG ARCHIVELOG ''file''; or ' || restore_text(p_thread, p_seq));
    END IF;
  END not_readable;

  PROCEDURE missing(p_thread IN NUMBER, p_seq IN NUMBER) IS
    l_log     VARCHAR2(400) := log_text(p_thread, p_seq);
    l_remedy  VARCHAR2(400) := restore_text(p_thread, p_seq);
    l_online  NUMBER;
    l_copies  NUMBER;
    l_present NUMBER;
    l_last    NUMBER;
    l_later   NUMBER;
    l_limit   TIMESTAMP(6);
  BEGIN
    SELECT CAST(SYSTIMESTAMP AS TIMESTAMP) - NUMTODSINTERVAL(wait_log_seconds, 'SECOND') INTO l_limit FROM setting;
    SELECT COUNT(CASE WHEN sequence# = p_seq THEN 1 END), COUNT(CASE WHEN sequence# > p_seq AND first_time < l_limit THEN 1 END)
    INTO l_online, l_later
    FROM v$log
    WHERE thread# = p_thread;
    SELECT
      COUNT(CASE WHEN a.sequence# = p_seq THEN 1 END),
      COUNT(CASE WHEN a.sequence# = p_seq AND a.status = 'A' AND a.deleted = 'NO' AND a.name IS NOT NULL THEN 1 END),
      MAX(a.sequence#)
    INTO l_copies, l_present, l_last
    FROM v$archived_log a
    JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
    WHERE a.thread# = p_thread;
    IF l_online > 0 THEN
      RAISE_APPLICATION_ERROR(-20822, 'WAIT_LOG: ' || l_log || ' is not archived yet; if it stays so, RMAN> ALTER SYSTEM ARCHIVE LOG ALL, '
        || 'on the instance of thread ' || p_thread);
    ELSIF l_copies = 0 THEN
      l_remedy := 'if the file exists: RMAN> CATALOG ARCHIVELOG ''file''; else ' || l_remedy;
      -- It may be on its way, if it was current not long ago.
      IF p_seq > NVL(l_last, 0) AND l_later = 0 THEN
        RAISE_APPLICATION_ERROR(-20822, 'WAIT_LOG: ' || l_log || ' is neither online nor archived; if it stays so, ' || l_remedy);
      END IF;
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ' is not known to the control file; ' || l_remedy);
    ELSIF l_present > 0 THEN
      not_readable(p_thread, p_seq);
    ELSE
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ' was deleted; ' || l_remedy);
    END IF;
  END missing;

  FUNCTION reading_text(p_scan_id IN NUMBER, p_error IN VARCHAR2, p_repair IN BOOLEAN) RETURN VARCHAR2 IS
    l_scan scan%ROWTYPE;
    l_from NUMBER;
    l_to   NUMBER;
    l_logs VARCHAR2(4000);
  BEGIN
    SELECT * INTO l_scan FROM scan WHERE scan_id = p_scan_id;
    l_from := CASE WHEN p_repair THEN l_scan.repair_from ELSE NVL(l_scan.read_from, l_scan.scn_from) END;
    l_to := CASE WHEN p_repair THEN l_scan.repair_to ELSE l_scan.scn_to END;
    SELECT LISTAGG(
      'thread ' || q.thread_no || ' sequence ' || q.low || CASE WHEN q.high > q.low THEN ' to ' || q.high END, ', '
    ) WITHIN GROUP (ORDER BY q.thread_no)
    INTO l_logs
    FROM (
      SELECT s.thread_no, MIN(s.seq_no) AS low, MAX(s.seq_no) AS high
      FROM scan_log s
      WHERE s.scan_id = p_scan_id
        AND (
          INSTR(p_error, s.file_name) > 0
          OR NOT EXISTS (SELECT NULL FROM scan_log o WHERE o.scan_id = p_scan_id AND INSTR(p_error, o.file_name) > 0)
        )
      GROUP BY s.thread_no
    ) q;
    RETURN 'wanted was redo of SCN ' || scn_text(l_from) || ' to ' || scn_text(l_to) || ', ' || NVL(l_logs, 'of which no log is known')
      || '; RMAN> RESTORE ARCHIVELOG SCN BETWEEN ' || scn_text(l_from) || ' AND ' || scn_text(l_to) || c_give_up;
  END reading_text;

END gaps;
/
