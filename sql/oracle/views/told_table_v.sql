-- The registry as CDB$ROOT is told it (topology ROOT). There a column has the name CONTAINER:OWNER.TABLE.COLUMN for MINE_VALUE.
-- (Oracle Database PL/SQL Packages and Types Reference, DBMS_LOGMNR, MINE_VALUE)
CREATE OR REPLACE VIEW told_table_v AS
SELECT
  t.table_id, t.owner, t.table_name, t.identity, t.key_count, t.is_iot, t.has_lob,
  CASE WHEN t.k1_path IS NOT NULL THEN s.pdb_name || ':' || t.k1_path END AS k1_path,
  CASE WHEN t.k2_path IS NOT NULL THEN s.pdb_name || ':' || t.k2_path END AS k2_path,
  CASE WHEN t.k3_path IS NOT NULL THEN s.pdb_name || ':' || t.k3_path END AS k3_path,
  CASE WHEN t.k4_path IS NOT NULL THEN s.pdb_name || ':' || t.k4_path END AS k4_path,
  CASE WHEN t.k5_path IS NOT NULL THEN s.pdb_name || ':' || t.k5_path END AS k5_path,
  CASE WHEN t.k6_path IS NOT NULL THEN s.pdb_name || ':' || t.k6_path END AS k6_path,
  CASE WHEN t.k7_path IS NOT NULL THEN s.pdb_name || ':' || t.k7_path END AS k7_path,
  CASE WHEN t.k8_path IS NOT NULL THEN s.pdb_name || ':' || t.k8_path END AS k8_path
FROM source_table t
CROSS JOIN setting s;
COMMENT ON TABLE told_table_v IS 'Registered tables as CDB$ROOT is told of them, topology ROOT only';
COMMENT ON COLUMN told_table_v.k1_path IS 'CONTAINER:OWNER.TABLE.COLUMN of the first key column; k2_path .. k8_path likewise';
