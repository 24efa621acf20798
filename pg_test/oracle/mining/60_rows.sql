-- Which rows are staged, and what identifies them. T has a key, P has none, C has a key of two columns, I is index-organized.
CREATE FUNCTION pg_temp.tables() RETURNS void LANGUAGE sql AS $$
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT pg_temp.register(2, 'P');
SELECT pg_temp.register(3, 'C', '{A,B}');
SELECT pg_temp.register(4, 'I', '{ID}', p_is_iot => 'Y');
$$;

-- Both halves of a row (R6): a delete has its key in the undo half, an update perhaps only there.
SELECT pg_temp.tables();
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 105, 'ROW1');
SELECT "TEST"."UPDATE"(1, 'T', 'ROW1', '{"ID": 1, "V": "a"}', '{"V": "b"}', 110);
SELECT "TEST"."DELETE"(1, 'T', 'ROW1', '{"ID": 1}', 115);
SELECT "TEST"."INSERT"(1, 'P', '{"V": 1}', 120, 'ROW2');
SELECT "TEST"."UPDATE"(1, 'P', 'ROW2', '{"V": 1}', '{"V": 2}', 125);
SELECT "TEST"."DELETE"(1, 'P', 'ROW2', '{"V": 2}', 130);
SELECT "TEST"."COMMIT"(1, 140);
SELECT "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('insert, update, delete', pg_temp.staged(),
    '105:1 R=1 ROW1 1, 110:3 R=1 ROW1 1, 115:2 R=1 ROW1 1, 120:1 R=2 ROW2, 125:3 R=2 ROW2, 130:2 R=2 ROW2');
SELECT pg_temp.same('start and commit', pg_temp.ends(), '105:6:1, 140:7:1');
SELECT pg_temp.expect('one pass over V$LOGMNR_CONTENTS', "TEST"."SCANS"() = 1);

-- A changed key gives both keys (R7); of several columns also those that did not change; a key that is not whole is none.
SELECT pg_temp.tables();
SELECT "TEST"."UPDATE"(1, 'T', 'ROW1', '{"ID": 5}', '{"ID": 6}', 105);
SELECT "TEST"."UPDATE"(1, 'C', 'ROW2', '{"A": 1, "B": 2}', '{"B": 3}', 110);
SELECT "TEST"."UPDATE"(1, 'C', 'ROW2', '{"B": 3}', '{"A": 1, "B": 4}', 115);
SELECT "TEST"."UPDATE"(1, 'C', 'ROW2', '{"A": 1, "B": 4, "V": "x"}', '{"A": 1, "B": 4, "V": "y"}', 120);
SELECT "TEST"."UPDATE"(1, 'C', 'ROW2', '{"B": 4}', '{"B": 5}', 125);
SELECT "TEST"."UPDATE"(1, 'C', 'ROW2', '{"B": 5, "V": "y"}', '{"V": "z"}', 130);
SELECT "TEST"."UPDATE"(1, 'T', 'ROW1', '{"V": "y"}', '{"V": "z"}', 135);
SELECT "TEST"."DELETE"(1, 'T', 'ROW1', '{"V": "z"}', 140);
SELECT "TEST"."INSERT"(1, 'T', '{"V": "z"}', 145, 'ROW3');
SELECT "TEST"."UPDATE"(1, 'C', 'ROW2', '{"A": 1}', '{"A": 2, "B": 5}', 147);
SELECT "TEST"."COMMIT"(1, 150);
SELECT "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('changed keys; without a key: U when it may have changed or is gone, else by ROWID', pg_temp.staged(),
    '105:3 R=1 ROW1 6<5, 110:3 R=3 ROW2 1/3<1/2, 115:3 R=3 ROW2 1/4<1/3, 120:3 R=3 ROW2 1/4, 125:3 U=3 ROW2, 130:3 R=3 ROW2, '
    '135:3 R=1 ROW1, 140:2 U=1 ROW1, 145:1 R=1 ROW3, 147:3 R=3 ROW2 2/5<1/5');

-- The sentinel is no ROWID; an index-organized table has none (R12).
SELECT pg_temp.tables();
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 105, "TEST"."SENTINEL"());
SELECT "TEST"."INSERT"(1, 'P', '{"V": 1}', 110, "TEST"."SENTINEL"());
SELECT "TEST"."UPDATE"(1, 'I', '*BADAAAAAAAAAAAAAA', '{"ID": 3}', '{"V": 1}', 115);
SELECT "TEST"."COMMIT"(1, 120);
SELECT "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('no ROWID', pg_temp.staged(), '105:1 R=1 1, 110:1 U=2, 115:3 R=4 3');

-- Array deletes share RS_ID and SSN (M19, M20): all of them are staged. Rows of savepoint rollbacks are not (M22); a rollback that
-- does not know its transaction (M21) ends none.
SELECT pg_temp.tables();
SELECT "TEST"."DELETE_MANY"(1, 'P', (SELECT jsonb_object_agg('ROW' || n, '{"V": 1}'::jsonb) FROM generate_series(1, 255) n), 105);
SELECT "TEST"."COMMIT"(1, 110);
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 1}', 115, 'ROW1'), "TEST"."UNDO"(2, 1, 116);
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 2}', 120, 'ROW2');
SELECT "TEST"."COMMIT"(2, 125);
SELECT "TEST"."INSERT"(3, 'T', '{"ID": 3}', 130, 'ROW3');
SELECT "TEST"."ADVANCE"(150);
:scan
SELECT pg_temp.expect('255 deletes', 255 = (SELECT count(*) FROM regexp_matches(pg_temp.staged(), '105:2 R=2 ROW\d+', 'g')));
SELECT pg_temp.expect('no row of a rollback', pg_temp.staged() LIKE '%, 115:1 R=1 ROW1 1, 120:1 R=1 ROW2 2, 130:1 R=1 ROW3 3');
SELECT "TEST"."ROLLBACK"(3, 160), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('a rollback without its number', pg_temp.ends(), NULL);
SELECT pg_temp.same('names nothing', pg_temp.staged(), NULL);

-- Redo that is older than the definition comes with STATUS 2 and perhaps only with an object number (M31).
SELECT pg_temp.tables();
SELECT "TEST"."REDO"(1, 6, p_scn => 100);
SELECT "TEST"."REDO"(1, 3, 'P', 105, 'ROW1', p_more => '{"STATUS": 2, "INFO": "Dictionary Mismatch"}');
SELECT "TEST"."REDO"(1, 3, 'P', 110, 'ROW2', p_more => '{"STATUS": 2, "SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 45522"}');
SELECT "TEST"."REDO"(1, 3, 'T', 115, 'ROW3', p_more => '{"STATUS": 2, "SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 45523"}');
SELECT "TEST"."REDO"(1, 1, 'T', 120, 'ROW4', p_more => '{"STATUS": 2, "SEG_OWNER": "APP", "TABLE_NAME": "BIN$x==$0"}');
SELECT "TEST"."REDO"(1, 3, 'T', 125, 'ROW5', NULL, '{"ID": 9}', '{"STATUS": 2}');
SELECT "TEST"."REDO"(1, 3, 'P', 130, 'ROW6', p_more => '{"STATUS": 3, "INFO": "no supplemental log data found"}');
SELECT "TEST"."REDO"(1, 2, 'X', 135, 'ROW7', p_more => '{"SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 1"}');
SELECT "TEST"."REDO"(1, 7, p_scn => 140), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('a dictionary that does not fit', pg_temp.staged(),
    '105:3 R=2 ROW1, 110:3 R=2 ROW2, 115:3 U=1 ROW3, 120:1 U=1 ROW4, 125:3 R=1 ROW5 9, 130:3 R=2 ROW6');
SELECT pg_temp.expect('the reason is noted', EXISTS (SELECT FROM "ORAPULL"."STAGED_V" WHERE "SCN" = 130 AND "NOTE" = 'no supplemental log data found'));

-- 255 is a change that LogMiner cannot tell (M32); 25 is none, and 27 is no part of a transaction of ours (M35).
SELECT pg_temp.tables();
SELECT "TEST"."TX"(1, 100);
SELECT "TEST"."REDO"(1, 255, 'P', 105, 'ROW1'), "TEST"."REDO"(1, 255, 'P', 106), "TEST"."REDO"(1, 255, 'T', 107, 'ROW2'),
       "TEST"."REDO"(1, 25, 'T', 108, 'ROW2', NULL, '{"ID": 1}'), "TEST"."REDO"(1, 27, NULL, 109);
SELECT "TEST"."COMMIT"(1, 110), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('unsupported', pg_temp.staged(), '105:255 R=2 ROW1, 106:255 U=2, 107:255 U=1 ROW2');

-- Parallel DML: rows belong to the parent, whose commit it is that counts.
SELECT pg_temp.tables();
SELECT "TEST"."TX"(7, 100);
SELECT "TEST"."REDO"(1, 6, p_scn => 101, p_more => '{"PXIDUSN": 7, "PXIDSLT": 1, "PXIDSQN": 7}'),
       "TEST"."REDO"(1, 1, 'P', 105, 'ROW1', p_more => '{"PXIDUSN": 7, "PXIDSLT": 1, "PXIDSQN": 7}'),
       "TEST"."REDO"(1, 7, p_scn => 109, p_more => '{"PXIDUSN": 7, "PXIDSLT": 1, "PXIDSQN": 7}'),
       "TEST"."REDO"(7, 1, 'P', 106, 'ROW2', p_more => '{"PXIDUSN": 0, "PXIDSLT": 0, "PXIDSQN": 0}');
SELECT "TEST"."COMMIT"(7, 110), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('parallel DML', (SELECT string_agg(concat("SCN", ':', "OP", ':', "XIDUSN"), ' ' ORDER BY "SCN") FROM "ORAPULL"."STAGED_V"),
    '100:6:7 101:6:7 105:1:7 106:1:7 109:7:1 110:7:7');

-- What is nobody's: our own tables (T4), snapshot logs, tables that are not registered. With containers: only ours, and an XID counts
-- only there.
SELECT pg_temp.tables();
SELECT pg_temp.container('SALES');
SELECT "TEST"."TX"(1, 100);
SELECT "TEST"."REDO"(1, 1, 'ORAPULL.STAGE_1', 101, 'ROW1'), "TEST"."REDO"(1, 1, 'APP.MLOG$_T', 102, 'ROW2'), "TEST"."REDO"(1, 1, 'APP.X', 103, 'ROW3'),
       "TEST"."REDO"(2, 6, NULL, 104, p_more => '{"SRC_CON_NAME": "SALES", "SRC_CON_UID": 77}'),
       "TEST"."REDO"(2, 1, 'P', 105, 'ROW4', p_more => '{"SRC_CON_NAME": "SALES", "SRC_CON_UID": 77}'),
       "TEST"."REDO"(2, 1, 'P', 106, 'ROW5', p_more => '{"SRC_CON_NAME": "HR", "SRC_CON_UID": 78}'),
       "TEST"."REDO"(2, 7, NULL, 107, p_more => '{"SRC_CON_NAME": "SALES", "SRC_CON_UID": 77}');
UPDATE "SYS"."REDO" SET "SRC_CON_NAME" = 'HR' WHERE "SRC_CON_NAME" IS NULL;
SELECT "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('only our container', (SELECT string_agg(concat("SCN", ':', "OP", ':', "CON_UID"), ' ' ORDER BY "SCN") FROM "ORAPULL"."STAGED_V"),
    '104:6:77 105:1:77 107:7:77');

-- The registry is read after the end of the range was fixed: a table registered in between is in the scan.
SELECT pg_temp.start();
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 105, 'ROW1'), "TEST"."COMMIT"(1, 110), "TEST"."ADVANCE"(200);
:plan
SELECT pg_temp.register(1, 'T', '{ID}');
:again
SELECT pg_temp.same('registered meanwhile', pg_temp.staged(), '105:1 R=1 ROW1 1');

-- A row of a table with a key that could not be asked for it: only its object number tells of the table, because that was renamed, or
-- the column is not there any more. An update may have changed the key; an insert has not.
SELECT pg_temp.tables();
SELECT "TEST"."REDO"(1, 6, p_scn => 100);
SELECT "TEST"."REDO"(1, 3, 'T', 105, 'ROW1', '{"V": 1}', '{"V": 0}', '{"TABLE_NAME": "RENAMED"}'),
       "TEST"."REDO"(1, 1, 'T', 110, 'ROW2', '{"ID": 2}', NULL, '{"TABLE_NAME": "RENAMED"}'),
       "TEST"."REDO"(1, 2, 'T', 115, 'ROW3', NULL, '{"ID": 3}', '{"TABLE_NAME": "RENAMED"}'),
       "TEST"."REDO"(1, 3, 'P', 120, 'ROW4', '{"V": 1}', '{"V": 0}', '{"TABLE_NAME": "RENAMED"}');
SELECT "TEST"."REDO"(1, 7, p_scn => 125), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('no key was asked for', pg_temp.staged(), '105:3 U=1 ROW1, 110:1 R=1 ROW2, 115:2 U=1 ROW3, 120:3 R=2 ROW4');

-- Housekeeping of an index-organized table tells nothing.
SELECT pg_temp.tables();
SELECT "TEST"."REDO"(1, 0, 'I', 105, 'ROW1'), "TEST"."REDO"(1, 0, 'P', 106, 'ROW2'), "TEST"."COMMIT"(1, 110), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('only rows that have a ROWID', pg_temp.staged(), '106:0 R=2 ROW2');

-- A key column that is not there any more when a scan begins: MINE_VALUE is not asked for it, for it might raise an error and stop
-- the mining of all tables.
SELECT pg_temp.start();
CREATE SCHEMA "APP";
CREATE TABLE "APP"."K" ("OLD" numeric(5) PRIMARY KEY, "V" numeric(5));
SELECT pg_temp.register(1, 'K', '{OLD}'), pg_temp.register(2, 'T', '{ID}');
INSERT INTO "ORAPULL"."SOURCE_COLUMN" ("TABLE_ID", "POSITION", "COLUMN_NAME", "DATA_TYPE", "DATA_LENGTH", "KEY_POSITION")
VALUES (1, 1, 'OLD', 'NUMBER', 22, 1), (1, 2, 'V', 'NUMBER', 22, NULL);
SELECT "TEST"."INSERT"(1, 'K', '{"OLD": 1}', 105, 'ROW1'), "TEST"."INSERT"(1, 'T', '{"ID": 1}', 106, 'ROW2'), "TEST"."ADVANCE"(111);
:scan
SELECT pg_temp.same('the column is there', pg_temp.staged(), '105:1 R=1 ROW1 1, 106:1 R=2 ROW2 1');
SELECT pg_temp.published(105);
ALTER TABLE "APP"."K" RENAME "OLD" TO "NEW";
SET standin.no_column = 'APP.K.OLD';
SELECT "TEST"."INSERT"(1, 'K', '{"NEW": 2}', 115, 'ROW3'), "TEST"."UPDATE"(1, 'K', 'ROW3', '{"NEW": 2}', '{"NEW": 3}', 116),
       "TEST"."INSERT"(1, 'T', '{"ID": 2}', 117, 'ROW4'), "TEST"."COMMIT"(1, 118), "TEST"."ADVANCE"(200);
:plan
SELECT pg_temp.take();
SELECT pg_temp.expect('the scan that begins knows', (SELECT "K1_PATH" IS NULL FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_NAME" = 'K'));
SELECT pg_temp.mine();
SELECT pg_temp.finish();
SELECT pg_temp.same('it is not', pg_temp.staged(), '115:1 R=1 ROW3, 116:3 U=1 ROW3, 117:1 R=2 ROW4 2');
RESET standin.no_column;
DROP SCHEMA "APP" CASCADE;
