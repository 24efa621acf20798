-- Names of 31 bytes: of a table, of a column, of an owner.
@@begin.sql
PROMPT ==== 7 names of 31 bytes: of a table, of a column, of an owner
PROMPT expected: of each, UNSUPPORTED rows, or no row at all; perhaps with a ROW_ID. Registration refuses all three
INSERT INTO a_table_with_a_name_of_31_bytes VALUES (1, 'x');
UPDATE a_table_with_a_name_of_31_bytes SET v = 'y';
DELETE FROM a_table_with_a_name_of_31_bytes;
INSERT INTO long_column VALUES (1, 'x', 'x');
UPDATE long_column SET v = 'y';
UPDATE long_column SET a_column_that_has_31_bytes_here = 'y';
DELETE FROM long_column;
INSERT INTO orapull_try_owner_with_31_bytes.plain VALUES (1, 'x');
UPDATE orapull_try_owner_with_31_bytes.plain SET v = 'y';
DELETE FROM orapull_try_owner_with_31_bytes.plain;
COMMIT;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT
  CASE o.object_name WHEN 'LONG_COLUMN' THEN 'column' WHEN 'PLAIN' THEN 'owner' ELSE 'table' END AS what, c.operation, c.status, c.row_id,
  c.seg_owner, c.table_name, c.info
FROM dba_objects o
LEFT JOIN v$logmnr_contents c ON c.data_obj# = o.object_id
WHERE o.owner = 'ORAPULL_TRY' AND o.object_name IN ('A_TABLE_WITH_A_NAME_OF_31_BYTES', 'LONG_COLUMN') AND o.object_type = 'TABLE'
  OR o.owner = 'ORAPULL_TRY_OWNER_WITH_31_BYTES' AND o.object_name = 'PLAIN'
ORDER BY o.object_name, c.scn;
@@finish.sql
