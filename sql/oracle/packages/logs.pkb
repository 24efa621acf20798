CREATE OR REPLACE PACKAGE BODY logs AS

  FUNCTION flushed_scn RETURN NUMBER IS
    l_archived_only setting.archived_only%TYPE;
    l_next          NUMBER;
  BEGIN
    SELECT archived_only INTO l_archived_only FROM setting;
    IF l_archived_only = 'N' THEN
      SELECT MIN(last_redo_change#) INTO l_next FROM v$thread WHERE status = 'OPEN' AND enabled = 'PUBLIC';
    ELSE
      SELECT MIN(NVL(a.next_scn, 0)) INTO l_next
      FROM v$thread t
      LEFT JOIN (SELECT thread_no, MAX(next_scn) AS next_scn FROM redo_log_v GROUP BY thread_no) a ON a.thread_no = t.thread#
      WHERE t.status = 'OPEN' AND t.enabled = 'PUBLIC';
    END IF;
    RETURN l_next - 1;
  END flushed_scn;

  FUNCTION cut(p_lo IN NUMBER, p_hi IN NUMBER, p_max_bytes IN NUMBER) RETURN NUMBER IS
    l_end NUMBER;
  BEGIN
    WITH needed AS (
      SELECT first_scn, next_scn, bytes FROM redo_log_v WHERE next_scn > p_lo + 1 AND first_scn <= p_hi
    ), possible AS (
      SELECT p_hi AS scn FROM dual
      UNION
      SELECT next_scn - 1 FROM needed WHERE next_scn <= p_hi AND next_scn > p_lo + 2
    ), sized AS (
      SELECT p.scn, NVL(SUM(n.bytes), 0) AS bytes
      FROM possible p
      LEFT JOIN needed n ON n.first_scn <= p.scn
      GROUP BY p.scn
    )
    SELECT NVL(MAX(CASE WHEN bytes <= p_max_bytes THEN scn END), MIN(scn)) INTO l_end FROM sized;
    RETURN l_end;
  END cut;

  FUNCTION scn_text(p_scn IN NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN NVL(TO_CHAR(p_scn), 'unknown');
  END scn_text;

  -- Tells that a log is missing: it may come, or it is gone.
  PROCEDURE missing(p_thread IN NUMBER, p_seq IN NUMBER) IS
    l_log     VARCHAR2(400);
    l_remedy  VARCHAR2(400);
    l_online  NUMBER;
    l_copies  NUMBER;
    l_present NUMBER;
    l_last    NUMBER;
    l_first   NUMBER;
    l_next    NUMBER;
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
      MAX(a.sequence#),
      NVL(
        MAX(CASE WHEN a.sequence# = p_seq THEN a.first_change# END),
        MAX(CASE WHEN a.sequence# = p_seq - 1 THEN a.next_change# END)
      ),
      NVL(
        MAX(CASE WHEN a.sequence# = p_seq THEN a.next_change# END),
        MAX(CASE WHEN a.sequence# = p_seq + 1 THEN a.first_change# END)
      )
    INTO l_copies, l_present, l_last, l_first, l_next
    FROM v$archived_log a
    JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
    WHERE a.thread# = p_thread;
    l_log := 'thread ' || p_thread || ' sequence ' || p_seq || ' (SCN ' || scn_text(l_first) || ' to ' || scn_text(l_next) || ')';
    l_remedy := 'RMAN> RESTORE ARCHIVELOG SEQUENCE ' || p_seq || ' THREAD ' || p_thread
      || '; or give the range up with SKIP_GAP, after which every table is loaded anew';
    IF l_online > 0 THEN
      RAISE_APPLICATION_ERROR(-20822, 'WAIT_LOG: ' || l_log || ' is not archived yet');
    ELSIF l_copies = 0 THEN
      l_remedy := 'if the file exists: RMAN> CATALOG ARCHIVELOG ''file''; else ' || l_remedy;
      -- It may be on its way, if it was current not long ago.
      IF p_seq > NVL(l_last, 0) AND l_later = 0 THEN
        RAISE_APPLICATION_ERROR(-20822, 'WAIT_LOG: ' || l_log || ' is neither online nor archived; if it stays so, ' || l_remedy);
      END IF;
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ' is not known to the control file; ' || l_remedy);
    ELSIF l_present > 0 THEN
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ' is archived, but not to a local destination of table ARCHIVE_DEST; '
        || 'add its DEST_ID there, or ' || l_remedy);
    ELSE
      RAISE_APPLICATION_ERROR(-20821, 'GAP: ' || l_log || ' was deleted; ' || l_remedy);
    END IF;
  END missing;

  -- The last log of a thread that ends at p_scn or before, whether or not it can still be read; NULL: none is known.
  FUNCTION seq_before(p_thread IN NUMBER, p_scn IN NUMBER) RETURN NUMBER IS
    l_seq NUMBER;
  BEGIN
    SELECT MAX(u.seq_no) INTO l_seq
    FROM (
      SELECT a.sequence# AS seq_no
      FROM v$archived_log a
      JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
      WHERE a.thread# = p_thread AND a.next_change# <= p_scn
      UNION ALL
      SELECT sequence# FROM v$log
      WHERE thread# = p_thread AND status IN ('ACTIVE', 'INACTIVE') AND next_change# <= p_scn
    ) u;
    RETURN l_seq;
  END seq_before;

  -- The chosen logs of a thread hold p_from to p_to: the first covers p_from, or follows the last log before it, with a
  -- hole between them in which no redo exists; none is missing after it; the last one goes beyond p_to.
  PROCEDURE check_thread(p_scan_id IN NUMBER, p_thread IN NUMBER, p_from IN NUMBER, p_to IN NUMBER) IS
    l_seq    NUMBER;
    l_next   NUMBER;
    l_before NUMBER;
  BEGIN
    l_before := seq_before(p_thread, p_from);
    FOR r IN (
      SELECT seq_no, first_scn, next_scn FROM scan_log
      WHERE scan_id = p_scan_id AND thread_no = p_thread
      ORDER BY seq_no
    ) LOOP
      IF l_seq IS NULL THEN
        IF r.first_scn > p_from AND r.seq_no > 1 AND r.seq_no <> NVL(l_before, -1) + 1 THEN
          missing(p_thread, NVL(l_before + 1, r.seq_no - 1));
        END IF;
      ELSIF r.seq_no <> l_seq + 1 THEN
        missing(p_thread, l_seq + 1);
      END IF;
      l_seq := r.seq_no;
      l_next := r.next_scn;
    END LOOP;
    IF l_seq IS NULL OR l_next <= p_to THEN
      missing(p_thread, NVL(l_seq, NVL(l_before, 0)) + 1);
    END IF;
  END check_thread;

  PROCEDURE choose(p_scan_id IN NUMBER, p_lo IN NUMBER, p_hi IN NUMBER) IS
  BEGIN
    DELETE FROM scan_log WHERE scan_id = p_scan_id;
    -- One look at all views, or a log that is archived between two looks is in neither. A log is needed until the one before
    -- it goes beyond p_hi: where a restart has left a hole, only the next one proves that there is no redo in it. Not so before a
    -- thread was enabled: with a later log on its list LogMiner would ask for all before that.
    INSERT INTO scan_log (scan_id, thread_no, seq_no, first_scn, next_scn, file_name, kind, group_no)
    SELECT p_scan_id, l.thread_no, l.seq_no, l.first_scn, l.next_scn, l.file_name, l.kind, l.group_no
    FROM (
      SELECT
        v.thread_no, v.seq_no, v.first_scn, v.next_scn, v.file_name, v.kind, v.group_no,
        LAG(v.next_scn) OVER (PARTITION BY v.thread_no ORDER BY v.seq_no) AS covered_to
      FROM redo_log_v v
      WHERE v.next_scn > p_lo
    ) l
    WHERE NVL(l.covered_to, 0) <= p_hi
      AND (l.first_scn <= p_hi OR EXISTS (SELECT NULL FROM v$thread t WHERE t.thread# = l.thread_no AND t.enable_change# <= p_hi));
    FOR t IN (
      SELECT
        thread# AS thread_no,
        GREATEST(p_lo, enable_change#) AS from_scn,
        CASE
          WHEN enabled = 'DISABLED' THEN LEAST(p_hi, disable_change# - 1)
          WHEN status = 'CLOSED' THEN LEAST(p_hi, checkpoint_change# - 1)
          ELSE p_hi
        END AS to_scn
      FROM v$thread
      WHERE enable_change# <= p_hi
        AND (
          (enabled = 'PUBLIC' AND (status = 'OPEN' OR checkpoint_change# > p_lo))
          OR (enabled = 'DISABLED' AND disable_change# > p_lo)
        )
      ORDER BY thread#
    ) LOOP
      check_thread(p_scan_id, t.thread_no, t.from_scn, t.to_scn);
    END LOOP;
  END choose;

  FUNCTION still_there(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_gone NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_gone
    FROM scan_log s
    WHERE s.scan_id = p_scan_id AND s.kind = 'ONLINE'
      AND NOT EXISTS (
        SELECT NULL FROM v$log l
        WHERE l.group# = s.group_no AND l.thread# = s.thread_no AND l.sequence# = s.seq_no
          AND l.status IN ('CURRENT', 'ACTIVE', 'INACTIVE')
      );
    RETURN CASE WHEN l_gone = 0 THEN 1 ELSE 0 END;
  END still_there;

  PROCEDURE check_unchanged(p_scan_id IN NUMBER) IS
  BEGIN
    source.check_incarnation;
    IF still_there(p_scan_id) = 0 THEN
      RAISE_APPLICATION_ERROR(-20825, 'an online log was overwritten while scan ' || p_scan_id || ' read it');
    END IF;
  END check_unchanged;

  FUNCTION chosen_bytes(p_scan_id IN NUMBER) RETURN NUMBER IS
    l_bytes NUMBER;
  BEGIN
    SELECT NVL(SUM(l.bytes), 0) INTO l_bytes
    FROM redo_log_v l
    JOIN scan_log s ON s.thread_no = l.thread_no AND s.seq_no = l.seq_no
    WHERE s.scan_id = p_scan_id;
    RETURN l_bytes;
  END chosen_bytes;

  FUNCTION keep_from(p_scn IN NUMBER) RETURN VARCHAR2 IS
    l_text VARCHAR2(4000);
  BEGIN
    SELECT LISTAGG('thread ' || q.thread_no || ' sequence ' || q.seq_no, ', ') WITHIN GROUP (ORDER BY q.thread_no) INTO l_text
    FROM (SELECT thread_no, MIN(seq_no) AS seq_no FROM redo_log_v WHERE next_scn > p_scn GROUP BY thread_no) q;
    RETURN l_text;
  END keep_from;

END logs;
/
