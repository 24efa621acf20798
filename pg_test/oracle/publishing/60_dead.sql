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
