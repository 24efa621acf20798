-- What the views for the operator show, value by value, of a database whose history is known.
DELETE FROM "ORAPULL"."SOURCE_STATE";
DELETE FROM "ORAPULL"."SOURCE_TABLE";
DELETE FROM "ORAPULL"."SHARD";
DELETE FROM "ORAPULL"."PORTION";
SELECT "TEST"."RESET"() \g /dev/null
CALL "SOURCE"."START_AT"(1);
-- Redo: sequence 1 from two hours to one hour ago (SCN 1 to 99), 2 until half an hour ago (to 199), 3 until now (to 300), half a MB each.
CREATE FUNCTION pg_temp.ago(p_seconds int) RETURNS timestamp LANGUAGE sql AS $$ SELECT "SYS"."NOW"() - make_interval(secs => p_seconds) $$;
SELECT "TEST"."SWITCH_LOG"(1, 100, true, 512000), "TEST"."SWITCH_LOG"(1, 200, true, 512000), "TEST"."ADVANCE"(300) \g /dev/null
SELECT "TEST"."ARCHIVE"(1, 1, 2), "TEST"."ARCHIVE"(1, 2, 2) \g /dev/null
UPDATE "SYS"."V$ARCHIVED_LOG" SET "FIRST_TIME" = pg_temp.ago((CASE "SEQUENCE#" WHEN 1 THEN 7200 ELSE 3600 END)),
    "NEXT_TIME" = pg_temp.ago((CASE "SEQUENCE#" WHEN 1 THEN 3600 ELSE 1800 END));
UPDATE "SYS"."V$LOG" SET "FIRST_TIME" = pg_temp.ago(1800), "BYTES" = 9000000 WHERE "STATUS" = 'CURRENT';
UPDATE "SYS"."V$THREAD" SET "LAST_REDO_SEQUENCE#" = 3, "LAST_REDO_BLOCK" = 1000, "LAST_REDO_TIME" = "SYS"."NOW"();
SELECT pg_temp.same('REDO_TIME_V: each log once, what is written of the current one',
    (SELECT string_agg(format('%s/%s %s-%s %s B %s-%s s', "THREAD_NO", "SEQ_NO", "FIRST_SCN", "NEXT_SCN", "BYTES", round("FIRST_AGE_S", -2), round("NEXT_AGE_S", -2)), ', ' ORDER BY "SEQ_NO")
     FROM "ORAPULL"."REDO_TIME_V"),
    '1/1 1-100 512000 B 7200-3600 s, 1/2 100-200 512000 B 3600-1800 s, 1/3 200-301 512000 B 1800-0 s') \g /dev/null

-- MINING_STATUS_V: published up to the middle of sequence 2, planned beyond.
INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "STARTED_AT", "ENDED_AT", "REDO_BYTES", "PGA_MAX")
SELECT n, f, t, s, 'S', "SOURCE"."UTC_NOW"() - make_interval(secs => a + 10), "SOURCE"."UTC_NOW"() - make_interval(secs => a), 512000, 77
FROM (VALUES (1, 1, 99, 'PUBLISHED', 3700), (2, 99, 149, 'PUBLISHED', 100)) v (n, f, t, s, a);
INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "SESSION_KEY", "STARTED_AT", "REDO_BYTES", "ATTEMPTS", "STAGE_SLOT")
VALUES (3, 149, 250, 'RUNNING', 'S', '55,7,1', "SOURCE"."UTC_NOW"() - interval '2000 s', 1024000, 1, 2), (4, 250, 260, 'NEW', 'S', NULL, NULL, NULL, 0, NULL);
UPDATE "ORAPULL"."SOURCE_STATE" SET "PLANNED_SCN" = 260, "MINED_SCN" = 149, "PUBLISHED_SCN" = 149, "RESUME_SCN" = 120, "LAST_PORTION" = 2;
INSERT INTO "ORAPULL"."PORTION" ("PORTION_ID", "SLOT_ID", "SCAN_ID", "SCN_FROM", "SCN_TO", "RESUME_SCN", "POINTERS", "PUBLISHED_AT")
VALUES (1, 1, 1, 1, 99, 1, 40, timestamp '2024-01-01 10:00:00'), (2, 1, 2, 99, 149, 99, 2, timestamp '2024-01-01 11:00:00');
INSERT INTO "ORAPULL"."TX" ("CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "START_SCN", "HAS_START", "HAS_LOB", "DEAD_SCN")
VALUES (0, 1, 2, 3, 120, 'Y', 'N', NULL), (0, 9, 9, 9, 130, 'Y', 'N', 140);
SELECT pg_temp.same('MINING_STATUS_V', (SELECT concat_ws(' ', "STATE", 'planned', "PLANNED_SCN", 'mined', "MINED_SCN", 'published', "PUBLISHED_SCN", 'scans', "SCANS_WAITING", "SCANS_RUNNING",
        "SCANS_SCANNED", 'held', "PORTIONS_HELD", "POINTERS_HELD", "LAST_PUBLISHED_AT", 'open', "OPEN_TRANSACTIONS", "OLDEST_TX_SCN", 'keep', "KEEP_LOG_FROM") FROM "ORAPULL"."MINING_STATUS_V"),
    'OK planned 260 mined 149 published 149 scans 1 1 0 held 2 42 2024-01-01 11:00:00 open 2 120 keep 120') \g /dev/null
SELECT pg_temp.expect('behind in SCNs', "SCNS_BEHIND" = "CURRENT_SCN" - 149 AND "CURRENT_SCN" > 300) FROM "ORAPULL"."MINING_STATUS_V" \g /dev/null
SELECT pg_temp.expect('in seconds, by the times of the log: ' || "SECONDS_BEHIND", "SECONDS_BEHIND" BETWEEN 2718 AND 2818) FROM "ORAPULL"."MINING_STATUS_V" \g /dev/null
SELECT pg_temp.expect('in bytes: half of sequence 2, what is written of 3: ' || "REDO_BYTES_BEHIND", "REDO_BYTES_BEHIND" = 768000) FROM "ORAPULL"."MINING_STATUS_V" \g /dev/null
SELECT pg_temp.same('rates of the last hour: 2 and 3 were written, half of 2 was read', (SELECT concat_ws(' ', "RATE_SECONDS", round("REDO_BYTES_PER_S", -1), round("MINED_BYTES_PER_S")) FROM "ORAPULL"."MINING_STATUS_V"),
    concat_ws(' ', 3600, round(1024000 / 3600.0, -1), round(256000 / 3600.0))) \g /dev/null
DELETE FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 1;
SELECT pg_temp.expect('the rates of less when no more is remembered, both of the same time: ' || concat_ws(' ', "RATE_SECONDS", "REDO_BYTES_PER_S", "MINED_BYTES_PER_S"),
    "RATE_SECONDS" BETWEEN 100 AND 200 AND "REDO_BYTES_PER_S" BETWEEN 100 AND 290 AND "MINED_BYTES_PER_S" = 0) FROM "ORAPULL"."MINING_STATUS_V" \g /dev/null
UPDATE "ORAPULL"."SOURCE_STATE" SET "PUBLISHED_SCN" = 299;
SELECT pg_temp.expect('up to date: ' || concat_ws(' ', "SECONDS_BEHIND", "REDO_BYTES_BEHIND"), "SECONDS_BEHIND" BETWEEN 0 AND 100 AND "REDO_BYTES_BEHIND" BETWEEN 1 AND 6000)
FROM "ORAPULL"."MINING_STATUS_V" \g /dev/null

-- SCAN_STATUS_V.
INSERT INTO "SYS"."SESSION" ("SADDR", "SID", "SERIAL#", "USERNAME", "PROGRAM", "MACHINE", "PADDR") VALUES ('A1', 55, 7, 'ORAPULL', 'oracle (J001)', 'db', 'P1'),
    ('A2', 66, 8, 'APP', 'sqlplus', 'desk', 'P2');
INSERT INTO "SYS"."GV$PROCESS" VALUES (1, 'P1', 1000, 2000, 3000), (1, 'P2', 1, 2, 3), (2, 'P1', 4, 5, 6);
SELECT pg_temp.same('SCAN_STATUS_V', (SELECT string_agg(concat_ws(' ', "SCAN_ID", "PURPOSE", "STATUS", "MINING_RULE", "SCN_FROM", "SCN_TO", 'slot', "STAGE_SLOT", 'session', "SESSION_KEY", 'took', round("SECONDS", -1 - 2 * ("STATUS" = 'RUNNING')::int), 'ended', round("AGE_S", -2),
        'read', "REDO_BYTES", round("REDO_BYTES_PER_S", -2), 'pga', "PGA_NOW", "PGA_MAX"), '; ' ORDER BY "SCAN_ID") FROM "ORAPULL"."SCAN_STATUS_V"),
    '2 MINE PUBLISHED S 99 149 slot session took 10 ended 100 read 512000 51200 pga 77; 3 MINE RUNNING S 149 250 slot 2 session 55,7,1 took 2000 ended read 1024000 500 pga 2000 3000; '
    '4 MINE NEW S 250 260 slot session took ended read pga') \g /dev/null

-- OPEN_TX_V: one of a session, one in doubt that still has one, one in doubt without, one that the database does not know any more.
INSERT INTO "SYS"."TRANSACTION" ("INST_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_DATE", "SES_ADDR", "STATUS") VALUES
    (1, 1, 2, 3, 120, timestamp '2024-01-01 09:00:00', 'A2', 'ACTIVE'), (1, 4, 5, 6, 280, timestamp '2024-01-01 09:30:00', 'A1', 'ACTIVE'),
    (1, 7, 7, 7, 125, timestamp '2024-01-01 09:40:00', NULL, 'PREPARED');
INSERT INTO "ORAPULL"."CARRY" ("SCAN_ID", "CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "SCN", "SEQ", "OP") VALUES (1, 0, 1, 2, 3, 121, 1, 1), (2, 0, 1, 2, 3, 122, 1, 1), (2, 0, 9, 9, 9, 131, 2, 1);
SELECT pg_temp.same('OPEN_TX_V', (SELECT string_agg(concat_ws(' ', "XID", "TX_STATE", 'since', "START_SCN", "START_DATE", 'of', "INST_ID", "SID", "SERIAL_NO", "USERNAME", "PROGRAM", "MACHINE", 'dead', "DEAD_SCN", 'carried', "IS_CARRIED"), '; ' ORDER BY "XID")
    FROM "ORAPULL"."OPEN_TX_V"),
    '1.2.3 OPEN since 120 2024-01-01 09:00:00 of 1 66 8 APP sqlplus desk dead carried Y; 4.5.6 OPEN since 280 2024-01-01 09:30:00 of 1 55 7 ORAPULL oracle (J001) db dead carried N; '
    '7.7.7 IN DOUBT since 2024-01-01 09:40:00 of APP host dead carried N; 9.9.9 DEAD since 130 of dead 140 carried Y') \g /dev/null

-- WAITING_TABLE_V: one that was looked at, one that was not, one that is ready.
INSERT INTO "ORAPULL"."SOURCE_TABLE" ("TABLE_ID", "OWNER", "TABLE_NAME", "IDENTITY", "KEY_COUNT", "STATE", "WAIT_SCN", "REGISTERED_AT")
VALUES (1, 'APP', 'LOOKED', 'ROWID', 0, 'WAIT_TX', 200, LOCALTIMESTAMP), (2, 'APP', 'NEW', 'ROWID', 0, 'WAIT_TX', NULL, LOCALTIMESTAMP), (3, 'APP', 'READY', 'ROWID', 0, 'READY', 1, LOCALTIMESTAMP);
CREATE FUNCTION pg_temp.waiting() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', "TABLE_NAME", "WAIT_SCN", "WAITS_FOR", "XID", 'sid', "SID", "SERIAL_NO", "USERNAME", "PROGRAM", "MACHINE"), '; ' ORDER BY "TABLE_NAME", "XID") FROM "ORAPULL"."WAITING_TABLE_V"
$$;
SELECT pg_temp.same('WAITING_TABLE_V: for which transactions, whose they are; before a look for all', pg_temp.waiting(),
    'LOOKED 200 TRANSACTION 1.2.3 sid 66 8 APP sqlplus desk; LOOKED 200 IN DOUBT 7.7.7 sid APP host; '
    'NEW TRANSACTION 1.2.3 sid 66 8 APP sqlplus desk; NEW TRANSACTION 4.5.6 sid 55 7 ORAPULL oracle (J001) db; NEW IN DOUBT 7.7.7 sid APP host') \g /dev/null
DELETE FROM "SYS"."TRANSACTION" WHERE "XIDUSN" <> 4;
UPDATE "SYS"."TRANSACTION" SET "START_SCN" = 0;
SELECT pg_temp.same('START_SCN 0 is waited for', pg_temp.waiting(),
    'LOOKED 200 TRANSACTION 4.5.6 sid 55 7 ORAPULL oracle (J001) db; NEW TRANSACTION 4.5.6 sid 55 7 ORAPULL oracle (J001) db') \g /dev/null
DELETE FROM "SYS"."TRANSACTION";
SELECT pg_temp.same('for nothing but a look', pg_temp.waiting(), 'LOOKED 200 LOOK sid; NEW LOOK sid') \g /dev/null
SELECT "TEST"."ADD_THREAD"(2, 310) \g /dev/null
DELETE FROM "SYS"."GV$INSTANCE" WHERE "INST_ID" = 2;
SELECT pg_temp.same('for an instance that does not answer', pg_temp.waiting(), 'LOOKED 200 INSTANCE sid; NEW INSTANCE sid') \g /dev/null
DELETE FROM "SYS"."V$THREAD" WHERE "THREAD#" = 2;

-- KEEP_LOG_V: what is needed from RESUME_SCN 120 on, in the destinations that are read, of this incarnation.
CREATE FUNCTION pg_temp.kept() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', "THREAD_NO", "SEQ_NO", "FIRST_SCN", "NEXT_SCN", "FILE_NAME", 'dest', "DEST_ID", "STATUS", "IS_READABLE", "BYTES"), '; ' ORDER BY "SEQ_NO", "DEST_ID") FROM "ORAPULL"."KEEP_LOG_V"
$$;
INSERT INTO "SYS"."V$ARCHIVED_LOG" ("NAME", "DEST_ID", "THREAD#", "SEQUENCE#", "RESETLOGS_CHANGE#", "RESETLOGS_TIME", "FIRST_CHANGE#", "NEXT_CHANGE#", "BLOCKS")
VALUES ('/clone/1_2.arc', 1, 1, 2, 1, timestamp '2019-05-05', 100, 200, 1000);
SELECT pg_temp.same('KEEP_LOG_V: no choice, every copy', pg_temp.kept(), '1 2 100 200 /arch1/1_2_1.arc dest 1 A Y 512000; 1 2 100 200 /arch2/1_2_1.arc dest 2 A Y 512000') \g /dev/null
INSERT INTO "ORAPULL"."ARCHIVE_DEST" VALUES (2, 1);
SELECT pg_temp.same('in the chosen destination', pg_temp.kept(), '1 2 100 200 /arch2/1_2_1.arc dest 2 A Y 512000') \g /dev/null
UPDATE "SYS"."V$ARCHIVED_LOG" SET "NAME" = NULL, "STATUS" = 'D', "DELETED" = 'YES' WHERE "DEST_ID" = 2 AND "SEQUENCE#" = 2;
DELETE FROM "SYS"."V$LOG" WHERE "SEQUENCE#" = 2;
SELECT pg_temp.same('deleted there: a gap to come', pg_temp.kept(), '1 2 100 200 dest 2 D N 512000') \g /dev/null
INSERT INTO "ORAPULL"."ARCHIVE_DEST" VALUES (1, 2);
SELECT pg_temp.same('unless there is another copy', pg_temp.kept(), '1 2 100 200 /arch1/1_2_1.arc dest 1 A Y 512000; 1 2 100 200 dest 2 D Y 512000') \g /dev/null

-- FINDING_V: what stands against a table, in the order in which it is said.
CREATE TABLE "APP"."FOUND" ("ID" numeric(10) PRIMARY KEY, "V" varchar(10));
SELECT "TEST"."SAY"('FOUND', '{"LOGGING": "NO", "NUM_ROWS": null}'), "TEST"."SAY"('FOUND', 'V', '{"DATA_TYPE": "BFILE"}') \g /dev/null
SELECT pg_temp.same('FINDING_V', (SELECT string_agg(concat_ws(' ', "SEVERITY", "FINDING_RANK", "APPLIES_TO", "FINDING"), '; ' ORDER BY "FINDING_RANK", "FINDING")
    FROM "ORAPULL"."FINDING_V" WHERE "OWNER" = 'APP' AND "TABLE_NAME" = 'FOUND'),
    'REFUSED 2 ANY column "V": type BFILE is not supported; REFUSED 4 ANY it is NOLOGGING: ALTER TABLE "APP"."FOUND" LOGGING, or ALTER DATABASE FORCE LOGGING') \g /dev/null
