-- MINE_VALUE of what is not there.
@@begin.sql
PROMPT ==== 9 MINE_VALUE of what is not there
PROMPT expected: a row of an older version (STATUS 2): NULL, and ROW_ID is there. A column that the table does not have: an error, or NULL
INSERT INTO swap VALUES (1, 'x');
COMMIT;
ALTER TABLE swap ADD (w NUMBER);
ALTER TABLE swap DROP COLUMN w;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT operation, status, info, row_id, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.SWAP.ID') AS redo_id,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.SWAP.ID') AS undo_id
FROM v$logmnr_contents
WHERE data_obj# = (SELECT object_id FROM dba_objects WHERE owner = 'ORAPULL_TRY' AND object_name = 'SWAP' AND object_type = 'TABLE');
PROMPT found, of a column that is not there:
SELECT DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.SWAP.NOTHING') AS redo_nothing,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.SWAP.NOTHING') AS undo_nothing
FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'SWAP' AND operation_code = 1;
@@finish.sql
DELETE FROM swap;
COMMIT;
