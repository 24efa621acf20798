-- Redo has no virtual columns, and MINE_VALUE gives at most 4000 bytes, so both cannot be part of a key.
CREATE OR REPLACE VIEW key_column_v AS
SELECT
  c.owner,
  c.table_name,
  c.constraint_name,
  c.constraint_type,
  n.position,
  n.column_name,
  DENSE_RANK() OVER (PARTITION BY c.owner, c.table_name ORDER BY c.constraint_type, c.constraint_name) AS key_rank
FROM dba_constraints c
JOIN dba_cons_columns n ON n.owner = c.owner AND n.constraint_name = c.constraint_name
WHERE
  c.constraint_type IN ('P', 'U')
  AND c.status = 'ENABLED'
  AND c.validated = 'VALIDATED'
  AND NOT EXISTS (
    SELECT 1
    FROM dba_cons_columns x
    WHERE
      x.owner = c.owner
      AND x.constraint_name = c.constraint_name
      AND NOT EXISTS (
        SELECT 1
        FROM dba_tab_cols d
        WHERE
          d.owner = x.owner
          AND d.table_name = x.table_name
          AND d.column_name = x.column_name
          AND x.position <= 8
          AND d.nullable = 'N'
          AND d.virtual_column = 'NO'
          AND d.data_length <= 4000
          AND (
            d.data_type IN ('NUMBER', 'VARCHAR2', 'CHAR', 'DATE', 'RAW')
            OR (d.data_type LIKE 'TIMESTAMP(_)' AND d.data_scale <= 6)
          )
      )
  );
COMMENT ON TABLE key_column_v IS 'Columns of keys by which rows can be identified: enabled, validated, NOT NULL, at most 8 columns of types NUMBER, VARCHAR2, CHAR, DATE, TIMESTAMP(0..6), RAW';
COMMENT ON COLUMN key_column_v.key_rank IS '1: the key that is chosen, the primary key before unique ones, those by name';
