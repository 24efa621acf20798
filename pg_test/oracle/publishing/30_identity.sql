-- One pointer for each identity (cases.md M19, M20, R3, R7).
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{A,B}');
SELECT pg_temp.register(2, 'L', '{}', 'Y');
SELECT pg_temp.scan(200, VARIADIC array_cat('{1 start @110}', array_cat(ARRAY(SELECT format('1 R 1 k%s/1 rR%s op2 @120', i, i) FROM generate_series(1, 255) i), '{1 commit @130}')));
:publish
SELECT pg_temp.expect('255 deletes that share RS_ID and SSN are 255 pointers', "POINTERS" = 255) FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" = 1;
SELECT pg_temp.scan(300, '2 start @210', '2 R 1 k1/1 r1 @220', '2 R 1 k1/1 r1 @230', '2 R 1 k1/1 @240', '2 R 1 r1 @250', '2 R 1 k1/2 r1 @251', '2 R 1 k2 r1 @252', '2 R 2 r1 @253', '2 commit @260',
    '3 start @211', '3 R 1 k1/1 r1 @221', '3 commit @261');
:publish
SELECT pg_temp.same('equal identities are one, NULL is equal to NULL and to nothing else', pg_temp.portion(2), 'R1 k1/1 r1; R1 k1/2 r1; R1 k2 r1; R1 r1; R1 k1/1; R2 r1');
SELECT pg_temp.scan(400, '4 start @310', '4 R 1 k6/1 o5 r1 @320', '4 commit @330');
:publish
SELECT pg_temp.same('a changed key has two, the old one without ROWID', pg_temp.portion(3), 'R1 k6/1 r1; R1 k5');

-- 100,000 rows of statements that failed and were repeated: one pass.
SELECT pg_temp.scan(500, VARIADIC array_cat('{5 start @410}', array_cat(ARRAY(SELECT '5 R 1 k1/1 rR @420' FROM generate_series(1, 1000)), '{5 commit @430}')));
:publish
SELECT pg_temp.same('a row changed a thousand times in a transaction is one', pg_temp.portion(4), 'R1 k1/1 rR');

-- LOB operations. A row of the operation that knows its ROWID tells the others; what none tells is a U.
CREATE PROCEDURE pg_temp.lob_case(p_what text, p_expected text, VARIADIC p_rows text[]) LANGUAGE plpgsql AS $$
DECLARE
    l_from numeric := "PLANNED_SCN" FROM "ORAPULL"."SOURCE_STATE";
    l_tx   numeric := l_from;
    l_rows text[] := ARRAY(SELECT format('%s %s @%s', l_tx, r, l_from + n + 1) FROM unnest(p_rows) WITH ORDINALITY u(r, n));
BEGIN
    PERFORM pg_temp.scan(l_from + 100, VARIADIC array_append(array_prepend(format('%s start @%s', l_tx, l_from + 1), l_rows), format('%s commit @%s', l_tx, l_from + 90)));
    COMMIT;
    CALL pg_temp.publish();
    PERFORM pg_temp.same(p_what, regexp_replace(pg_temp.portion("LAST_PORTION"), ' <\d+', '', 'g'), p_expected) FROM "ORAPULL"."SOURCE_STATE";
END
$$;
CALL pg_temp.lob_case('locator with ROWID, then writes', 'R2 rA', 'R 2 rA op9', 'L 2 op10', 'L 2 op10');
CALL pg_temp.lob_case('INTERNAL tells the row', 'R2 rB', 'L 2 op9', 'R 2 rB op0', 'L 2 op10');
CALL pg_temp.lob_case('INTERNAL behind the writes', 'R2 rB', 'L 2 op9', 'L 2 op10', 'R 2 rB op0');
CALL pg_temp.lob_case('writes without a locator', 'U2; R2 rC', 'R 2 rC op3', 'L 2 op10');
CALL pg_temp.lob_case('writes with nothing', 'U2', 'L 2 op10');
CALL pg_temp.lob_case('the second of two is not told by the first', 'U2; R2 rA', 'R 2 rA op9', 'L 2 op10', 'L 2 op9', 'L 2 op10');
CALL pg_temp.lob_case('nor the first by the second', 'U2; R2 rA', 'L 2 op9', 'L 2 op10', 'R 2 rA op9', 'L 2 op10');
CALL pg_temp.lob_case('insert with an inline LOB: the update behind it knows the row', 'R2 rD', 'L 2 op1', 'R 2 rD op3');
CALL pg_temp.lob_case('two inserts, one update', 'U2; R2 rD', 'L 2 op1', 'L 2 op1', 'R 2 rD op3');
CALL pg_temp.lob_case('an update of perhaps another row tells nothing', 'U2; R2 rD', 'L 2 op9', 'L 2 op10', 'R 2 rD op3');
SELECT pg_temp.expect('a U says why', "NOTE" LIKE 'a LOB was changed%') FROM "ORAPULL"."POINTER_V" WHERE "KIND" = 'U' LIMIT 1;

-- The parts of one operation lie in two scans.
SELECT pg_temp.scan("PLANNED_SCN" + 100, format('1 start @%s', "PLANNED_SCN" + 1), format('1 L 2 op9 @%s', "PLANNED_SCN" + 2)) FROM "ORAPULL"."SOURCE_STATE";
:publish
SELECT pg_temp.scan("PLANNED_SCN" + 100, format('1 R 2 rE op0 @%s', "PLANNED_SCN" + 1), format('1 L 2 op10 @%s', "PLANNED_SCN" + 2), format('1 commit @%s', "PLANNED_SCN" + 3)) FROM "ORAPULL"."SOURCE_STATE";
:publish
SELECT pg_temp.same('over the seam', pg_temp.portion("LAST_PORTION"), 'R2 rE') FROM "ORAPULL"."SOURCE_STATE";
