CREATE OR REPLACE VIEW column_v AS
SELECT
  t.table_id,
  c.column_id AS position,
  c.column_name,
  c.data_type,
  c.data_length,
  c.char_length,
  c.data_precision,
  c.data_scale,
  c.nullable,
  k.key_position
FROM source_table t
JOIN dba_tab_cols c ON c.owner = t.owner AND c.table_name = t.table_name AND c.hidden_column = 'NO'
LEFT JOIN source_column k ON k.table_id = t.table_id AND k.column_name = c.column_name;
COMMENT ON TABLE column_v IS 'Contract: columns of registered tables, as the table has them now';
COMMENT ON COLUMN column_v.key_position IS 'Place in the key, from 1; NULL: no part of it';
