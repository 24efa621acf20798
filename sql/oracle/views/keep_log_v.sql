CREATE OR REPLACE VIEW keep_log_v AS
SELECT
  a.thread_no,
  a.seq_no,
  a.first_scn,
  a.next_scn,
  a.file_name,
  a.dest_id,
  a.status,
  CASE WHEN l.seq_no IS NULL THEN 'N' ELSE 'Y' END AS is_readable,
  a.bytes
FROM archived_copy_v a
CROSS JOIN source_state s
LEFT JOIN redo_log_v l ON l.thread_no = a.thread_no AND l.seq_no = a.seq_no
WHERE a.next_scn > s.resume_scn;
COMMENT ON TABLE keep_log_v IS 'For operators: archived logs that must not be removed, because what is open or unreleased may have to be mined again; only in destinations that are read';
COMMENT ON COLUMN keep_log_v.status IS 'Of this copy: A available, D deleted, U unavailable, X expired';
COMMENT ON COLUMN keep_log_v.is_readable IS 'N: no copy that is read can be read any more, a gap to come: restore it';
