-- Between the ends of a log, redo is taken to have been written evenly.
CREATE OR REPLACE VIEW mining_status_v AS
SELECT
  s.state,
  s.state_detail,
  d.current_scn,
  s.planned_scn,
  s.mined_scn,
  s.published_scn,
  d.current_scn - s.published_scn AS scns_behind,
  b.seconds_behind,
  b.redo_bytes_behind,
  c.waiting AS scans_waiting,
  c.running AS scans_running,
  c.scanned AS scans_scanned,
  p.portions AS portions_held,
  p.pointers AS pointers_held,
  p.last_published_at,
  x.transactions AS open_transactions,
  x.start_scn AS oldest_tx_scn,
  s.resume_scn AS keep_log_from,
  ROUND(w.seconds) AS rate_seconds,
  g.redo_bytes_per_s,
  g.mined_bytes_per_s,
  c.scan_bytes_per_s
FROM source_state s
CROSS JOIN v$database d
CROSS JOIN (
  SELECT
    ROUND(GREATEST(MIN(CASE
      WHEN l.first_scn <= r.published_scn
      THEN l.first_age_s - (l.first_age_s - l.next_age_s) * LEAST(1, (r.published_scn - l.first_scn) / (l.next_scn - l.first_scn))
    END), 0)) AS seconds_behind,
    ROUND(SUM(CASE
      WHEN l.next_scn > r.published_scn + 1
      THEN l.bytes * (l.next_scn - GREATEST(l.first_scn, r.published_scn + 1)) / (l.next_scn - l.first_scn)
      ELSE 0
    END)) AS redo_bytes_behind
  FROM redo_time_v l
  CROSS JOIN source_state r
  WHERE l.next_scn > l.first_scn
) b
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
CROSS JOIN mining_window_v w
CROSS JOIN (
  SELECT
    ROUND(SUM(l.bytes * CASE
      WHEN l.next_age_s >= v.seconds THEN 0
      WHEN l.first_age_s > v.seconds THEN (v.seconds - l.next_age_s) / (l.first_age_s - l.next_age_s)
      ELSE 1
    END) / NULLIF(MAX(v.seconds), 0)) AS redo_bytes_per_s,
    ROUND(SUM(l.bytes * GREATEST(LEAST(l.next_scn, v.scn_to + 1) - GREATEST(l.first_scn, v.scn_from + 1), 0) / (l.next_scn - l.first_scn))
      / NULLIF(MAX(v.seconds), 0)) AS mined_bytes_per_s
  FROM redo_time_v l
  CROSS JOIN mining_window_v v
  WHERE l.next_scn > l.first_scn
) g;
COMMENT ON TABLE mining_status_v IS 'For operators: what is mined, how far it is behind, how fast redo is written and read';
COMMENT ON COLUMN mining_status_v.scns_behind IS 'From published_scn to the SCN of this moment';
COMMENT ON COLUMN mining_status_v.seconds_behind IS 'Age of the redo at published_scn, by the times of its log; NULL: the control file has forgotten that log';
COMMENT ON COLUMN mining_status_v.redo_bytes_behind IS 'Redo on disk behind published_scn, all threads';
COMMENT ON COLUMN mining_status_v.rate_seconds IS 'The two rates that follow are of the last hour, or of so many seconds when scans are remembered no longer';
COMMENT ON COLUMN mining_status_v.redo_bytes_per_s IS 'Redo written, all threads, bytes a second';
COMMENT ON COLUMN mining_status_v.mined_bytes_per_s IS 'Redo scanned, all threads, bytes a second; when it is less than what is written, mining falls behind';
COMMENT ON COLUMN mining_status_v.scan_bytes_per_s IS 'What LogMiner reads in one scan, whole logs, bytes a second; parallel scans read so much each';
