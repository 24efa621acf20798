CREATE OR REPLACE VIEW warning_v AS
SELECT
  t.owner,
  t.table_name,
  'ANY' AS applies_to,
  'no usable key, so identity is ROWID: whatever moves rows (MOVE, SHRINK SPACE, partition operations) needs a resync' AS finding
FROM candidate_table_v t
WHERE NOT EXISTS (SELECT 1 FROM key_column_v k WHERE k.owner = t.owner AND k.table_name = t.table_name)
UNION ALL
SELECT
  t.owner,
  t.table_name,
  'ROWID',
  'ROW MOVEMENT is enabled: SHRINK SPACE and FLASHBACK TABLE would give its rows new ROWIDs'
FROM candidate_table_v t
WHERE t.row_movement = 'ENABLED'
UNION ALL
SELECT DISTINCT
  c.owner,
  c.table_name,
  'ROWID',
  'it has LOB, XML or LONG columns: LogMiner may not say at which ROWID one was changed alone; such a change marks the table incomplete'
FROM dba_tab_cols c
WHERE c.hidden_column = 'NO' AND c.data_type IN ('CLOB', 'NCLOB', 'BLOB', 'XMLTYPE', 'JSON', 'LONG', 'LONG RAW')
UNION ALL
SELECT
  c.owner,
  c.table_name,
  'ANY',
  'column "' || c.column_name || '" is invisible and is not pulled: ALTER TABLE "' || c.owner || '"."' || c.table_name
  || '" MODIFY ("' || c.column_name || '" VISIBLE)'
FROM dba_tab_cols c
WHERE c.hidden_column = 'YES' AND c.user_generated = 'YES' AND c.column_name <> 'ORA_ARCHIVE_STATE';
COMMENT ON TABLE warning_v IS 'What will work less well than it could';
