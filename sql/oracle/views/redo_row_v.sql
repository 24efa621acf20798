-- The rows of the started LogMiner session that matter: what registered tables tell, and what begins and ends transactions.
-- V$LOGMNR_CONTENTS is read once, as the outer side, and nothing sorts: MINE_VALUE takes handles that are good for the
-- current row only. It is not merged into its readers, or they would mine a value as often as they name it.
--
-- DDL whose table LogMiner cannot name, or that concerns a second table (EXCHANGE, RENAME), is that of every registered table whose
-- name its text has, if its owner is known from the row or the text, or from neither. Only such a row is joined with all of them (d),
-- by a hash join too: SIGN(table_id) is 1.
CREATE OR REPLACE VIEW redo_row_v AS
SELECT /*+ NO_MERGE LEADING(l) USE_HASH(s n o d t)
           SWAP_JOIN_INPUTS(s) SWAP_JOIN_INPUTS(n) SWAP_JOIN_INPUTS(o) SWAP_JOIN_INPUTS(d) SWAP_JOIN_INPUTS(t) NO_PARALLEL */
  l.seq,
  NVL(l.src_con_uid, 0) AS con_uid,
  -- Changes of parallel DML belong to the parent; an end is only that of the transaction that it names.
  NVL(CASE WHEN l.pxidsqn > 0 AND l.operation_code NOT IN (7, 36) THEN l.pxidusn ELSE l.xidusn END, 0) AS xidusn,
  NVL(CASE WHEN l.pxidsqn > 0 AND l.operation_code NOT IN (7, 36) THEN l.pxidslt ELSE l.xidslt END, 0) AS xidslt,
  NVL(CASE WHEN l.pxidsqn > 0 AND l.operation_code NOT IN (7, 36) THEN l.pxidsqn ELSE l.xidsqn END, 0) AS xidsqn,
  NVL(l.scn, 0) AS scn,
  l.commit_scn,
  CASE WHEN l.status IN (1291, 1343) THEN 34 ELSE l.operation_code END AS op,
  NVL(l.status, 0) AS status,
  l.info,
  t.table_id,
  t.identity,
  t.key_count,
  t.has_lob,
  CASE
    WHEN t.is_iot = 'N' AND NVL(o.object_kind, 'TABLE') = 'TABLE' AND l.row_id <> 'AAAAAAAAAAAAAAAAAA' THEN l.row_id
  END AS row_id,
  CASE WHEN l.operation_code = 5 THEN l.sql_redo END AS ddl_text,
  CASE WHEN t.table_id = n.table_id THEN 'Y' ELSE 'N' END AS is_named,
  -- MINE_VALUE takes a name: a row that only its object number tells of, or of a table whose key is not there any more, has not
  -- been asked for its key.
  CASE WHEN t.key_count > 0 AND n.k1_path IS NULL THEN 'N' ELSE 'Y' END AS key_asked,
  CASE
    WHEN n.k1_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k1_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k1_path)
  END AS r1,
  CASE
    WHEN n.k1_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k1_path)
  END AS u1,
  CASE
    WHEN n.k2_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k2_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k2_path)
  END AS r2,
  CASE
    WHEN n.k2_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k2_path)
  END AS u2,
  CASE
    WHEN n.k3_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k3_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k3_path)
  END AS r3,
  CASE
    WHEN n.k3_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k3_path)
  END AS u3,
  CASE
    WHEN n.k4_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k4_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k4_path)
  END AS r4,
  CASE
    WHEN n.k4_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k4_path)
  END AS u4,
  CASE
    WHEN n.k5_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k5_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k5_path)
  END AS r5,
  CASE
    WHEN n.k5_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k5_path)
  END AS u5,
  CASE
    WHEN n.k6_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k6_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k6_path)
  END AS r6,
  CASE
    WHEN n.k6_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k6_path)
  END AS u6,
  CASE
    WHEN n.k7_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k7_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k7_path)
  END AS r7,
  CASE
    WHEN n.k7_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k7_path)
  END AS u7,
  CASE
    WHEN n.k8_path IS NULL OR l.operation_code IN (0, 5) THEN NULL
    WHEN l.operation_code IN (9, 68, 91) THEN redo_text.where_value(l.sql_redo, n.k8_path)
    ELSE dbms_logmnr.mine_value(l.redo_value, s.column_prefix || n.k8_path)
  END AS r8,
  CASE
    WHEN n.k8_path IS NOT NULL AND l.operation_code NOT IN (0, 5) THEN dbms_logmnr.mine_value(l.undo_value, s.column_prefix || n.k8_path)
  END AS u8
FROM (
  SELECT
    ROWNUM AS seq, c.scn, c.commit_scn, c.src_con_uid, c.src_con_name, c.xidusn, c.xidslt, c.xidsqn, c.pxidusn, c.pxidslt,
    c.pxidsqn, c.operation_code, c.rollback, c.status, c.info, c.seg_owner, c.table_name, c.data_obj#, c.row_id, c.sql_redo,
    c.redo_value, c.undo_value
  FROM v$logmnr_contents c
) l
CROSS JOIN setting s
LEFT JOIN source_table n ON n.owner = l.seg_owner AND n.table_name = l.table_name
LEFT JOIN source_object o ON o.object_id = l.data_obj#
LEFT JOIN source_table d
  ON SIGN(d.table_id) = CASE
    WHEN l.operation_code <> 5 THEN NULL
    WHEN NVL(l.seg_owner, 'UNKNOWN') = 'UNKNOWN'
      OR NVL(l.table_name, 'OBJ#') LIKE 'OBJ#%'
      OR l.table_name LIKE 'BIN$%'
      OR UPPER(l.sql_redo) LIKE '%EXCHANGE%'
      OR UPPER(l.sql_redo) LIKE '%RENAME%' THEN 1
  END
LEFT JOIN source_table t ON t.table_id = NVL(d.table_id, NVL(n.table_id, o.table_id))
WHERE
  l.operation_code = 34
  OR l.status IN (1291, 1343)
  OR (
    (s.pdb_name IS NULL OR l.src_con_name = s.pdb_name)
    AND (
      l.operation_code IN (6, 7)
      -- A rollback whose transaction began before the redo that is read does not know its own number.
      OR (l.operation_code = 36 AND l.xidsqn <> 4294967295)
      OR (
        t.table_id IS NOT NULL
        AND (
          (l.operation_code IN (1, 2, 3, 9, 10, 11, 29, 68, 70, 71, 91, 92, 93, 255) AND l.rollback = 0)
          -- Housekeeping, but it may carry the ROWID that the rows of a LOB lack.
          OR (
            l.operation_code = 0 AND l.rollback = 0 AND l.row_id <> 'AAAAAAAAAAAAAAAAAA' AND o.object_kind = 'TABLE' AND t.is_iot = 'N'
          )
          OR (
            l.operation_code = 5
            AND (NVL(l.info, '-') NOT LIKE 'INTERNAL DDL%' OR UPPER(LTRIM(l.sql_redo)) LIKE 'TRUNCATE%')
            AND (
              d.table_id IS NULL
              OR d.table_id = n.table_id
              OR d.table_id = o.table_id
              OR (
                redo_text.names(l.sql_redo, d.table_name) = 'Y'
                AND (NVL(l.seg_owner, 'UNKNOWN') IN ('UNKNOWN', d.owner) OR redo_text.names(l.sql_redo, d.owner) = 'Y')
              )
            )
          )
        )
      )
    )
  );
COMMENT ON TABLE redo_row_v IS 'Rows of the started LogMiner session that concern registered tables, or begin or end a transaction; r1 .. r8: key in the redo half, u1 .. u8: in the undo half';
COMMENT ON COLUMN redo_row_v.is_named IS 'N: DDL that does not name the table: its text does, or a number that the table has had, and that may be of a table which was renamed away';
COMMENT ON COLUMN redo_row_v.key_asked IS 'N: the table has a key, and whether the row tells it is not known';
