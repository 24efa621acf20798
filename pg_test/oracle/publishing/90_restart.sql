-- An instance is started, and the way out of a gap.
SELECT pg_temp.start(100, 4);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.register(2, 'U');
SELECT pg_temp.shard('one', 0, 100);
SELECT pg_temp.scan(200, '1 R 1 k1 rA @110', '1 R 1 k2 rB @110', '1 commit @120');
SELECT pg_temp.scan(300, '2 R 1 k1 rA @210', '2 T 2 @211', '2 U 2 xwhy @212', '2 D 1 @213', '2 commit @220');
:publish
:publish
SELECT pg_temp.scan(400, '3 R 1 k3 rC @310', '3 R 2 k1 rD @310', '3 commit @320', '4 start @330', '4 R 1 k4 rE @340');
:publish
SELECT pg_temp.shard('one', 2, 250);
CALL "RELEASES"."RELEASE_PORTIONS"();
SELECT pg_temp.expect('the ack of what is mined counts after the next look', min("PORTION_ID") = 1) FROM "ORAPULL"."PORTION";

UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = "STARTUP_TIME" + interval '1 hour';
SELECT pg_temp.scan(500, '4 commit @410');
SELECT pg_temp.expect('nothing is published before', "COORDINATOR"."NEXT_STEP"() = 'REPUBLISH');
CALL "PUBLISHER"."REPUBLISH"();
SELECT pg_temp.same('all that is held is published again, once, R and D, without T and U', concat_ws(' | ', pg_temp.portion(4), pg_temp.portion(5)), 'D1; R1 k1 rA; R1 k2 rB; R1 k3 rC | R2 k1 rD <3');
SELECT pg_temp.expect('shards see the start', s."STARTED_AT" = (SELECT max("STARTUP_TIME") FROM "SYS"."GV$INSTANCE") AND s."PUBLISHED_SCN" = 400 AND s."LAST_PORTION" = 5) FROM pg_temp.state() s;
SELECT pg_temp.expect('positions stay', bool_and("SCN_FROM" = 400 AND "SCN_TO" = 400 AND "SCAN_ID" = 0)) FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" > 3;
SELECT pg_temp.expect('once', "COORDINATOR"."NEXT_STEP"() <> 'REPUBLISH');
:publish
SELECT pg_temp.same('then what was mined', pg_temp.portion(6), 'R1 k4 rE');

-- Republished pointers are lost: no scan can give them, so their tables are suspect.
SELECT "TEST"."ADVANCE"(501);
CALL pg_temp.lose();
SELECT pg_temp.same('a U for each table', concat_ws(' | ', pg_temp.portion(4), pg_temp.portion(5)), 'U1 | U2');
SELECT pg_temp.expect('state OK', s."STATE" = 'OK') FROM pg_temp.state() s;

-- A start finds a slot that is lost: it is rebuilt first, then all is published again.
SELECT pg_temp.start(1);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.shard('one', 0, 1);
SELECT "TEST"."TX"(1, 100);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'AAAAAAAAAAAAAAAA01');
SELECT "TEST"."COMMIT"(1, 120);
SELECT "TEST"."ADVANCE"(201);
CALL pg_temp.run();
SELECT pg_temp.same('published', pg_temp.portions(), '1: R1 k1 rAAAAAAAAAAAAAAAA01');
DELETE FROM "ORAPULL"."TRANSPORT_1";
UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = "STARTUP_TIME" + interval '1 hour';
CALL "PUBLISHER"."REPUBLISH"();
SELECT pg_temp.expect('a start does not hide a lost slot', s."STATE" = 'TRANSPORT_LOST' AND s."LAST_PORTION" = 1 AND "SOURCE"."RESTARTED"()) FROM pg_temp.state() s;
CALL pg_temp.run();
SELECT pg_temp.same('rebuilt and published again', pg_temp.portions(), '1: R1 k1 rAAAAAAAAAAAAAAAA01 | 2: R1 k1 rAAAAAAAAAAAAAAAA01 <1');

-- A crash of one instance of two, which does not come back.
SELECT "TEST"."ADD_THREAD"(2, 202);
SELECT "TEST"."ADVANCE"(205, 2);
CALL "PUBLISHER"."REPUBLISH"();
SELECT pg_temp.expect('a second instance', s."INSTANCES" LIKE '1 since %, 2 since %' AND NOT "SOURCE"."RESTARTED"()) FROM pg_temp.state() s;
CREATE TEMPORARY TABLE seen AS SELECT * FROM pg_temp.state();
DELETE FROM "SYS"."GV$INSTANCE" WHERE "INST_ID" = 2;
SELECT pg_temp.expect('nothing is published while it is down and not recovered', "SOURCE"."RESTARTED"());
SELECT pg_temp.refused('nor is it known what it takes back', 'ORA-20826: an instance does not answer%', 'CALL "PUBLISHER"."REPUBLISH"()');
SELECT "TEST"."CLOSE_THREAD"(2, 206);
CALL "PUBLISHER"."REPUBLISH"();
SELECT pg_temp.expect('recovered: all that is held is published again, and STARTED_AT tells', s."STARTED_AT" <> n."STARTED_AT" AND s."LAST_PORTION" = n."LAST_PORTION" + 1 AND NOT "SOURCE"."RESTARTED"())
FROM pg_temp.state() s, seen n;

-- SKIP_GAP: a new start, every table waits again, a U for each.
SELECT "TEST"."TX"(2, 210);
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 2}', 215, 'AAAAAAAAAAAAAAAA02');
SELECT "TEST"."TX"(3, 216);
SELECT "TEST"."ADVANCE"(301);
CALL pg_temp.run();
SELECT pg_temp.register(2, 'U');
SELECT pg_temp.expect('something is open', count(*) = 1) FROM "ORAPULL"."CARRY";
SELECT "TEST"."ADVANCE"(401);
SELECT "RANGES"."PLAN_SCAN"();
INSERT INTO "ORAPULL"."SUSPICION" VALUES (1, 333, 'x');
CALL "SOURCE"."SET_STATE"('GAP', 'thread 1 sequence 3 is gone');
SELECT pg_temp.refused('not before what is published', 'ORA-20826: mining can start anew behind an SCN from 300 %', 'CALL "PUBLISHER"."SKIP_TO"(250)');
SELECT pg_temp.refused('not beyond what is on disk', 'ORA-20826: mining can start anew %', 'CALL "PUBLISHER"."SKIP_TO"(900)');
SELECT pg_temp.refused('not nowhere', 'ORA-20826: mining can start anew % not behind NULL', 'CALL "PUBLISHER"."SKIP_TO"(NULL)');
CALL "PUBLISHER"."SKIP_TO"(400);
SELECT pg_temp.same('a U for each table', pg_temp.portion(5), 'U1; U2');
SELECT pg_temp.expect('a new start', s."STATE" = 'OK' AND s."STATE_DETAIL" IS NULL AND s."PUBLISHED_SCN" = 400 AND s."PLANNED_SCN" = 400 AND s."MINED_SCN" = 400 AND s."WINDOW_SCN" = 401 AND s."RESUME_SCN" = 400) FROM pg_temp.state() s;
SELECT pg_temp.expect('nothing of before is left', NOT EXISTS (SELECT FROM "ORAPULL"."SCAN") AND NOT EXISTS (SELECT FROM "ORAPULL"."TX") AND NOT EXISTS (SELECT FROM "ORAPULL"."CARRY")
    AND NOT EXISTS (SELECT FROM "ORAPULL"."SUSPICION"));
SELECT pg_temp.expect('every table waits', bool_and("STATE" = 'WAIT_TX' AND "WAIT_SCN" IS NULL)) FROM "ORAPULL"."SOURCE_TABLE";

-- In another incarnation SCNs come again.
SELECT "TEST"."COMMIT"(3, 410);
SELECT "TEST"."ADVANCE"(501);
CALL pg_temp.run();
SELECT "TEST"."RESETLOGS"(350);
UPDATE "ORAPULL"."SOURCE_TABLE" SET "REGISTERED_SCN" = 499, "LOOKED_SCN" = 499 WHERE "TABLE_ID" = 1;
SELECT "TEST"."ADVANCE"(401);
SELECT pg_temp.refused('is refused to be published', 'ORA-20823:%', 'CALL "SOURCE"."CHECK_INCARNATION"()');
SELECT pg_temp.refused('SCNs of before are of redo that is not this database''s', 'ORA-20826: mining can start anew behind an SCN from 349 to 400,%', 'CALL "PUBLISHER"."SKIP_TO"(348)');
CALL "PUBLISHER"."SKIP_TO"(360);
CALL "SOURCE"."CHECK_INCARNATION"();
SELECT pg_temp.expect('nothing was looked at later than now', "LOOKED_SCN" < 499) FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_ID" = 1;
SELECT pg_temp.expect('mining starts anew below', s."PUBLISHED_SCN" = 360 AND s."LAST_PORTION" = 6 AND s."STATE" = 'OK') FROM pg_temp.state() s;
SELECT "TEST"."TX"(5, 410);
SELECT "TEST"."INSERT"(5, 'T', '{"ID": 5}', 415, 'AAAAAAAAAAAAAAAA05');
SELECT "TEST"."TRUNCATE"(6, 'T', 417);
SELECT "TEST"."COMMIT"(5, 420);
SELECT "TEST"."ADVANCE"(451);
CALL pg_temp.run();
SELECT pg_temp.same('and goes on, behind what is published again because the instance was started', pg_temp.portion(8), 'T1; R1 k5 rAAAAAAAAAAAAAAAA05');

-- Mining can start with the first SCN of an incarnation, before which it has no log.
SELECT "TEST"."RESETLOGS"(460);
SELECT "TEST"."INSERT"(6, 'T', '{"ID": 6}', 465, 'AAAAAAAAAAAAAAAA06'), "TEST"."COMMIT"(6, 466), "TEST"."ADVANCE"(501);
CALL "PUBLISHER"."SKIP_TO"(459);
CALL pg_temp.run();
SELECT pg_temp.expect('from its first log on', s."PUBLISHED_SCN" = 500 AND pg_temp.portion(s."LAST_PORTION") = 'R1 k6 rAAAAAAAAAAAAAAAA06') FROM pg_temp.state() s;

-- What was published again is in no redo: when it gets lost a U stands for it, after the next crash too.
SELECT pg_temp.start(1);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.shard('one', 0, 1);
SELECT "TEST"."TX"(1, 100);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'AAAAAAAAAAAAAAAA01'), "TEST"."COMMIT"(1, 120), "TEST"."ADVANCE"(201);
CALL pg_temp.run();
UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = "STARTUP_TIME" + interval '1 hour';
CALL pg_temp.run();
SELECT format('DELETE FROM "ORAPULL"."TRANSPORT_%s"', "SLOT_ID") FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" = 2 \gexec
UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = "STARTUP_TIME" + interval '1 hour';
CALL "PUBLISHER"."REPUBLISH"();
CALL pg_temp.run();
SELECT pg_temp.same('what is lost is told after a crash', pg_temp.portion(3), 'U1; R1 k1 rAAAAAAAAAAAAAAAA01 <1');

-- A table is altered while a portion is lost: redo does not know its columns any more. The U that stands for the row is told
-- after a crash, as the row would have been.
SELECT pg_temp.start(1);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.shard('one', 0, 1);
SELECT "TEST"."TX"(1, 100);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'AAAAAAAAAAAAAAAA01'), "TEST"."COMMIT"(1, 120), "TEST"."ADVANCE"(201);
CALL pg_temp.run();
UPDATE "SYS"."REDO" SET "STATUS" = 2, "REDO_VALUE" = NULL, "UNDO_VALUE" = NULL WHERE "SCN" = 110;
SELECT format('DELETE FROM "ORAPULL"."TRANSPORT_%s"', "SLOT_ID") FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" = 1 \gexec
UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = "STARTUP_TIME" + interval '1 hour';
CALL "PUBLISHER"."REPUBLISH"();
CALL pg_temp.run();
SELECT pg_temp.same('what redo does not know any more is told after a crash', pg_temp.portions(), '1: U1 | 2: U1');
