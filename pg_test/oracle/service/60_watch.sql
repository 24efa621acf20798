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

INSERT INTO "SYS"."TRANSACTION" ("INST_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_DATE") VALUES (1, 4, 4, 4, 77, localtimestamp - interval '100 s');
SELECT pg_temp.expect('SOURCE_V tells the oldest transaction: ' || s::text, s."OLDEST_TX_SCN" = 77 AND s."OLDEST_TX_AGE_S" BETWEEN 99 AND 160) FROM "ORAPULL"."SOURCE_V" s \g /dev/null
DELETE FROM "SYS"."TRANSACTION";
