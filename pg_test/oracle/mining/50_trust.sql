-- What was read and cannot be trusted is read again.

-- LogMiner misses a log: no error, a row MISSING_SCN (M13). Here the log between two others is not on its list.
SELECT pg_temp.four_logs();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 150, 'ROW1');
:plan
SELECT pg_temp.take();
DELETE FROM "ORAPULL"."SCAN_LOG" WHERE "SEQ_NO" = 2;
SELECT pg_temp.fails('missing at the start', 'ORA-20821: GAP: LogMiner does not find thread 1 sequence 2 (from SCN 100): Missing log file(s) for thread number 1, sequence number(s) 2 to 2; RMAN> RESTORE ARCHIVELOG SEQUENCE 2 THREAD 1; or give %', 'mine');
SELECT pg_temp.expect('GAP', pg_temp.state() = 'GAP' AND (SELECT "STATUS" = 'NEW' FROM "ORAPULL"."SCAN"));
SELECT pg_temp.expect('LogMiner was ended', NOT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"()));
:again
SELECT pg_temp.expect('OK again', pg_temp.state() = 'OK');

SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."REDO"(0, 34, NULL, 55, p_more => '{"STATUS": 1291, "INFO": "Missing log file(s)"}'), "TEST"."ADVANCE"(100);
:plan
SELECT pg_temp.take();
SELECT pg_temp.mine();
SELECT pg_temp.fails('among the rows', 'ORA-20821: GAP: LogMiner says: Missing log file(s); wanted was redo of SCN 1 to 99, thread 1 sequence 1; RMAN> RESTORE ARCHIVELOG SCN BETWEEN 1 AND 99; or give %', 'finish');
SELECT pg_temp.expect('nothing is kept', (SELECT "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL FROM "ORAPULL"."SCAN") AND pg_temp.state() = 'GAP');
UPDATE "SYS"."REDO" SET "STATUS" = 1343, "OPERATION_CODE" = 255, "INFO" = 'corrupt block' WHERE "SCN" = 55;
SELECT pg_temp.take();
SELECT pg_temp.mine();
SELECT pg_temp.fails('a corrupt block', 'ORA-20821: GAP: LogMiner says: corrupt block; wanted was redo of SCN 1 to 99, thread 1 sequence 1; RMAN> %', 'finish');

-- An online log is overwritten while it is read: it shows less, and no error (M16). Read anew from the archive.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100);
:plan
SELECT pg_temp.take();
SELECT "TEST"."SWITCH_LOG"(1, 110), "TEST"."SWITCH_LOG"(1, 120), "TEST"."SWITCH_LOG"(1, 130);
SELECT pg_temp.fails('before it is read', 'ORA-01291: missing log file', 'mine');
SELECT pg_temp.expect('waits, without alarm', pg_temp.state() = 'OK' AND (SELECT "WAITS_FOR" = 'WAIT_LOG' FROM "ORAPULL"."SCAN"));
SELECT pg_temp.take();
UPDATE "ORAPULL"."SCAN_LOG" SET "SEQ_NO" = 7;
SELECT pg_temp.fails('a file with another log', 'ORA-20825: file /arch1/1_1_1.arc does not hold the log that was chosen', 'mine');
-- A log that was archived meanwhile but still is where it was, is good.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100), "TEST"."DURING"('SCAN', 'SELECT "TEST"."SWITCH_LOG"(1, 110)');
:scan
SELECT pg_temp.expect('archived meanwhile', (SELECT "STATUS" = 'SCANNED' FROM "ORAPULL"."SCAN"));

-- Another incarnation (M39): SCNs count other changes. Nothing is taken, finished or cut any more.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(1000);
:plan
SELECT "TEST"."RESETLOGS"(900);
SELECT pg_temp.fails('when it is taken', 'ORA-20823: %RESETLOGS 900) is not the one that was mined (DBID %RESETLOGS 1): %SCN 900 to 900 % redo is now in thread 1 sequence 1; RMAN> LIST INCARNATION %SKIP_GAP starts anew', 'take');
SELECT pg_temp.expect('state', pg_temp.state() = 'INCARNATION_CHANGED' AND pg_temp.take() IS NULL AND "RANGES"."PLAN_SCAN"() IS NULL);
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(1000);
:plan
SELECT pg_temp.take();
SELECT pg_temp.mine();
SELECT "TEST"."RESETLOGS"(900);
SELECT pg_temp.fails('when it is finished', 'ORA-20823: %', 'finish');
SELECT pg_temp.expect('state', pg_temp.state() = 'INCARNATION_CHANGED');

-- A container has an incarnation and an identity of its own: neither changes those of the database.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(1000);
INSERT INTO "SYS"."V$PDB_INCARNATION" VALUES (0, 1, 1, 'CURRENT', 700, 900), (0, 1, 0, 'PARENT', 1, 1);
CALL "SOURCE"."CHECK_INCARNATION"();
UPDATE "ORAPULL"."SETTING" SET "TOPOLOGY" = 'PDB';
:plan
SELECT pg_temp.fails('a container that was set back', 'ORA-20823: %RESETLOGS 900)%', 'take');
SELECT pg_temp.expect('shards see it', "INCARNATION" = 900) FROM "ORAPULL"."SOURCE_V";
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(1000);
UPDATE "SYS"."DATABASE" SET "CON_DBID" = 77;
CALL "SOURCE"."CHECK_INCARNATION"();
UPDATE "ORAPULL"."SETTING" SET "TOPOLOGY" = 'PDB';
:plan
SELECT pg_temp.fails('a clone of the container', 'ORA-20823: %DBID 77,%', 'take');

-- Rows that are not there any more: a stage that was lost (NOLOGGING) or truncated by mistake.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100);
:plan
SELECT pg_temp.take();
SELECT pg_temp.mine();
DELETE FROM "ORAPULL"."STAGE_1" WHERE "OP" = 1;
SELECT pg_temp.fails('a row less', 'ORA-20825: STAGE_1 has 2 rows of scan 1, not 3', 'finish');
:again
SELECT pg_temp.same('whole', pg_temp.staged(), '50:1 R=1 ROW1 1');

-- The three steps are transactions: nothing is written before LogMiner starts, the stage is not looked at after it was filled.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(100);
:plan
SELECT pg_temp.refused('taken and read at once', '%START_LOGMNR may commit%', 'SELECT pg_temp.take(), pg_temp.mine()');
SELECT pg_temp.take();
SELECT pg_temp.refused('read and finished at once', 'ORA-12838: %', 'SELECT pg_temp.mine(), pg_temp.finish()');
