-- Capture: what ordinary transactions write, and when.
SELECT "TEST"."RESET"();
CREATE TABLE "APP"."ORDERS" ("ID" numeric(10), "CODE" char(3), "V" varchar(10), PRIMARY KEY ("ID", "CODE"));
CREATE TABLE "APP"."NOTES" ("N" numeric, "V" text);
SELECT "TEST"."ADD_ROWID"('APP', t), "TEST"."CAPTURE"('APP', t) FROM unnest('{ORDERS,NOTES}'::text[]) t;

-- Mines all redo beyond the mark in SCN order.
CREATE TEMPORARY TABLE mark (scn numeric);
INSERT INTO mark VALUES (1);
CREATE FUNCTION pg_temp.new_redo(p_what text DEFAULT '"OPERATION_CODE"::text') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_rows text;
BEGIN
    EXECUTE format('SELECT string_agg(%s, '' '') FROM (SELECT r.* FROM "SYS"."V$LOGMNR_CONTENTS" r, mark WHERE r."SCN" > mark.scn) r', p_what) INTO l_rows;
    UPDATE mark SET scn = (SELECT "END_SCN" FROM "SYS"."V$LOGMNR_PARAMETERS");
    RETURN l_rows;
END
$$;
CREATE FUNCTION pg_temp.mine_new() RETURNS void LANGUAGE sql AS $$
SELECT pg_temp.list('{/redo/group_1_a.log}');
SELECT pg_temp.start(1, (SELECT "LAST_REDO_CHANGE#" - 1 FROM "SYS"."V$THREAD"));
$$;
\set mine 'SELECT "TEST"."WRITE_REDO"(); SELECT pg_temp.mine_new();'

-- Redo of an open transaction is mined before its end; V$TRANSACTION knows it from before its first record.
SELECT pg_temp.second_session(:'second');
SELECT "TEST".dblink_exec('second', 'BEGIN');
SELECT "TEST".dblink_exec('second', $q$INSERT INTO "APP"."ORDERS" VALUES (1.50, 'A', 'one'), (2, 'B', 'two')$q$);
SELECT pg_temp.same('known before it is written', (SELECT count(*)::text FROM "SYS"."V$TRANSACTION"), '1');
:mine
SELECT pg_temp.same('its start and its changes',
    pg_temp.new_redo($q$concat_ws('/', "OPERATION_CODE", "SEG_OWNER", "TABLE_NAME", "REDO_VALUE", "UNDO_VALUE")$q$),
    '6 1/APP/ORDERS/{"APP.ORDERS.ID": "2", "APP.ORDERS.CODE": "A  "} 1/APP/ORDERS/{"APP.ORDERS.ID": "2", "APP.ORDERS.CODE": "B  "}');
SELECT pg_temp.expect('V$TRANSACTION began not later',
    (SELECT t."START_SCN" <= min(r."SCN") FROM "SYS"."V$TRANSACTION" t, "SYS"."REDO" r GROUP BY t."START_SCN"));
SELECT pg_temp.same('and it is the one in redo',
    (SELECT count(*)::text FROM "SYS"."V$TRANSACTION" t JOIN "SYS"."REDO" r ON r."XIDUSN" = t."XIDUSN"
        AND r."XIDSLT" = t."XIDSLOT" AND r."XIDSQN" = t."XIDSQN"), '3');
:mine
SELECT pg_temp.same('nothing more', pg_temp.new_redo(), NULL);
SELECT "TEST".dblink_exec('second', 'COMMIT');
SELECT pg_temp.same('ended, but known until that is written', (SELECT count(*)::text FROM "SYS"."V$TRANSACTION"), '1');
:mine
SELECT pg_temp.same('its commit', pg_temp.new_redo(), '7');
SELECT pg_temp.same('now it is over', (SELECT count(*)::text FROM "SYS"."V$TRANSACTION"), '0');

-- A rollback takes back nothing that is written, nor does one to a savepoint.
BEGIN;
DELETE FROM "APP"."ORDERS" WHERE "CODE" = 'A';
ROLLBACK;
:mine
SELECT pg_temp.same('rolled back', pg_temp.new_redo(), '6 2 36');
BEGIN;
SAVEPOINT s;
INSERT INTO "APP"."ORDERS" VALUES (9, 'C', '');
ROLLBACK TO s;
UPDATE "APP"."ORDERS" SET "V" = 'x';
COMMIT;
:mine
SELECT pg_temp.same('rolled back in part', pg_temp.new_redo(), '6 1 3 3 7');

-- What records tell.
CREATE FUNCTION pg_temp.told() RETURNS text LANGUAGE sql AS $$
SELECT pg_temp.new_redo($q$concat_ws('/', "OPERATION_CODE", "REDO_VALUE" ->> 'APP.ORDERS.CODE', "UNDO_VALUE" ->> 'APP.ORDERS.CODE',
    CASE WHEN "ROW_ID" IN (SELECT "ROWID$" FROM "APP"."ORDERS") THEN 'here' WHEN "ROW_ID" <> 'AAAAAAAAAAAAAAAAAA' THEN 'gone' END)$q$)
$$;
UPDATE "APP"."ORDERS" SET "V" = 'y' WHERE "CODE" = 'A';
:mine
SELECT pg_temp.same('an update without the key: it is in the undo', pg_temp.told(), '6 3/A  /here 7');
UPDATE "APP"."ORDERS" SET "CODE" = 'Z' WHERE "CODE" = 'A';
:mine
SELECT pg_temp.same('an update of the key', pg_temp.told(), '6 3/Z  /A  /here 7');
UPDATE "APP"."ORDERS" SET "ROWID$" = "TEST"."NEW_ROWID"('ORDERS') WHERE "CODE" = 'Z';
:mine
SELECT pg_temp.expect('a row that moves', pg_temp.told() IN ('6 2/Z  /gone 1/Z  /here 7', '6 1/Z  /here 2/Z  /gone 7'));
DELETE FROM "APP"."ORDERS" WHERE "CODE" = 'Z';
:mine
SELECT pg_temp.same('a delete', pg_temp.told(), '6 2/Z  /gone 7');
TRUNCATE "APP"."ORDERS";
:mine
SELECT pg_temp.same('a truncate', pg_temp.new_redo($q$concat_ws('/', "OPERATION_CODE", "TABLE_NAME", "SQL_REDO")$q$),
    '6 5/ORDERS/TRUNCATE TABLE APP.ORDERS 7');
SELECT "TEST"."ALTER"('APP', 'ORDERS', 'ADD "W" numeric');
:mine
SELECT pg_temp.same('an alter', pg_temp.new_redo($q$concat_ws('/', "OPERATION_CODE", "SQL_REDO")$q$),
    '6 5/ALTER TABLE "APP"."ORDERS" ADD "W" numeric 7');

CREATE VIEW "APP"."READS_W" AS SELECT "W" FROM "APP"."ORDERS";
SELECT "TEST"."ALTER"('APP', 'ORDERS', 'DROP COLUMN "W"');
:mine
SELECT pg_temp.same('a column is dropped', pg_temp.new_redo($q$concat_ws('/', "OPERATION_CODE", "SQL_REDO")$q$),
    '6 5/ALTER TABLE "APP"."ORDERS" DROP COLUMN "W" 7');
SELECT pg_temp.expect('a view of it cannot be read', to_regclass('"APP"."READS_W"') IS NULL);

-- LOBs come as groups; without a key the ROWID is in the last or in the INTERNAL record.
INSERT INTO "APP"."NOTES" VALUES (1, 'text'), (2, NULL);
UPDATE "APP"."NOTES" SET "V" = 'more' WHERE "N" = 1;
UPDATE "APP"."NOTES" SET "N" = 3 WHERE "N" = 1;
:mine
SELECT pg_temp.same('LOBs', pg_temp.new_redo($q$"OPERATION_CODE" || CASE WHEN "ROW_ID" IN (SELECT "ROWID$" FROM "APP"."NOTES") THEN 'r' ELSE '' END$q$),
    '6 6 6 1 9 10 3r 1r 9 10 0r 3r 7 7 7');
SELECT pg_temp.same('each in one group', (SELECT string_agg(n::text, ' ' ORDER BY n)
    FROM (SELECT count(*) AS n FROM "SYS"."REDO" WHERE "LOB_GROUP" IS NOT NULL GROUP BY "LOB_GROUP") g), '3 4');

-- Logs are switched when they are full; a DBA deletes old ones.
UPDATE "TEST"."SETTING" SET "LOG_ROWS" = 5;
INSERT INTO "APP"."ORDERS" SELECT i, 'X' FROM generate_series(1, 10) i;
SELECT "TEST"."WRITE_REDO"();
INSERT INTO "APP"."ORDERS" VALUES (11, 'X');
SELECT "TEST"."WRITE_REDO"();
SELECT pg_temp.same('a full log is archived', (SELECT concat_ws(' ', count(*), max("SEQUENCE#"),
    (SELECT max("SEQUENCE#") FROM "SYS"."V$LOG")) FROM "SYS"."V$ARCHIVED_LOG"), '1 1 2');
SELECT pg_temp.expect('LAST_REDO_CHANGE# is in the current log',
    (SELECT t."LAST_REDO_CHANGE#" >= g."FIRST_CHANGE#" FROM "SYS"."V$THREAD" t, "SYS"."V$LOG" g WHERE g."STATUS" = 'CURRENT'));
SELECT pg_temp.same('an online log is not deleted', "TEST"."DELETE_LOGS_BEFORE"(100000)::text, '0');
SELECT "TEST"."SWITCH_LOG"() FROM generate_series(1, 2);
SELECT pg_temp.same('an archived one is', "TEST"."DELETE_LOGS_BEFORE"((SELECT max("NEXT_CHANGE#") FROM "SYS"."V$ARCHIVED_LOG"
    WHERE "SEQUENCE#" = 2))::text, '1');
SELECT pg_temp.expect('with its redo', NOT EXISTS (SELECT FROM "SYS"."REDO" r JOIN "SYS"."LOG" g ON g."LOG_NO" = r."LOG_NO"
    WHERE g."SEQUENCE#" = 1));
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT pg_temp.refused('the log writer with an old snapshot', 'the log writer needs READ COMMITTED', 'SELECT "TEST"."WRITE_REDO"()');
ROLLBACK;
SELECT "TEST".dblink_disconnect('second');
