-- A container that is mined by itself: LogMiner finds the logs, and what it says of them is looked at.
SELECT pg_temp.refused('files cannot be given', 'ORA-65040: %', $$SELECT pg_temp.start(), "DBMS_LOGMNR"."ADD_LOGFILE"('/redo/group_1_a.log')$$);

-- From redo to the stage; a transaction with the same number, table and key in another container is not shown.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."TX"(1, 50);
SELECT "TEST"."REDO"(1, op, tab, 60 + n, 'ROW' || n, '{"ID": 1}', p_more => '{"SRC_CON_NAME": "HR", "SRC_CON_UID": 7, "XIDSQN": 1}')
FROM (VALUES (1, 6, NULL), (2, 1, 'T'), (3, 7, NULL)) v (n, op, tab);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 2}', 70, 'ROW9'), "TEST"."COMMIT"(1, 80), "TEST"."ADVANCE"(100);
:scan
SELECT pg_temp.same('ours, with its key', concat_ws('; ', pg_temp.staged(), pg_temp.ends()), '70:1 R=1 ROW9 2; 50:6:1, 80:7:1');
SELECT pg_temp.same('which logs were read', pg_temp.chosen(1), '1/1 /redo/group_1_a.log');
SELECT pg_temp.expect('an online one', (SELECT "KIND" = 'ONLINE' AND "GROUP_NO" = 1 FROM "ORAPULL"."SCAN_LOG"));
-- Should MINE_VALUE want no container after all (acceptance 14), a key is not found, until the operator says so.
UPDATE "SYS"."REDO" SET "REDO_VALUE" = '{"APP.T.ID": 3}' WHERE "SCN" = 70;
UPDATE "TEST"."SETTING" SET "CONTAINER" = NULL;
UPDATE "ORAPULL"."SETTING" SET "PDB_NAME" = NULL;
CALL "MINER"."SCAN_AGAIN"(1, 'ordered by the test');
:again
SELECT pg_temp.same('without its key', pg_temp.staged(), '62:1 R=1 ROW2, 70:1 R=1 ROW9');
UPDATE "ORAPULL"."SETTING" SET "COLUMN_PREFIX" = NULL;
CALL "MINER"."SCAN_AGAIN"(1, 'ordered by the test');
:again
SELECT pg_temp.same('with its key', pg_temp.staged(), '62:1 R=1 ROW2 1, 70:1 R=1 ROW9 3');

-- Logs of all threads, the archived copy or the online one: what LogMiner takes is what is looked at.
SELECT pg_temp.four_logs();
SELECT "TEST"."ADD_THREAD"(2, 50), "TEST"."SWITCH_LOG"(2, 150), "TEST"."ADVANCE"(400);
:plan
SELECT pg_temp.take();
UPDATE "ORAPULL"."SCAN_LOG" SET "FILE_NAME" = 'chosen';
SELECT pg_temp.mine();
SELECT pg_temp.same('taken by LogMiner', pg_temp.chosen(1), '1/1 /arch1/1_1_1.arc, 1/2 /arch1/1_2_1.arc, 1/3 /arch1/1_3_1.arc, 1/4 /redo/group_1_a.log, '
    '2/1 /arch1/2_1_1.arc, 2/2 /redo/group_5_a.log');
SELECT pg_temp.same('online ones', (SELECT string_agg(concat("THREAD_NO", '/', "SEQ_NO", ':', "GROUP_NO"), ' ' ORDER BY "THREAD_NO", "SEQ_NO") FROM "ORAPULL"."SCAN_LOG" WHERE "KIND" = 'ONLINE'), '1/4:1 2/2:5');

-- Deleted: told before LogMiner is started (M12).
SELECT pg_temp.four_logs();
SELECT "TEST"."DELETE_LOG"(1, 2);
UPDATE "SYS"."V$LOG" SET "STATUS" = 'UNUSED', "SEQUENCE#" = 0 WHERE "SEQUENCE#" = 2;
:plan
SELECT pg_temp.fails('deleted', 'ORA-20821: GAP: thread 1 sequence 2 (SCN 100 to 200) was deleted; RMAN> RESTORE ARCHIVELOG SEQUENCE 2 THREAD 1; %', 'take');

-- The control file says that it is there: LogMiner lists it as missing (M13, M15), in the middle or, where it has no later log, not at all.
SELECT pg_temp.four_logs();
SELECT "TEST"."SWITCH_LOG"(1, 380), "TEST"."ADVANCE"(400), "TEST"."DELETE_LOG"(1, 2, 'FILE');
:plan
SELECT pg_temp.take();
SELECT pg_temp.fails('in the middle', 'ORA-20821: GAP: thread 1 sequence 2 (SCN 100 to 200), file /arch1/1_2_1.arc, counts as available, but LogMiner does not find it; %RMAN> RESTORE ARCHIVELOG SEQUENCE 2 THREAD 1; %', 'mine');
SELECT pg_temp.expect('GAP, nothing is kept', pg_temp.state() = 'GAP' AND (SELECT "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL FROM "ORAPULL"."SCAN"));
SELECT pg_temp.expect('LogMiner was ended', NOT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"()));
SELECT "TEST"."WRITE_FILE"('/arch1/1_2_1.arc', (SELECT "LOG_NO" FROM "SYS"."LOG" WHERE "SEQUENCE#" = 2));
:again
SELECT pg_temp.expect('put back', pg_temp.state() = 'OK');
SELECT pg_temp.four_logs();
SELECT "TEST"."ADD_THREAD"(2, 50), "TEST"."SWITCH_LOG"(2, 150), "TEST"."SWITCH_LOG"(2, 250), "TEST"."SWITCH_LOG"(2, 350), "TEST"."ADVANCE"(400);
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_SCN" = 90;
:plan
SELECT pg_temp.take();
SELECT "TEST"."DELETE_LOG"(2, 1, 'FILE');
SELECT pg_temp.fails('all logs of a thread', 'ORA-20821: GAP: thread 2 sequence 1 (SCN 50 to 150), file /arch1/2_1_1.arc, counts as available, but LogMiner does not find it; %', 'mine');
SELECT pg_temp.four_logs();
SELECT "TEST"."DELETE_LOG"(1, 1, 'FILE');
:plan
SELECT pg_temp.take();
SELECT pg_temp.fails('at the beginning', 'ORA-01291: missing log file', 'mine');
SELECT pg_temp.expect('waits, and says for what', (SELECT "WAITS_FOR" = 'WAIT_LOG' AND "DETAIL" LIKE 'WAIT_LOG: wanted was redo of SCN 1 to 399, thread 1 sequence 1 to 4; RMAN> RESTORE ARCHIVELOG SCN BETWEEN 1 AND 399; %'
    FROM "ORAPULL"."SCAN"));
-- It is written at this moment.
SELECT pg_temp.start();
SELECT "TEST"."SWITCH_LOG"(1, 100), "TEST"."SWITCH_LOG"(1, 200, false), "TEST"."SWITCH_LOG"(1, 300), "TEST"."ADVANCE"(400);
:plan
SELECT pg_temp.take();
DELETE FROM "SYS"."REDO_FILE" WHERE "LOG_NO" = (SELECT "LOG_NO" FROM "SYS"."LOG" WHERE "SEQUENCE#" = 2);
SELECT pg_temp.fails('not archived yet', 'ORA-20822: WAIT_LOG: thread 1 sequence 2 (SCN 100 to 200) is not archived yet; %', 'mine');

-- A hole that a restart has left is none: the log behind it need not be on LogMiner's list.
SELECT pg_temp.start();
SELECT "TEST"."SWITCH_LOG"(1, 100), "TEST"."RESTART"(200, 100), "TEST"."ADVANCE"(400);
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_SCN" = 249;
:scan
SELECT pg_temp.same('ends in the hole', (SELECT concat("SCN_TO", ' ', "STATUS") FROM "ORAPULL"."SCAN") || ' ' || pg_temp.chosen(1), '250 SCANNED 1/1 /arch1/1_1_1.arc, 1/2 /arch1/1_2_1.arc');

-- Where a service hides the logs, LogMiner alone knows them; it is believed when it names none, and asked when it does.
SELECT pg_temp.four_logs();
SELECT "TEST"."ADVANCE"(400);
:plan
CREATE TABLE pg_temp.hidden AS SELECT * FROM "SYS"."V$LOG";
DELETE FROM "SYS"."V$LOG";
:again
SELECT pg_temp.expect('scanned', (SELECT "STATUS" = 'SCANNED' FROM "ORAPULL"."SCAN") AND pg_temp.chosen(1) LIKE '1/1 /arch1/%');

-- Before 19.10 there is no LogMiner in a container (M37).
SELECT pg_temp.start();
UPDATE "SYS"."GV$INSTANCE" SET "VERSION_FULL" = '19.9.0.0.0';
SELECT "TEST"."ADVANCE"(100);
:plan
SELECT pg_temp.take();
SELECT pg_temp.fails('too old', 'ORA-65040: %', 'mine');
SELECT pg_temp.expect('says what to do', (SELECT "DETAIL" LIKE '%(before 19.10 LogMiner runs in CDB$ROOT only: topology ROOT, %)' FROM "ORAPULL"."SCAN"));
