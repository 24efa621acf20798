-- MINE_VALUE is told a name, and the dictionary that LogMiner asks is that of now, for old redo too.
CREATE OR REPLACE VIEW key_path_v AS
SELECT
  k.table_id,
  CASE WHEN k.parts = k.parts_there THEN k.k1_path END AS k1_path,
  CASE WHEN k.parts = k.parts_there THEN k.k2_path END AS k2_path,
  CASE WHEN k.parts = k.parts_there THEN k.k3_path END AS k3_path,
  CASE WHEN k.parts = k.parts_there THEN k.k4_path END AS k4_path,
  CASE WHEN k.parts = k.parts_there THEN k.k5_path END AS k5_path,
  CASE WHEN k.parts = k.parts_there THEN k.k6_path END AS k6_path,
  CASE WHEN k.parts = k.parts_there THEN k.k7_path END AS k7_path,
  CASE WHEN k.parts = k.parts_there THEN k.k8_path END AS k8_path
FROM (
  SELECT
    p.table_id,
    COUNT(*) AS parts,
    COUNT(p.column_name) AS parts_there,
    MAX(CASE p.key_position WHEN 1 THEN p.path END) AS k1_path,
    MAX(CASE p.key_position WHEN 2 THEN p.path END) AS k2_path,
    MAX(CASE p.key_position WHEN 3 THEN p.path END) AS k3_path,
    MAX(CASE p.key_position WHEN 4 THEN p.path END) AS k4_path,
    MAX(CASE p.key_position WHEN 5 THEN p.path END) AS k5_path,
    MAX(CASE p.key_position WHEN 6 THEN p.path END) AS k6_path,
    MAX(CASE p.key_position WHEN 7 THEN p.path END) AS k7_path,
    MAX(CASE p.key_position WHEN 8 THEN p.path END) AS k8_path
  FROM (
    SELECT t.table_id, s.key_position, c.column_name, t.owner || '.' || t.table_name || '.' || s.column_name AS path
    FROM source_table t
    JOIN source_column s ON s.table_id = t.table_id AND s.key_position IS NOT NULL
    LEFT JOIN dba_tab_cols c ON c.owner = t.owner AND c.table_name = t.table_name AND c.column_name = s.column_name
  ) p
  GROUP BY p.table_id
) k;
COMMENT ON TABLE key_path_v IS 'OWNER.TABLE.COLUMN of the keys of registered tables, for DBMS_LOGMNR.MINE_VALUE; NULL when a column is not there any more';
