CREATE OR REPLACE VIEW scan_status_v AS
SELECT
  s.scan_id,
  s.purpose,
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
  x.age_s,
  s.rows_staged,
  s.redo_bytes,
  CASE WHEN x.seconds > 0 THEN ROUND(s.redo_bytes / x.seconds) END AS redo_bytes_per_s,
  CASE WHEN s.status = 'RUNNING' THEN p.pga_alloc_mem END AS pga_now,
  CASE WHEN s.status = 'RUNNING' THEN p.pga_max_mem ELSE s.pga_max END AS pga_max,
  s.detail
FROM scan s
JOIN (
  SELECT
    r.scan_id,
    EXTRACT(DAY FROM r.took) * 86400 + EXTRACT(HOUR FROM r.took) * 3600 + EXTRACT(MINUTE FROM r.took) * 60
    + EXTRACT(SECOND FROM r.took) AS seconds,
    EXTRACT(DAY FROM r.age) * 86400 + EXTRACT(HOUR FROM r.age) * 3600 + EXTRACT(MINUTE FROM r.age) * 60
    + EXTRACT(SECOND FROM r.age) AS age_s
  FROM (
    SELECT
      a.scan_id, NVL(a.ended_at, SYS_EXTRACT_UTC(SYSTIMESTAMP)) - a.started_at AS took,
      SYS_EXTRACT_UTC(SYSTIMESTAMP) - a.ended_at AS age
    FROM scan a
  ) r
) x ON x.scan_id = s.scan_id
LEFT JOIN gv$session j
  ON s.status = 'RUNNING' AND TO_CHAR(j.sid) || ',' || TO_CHAR(j.serial#) || ',' || TO_CHAR(j.inst_id) = s.session_key
LEFT JOIN gv$process p ON p.inst_id = j.inst_id AND p.addr = j.paddr;
COMMENT ON TABLE scan_status_v IS 'Scans that are cut, running or kept: how long they took, how fast they read, how much memory they needed';
COMMENT ON COLUMN scan_status_v.seconds IS 'From its start to its end, or to now';
COMMENT ON COLUMN scan_status_v.age_s IS 'Seconds since its end';
COMMENT ON COLUMN scan_status_v.pga_now IS 'PGA of the scanning session now, bytes; NULL when it does not run. Topology ROOT: without that of LogMiner, which is in CDB$ROOT';
COMMENT ON COLUMN scan_status_v.pga_max IS 'Largest PGA of the scanning session, so far while it runs, bytes';
COMMENT ON COLUMN scan_status_v.detail IS 'Why the last attempt failed';
