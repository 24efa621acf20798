-- LogMiner leaves out a table for an invisible column too, which is hidden and was made by a user.
CREATE OR REPLACE VIEW column_refusal_v AS
SELECT c.owner, c.table_name, 'ANY' AS applies_to, 'it has ' || COUNT(*) || ' columns, more than 990' AS finding
FROM dba_tab_cols c
WHERE c.hidden_column = 'NO'
GROUP BY c.owner, c.table_name
HAVING COUNT(*) > 990
UNION ALL
SELECT c.owner, c.table_name, 'ANY', 'column "' || c.column_name || '": names that begin with P$ are reserved'
FROM dba_tab_cols c
WHERE c.hidden_column = 'NO' AND c.column_name LIKE 'P$%'
UNION ALL
SELECT c.owner, c.table_name, 'ANY', 'column "' || c.column_name || '": the name has more than 30 bytes, which LogMiner does not support'
FROM dba_tab_cols c
WHERE (c.hidden_column = 'NO' OR c.user_generated = 'YES') AND LENGTHB(c.column_name) > 30
UNION ALL
-- Objects, VARRAYs, nested tables and references: a type may have the name of one of Oracle's.
SELECT
  c.owner, c.table_name, 'ANY', 'column "' || c.column_name || '": type "' || c.data_type_owner || '"."' || c.data_type || '" is not supported'
FROM dba_tab_cols c
WHERE (c.hidden_column = 'NO' OR c.user_generated = 'YES') AND c.data_type_owner NOT IN ('SYS', 'PUBLIC')
UNION ALL
SELECT c.owner, c.table_name, 'ANY', 'column "' || c.column_name || '": type ' || c.data_type || ' is not supported'
FROM dba_tab_cols c
WHERE
  (c.hidden_column = 'NO' OR c.user_generated = 'YES')
  AND (c.data_type_owner IS NULL OR c.data_type_owner IN ('SYS', 'PUBLIC'))
  AND c.data_type NOT IN (
    'NUMBER', 'FLOAT', 'BINARY_FLOAT', 'BINARY_DOUBLE', 'VARCHAR2', 'NVARCHAR2', 'CHAR', 'NCHAR', 'DATE', 'RAW',
    'LONG', 'LONG RAW', 'CLOB', 'NCLOB', 'BLOB', 'XMLTYPE', 'JSON', 'BOOLEAN', 'VECTOR'
  )
  AND c.data_type NOT LIKE 'TIMESTAMP(_)'
  AND c.data_type NOT LIKE 'TIMESTAMP(_) WITH TIME ZONE'
  AND c.data_type NOT LIKE 'TIMESTAMP(_) WITH LOCAL TIME ZONE'
  AND c.data_type NOT LIKE 'INTERVAL YEAR(_) TO MONTH'
  AND c.data_type NOT LIKE 'INTERVAL DAY(_) TO SECOND(_)'
UNION ALL
SELECT
  c.owner,
  c.table_name,
  'ANY',
  'row archival hides rows from whoever does not ask for them: ALTER TABLE "' || c.owner || '"."' || c.table_name || '" NO ROW ARCHIVAL'
FROM dba_tab_cols c
WHERE c.column_name = 'ORA_ARCHIVE_STATE';
COMMENT ON TABLE column_refusal_v IS 'Tables that cannot be registered for what their columns are';
