CREATE OR REPLACE VIEW scan_status_v AS
SELECT
  s.scan_id,
  s.status,
  s.mining_rule,
  s.scn_from,
  s.scn_to,
  s.stage_slot,
  s.attempts,
  s.session_key,
  s.started_at,
  s.ended_at,
  x.seconds,
  s.rows_staged,
  s.redo_bytes,
  CASE WHEN x.seconds > 0 THEN ROUND(s.redo_bytes / x.seconds) END AS redo_bytes_per_s,
  s.pga_max,
  s.detail
FROM scan s
JOIN (
  SELECT
    r.scan_id,
    EXTRACT(DAY FROM r.took) * 86400 + EXTRACT(HOUR FROM r.took) * 3600 + EXTRACT(MINUTE FROM r.took) * 60
    + EXTRACT(SECOND FROM r.took) AS seconds
  FROM (
    SELECT a.scan_id, NVL(a.ended_at, SYS_EXTRACT_UTC(SYSTIMESTAMP)) - a.started_at AS took
    FROM scan a
  ) r
) x ON x.scan_id = s.scan_id;
COMMENT ON TABLE scan_status_v IS 'Scans that are cut, running or kept: how long they took, how fast they read, how much memory they needed';
COMMENT ON COLUMN scan_status_v.seconds IS 'From its start to its end, or to now';
COMMENT ON COLUMN scan_status_v.pga_max IS 'Largest PGA of the scanning session, bytes';
COMMENT ON COLUMN scan_status_v.detail IS 'Why the last attempt failed';
