-- Transactions whose end is not seen, and changes that redo does not tell (cases.md M21, M35).
SELECT pg_temp.start(1);
SELECT pg_temp.register(1, 'T');
SELECT "TEST"."ADVANCE"(5000);
SELECT pg_temp.scan(200, '1 start @110', '1 R 1 k1 @120', '2 start @111', '2 R 1 k2 @121', '2 T 1 @122', '3 start @112', '3 R 1 k3 @123', '4 start @113', '5 start @114', '5 R 1 k5 @115');
:publish
INSERT INTO "SYS"."TRANSACTION" ("XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "STATUS") VALUES (1, 1, 1, 110, 'ACTIVE'), (3, 1, 3, 112, 'PREPARED');
CALL "TRANSACTIONS"."BURY"();
SELECT pg_temp.expect('open and in-doubt transactions live', string_agg("XIDSQN"::text, ' ' ORDER BY "XIDSQN") = '2 4 5') FROM "ORAPULL"."TX" WHERE "DEAD_SCN" IS NOT NULL;
SELECT pg_temp.expect('the others are dead as of an SCN read after the transactions were', bool_and("DEAD_SCN" >= 5000)) FROM "ORAPULL"."TX" WHERE "XIDSQN" IN (2, 4, 5);
UPDATE "ORAPULL"."TX" SET "DEAD_SCN" = 350 WHERE "DEAD_SCN" IS NOT NULL;
SELECT pg_temp.scan(300, '5 commit @299');
:publish
SELECT pg_temp.same('before that SCN is published they may still commit', pg_temp.portions(), '1: R1 k5');
SELECT pg_temp.scan(400, '2 R 1 k22 @310');
:publish
SELECT pg_temp.same('then their rows are published, the T as a U', pg_temp.portion(2), 'U1; R1 k2; R1 k22');
SELECT pg_temp.expect('redo does not tell that they are to be', "BESIDE_REDO" = 3 AND "BARRIERS" = 0) FROM "ORAPULL"."PORTION_TABLE" WHERE "PORTION_ID" = 2;
SELECT pg_temp.expect('and they are forgotten', count(*) = 2 AND max("XIDSQN") = 3) FROM "ORAPULL"."TX";
SELECT pg_temp.expect('the operator is told', count(*) = 1) FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'DEAD_TRANSACTIONS';

-- An instance that does not answer: GV$TRANSACTION has too few rows.
UPDATE "ORAPULL"."TX" SET "DEAD_SCN" = NULL;
DELETE FROM "SYS"."TRANSACTION";
SELECT "TEST"."ADD_THREAD"(2, 300);
DELETE FROM "SYS"."GV$INSTANCE" WHERE "INST_ID" = 2;
CALL "TRANSACTIONS"."BURY"();
SELECT pg_temp.expect('nobody is buried while an instance is silent', count(*) = 2) FROM "ORAPULL"."TX" WHERE "DEAD_SCN" IS NULL;

-- A suspicion waits for every transaction that was open when it was seen.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.scan(200, '1 start @110', '1 R 1 k1 @120');
:publish
INSERT INTO "ORAPULL"."SUSPICION" ("TABLE_ID", "SEEN_SCN", "NOTE") VALUES (1, 150, 'loaded without redo'), (1, 250, 'again');
SELECT pg_temp.scan(300, '2 start @210', '2 R 1 k2 @220', '2 commit @230');
:publish
SELECT pg_temp.same('a transaction that was open then is open still', pg_temp.portions(), '1: R1 k2');
SELECT pg_temp.scan(400, '1 commit @310', '3 start @320', '3 R 1 k3 @330');
:publish
SELECT pg_temp.same('its commit comes first', pg_temp.portion(2), 'R1 k1');
SELECT pg_temp.scan(500);
:publish
SELECT pg_temp.same('then the U; a transaction that began later does not matter', pg_temp.portion(3), 'U1');
SELECT pg_temp.expect('both of them in one, saying why', count(*) = 1 AND max("NOTE") = 'loaded without redo' AND max("COMMIT_SCN") IS NULL) FROM "ORAPULL"."POINTER_V" WHERE "P$PORTION" = 3;
SELECT pg_temp.expect('once', NOT EXISTS (SELECT FROM "ORAPULL"."SUSPICION"));
INSERT INTO "ORAPULL"."SUSPICION" ("TABLE_ID", "SEEN_SCN", "NOTE") VALUES (1, 450, 'third');
SELECT pg_temp.scan(600, '3 commit @510', '4 R 1 k4 @520');
:publish
SELECT pg_temp.scan(700);
:publish
SELECT pg_temp.expect('a transaction whose START was not seen may have been open', s."LAST_PORTION" = 4) FROM pg_temp.state() s;
SELECT pg_temp.scan(800, '4 commit @710');
:publish
SELECT pg_temp.scan(900);
:publish
SELECT pg_temp.same('until it has ended', pg_temp.portion(6), 'U1');

-- A suspicion about a segment is none when DDL that was published explains it: of the same table, between the two looks, and of a
-- kind that gives such a number. The DDL may be published before the look, or long after it.
SELECT pg_temp.start();
SELECT pg_temp.register(t, 'T' || t) FROM generate_series(1, 7) t;
UPDATE "ORAPULL"."SOURCE_TABLE" SET "LOOKED_SCN" = 100;
SELECT pg_temp.scan(200, '1 T 1 @120', '1 commit @130', '2 D 2 @140 xALTER_TABLE', '2 commit @141', '3 D 3 @142 xALTER', '3 commit @143',
    '4 U 4 op5 @144', '4 commit @145', '5 U 5 op255 @146', '5 commit @147', '6 T 6 @148', '6 commit @149', '7 T 7 @148', '7 commit @149');
UPDATE "ORAPULL"."STAGE_1" SET "NOTE" = 'alter table t2 move online' WHERE "TABLE_ID" = 2;
UPDATE "ORAPULL"."STAGE_2" SET "NOTE" = 'alter table t2 move online' WHERE "TABLE_ID" = 2;
UPDATE "ORAPULL"."STAGE_3" SET "NOTE" = 'alter table t2 move online' WHERE "TABLE_ID" = 2;
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
