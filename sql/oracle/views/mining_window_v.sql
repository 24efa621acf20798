-- The time over which redo and mining are compared: what was written before the oldest scan that is remembered ended, nobody can compare
-- with anything.
CREATE OR REPLACE VIEW mining_window_v AS
SELECT
  m.seconds,
  NVL(MIN(CASE WHEN s.age_s < m.seconds THEN s.scn_from END), 0) AS scn_from,
  NVL(MAX(CASE WHEN s.age_s < m.seconds THEN s.scn_to END), 0) AS scn_to
FROM (SELECT LEAST(3600, NVL(MAX(a.age_s), 0)) AS seconds FROM scan_status_v a WHERE a.purpose = 'MINE' AND a.status IN ('SCANNED', 'PUBLISHED')) m
LEFT JOIN scan_status_v s ON s.purpose = 'MINE' AND s.status IN ('SCANNED', 'PUBLISHED')
GROUP BY m.seconds;
COMMENT ON TABLE mining_window_v IS 'What was scanned in the last hour, or since the oldest scan that is remembered: seconds, and the redo behind scn_from up to scn_to, none when both are 0';
