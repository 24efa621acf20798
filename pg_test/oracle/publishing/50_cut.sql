-- Portions of at most n pointers, and the slots they lie in (cases.md T1).
SELECT pg_temp.start(100, 100);
SELECT pg_temp.register(1, 'T');
SELECT pg_temp.register(2, 'U');
SELECT pg_temp.scan(200, VARIADIC array_cat(ARRAY(SELECT format('1 R 1 k%s r%s @120', i, to_char(i, 'FM000')) FROM generate_series(1, 250) i),
    ARRAY['1 R 2 k1 @130', '1 T 2 @140', '1 U 1 xwhy @141', '1 commit @150']));
:publish
SELECT pg_temp.expect('254 pointers are three portions, as full as they may be', array_agg("POINTERS" ORDER BY "PORTION_ID") = '{100,100,53}') FROM "ORAPULL"."PORTION";
SELECT pg_temp.expect('numbered 1 to n in each', bool_and(n = 1 AND m = c)) FROM (
    SELECT min("P$PTR") AS n, max("P$PTR") AS m, count(*) AS c FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" > 0 GROUP BY "P$PORTION") p;
SELECT pg_temp.expect('T and U in the first', count(*) = 2 AND min("P$PORTION") = 1 AND max("P$PORTION") = 1 AND max("P$PTR") = 2) FROM "ORAPULL"."POINTER_V" WHERE "KIND" IN ('T', 'U');
SELECT pg_temp.expect('only the last completes the range', array_agg("SCN_TO" ORDER BY "PORTION_ID") = '{100,100,200}' AND max("SCN_FROM") = 100) FROM "ORAPULL"."PORTION";
SELECT pg_temp.expect('in the order of identities', bool_and("ROW_ID" > before)) FROM (
    SELECT "ROW_ID", lag("ROW_ID") OVER (ORDER BY "P$PORTION", "P$PTR") AS before FROM "ORAPULL"."POINTER_V" WHERE "TABLE_ID" = 1 AND "KIND" = 'R') p WHERE before IS NOT NULL;
SELECT pg_temp.expect('tables are counted', string_agg(concat_ws(' ', "PORTION_ID", "TABLE_ID", "POINTERS", "BARRIERS"), ', ' ORDER BY "PORTION_ID", "TABLE_ID")
    = '1 1 99 0, 1 2 1 1, 2 1 100 0, 3 1 52 0, 3 2 1 0') FROM "ORAPULL"."PORTION_TABLE";
SELECT pg_temp.expect('the place of each cut is kept', string_agg(concat_ws(' ', "PORTION_ID", "LOW_TABLE", "LOW_PLACE"), ', ' ORDER BY "PORTION_ID") = '1, 2 1 099, 3 1 199') FROM "ORAPULL"."PORTION";
SELECT pg_temp.expect('a publication fills all slots there are, and closes the full ones', string_agg(concat_ws(' ', "SLOT_ID", "STATUS", "POINTERS"), ', ' ORDER BY "SLOT_ID")
    = '1 CLOSED 100, 2 CLOSED 100, 3 OPEN 53') FROM "ORAPULL"."SLOT";

-- More portions than slots: several in one. Nothing is read or written twice.
SELECT pg_temp.scan(300, VARIADIC array_append(ARRAY(SELECT format('2 R 2 k%s @220', to_char(i, 'FM0000')) FROM generate_series(1, 450) i), '2 commit @250'));
:publish
SELECT pg_temp.expect('five portions in the one slot that is left', count(*) = 5 AND min("SLOT_ID") = 3 AND max("SLOT_ID") = 3 AND sum("POINTERS") = 450) FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" > 3;
SELECT pg_temp.expect('which is closed then', "STATUS" = 'CLOSED' AND "POINTERS" = 503) FROM "ORAPULL"."SLOT" WHERE "SLOT_ID" = 3;
SELECT pg_temp.expect('another is to be created', "SLOTS"."NEXT_TO_CREATE"(1) = 4 AND "SLOTS"."NEXT_TO_CREATE"(0) = 4);
SELECT pg_temp.expect('each pointer lies in the slot of its portion', count(*) = 703) FROM "ORAPULL"."POINTER_V" v JOIN "ORAPULL"."PORTION" p ON p."PORTION_ID" = v."P$PORTION" AND p."SLOT_ID" = v."P$SLOT";

-- Slots are cleared in a step of their own, and only when nothing is in them.
SELECT pg_temp.expect('none can be cleared', "SLOTS"."NEXT_TO_CLEAR"() IS NULL);
SELECT pg_temp.refused('a slot with portions', 'ORA-20827: slot 2 is not full, or portions are still in it', 'CALL "SLOTS"."CLEAR"(2)');
DELETE FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" = 2;
SELECT pg_temp.expect('now one can', "SLOTS"."NEXT_TO_CLEAR"() = 2);
BEGIN;
UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = LOCALTIMESTAMP;
INSERT INTO "ORAPULL"."CHORE" VALUES ('X', LOCALTIMESTAMP);
SELECT pg_temp.refused('DDL would commit what was written before it', '%', 'CALL "SLOTS"."CLEAR"(2)');
ROLLBACK;
CALL "SLOTS"."CLEAR"(2);
SELECT pg_temp.expect('it is empty and free', "STATUS" = 'FREE' AND "POINTERS" = 0 AND NOT EXISTS (SELECT FROM "ORAPULL"."TRANSPORT_2")) FROM "ORAPULL"."SLOT" WHERE "SLOT_ID" = 2;
CALL "SLOTS"."CREATE_SLOT"(2);
SELECT pg_temp.expect('what was created already stays', count(*) = 3) FROM "ORAPULL"."SLOT";

-- Small portions share a slot until it is full.
SELECT pg_temp.scan(400, '3 R 1 k1 @320', '3 commit @330');
:publish
SELECT pg_temp.scan(500, VARIADIC array_append(ARRAY(SELECT format('4 R 2 k%s @420', i) FROM generate_series(1, 98) i), '4 commit @450'));
:publish
SELECT pg_temp.expect('open below n', "STATUS" = 'OPEN' AND "POINTERS" = 99) FROM "ORAPULL"."SLOT" WHERE "SLOT_ID" = 2;
SELECT pg_temp.scan(600, '5 R 1 k1 @520', '5 commit @530');
:publish
SELECT pg_temp.expect('closed at n', "STATUS" = 'CLOSED' AND "POINTERS" = 100) FROM "ORAPULL"."SLOT" WHERE "SLOT_ID" = 2;
