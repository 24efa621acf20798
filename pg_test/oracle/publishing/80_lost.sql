-- A transport table is lost and mined again (cases.md T3). From here on scans are mined from redo.
SELECT pg_temp.start(1, 10);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.register(2, 'U');
INSERT INTO "ORAPULL"."SOURCE_OBJECT" ("OBJECT_ID", "TABLE_ID", "OBJECT_KIND") VALUES ("TEST"."OBJECT_NUMBER"('T'), 1, 'TABLE'), ("TEST"."OBJECT_NUMBER"('U'), 2, 'TABLE');
SELECT "TEST"."TX"(1, 100);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'AAAAAAAAAAAAAAAAA1');
SELECT "TEST"."TX"(9, 120);
SELECT "TEST"."UPDATE"(9, 'U', 'AAAAAAAAAAAAAAAAA9', '{"ID": 9}', '{}', 130);
SELECT "TEST"."COMMIT"(9, 140);
SELECT "TEST"."ADVANCE"(201);
SELECT pg_temp.shard('one', 0, 1);
CALL pg_temp.run();
SELECT pg_temp.same('one transaction is open', pg_temp.portions(), '1: R2 k9 rAAAAAAAAAAAAAAAAA9');

-- A long transaction commits: 25 pointers in three portions, with a T and a U, the rest from a scan before.
SELECT "TEST"."INSERT"(1, 'T', format('{"ID": %s}', i)::jsonb, 210 + i, 'AAAAAAAAAAAAAAAA' || to_char(i, 'FM00')) FROM generate_series(2, 24) i;
SELECT "TEST"."TRUNCATE"(8, 'U', 240);
SELECT "TEST"."COMMIT"(1, 250);
SELECT "TEST"."ADVANCE"(301);
CALL pg_temp.run();
UPDATE "ORAPULL"."SETTING" SET "PORTION_POINTERS" = 100;
INSERT INTO "ORAPULL"."SUSPICION" ("TABLE_ID", "SEEN_SCN", "NOTE") VALUES (2, 250, 'a load without redo');
SELECT "TEST"."TX"(2, 310);
SELECT "TEST"."UPDATE"(2, 'T', 'AAAAAAAAAAAAAAAA05', '{"ID": 5}', '{}', 315);
SELECT "TEST"."COMMIT"(2, 320);
SELECT "TEST"."ADVANCE"(401);
CALL pg_temp.run();
SELECT pg_temp.expect('five portions are held', array_agg("POINTERS" ORDER BY "PORTION_ID") = '{1,10,10,5,2}') FROM "ORAPULL"."PORTION";
CREATE TEMPORARY TABLE before AS SELECT v.*, p."SCN_TO" FROM "ORAPULL"."POINTER_V" v JOIN "ORAPULL"."PORTION" p ON p."PORTION_ID" = v."P$PORTION" AND p."SLOT_ID" = v."P$SLOT";
SELECT pg_temp.expect('a pointer looks back at the first of them', max("P$PREV") = 2) FROM before WHERE "P$PORTION" = 5;
SELECT pg_temp.expect('the T leads the long one', min("P$PORTION") = 2) FROM before WHERE "KIND" = 'T';
SELECT pg_temp.expect('redo from the start of the long one on is kept', "RESUME_SCN" <= 100) FROM "ORAPULL"."SOURCE_STATE";

-- Two slots are unreadable; a third is not. CHECK_SLOTS finds out.
CALL "REBUILDS"."CHECK_SLOTS"();
SELECT pg_temp.expect('whole slots are not lost', "REBUILDS"."LOST_SLOTS"() = 0);
DELETE FROM "ORAPULL"."TRANSPORT_1" WHERE "PORTION_ID" = 2 AND "PTR" > 5;
DELETE FROM "ORAPULL"."TRANSPORT_2";
CALL "REBUILDS"."CHECK_SLOTS"();
SELECT pg_temp.expect('the state says so', s."STATE" = 'TRANSPORT_LOST' AND "REBUILDS"."LOST_SLOTS"() = 2) FROM pg_temp.state() s;
SELECT pg_temp.expect('scans are ordered, one for each range, from where its transactions began', string_agg(concat_ws(' ', "SCN_FROM", "SCN_TO", "READ_FROM", "STATUS", "MINING_RULE"), ', ' ORDER BY "SCN_FROM")
    = '1 200 2 NEW W, 200 300 100 NEW W') FROM "ORAPULL"."SCAN" WHERE "PURPOSE" = 'REBUILD';
SELECT pg_temp.expect('a lost slot is not cleared while portions are in it', "SLOTS"."NEXT_TO_CLEAR"() IS NULL);

-- Publication goes on meanwhile.
SELECT "TEST"."TX"(3, 410);
SELECT "TEST"."INSERT"(3, 'T', '{"ID": 99}', 415, 'AAAAAAAAAAAAAAAA99');
SELECT "TEST"."COMMIT"(3, 420);
SELECT "TEST"."ADVANCE"(501);
CALL pg_temp.run();
SELECT pg_temp.expect('nothing is lost any more', s."STATE" = 'OK' AND "REBUILDS"."LOST_SLOTS"() = 0 AND s."LAST_PORTION" = 6 AND s."PUBLISHED_SCN" = 500) FROM pg_temp.state() s;
SELECT pg_temp.expect('each pointer is back under its number', NOT EXISTS (
    SELECT "P$PORTION", "TABLE_ID", "KIND", "ROW_ID", "K1" FROM before
    EXCEPT
    SELECT v."P$PORTION", v."TABLE_ID", v."KIND", v."ROW_ID", v."K1" FROM "ORAPULL"."POINTER_V" v JOIN "ORAPULL"."PORTION" p ON p."PORTION_ID" = v."P$PORTION" AND p."SLOT_ID" = v."P$SLOT"));
SELECT pg_temp.expect('in another slot; whole slots keep theirs', bool_and(p."SLOT_ID" <> b."P$SLOT" OR p."PORTION_ID" IN (4, 5))) FROM "ORAPULL"."PORTION" p JOIN before b ON b."P$PORTION" = p."PORTION_ID";
SELECT pg_temp.expect('and little else: where two portions meet, both have the pointer', string_agg("POINTERS"::text, ' ' ORDER BY "PORTION_ID") = '1 11 11 5 2 1') FROM "ORAPULL"."PORTION";
SELECT pg_temp.expect('what PORTION says is what is there', bool_and(p."POINTERS" = n)) FROM "ORAPULL"."PORTION" p JOIN (
    SELECT "P$SLOT", "P$PORTION", count(*) AS n FROM "ORAPULL"."POINTER_V" GROUP BY 1, 2) v ON v."P$SLOT" = p."SLOT_ID" AND v."P$PORTION" = p."PORTION_ID";
SELECT pg_temp.expect('nobody looks back at a rebuilt portion', NOT EXISTS (SELECT FROM "ORAPULL"."POINTER_V" WHERE "P$PREV" IN (1, 2, 3) AND "P$PORTION" < 6));
SELECT pg_temp.expect('the scans are gone', NOT EXISTS (SELECT FROM "ORAPULL"."SCAN" WHERE "PURPOSE" = 'REBUILD'));
SELECT pg_temp.expect('the lost slots serve again', bool_and("STATUS" <> 'LOST')) FROM "ORAPULL"."SLOT";

-- Lost again, the rest too: what redo does not tell (the suspicion) comes back as a U, every time.
CREATE PROCEDURE pg_temp.lose() LANGUAGE plpgsql AS $$
DECLARE
    l_slot numeric;
BEGIN
    FOR l_slot IN SELECT "SLOT_ID" FROM "ORAPULL"."SLOT" WHERE "POINTERS" > 0 LOOP
        EXECUTE format('DELETE FROM "ORAPULL"."TRANSPORT_%s"', l_slot);
    END LOOP;
    COMMIT;
    CALL "REBUILDS"."CHECK_SLOTS"();
    COMMIT;
    CALL pg_temp.run();
END
$$;
CALL pg_temp.lose();
CALL pg_temp.lose();
SELECT pg_temp.expect('each pointer is back again', NOT EXISTS (
    SELECT "P$PORTION", "TABLE_ID", "KIND", "ROW_ID", "K1" FROM before
    EXCEPT
    SELECT v."P$PORTION", v."TABLE_ID", v."KIND", v."ROW_ID", v."K1" FROM "ORAPULL"."POINTER_V" v JOIN "ORAPULL"."PORTION" p ON p."PORTION_ID" = v."P$PORTION" AND p."SLOT_ID" = v."P$SLOT"));
SELECT pg_temp.expect('the U among them', count(*) = 1) FROM before WHERE "KIND" = 'U' AND "P$PORTION" = 5;
SELECT pg_temp.expect('nothing else became one', count(*) = 1) FROM "ORAPULL"."POINTER_V" v JOIN "ORAPULL"."PORTION" p ON p."PORTION_ID" = v."P$PORTION" AND p."SLOT_ID" = v."P$SLOT" WHERE v."KIND" = 'U';

-- What was released while it was lost needs no scan.
UPDATE "ORAPULL"."SLOT" SET "STATUS" = 'CLOSED' WHERE "STATUS" = 'OPEN';
DELETE FROM "ORAPULL"."TRANSPORT_1";
DELETE FROM "ORAPULL"."TRANSPORT_2";
CALL "REBUILDS"."CHECK_SLOTS"();
SELECT pg_temp.shard('one', 6, 450);
CALL "RELEASES"."RELEASE_PORTIONS"();
CALL "RELEASES"."RELEASE_PORTIONS"();
SELECT pg_temp.expect('nothing is held, lost or ordered', s."STATE" = 'OK' AND NOT EXISTS (SELECT FROM "ORAPULL"."PORTION") AND NOT EXISTS (SELECT FROM "ORAPULL"."SCAN" WHERE "PURPOSE" = 'REBUILD')) FROM pg_temp.state() s;
CALL pg_temp.run();

-- The log of a rebuild is missing. Mining goes on, and when the portion is released the gap is over: in the state of the source too.
SELECT "TEST"."INSERT"(3, 'T', '{"ID": 98}', 505, 'AAAAAAAAAAAAAAAA98'), "TEST"."COMMIT"(3, 506), "TEST"."ADVANCE"(508);
CALL pg_temp.run();
DELETE FROM "ORAPULL"."TRANSPORT_1";
CALL "REBUILDS"."CHECK_SLOTS"();
SELECT format('CALL "MINER"."FAIL"(%s, NULL, -20821, ''GAP: thread 1 sequence 1 was deleted'')', "SCAN_ID") FROM "ORAPULL"."SCAN" WHERE "PURPOSE" = 'REBUILD' \gexec
SELECT pg_temp.expect('a gap', s."STATE" = 'GAP' AND "REBUILDS"."LOST_SLOTS"() = 1) FROM pg_temp.state() s;
SELECT "TEST"."ADVANCE"(512);
SELECT pg_temp.same('which is none of mining', "COORDINATOR"."NEXT_STEP"(), 'PLAN');
CALL "MINER"."HEAL"();
SELECT pg_temp.expect('it stays while the scan waits', s."STATE" = 'GAP') FROM pg_temp.state() s;
UPDATE "ORAPULL"."SCAN" SET "WAITS_FOR" = NULL WHERE "PURPOSE" = 'REBUILD';
CALL "MINER"."HEAL"();
SELECT pg_temp.expect('and what is lost shows behind it', s."STATE" = 'TRANSPORT_LOST') FROM pg_temp.state() s;
SELECT format('CALL "MINER"."FAIL"(%s, NULL, -20821, ''GAP: thread 1 sequence 1 was deleted'')', "SCAN_ID") FROM "ORAPULL"."SCAN" WHERE "PURPOSE" = 'REBUILD' \gexec
SELECT pg_temp.shard('one', 7, 500);
CALL "RELEASES"."RELEASE_PORTIONS"();
CALL "RELEASES"."RELEASE_PORTIONS"();
SELECT pg_temp.expect('nobody waits any more', s."STATE" = 'OK' AND "REBUILDS"."LOST_SLOTS"() = 0) FROM pg_temp.state() s;
CALL pg_temp.run();

-- Redo gives less than was published: the rest is a U.
SELECT "TEST"."TX"(4, 510);
SELECT "TEST"."INSERT"(4, 'T', '{"ID": 50}', 515, 'AAAAAAAAAAAAAAAA50');
SELECT "TEST"."COMMIT"(4, 520);
SELECT "TEST"."ADVANCE"(601);
CALL pg_temp.run();
UPDATE "ORAPULL"."PORTION_TABLE" SET "POINTERS" = 2;
CALL pg_temp.lose();
SELECT pg_temp.same('all of it is suspect', pg_temp.portion(8), 'R1 k50 rAAAAAAAAAAAAAAAA50; U1');

-- Lost again after the table was moved: LogMiner knows no columns of its older redo, and its ROWIDs are none any more.
UPDATE "SYS"."REDO" SET "STATUS" = 2, "REDO_VALUE" = NULL, "UNDO_VALUE" = NULL WHERE "SCN" = 515;
UPDATE "ORAPULL"."PORTION_TABLE" SET "POINTERS" = 1;
CALL pg_temp.lose();
SELECT pg_temp.same('a row without a key may be anywhere', pg_temp.portion(8), 'U1');

-- Redo is mined again for a table that was registered since: a TRUNCATE from before would take from the shards what was inserted behind
-- it, in ranges that were mined without the table.
SELECT pg_temp.start(1);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.shard('one', 0, 1);
SELECT "TEST"."TX"(1, 100), "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'AAAAAAAAAAAAAAAA01'), "TEST"."TRUNCATE"(2, 'X', 120), "TEST"."COMMIT"(1, 130);
SELECT "TEST"."ADVANCE"(201);
CALL pg_temp.run();
SELECT "TEST"."INSERT"(3, 'X', '{"ID": 7}', 210, 'AAAAAAAAAAAAAAAA07'), "TEST"."COMMIT"(3, 220), "TEST"."ADVANCE"(301);
CALL pg_temp.run();
SELECT pg_temp.register(2, 'X');
UPDATE "ORAPULL"."SOURCE_TABLE" SET "STATE" = 'WAIT_TX', "REGISTERED_SCN" = NULL WHERE "TABLE_ID" = 2;
INSERT INTO "ORAPULL"."SOURCE_OBJECT" ("OBJECT_ID", "TABLE_ID", "OBJECT_KIND") VALUES ("TEST"."OBJECT_NUMBER"('X'), 2, 'TABLE');
CALL pg_temp.run();
SELECT "TEST"."TRUNCATE"(4, 'X', 350), "TEST"."ADVANCE"(401);
CALL pg_temp.run();
SELECT pg_temp.same('one is published since the registration', pg_temp.portions(), '1: R1 k1 rAAAAAAAAAAAAAAAA01 | 2: T2');
CALL pg_temp.lose();
SELECT pg_temp.same('and no other comes out of old redo', pg_temp.portions(), '1: R1 k1 rAAAAAAAAAAAAAAAA01 | 2: T2');
-- Nor when the scan of it was late, or is done again, and before it is known when the registration was committed.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T'), pg_temp.register(2, 'X'), pg_temp.register(3, 'Y');
UPDATE "ORAPULL"."SOURCE_TABLE" SET "REGISTERED_SCN" = CASE "TABLE_ID" WHEN 2 THEN 150 END WHERE "TABLE_ID" > 1;
SELECT pg_temp.scan(200, '1 T 2 @140', '1 U 2 xmoved @140', '1 commit @150', '2 T 2 @145', '2 commit @151', '3 T 3 @160', '3 D 3 @160', '3 R 3 k1 @161', '3 commit @162');
:publish
SELECT pg_temp.same('what is older is none, but a new column', pg_temp.portions(), '1: T2; D3; R3 k1');

SELECT pg_temp.start(1);
SELECT pg_temp.register(1, 'T');
SELECT "TEST"."INSERT"(4, 'T', '{"ID": 50}', 515, 'AAAAAAAAAAAAAAAA50'), "TEST"."COMMIT"(4, 520), "TEST"."ADVANCE"(601);
CALL pg_temp.run();
SELECT pg_temp.refused('a slot with nothing in it cannot be lost', 'ORA-20827: slot % holds nothing that could be lost', format('CALL "REBUILDS"."MARK_LOST"(%s)', min("SLOT_ID"))) FROM "ORAPULL"."SLOT" WHERE "STATUS" = 'FREE';
SELECT pg_temp.refused('a scan that is no rebuild', 'ORA-20824: scan % (MINE) is PUBLISHED', format('CALL "REBUILDS"."REBUILD_PORTIONS"(%s)', max("SCAN_ID"))) FROM "ORAPULL"."SCAN";
