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
  u.owner,
  u.table_name,
  'ANY',
  u.what || ' is NOLOGGING: ALTER TABLE "' || u.owner || '"."' || u.table_name || '" ' || u.remedy || ', or ALTER DATABASE FORCE LOGGING'
FROM (
  SELECT t.owner, t.table_name, 'it' AS what, 'LOGGING' AS remedy
  FROM candidate_table_v t
  WHERE t."LOGGING" = 'NO'
  UNION ALL
  SELECT
    p.table_owner, p.table_name, 'partition "' || p.partition_name || '"',
    'MODIFY PARTITION "' || p.partition_name || '" LOGGING'
  FROM dba_tab_partitions p
  WHERE p."LOGGING" = 'NO'
  UNION ALL
  SELECT
    p.table_owner, p.table_name, 'subpartition "' || p.subpartition_name || '"',
    'MODIFY SUBPARTITION "' || p.subpartition_name || '" LOGGING'
  FROM dba_tab_subpartitions p
  WHERE p."LOGGING" = 'NO'
  UNION ALL
  SELECT l.owner, l.table_name, 'LOB column "' || l.column_name || '"', 'MODIFY LOB ("' || l.column_name || '") (CACHE)'
  FROM dba_lobs l
  WHERE l."LOGGING" = 'NO'
  UNION ALL
  SELECT
    l.table_owner, l.table_name, 'LOB column "' || l.column_name || '" in partition "' || l.partition_name || '"',
    'MODIFY PARTITION "' || l.partition_name || '" LOB ("' || l.column_name || '") (CACHE)'
  FROM dba_lob_partitions l
  WHERE l."LOGGING" = 'NO'
  UNION ALL
  SELECT
    l.table_owner, l.table_name, 'LOB column "' || l.column_name || '" in subpartition "' || l.subpartition_name || '"',
    'MODIFY SUBPARTITION "' || l.subpartition_name || '" LOB ("' || l.column_name || '") (CACHE)'
  FROM dba_lob_subpartitions l
  WHERE l."LOGGING" = 'NO'
) u
CROSS JOIN v$database d
WHERE d.force_logging = 'NO';
COMMENT ON TABLE logging_refusal_v IS 'Tables whose changes may be missing in redo, and how to mend it';
