-- In groups of ten columns, because a list of all would not fit into a VARCHAR2.
CREATE OR REPLACE VIEW shape_v AS
SELECT g.table_id, RAWTOHEX(STANDARD_HASH(LISTAGG(g.part, ',') WITHIN GROUP (ORDER BY g.part_no, g.part), 'MD5')) AS shape
FROM (
  SELECT
    t.table_id,
    FLOOR((c.column_id - 1) / 10) AS part_no,
    RAWTOHEX(STANDARD_HASH(
      LISTAGG(
        c.column_id || ' ' || c.column_name || ' ' || c.data_type || ' ' || c.data_length || ' ' || c.char_length || ' '
        || NVL(TO_CHAR(c.data_precision), '-') || ' ' || NVL(TO_CHAR(c.data_scale), '-') || ' ' || c.nullable || ' '
        || NVL(TO_CHAR(k.key_position), '-'), '|'
      ) WITHIN GROUP (ORDER BY c.column_id), 'MD5'
    )) AS part
  FROM source_table t
  JOIN dba_tab_cols c ON c.owner = t.owner AND c.table_name = t.table_name AND c.hidden_column = 'NO'
  LEFT JOIN source_column k ON k.table_id = t.table_id AND k.column_name = c.column_name
  GROUP BY t.table_id, FLOOR((c.column_id - 1) / 10)
  UNION ALL
  SELECT t.table_id, -1, p.policy_name || ' ' || p."ENABLE"
  FROM source_table t
  JOIN dba_policies p ON p.object_owner = t.owner AND p.object_name = t.table_name
  UNION ALL
  SELECT t.table_id, -2, p.policy_name || ' ' || p."ENABLE"
  FROM source_table t
  JOIN redaction_policies p ON p.object_owner = t.owner AND p.object_name = t.table_name
  UNION ALL
  SELECT t.table_id, -3, 'archival'
  FROM source_table t
  JOIN dba_tab_cols c ON c.owner = t.owner AND c.table_name = t.table_name AND c.column_name = 'ORA_ARCHIVE_STATE'
) g
GROUP BY g.table_id;
COMMENT ON TABLE shape_v IS 'Hash of what decides how a registered table looks: columns, key, policies, row archival';
