-- From redo to a portion by runs of jobs alone.
UPDATE "ORAPULL"."SETTING" SET "STAGE_SLOTS" = 2;
INSERT INTO "ORAPULL"."CHORE" ("NAME", "DONE_AT") VALUES ('WATCH', LOCALTIMESTAMP + interval '1 day');
INSERT INTO "ORAPULL"."SOURCE_TABLE" ("TABLE_ID", "OWNER", "TABLE_NAME", "IDENTITY", "KEY_COUNT", "K1_PATH", "STATE", "REGISTERED_AT")
VALUES (1, 'APP', 'T', 'KEY', 1, 'APP.T.ID', 'READY', LOCALTIMESTAMP);
SELECT "TEST"."CLOSE_THREAD"(2);
SELECT "TEST"."TX"(1, 150);
SELECT "TEST"."INSERT"(1, 'APP.T', '{"ID": 7}', 160);
SELECT "TEST"."COMMIT"(1, 170);
SELECT "TEST"."ADVANCE"(201);

-- One coordinator: another session has its lock, although its job is not running.
SELECT pg_temp.second_session(:'second');
SELECT * FROM "TEST".dblink('second', 'SELECT "DBMS_LOCK"."REQUEST"(726552851, 0)') AS t (n numeric);
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('a second coordinator does nothing', NOT EXISTS (SELECT FROM "ORAPULL"."STAGE_SLOT"));
SELECT * FROM "TEST".dblink('second', 'SELECT pg_advisory_unlock_all() IS NULL') AS t (b boolean);
SELECT "TEST".dblink_disconnect('second');

CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('stage slots and slots are made, a range is cut', s."PLANNED_SCN" = 200
    AND (SELECT count(*) = 2 FROM "ORAPULL"."STAGE_SLOT") AND EXISTS (SELECT FROM "ORAPULL"."SLOT")) FROM pg_temp.state() s;
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.expect('it is scanned', "STATUS" = 'SCANNED' AND "ROWS_STAGED" = 3 AND "ATTEMPTS" = 1) FROM "ORAPULL"."SCAN";
SELECT pg_temp.same('with formats of its own',
    concat_ws(' ', current_setting('standin.nls_numeric_characters'), current_setting('standin.nls_date_format'), current_setting('standin.nls_sort'), current_setting('TimeZone')),
    '., YYYY-MM-DD HH24:MI:SS BINARY <+00>-00');
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('and published', s."PUBLISHED_SCN" = 200 AND s."LAST_PORTION" = 1) FROM pg_temp.state() s;
SELECT pg_temp.same('its pointer', (SELECT string_agg(concat_ws(' ', "KIND", "TABLE_ID", "K1"), ', ') FROM "ORAPULL"."POINTER_V" WHERE "P$PORTION" = 1), 'R 1 7');
CALL "ORAPULL"."RUN_SCAN"();
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('with nothing to do nothing happens', s."LAST_SCAN" = 1 AND s."LAST_PORTION" = 1) FROM pg_temp.state() s;
SELECT pg_temp.expect('nobody was told of an error', NOT EXISTS (SELECT FROM "ORAPULL"."EVENT" WHERE "SEVERITY" = 'ERROR'));
CALL "ORAPULL"."RUN_HEARTBEAT"();
CALL "ORAPULL"."RUN_HEARTBEAT"();
SELECT pg_temp.expect('a heartbeat is one row', count(*) = 1 AND max("INSTANCE_NO") = 1) FROM "ORAPULL"."HEARTBEAT";
