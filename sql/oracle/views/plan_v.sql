CREATE OR REPLACE VIEW plan_v AS
SELECT p.plan_id, p.table_id, p.chunks
FROM load_plan p
WHERE NOT EXISTS (
  SELECT NULL
  FROM (SELECT DISTINCT g.plan_id, SUBSTR(g.low_rowid, 1, 6) AS rowid_prefix FROM load_range g WHERE g.low_rowid IS NOT NULL) r
  WHERE r.plan_id = p.plan_id
    AND r.rowid_prefix NOT IN (SELECT s.rowid_prefix FROM live_segment_v s WHERE s.table_id = p.table_id)
);
COMMENT ON TABLE plan_v IS 'Contract: plans that hold. Chunks of another have no rows, though the table may: the plan is forgotten, or a segment of it is not that of the table any more (MOVE)';
