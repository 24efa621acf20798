-- What the dictionary tells and redo does not.
CREATE FUNCTION pg_temp.watch() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "ORAPULL"."SUSPICION";
    CALL "REGISTRY"."WATCH"();
    RETURN (SELECT coalesce(string_agg(t."TABLE_NAME" || ': ' || s."NOTE", '; ' ORDER BY t."TABLE_NAME", s."SEEN_SCN"), '')
            FROM "ORAPULL"."SUSPICION" s JOIN "ORAPULL"."SOURCE_TABLE" t ON t."TABLE_ID" = s."TABLE_ID");
END
$$;
CREATE FUNCTION pg_temp.settle(p_table text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    CALL "REGISTRY"."SETTLE"();
    CALL "REGISTRY"."SETTLE"();
    RETURN pg_temp.state(p_table);
END
$$;
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('TWO_KEYS'));
SELECT pg_temp.watch() AS first \gset
SELECT pg_temp.expect('nothing new, nothing suspected: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.settle('PLAIN') \g /dev/null
SELECT pg_temp.expect('all tables are ready: ' || coalesce(string_agg("TABLE_NAME" || ' ' || "STATE", ', '), ''), count(*) = 0) FROM "ORAPULL"."TABLE_V" WHERE "STATE" <> 'READY' \g /dev/null

-- Partitions.
CREATE TABLE "APP"."PARTED_4" PARTITION OF "APP"."PARTED" FOR VALUES FROM (300) TO (400);
SELECT pg_temp.expect('a new partition is no suspicion: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.expect('but its number is noted', count(*) = 5) FROM "ORAPULL"."SOURCE_OBJECT" WHERE "TABLE_ID" = pg_temp.table_id('PARTED') \g /dev/null
DROP TABLE "APP"."PARTED_4";
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.expect('and kept when it is gone', count(*) = 5) FROM "ORAPULL"."SOURCE_OBJECT" WHERE "TABLE_ID" = pg_temp.table_id('PARTED') \g /dev/null

-- Changes without redo: one suspicion for each table of the data file, once.
UPDATE "SYS"."V$DATAFILE" SET "UNRECOVERABLE_CHANGE#" = 12345;
SELECT pg_temp.expect('a table in the file is suspected: ' || w, w LIKE '%PLAIN: a change without redo in a data file of the table, at SCN 12345%') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.expect('and so is every other', count(s."TABLE_ID") = count(*)) FROM "ORAPULL"."SOURCE_TABLE" t LEFT JOIN "ORAPULL"."SUSPICION" s ON s."TABLE_ID" = t."TABLE_ID" \g /dev/null
SELECT pg_temp.expect('the operator is told', EXISTS (SELECT FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'UNLOGGED CHANGE' AND "DETAIL" LIKE '%FORCE LOGGING%')) \g /dev/null
SELECT pg_temp.expect('once: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
-- SCNs are counted anew after RESETLOGS.
UPDATE "SYS"."V$DATAFILE" SET "UNRECOVERABLE_CHANGE#" = 12000;
SELECT pg_temp.expect('also at an SCN that is less than the last: ' || w, w LIKE '%PLAIN: a change without redo in a data file of the table, at SCN 12000%') FROM pg_temp.watch() w \g /dev/null
UPDATE "SYS"."V$DATAFILE" SET "UNRECOVERABLE_CHANGE#" = 3;
SELECT pg_temp.expect('while that is still to come: ' || w, w LIKE '%PLAIN: a change without redo in a data file of the table, at SCN 3%') FROM pg_temp.watch() w \g /dev/null
-- A table is moved into another file, or one is dropped.
UPDATE "SYS"."V$DATAFILE" SET "UNRECOVERABLE_CHANGE#" = 2;
SELECT pg_temp.expect('a file with less is no change: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
UPDATE "SYS"."V$DATAFILE" SET "UNRECOVERABLE_CHANGE#" = 3;
SELECT pg_temp.expect('but it is where the next one is counted from: ' || w, w LIKE '%PLAIN: a change without redo%') FROM pg_temp.watch() w \g /dev/null
UPDATE "ORAPULL"."SOURCE_TABLE" SET "UNLOGGED_SCN" = 9, "LOOKED_SCN" = 7;
UPDATE "SYS"."V$DATAFILE" SET "UNRECOVERABLE_CHANGE#" = 8;
SELECT pg_temp.expect('nor is one since the last look overlooked: ' || w, w LIKE '%PLAIN: a change without redo%') FROM pg_temp.watch() w \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('UNIQUE_KEY'));
SELECT pg_temp.register('UNIQUE_KEY') \g /dev/null
SELECT pg_temp.expect('what was before the registration does not count: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null

-- A table that could not be registered any more.
SELECT "TEST"."SAY"('PLAIN', '{"LOGGING": "NO"}') \g /dev/null
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.expect('is REFUSED with the reason', "STATE" = 'REFUSED' AND "STATE_DETAIL" LIKE 'it is NOLOGGING%') FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = 'PLAIN' \g /dev/null
SELECT pg_temp.expect('which is said once', count(*) = 1) FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'TABLE REFUSED' AND "DETAIL" LIKE '%PLAIN%' \g /dev/null
SELECT pg_temp.expect('it does not become READY', pg_temp.settle('PLAIN') = 'REFUSED') \g /dev/null
SELECT "TEST"."SAY"('PLAIN', '{"LOGGING": "YES"}') \g /dev/null
SELECT pg_temp.expect('mended, it is suspected: ' || w, w LIKE 'PLAIN: changes may be missing: it is NOLOGGING%' AND pg_temp.state('PLAIN') = 'WAIT_TX') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.expect('and waits once more', pg_temp.settle('PLAIN') = 'READY') \g /dev/null
UPDATE "ORAPULL"."SOURCE_TABLE" SET "STATE" = 'REFUSED', "STATE_DETAIL" = repeat('в таблице ', 50) WHERE "TABLE_NAME" = 'PLAIN';
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.expect('its note fits, in bytes', max(octet_length("NOTE")) BETWEEN 399 AND 400) FROM "ORAPULL"."SUSPICION" \g /dev/null
SELECT pg_temp.settle('PLAIN') \g /dev/null
SELECT pg_temp.expect('registered as before', "REGISTERED_SCN" < "WAIT_SCN" - 10) FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_NAME" = 'PLAIN' \g /dev/null
ALTER TABLE "APP"."UNIQUE_KEY" DROP CONSTRAINT "UNIQUE_KEY_A_key";
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.expect('its key gone', "STATE" = 'REFUSED' AND "STATE_DETAIL" LIKE 'the key it was registered with%') FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = 'UNIQUE_KEY' \g /dev/null
ALTER TABLE "APP"."UNIQUE_KEY" ADD UNIQUE ("A");
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.expect('and back', pg_temp.settle('UNIQUE_KEY') = 'READY') \g /dev/null

-- Dropped, and created anew under its name.
DROP TABLE "APP"."LOB_KEY" CASCADE;
SELECT pg_temp.expect('a table that is gone is REFUSED at once', "STATE" = 'REFUSED' AND "STATE_DETAIL" LIKE '%does not exist any more' AND "SHAPE" IS NOT NULL)
FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = 'LOB_KEY' \g /dev/null
SELECT pg_temp.watch() \g /dev/null
CREATE TABLE "APP"."LOB_KEY" ("A" text PRIMARY KEY);
SELECT "TEST"."ADD_ROWID"('APP', 'LOB_KEY') \g /dev/null
SELECT pg_temp.expect('another table under its name is suspected: ' || w, w LIKE 'LOB_KEY: the table was created anew%') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.expect('its number is noted besides the old one', count(*) = 2) FROM "ORAPULL"."SOURCE_OBJECT" WHERE "TABLE_ID" = pg_temp.table_id('LOB_KEY') AND "OBJECT_KIND" = 'TABLE' \g /dev/null

-- Another registered table has taken the name: each is under a name that was the other's.
CREATE TABLE "APP"."SWAP_A" ("A" numeric(5) PRIMARY KEY);
CREATE TABLE "APP"."SWAP_B" ("A" numeric(5) PRIMARY KEY);
SELECT "TEST"."ADD_ROWID"('APP', 'SWAP_A'), "TEST"."ADD_ROWID"('APP', 'SWAP_B') \g /dev/null
SELECT pg_temp.register('SWAP_A') \g /dev/null
SELECT pg_temp.register('SWAP_B') \g /dev/null
ALTER TABLE "APP"."SWAP_A" RENAME TO "SWAP_C";
ALTER TABLE "APP"."SWAP_B" RENAME TO "SWAP_A";
ALTER TABLE "APP"."SWAP_C" RENAME TO "SWAP_B";
SELECT pg_temp.expect('tables that have swapped names are suspected: ' || w, w LIKE 'SWAP_A: the table was created anew; SWAP_B: the table was created anew') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.expect('once: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('SWAP_A'));
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('SWAP_B'));

-- A segment has another number than before. What explains that is known when redo is mined so far.
CREATE TABLE "APP"."STAGED" ("A" numeric(5) PRIMARY KEY, "B" varchar(10));
CREATE TABLE "APP"."OTHER" (LIKE "APP"."STAGED");
CREATE TABLE "APP"."BIG" ("A" numeric(5) PRIMARY KEY, "B" varchar(10)) PARTITION BY RANGE ("A");
CREATE TABLE "APP"."BIG_1" PARTITION OF "APP"."BIG" FOR VALUES FROM (0) TO (100);
CREATE TABLE "APP"."BIG_2" PARTITION OF "APP"."BIG" FOR VALUES FROM (100) TO (200);
CREATE TABLE "APP"."ORGANIZED" ("A" numeric(5) PRIMARY KEY, "B" varchar(10));
SELECT "TEST"."ADD_ROWID"('APP', t) FROM unnest('{STAGED,OTHER,BIG,ORGANIZED}'::text[]) t \g /dev/null
SELECT "TEST"."SAY"('ORGANIZED', '{"IOT_TYPE": "IOT"}') \g /dev/null
SELECT pg_temp.register('STAGED') \g /dev/null
SELECT pg_temp.register('BIG') \g /dev/null
SELECT pg_temp.register('ORGANIZED') \g /dev/null
CREATE FUNCTION pg_temp.explained_by() RETURNS text LANGUAGE sql AS $$
SELECT coalesce(string_agg(t."TABLE_NAME" || ' ' || coalesce(s."EXPLAINED_BY", 'nothing'), ', ' ORDER BY t."TABLE_NAME"), 'none')
FROM "ORAPULL"."SUSPICION" s JOIN "ORAPULL"."SOURCE_TABLE" t ON t."TABLE_ID" = s."TABLE_ID"
$$;
SELECT pg_temp.expect('as they were registered: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
TRUNCATE "APP"."STAGED";
SELECT pg_temp.expect('a segment has another number: ' || w, w LIKE 'STAGED: a segment of the table%') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.same('it is a new one, as that of a TRUNCATE', pg_temp.explained_by(), 'STAGED TDU') \g /dev/null
SELECT pg_temp.expect('between the looks', x."SINCE_SCN" < x."SEEN_SCN" AND t."LOOKED_SCN" BETWEEN x."SINCE_SCN" + 1 AND x."SEEN_SCN")
FROM "ORAPULL"."SUSPICION" x JOIN "ORAPULL"."SOURCE_TABLE" t ON t."TABLE_ID" = x."TABLE_ID" \g /dev/null
SELECT pg_temp.expect('seen once: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
SELECT "TEST"."EXCHANGE"('"APP"."STAGED"', '"APP"."OTHER"') \g /dev/null
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.same('a number that existed before is that of other rows', pg_temp.explained_by(), 'STAGED U') \g /dev/null
TRUNCATE "APP"."STAGED";
SELECT "TEST"."EXCHANGE"('"APP"."STAGED"', '"APP"."OTHER"') \g /dev/null
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.same('also behind a TRUNCATE', pg_temp.explained_by(), 'STAGED U') \g /dev/null
SELECT "TEST"."EXCHANGE"('"APP"."STAGED"', '"APP"."BIG_2"') \g /dev/null
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.same('both sides of it', pg_temp.explained_by(), 'BIG U, STAGED U') \g /dev/null
CREATE TABLE "APP"."BIG_3" PARTITION OF "APP"."BIG" FOR VALUES FROM (200) TO (300);
SELECT pg_temp.expect('a new partition is no suspicion: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
TRUNCATE "APP"."BIG_3";
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.same('until its number changes', pg_temp.explained_by(), 'BIG TDU') \g /dev/null
CREATE TABLE "APP"."BIG_5" PARTITION OF "APP"."BIG" FOR VALUES FROM (400) TO (500);
TRUNCATE "APP"."BIG_5";
SELECT pg_temp.expect('one that is new, with a new number, is none: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.expect('nor when it is looked at again: ' || w, w = '') FROM pg_temp.watch() w \g /dev/null
CREATE TABLE "APP"."BIG_4" PARTITION OF "APP"."BIG" FOR VALUES FROM (300) TO (400);
SELECT "TEST"."EXCHANGE"('"APP"."BIG_4"', '"APP"."OTHER"') \g /dev/null
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.same('a partition that was exchanged before it was seen', pg_temp.explained_by(), 'BIG U') \g /dev/null
TRUNCATE "APP"."ORGANIZED";
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.same('the index is the segment of an index-organized table', pg_temp.explained_by(), 'ORGANIZED TDU') \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('STAGED'));
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('BIG'));
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('ORGANIZED'));

-- A key column has another name: nothing is mined by the old one, which would raise an error, and nothing by another column under it.
CREATE TABLE "APP"."RENAMED" ("A" numeric(5), "B" numeric(5), "C" numeric(5), PRIMARY KEY ("A", "B"));
SELECT "TEST"."ADD_ROWID"('APP', 'RENAMED') \g /dev/null
SELECT pg_temp.register('RENAMED') \g /dev/null
SELECT pg_temp.settle('RENAMED') \g /dev/null
CREATE FUNCTION pg_temp.paths() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    CALL "REGISTRY"."RENEW_PATHS"();
    RETURN (SELECT coalesce("K1_PATH" || ' ' || "K2_PATH", 'none') FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_NAME" = 'RENAMED');
END
$$;
SELECT pg_temp.same('as registered', pg_temp.paths(), 'APP.RENAMED.A APP.RENAMED.B') \g /dev/null
ALTER TABLE "APP"."RENAMED" RENAME "B" TO "D";
SELECT pg_temp.same('a column of the key is gone', pg_temp.paths(), 'none') \g /dev/null
SELECT pg_temp.watch() \g /dev/null
SELECT pg_temp.expect('the table is refused', "STATE" = 'REFUSED' AND "STATE_DETAIL" LIKE 'the key it was registered with%') FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = 'RENAMED' \g /dev/null
ALTER TABLE "APP"."RENAMED" RENAME "D" TO "B";
SELECT pg_temp.same('and back', pg_temp.paths(), 'APP.RENAMED.A APP.RENAMED.B') \g /dev/null
ALTER TABLE "APP"."RENAMED" RENAME TO "RENAMED_TABLE";
SELECT pg_temp.same('the table has another name', pg_temp.paths(), 'none') \g /dev/null
CREATE TABLE "APP"."RENAMED" ("X" numeric(5));
SELECT pg_temp.same('which another table has', pg_temp.paths(), 'none') \g /dev/null
DROP TABLE "APP"."RENAMED";
ALTER TABLE "APP"."RENAMED_TABLE" RENAME TO "RENAMED";
SELECT pg_temp.expect('changes in between may be missing: ' || w, w LIKE 'RENAMED: changes may be missing%') FROM pg_temp.watch() w \g /dev/null
SELECT pg_temp.expect('all is well again', pg_temp.settle('RENAMED') = 'READY' AND pg_temp.paths() LIKE '%.A %.B') \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('RENAMED'));

INSERT INTO "SYS"."TRANSACTION" ("INST_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_DATE") VALUES (1, 4, 4, 4, 77, localtimestamp - interval '100 s');
SELECT pg_temp.expect('SOURCE_V tells the oldest transaction: ' || s::text, s."OLDEST_TX_SCN" = 77 AND s."OLDEST_TX_AGE_S" BETWEEN 99 AND 160) FROM "ORAPULL"."SOURCE_V" s \g /dev/null
DELETE FROM "SYS"."TRANSACTION";
