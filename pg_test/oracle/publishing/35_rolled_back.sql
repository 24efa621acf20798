-- What is rolled back, in a whole transaction or to a savepoint, and what moves (cases.md M22, M23, M24, R9).

-- M23: with COMMITTED_DATA_ONLY LogMiner shows a transaction that was rolled back, with its end.
SELECT pg_temp.start(), pg_temp.shard('one', 0, 0);
UPDATE "ORAPULL"."SETTING" SET "MINING_RULE" = 'W', "COMMITTED_DATA_ONLY" = 'Y';
SELECT pg_temp.register(1, 'T');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'AAAAAAAAAAAAAAAA01');
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 2}', 111, 'AAAAAAAAAAAAAAAA02');
SELECT "TEST"."ROLLBACK"(1, 120, '{"INFO": "shown though rolled back"}'), "TEST"."COMMIT"(2, 121), "TEST"."ADVANCE"(201);
CALL pg_temp.run();
SELECT pg_temp.same('of a transaction that was rolled back nothing is published, though it is shown', pg_temp.portions(), '1: R1 k2 rAAAAAAAAAAAAAAAA02');
SELECT pg_temp.expect('nor is it open', NOT EXISTS (SELECT FROM "ORAPULL"."TX") AND NOT EXISTS (SELECT FROM "ORAPULL"."CARRY"));
SELECT pg_temp.expect('and nothing has failed', NOT EXISTS (SELECT FROM "ORAPULL"."EVENT" WHERE "SEVERITY" = 'ERROR') AND (pg_temp.state())."STATE" = 'OK');

-- M22: rows of the way back to a savepoint know the ROWID and nothing else.
SELECT "TEST"."INSERT"(3, 'T', '{"ID": 3}', 210, 'AAAAAAAAAAAAAAAA03');
SELECT "TEST"."UPDATE"(3, 'T', 'AAAAAAAAAAAAAAAA02', '{"ID": 2}', '{"ID": 4}', 211), "TEST"."UNDO"(3, 2, 212), "TEST"."COMMIT"(3, 213), "TEST"."ADVANCE"(301);
UPDATE "ORAPULL"."SETTING" SET "MINING_RULE" = 'W', "COMMITTED_DATA_ONLY" = 'N';
CALL pg_temp.run();
SELECT pg_temp.same('no pointer is of the way back', pg_temp.portion(2), 'R1 k2; R1 k4 rAAAAAAAAAAAAAAAA02; R1 k3 rAAAAAAAAAAAAAAAA03');

-- M24: statements that failed and were repeated, thousands of times in one transaction: no row is looked for the one that undoes it.
CREATE FUNCTION pg_temp.rows_read() RETURNS bigint LANGUAGE sql AS $$
SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables WHERE schemaname IN ('ORAPULL', 'SYS')
$$;
SELECT pg_temp.start(), pg_temp.shard('one', 0, 0);
SELECT pg_temp.register(1, 'T', '{A,B}');
SELECT pg_temp.scan(200, VARIADIC array_cat('{1 start @110}', array_cat(ARRAY(SELECT format('1 R 1 k%s/1 rR%s @120', i % 1000, i) FROM generate_series(1, 5000) i), '{1 commit @130}')));
BEGIN;
CALL "PUBLISHER"."PUBLISH"("PUBLISHER"."NEXT_TO_PUBLISH"());
SELECT pg_temp.expect('a giant commit is read a few times as a whole: ' || pg_temp.rows_read() || ' rows', pg_temp.rows_read() < 5000 * 100);
COMMIT;
SELECT pg_temp.expect('and is published', "POINTERS" = 5000) FROM "ORAPULL"."PORTION";

-- R9: all ROWIDs are others since a MOVE, of which there is no redo. A row is told with its new one.
SELECT pg_temp.start(), pg_temp.shard('one', 0, 0);
SELECT pg_temp.register(1, 'T'), pg_temp.register(2, 'P', '{}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'AAA111AAAAAAAAAA01'), "TEST"."INSERT"(1, 'P', '{"V": 1}', 111, 'AAA112AAAAAAAAAA01'), "TEST"."COMMIT"(1, 120);
SELECT "TEST"."ADVANCE"(201);
CALL pg_temp.run();
SELECT "TEST"."DDL"(2, 'T', 'ALTER TABLE t MOVE', 210), "TEST"."DDL"(3, 'P', 'ALTER TABLE p MOVE', 211);
SELECT "TEST"."UPDATE"(4, 'T', 'AAA222AAAAAAAAAA01', '{"ID": 1}', '{"V": 2}', 220), "TEST"."UPDATE"(4, 'P', 'AAA223AAAAAAAAAA01', '{"V": 1}', '{"V": 2}', 221);
SELECT "TEST"."COMMIT"(4, 230), "TEST"."ADVANCE"(301);
CALL pg_temp.run();
SELECT pg_temp.same('after a MOVE a key is still the identity; where the ROWID is, the table has to be loaded again', pg_temp.portion(2),
    'D1; U2; R1 k1 rAAA222AAAAAAAAAA01; R2 rAAA223AAAAAAAAAA01');
