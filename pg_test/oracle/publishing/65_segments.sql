-- Segments that have another number than before, as the dictionary tells.
-- A suspicion about a segment is none when DDL that was published explains it: of the same table, between the two looks, and of a
-- kind that gives such a number. The DDL may be published before the look, or long after it.
SELECT pg_temp.start();
SELECT pg_temp.register(t, 'T' || t) FROM generate_series(1, 7) t;
UPDATE "ORAPULL"."SOURCE_TABLE" SET "LOOKED_SCN" = 100;
SELECT pg_temp.scan(200, '1 T 1 @120', '1 commit @130', '2 D 2 @140 xALTER_TABLE', '2 commit @141', '3 D 3 @142 xALTER', '3 commit @143',
    '4 U 4 op5 @144', '4 commit @145', '5 U 5 op255 @146', '5 commit @147', '6 T 6 @148', '6 commit @149', '7 T 7 @148', '7 commit @149');
UPDATE "ORAPULL"."STAGE_1" SET "NOTE" = CASE "TABLE_ID" WHEN 2 THEN 'MOVE: alter table t2 move online' ELSE 'alter table t3 enable row movement' END WHERE "TABLE_ID" IN (2, 3);
UPDATE "ORAPULL"."STAGE_2" SET "NOTE" = CASE "TABLE_ID" WHEN 2 THEN 'MOVE: alter table t2 move online' ELSE 'alter table t3 enable row movement' END WHERE "TABLE_ID" IN (2, 3);
UPDATE "ORAPULL"."STAGE_3" SET "NOTE" = CASE "TABLE_ID" WHEN 2 THEN 'MOVE: alter table t2 move online' ELSE 'alter table t3 enable row movement' END WHERE "TABLE_ID" IN (2, 3);
:publish
SELECT pg_temp.same('DDL that may have changed segments is noted', (SELECT string_agg(concat("KIND", "TABLE_ID", '@', "SCN"), ' ' ORDER BY "TABLE_ID") FROM "ORAPULL"."PUBLISHED_DDL"),
    'T1@130 D2@141 U4@145 T6@149 T7@149');
INSERT INTO "ORAPULL"."SUSPICION" ("TABLE_ID", "SEEN_SCN", "NOTE", "SINCE_SCN", "EXPLAINED_BY") VALUES
    (1, 150, 'emptied', 100, 'TDU'), (2, 150, 'moved', 100, 'TDU'), (3, 150, 'moved by nobody', 100, 'TDU'), (4, 150, 'exchanged', 100, 'U'),
    (5, 150, 'not by DDL', 100, 'TDU'), (6, 150, 'exchanged', 100, 'U'), (7, 150, 'later', 149, 'TDU');
UPDATE "ORAPULL"."SOURCE_TABLE" SET "LOOKED_SCN" = 148;
SELECT pg_temp.scan(300);
:publish
SELECT pg_temp.same('what nothing explains is published', pg_temp.portion(2), 'U3; U5; U6; U7');
SELECT pg_temp.same('and told', (SELECT string_agg(substr("DETAIL", 1, 16), ' ' ORDER BY "DETAIL") FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'SEGMENT CHANGED'),
    'table "APP"."T3" table "APP"."T5" table "APP"."T6" table "APP"."T7"');
SELECT pg_temp.expect('no suspicion is left; DDL that the next look may see is', NOT EXISTS (SELECT FROM "ORAPULL"."SUSPICION")
    AND (SELECT string_agg("KIND" || "TABLE_ID", ' ' ORDER BY "TABLE_ID") = 'T6 T7' FROM "ORAPULL"."PUBLISHED_DDL"));
UPDATE "ORAPULL"."SOURCE_TABLE" SET "LOOKED_SCN" = 390;
INSERT INTO "ORAPULL"."SUSPICION" ("TABLE_ID", "SEEN_SCN", "NOTE", "SINCE_SCN", "EXPLAINED_BY") VALUES (1, 395, 'emptied', 148, 'TDU'), (2, 395, 'emptied', 148, 'TDU');
SELECT pg_temp.scan(350, '8 start @310', '8 T 1 @320');
:publish
SELECT pg_temp.expect('the dictionary is ahead of the miner', s."LAST_PORTION" = 2) FROM pg_temp.state() s;
SELECT pg_temp.scan(400, '8 commit @380');
:publish
SELECT pg_temp.same('what explains it comes in time', pg_temp.portion(3), 'T1');
SELECT pg_temp.scan(500);
:publish
SELECT pg_temp.same('the other is published', pg_temp.portion(4), 'U2');
SELECT pg_temp.expect('nothing is left', s."LAST_PORTION" = 4 AND NOT EXISTS (SELECT FROM "ORAPULL"."SUSPICION") AND NOT EXISTS (SELECT FROM "ORAPULL"."PUBLISHED_DDL")) FROM pg_temp.state() s;

-- The whole way, from the dictionary and redo to the portion: the look comes before the TRUNCATE is mined.
SELECT pg_temp.start(1);
SELECT pg_temp.shard('one', 0, 0);
CREATE SCHEMA "APP";
CREATE TABLE "APP"."EMPTIED" ("A" numeric(5) PRIMARY KEY);
CREATE TABLE "APP"."PARTNER" ("A" numeric(5) PRIMARY KEY);
SELECT "TEST"."ADD_ROWID"('APP', 'EMPTIED'), "TEST"."ADD_ROWID"('APP', 'PARTNER');
SELECT "REGISTRY"."REGISTER"('one', 1, 'APP', 'EMPTIED', 'AUTO');
CALL "REGISTRY"."SETTLE"();
CALL "REGISTRY"."WATCH"();
SELECT "TEST"."TRUNCATE"(1, 'EMPTIED');
CALL "REGISTRY"."WATCH"();
SELECT pg_temp.expect('it is seen', count(*) = 1) FROM "ORAPULL"."SUSPICION";
SELECT "TEST"."ADVANCE"();
CALL pg_temp.run();
SELECT "TEST"."ADVANCE"();
CALL pg_temp.run();
SELECT pg_temp.same('a TRUNCATE is a T and nothing else', pg_temp.portions(), '1: T1');
SELECT pg_temp.expect('it is explained', NOT EXISTS (SELECT FROM "ORAPULL"."SUSPICION") AND NOT EXISTS (SELECT FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'SEGMENT CHANGED'));
SELECT "TEST"."TRUNCATE"(2, 'EMPTIED'), "TEST"."ADVANCE"();
CALL pg_temp.run();
CALL "REGISTRY"."WATCH"();
SELECT "TEST"."ADVANCE"();
CALL pg_temp.run();
SELECT "TEST"."ADVANCE"();
CALL pg_temp.run();
SELECT pg_temp.same('also when it was mined before the look', pg_temp.portions(), '1: T1 | 2: T1');
SELECT "TEST"."EXCHANGE"('"APP"."EMPTIED"', '"APP"."PARTNER"');
CALL "REGISTRY"."WATCH"();
SELECT "TEST"."ADVANCE"();
CALL pg_temp.run();
SELECT "TEST"."ADVANCE"();
CALL pg_temp.run();
SELECT pg_temp.same('other rows are in it, and no redo tells', pg_temp.portions(), '1: T1 | 2: T1 | 3: U1');
SELECT pg_temp.expect('the operator is told', count(*) = 1) FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'SEGMENT CHANGED' AND "DETAIL" LIKE 'table "APP"."EMPTIED": a segment%';
DROP SCHEMA "APP" CASCADE;
