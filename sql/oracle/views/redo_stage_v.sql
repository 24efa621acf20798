-- The same rows as they are staged: what kind of pointer each gives, and the keys before and after the change.
-- LogMiner writes the key of a change into the redo half, the undo half, or both: a part is known when either has it, and
-- has changed when both have it and differ. A key is taken whole or not at all.
CREATE OR REPLACE VIEW redo_stage_v AS
SELECT
  x.seq, x.con_uid, x.xidusn, x.xidslt, x.xidsqn, x.scn, x.commit_scn, x.op, x.table_id, x.has_lob,
  CASE
    WHEN x.table_id IS NULL OR x.op = 34 THEN NULL
    -- A T empties the table in the shards; on doubt, which is all that the text alone or a number gives, it is a U.
    WHEN x.op = 5 AND x.is_named = 'N' THEN REPLACE(redo_text.ddl_kind(x.ddl_text, x.info, x.by_rowid), 'T', 'U')
    WHEN x.op = 5 THEN redo_text.ddl_kind(x.ddl_text, x.info, x.by_rowid)
    WHEN x.key_known = 1 OR (x.identity = 'ROWID' AND x.row_id IS NOT NULL) THEN 'R'
    -- From here on: a table with a key, and a row of it without one; or a row of which nothing is known. What LogMiner does
    -- not know the columns of is older than a DDL, which may have moved the row.
    WHEN x.row_id IS NOT NULL AND x.op = 0 THEN 'R'
    -- An update that was not asked for its key may have changed it.
    WHEN x.op = 3 AND x.key_asked = 'N' THEN 'U'
    WHEN x.row_id IS NOT NULL AND x.key_touched = 0 AND x.status <> 2
      AND x.op IN (1, 3, 9, 10, 11, 29, 68, 70, 71, 91, 92, 93) THEN 'R'
    WHEN x.row_id IS NULL AND x.op IN (9, 10, 11, 29, 68, 70, 71, 91, 92, 93) THEN 'L'
    WHEN x.row_id IS NULL AND x.key_touched = 0 AND x.has_lob = 'Y' AND x.op IN (1, 3) THEN 'L'
    ELSE 'U'
  END AS kind,
  x.row_id,
  CASE WHEN x.key_known = 1 THEN NVL(x.r1, x.u1) END AS k1,
  CASE WHEN x.key_known = 1 THEN NVL(x.r2, x.u2) END AS k2,
  CASE WHEN x.key_known = 1 THEN NVL(x.r3, x.u3) END AS k3,
  CASE WHEN x.key_known = 1 THEN NVL(x.r4, x.u4) END AS k4,
  CASE WHEN x.key_known = 1 THEN NVL(x.r5, x.u5) END AS k5,
  CASE WHEN x.key_known = 1 THEN NVL(x.r6, x.u6) END AS k6,
  CASE WHEN x.key_known = 1 THEN NVL(x.r7, x.u7) END AS k7,
  CASE WHEN x.key_known = 1 THEN NVL(x.r8, x.u8) END AS k8,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u1, x.r1) END AS o1,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u2, x.r2) END AS o2,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u3, x.r3) END AS o3,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u4, x.r4) END AS o4,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u5, x.r5) END AS o5,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u6, x.r6) END AS o6,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u7, x.r7) END AS o7,
  CASE WHEN x.key_known = 1 AND x.key_touched = 1 THEN NVL(x.u8, x.r8) END AS o8,
  CASE WHEN x.op = 5 THEN redo_text.ddl_note(x.ddl_text) WHEN x.status <> 0 THEN SUBSTR(x.info, 1, 100) END AS note
FROM (
  SELECT
    y.seq, y.con_uid, y.xidusn, y.xidslt, y.xidsqn, y.scn, y.commit_scn, y.op, y.status, y.info, y.ddl_text,
    y.table_id, y.identity, y.has_lob, y.row_id, y.is_named, y.key_asked,
    CASE WHEN y.identity = 'ROWID' OR y.has_lob = 'Y' THEN 'Y' ELSE 'N' END AS by_rowid,
    y.r1, y.u1, y.r2, y.u2, y.r3, y.u3, y.r4, y.u4,
    y.r5, y.u5, y.r6, y.u6, y.r7, y.u7, y.r8, y.u8,
    CASE
      WHEN y.key_count > 0 AND NVL(y.r1, y.u1) IS NOT NULL
        AND (y.key_count < 2 OR NVL(y.r2, y.u2) IS NOT NULL)
        AND (y.key_count < 3 OR NVL(y.r3, y.u3) IS NOT NULL)
        AND (y.key_count < 4 OR NVL(y.r4, y.u4) IS NOT NULL)
        AND (y.key_count < 5 OR NVL(y.r5, y.u5) IS NOT NULL)
        AND (y.key_count < 6 OR NVL(y.r6, y.u6) IS NOT NULL)
        AND (y.key_count < 7 OR NVL(y.r7, y.u7) IS NOT NULL)
        AND (y.key_count < 8 OR NVL(y.r8, y.u8) IS NOT NULL) THEN 1
      ELSE 0
    END AS key_known,
    CASE
      WHEN y.r1 <> y.u1 OR y.r2 <> y.u2 OR y.r3 <> y.u3 OR y.r4 <> y.u4
        OR y.r5 <> y.u5 OR y.r6 <> y.u6 OR y.r7 <> y.u7 OR y.r8 <> y.u8 THEN 1
      ELSE 0
    END AS key_touched
  FROM redo_row_v y
) x;
COMMENT ON TABLE redo_stage_v IS 'Rows of the started LogMiner session in the shape of STAGE_0';
