-- A destination that is not VALID any more may still have its old logs. What was catalogued may have no number of one. CROSS-INSTANCE,
-- say, is a disk of another node.
CREATE OR REPLACE VIEW archived_copy_v AS
SELECT
  a.thread# AS thread_no,
  a.sequence# AS seq_no,
  a.first_change# AS first_scn,
  a.next_change# AS next_scn,
  a.first_time,
  a.next_time,
  a.name AS file_name,
  a.dest_id,
  COALESCE(p.dest_rank, CASE WHEN v.status = 'VALID' THEN a.dest_id END, 1000 + a.dest_id) AS dest_rank,
  a.status,
  CASE WHEN a.name IS NOT NULL AND a.archived = 'YES' AND a.status = 'A' AND a.deleted = 'NO' THEN 'Y' ELSE 'N' END AS is_there,
  a.blocks * a.block_size AS bytes
FROM v$archived_log a
JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
LEFT JOIN archive_dest p ON p.dest_id = a.dest_id
LEFT JOIN v$archive_dest_status v ON v.dest_id = a.dest_id
WHERE a.standby_dest = 'NO'
  AND (
    p.dest_id IS NOT NULL
    OR a.dest_id = 0
    OR (NVL(v.type, 'LOCAL') = 'LOCAL' AND NOT EXISTS (SELECT NULL FROM archive_dest))
  );
COMMENT ON TABLE archived_copy_v IS 'Copies of archived logs of this incarnation in destinations that are read: those of ARCHIVE_DEST, or, when it is empty, local ones';
COMMENT ON COLUMN archived_copy_v.dest_rank IS 'The lowest is read first';
COMMENT ON COLUMN archived_copy_v.status IS 'A available, D deleted, U unavailable, X expired';
COMMENT ON COLUMN archived_copy_v.is_there IS 'N: the control file knows that the copy cannot be read';
