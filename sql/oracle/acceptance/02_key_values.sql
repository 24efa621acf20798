-- Where the key is.
@@begin.sql
PROMPT ==== 2 where the key is
PROMPT expected: INSERT: all parts in redo. DELETE: all in undo. UPDATE of another column: all in undo, in redo perhaps not
PROMPT expected: UPDATE of the key: old in undo, new in redo. CHAR padded, DATE and TIMESTAMP as the session formats them, RAW in hexadecimal digits
PROMPT expected: index-organized: the same, with ROW_ID AAAAAAAAAAAAAAAAAA
INSERT INTO keys VALUES (1.5, 'v', 'ab', DATE '2024-02-29', TIMESTAMP '2024-02-29 13:14:15.120', HEXTORAW('00FF'), 'x');
UPDATE keys SET x = 'y';
UPDATE keys SET v = 'w';
DELETE FROM keys;
INSERT INTO iot VALUES (1, 1, 'x');
UPDATE iot SET x = 'y';
UPDATE iot SET part = 2;
DELETE FROM iot;
COMMIT;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT operation, row_id, status, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.KEYS.N') AS redo_n,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.KEYS.N') AS undo_n, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.KEYS.V') AS redo_v,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.KEYS.V') AS undo_v
FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'KEYS' AND operation_code IN (1, 2, 3);
SELECT operation, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.KEYS.C') AS redo_c,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.KEYS.C') AS undo_c, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.KEYS.D') AS redo_d,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.KEYS.D') AS undo_d
FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'KEYS' AND operation_code IN (1, 2, 3);
SELECT operation, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.KEYS.T') AS redo_t,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.KEYS.T') AS undo_t, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.KEYS.R') AS redo_r,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.KEYS.R') AS undo_r
FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'KEYS' AND operation_code IN (1, 2, 3);
SELECT operation, row_id, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.IOT.ID') AS redo_id,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.IOT.ID') AS undo_id, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.IOT.PART') AS redo_part,
  DBMS_LOGMNR.MINE_VALUE(undo_value, 'ORAPULL_TRY.IOT.PART') AS undo_part
FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'IOT' AND operation_code IN (1, 2, 3);
@@finish.sql
