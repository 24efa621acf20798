-- A run that fails tells it and leaves no half.
SELECT "TEST"."TX"(2, 250);
SELECT "TEST"."INSERT"(2, 'APP.T', '{"ID": 8}', 260);
SELECT "TEST"."COMMIT"(2, 270);
SELECT "TEST"."ADVANCE"(301);
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT "TEST"."FAIL_AT"('SCAN', 310, 'archived log contains sequence 5; sequence 4 required');
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.expect('a scan that fails waits again and says why: ' || "DETAIL", "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL AND "ATTEMPTS" = 1 AND "DETAIL" LIKE 'ORA-00310: %')
FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2;
SELECT pg_temp.expect('LogMiner is ended', NOT EXISTS (SELECT FROM "SYS"."V$LOGMNR_LOGS"));
SELECT "TEST"."MEND"();
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.expect('then it is done', "STATUS" = 'SCANNED') FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2;

ALTER TABLE "ORAPULL"."PORTION" ADD CONSTRAINT broken CHECK ("PORTION_ID" < 2);
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('a publication that fails is none', s."PUBLISHED_SCN" = 200 AND s."LAST_PORTION" = 1
    AND (SELECT "STATUS" = 'SCANNED' FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2)) FROM pg_temp.state() s;
SELECT pg_temp.expect('the operator is told', "SEVERITY" = 'ERROR' AND "DETAIL" LIKE 'PUBLISH 2: ORA-02290: %') FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'STEP_FAILED';
SELECT pg_temp.expect('shards too', s."STATE" = 'OK' AND s."STATE_DETAIL" LIKE 'step PUBLISH 2 fails and is tried again: ORA-02290%') FROM pg_temp.state() s;
ALTER TABLE "ORAPULL"."PORTION" DROP CONSTRAINT broken;
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('it rests for a while', s."PUBLISHED_SCN" = 200) FROM pg_temp.state() s;
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" - interval '11 s' WHERE "NAME" LIKE 'FAILED %';
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('then it is done', s."PUBLISHED_SCN" = 300 AND s."LAST_PORTION" = 2 AND s."STATE_DETAIL" IS NULL) FROM pg_temp.state() s;

-- A job that has taken a scan is killed: its session is gone, the next run takes the scan.
SELECT "TEST"."ADVANCE"(401);
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT "MINER"."TAKE_SCAN"('999999,1,1');
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.expect('its scan is given up and done', "STATUS" = 'SCANNED' AND "ATTEMPTS" = 2 AND pg_temp.events('SCAN_DEAD') = 1) FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 3;
CALL "ORAPULL"."RUN_COORDINATOR"();
