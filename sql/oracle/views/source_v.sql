-- DBID and INCARNATION are those of the database now: a copy, or one that was opened with RESETLOGS, shows itself at once.
CREATE OR REPLACE VIEW source_v AS
SELECT
  1 AS contract_version,
  s.install_id,
  d.name AS db_name,
  i.dbid,
  i.incarnation,
  s.started_at,
  s.state,
  s.state_detail,
  d.current_scn,
  s.mined_scn,
  s.published_scn,
  NVL((SELECT MIN(p.portion_id) FROM portion p), s.last_portion + 1) AS first_portion,
  s.last_portion,
  x.start_scn AS oldest_tx_scn,
  EXTRACT(DAY FROM x.age) * 86400 + EXTRACT(HOUR FROM x.age) * 3600 + EXTRACT(MINUTE FROM x.age) * 60
  + FLOOR(EXTRACT(SECOND FROM x.age)) AS oldest_tx_age_s,
  s.resume_scn AS keep_log_from,
  s.sampled_at
FROM source_state s
CROSS JOIN v$database d
CROSS JOIN incarnation_v i
CROSS JOIN (
  SELECT
    MIN(CASE WHEN t.start_scn > 0 THEN t.start_scn END) AS start_scn,
    CAST(SYSTIMESTAMP AS TIMESTAMP) - CAST(MIN(t.start_date) AS TIMESTAMP) AS age
  FROM gv$transaction t
) x;
COMMENT ON TABLE source_v IS 'Contract: the source, one row';
COMMENT ON COLUMN source_v.current_scn IS 'SCN of this moment, never a sample';
COMMENT ON COLUMN source_v.first_portion IS 'Oldest portion still held; last_portion + 1 when none is';
COMMENT ON COLUMN source_v.oldest_tx_scn IS 'Start of the oldest transaction that is open now; NULL when there is none';
COMMENT ON COLUMN source_v.keep_log_from IS 'Archived logs from this SCN on must not be removed';
