-- The jobs on both sides. Here the scheduler of CDB$ROOT is the second session.
CALL "C##ORAPULL"."START_READING"(2);
SELECT pg_temp.same('jobs of CDB$ROOT', (SELECT string_agg(concat_ws(' ', "JOB_NAME", "JOB_ACTION", "REPEAT_INTERVAL", "STATE"), ', ' ORDER BY "JOB_NAME") FROM "SYS"."USER_SCHEDULER_JOBS"),
    'READER_1 RUN_READER FREQ=SECONDLY;INTERVAL=1 SCHEDULED, READER_2 RUN_READER FREQ=SECONDLY;INTERVAL=1 SCHEDULED');
CALL "C##ORAPULL"."START_READING"(1);
SELECT pg_temp.same('fewer', (SELECT string_agg("JOB_NAME", ', ') FROM "SYS"."USER_SCHEDULER_JOBS"), 'READER_1');
CALL "C##ORAPULL"."STOP_READING"();
SELECT pg_temp.expect('stopped', bool_and("STATE" = 'DISABLED')) FROM "SYS"."USER_SCHEDULER_JOBS";

-- A scan job waits until CDB$ROOT has read.
SELECT pg_temp.begin_scan();
:plan
SELECT "TEST".dblink_send_query('root', 'DO $d$ BEGIN FOR i IN 1 .. 20 LOOP PERFORM pg_sleep(0.1); CALL "C##ORAPULL"."RUN_READER"(); COMMIT; END LOOP; END $d$');
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.same('scanned', (SELECT concat_ws(' ', "STATUS", "ROWS_STAGED", "DETAIL") FROM "ORAPULL"."SCAN"), 'SCANNED 3');
SELECT * FROM "TEST".dblink_get_result('root') AS t (done text);
SELECT * FROM "TEST".dblink_get_result('root') AS t (done text);

-- An error there ends the run of the scan job, which tells it.
SELECT pg_temp.begin_scan();
:plan
SELECT "TEST"."FAIL_AT"('SCAN', 310, 'archived log contains sequence 5; sequence 4 required');
SELECT "TEST".dblink_send_query('root', 'DO $d$ BEGIN FOR i IN 1 .. 20 LOOP PERFORM pg_sleep(0.1); CALL "C##ORAPULL"."RUN_READER"(); COMMIT; END LOOP; END $d$');
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.same('told', pg_temp.scan_row(), 'NEW ORA-20829: CDB$ROOT: ORA-00310: archived log contains sequence 5; sequence 4 required');
SELECT * FROM "TEST".dblink_get_result('root') AS t (done text);
SELECT * FROM "TEST".dblink_get_result('root') AS t (done text);
SELECT "TEST"."MEND"();
SET search_path = pg_catalog;
