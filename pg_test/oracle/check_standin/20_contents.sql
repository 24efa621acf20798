-- V$LOGMNR_CONTENTS: which rows come.
SELECT "TEST"."RESET"();
SELECT "TEST"."TX"(1, 100);
SELECT "TEST"."INSERT"(1, 'X', '{"ID": 1, "V": null}', 110), "TEST"."UPDATE"(1, 'X', 'AAAAAAAAAAAAAAAAAB', '{"ID": 1}', '{"V": "b"}', 120);
SELECT "TEST"."COMMIT"(1, 130);
SELECT "TEST"."ADVANCE"(1000);
SELECT pg_temp.same('both ends are included', pg_temp.mined(100, 130, 16), '6@100 1@110 3@120 7@130');
SELECT pg_temp.same('nothing else is', pg_temp.mined(101, 129, 16), '1@110 3@120');
SELECT pg_temp.same('without COMMITTED_DATA_ONLY a transaction that is cut comes in part', pg_temp.mined(100, 129, 16),
    '6@100 1@110 3@120');

SELECT pg_temp.same('values', pg_temp.mined(110, 120, 16,
    $q$concat_ws('/', coalesce("DBMS_LOGMNR"."MINE_VALUE"("REDO_VALUE", 'APP.X.ID'), '-'),
    coalesce("DBMS_LOGMNR"."MINE_VALUE"("UNDO_VALUE", 'APP.X.ID'), '-'), coalesce("DBMS_LOGMNR"."MINE_VALUE"("REDO_VALUE", 'APP.X.V'), '-'),
    "DBMS_LOGMNR"."COLUMN_PRESENT"("REDO_VALUE", 'APP.X.V'), "DBMS_LOGMNR"."COLUMN_PRESENT"("UNDO_VALUE", 'APP.X.V'))$q$),
        '1/-/-/1/0 -/1/b/1/0');
SELECT pg_temp.refused('a column that is not fully named', 'ORA-00904: %', $q$SELECT "DBMS_LOGMNR"."MINE_VALUE"('{}', 'ID')$q$);
SELECT pg_temp.refused('no column', 'ORA-00904: %', $q$SELECT "DBMS_LOGMNR"."MINE_VALUE"('{}', NULL)$q$);

-- Redo that is not on disk yet is not there, and comes later.
SELECT "TEST"."INSERT"(2, 'X', '{"ID": 2}', 1200);
SELECT "TEST"."FLUSH"(1150);
SELECT pg_temp.same('before the flush', pg_temp.mined(1000, 1149, 16), NULL);
SELECT pg_temp.refused('up to the last flushed SCN', 'ORA-01291: %', 'SELECT pg_temp.start(1000, 1150)');
SELECT "TEST"."FLUSH"(1300);
SELECT pg_temp.same('after the flush', pg_temp.mined(1000, 1299, 16), '6@1200 1@1200');

-- A seam hides a LOB operation on both of its sides.
SELECT "TEST"."LOB"(3, 'INSERT', 'X', 'AAAAAAAAAAAAAAAAAC', '{"ID": 5}', 2000, 2040);
SELECT "TEST"."COMMIT"(3, 2050);
SELECT "TEST"."ADVANCE"(3000);
SELECT pg_temp.same('before the seam', pg_temp.mined(2000, 2020, 16), '6@2000');
SELECT pg_temp.same('behind the seam', pg_temp.mined(2021, 2060, 16), '7@2050');
SELECT pg_temp.same('without a seam', pg_temp.mined(2000, 2060, 16), '6@2000 1@2000 9@2020 10@2020 10@2040 3@2040 7@2050');
SELECT pg_temp.same('a sentinel is no ROWID', pg_temp.mined(2000, 2040, 16, $q$nullif("ROW_ID", 'AAAAAAAAAAAAAAAAAA')$q$), NULL);
SELECT "TEST"."LOB"(4, s.shape, 'X', 'AAAAAAAAAAAAAAAAAD', '{"ID": 6}', 2100 + 10 * s.n, 2106 + 10 * s.n)
FROM unnest('{INLINE,UPDATE,WRITE,BASICFILE,LOST,XML,32K}'::text[]) WITH ORDINALITY s (shape, n);
SELECT pg_temp.same('shapes of LOB operations, with what tells the row', pg_temp.mined(2100, 2200, 16, $q$"OPERATION_CODE" || CASE
        WHEN "ROW_ID" <> 'AAAAAAAAAAAAAAAAAA' THEN 'r' WHEN "SQL_REDO" LIKE '%"ID" = ''6''%' THEN 't'
        WHEN "DBMS_LOGMNR"."MINE_VALUE"(coalesce("REDO_VALUE", "UNDO_VALUE"), 'APP.X.ID') = '6' THEN 'k' ELSE '' END$q$),
    '6 1k 3r 9t 10 3k 9 0r 10 10 0r 9 10 68t 70 71 91t 92 93');

-- Rows of one array delete share RS_ID and SSN.
SELECT "TEST"."DELETE_MANY"(5, 'X', '{"AAAAAAAAAAAAAAAAAE": {"ID": 7}, "AAAAAAAAAAAAAAAAAF": {"ID": 8}}', 2300);
SELECT pg_temp.mined(2300, 2301, 16, '1::text');
SELECT pg_temp.same('an array delete', (
    SELECT concat_ws(' ', count(*), count(DISTINCT ("RS_ID", "SSN")), count(DISTINCT "ROW_ID")) FROM "SYS"."V$LOGMNR_CONTENTS"
        WHERE "OPERATION_CODE" = 2), '2 1 2');

-- Any column of any row can be told; rows of slaves name their parent.
SELECT "TEST"."REDO"(6, 255, 'X', 2400, p_more => '{"STATUS": 3, "INFO": "no supplemental log data found", "PXIDUSN": 7, "PXIDSLT": 1, "PXIDSQN": 7,
                                                     "SRC_CON_UID": 42, "SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 77", "DATA_OBJ#": 77}');
SELECT pg_temp.same('a row as told', pg_temp.mined(2400, 2401, 16,
    $q$concat_ws(' ', "OPERATION", "STATUS", "INFO", "PXIDUSN", "SRC_CON_UID", "SEG_OWNER", "TABLE_NAME", "DATA_OBJ#")$q$),
    'UNSUPPORTED 3 no supplemental log data found 7 42 UNKNOWN OBJ# 77 77');

-- Each read is counted, also one that is rolled back.
SELECT "TEST"."RESET"();
SELECT "TEST"."ADVANCE"(1000);
SELECT pg_temp.mined(100, 200, 16);
BEGIN;
SELECT count(*) FROM "SYS"."V$LOGMNR_CONTENTS";
ROLLBACK;
SELECT 1 FROM "SYS"."V$LOGMNR_CONTENTS" UNION ALL SELECT 2 FROM "SYS"."V$LOGMNR_CONTENTS";
SELECT pg_temp.same('reads are counted', "TEST"."SCANS"()::text, '4');
SELECT "DBMS_LOGMNR"."END_LOGMNR"();
