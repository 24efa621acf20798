-- TRUNCATE and MOVE draw a new number for a segment, and so does what the database does by itself. EXCHANGE PARTITION swaps two that
-- exist, and the rows with them; so a number that existed at the last look is that of rows which no redo of this table tells. A
-- partition begins with its own number. LOB segments are not looked at: they change with their table, or none of its rows does.
CREATE OR REPLACE VIEW changed_segment_v AS
SELECT
  o.table_id,
  o.object_id,
  o.data_object_id,
  t.looked_scn,
  CASE WHEN o.data_object_id > t.newest_object THEN 'Y' ELSE 'N' END AS is_new,
  CASE WHEN k.data_object_id IS NULL THEN 'Y' ELSE 'N' END AS is_first
FROM registered_object_v o
JOIN source_table t ON t.table_id = o.table_id
JOIN source_object k ON k.object_id = o.object_id
WHERE o.object_kind = 'TABLE' AND o.data_object_id <> NVL(k.data_object_id, k.object_id);
COMMENT ON TABLE changed_segment_v IS 'Objects of registered tables whose segment has another number than when it was last looked at';
COMMENT ON COLUMN changed_segment_v.is_new IS 'N: a segment has the number that existed before';
COMMENT ON COLUMN changed_segment_v.is_first IS 'Y: the object was created after the last look';
