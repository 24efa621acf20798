CREATE OR REPLACE VIEW keep_log_v AS
SELECT
  a.thread# AS thread_no,
  a.sequence# AS seq_no,
  a.first_change# AS first_scn,
  a.next_change# AS next_scn,
  a.name AS file_name,
  a.dest_id,
  a.status,
  CASE WHEN l.seq_no IS NULL THEN 'N' ELSE 'Y' END AS is_readable,
  a.blocks * a.block_size AS bytes
FROM v$archived_log a
JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
CROSS JOIN source_state s
LEFT JOIN archive_dest p ON p.dest_id = a.dest_id
LEFT JOIN redo_log_v l ON l.thread_no = a.thread# AND l.seq_no = a.sequence#
WHERE a.standby_dest = 'NO' AND a.next_change# > s.resume_scn
  AND (p.dest_id IS NOT NULL OR NOT EXISTS (SELECT NULL FROM archive_dest));
COMMENT ON TABLE keep_log_v IS 'For operators: archived logs that must not be removed, because what is open or unreleased may have to be mined again; only in destinations that are read';
COMMENT ON COLUMN keep_log_v.status IS 'Of this copy: A available, D deleted, U unavailable, X expired';
COMMENT ON COLUMN keep_log_v.is_readable IS 'N: no copy that is read can be read any more, a gap to come: restore it';
