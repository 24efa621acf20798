-- P$PREV: the latest earlier portion with the same identities, never past a T or D.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{A,B}');
SELECT pg_temp.register(2, 'U');
CREATE PROCEDURE pg_temp.commit(VARIADIC p_changes text[]) LANGUAGE plpgsql AS $$
DECLARE
    l_from numeric := "PLANNED_SCN" FROM "ORAPULL"."SOURCE_STATE";
    l_rows text[] := ARRAY(SELECT format('%s %s @%s', l_from, c, l_from + n) FROM unnest(p_changes) WITH ORDINALITY u(c, n));
BEGIN
    PERFORM pg_temp.scan(l_from + 100, VARIADIC array_append(l_rows, format('%s commit @%s', l_from, l_from + 90)));
    COMMIT;
    CALL pg_temp.publish();
END
$$;
CALL pg_temp.commit('R 1 k1/1 rA', 'R 1 k2/1 rB', 'R 1 rC');
CALL pg_temp.commit('R 1 k1/1 rA', 'R 1 k1/1', 'R 1 rB', 'R 2 k2/1 rB', 'R 1 rC');
CALL pg_temp.commit('R 1 k1/1 rA', 'R 1 k1/1', 'R 1 k2/1 rB', 'R 1 k2/2 rB');
SELECT pg_temp.same('latest portion of exactly the same identities, NULL meeting NULL only', pg_temp.portions(),
    '1: R1 k1/1 rA; R1 k2/1 rB; R1 rC | 2: R1 k1/1; R1 k1/1 rA <1; R1 rB; R1 rC <1; R2 k2/1 rB | 3: R1 k1/1 <2; R1 k1/1 rA <2; R1 k2/1 rB <1; R1 k2/2 rB');

-- T: everything of the table after it looks at nothing before it; its own portion is the farthest.
CALL pg_temp.commit('R 1 k1/1 rA', 'R 2 k2/1 rB', 'T 1', 'R 1 k9/1 rN');
SELECT pg_temp.same('a T leads, and nothing of its table looks past it', pg_temp.portion(4), 'T1; R1 k1/1 rA; R1 k9/1 rN; R2 k2/1 rB <2');
CALL pg_temp.commit('R 1 k1/1 rA', 'R 1 k2/1 rB', 'R 2 k2/1 rB');
SELECT pg_temp.same('as far as the portion of the T', pg_temp.portion(5), 'R1 k1/1 rA <4; R1 k2/1 rB; R2 k2/1 rB <4');
CALL pg_temp.commit('D 1');
CALL pg_temp.commit('R 1 k1/1 rA', 'R 2 k2/1 rB');
SELECT pg_temp.same('a D is a border too', pg_temp.portion(7), 'R1 k1/1 rA; R2 k2/1 rB <5');
CALL pg_temp.commit('U 1 xwhy');
CALL pg_temp.commit('R 1 k1/1 rA', 'U 1 xagain');
SELECT pg_temp.same('a U is none, and has none', pg_temp.portion(9), 'U1; R1 k1/1 rA <7');

-- Requests are not portions, whatever their numbers.
INSERT INTO "ORAPULL"."SHARD" ("SHARD", "ACKED_PORTION", "ACKED_AT", "ACKED_SCN") VALUES ('one', 0, LOCALTIMESTAMP, 0);
INSERT INTO "ORAPULL"."REQUEST" ("REQUEST_ID", "SHARD", "TABLE_ID") VALUES (8, 'one', 1);
INSERT INTO "ORAPULL"."REQUEST_POINTER" ("REQUEST_ID", "PTR", "TABLE_ID", "ROW_ID", "K1") VALUES (8, 1, 1, 'Q', '77');
CALL pg_temp.commit('R 1 k77 rQ');
SELECT pg_temp.same('requests are not looked at', pg_temp.portion(10), 'R1 k77 rQ');
SELECT pg_temp.expect('but shown in slot 0', count(*) = 1 AND min("P$PORTION") = 8 AND min("P$PREV") = 0 AND min("KIND") = 'R') FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0;

-- How far it is looked for.
UPDATE "ORAPULL"."SETTING" SET "PREV_PORTIONS" = 2;
CALL pg_temp.commit('R 2 k2/1 rB', 'R 1 k1/1 rA');
SELECT pg_temp.same('no farther than PREV_PORTIONS', pg_temp.portion(11), 'R1 k1/1 rA <9; R2 k2/1 rB');
UPDATE "ORAPULL"."SETTING" SET "PREV_PORTIONS" = 0;
CALL pg_temp.commit('R 1 k1/1 rA');
SELECT pg_temp.same('not at all', pg_temp.portion(12), 'R1 k1/1 rA');
UPDATE "ORAPULL"."SETTING" SET "PREV_PORTIONS" = 1000, "PORTION_POINTERS" = 6;
CALL pg_temp.commit('R 2 k5 rZ', 'R 2 k6', 'R 2 k7', 'R 2 k8', 'R 2 k9', 'R 2 k10');
CALL pg_temp.commit('R 1 k1/1 rA', 'R 2 k5 rZ');
SELECT pg_temp.same('and not among more pointers than pays', pg_temp.portion("LAST_PORTION"), 'R1 k1/1 rA; R2 k5 rZ <13') FROM "ORAPULL"."SOURCE_STATE";

-- A slot that is lost is not read.
UPDATE "ORAPULL"."SETTING" SET "PORTION_POINTERS" = 100000;
UPDATE "ORAPULL"."SLOT" SET "STATUS" = 'LOST' WHERE "SLOT_ID" = (SELECT "SLOT_ID" FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" = 14);
CALL pg_temp.commit('R 1 k1/1 rA');
SELECT pg_temp.expect('a lost slot is not looked at', count(*) = 1) FROM "ORAPULL"."POINTER_V" WHERE "P$PORTION" = 15 AND "P$PREV" < 14;
