-- Redo logs that can be read, one row for each thread and sequence. Sequences are unique only in one incarnation and one
-- thread; logs overlap across threads; one log may be online, archived, and archived twice.
CREATE OR REPLACE VIEW redo_log_v AS
SELECT c.thread_no, c.seq_no, c.first_scn, c.next_scn, c.first_time, c.next_time, c.file_name, c.kind, c.group_no, c.bytes
FROM (
  SELECT
    u.thread_no, u.seq_no, u.first_scn, u.next_scn, u.first_time, u.next_time, u.file_name, u.kind, u.group_no, u.bytes,
    ROW_NUMBER() OVER (PARTITION BY u.thread_no, u.seq_no ORDER BY u.kind, u.dest_rank, u.file_name) AS copy_no
  FROM (
    SELECT
      a.thread_no, a.seq_no, a.first_scn, a.next_scn, a.first_time, a.next_time, a.file_name, 'ARCH' AS kind, NULL AS group_no, a.bytes,
      a.dest_rank
    FROM archived_copy_v a
    WHERE a.is_there = 'Y'
    UNION ALL
    SELECT
      l.thread#, l.sequence#, l.first_change#,
      CASE WHEN l.status = 'CURRENT' THEN 999999999999999999 ELSE l.next_change# END,
      l.first_time, CASE WHEN l.status <> 'CURRENT' THEN l.next_time END,
      (SELECT MIN(f.member) FROM v$logfile f WHERE f.group# = l.group# AND f.type = 'ONLINE' AND f.status IS NULL),
      'ONLINE', l.group#, l.bytes, 0
    FROM v$log l
    CROSS JOIN setting s
    WHERE l.status IN ('CURRENT', 'ACTIVE', 'INACTIVE') AND s.archived_only = 'N'
  ) u
  WHERE u.file_name IS NOT NULL
) c
WHERE c.copy_no = 1;
COMMENT ON TABLE redo_log_v IS 'Readable redo logs, the archived copy before the online one; a log covers first_scn up to but not including next_scn';
