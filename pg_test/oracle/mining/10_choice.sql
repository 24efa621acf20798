-- Which logs a range needs.
-- Every log that covers an SCN of the range, both ends inclusive; the archived copy before the online one.
SELECT pg_temp.four_logs();
CALL "LOGS"."CHOOSE"(1, 100, 199);
SELECT pg_temp.same('one log', pg_temp.chosen(1), '1/2 /arch1/1_2_1.arc');
CALL "LOGS"."CHOOSE"(1, 99, 350);
SELECT pg_temp.same('all of them', pg_temp.chosen(1), '1/1 /arch1/1_1_1.arc, 1/2 /arch1/1_2_1.arc, 1/3 /arch1/1_3_1.arc, 1/4 /redo/group_1_a.log');

-- The same log online and in two destinations counts once (M10), by rank of the destination (O2); a destination that is not named does
-- not count; no list is all of them.
SELECT pg_temp.four_logs();
SELECT "TEST"."ARCHIVE"(1, 3, 2), "TEST"."ARCHIVE"(1, 2, 2);
CALL "LOGS"."CHOOSE"(1, 150, 250);
SELECT pg_temp.same('no list', pg_temp.chosen(1), '1/2 /arch1/1_2_1.arc, 1/3 /arch1/1_3_1.arc');
INSERT INTO "ORAPULL"."ARCHIVE_DEST" ("DEST_ID", "DEST_RANK") VALUES (2, 1), (1, 2);
CALL "LOGS"."CHOOSE"(1, 50, 250);
SELECT pg_temp.same('by rank', pg_temp.chosen(1), '1/1 /arch1/1_1_1.arc, 1/2 /arch2/1_2_1.arc, 1/3 /arch2/1_3_1.arc');
DELETE FROM "ORAPULL"."ARCHIVE_DEST" WHERE "DEST_ID" = 1;
SELECT pg_temp.refused('another destination', 'ORA-20821: GAP: thread 1 sequence 1 (SCN 1 to 100) is archived, but not to a destination of table ARCHIVE_DEST; add DEST_ID 1 there, or RMAN> RESTORE ARCHIVELOG SEQUENCE 1 THREAD 1;%',
    'CALL "LOGS"."CHOOSE"(1, 50, 250)');

-- What RMAN has catalogued may have no number of a destination: it counts, last.
UPDATE "SYS"."V$ARCHIVED_LOG" SET "DEST_ID" = 0 WHERE "SEQUENCE#" = 1;
CALL "LOGS"."CHOOSE"(1, 50, 250);
SELECT pg_temp.same('catalogued', pg_temp.chosen(1), '1/1 /arch1/1_1_1.arc, 1/2 /arch2/1_2_1.arc, 1/3 /arch2/1_3_1.arc');
-- Without a list: destinations that are LOCAL, the VALID ones first; one that was switched off may still have what was written before.
SELECT pg_temp.four_logs();
SELECT "TEST"."ARCHIVE"(1, 2, 2), "TEST"."ARCHIVE"(1, 3, 3);
UPDATE "SYS"."V$ARCHIVE_DEST_STATUS" SET "STATUS" = 'DEFERRED' WHERE "DEST_ID" = 1;
CALL "LOGS"."CHOOSE"(1, 50, 250);
SELECT pg_temp.same('the valid one first', pg_temp.chosen(1), '1/1 /arch1/1_1_1.arc, 1/2 /arch2/1_2_1.arc, 1/3 /arch1/1_3_1.arc');
UPDATE "SYS"."V$ARCHIVE_DEST_STATUS" SET "TYPE" = 'CROSS-INSTANCE', "STATUS" = 'VALID' WHERE "DEST_ID" = 1;
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "SEQUENCE#" = 2;
CALL "LOGS"."CHOOSE"(1, 150, 250);
SELECT pg_temp.same('never that of another node', pg_temp.chosen(1), '1/2 /arch2/1_2_1.arc, 1/3 /arch3/1_3_1.arc');
SELECT pg_temp.refused('nowhere else', 'ORA-20821: GAP: thread 1 sequence 1 (SCN 1 to 100) is archived on a standby or another node only; copy the file % CATALOG ARCHIVELOG%',
    'CALL "LOGS"."CHOOSE"(1, 50, 250)');
INSERT INTO "ORAPULL"."ARCHIVE_DEST" ("DEST_ID", "DEST_RANK") VALUES (1, 1);
CALL "LOGS"."CHOOSE"(1, 50, 90);
SELECT pg_temp.same('but if the operator says so', pg_temp.chosen(1), '1/1 /arch1/1_1_1.arc');
-- Where the view is hidden all count.
DELETE FROM "ORAPULL"."ARCHIVE_DEST";
DELETE FROM "SYS"."V$ARCHIVE_DEST_STATUS";
CALL "LOGS"."CHOOSE"(1, 50, 90);

-- Not available: X, U, on a standby, not archived. Not good: members that are invalid or stale, groups that are cleared.
SELECT pg_temp.four_logs();
SELECT "TEST"."ARCHIVE"(1, 3, d) FROM generate_series(2, 5) d;
UPDATE "SYS"."V$ARCHIVED_LOG" SET "STATUS" = 'X' WHERE "SEQUENCE#" = 3 AND "DEST_ID" = 1;
UPDATE "SYS"."V$ARCHIVED_LOG" SET "STATUS" = 'U' WHERE "SEQUENCE#" = 3 AND "DEST_ID" = 2;
UPDATE "SYS"."V$ARCHIVED_LOG" SET "STANDBY_DEST" = 'YES' WHERE "SEQUENCE#" = 3 AND "DEST_ID" = 3;
UPDATE "SYS"."V$ARCHIVED_LOG" SET "ARCHIVED" = 'NO' WHERE "SEQUENCE#" = 3 AND "DEST_ID" = 4;
UPDATE "SYS"."V$LOGFILE" SET "STATUS" = 'INVALID' WHERE "MEMBER" = '/redo/group_3_a.log';
CALL "LOGS"."CHOOSE"(1, 250, 350);
SELECT pg_temp.same('the copy that is left', pg_temp.chosen(1), '1/3 /arch5/1_3_1.arc, 1/4 /redo/group_1_a.log');
DELETE FROM "SYS"."V$ARCHIVED_LOG" WHERE "SEQUENCE#" = 3 AND "DEST_ID" = 5;
CALL "LOGS"."CHOOSE"(1, 250, 350);
SELECT pg_temp.same('the member that is good', pg_temp.chosen(1), '1/3 /redo/group_3_b.log, 1/4 /redo/group_1_a.log');
UPDATE "SYS"."V$LOG" SET "STATUS" = 'CLEARING' WHERE "SEQUENCE#" = 3;
SELECT pg_temp.refused('a cleared group', 'ORA-20822: WAIT_LOG: thread 1 sequence 3 (SCN 200 to 300) is not archived yet; if it stays so, RMAN> ALTER SYSTEM ARCHIVE LOG ALL, on the instance of thread 1',
    'CALL "LOGS"."CHOOSE"(1, 250, 350)');

-- Sequences count in their thread (M8) and incarnation (M38, M45) only.
SELECT pg_temp.four_logs();
SELECT "TEST"."ADD_THREAD"(2, 50), "TEST"."SWITCH_LOG"(2, 150), "TEST"."ADVANCE"(400);
UPDATE "SYS"."V$LOG" SET "ARCHIVED" = 'NO' WHERE "THREAD#" = 2;
INSERT INTO "SYS"."V$ARCHIVED_LOG" ("NAME", "DEST_ID", "THREAD#", "SEQUENCE#", "RESETLOGS_CHANGE#", "RESETLOGS_TIME", "FIRST_CHANGE#", "NEXT_CHANGE#", "BLOCKS")
VALUES ('/arch1/0_before_refresh.arc', 1, 1, 3, 77, timestamp '2019-01-01', 200, 300, 1), ('/arch1/0_other_reset.arc', 1, 1, 2, 1, timestamp '2019-01-01', 100, 200, 1);
CALL "LOGS"."CHOOSE"(1, 150, 250);
SELECT pg_temp.same('both threads', pg_temp.chosen(1), '1/2 /arch1/1_2_1.arc, 1/3 /arch1/1_3_1.arc, 2/2 /redo/group_5_a.log');

-- A restart leaves a hole without redo between consecutive sequences: the range may begin, end or lie in it.
SELECT pg_temp.start();
SELECT "TEST"."SWITCH_LOG"(1, 100), "TEST"."RESTART"(200, 100), "TEST"."ADVANCE"(400);
SELECT pg_temp.same('the hole', (SELECT concat("NEXT_CHANGE#", ' ', (SELECT "FIRST_CHANGE#" FROM "SYS"."V$LOG" WHERE "SEQUENCE#" = 3))
    FROM "SYS"."V$ARCHIVED_LOG" WHERE "SEQUENCE#" = 2), '200 300');
CALL "LOGS"."CHOOSE"(1, 250, 350);
SELECT pg_temp.same('begins in the hole', pg_temp.chosen(1), '1/3 /redo/group_3_a.log');
CALL "LOGS"."CHOOSE"(1, 210, 220);
SELECT pg_temp.same('lies in the hole', pg_temp.chosen(1), '1/3 /redo/group_3_a.log');
CALL "LOGS"."CHOOSE"(1, 150, 250);
SELECT pg_temp.same('ends in the hole', pg_temp.chosen(1), '1/2 /arch1/1_2_1.arc, 1/3 /redo/group_3_a.log');
-- Even if the log before the hole is known by its number only; but not if it is unknown.
SELECT "TEST"."DELETE_LOG"(1, 2);
CALL "LOGS"."CHOOSE"(1, 250, 350);
SELECT pg_temp.same('the log before is deleted', pg_temp.chosen(1), '1/3 /redo/group_3_a.log');
SELECT "TEST"."DELETE_LOG"(1, 2, 'FORGOTTEN');
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "SEQUENCE#" = 2;
SELECT pg_temp.refused('the log before is unknown', 'ORA-20822: WAIT_LOG: thread 1 sequence 2 (SCN 100 to unknown) is neither online nor archived; if it stays so, if the%', 'CALL "LOGS"."CHOOSE"(1, 250, 350)');

-- Threads: PRIVATE ones are ignored when the operator says so (M41); of a closed one what it wrote before it closed; of a disabled one up to that SCN; one that is
-- enabled in the range from there on.
SELECT pg_temp.four_logs();
SELECT "TEST"."ADD_THREAD"(2, 150), "TEST"."ADVANCE"(400);
CALL "LOGS"."CHOOSE"(1, 110, 310);
SELECT pg_temp.expect('enabled in the range', pg_temp.chosen(1) LIKE '%, 2/1 /redo/group_4_a.log');
SELECT "TEST"."CLOSE_THREAD"(2, 250), "TEST"."ADVANCE"(400);
CALL "LOGS"."CHOOSE"(1, 110, 310);
SELECT pg_temp.expect('closed in the range: its last log', pg_temp.chosen(1) LIKE '%, 2/1 /arch1/2_1_1.arc, 2/2 %');
SELECT "TEST"."DELETE_LOG"(2, 1);
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "THREAD#" = 2 AND "SEQUENCE#" = 1;
SELECT pg_temp.refused('which must be there', 'ORA-20821: GAP: thread 2 sequence 1 (SCN 150 to 250) was deleted; RMAN> RESTORE ARCHIVELOG SEQUENCE 1 THREAD 2;%',
    'CALL "LOGS"."CHOOSE"(1, 110, 310)');
CALL "LOGS"."CHOOSE"(1, 260, 310);
SELECT pg_temp.expect('but not behind the close', pg_temp.chosen(1) LIKE '1/3 %');
SELECT "TEST"."ARCHIVE"(2, 1);
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "THREAD#" = 2;
CALL "LOGS"."CHOOSE"(1, 110, 310);
SELECT pg_temp.expect('nothing is waited for behind the close', pg_temp.chosen(1) LIKE '%, 2/1 /arch1/2_1_1.arc');
SELECT "TEST"."DELETE_LOG"(2, 1);
UPDATE "SYS"."V$THREAD" SET "ENABLED" = 'DISABLED', "DISABLE_CHANGE#" = 250 WHERE "THREAD#" = 2;
SELECT pg_temp.refused('a thread that was disabled in the range', 'ORA-20821: GAP: thread 2 sequence 1 %', 'CALL "LOGS"."CHOOSE"(1, 110, 310)');
CALL "LOGS"."CHOOSE"(1, 250, 310);
UPDATE "SYS"."V$THREAD" SET "ENABLED" = 'PRIVATE' WHERE "THREAD#" = 2;
SELECT pg_temp.refused('a private thread, closed in the range', 'ORA-20821: GAP: thread 2 sequence 1 %', 'CALL "LOGS"."CHOOSE"(1, 110, 310)');
UPDATE "SYS"."V$THREAD" SET "STATUS" = 'OPEN' WHERE "THREAD#" = 2;
SELECT pg_temp.refused('and an open one', 'ORA-20821: GAP: thread 2 sequence 1 %', 'CALL "LOGS"."CHOOSE"(1, 110, 310)');
UPDATE "ORAPULL"."SETTING" SET "IGNORE_PRIVATE" = 'Y';
CALL "LOGS"."CHOOSE"(1, 110, 310);
SELECT pg_temp.four_logs();
UPDATE "ORAPULL"."SETTING" SET "IGNORE_PRIVATE" = 'Y';
SELECT "TEST"."ADD_THREAD"(2, 50), "TEST"."ADVANCE"(400);
UPDATE "SYS"."V$THREAD" SET "ENABLED" = 'PRIVATE' WHERE "THREAD#" = 2;
CALL "LOGS"."CHOOSE"(1, 110, 310);
SELECT pg_temp.expect('its logs are not read', pg_temp.chosen(1) NOT LIKE '%, 2/%');
UPDATE "ORAPULL"."SETTING" SET "IGNORE_PRIVATE" = 'N';
CALL "LOGS"."CHOOSE"(1, 110, 310);
SELECT pg_temp.expect('or are', pg_temp.chosen(1) LIKE '%, 2/1 %');

-- Before a thread was enabled it has no redo. With a later log on its list LogMiner would ask for its first one, which may be gone.
SELECT pg_temp.four_logs();
SELECT "TEST"."ADD_THREAD"(2, 350), "TEST"."SWITCH_LOG"(2, 360), "TEST"."ADVANCE"(400);
SELECT "TEST"."DELETE_LOG"(2, 1);
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "THREAD#" = 2 AND "SEQUENCE#" = 1;
CALL "LOGS"."CHOOSE"(1, 110, 310);
SELECT pg_temp.expect('enabled behind the range', pg_temp.chosen(1) LIKE '1/2 %' AND pg_temp.chosen(1) NOT LIKE '%, 2/%');

-- What the operator must keep.
SELECT pg_temp.four_logs();
SELECT "TEST"."ADD_THREAD"(2, 50), "TEST"."SWITCH_LOG"(2, 250), "TEST"."ADVANCE"(400);
SELECT pg_temp.same('keep from 150', "LOGS"."KEEP_FROM"(150), 'thread 1 sequence 2, thread 2 sequence 1');
SELECT pg_temp.same('keep from 350', "LOGS"."KEEP_FROM"(350), 'thread 1 sequence 4, thread 2 sequence 2');
