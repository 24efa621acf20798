-- What goes wrong in CDB$ROOT, as the container sees it.
CREATE FUNCTION pg_temp.begin_scan() RETURNS void LANGUAGE sql AS $$
SELECT pg_temp.start(), pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100)
$$;
CREATE FUNCTION pg_temp.scan_row() RETURNS text LANGUAGE sql AS $$
SELECT concat_ws(' ', "STATUS", "STAGE_SLOT", "WAITS_FOR", "DETAIL") FROM "ORAPULL"."SCAN"
$$;

-- Errors of LogMiner there are errors of the scan, by their own code.
SELECT pg_temp.begin_scan();
:plan
SELECT pg_temp.take();
SELECT "TEST"."FAIL_AT"('START', 1291, 'missing log file');
SELECT pg_temp.fails('START_LOGMNR fails', 'ORA-20829: CDB$ROOT: ORA-01291: missing log file', 'mine');
SELECT pg_temp.same('it waits for a log', pg_temp.scan_row(), 'NEW WAIT_LOG WAIT_LOG: wanted was redo of SCN 1 to 99, thread 1 sequence 1; RMAN> RESTORE ARCHIVELOG SCN BETWEEN 1 AND 99; '
    'or give the range up with SKIP_GAP, after which every table is loaded anew; ORA-20829: CDB$ROOT: ORA-01291: missing log file');
SELECT pg_temp.expect('LogMiner was ended', NOT has_session)
FROM "TEST".dblink('root', 'SELECT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"())') AS t (has_session boolean);
SELECT "TEST"."MEND"();
:again
SELECT pg_temp.same('then it is done', pg_temp.scan_row(), 'SCANNED 2');

SELECT pg_temp.begin_scan();
SELECT "TEST"."SWITCH_LOG"(1, 110), "TEST"."SWITCH_LOG"(1, 120), "TEST"."ADVANCE"(130);
:plan
SELECT pg_temp.take();
SELECT "TEST"."DELETE_LOG"(1, 1, 'FILE');
SELECT pg_temp.fails('a file that is gone', 'ORA-20829: CDB$ROOT: ORA-20821: GAP: thread 1 sequence 1 (SCN 1 to 110), file /arch1/1_1_1.arc, counts as available but cannot be opened%RESTORE ARCHIVELOG SEQUENCE 1 THREAD 1;%', 'mine');
SELECT pg_temp.expect('GAP', pg_temp.state() = 'GAP' AND pg_temp.scan_row() LIKE 'NEW GAP %');
SELECT "TEST"."WRITE_FILE"('/arch1/1_1_1.arc', (SELECT "LOG_NO" FROM "SYS"."LOG" WHERE "SEQUENCE#" = 1));
:again
SELECT pg_temp.expect('OK again', pg_temp.state() = 'OK' AND pg_temp.staged() = '50:1 R=1 ROW1 1');

SELECT pg_temp.begin_scan();
:plan
UPDATE "ORAPULL"."SCAN" SET "MINING_RULE" = 'C';
SELECT pg_temp.take();
SELECT "TEST"."FAIL_AT"('SCAN', 4030, 'out of process memory');
SELECT pg_temp.fails('PGA', 'ORA-20829: CDB$ROOT: ORA-04030: %', 'mine');
SELECT pg_temp.expect('tried again without COMMITTED_DATA_ONLY', (SELECT "MINING_RULE" = 'W' AND "STATUS" = 'NEW' AND "DETAIL" LIKE '%(lower SETTING.scan_max_bytes%' FROM "ORAPULL"."SCAN"));
SELECT "TEST"."MEND"();

-- A job of CDB$ROOT that is killed: its session is gone.
SELECT pg_temp.begin_scan();
:plan
SELECT pg_temp.take();
SELECT pg_temp.order_scan();
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1);
SELECT "C##ORAPULL.READER"."TAKE"('1001,1,1');
SELECT pg_temp.expect('it reads', NOT pg_temp.readable());
DELETE FROM "SYS"."SESSION";
SELECT pg_temp.fails('its session is gone', 'ORA-20829: CDB$ROOT: session 1001,1,1 is gone', 'readable');
SELECT pg_temp.expect('the scan waits again', pg_temp.scan_row() LIKE 'NEW ORA-20829%' AND pg_temp.state() = 'OK');
-- It was not dead, only slow: what it reads is nobody's.
CREATE TEMPORARY TABLE slow AS SELECT "PASS_NO" FROM "C##ORAPULL"."PASS";
SELECT pg_temp.take();
SELECT pg_temp.order_scan();
SELECT pg_temp.refused('its order is gone', 'ORA-20824: pass % is not read by session 1001,1,1', format('CALL "C##ORAPULL.READER"."READ"(%s, ''1001,1,1'')', "PASS_NO")) FROM slow;
SELECT pg_temp.run_reader();
INSERT INTO "C##ORAPULL"."STAGE_2" ("PASS_NO", "SEQ", "CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "SCN", "OP") SELECT "PASS_NO", 1, 0, 1, 1, 1, 50, 6 FROM slow;
SELECT pg_temp.expect('read by another', pg_temp.readable());
SELECT pg_temp.copy();
SELECT pg_temp.finish();
SELECT pg_temp.same('once', concat_ws('; ', pg_temp.staged(), pg_temp.ends()), '50:1 R=1 ROW1 1; 50:6:1, 60:7:1');

-- Nobody reads.
SELECT pg_temp.begin_scan();
:plan
SELECT pg_temp.take();
SELECT pg_temp.order_scan();
SELECT pg_temp.expect('it waits', NOT pg_temp.readable());
UPDATE "C##ORAPULL"."PASS" SET "ORDERED_AT" = "ORDERED_AT" - interval '601 s';
SELECT pg_temp.fails('not for ever', 'ORA-20829: nothing was read in CDB$ROOT, where the order of scan 1 is ORDERED: do jobs run there? EXEC start_reading%', 'readable');
SELECT pg_temp.take();
SELECT pg_temp.fails('an order that is not there', 'ORA-20829: nothing was read in CDB$ROOT, where the order of scan 1 is unknown%', 'readable');

-- Somebody reads, and takes too long: the range is made smaller, which waiting for nobody does not do.
SELECT pg_temp.begin_scan();
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1), (1002, 1);
:plan
SELECT pg_temp.take('1001,1,1');
SELECT pg_temp.order_scan();
UPDATE "ORAPULL"."SCAN" SET "STARTED_AT" = "STARTED_AT" - interval '610 s';
SELECT pg_temp.expect('another job leaves it to its own', "MINER"."TAKE_SCAN"(pg_temp.me()) IS NULL);
UPDATE "C##ORAPULL"."PASS" SET "STATUS" = 'READING', "SESSION_KEY" = '1002,1,1', "ORDERED_AT" = "ORDERED_AT" - interval '601 s';
SELECT pg_temp.fails('too slow', 'ORA-20830: scan 1 is not read in CDB$ROOT after SETTING.scan_max_seconds, or %', 'readable');
SELECT pg_temp.same('half of it', (SELECT concat("SCN_FROM", '-', "SCN_TO", ' ', "STATUS") FROM "ORAPULL"."SCAN"), '1-50 NEW');
SELECT pg_temp.take('1001,1,1');
UPDATE "ORAPULL"."SCAN" SET "STARTED_AT" = "STARTED_AT" - interval '1201 s';
SELECT pg_temp.take('1001,1,1');
SELECT pg_temp.same('a job that does not come back', (SELECT concat("SCN_FROM", '-', "SCN_TO", ' ', "STATUS", ' ', "ATTEMPTS") FROM "ORAPULL"."SCAN"), '1-50 RUNNING 3');

-- What cannot be cut has twice the time then.
SELECT pg_temp.begin_scan();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MIN_SCN" = 80;
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1002, 1);
CREATE FUNCTION pg_temp.reads_for(p_seconds int) RETURNS void LANGUAGE sql AS $$
UPDATE "C##ORAPULL"."PASS" SET "STATUS" = 'READING', "SESSION_KEY" = '1002,1,1', "ORDERED_AT" = LOCALTIMESTAMP - make_interval(secs => p_seconds)
$$;
:plan
SELECT pg_temp.take();
SELECT pg_temp.order_scan();
SELECT pg_temp.reads_for(601);
SELECT pg_temp.fails('too slow', 'ORA-20830: %', 'readable');
SELECT pg_temp.take();
SELECT pg_temp.order_scan();
SELECT pg_temp.reads_for(1190);
SELECT pg_temp.expect('not yet', NOT pg_temp.readable());
SELECT pg_temp.reads_for(1201);
SELECT pg_temp.fails('too slow again', 'ORA-20830: %', 'readable');
SELECT pg_temp.same('it is as large as before', (SELECT concat("SCN_FROM", '-', "SCN_TO", ' ', "STATUS", ' ', "FAILURES") FROM "ORAPULL"."SCAN"), '1-99 NEW 2');

-- Rows that are lost in the stage of CDB$ROOT.
SELECT pg_temp.begin_scan();
:plan
SELECT pg_temp.take();
SELECT pg_temp.order_scan();
SELECT pg_temp.run_reader();
DELETE FROM "C##ORAPULL"."STAGE_1" WHERE "OP" = 1;
SELECT pg_temp.fails('a stage with a hole', 'ORA-20825: STAGE_1 of CDB$ROOT has 2 rows of scan 1, not 3', 'readable');
SELECT pg_temp.expect('scanned anew', pg_temp.scan_row() LIKE 'NEW ORA-20825%');

-- Redo that LogMiner misses, without an error.
SELECT pg_temp.begin_scan();
:plan
SELECT pg_temp.take();
SELECT "TEST"."REDO"(1, 34, NULL, 55, p_more => '{"STATUS": 1291, "INFO": "Missing log file(s)", "SRC_CON_NAME": null}');
SELECT pg_temp.mine();
SELECT pg_temp.fails('a gap among the rows', 'ORA-20821: GAP: LogMiner says: Missing log file(s); wanted was redo of SCN 1 to 99, thread 1 sequence 1; %', 'finish');

-- A link to where redo is read for another container.
SELECT pg_temp.begin_scan();
UPDATE "C##ORAPULL"."SETTING" SET "PDB_NAME" = 'HR';
:plan
SELECT pg_temp.take();
SELECT pg_temp.fails('another container', 'ORA-20828: ORAPULL_ROOT leads to what reads for container HR, and this is PDB1', 'order_scan');
SELECT pg_temp.expect('nothing was ordered', pg_temp.pass() IS NULL AND pg_temp.scan_row() LIKE 'NEW ORA-20828%');

-- Nobody can be told of an error before an order is taken.
SELECT pg_temp.refused('the job fails', 'ORA-20824: no pass could be taken: ORA-00600', 'CALL "C##ORAPULL.READER"."FAIL"(NULL, ''1,1,1'', ''ORA-00600'')');

-- The link does not work.
SELECT pg_temp.begin_scan();
:plan
SELECT pg_temp.take();
ALTER SCHEMA "C##ORAPULL" RENAME TO hidden;
SELECT pg_temp.fails('no link', '%does not exist%', 'order_scan');
ALTER SCHEMA hidden RENAME TO "C##ORAPULL";
SELECT pg_temp.expect('the scan waits again', pg_temp.scan_row() LIKE 'NEW %does not exist%');
:again
SELECT pg_temp.expect('and is done when it does', pg_temp.scan_row() LIKE 'SCANNED %');

-- The container was set back, which the database does not tell.
SELECT pg_temp.begin_scan();
INSERT INTO "SYS"."V$PDB_INCARNATION" VALUES (0, 1, 1, 'CURRENT', 70, 90), (0, 1, 0, 'PARENT', 1, 1);
:plan
SELECT pg_temp.fails('a container that was set back', 'ORA-20823: %RESETLOGS 90)%', 'take');
