CREATE OR REPLACE VIEW keep_log_v AS
SELECT
  a.thread# AS thread_no,
  a.sequence# AS seq_no,
  a.first_change# AS first_scn,
  a.next_change# AS next_scn,
  a.name AS file_name,
  a.dest_id,
  a.status,
  a.blocks * a.block_size AS bytes
FROM v$archived_log a
JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change#
CROSS JOIN source_state s
WHERE a.standby_dest = 'NO' AND a.next_change# > s.resume_scn;
COMMENT ON TABLE keep_log_v IS 'For operators: archived logs that must not be removed, because what is open or unreleased may have to be mined again';
COMMENT ON COLUMN keep_log_v.status IS 'A available, D deleted, U unavailable, X expired: anything but A is a gap to come';
