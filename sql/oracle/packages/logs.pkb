CREATE OR REPLACE PACKAGE BODY logs AS

  FUNCTION flushed_scn RETURN NUMBER IS
    l_archived_only setting.archived_only%TYPE;
    l_next          NUMBER;
  BEGIN
    SELECT archived_only INTO l_archived_only FROM setting;
    IF l_archived_only = 'N' THEN
      SELECT MIN(last_redo_scn) INTO l_next FROM redo_thread_v WHERE status = 'OPEN';
    ELSE
      SELECT MIN(NVL(a.next_scn, 0)) INTO l_next
      FROM redo_thread_v t
      LEFT JOIN (SELECT thread_no, MAX(next_scn) AS next_scn FROM redo_log_v GROUP BY thread_no) a ON a.thread_no = t.thread_no
      WHERE t.status = 'OPEN';
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
          gaps.missing(p_thread, NVL(l_before + 1, r.seq_no - 1));
        END IF;
      ELSIF r.seq_no <> l_seq + 1 THEN
        gaps.missing(p_thread, l_seq + 1);
      END IF;
      l_seq := r.seq_no;
      l_next := r.next_scn;
    END LOOP;
    IF l_seq IS NULL OR l_next <= p_to THEN
      gaps.missing(p_thread, NVL(l_seq, NVL(l_before, 0)) + 1);
    END IF;
  END check_thread;

  -- Of every thread that has redo of these SCNs, SCAN_LOG has all the logs.
  PROCEDURE check_chosen(p_scan_id IN NUMBER, p_lo IN NUMBER, p_hi IN NUMBER) IS
  BEGIN
    FOR t IN (
      SELECT
        thread_no,
        GREATEST(p_lo, enable_scn) AS from_scn,
        CASE
          WHEN enabled = 'DISABLED' THEN LEAST(p_hi, disable_scn - 1)
          WHEN status = 'CLOSED' THEN LEAST(p_hi, checkpoint_scn - 1)
          ELSE p_hi
        END AS to_scn
      FROM redo_thread_v
      WHERE enable_scn <= p_hi
        AND (
          (enabled <> 'DISABLED' AND (status = 'OPEN' OR checkpoint_scn > p_lo))
          OR (enabled = 'DISABLED' AND disable_scn > p_lo)
        )
      ORDER BY thread_no
    ) LOOP
      check_thread(p_scan_id, t.thread_no, t.from_scn, t.to_scn);
    END LOOP;
  END check_chosen;

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
    LEFT JOIN redo_thread_v t ON t.thread_no = l.thread_no
    WHERE NVL(l.covered_to, 0) <= p_hi AND (l.first_scn <= p_hi OR t.enable_scn <= p_hi)
      AND (t.thread_no IS NOT NULL OR NOT EXISTS (SELECT NULL FROM v$thread x WHERE x.thread# = l.thread_no));
    check_chosen(p_scan_id, p_lo, p_hi);
  END choose;

  PROCEDURE adopt(p_scan_id IN NUMBER, p_lo IN NUMBER, p_hi IN NUMBER) IS
    l_told NUMBER;
  BEGIN
    FOR r IN (SELECT thread_id, thread_sqn FROM v$logmnr_logs WHERE status = 4 ORDER BY thread_id, thread_sqn) LOOP
      gaps.missing(r.thread_id, r.thread_sqn);
    END LOOP;
    SELECT COUNT(*) INTO l_told FROM v$logmnr_logs l JOIN v$database d ON d.resetlogs_change# = l.reset_scn;
    IF l_told = 0 THEN
      RETURN;
    END IF;
    -- What was chosen behind the range only proves that there is a hole before it.
    FOR r IN (
      SELECT s.thread_no, s.seq_no
      FROM scan_log s
      WHERE s.scan_id = p_scan_id AND s.first_scn <= p_hi AND s.next_scn > p_lo
        AND NOT EXISTS (
          SELECT NULL
          FROM v$logmnr_logs l
          JOIN v$database d ON d.resetlogs_change# = l.reset_scn
          WHERE l.thread_id = s.thread_no AND l.thread_sqn = s.seq_no
        )
      ORDER BY s.thread_no, s.seq_no
    ) LOOP
      gaps.missing(r.thread_no, r.seq_no);
    END LOOP;
    DELETE FROM scan_log WHERE scan_id = p_scan_id;
    INSERT INTO scan_log (scan_id, thread_no, seq_no, first_scn, next_scn, file_name, kind, group_no)
    SELECT
      p_scan_id, l.thread_id, l.thread_sqn, MIN(l.low_scn), MAX(LEAST(l.next_scn, 999999999999999999)), NVL(MIN(l.filename), '-'),
      CASE WHEN MIN(g.group#) IS NULL THEN 'ARCH' ELSE 'ONLINE' END, MIN(g.group#)
    FROM v$logmnr_logs l
    JOIN v$database d ON d.resetlogs_change# = l.reset_scn
    LEFT JOIN v$logfile f ON f.member = l.filename
    LEFT JOIN v$log g ON g.group# = f.group#
    GROUP BY l.thread_id, l.thread_sqn;
  END adopt;

  FUNCTION are_told RETURN BOOLEAN IS
    l_logs NUMBER;
  BEGIN
    SELECT COUNT(*) INTO l_logs FROM v$log;
    RETURN l_logs > 0;
  END are_told;

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

  FUNCTION keep_from(p_scn IN NUMBER) RETURN VARCHAR2 IS
    l_text VARCHAR2(4000);
  BEGIN
    SELECT LISTAGG('thread ' || q.thread_no || ' sequence ' || q.seq_no, ', ') WITHIN GROUP (ORDER BY q.thread_no) INTO l_text
    FROM (SELECT thread_no, MIN(seq_no) AS seq_no FROM redo_log_v WHERE next_scn > p_scn GROUP BY thread_no) q;
    RETURN l_text;
  END keep_from;

END logs;
/
