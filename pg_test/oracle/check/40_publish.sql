-- What the triggers stage and the publisher makes of it.
SELECT "TEST"."CAPTURE"('APP', t) FROM unnest('{KEYED,UNIQUE_KEY,LOB_KEY,PLAIN}'::text[]) t \g /dev/null
SELECT "API"."DROP_TABLE"('one', pg_temp.token('one'), "TEST"."TABLE_ID"('APP', 'LOB_KEY')) \g /dev/null

-- The pointers of the last portion, one line each: kind, has a ROWID, keys, P$PREV.
CREATE FUNCTION pg_temp.last_portion() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', p."KIND", CASE WHEN p."ROW_ID" IS NULL THEN '-' ELSE 'rowid' END,
                            p."K1", p."K2", p."K3", p."K4", p."K5", p."K6", p."P$PREV"), '; ' ORDER BY p."P$PTR")
FROM "ORAPULL"."POINTER_V" p
WHERE p."P$SLOT" > 0 AND p."P$PORTION" = (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE_V")
$$;

-- Nothing to publish: positions advance, and nothing else.
DO $$
DECLARE
    a record;
    b record;
BEGIN
    PERFORM "TEST"."PUBLISH_COMMITTED"();
    SELECT * INTO a FROM "ORAPULL"."SOURCE_V";
    PERFORM pg_logical_emit_message(true, 'check', 'the position advances');
    PERFORM pg_temp.expect('nothing staged is no portion', "TEST"."PUBLISH_COMMITTED"() = 0);
    SELECT * INTO b FROM "ORAPULL"."SOURCE_V";
    PERFORM pg_temp.expect('but the source advances', b."MINED_SCN" > a."MINED_SCN" AND b."PUBLISHED_SCN" = b."MINED_SCN"
        AND b."LAST_PORTION" = a."LAST_PORTION" AND b."MINED_SCN" <= b."CURRENT_SCN");
END
$$;

-- Canonical keys, a changed key, de-duplication, tables that nobody registered.
INSERT INTO "APP"."LOB_KEY" VALUES ('nobody wants it');
INSERT INTO "APP"."KEYED" VALUES
    (1.50, 'v', 'ab', '2024-02-29 13:14:15', '2024-02-29 13:14:15.120', '\x00ff', 'x'), (100, 'w', 'abcd', '2024-01-01', '2024-01-01', '', 'y');
SELECT pg_temp.expect('one portion', "TEST"."PUBLISH_COMMITTED"() = 1) \g /dev/null
SELECT pg_temp.expect('keys are canonical: ' || pg_temp.last_portion(), pg_temp.last_portion() =
    'R rowid 1.5 v ab   2024-02-29 13:14:15 2024-02-29 13:14:15.120 00FF 0; R rowid 100 w abcd 2024-01-01 00:00:00 2024-01-01 00:00:00.000  0') \g /dev/null
UPDATE "APP"."KEYED" SET "X" = 'z' WHERE "V" = 'v';
UPDATE "APP"."KEYED" SET "X" = 'zz' WHERE "V" = 'v';
UPDATE "APP"."KEYED" SET "V" = 'changed' WHERE "V" = 'w';
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
SELECT pg_temp.expect('a row changed twice has one pointer, a changed key two, the old one without ROWID: ' || pg_temp.last_portion(),
    pg_temp.last_portion() = format('R rowid 1.5 v ab   2024-02-29 13:14:15 2024-02-29 13:14:15.120 00FF %1$s; R - 100 w abcd 2024-01-01 00:00:00 '
        '2024-01-01 00:00:00.000  0; R rowid 100 changed abcd 2024-01-01 00:00:00 2024-01-01 00:00:00.000  0', "LAST_PORTION" - 1))
FROM "ORAPULL"."SOURCE_V" \g /dev/null
DELETE FROM "APP"."KEYED" WHERE "V" = 'v';
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
SELECT pg_temp.expect('P$PREV is the latest earlier portion of the same identity: ' || pg_temp.last_portion(),
    pg_temp.last_portion() LIKE format('R rowid 1.5 v %% %s', "LAST_PORTION" - 1))
FROM "ORAPULL"."SOURCE_V" \g /dev/null

-- T, and that P$PREV never goes past it.
INSERT INTO "APP"."UNIQUE_KEY" VALUES (1, 1);
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
UPDATE "APP"."UNIQUE_KEY" SET "B" = 2;
TRUNCATE "APP"."UNIQUE_KEY";
INSERT INTO "APP"."UNIQUE_KEY" ("A", "ROWID$") SELECT 1, "ROW_ID" FROM "ORAPULL"."POINTER" WHERE "K1" = '1' LIMIT 1;
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
SELECT pg_temp.expect('of equal pointers the one after the T stays: ' || pg_temp.last_portion(),
    pg_temp.last_portion() = 'T - 0; R rowid 1 0') \g /dev/null
UPDATE "APP"."UNIQUE_KEY" SET "B" = 3;
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
SELECT pg_temp.expect('P$PREV goes as far as the T',
    pg_temp.last_portion() = format('R rowid 1 %s', "LAST_PORTION" - 1)) FROM "ORAPULL"."SOURCE_V" \g /dev/null
SELECT "TEST"."POINT"('APP', 'UNIQUE_KEY', 'D'), "TEST"."PUBLISH"() \g /dev/null
UPDATE "APP"."UNIQUE_KEY" SET "B" = 4;
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
SELECT pg_temp.expect('and not past a D', pg_temp.last_portion() = 'R rowid 1 0') \g /dev/null

-- ROWID tables: no keys in their pointers, moved rows, places used again.
TRUNCATE "APP"."PLAIN";
INSERT INTO "APP"."PLAIN" VALUES (1, 'a');
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
UPDATE "APP"."PLAIN" SET "ROWID$" = "ORAPULL"."NEW_ROWID"();
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
SELECT pg_temp.expect('a moved row has two pointers', pg_temp.last_portion() ~ '^R rowid \d+; R rowid 0$') \g /dev/null

-- Only what is committed is published, whenever it began.
SELECT "TEST".dblink_exec('second', 'BEGIN'), "TEST".dblink_exec('second', 'INSERT INTO "APP"."PLAIN" VALUES (2)') \g /dev/null
INSERT INTO "APP"."PLAIN" VALUES (3);
SELECT "TEST"."PUBLISH_COMMITTED"() \g /dev/null
SELECT pg_temp.expect('an open transaction is not published', pg_temp.last_portion() = 'R rowid 0') \g /dev/null
SELECT "TEST".dblink_exec('second', 'COMMIT') \g /dev/null
SELECT pg_temp.expect('but when it has committed', "TEST"."PUBLISH_COMMITTED"() = 1) \g /dev/null
BEGIN;
INSERT INTO "APP"."PLAIN" VALUES (4);
ROLLBACK;
SELECT pg_temp.expect('what rolls back never is', "TEST"."PUBLISH_COMMITTED"() = 0) \g /dev/null

-- Portions are cut and dense, and counted by table.
INSERT INTO "APP"."PLAIN" SELECT i FROM generate_series(1, 250) i;
UPDATE "APP"."UNIQUE_KEY" SET "B" = 5;
DO $$
DECLARE
    l_before bigint := (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE_V");
BEGIN
    PERFORM pg_temp.expect('251 pointers in three portions', "TEST"."PUBLISH_COMMITTED"(100) = 3);
    PERFORM pg_temp.expect('numbered densely', (
        SELECT array_agg("PORTION_ID" - l_before ORDER BY "PORTION_ID") = '{1,2,3}' AND array_agg("POINTERS" ORDER BY "PORTION_ID") = '{100,100,51}'
        FROM "ORAPULL"."PORTION_V" WHERE "PORTION_ID" > l_before));
    PERFORM pg_temp.expect('pointers are numbered 1 to n, in the slot of their portion', (
        SELECT bool_and(n = v."POINTERS" AND least = 1 AND most = n AND slot = v."SLOT")
        FROM (SELECT "P$PORTION", max("P$SLOT") AS slot, count(*) AS n, min("P$PTR") AS least, max("P$PTR") AS most
              FROM "ORAPULL"."POINTER_V" GROUP BY 1) p JOIN "ORAPULL"."PORTION_V" v ON v."PORTION_ID" = p."P$PORTION"));
    PERFORM pg_temp.expect('PORTION_TABLE_V counts them', (
        SELECT sum("POINTERS") FILTER (WHERE "TABLE_ID" = "TEST"."TABLE_ID"('APP', 'PLAIN')) = 250 AND sum("POINTERS") = 251
        FROM "ORAPULL"."PORTION_TABLE_V" WHERE "PORTION_ID" > l_before));
    PERFORM pg_temp.expect('only the last one completes the range of positions', (
        SELECT count(DISTINCT "SCN_TO") FILTER (WHERE "PORTION_ID" < l_before + 3) = 1
           AND max("SCN_TO") = (SELECT "PUBLISHED_SCN" FROM "ORAPULL"."SOURCE_V")
           AND min("SCN_TO") < max("SCN_TO")
        FROM "ORAPULL"."PORTION_V" WHERE "PORTION_ID" > l_before));
    PERFORM pg_temp.expect('positions of portions follow each other', (
        SELECT bool_and("SCN_FROM" >= before)
        FROM (SELECT "SCN_FROM", lag("SCN_TO") OVER (ORDER BY "PORTION_ID") AS before FROM "ORAPULL"."PORTION_V") p
        WHERE before IS NOT NULL));
END
$$;
