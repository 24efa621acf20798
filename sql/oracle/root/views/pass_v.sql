-- A job that is killed does not tell; its session is gone.
CREATE OR REPLACE VIEW pass_v AS
SELECT
  p.pass_no, p.scan_id, p.stage_no, p.ordered_at, p.rows_read, p.pga_max,
  CASE p.is_dead WHEN 'Y' THEN 'FAILED' ELSE p.status END AS status,
  CASE p.is_dead WHEN 'Y' THEN 'session ' || p.session_key || ' is gone' ELSE p.error_text END AS error_text
FROM (
  SELECT
    a.pass_no, a.scan_id, a.stage_no, a.ordered_at, a.rows_read, a.pga_max, a.status, a.error_text, a.session_key,
    CASE
      WHEN a.status = 'READING'
        AND NOT EXISTS (SELECT NULL FROM gv$session g WHERE g.sid || ',' || g.serial# || ',' || g.inst_id = a.session_key) THEN 'Y'
      ELSE 'N'
    END AS is_dead
  FROM pass a
) p;
COMMENT ON TABLE pass_v IS 'Passes as the container sees them; one whose session is gone has failed';
