-- Redo has no virtual columns, and MINE_VALUE gives at most 4000 bytes, so both cannot be part of a key.
CREATE OR REPLACE VIEW key_column_v AS
SELECT
  k.owner,
  k.table_name,
  k.constraint_name,
  k.constraint_type,
  k.position,
  k.column_name,
  DENSE_RANK() OVER (PARTITION BY k.owner, k.table_name ORDER BY k.constraint_type, k.constraint_name) AS key_rank
FROM (
  SELECT
    c.owner,
    c.table_name,
    c.constraint_name,
    c.constraint_type,
    n.position,
    n.column_name,
    COUNT(*) OVER (PARTITION BY c.owner, c.table_name, c.constraint_name) AS columns_in_all,
    COUNT(d.column_name) OVER (PARTITION BY c.owner, c.table_name, c.constraint_name) AS columns_usable
  FROM dba_constraints c
  JOIN dba_cons_columns n
    ON n.owner = c.owner AND n.table_name = c.table_name AND n.constraint_name = c.constraint_name
  LEFT JOIN dba_tab_cols d
    ON d.owner = c.owner
    AND d.table_name = c.table_name
    AND d.column_name = n.column_name
    AND d.nullable = 'N'
    AND d.virtual_column = 'NO'
    AND d.data_length <= 4000
    AND (
      d.data_type IN ('NUMBER', 'VARCHAR2', 'CHAR', 'DATE', 'RAW')
      OR (d.data_type LIKE 'TIMESTAMP(_)' AND d.data_scale <= 6)
    )
  WHERE c.constraint_type IN ('P', 'U') AND c.status = 'ENABLED' AND c.validated = 'VALIDATED'
) k
WHERE k.columns_usable = k.columns_in_all AND k.columns_in_all <= 8;
COMMENT ON TABLE key_column_v IS 'Columns of keys by which rows can be identified: enabled, validated, NOT NULL, at most 8 columns of types NUMBER, VARCHAR2, CHAR, DATE, TIMESTAMP(0..6), RAW';
COMMENT ON COLUMN key_column_v.key_rank IS '1: the key that is chosen, the primary key before unique ones, those by name';
