-- Where ranges end: redo that is on disk, of every thread; sizes; when none is cut.
CREATE FUNCTION pg_temp.ranges() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat("SCN_FROM", '-', "SCN_TO"), ' ' ORDER BY "SCAN_ID") FROM "ORAPULL"."SCAN"
$$;

-- CURRENT_SCN runs ahead of the redo on disk (M5): what LGWR writes later is in the next range.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 470, 'ROW1'), "TEST"."COMMIT"(1, 480), "TEST"."ADVANCE"(500), "TEST"."FLUSH"(450);
SELECT pg_temp.expect('flushed', "LOGS"."FLUSHED_SCN"() = 449 AND "SOURCE"."CURRENT_SCN"() > 500);
:scan
SELECT pg_temp.expect('up to what is on disk', pg_temp.ranges() = '1-449' AND pg_temp.staged() IS NULL);
SELECT "TEST"."FLUSH"(510);
:scan
SELECT pg_temp.same('and then the rest', concat(pg_temp.ranges(), ': ', pg_temp.staged()), '1-449 449-509: 470:1 R=1 ROW1 1');

-- Of several threads the least (M7); a closed thread holds nothing back; an idle one does until its heartbeat.
SELECT pg_temp.start();
SELECT "TEST"."ADD_THREAD"(2, 10), "TEST"."ADVANCE"(900, 1), "TEST"."ADVANCE"(600, 2);
SELECT pg_temp.expect('the least of the threads', "LOGS"."FLUSHED_SCN"() = 599);
SELECT "TEST"."ADVANCE"(950, 2);
SELECT pg_temp.expect('it has moved', "LOGS"."FLUSHED_SCN"() = 899);
SELECT "TEST"."CLOSE_THREAD"(2, 960), "TEST"."ADVANCE"(1000, 1);
SELECT pg_temp.expect('a closed thread', "LOGS"."FLUSHED_SCN"() = 999);
UPDATE "SYS"."V$THREAD" SET "STATUS" = 'OPEN', "ENABLED" = 'PRIVATE' WHERE "THREAD#" = 2;
SELECT pg_temp.expect('a private thread', "LOGS"."FLUSHED_SCN"() = 959);
UPDATE "ORAPULL"."SETTING" SET "IGNORE_PRIVATE" = 'Y';
SELECT pg_temp.expect('a private thread that is there for recovery', "LOGS"."FLUSHED_SCN"() = 999);
UPDATE "SYS"."V$THREAD" SET "STATUS" = 'CLOSED';
SELECT pg_temp.expect('no thread', "LOGS"."FLUSHED_SCN"() IS NULL AND "RANGES"."PLAN_SCAN"() IS NULL);

-- Archived logs only: where the archived logs of all open threads end (M7, M11).
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "ARCHIVED_ONLY" = 'Y';
SELECT "TEST"."ADD_THREAD"(2, 10), "TEST"."SWITCH_LOG"(1, 900), "TEST"."SWITCH_LOG"(2, 600), "TEST"."INSERT"(1, 'T', '{"ID": 1}', 700, 'ROW1');
SELECT "TEST"."ADVANCE"(1000);
SELECT pg_temp.expect('the least of the archived', "LOGS"."FLUSHED_SCN"() = 599);
:scan
SELECT pg_temp.same('nothing is read online', pg_temp.chosen(1), '1/1 /arch1/1_1_1.arc, 2/1 /arch1/2_1_1.arc');
SELECT pg_temp.expect('no more until the next log is archived', "RANGES"."PLAN_END"() IS NULL);
SELECT "TEST"."SWITCH_LOG"(2, 800);
SELECT pg_temp.expect('one thread has gone on', "RANGES"."PLAN_END"() = 799);

-- Small ranges at the tail, one at a time; large ones, cut at the end of a log and by bytes, several at a time, when it is behind.
SELECT pg_temp.four_logs();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 2097152;
:plan
SELECT pg_temp.same('two logs of a megabyte', pg_temp.ranges(), '1-199');
:plan
SELECT pg_temp.same('two more: the tail, but others are at work', pg_temp.ranges(), '1-199');
:again
:plan
SELECT pg_temp.same('now it may', pg_temp.ranges(), '1-199 199-399');
SELECT "TEST"."ADVANCE"(450);
:plan
SELECT pg_temp.same('one worker for the tail', pg_temp.ranges(), '1-199 199-399');
:again
:plan
SELECT pg_temp.same('what has come meanwhile is the next range', pg_temp.ranges(), '1-199 199-399 399-449');
SELECT pg_temp.expect('bytes of the logs that are read', (SELECT "REDO_BYTES" = 2097152 FROM "ORAPULL"."SCAN" WHERE "SCN_FROM" = 1));

SELECT pg_temp.same('cut: one log at least, however large', concat_ws(' ', "LOGS"."CUT"(1, 399, 1), "LOGS"."CUT"(99, 399, 1), "LOGS"."CUT"(150, 399, 1)), '99 199 199');
SELECT pg_temp.same('cut: all fits', "LOGS"."CUT"(1, 350, 99999999)::text, '350');
SELECT pg_temp.same('cut: the size counts the logs of all threads', (SELECT concat("LOGS"."CUT"(1, 399, 3145728), ' ', "LOGS"."CUT"(1, 399, 4194304))
    FROM (SELECT "TEST"."ADD_THREAD"(2, 150), "TEST"."ADVANCE"(450)) x), '199 299');
SELECT pg_temp.same('cut: never one SCN, which LogMiner refuses', "LOGS"."CUT"(98, 350, 1)::text, '199');

SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(5000);
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_SCN" = 1000, "STAGE_SLOTS" = 3;
:plan
:plan
:plan
:plan
SELECT pg_temp.same('by SCNs, and not more than there are stage slots', pg_temp.ranges(), '1-1001 1001-2001 2001-3001');
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MIN_SCN" = 100;
SELECT "TEST"."ADVANCE"(101);
SELECT pg_temp.expect('too small (M47)', "RANGES"."PLAN_END"() IS NULL);
SELECT "TEST"."ADVANCE"(102);
SELECT pg_temp.expect('large enough', "RANGES"."PLAN_END"() = 101);
UPDATE "ORAPULL"."SOURCE_STATE" SET "STATE" = 'STOPPED';
SELECT pg_temp.expect('not when stopped', "RANGES"."PLAN_END"() IS NULL);
UPDATE "ORAPULL"."SOURCE_STATE" SET "STATE" = 'TRANSPORT_LOST';
SELECT pg_temp.expect('mining goes on while lost slots are rebuilt', "RANGES"."PLAN_END"() = 101);

-- Quiet tables: the start moves on, or logs would age out (M14, M28, M29).
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_SCN" = 10;
SELECT "TEST"."ADVANCE"(1000);
:scan
SELECT pg_temp.published();
:scan
SELECT pg_temp.published();
:scan
SELECT pg_temp.expect('empty ranges follow each other', pg_temp.ranges() = '1-11 11-21 21-31'
    AND (SELECT "PLANNED_SCN" = 31 AND "LAST_SCAN" = 3 FROM "ORAPULL"."SOURCE_STATE"));
