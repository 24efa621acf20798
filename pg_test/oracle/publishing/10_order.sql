-- Order, numbers, borders (cases.md T5, M14, M29, K6).
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.scan(200, '1 start @110', '1 R 1 k5 rA @120', '1 commit @150');
SELECT pg_temp.scan(300, '2 start @210', '2 R 1 k6 rB @220', '2 commit @250');
SELECT pg_temp.expect('the first scan is next', "PUBLISHER"."NEXT_TO_PUBLISH"() = 1);
SELECT pg_temp.refused('a scan before its turn', 'ORA-20826: scan 2 begins behind SCN 200, but everything up to 100 is published', 'CALL "PUBLISHER"."PUBLISH"(2)');
UPDATE "ORAPULL"."SCAN" SET "STATUS" = 'RUNNING' WHERE "SCAN_ID" = 1;
SELECT pg_temp.expect('a later scan waits for one that runs', "PUBLISHER"."NEXT_TO_PUBLISH"() IS NULL);
SELECT pg_temp.refused('a scan that runs', 'ORA-20824: scan 1 (MINE) is RUNNING', 'CALL "PUBLISHER"."PUBLISH"(1)');
SELECT pg_temp.refused('a scan that is none', 'ORA-20824: no scan 9', 'CALL "PUBLISHER"."PUBLISH"(9)');
UPDATE "ORAPULL"."SCAN" SET "STATUS" = 'SCANNED' WHERE "SCAN_ID" = 1;
:publish
SELECT pg_temp.same('published', pg_temp.portions(), '1: R1 k5 rA');
SELECT pg_temp.expect('positions: what is published, and what is scanned already', s."PUBLISHED_SCN" = 200 AND s."MINED_SCN" = 300 AND s."LAST_PORTION" = 1
    AND s."WINDOW_SCN" = 201 AND s."RESUME_SCN" = 101) FROM pg_temp.state() s;
SELECT pg_temp.expect('the stage slot is given back', "STAGE_SLOT" IS NULL AND "STATUS" = 'PUBLISHED') FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 1;
SELECT pg_temp.refused('a scan twice', 'ORA-20824: scan 1 (MINE) is PUBLISHED', 'CALL "PUBLISHER"."PUBLISH"(1)');
:publish
SELECT pg_temp.same('portions are dense', pg_temp.portions(), '1: R1 k5 rA | 2: R1 k6 rB');
SELECT pg_temp.expect('and their ranges meet', bool_and(("PORTION_ID", "SCN_FROM", "SCN_TO") IN ((1, 100, 200), (2, 200, 300)))) FROM "ORAPULL"."PORTION";

-- Nothing committed: only the SCNs move.
SELECT pg_temp.scan(400, '3 start @310', '3 commit @320');
SELECT pg_temp.scan(500);
:publish
:publish
SELECT pg_temp.expect('an empty scan is no portion', s."LAST_PORTION" = 2 AND s."PUBLISHED_SCN" = 500 AND s."MINED_SCN" = 500 AND s."WINDOW_SCN" = 501) FROM pg_temp.state() s;

-- Ranges are half open; several commits may share an SCN.
SELECT pg_temp.scan(600, '4 start @510', '4 R 1 k1 @520', '5 start @530', '5 R 1 k2 @540', '6 start @550', '6 R 1 k3 @560', '4 commit @600', '5 commit @600', '6 commit @601');
SELECT pg_temp.scan(700, '5 commit @600', '6 commit @601');
:publish
SELECT pg_temp.same('a commit at the upper end counts, all of that SCN, none beyond', pg_temp.portion(3), 'R1 k1; R1 k2');
:publish
SELECT pg_temp.same('a commit at the lower end does not count again', pg_temp.portion(4), 'R1 k3');

-- A publication that fails has not happened.
SELECT pg_temp.scan(800, '7 start @710', '7 R 1 k7 @720', '7 commit @730', '8 start @740', '8 R 1 k8 @750');
UPDATE "ORAPULL"."SLOT" SET "STATUS" = 'CLOSED';
SELECT pg_temp.refused('no slot to take it', 'ORA-20827: no slot can take portions%', 'CALL "PUBLISHER"."PUBLISH"("PUBLISHER"."NEXT_TO_PUBLISH"())');
SELECT pg_temp.expect('nothing is left of it', s."LAST_PORTION" = 4 AND s."PUBLISHED_SCN" = 700
    AND NOT EXISTS (SELECT FROM "ORAPULL"."CARRY") AND NOT EXISTS (SELECT FROM "ORAPULL"."TX")) FROM pg_temp.state() s;
UPDATE "ORAPULL"."SLOT" SET "STATUS" = 'OPEN' WHERE "SLOT_ID" = 1;
:publish
SELECT pg_temp.same('and it can be repeated', pg_temp.portion(5), 'R1 k7');
SELECT pg_temp.expect('with the rest carried once', count(*) = 1) FROM "ORAPULL"."CARRY";

-- The lock of the source: what wants it waits for the publication, and then sees all of it.
SELECT pg_temp.second_session(:'second');
SELECT pg_temp.scan(900, '8 commit @810');
BEGIN;
CALL "PUBLISHER"."PUBLISH"("PUBLISHER"."NEXT_TO_PUBLISH"());
SELECT "TEST".dblink_exec('second', 'SET lock_timeout = 200');
SELECT pg_temp.refused('the lock is held while a publication is not committed', '%lock timeout%', $q$SELECT "TEST".dblink_exec('second', 'CALL "SOURCE"."LOCK_STATE"()')$q$);
SELECT pg_temp.expect('nobody sees half of it', n = 5) FROM "TEST".dblink('second', 'SELECT max("PORTION_ID") FROM "ORAPULL"."PORTION"') d(n numeric);
COMMIT;
SELECT "TEST".dblink_exec('second', 'CALL "SOURCE"."LOCK_STATE"()');
SELECT pg_temp.expect('after it, everything is there', n = 6) FROM "TEST".dblink('second', 'SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE_STATE"') d(n numeric);
SELECT "TEST".dblink_disconnect('second');

-- The database is another one.
SELECT pg_temp.scan(1000);
UPDATE "SYS"."DATABASE" SET "RESETLOGS_CHANGE#" = "RESETLOGS_CHANGE#" + 1;
SELECT pg_temp.refused('another incarnation', 'ORA-20823: the database (DBID %', 'CALL "PUBLISHER"."PUBLISH"("PUBLISHER"."NEXT_TO_PUBLISH"())');
SELECT pg_temp.start();
UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = "STARTUP_TIME" + interval '1 day';
SELECT pg_temp.scan(200);
SELECT pg_temp.refused('after a start of an instance what is held comes first', 'ORA-20826: other instances are open than before%', 'CALL "PUBLISHER"."PUBLISH"(1)');
SELECT pg_temp.refused('a second start', 'ORA-20828: mining was started already%', 'CALL "SOURCE"."START_AT"(5)');
