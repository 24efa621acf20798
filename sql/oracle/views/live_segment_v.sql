-- The first six characters of a ROWID are the data object in base 64. Reading at a ROWID whose data object is gone raises ORA-01410.
CREATE OR REPLACE VIEW live_segment_v AS
SELECT
  t.table_id,
  o.data_object_id,
  SUBSTR(b.digits, MOD(FLOOR(o.data_object_id / 1073741824), 64) + 1, 1)
  || SUBSTR(b.digits, MOD(FLOOR(o.data_object_id / 16777216), 64) + 1, 1)
  || SUBSTR(b.digits, MOD(FLOOR(o.data_object_id / 262144), 64) + 1, 1)
  || SUBSTR(b.digits, MOD(FLOOR(o.data_object_id / 4096), 64) + 1, 1)
  || SUBSTR(b.digits, MOD(FLOOR(o.data_object_id / 64), 64) + 1, 1)
  || SUBSTR(b.digits, MOD(o.data_object_id, 64) + 1, 1) AS rowid_prefix
FROM source_table t
JOIN dba_objects o ON o.owner = t.owner AND o.object_name = t.table_name
CROSS JOIN (SELECT 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/' AS digits FROM dual) b
WHERE o.object_type IN ('TABLE', 'TABLE PARTITION', 'TABLE SUBPARTITION') AND o.data_object_id IS NOT NULL;
COMMENT ON TABLE live_segment_v IS 'Segments that registered tables have now, and how ROWIDs in them begin';
