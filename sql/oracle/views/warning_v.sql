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
WHERE c.hidden_column = 'YES' AND c.user_generated = 'YES' AND c.column_name <> 'ORA_ARCHIVE_STATE'
UNION ALL
-- No reason to refuse: the view is about logical standby databases, for which some tables count as unsupported of which LogMiner tells all
-- that orapull needs. What LogMiner leaves out whole is refused for its types and names. (Oracle Database Reference,
-- DBA_LOGSTDBY_UNSUPPORTED; Utilities, Unsupported Data Types and Table Storage Attributes)
SELECT
  u.owner,
  u.table_name,
  'ANY',
  'Oracle counts it among what a logical standby database, which reads redo as LogMiner does, cannot follow (DBA_LOGSTDBY_UNSUPPORTED: column "'
  || MIN(u.column_name) || '", ' || MIN(u.data_type) || CASE WHEN MIN(u.attributes) IS NOT NULL THEN ', ' || MIN(u.attributes) END
  || '): look whether LogMiner tells its changes, as acceptance/08_unsupported.sql does'
FROM dba_logstdby_unsupported u
GROUP BY u.owner, u.table_name;
COMMENT ON TABLE warning_v IS 'What will work less well than it could';
