-- Taking, reading and finishing as scan jobs do, and what befalls jobs.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100);
SELECT pg_temp.expect('nothing to take', pg_temp.take() IS NULL);
:plan
SELECT pg_temp.take();
SELECT pg_temp.expect('taken', (SELECT "STATUS" = 'RUNNING' AND "SESSION_KEY" = pg_temp.me() AND "ATTEMPTS" = 1 AND "STAGE_SLOT" = 1 AND "READ_FROM" = 1
    AND "STARTED_AT" IS NOT NULL FROM "ORAPULL"."SCAN") AND (SELECT "STATUS" = 'USED' FROM "ORAPULL"."STAGE_SLOT" WHERE "SLOT_NO" = 1));
SELECT pg_temp.refused('a scan that is not read', 'ORA-20825: STAGE_1 has 0 rows of scan 1, not any', 'SELECT pg_temp.finish()');
SELECT pg_temp.mine();
SELECT pg_temp.expect('read, LogMiner ended', (SELECT "ROWS_STAGED" = 3 FROM "ORAPULL"."SCAN") AND NOT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"()));
SELECT pg_temp.finish();
SELECT pg_temp.expect('done', (SELECT "STATUS" = 'SCANNED' AND "ENDED_AT" >= "STARTED_AT" AND "PGA_MAX" > 0 AND "SESSION_KEY" IS NULL FROM "ORAPULL"."SCAN"));
SELECT pg_temp.refused('a step again', 'ORA-20824: scan 1 is not run by session%', 'SELECT pg_temp.mine()');
SELECT pg_temp.refused('a step again', 'ORA-20824: scan 1 is not run by session%', 'SELECT pg_temp.finish()');

-- Slots: a slot that was given back is truncated before it is used again.
SELECT pg_temp.published();
SELECT pg_temp.expect('dirty', "STAGES"."NEXT_TO_CLEAR"() = 1);
SELECT pg_temp.refused('a slot in use', 'ORA-20827: stage slot 2 is FREE, not DIRTY', 'CALL "STAGES"."CLEAR"(2)');
SELECT pg_temp.refused('an unknown slot', 'ORA-20827: stage slot 9 is unknown, not DIRTY', 'CALL "STAGES"."CLEAR"(9)');
CALL "STAGES"."CLEAR"(1);
SELECT pg_temp.expect('cleared', "STAGES"."NEXT_TO_CLEAR"() IS NULL AND NOT EXISTS (SELECT FROM "ORAPULL"."STAGE_1")
    AND (SELECT "STATUS" = 'FREE' FROM "ORAPULL"."STAGE_SLOT" WHERE "SLOT_NO" = 1));
SELECT pg_temp.expect('how many there should be', "STAGES"."NEXT_TO_CREATE"() = 5);
UPDATE "ORAPULL"."SETTING" SET "STAGE_SLOTS" = 4;
SELECT pg_temp.expect('there are as many', "STAGES"."NEXT_TO_CREATE"() IS NULL);
CALL "STAGES"."CREATE_SLOT"(4);
SELECT pg_temp.expect('made again after a crash', 4 = (SELECT count(*) FROM "ORAPULL"."STAGE_SLOT"));
SELECT "TEST"."ADVANCE"(200);
:plan
UPDATE "ORAPULL"."STAGE_SLOT" SET "STATUS" = 'USED';
SELECT pg_temp.expect('no slot is free', pg_temp.take() IS NULL AND (SELECT "STATUS" = 'NEW' FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));

-- The governor: scans at the same time, active sessions, states in which nothing is read.
SELECT pg_temp.four_logs();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 1, "PARALLEL_SCANS" = 2;
:plan
:plan
:plan
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1), (1002, 1), (1003, 1);
SELECT pg_temp.same('two of three', concat_ws(' ', pg_temp.take('1001,1,1'), pg_temp.take('1002,1,1'), pg_temp.take('1003,1,1')), '1 2');
UPDATE "ORAPULL"."SETTING" SET "PARALLEL_SCANS" = 3, "PAUSE_ABOVE_SESSIONS" = 3;
SELECT pg_temp.expect('too many sessions are active', pg_temp.take('1003,1,1') IS NULL);
UPDATE "SYS"."SESSION" SET "STATUS" = 'INACTIVE';
UPDATE "ORAPULL"."SOURCE_STATE" SET "STATE" = 'STOPPED';
SELECT pg_temp.expect('stopped', pg_temp.take('1003,1,1') IS NULL);
UPDATE "ORAPULL"."SOURCE_STATE" SET "STATE" = 'OK';
SELECT pg_temp.expect('not too many', pg_temp.take('1003,1,1') = 3);

-- A job whose session is gone, or that takes too long: its scan is taken again, into another slot, and it cannot finish it any more.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100);
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1);
:plan
SELECT pg_temp.take('1001,1,1');
SELECT pg_temp.mine();
SELECT pg_temp.expect('alive: not taken', "MINER"."TAKE_SCAN"(pg_temp.me()) IS NULL);
DELETE FROM "SYS"."SESSION" WHERE "SID" = 1001;
SELECT pg_temp.expect('gone: taken', "MINER"."TAKE_SCAN"(pg_temp.me()) = 1);
SELECT pg_temp.expect('again', (SELECT "ATTEMPTS" = 2 AND "STAGE_SLOT" = 2 AND "SESSION_KEY" = pg_temp.me() AND "ROWS_STAGED" IS NULL FROM "ORAPULL"."SCAN")
    AND (SELECT "STATUS" = 'DIRTY' FROM "ORAPULL"."STAGE_SLOT" WHERE "SLOT_NO" = 1) AND EXISTS (SELECT FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'SCAN_DEAD'));
SELECT pg_temp.refused('the dead one comes back', 'ORA-20824: scan 1 is not run by session 1001,1,1', 'SELECT pg_temp.finish()');
CALL "MINER"."FAIL"(1, '1001,1,1', -20824, 'and reports it');
SELECT pg_temp.expect('which changes nothing', (SELECT "STATUS" = 'RUNNING' AND "SESSION_KEY" = pg_temp.me() FROM "ORAPULL"."SCAN"));
UPDATE job SET session = pg_temp.me();
SELECT pg_temp.mine();
SELECT pg_temp.finish();
SELECT pg_temp.same('and done', pg_temp.staged(), '50:1 R=1 ROW1 1');

-- What is wrong with a scan whose job is gone is told, although the error undoes that it was given up.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100);
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1);
:plan
SELECT pg_temp.take('1001,1,1');
DELETE FROM "SYS"."SESSION" WHERE "SID" = 1001;
UPDATE "SYS"."DATABASE" SET "RESETLOGS_CHANGE#" = 50;
SELECT pg_temp.fails('of a dead job', 'ORA-20823: %', 'take');
SELECT pg_temp.expect('the state says so', pg_temp.state() = 'INCARNATION_CHANGED'
    AND (SELECT "STATUS" = 'NEW' AND "DETAIL" LIKE 'ORA-20823%' FROM "ORAPULL"."SCAN"));

-- Errors of LogMiner: the session ends in every way out, the scan waits again, and an error that stays becomes an event.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100);
:plan
SELECT "TEST"."FAIL_AT"('START', 600, 'internal error code, arguments: [krvrdccs10]');
SELECT pg_temp.take();
SELECT pg_temp.fails('at the start', 'ORA-00600: internal%', 'mine');
SELECT pg_temp.expect('ended', NOT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"()));
SELECT "TEST"."MEND"(), "TEST"."FAIL_AT"('SCAN', 310, 'archived log contains sequence 5; sequence 4 required');
SELECT pg_temp.take();
SELECT pg_temp.fails('while it reads (M17)', 'ORA-00310: %', 'mine');
SELECT pg_temp.expect('ended', NOT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"()));
SELECT pg_temp.expect('which is no state of the source', pg_temp.state() = 'OK');
SELECT "TEST"."MEND"();
:again
SELECT pg_temp.expect('retried with success', (SELECT "STATUS" = 'SCANNED' AND "ATTEMPTS" = 3 AND "FAILURES" = 0 FROM "ORAPULL"."SCAN"));

-- An online log that is overwritten while it is read is archived when it is read again: a second failure in a row is told; of other errors
-- the third.
CREATE FUNCTION pg_temp.told() RETURNS text LANGUAGE sql AS $$ SELECT string_agg("DETAIL", ' | ' ORDER BY "EVENT_ID") FROM "ORAPULL"."EVENT" $$;
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100), "TEST"."FAIL_AT"('ADD', 1368, 'redo log file header mismatch');
:plan
SELECT pg_temp.take();
SELECT pg_temp.fails('when a file is added (M44)', 'ORA-01368: %', 'mine');
SELECT pg_temp.expect('retried', pg_temp.told() IS NULL);
SELECT pg_temp.take();
SELECT pg_temp.fails('again', 'ORA-01368: %', 'mine');
SELECT pg_temp.same('an event', pg_temp.told(), 'scan 1 has failed 2 times: ORA-01368: redo log file header mismatch');

-- Errors of TAKE_SCAN itself, which undo that it was taken: they are counted as well.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100);
:plan
ALTER TABLE "ORAPULL"."SCAN_LOG" ADD CONSTRAINT broken CHECK ("SCAN_ID" < 0);
SELECT pg_temp.fails('taking fails', '%broken%', 'take');
SELECT pg_temp.fails('again', '%broken%', 'take');
SELECT pg_temp.expect('not told yet', pg_temp.told() IS NULL AND (SELECT "ATTEMPTS" = 0 AND "FAILURES" = 2 FROM "ORAPULL"."SCAN"));
SELECT pg_temp.fails('and again', '%broken%', 'take');
SELECT pg_temp.expect('an event', pg_temp.told() LIKE 'scan 1 has failed 3 times: %broken%');
ALTER TABLE "ORAPULL"."SCAN_LOG" DROP CONSTRAINT broken;
:again
CALL "MINER"."FAIL"(NULL, pg_temp.me(), -60, 'ORA-00060: deadlock');
SELECT pg_temp.expect('also when no scan waits', pg_temp.told() LIKE '% | no scan can be taken: ORA-00060: deadlock');

-- What the errors ask for.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100);
:plan
SELECT pg_temp.take();
CALL "MINER"."FAIL"(1, pg_temp.me(), -65040, 'ORA-65040: operation not allowed from within a pluggable database');
SELECT pg_temp.expect('M37', (SELECT "DETAIL" LIKE '%(before 19.10 LogMiner runs in CDB$ROOT only: topology ROOT, %)' FROM "ORAPULL"."SCAN"));
SELECT pg_temp.take();
CALL "MINER"."FAIL"(1, pg_temp.me(), -1292, 'ORA-01292: no log file has been specified for the current LogMiner session');
SELECT pg_temp.expect('M14', pg_temp.state() = 'GAP' AND (SELECT "STATE_DETAIL" LIKE 'GAP: wanted was redo of SCN 1 to 99, thread 1 sequence 1; RMAN> RESTORE ARCHIVELOG '
    'SCN BETWEEN 1 AND 99; or give %; ORA-01292%' FROM "ORAPULL"."SOURCE_STATE"));
SELECT pg_temp.take();
UPDATE "ORAPULL"."SCAN" SET "MINING_RULE" = 'C';
CALL "MINER"."FAIL"(1, pg_temp.me(), -4030, 'ORA-04030: out of process memory');
SELECT pg_temp.expect('M30: without COMMITTED_DATA_ONLY', (SELECT "MINING_RULE" = 'W' FROM "ORAPULL"."SCAN"));
CALL "MINER"."FAIL"(99, pg_temp.me(), -20824, 'a scan that was dropped meanwhile');
SELECT pg_temp.expect('nobody is told of a scan that is not there', NOT EXISTS (SELECT FROM "ORAPULL"."EVENT" WHERE "DETAIL" LIKE '%dropped%'));

-- A slot that cannot be read when it is to be published, which is no fault of publication.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100);
:scan
CALL "MINER"."FAIL"(1, NULL, -1653, 'ORA-01653: unable to extend table');
SELECT pg_temp.expect('a full tablespace: the scan stays', (SELECT "STATUS" = 'SCANNED' AND "DETAIL" LIKE 'ORA-01653%' FROM "ORAPULL"."SCAN"));
CALL "MINER"."FAIL"(1, NULL, -26040, 'ORA-26040: data block was loaded using the NOLOGGING option');
SELECT pg_temp.expect('a lost stage: read again', (SELECT "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL FROM "ORAPULL"."SCAN") AND "STAGES"."NEXT_TO_CLEAR"() = 1);
-- By rule S as well: what the stage had of a transaction that goes over both seams comes again; what came before is carried.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."ADVANCE"(101);
:scan
SELECT pg_temp.published(50);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 2}', 150, 'ROW2'), "TEST"."ADVANCE"(201);
:scan
CREATE TEMPORARY TABLE lost AS SELECT pg_temp.staged() AS staged, pg_temp.ends() AS ends;
SELECT "TEST"."COMMIT"(1, 250), "TEST"."ADVANCE"(301);
CALL "MINER"."FAIL"(2, NULL, -26040, 'ORA-26040: data block was loaded using the NOLOGGING option');
:again
SELECT pg_temp.same('the same rows', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), (SELECT concat_ws(' | ', staged, ends) FROM lost));
SELECT pg_temp.same('which are those of its range', pg_temp.staged(), '150:1 R=1 ROW2 2');

-- A rebuild goes before everything else, but not while it waits for a log: then it is tried from time to time.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100);
:plan
INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "PURPOSE", "READ_FROM") VALUES (9, 20, 30, 'NEW', 'W', 'REBUILD', 20);
CREATE FUNCTION pg_temp.next_taken() RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    l_scan CONSTANT numeric := pg_temp.take();
BEGIN
    CALL "MINER"."SCAN_AGAIN"(l_scan, NULL);
    UPDATE "ORAPULL"."STAGE_SLOT" SET "STATUS" = 'FREE';
    RETURN l_scan;
END
$$;
SELECT pg_temp.expect('first', pg_temp.next_taken() = 9);
CALL "MINER"."FAIL"(9, NULL, -20822, 'WAIT_LOG: thread 1 sequence 1');
SELECT pg_temp.expect('mining goes on', pg_temp.next_taken() = 1);
UPDATE "ORAPULL"."SCAN" SET "ENDED_AT" = "ENDED_AT" - interval '61 s' WHERE "SCAN_ID" = 9;
SELECT pg_temp.expect('it is tried again', pg_temp.next_taken() = 9);
CALL "MINER"."FAIL"(9, NULL, -20822, 'WAIT_LOG: thread 1 sequence 1');
SELECT pg_temp.expect('among others', pg_temp.next_taken() = 1);
CALL "MINER"."FAIL"(9, NULL, -20822, 'WAIT_LOG: thread 1 sequence 1');
UPDATE "ORAPULL"."STAGE_SLOT" SET "STATUS" = 'USED' WHERE "SLOT_NO" > (SELECT min("SLOT_NO") FROM "ORAPULL"."STAGE_SLOT");
SELECT pg_temp.expect('the last stage slot is left to it: after a crash the others are given back only when it is done', pg_temp.next_taken() = 9);
UPDATE "ORAPULL"."SCAN" SET "STATUS" = 'SCANNED' WHERE "SCAN_ID" = 1;
SELECT pg_temp.expect('or when there is nothing else', pg_temp.next_taken() = 9);
