CREATE OR REPLACE VIEW table_v AS
SELECT
  t.table_id,
  t.owner,
  t.table_name,
  t.identity,
  NVL(s.shape, 'gone') AS shape,
  CASE WHEN d.table_name IS NULL THEN 'REFUSED' ELSE t.state END state,
  CASE WHEN d.table_name IS NULL THEN 'the table does not exist any more' ELSE t.state_detail END state_detail,
  d.num_rows
FROM source_table t
LEFT JOIN dba_tables d ON d.owner = t.owner AND d.table_name = t.table_name
LEFT JOIN shape_v s ON s.table_id = t.table_id;
COMMENT ON TABLE table_v IS 'Contract: registered tables';
COMMENT ON COLUMN table_v.shape IS 'Changes when columns, key or policies change';
COMMENT ON COLUMN table_v.num_rows IS 'Rows as the optimizer statistics say';
