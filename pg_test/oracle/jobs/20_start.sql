-- START_MINING begins mining and makes the jobs.
INSERT INTO "ORAPULL"."SETTING" ("SEAM_SCN", "PARALLEL_SCANS") VALUES (0, 2);
SELECT pg_temp.refused('no run before the start', 'ORA-20828: %', 'SELECT "COORDINATOR"."NEXT_STEP"()');
CALL "ORAPULL"."START_MINING"(100);
SELECT pg_temp.expect('from the given SCN', s."PUBLISHED_SCN" = 100 AND s."STATE" = 'OK') FROM pg_temp.state() s;
SELECT pg_temp.same('jobs', pg_temp.jobs(),
    'COORDINATOR RUN_COORDINATOR 1 SCHEDULED, HEARTBEAT_1 RUN_HEARTBEAT 5 on 1 SCHEDULED, INSTANCES KEEP_HEARTBEATS 5 SCHEDULED, SCAN_1 RUN_SCAN 1 SCHEDULED, SCAN_2 RUN_SCAN 1 SCHEDULED');
SELECT pg_temp.expect('they stay, and only failed runs are logged', bool_and(NOT "AUTO_DROP" AND "LOGGING_LEVEL" = "DBMS_SCHEDULER"."LOGGING_FAILED_RUNS"()))
FROM "SYS"."JOB";
UPDATE "ORAPULL"."SETTING" SET "PARALLEL_SCANS" = 3;
SELECT "TEST"."ADD_THREAD"(2);
CALL "ORAPULL"."START_MINING"();
SELECT pg_temp.same('again: jobs for what has changed', pg_temp.jobs(),
    'COORDINATOR RUN_COORDINATOR 1 SCHEDULED, HEARTBEAT_1 RUN_HEARTBEAT 5 on 1 SCHEDULED, HEARTBEAT_2 RUN_HEARTBEAT 5 on 2 SCHEDULED, '
    'INSTANCES KEEP_HEARTBEATS 5 SCHEDULED, SCAN_1 RUN_SCAN 1 SCHEDULED, SCAN_2 RUN_SCAN 1 SCHEDULED, SCAN_3 RUN_SCAN 1 SCHEDULED');
SELECT pg_temp.expect('mining goes on where it was', s."PUBLISHED_SCN" = 100) FROM pg_temp.state() s;
UPDATE "ORAPULL"."SETTING" SET "PARALLEL_SCANS" = 1;
CALL "ORAPULL"."START_MINING"();
SELECT pg_temp.expect('fewer scans: their jobs go', NOT EXISTS (SELECT FROM "SYS"."USER_SCHEDULER_JOBS" WHERE "JOB_NAME" IN ('SCAN_2', 'SCAN_3')));

-- Instances that come and go while jobs run.
CREATE FUNCTION pg_temp.heartbeats() RETURNS text LANGUAGE sql SET search_path = pg_catalog AS $$
SELECT string_agg(concat("JOB_NAME", ' on ', "INSTANCE_ID", ' ', "STATE"), ', ' ORDER BY "JOB_NAME") FROM "SYS"."USER_SCHEDULER_JOBS" WHERE "JOB_ACTION" = 'RUN_HEARTBEAT'
$$;
SELECT "TEST"."ADD_THREAD"(3);
CALL "ORAPULL"."KEEP_HEARTBEATS"();
SELECT pg_temp.same('one that has joined', pg_temp.heartbeats(), 'HEARTBEAT_1 on 1 SCHEDULED, HEARTBEAT_2 on 2 SCHEDULED, HEARTBEAT_3 on 3 SCHEDULED');
DELETE FROM "SYS"."GV$INSTANCE" WHERE "INST_ID" = 3;
CALL "ORAPULL"."KEEP_HEARTBEATS"();
SELECT pg_temp.expect('one that does not answer keeps it', pg_temp.heartbeats() LIKE '%HEARTBEAT_3 on 3 SCHEDULED');
INSERT INTO "SYS"."GV$INSTANCE" ("INST_ID", "INSTANCE_NUMBER", "INSTANCE_NAME", "THREAD#") VALUES (3, 3, 'orcl3', 3);
SELECT "TEST"."CLOSE_THREAD"(3);
CALL "ORAPULL"."KEEP_HEARTBEATS"();
SELECT pg_temp.same('one that has left', pg_temp.heartbeats(), 'HEARTBEAT_1 on 1 SCHEDULED, HEARTBEAT_2 on 2 SCHEDULED');
