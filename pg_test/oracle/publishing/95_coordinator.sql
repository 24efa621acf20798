-- What is done next (cases.md T9, M3, M14).
CREATE FUNCTION pg_temp.next() RETURNS text LANGUAGE sql AS $$ SELECT "COORDINATOR"."NEXT_STEP"() $$;
DELETE FROM "ORAPULL"."SOURCE_STATE";
SELECT pg_temp.refused('before the start', 'ORA-20828: mining was not started%', 'SELECT "COORDINATOR"."NEXT_STEP"()');
SELECT pg_temp.refused('a step that is none', 'ORA-20828: no such step: DANCE', 'CALL "COORDINATOR"."PERFORM"(''DANCE'')');

SELECT pg_temp.start(100, 10);
SELECT pg_temp.expect('nothing to do', pg_temp.next() = 'IDLE');
CALL "COORDINATOR"."PERFORM"('IDLE');
SELECT "TEST"."ADVANCE"(201);
SELECT pg_temp.expect('redo to plan', pg_temp.next() = 'PLAN');
CALL "COORDINATOR"."PERFORM"('PLAN');
SELECT pg_temp.expect('once', pg_temp.next() = 'IDLE' AND s."PLANNED_SCN" = 200) FROM pg_temp.state() s;
CALL "SOURCE"."SET_STATE"('STOPPED', NULL);
SELECT "TEST"."ADVANCE"(301);
SELECT pg_temp.expect('nothing while stopped', pg_temp.next() = 'IDLE');
CALL "SOURCE"."SET_STATE"('OK', NULL);

-- Order and urgency.
SELECT pg_temp.start(100, 10);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.shard('one', 0, 100);
SELECT pg_temp.scan(200, VARIADIC array_append(ARRAY(SELECT format('1 R 1 k%s @110', i) FROM generate_series(1, 45) i), '1 commit @120'));
SELECT pg_temp.expect('slots for what is coming', pg_temp.next() = 'CREATE_SLOT 4');
CALL "COORDINATOR"."PERFORM"('CREATE_SLOT 4');
CALL "COORDINATOR"."PERFORM"('CREATE_SLOT 5');
SELECT pg_temp.expect('then it is published', pg_temp.next() = 'PUBLISH 1');
CALL "COORDINATOR"."PERFORM"('PUBLISH 1');
SELECT pg_temp.expect('a stage slot to clear', pg_temp.next() = 'CLEAR_STAGE 1');
CALL "COORDINATOR"."PERFORM"('CLEAR_STAGE 1');
SELECT pg_temp.expect('two slots are always to spare', pg_temp.next() = 'CREATE_SLOT 6');
CALL "COORDINATOR"."PERFORM"('CREATE_SLOT 6');
SELECT pg_temp.expect('the shard is looked at', pg_temp.next() = 'RELEASE');
CALL "COORDINATOR"."PERFORM"('RELEASE');
SELECT pg_temp.shard('one', 1, 150);
SELECT pg_temp.expect('an ack', pg_temp.next() = 'RELEASE');
CALL "COORDINATOR"."PERFORM"('RELEASE');
CALL "COORDINATOR"."PERFORM"('RELEASE');
SELECT pg_temp.expect('frees a slot, cleared in a later step: ' || pg_temp.next(), pg_temp.next() = 'CLEAR_SLOT 1');
CALL "COORDINATOR"."PERFORM"('CLEAR_SLOT 1');
SELECT pg_temp.expect('and then rest: ' || pg_temp.next(), pg_temp.next() = 'IDLE');

-- A table that waits is looked at once a second, open transactions once a minute.
UPDATE "ORAPULL"."SOURCE_TABLE" SET "STATE" = 'WAIT_TX';
INSERT INTO "ORAPULL"."TX" ("CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "START_SCN", "HAS_START", "HAS_LOB") VALUES (0, 1, 1, 77, 130, 'Y', 'N');
SELECT pg_temp.expect('waiting tables first', pg_temp.next() = 'SETTLE');
CALL "COORDINATOR"."PERFORM"('SETTLE');
SELECT pg_temp.expect('not again at once', pg_temp.next() = 'BURY');
CALL "COORDINATOR"."PERFORM"('BURY');
SELECT pg_temp.expect('it is dead', "DEAD_SCN" IS NOT NULL) FROM "ORAPULL"."TX";
UPDATE "ORAPULL"."TX" SET "DEAD_SCN" = NULL;
SELECT pg_temp.expect('not for a minute', pg_temp.next() = 'IDLE');
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" - interval '2 s' WHERE "NAME" = 'SETTLE';
SELECT pg_temp.expect('waiting tables again after a second', pg_temp.next() = 'SETTLE');
UPDATE "ORAPULL"."SOURCE_TABLE" SET "STATE" = 'READY';
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" - interval '1 day';
SELECT pg_temp.expect('open transactions after a minute', pg_temp.next() = 'BURY');
CALL "COORDINATOR"."PERFORM"('BURY');
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" - interval '1 day' WHERE "NAME" = 'WATCH';
SELECT pg_temp.expect('the dictionary too', pg_temp.next() = 'WATCH');
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" + interval '5 days' WHERE "NAME" = 'WATCH';

-- A step that fails: told, shown, set aside, tried again, forgotten.
SELECT pg_temp.scan(300, '2 R 1 k1 @210', '2 commit @220');
SELECT pg_temp.expect('to be published', pg_temp.next() = 'PUBLISH 2');
CALL "COORDINATOR"."FAILED"('PUBLISH 2', -1653, 'ORA-01653: unable to extend table ORAPULL.TRANSPORT_1 in tablespace SMALL');
SELECT pg_temp.expect('shards see why', s."STATE" = 'OK' AND s."STATE_DETAIL" LIKE 'step PUBLISH 2 fails and is tried again: ORA-01653%') FROM pg_temp.state() s;
SELECT pg_temp.expect('operators too', count(*) = 1) FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'STEP_FAILED' AND "SEVERITY" = 'ERROR' AND "DETAIL" LIKE 'PUBLISH 2: ORA-01653%';
SELECT pg_temp.expect('set aside', pg_temp.next() = 'IDLE');
SELECT pg_temp.shard('one', 5, 150);
SELECT pg_temp.expect('so that what helps it can run', pg_temp.next() = 'RELEASE');
CALL "COORDINATOR"."PERFORM"('RELEASE');
CALL "COORDINATOR"."FAILED"('PUBLISH 2', -1653, 'ORA-01653: unable to extend table ORAPULL.TRANSPORT_1 in tablespace SMALL');
SELECT pg_temp.expect('the same event is not told twice in ten minutes', count(*) = 1) FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'STEP_FAILED';
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" - interval '11 s' WHERE "NAME" = 'FAILED PUBLISH 2';
CREATE PROCEDURE pg_temp.make_room() LANGUAGE plpgsql AS $$
BEGIN
    WHILE pg_temp.next() = 'RELEASE' OR pg_temp.next() LIKE 'CLEAR_SLOT %' LOOP
        CALL "COORDINATOR"."PERFORM"(pg_temp.next());
        COMMIT;
    END LOOP;
END
$$;
CALL pg_temp.make_room();
SELECT pg_temp.expect('then it is tried again: ' || pg_temp.next(), pg_temp.next() = 'PUBLISH 2');
CALL "COORDINATOR"."PERFORM"('PUBLISH 2');
SELECT pg_temp.expect('and the detail goes', s."STATE" = 'OK' AND s."STATE_DETAIL" IS NULL) FROM pg_temp.state() s;
SELECT pg_temp.expect('with its mark', NOT EXISTS (SELECT FROM "ORAPULL"."CHORE" WHERE "NAME" LIKE 'FAILED%'));

-- So does that of NEXT_STEP, and that of a step which nobody tries any more.
CALL "COORDINATOR"."FAILED"('NEXT_STEP', -1652, 'ORA-01652: unable to extend temp segment');
CALL "COORDINATOR"."PERFORM"('IDLE');
SELECT pg_temp.expect('the next step is known', s."STATE_DETAIL" IS NULL AND NOT EXISTS (SELECT FROM "ORAPULL"."CHORE" WHERE "NAME" LIKE 'FAILED%')) FROM pg_temp.state() s;
CALL "COORDINATOR"."FAILED"('REBUILD 77', -1653, 'ORA-01653: unable to extend table ORAPULL.TRANSPORT_1 in tablespace SMALL');
CALL "COORDINATOR"."PERFORM"('IDLE');
SELECT pg_temp.expect('another step does not end it', s."STATE_DETAIL" LIKE 'step REBUILD 77 fails%') FROM pg_temp.state() s;
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" - interval '601 s' WHERE "NAME" = 'FAILED REBUILD 77';
CALL "COORDINATOR"."PERFORM"('IDLE');
SELECT pg_temp.expect('its scan is gone', s."STATE_DETAIL" IS NULL AND NOT EXISTS (SELECT FROM "ORAPULL"."CHORE" WHERE "NAME" LIKE 'FAILED%')) FROM pg_temp.state() s;

-- Unreadable blocks: the slots are looked at, the scan is done again.
SELECT pg_temp.scan(400, '3 R 1 k1 @310', '3 commit @320');
CALL "COORDINATOR"."FAILED"('PUBLISH 3', -26040, 'ORA-26040: Data block was loaded using the NOLOGGING option');
SELECT pg_temp.expect('slots first', pg_temp.next() = 'CHECK_SLOTS');
CALL "COORDINATOR"."PERFORM"('CHECK_SLOTS');
SELECT pg_temp.expect('once', pg_temp.next() <> 'CHECK_SLOTS');
SELECT pg_temp.expect('the scan waits again', "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL) FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 3;

INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "PURPOSE", "READ_FROM") VALUES (9, 200, 300, 'SCANNED', 'W', 'REBUILD', 200);
CALL "COORDINATOR"."FAILED"('REBUILD 9', -26040, 'ORA-26040: Data block was loaded using the NOLOGGING option');
SELECT pg_temp.expect('that of a rebuild too', "STATUS" = 'NEW') FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 9;
CALL "COORDINATOR"."FAILED"('REBUILD 0', -26040, 'ORA-26040: Data block was loaded using the NOLOGGING option');
DELETE FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 9;

-- Another incarnation: everything stops.
CALL "COORDINATOR"."FAILED"('PUBLISH 3', -20823, 'ORA-20823: the database is another one');
SELECT pg_temp.expect('state and rest', s."STATE" = 'INCARNATION_CHANGED' AND pg_temp.next() = 'IDLE') FROM pg_temp.state() s;

-- From redo to portions with nothing but steps and scans: two long transactions, one rolled back, parallel ranges.
SELECT pg_temp.start(1, 3);
SELECT pg_temp.register(1, 'T');
INSERT INTO "ORAPULL"."SOURCE_OBJECT" ("OBJECT_ID", "TABLE_ID", "OBJECT_KIND") VALUES ("TEST"."OBJECT_NUMBER"('T'), 1, 'TABLE');
SELECT pg_temp.shard('one', 0, 1);
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_SCN" = 100;
SELECT "TEST"."TX"(1, 50), "TEST"."TX"(2, 60);
SELECT "TEST"."INSERT"(1 + i % 2, 'T', format('{"ID": %s}', i)::jsonb, 60 + i * 10, 'AAAAAAAAAAAAAAAA' || to_char(i, 'FM00')) FROM generate_series(1, 60) i;
SELECT "TEST"."COMMIT"(1, 700);
SELECT "TEST"."ROLLBACK"(2, 710);
SELECT "TEST"."ADVANCE"(1001);
CALL pg_temp.run();
SELECT pg_temp.expect('thirty rows in ten portions, all of one commit', count(*) = 10 AND sum("POINTERS") = 30 AND bool_and("SCN_FROM" < 700 AND "RESUME_SCN" = 50)) FROM "ORAPULL"."PORTION";
SELECT pg_temp.expect('of the rollback redo did not say of what: the transaction seems open, and is found dead', s."PUBLISHED_SCN" = 1000 AND s."WINDOW_SCN" = 60
    AND (SELECT max("DEAD_SCN") > 1000 FROM "ORAPULL"."TX") AND (SELECT count(*) = 30 FROM "ORAPULL"."CARRY")) FROM pg_temp.state() s;
SELECT "TEST"."ADVANCE"(1201);
CALL pg_temp.run();
SELECT pg_temp.expect('its rows are published when its end would have been seen, and nothing is left', s."PUBLISHED_SCN" = 1200 AND s."MINED_SCN" = 1200 AND s."WINDOW_SCN" = 1201 AND s."LAST_PORTION" = 20
    AND NOT EXISTS (SELECT FROM "ORAPULL"."TX") AND NOT EXISTS (SELECT FROM "ORAPULL"."CARRY")) FROM pg_temp.state() s;

-- A table with LOBs is registered between the choice of PUBLISH and its turn: the scan is repaired first, and nothing has failed.
SELECT pg_temp.start(100, 10);
SELECT pg_temp.register(1, 'T');
INSERT INTO "ORAPULL"."CHORE" ("NAME", "DONE_AT") VALUES ('BURY', LOCALTIMESTAMP + interval '1 day');
SELECT pg_temp.scan(200, '1 start @110', '1 R 1 k1 @120');
CALL pg_temp.publish();
SELECT pg_temp.scan(300, '1 R 1 k2 @210', '1 commit @220');
UPDATE "ORAPULL"."SCAN" SET "REPAIR" = NULL WHERE "SCAN_ID" = 2;
SELECT pg_temp.expect('no LOBs, no repair: ' || pg_temp.next(), pg_temp.next() = 'PUBLISH 2');
SELECT pg_temp.register(2, 'L', '{ID}', 'Y');
CALL "COORDINATOR"."PERFORM"('PUBLISH 2');
SELECT pg_temp.expect('not published yet', s."PUBLISHED_SCN" = 200 AND s."LAST_PORTION" = 0) FROM pg_temp.state() s;
SELECT pg_temp.expect('the repair is next: ' || pg_temp.next(), pg_temp.next() = 'CHOOSE_REPAIR 2');

-- The repair of a scan waits for a log that is missing, and then is needed no more, because its table was dropped: publication ends the gap.
SELECT pg_temp.start(100, 10);
SELECT pg_temp.scan(200, '1 R 1 k1 @110', '1 commit @120');
CALL "MINER"."FAIL"(1, NULL, -20821, 'GAP: thread 1 sequence 1 was deleted');
SELECT "TEST"."ADVANCE"(301);
SELECT pg_temp.expect('a gap: nothing more is planned', s."STATE" = 'GAP' AND "RANGES"."PLAN_END"() IS NULL) FROM pg_temp.state() s;
CALL pg_temp.publish();
SELECT pg_temp.expect('over', s."STATE" = 'OK' AND "RANGES"."PLAN_END"() = 300) FROM pg_temp.state() s;
