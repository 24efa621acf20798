-- DBA_ views, not ALL_ ones: those depend on who asks, and roles are not active in packages.
CREATE OR REPLACE VIEW candidate_table_v AS
SELECT
  t.owner,
  t.table_name,
  t.num_rows,
  t.temporary,
  t.cluster_name,
  t.iot_type,
  t.external,
  t."LOGGING",
  t.row_movement
FROM dba_tables t
JOIN dba_users u ON u.username = t.owner
CROSS JOIN setting s
WHERE
  u.oracle_maintained = 'N'
  AND t.owner <> s.own_schema
  AND t.nested = 'NO'
  AND t.secondary = 'N'
  AND t.dropped = 'NO'
  AND (t.iot_type IS NULL OR t.iot_type = 'IOT')
  AND t.table_name NOT LIKE 'MLOG$\_%' ESCAPE '\'
  AND t.table_name NOT LIKE 'RUPD$\_%' ESCAPE '\';
COMMENT ON TABLE candidate_table_v IS 'Tables of users: neither Oracle''s own, nor orapull''s, nor storage of something else';
