-- STOP_MINING, and START_MINING after it.
CALL "ORAPULL"."STOP_MINING"();
SELECT pg_temp.expect('stopped, and says so', s."STATE" = 'STOPPED' AND s."STATE_DETAIL" LIKE 'stopped by STOP_MINING at %') FROM pg_temp.state() s;
SELECT pg_temp.same('no job runs', pg_temp.jobs(), 'COORDINATOR RUN_COORDINATOR 1 DISABLED, HEARTBEAT_1 RUN_HEARTBEAT 5 on 1 DISABLED, '
    'HEARTBEAT_2 RUN_HEARTBEAT 5 on 2 DISABLED, INSTANCES KEEP_HEARTBEATS 5 DISABLED, SCAN_1 RUN_SCAN 1 DISABLED');
SELECT "TEST"."TX"(3, 450);
SELECT "TEST"."INSERT"(3, 'APP.T', '{"ID": 9}', 460);
SELECT "TEST"."COMMIT"(3, 470);
SELECT "TEST"."ADVANCE"(501);
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.expect('runs by hand do nothing', s."PLANNED_SCN" = 400 AND s."PUBLISHED_SCN" = 400) FROM pg_temp.state() s;
SELECT pg_temp.expect('the status views say it', m."STATE" = 'STOPPED' AND m."SCANS_RUNNING" = 0 AND m."PUBLISHED_SCN" = 400) FROM "ORAPULL"."MINING_STATUS_V" m;
CALL "ORAPULL"."START_MINING"();
SELECT pg_temp.expect('started again', s."STATE" = 'OK' AND s."STATE_DETAIL" IS NULL AND s."PUBLISHED_SCN" = 400) FROM pg_temp.state() s;
SELECT pg_temp.same('every job runs, that of the closed instance is gone', pg_temp.jobs(),
    'COORDINATOR RUN_COORDINATOR 1 SCHEDULED, HEARTBEAT_1 RUN_HEARTBEAT 5 on 1 SCHEDULED, INSTANCES KEEP_HEARTBEATS 5 SCHEDULED, SCAN_1 RUN_SCAN 1 SCHEDULED');
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('and nothing is missing', s."PUBLISHED_SCN" = 500 AND s."LAST_PORTION" = 3) FROM pg_temp.state() s;

-- SKIP_GAP, which the operator types.
SELECT pg_temp.refused('not without an SCN', 'ORA-20826: %', 'CALL "ORAPULL"."SKIP_GAP"(NULL)');
SELECT "TEST"."ADVANCE"(601);
CALL "SOURCE"."SET_STATE"('GAP', 'thread 1 sequence 3 is gone');
CALL "ORAPULL"."SKIP_GAP"(550);
SELECT pg_temp.second_session(:'second');
SELECT pg_temp.expect('others see that mining starts anew: it has committed', state = 'OK' AND scn = 550)
FROM "TEST".dblink('second', 'SELECT "STATE", "PUBLISHED_SCN" FROM "ORAPULL"."SOURCE_STATE"') AS t (state text, scn numeric);
SELECT "TEST".dblink_disconnect('second');
