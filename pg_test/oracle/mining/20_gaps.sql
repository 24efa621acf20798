-- Logs that are missing: what the operator is told, and that nothing is skipped.

-- A hole in the sequences (M12), however it came: RMAN, the control file forgot it, a file that is gone (M15).
SELECT pg_temp.four_logs();
SELECT "TEST"."DELETE_LOG"(1, 2);
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "SEQUENCE#" = 2;
:plan
SELECT pg_temp.fails('deleted', 'ORA-20821: GAP: thread 1 sequence 2 (SCN 100 to 200) was deleted; RMAN> RESTORE ARCHIVELOG SEQUENCE 2 THREAD 1; or give the range up with SKIP_GAP,%', 'take');
SELECT pg_temp.expect('the source says so', (SELECT "STATE" = 'GAP' AND "STATE_DETAIL" LIKE '%thread 1 sequence 2 (SCN 100 to 200)%' FROM "ORAPULL"."SOURCE_STATE"));
SELECT pg_temp.expect('the scan waits, no slot is taken', (SELECT "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL AND "WAITS_FOR" = 'GAP' AND "DETAIL" LIKE '%GAP%'
    FROM "ORAPULL"."SCAN") AND NOT EXISTS (SELECT FROM "ORAPULL"."STAGE_SLOT" WHERE "STATUS" <> 'FREE'));
SELECT pg_temp.expect('an event', EXISTS (SELECT FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'GAP'));
SELECT "TEST"."ADVANCE"(500);
SELECT pg_temp.expect('nothing more is cut, nothing is skipped', "RANGES"."PLAN_SCAN"() IS NULL);
SELECT pg_temp.fails('and again', '%GAP%', 'take');
SELECT pg_temp.expect('told once', 1 = (SELECT count(*) FROM "ORAPULL"."EVENT"));
SELECT "TEST"."ARCHIVE"(1, 2);
:again
SELECT pg_temp.expect('restored: the same range, and all is well', pg_temp.state() = 'OK' AND (SELECT "STATUS" = 'SCANNED' AND "SCN_FROM" = 1 AND "DETAIL" IS NULL
    AND "WAITS_FOR" IS NULL AND "WAITS_SINCE" IS NULL FROM "ORAPULL"."SCAN"));

SELECT pg_temp.four_logs();
SELECT "TEST"."DELETE_LOG"(1, 2, 'FORGOTTEN');
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "SEQUENCE#" = 2;
:plan
SELECT pg_temp.fails('unknown', 'ORA-20821: GAP: thread 1 sequence 2 (SCN 100 to 200) is not known to the control file; if the file exists: RMAN> CATALOG ARCHIVELOG ''file''; else RMAN> RESTORE%', 'take');

SELECT pg_temp.four_logs();
SELECT "TEST"."DELETE_LOG"(1, 2, 'FILE');
:plan
SELECT pg_temp.take();
SELECT pg_temp.fails('a file that is gone', 'ORA-20821: GAP: thread 1 sequence 2 (SCN 100 to 200), file /arch1/1_2_1.arc, counts as available but cannot be opened; if it was moved or compressed outside RMAN, put it back, or RMAN> CATALOG%; else RMAN> RESTORE ARCHIVELOG SEQUENCE 2 THREAD 1;%ORA-01284%', 'mine');
SELECT pg_temp.expect('GAP, scanned anew into another slot', (SELECT "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL AND "ATTEMPTS" = 1 FROM "ORAPULL"."SCAN")
    AND pg_temp.state() = 'GAP' AND (SELECT "STATUS" = 'DIRTY' FROM "ORAPULL"."STAGE_SLOT" WHERE "SLOT_NO" = 1));
SELECT pg_temp.expect('LogMiner was ended', NOT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"()));

-- It goes while it is read: the sentence names the log whose file the error names.
SELECT pg_temp.four_logs();
:plan
SELECT pg_temp.take();
SELECT "TEST"."FAIL_AT"('SCAN', 308, 'cannot open archived log ''/arch1/1_2_1.arc'''), "TEST"."FAIL_AT"('START', 27037, 'unable to obtain file status');
SELECT pg_temp.fails('when LogMiner starts', 'ORA-27037: %', 'mine');
SELECT pg_temp.expect('any of its logs', pg_temp.state() = 'GAP' AND (SELECT "DETAIL" LIKE 'GAP: wanted was redo of SCN 1 to 399, thread 1 sequence 1 to 4; RMAN> RESTORE ARCHIVELOG SCN BETWEEN 1 AND 399; or give %; ORA-27037: %'
    FROM "ORAPULL"."SCAN"));
DELETE FROM "SYS"."HOOK" WHERE "AT" = 'START';
SELECT pg_temp.take();
SELECT pg_temp.fails('while it reads', 'ORA-00308: %', 'mine');
SELECT pg_temp.expect('this log', (SELECT "STATE_DETAIL" LIKE 'GAP: wanted was redo of SCN 1 to 399, thread 1 sequence 2; RMAN> %; ORA-00308: %' FROM "ORAPULL"."SOURCE_STATE"));

-- Older than every log: LogMiner would say that there is no file (M14).
SELECT pg_temp.four_logs();
SELECT "TEST"."DELETE_LOG"(1, s, 'FORGOTTEN') FROM generate_series(1, 3) s;
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "STATUS" <> 'CURRENT';
:plan
SELECT pg_temp.fails('before all logs, at first', 'ORA-20822: WAIT_LOG: thread 1 sequence 3 %', 'take');
UPDATE "SYS"."V$LOG" SET "FIRST_TIME" = "FIRST_TIME" - interval '301 s';
SELECT pg_temp.fails('before all logs', 'ORA-20821: GAP: thread 1 sequence 3 (SCN unknown to unknown) is not known to the control file;%', 'take');

-- A log that is on its way is waited for, without alarm at first (M42, O12). Nothing is read online here.
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "ARCHIVED_ONLY" = 'Y';
SELECT "TEST"."SWITCH_LOG"(1, 100), "TEST"."SWITCH_LOG"(1, 200, false), "TEST"."SWITCH_LOG"(1, 300), "TEST"."ADVANCE"(400);
:plan
SELECT pg_temp.fails('not archived yet', 'ORA-20822: WAIT_LOG: thread 1 sequence 2 (SCN 100 to 200) is not archived yet; if it stays so, RMAN> ALTER SYSTEM ARCHIVE LOG ALL, on the instance of thread 1', 'take');
SELECT pg_temp.expect('no alarm', pg_temp.state() = 'OK' AND (SELECT "WAITS_FOR" = 'WAIT_LOG' FROM "ORAPULL"."SCAN"));
UPDATE "ORAPULL"."SCAN" SET "WAITS_SINCE" = "WAITS_SINCE" - interval '299 s';
SELECT pg_temp.fails('still not', '%WAIT_LOG%', 'take');
SELECT pg_temp.expect('no alarm yet', pg_temp.state() = 'OK');
UPDATE "ORAPULL"."SCAN" SET "WAITS_SINCE" = "WAITS_SINCE" - interval '2 s';
SELECT pg_temp.fails('and still', '%WAIT_LOG%', 'take');
SELECT pg_temp.expect('after WAIT_LOG_SECONDS', pg_temp.state() = 'WAIT_LOG');
SELECT "TEST"."ARCHIVE"(1, 2);
:again
SELECT pg_temp.expect('it has come', pg_temp.state() = 'OK');

-- Neither online nor archived, at the end: between two looks of the control file.
SELECT pg_temp.four_logs();
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "SEQUENCE#" = 4;
SELECT pg_temp.refused('at the end', 'ORA-20822: WAIT_LOG: thread 1 sequence 4 (SCN 300 to unknown) is neither online nor archived; if it stays so, %', 'CALL "LOGS"."CHOOSE"(1, 250, 350)');

-- A thread without any log is a gap, not nothing to do.
SELECT pg_temp.four_logs();
SELECT "TEST"."ADD_THREAD"(2, 50), "TEST"."SWITCH_LOG"(2, 150), "TEST"."SWITCH_LOG"(2, 250), "TEST"."ADVANCE"(400);
SELECT "TEST"."DELETE_LOG"(2, 1), "TEST"."DELETE_LOG"(2, 2);
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "THREAD#" = 2;
SELECT pg_temp.refused('no log of a thread', 'ORA-20821: GAP: thread 2 sequence 1 (SCN 50 to 150) was deleted%', 'CALL "LOGS"."CHOOSE"(1, 110, 240)');

-- Another scan may go on while one waits for its log; publication is what must wait.
SELECT pg_temp.four_logs();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 1048576;
:plan
:plan
SELECT "TEST"."DELETE_LOG"(1, 2, 'FILE');
SELECT pg_temp.take();
SELECT pg_temp.mine();
SELECT pg_temp.finish();
SELECT pg_temp.take();
SELECT pg_temp.fails('the second of two', '%GAP%', 'mine');
UPDATE "ORAPULL"."SOURCE_STATE" SET "STATE" = 'OK';
:plan
SELECT pg_temp.expect('a third is cut when the operator says OK', (SELECT max("SCN_TO") = 299 FROM "ORAPULL"."SCAN"));
