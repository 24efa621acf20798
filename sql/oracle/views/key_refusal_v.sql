CREATE OR REPLACE VIEW key_refusal_v AS
-- Without the key in redo, a change would only say at which ROWID it was.
SELECT
  c.owner,
  c.table_name,
  'KEY' AS applies_to,
  CASE c.constraint_type
    WHEN 'P' THEN
      'the primary key is not logged: ALTER TABLE "' || c.owner || '"."' || c.table_name
      || '" ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY) COLUMNS'
    ELSE
      'the unique key "' || c.constraint_name || '" is not logged: ALTER TABLE "' || c.owner || '"."' || c.table_name
      || '" ADD SUPPLEMENTAL LOG GROUP "' || SUBSTR(c.table_name, 1, 22) || '_ORAPULL" ('
      || LISTAGG('"' || c.column_name || '"', ', ') WITHIN GROUP (ORDER BY c.position) || ') ALWAYS'
  END finding
FROM key_column_v c
CROSS JOIN v$database d
-- Groups that are logged always; conditional ones are written only when a column of them changes.
LEFT JOIN (
  SELECT DISTINCT l.owner, l.table_name, l.column_name
  FROM dba_log_groups g
  JOIN dba_log_group_columns l
    ON l.owner = g.owner AND l.table_name = g.table_name AND l.log_group_name = g.log_group_name
  WHERE g.log_group_type = 'USER LOG GROUP' AND g.always = 'ALWAYS' AND l.logging_property = 'LOG'
) l ON l.owner = c.owner AND l.table_name = c.table_name AND l.column_name = c.column_name
WHERE
  c.key_rank = 1
  AND d.supplemental_log_data_all = 'NO'
  AND NOT (c.constraint_type = 'P' AND d.supplemental_log_data_pk = 'YES')
  AND NOT EXISTS (
    SELECT 1
    FROM dba_log_groups g
    WHERE
      g.owner = c.owner
      AND g.table_name = c.table_name
      AND (
        g.log_group_type = 'ALL COLUMN LOGGING'
        OR (c.constraint_type = 'P' AND g.log_group_type = 'PRIMARY KEY LOGGING')
      )
  )
GROUP BY c.owner, c.table_name, c.constraint_name, c.constraint_type
HAVING COUNT(l.column_name) < COUNT(*)
UNION ALL
SELECT
  c.owner,
  c.table_name,
  'KEY',
  'the primary key "' || c.constraint_name || '" is ' || LOWER(c.status) || ', ' || LOWER(c.validated) || ': ALTER TABLE "'
  || c.owner || '"."' || c.table_name || '" ENABLE VALIDATE CONSTRAINT "' || c.constraint_name
  || '", or register the table with identity ROWID'
FROM dba_constraints c
WHERE
  c.constraint_type = 'P'
  AND (c.status <> 'ENABLED' OR c.validated <> 'VALIDATED')
  AND NOT EXISTS (SELECT 1 FROM key_column_v k WHERE k.owner = c.owner AND k.table_name = c.table_name)
UNION ALL
-- MINE_VALUE is told OWNER.TABLE.COLUMN.
SELECT DISTINCT
  c.owner,
  c.table_name,
  'KEY',
  'the name of its owner, its own, or that of a column of its key has a point or a quote in it, which MINE_VALUE cannot be told: '
  || 'register the table with identity ROWID'
FROM key_column_v c
WHERE
  c.key_rank = 1
  AND (
    c.owner LIKE '%.%'
    OR c.table_name LIKE '%.%'
    OR c.column_name LIKE '%.%'
    OR c.owner LIKE '%"%'
    OR c.table_name LIKE '%"%'
    OR c.column_name LIKE '%"%'
  )
UNION ALL
SELECT
  t.owner,
  t.table_name,
  'ANY',
  'its rows have no ROWID (index-organized), and its primary key cannot be an identity: at most 8 columns of types '
  || 'NUMBER, VARCHAR2, CHAR, DATE, TIMESTAMP(0..6), RAW'
FROM candidate_table_v t
WHERE
  t.iot_type = 'IOT'
  AND NOT EXISTS (SELECT 1 FROM key_column_v k WHERE k.owner = t.owner AND k.table_name = t.table_name);
COMMENT ON TABLE key_refusal_v IS 'Tables whose key cannot be read from redo, or is none, and how to mend it';
