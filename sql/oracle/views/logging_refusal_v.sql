-- What is not in redo is lost without a trace, unless the database logs by force.
CREATE OR REPLACE VIEW logging_refusal_v AS
SELECT
  t.owner,
  t.table_name,
  'ANY' AS applies_to,
  'the database writes no supplemental log: ALTER DATABASE ADD SUPPLEMENTAL LOG DATA' AS finding
FROM candidate_table_v t
CROSS JOIN v$database d
WHERE
  d.supplemental_log_data_min NOT IN ('YES', 'IMPLICIT')
  AND NOT EXISTS (SELECT 1 FROM dba_supplemental_logging s WHERE s.minimal = 'YES')
UNION ALL
SELECT
  t.owner,
  t.table_name,
  'ANY',
  'it is NOLOGGING: ALTER TABLE "' || t.owner || '"."' || t.table_name || '" LOGGING, or ALTER DATABASE FORCE LOGGING'
FROM candidate_table_v t
CROSS JOIN v$database d
WHERE t."LOGGING" = 'NO' AND d.force_logging = 'NO'
UNION ALL
SELECT
  p.table_owner,
  p.table_name,
  'ANY',
  'partition "' || p.partition_name || '" is NOLOGGING: ALTER TABLE "' || p.table_owner || '"."' || p.table_name
  || '" MODIFY PARTITION "' || p.partition_name || '" LOGGING, or ALTER DATABASE FORCE LOGGING'
FROM dba_tab_partitions p
CROSS JOIN v$database d
WHERE p."LOGGING" = 'NO' AND d.force_logging = 'NO'
UNION ALL
SELECT
  p.table_owner,
  p.table_name,
  'ANY',
  'subpartition "' || p.subpartition_name || '" is NOLOGGING: ALTER TABLE "' || p.table_owner || '"."' || p.table_name
  || '" MODIFY SUBPARTITION "' || p.subpartition_name || '" LOGGING, or ALTER DATABASE FORCE LOGGING'
FROM dba_tab_subpartitions p
CROSS JOIN v$database d
WHERE p."LOGGING" = 'NO' AND d.force_logging = 'NO'
UNION ALL
SELECT
  l.owner,
  l.table_name,
  'ANY',
  'LOB column "' || l.column_name || '" is NOLOGGING: ALTER TABLE "' || l.owner || '"."' || l.table_name
  || '" MODIFY LOB ("' || l.column_name || '") (CACHE), or ALTER DATABASE FORCE LOGGING'
FROM dba_lobs l
CROSS JOIN v$database d
WHERE l."LOGGING" = 'NO' AND d.force_logging = 'NO';
COMMENT ON TABLE logging_refusal_v IS 'Tables whose changes may be missing in redo, and how to mend it';
