CREATE OR REPLACE VIEW mining_status_v AS
SELECT
  s.state,
  s.state_detail,
  d.current_scn,
  s.planned_scn,
  s.mined_scn,
  s.published_scn,
  d.current_scn - s.published_scn AS scns_behind,
  c.waiting AS scans_waiting,
  c.running AS scans_running,
  c.scanned AS scans_scanned,
  p.portions AS portions_held,
  p.pointers AS pointers_held,
  p.last_published_at,
  x.transactions AS open_transactions,
  x.start_scn AS oldest_tx_scn,
  s.resume_scn AS keep_log_from,
  g.redo_bytes_per_s,
  c.scan_bytes_per_s
FROM source_state s
CROSS JOIN v$database d
CROSS JOIN (
  SELECT
    COUNT(CASE a.status WHEN 'NEW' THEN 1 END) AS waiting,
    COUNT(CASE a.status WHEN 'RUNNING' THEN 1 END) AS running,
    COUNT(CASE a.status WHEN 'SCANNED' THEN 1 END) AS scanned,
    ROUND(AVG(CASE WHEN a.status IN ('SCANNED', 'PUBLISHED') THEN a.redo_bytes_per_s END)) AS scan_bytes_per_s
  FROM scan_status_v a
) c
CROSS JOIN (
  SELECT COUNT(*) AS portions, NVL(SUM(a.pointers), 0) AS pointers, MAX(a.published_at) AS last_published_at
  FROM portion a
) p
CROSS JOIN (SELECT COUNT(*) AS transactions, MIN(t.start_scn) AS start_scn FROM tx t) x
CROSS JOIN (
  SELECT ROUND(SUM(a.blocks * a.block_size) / 3600) AS redo_bytes_per_s
  FROM v$archived_log a
  WHERE
    a.standby_dest = 'NO'
    AND a.dest_id = (SELECT MIN(b.dest_id) FROM v$archived_log b WHERE b.standby_dest = 'NO' AND b.name IS NOT NULL)
    AND CAST(a.completion_time AS TIMESTAMP) > CAST(SYSTIMESTAMP - NUMTODSINTERVAL(1, 'HOUR') AS TIMESTAMP)
) g;
COMMENT ON TABLE mining_status_v IS 'For operators: what is mined, how far it is behind, how fast redo is written and read';
COMMENT ON COLUMN mining_status_v.redo_bytes_per_s IS 'Redo archived in the last hour, all threads, bytes a second';
COMMENT ON COLUMN mining_status_v.scan_bytes_per_s IS 'Redo that one scan reads, bytes a second; parallel scans read so much each';
