-- What redo says of transactions, and COMMITTED_DATA_ONLY.
SELECT "TEST"."RESET"();
SELECT "TEST"."TX"(1, 100), "TEST"."TX"(2, 105), "TEST"."TX"(3, 106);
SELECT "TEST"."INSERT"(1, 'X', '{"ID": 1}', 110), "TEST"."INSERT"(2, 'X', '{"ID": 2}', 111), "TEST"."INSERT"(3, 'X', '{"ID": 3}', 112);
SELECT "TEST"."UNDO"(1, 1, 113);
SELECT "TEST"."REDO"(2, 0, 'X', 114);
SELECT "TEST"."COMMIT"(2, 120), "TEST"."ROLLBACK"(3, 125), "TEST"."COMMIT"(1, 130);
SELECT "TEST"."DDL"(8, 'X', 'ALTER TABLE x ADD c NUMBER', 140);
SELECT "TEST"."INSERT"(4, 'X', '{"ID": 4}', 150);
SELECT "TEST"."ADVANCE"(1000);

SELECT pg_temp.same('the order of time', pg_temp.mined(100, 149, 16, '"XIDUSN" || ''/'' || "OPERATION_CODE"'),
    '1/6 2/6 3/6 1/1 2/1 3/1 1/2 2/0 2/7 3/36 1/7 8/6 8/5 8/7');
SELECT pg_temp.same('COMMITTED_DATA_ONLY: whole transactions, in the order of their commits',
    pg_temp.mined(100, 200, 18, '"XIDUSN" || ''/'' || "OPERATION_CODE" || ''/'' || coalesce("START_SCN"::text, ''-'') || ''/'' || coalesce("COMMIT_SCN"::text, ''-'')'),
    '2/6/105/120 2/1/105/120 2/7/105/120 1/6/100/130 1/1/100/130 1/7/100/130 8/6/140/140 8/5/140/- 8/7/140/140');
SELECT pg_temp.same('COMMITTED_DATA_ONLY: one whose start is outside is lost',
    pg_temp.mined(101, 130, 18, '"XIDUSN" || ''/'' || "OPERATION_CODE"'), '2/6 2/1 2/7');
SELECT pg_temp.same('COMMITTED_DATA_ONLY: one whose commit is outside is lost',
    pg_temp.mined(100, 125, 18, '"XIDUSN" || ''/'' || "OPERATION_CODE"'), '2/6 2/1 2/7');
SELECT pg_temp.same('a commit names its start only when that is in the range',
    pg_temp.mined(101, 130, 16, 'CASE "OPERATION_CODE" WHEN 7 THEN "XIDUSN" || ''/'' || coalesce("START_SCN"::text, ''-'') || ''/'' || "COMMIT_SCN" END'), '2/105/120 1/-/130');
SELECT pg_temp.same('a rollback whose start is outside has no XIDSQN, and no user',
    pg_temp.mined(107, 125, 16, 'CASE WHEN "ROLLBACK" = 1 OR "OPERATION_CODE" IN (36, 7) THEN concat_ws(''/'', "OPERATION_CODE", "XIDSQN", "USERNAME") END'),
    '2/4294967295/UNKNOWN 7/2/UNKNOWN 36/4294967295/UNKNOWN');
SELECT pg_temp.same('a row that undoes knows only the ROWID', pg_temp.mined(113, 114, 16, 'CASE "ROLLBACK" WHEN 1 THEN
    concat_ws(''/'', "OPERATION", "ROW_ID" <> ''AAAAAAAAAAAAAAAAAA'', coalesce("UNDO_VALUE", "REDO_VALUE") IS NULL) END'), 'DELETE/t/t');

SELECT pg_temp.same('open transactions', (SELECT string_agg(concat_ws('/', "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN"), ' ')
    FROM "SYS"."V$TRANSACTION"), '4/1/4/150');
SELECT "TEST"."PREPARE"(4);
SELECT pg_temp.same('an in-doubt one is elsewhere', (
    SELECT concat_ws(' ', (SELECT count(*) FROM "SYS"."GV$TRANSACTION"), "LOCAL_TRAN_ID", "STATE")
        FROM "SYS"."DBA_2PC_PENDING"), '0 4.1.4 prepared');
SELECT "TEST"."TX"(5, 1010), "TEST"."RESTART"(1020);
SELECT pg_temp.same('a restart ends all but these', (
    SELECT concat_ws(' ', (SELECT count(*) FROM "SYS"."GV$TRANSACTION"), (SELECT count(*) FROM "SYS"."DBA_2PC_PENDING"))), '0 1');
SELECT pg_temp.same('... without a record', (SELECT count(*)::text FROM "SYS"."REDO" WHERE "XIDUSN" = 5 AND "OPERATION_CODE" = 36), '0');
SELECT "DBMS_LOGMNR"."END_LOGMNR"();

-- The clock.
SELECT pg_temp.expect('CURRENT_SCN moves with every look',
    (SELECT a."CURRENT_SCN" < b."CURRENT_SCN" FROM "SYS"."V$DATABASE" a, "SYS"."V$DATABASE" b));
SELECT pg_temp.expect('and is beyond all redo', (SELECT "CURRENT_SCN" > (SELECT max("SCN") FROM "SYS"."REDO") FROM "SYS"."V$DATABASE"));
