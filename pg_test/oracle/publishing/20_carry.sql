-- Open transactions (cases.md M1, M2, M3, M21, M22, M36, K5).
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.scan(200, '1 start @150', '1 R 1 k1 @160', '9 start @165', '9 R 1 k9 @170', '9 commit @180');
SELECT pg_temp.scan(300, '1 R 1 k2 @210', '2 start @220', '2 R 1 k3 @230');
SELECT pg_temp.scan(400, '1 commit @350', '1 R 1 k4 @340');
:publish
SELECT pg_temp.same('what has not committed is not published', pg_temp.portions(), '1: R1 k9');
SELECT pg_temp.expect('redo is needed from its start on', s."WINDOW_SCN" = 150 AND s."RESUME_SCN" = 101) FROM pg_temp.state() s;
:publish
SELECT pg_temp.expect('however long it is', s."LAST_PORTION" = 1) FROM pg_temp.state() s;
SELECT pg_temp.expect('its rows are carried', count(*) = 3) FROM "ORAPULL"."CARRY";
:publish
SELECT pg_temp.same('all of it comes with its commit', pg_temp.portion(2), 'R1 k1; R1 k2; R1 k4');
SELECT pg_temp.expect('a portion can be mined again from the start of its transactions', "RESUME_SCN" = 150 AND "SCN_FROM" = 300) FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" = 2;
SELECT pg_temp.expect('only the other transaction is open now', s."WINDOW_SCN" = 220 AND count(*) = 1) FROM "ORAPULL"."CARRY", pg_temp.state() s GROUP BY s."WINDOW_SCN";

-- Rolled back as a whole: nothing is published, nothing is kept.
SELECT pg_temp.scan(500, '2 rollback @410', '3 start @420', '3 R 1 k5 @430', '3 rollback @440');
:publish
SELECT pg_temp.expect('a rollback leaves nothing', s."LAST_PORTION" = 2 AND s."WINDOW_SCN" = 501
    AND NOT EXISTS (SELECT FROM "ORAPULL"."CARRY") AND NOT EXISTS (SELECT FROM "ORAPULL"."TX")) FROM pg_temp.state() s;

-- A rollback that does not say of what.
SELECT pg_temp.scan(600, '4 start @510', '4 R 1 k6 @520');
SELECT pg_temp.scan(700, '4294967295 rollback @610');
:publish
:publish
SELECT pg_temp.expect('ends nothing and is no transaction', count(*) = 1 AND min("XIDSQN") = 4) FROM "ORAPULL"."TX";

-- Commit and rollback of one transaction: it may have committed.
SELECT pg_temp.scan(800, '4 rollback @710', '4 commit @710');
:publish
SELECT pg_temp.same('on doubt it has', pg_temp.portion(3), 'R1 k6');

-- Rows before the range (margin of a seam, START of an open transaction) belong to open transactions and are carried like others.
SELECT pg_temp.scan(900, '5 start @790', '5 R 1 k7 @795', '5 R 1 k8 @810');
SELECT pg_temp.scan(1000, '5 commit @910');
:publish
SELECT pg_temp.expect('the start is that of the transaction', "START_SCN" = 790 AND "HAS_START" = 'Y') FROM "ORAPULL"."TX";
:publish
SELECT pg_temp.same('the row of the margin too', pg_temp.portion(4), 'R1 k7; R1 k8');

-- A transaction whose START nobody has seen.
SELECT pg_temp.scan(1100, '6 R 1 k1 @1050');
:publish
SELECT pg_temp.expect('is taken to have begun with the range', "START_SCN" = 1001 AND "HAS_START" = 'N') FROM "ORAPULL"."TX";
SELECT pg_temp.scan(1200, '6 start @1001', '6 commit @1110');
:publish
SELECT pg_temp.same('and is published', pg_temp.portion(5), 'R1 k1 <2');

-- Transactions of two containers with the same XID.
SELECT pg_temp.scan(1300, '7 start @1210', '7 R 1 k1 @1220', '8 start @1230', '8 R 1 k2 @1240', '8 commit @1250');
UPDATE "ORAPULL"."STAGE_1" SET "CON_UID" = 5, "XIDSQN" = 7, "XIDUSN" = 7 WHERE "XIDSQN" = 8;
UPDATE "ORAPULL"."STAGE_2" SET "CON_UID" = 5, "XIDSQN" = 7, "XIDUSN" = 7 WHERE "XIDSQN" = 8;
UPDATE "ORAPULL"."STAGE_3" SET "CON_UID" = 5, "XIDSQN" = 7, "XIDUSN" = 7 WHERE "XIDSQN" = 8;
:publish
SELECT pg_temp.same('an XID counts in its container', pg_temp.portion(6), 'R1 k2 <2');
SELECT pg_temp.expect('the other stays open', count(*) = 1 AND max("CON_UID") = 0) FROM "ORAPULL"."TX";
