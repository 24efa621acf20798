-- Registration, identity, refresh, and what a registration waits for.
CREATE TABLE "APP"."KEYED" (
    "N" numeric(12, 2), "V" varchar(20), "C" char(4), "D" timestamp(0), "T" timestamp(3), "R" bytea, "X" text,
    PRIMARY KEY ("N", "V", "C", "D", "T", "R")
);
CREATE TABLE "APP"."UNIQUE_KEY" ("A" numeric(5) NOT NULL UNIQUE, "B" numeric(5) UNIQUE);
CREATE TABLE "APP"."TWO_KEYS" ("A" numeric(5) CONSTRAINT "A_FIRST" UNIQUE NOT NULL, "B" numeric(5) CONSTRAINT "M_MIDDLE" PRIMARY KEY,
                               "C" numeric(5) CONSTRAINT "Z_LAST" UNIQUE NOT NULL);
CREATE TABLE "APP"."NINE" ("A" numeric, "B" numeric, "C" numeric, "D" numeric, "E" numeric, "F" numeric, "G" numeric, "H" numeric, "I" numeric,
                           PRIMARY KEY ("A", "B", "C", "D", "E", "F", "G", "H", "I"));
CREATE TABLE "APP"."HALF_NULL" ("A" numeric(5) NOT NULL, "B" numeric(5), UNIQUE ("A", "B"));
CREATE TABLE "APP"."HALF_FLOAT" ("A" numeric(5), "B" double precision, PRIMARY KEY ("A", "B"));
CREATE TABLE "APP"."LOB_KEY" ("A" text PRIMARY KEY);
CREATE TABLE "APP"."VIRTUAL_KEY" ("A" numeric(5) PRIMARY KEY);
CREATE TABLE "APP"."PLAIN" ("A" numeric(5), "B" varchar(10));
CREATE TABLE "APP"."WIDE_STRING" ("A" numeric(5) PRIMARY KEY, "B" varchar(10));
SELECT "TEST"."ADD_ROWID"('APP', t) FROM unnest('{KEYED,UNIQUE_KEY,TWO_KEYS,NINE,HALF_NULL,HALF_FLOAT,LOB_KEY,VIRTUAL_KEY,PLAIN,WIDE_STRING}'::text[]) t \g /dev/null
SELECT "TEST"."SAY"('KEYED', 'R', '{"DATA_TYPE": "RAW", "DATA_LENGTH": 16, "CHAR_LENGTH": 0}'), "TEST"."SAY"('VIRTUAL_KEY', 'A', '{"VIRTUAL_COLUMN": "YES"}'),
       "TEST"."SAY"('WIDE_STRING', 'B', '{"DATA_TYPE": "VARCHAR2", "DATA_LENGTH": 32767, "CHAR_LENGTH": 8191}') \g /dev/null

CREATE FUNCTION pg_temp.key_of(p_table text) RETURNS text LANGUAGE sql STABLE AS $$
SELECT string_agg("COLUMN_NAME", ',' ORDER BY "KEY_POSITION") FILTER (WHERE "KEY_POSITION" IS NOT NULL)
FROM "ORAPULL"."COLUMN_V" WHERE "TABLE_ID" = pg_temp.table_id(p_table)
$$;

SELECT pg_temp.register(t) FROM unnest('{KEYED}'::text[]) t \g /dev/null
SELECT pg_temp.register('UNIQUE_KEY', 'KEY') \g /dev/null
SELECT pg_temp.register('TWO_KEYS') \g /dev/null
SELECT pg_temp.register('NINE') \g /dev/null
SELECT pg_temp.register('HALF_NULL') \g /dev/null
SELECT pg_temp.register('HALF_FLOAT') \g /dev/null
SELECT pg_temp.register('LOB_KEY') \g /dev/null
SELECT pg_temp.register('VIRTUAL_KEY') \g /dev/null
SELECT pg_temp.register('WIDE_STRING') \g /dev/null
SELECT pg_temp.register('PLAIN') AS plain \gset
SELECT pg_temp.expect('identity of ' || t || ': ' || coalesce(pg_temp.key_of(t), 'ROWID'), pg_temp.key_of(t) IS NOT DISTINCT FROM nullif(k, 'ROWID'))
FROM (VALUES ('KEYED', 'N,V,C,D,T,R'), ('UNIQUE_KEY', 'A'), ('TWO_KEYS', 'B'), ('NINE', 'ROWID'), ('HALF_NULL', 'ROWID'), ('HALF_FLOAT', 'ROWID'), ('LOB_KEY', 'ROWID'), ('VIRTUAL_KEY', 'ROWID'), ('PLAIN', 'ROWID')) v (t, k) \g /dev/null
SELECT pg_temp.refused('KEY without a key: ' || t, 'ORA-20810:%', format('SELECT pg_temp.register(%L, ''KEY'')', t)) FROM unnest('{NINE,LOB_KEY,VIRTUAL_KEY}'::text[]) t \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('NINE'));
SELECT pg_temp.refused('KEY without a key', 'ORA-20806:%no primary key%', $q$SELECT pg_temp.register('NINE', 'KEY')$q$) \g /dev/null
SELECT pg_temp.expect('registering is idempotent', pg_temp.register('PLAIN') = :plain) \g /dev/null
SELECT pg_temp.expect('with the same identity too', pg_temp.register('PLAIN', 'ROWID') = :plain) \g /dev/null
SELECT pg_temp.refused('another identity', 'ORA-20810: table "APP"."PLAIN" is registered with identity ROWID', $q$SELECT pg_temp.register('PLAIN', 'KEY')$q$) \g /dev/null
SELECT pg_temp.refused('a table of nobody: ' || c, 'ORA-20807:%', format(c, pg_temp.token('one'))) FROM unnest(ARRAY[
    'CALL "API"."DROP_TABLE"(''one'', %s, 999)', 'CALL "API"."DROP_TABLE"(''one'', %s, NULL)', 'CALL "API"."REFRESH_TABLE"(''one'', %s, 999)',
    'CALL "API"."PLAN_RANGES"(''one'', %s, 999, 4, NULL, NULL)', 'CALL "API"."ASK"(''one'', %s, 999, NULL)']) c \g /dev/null

-- What the miner needs to know.
SELECT pg_temp.expect('paths of the key, for MINE_VALUE', "K1_PATH" = 'APP.KEYED.N' AND "K6_PATH" = 'APP.KEYED.R' AND "K7_PATH" IS NULL AND "KEY_COUNT" = 6)
FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_NAME" = 'KEYED' \g /dev/null
SELECT pg_temp.expect('which tables have LOBs', array_agg("TABLE_NAME" ORDER BY "TABLE_NAME") = '{KEYED,LOB_KEY,WIDE_STRING}')
FROM "ORAPULL"."SOURCE_TABLE" WHERE "HAS_LOB" = 'Y' \g /dev/null
SELECT pg_temp.expect('object numbers of tables and LOB segments', count(*) FILTER (WHERE "OBJECT_KIND" = 'LOB') = 1 AND count(*) FILTER (WHERE "OBJECT_KIND" = 'TABLE') = 1)
FROM "ORAPULL"."SOURCE_OBJECT" WHERE "TABLE_ID" = pg_temp.table_id('KEYED') \g /dev/null

-- PULL_n has the columns of the last registration or refresh, COLUMN_V and SHAPE those of now.
CREATE FUNCTION pg_temp.pull_columns(p_table text) RETURNS text LANGUAGE sql STABLE AS $$
SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = format('"ORAPULL"."PULL_%s"', pg_temp.table_id(p_table))::regclass
$$;
CREATE FUNCTION pg_temp.shape(p_table text) RETURNS text LANGUAGE sql STABLE AS $$
SELECT "SHAPE" FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = p_table
$$;
SELECT pg_temp.shape('PLAIN') AS shape \gset
ALTER TABLE "APP"."PLAIN" ADD COLUMN "Z" numeric(3);
SELECT pg_temp.expect('a column changes SHAPE', pg_temp.shape('PLAIN') <> :'shape'),
       pg_temp.expect('COLUMN_V has the column at once', (SELECT count(*) = 3 FROM "ORAPULL"."COLUMN_V" WHERE "TABLE_ID" = :plain)),
       pg_temp.expect('PULL_n has not: ' || pg_temp.pull_columns('PLAIN'), pg_temp.pull_columns('PLAIN') = 'P$SLOT,P$PORTION,P$PTR,P$PREV,P$ROWID,A,B') \g /dev/null
CALL "API"."REFRESH_TABLE"('one', pg_temp.token('one'), :plain);
SELECT pg_temp.expect('until REFRESH_TABLE', pg_temp.pull_columns('PLAIN') = 'P$SLOT,P$PORTION,P$PTR,P$PREV,P$ROWID,A,B,Z') \g /dev/null
ALTER TABLE "APP"."PLAIN" ADD COLUMN "Y" numeric(3);
SELECT pg_temp.register('PLAIN') \g /dev/null
SELECT pg_temp.expect('or registering again', pg_temp.pull_columns('PLAIN') LIKE '%,A,B,Z,Y') \g /dev/null
SELECT pg_temp.expect('the shape is the same as long as nothing changes', pg_temp.shape('PLAIN') = pg_temp.shape('PLAIN')) \g /dev/null
SELECT pg_temp.shape('PLAIN') AS shape \gset
INSERT INTO "SYS"."DBA_POLICIES" ("OBJECT_OWNER", "OBJECT_NAME", "POLICY_NAME") VALUES ('APP', 'PLAIN', 'HIDES');
SELECT pg_temp.expect('a policy changes SHAPE', pg_temp.shape('PLAIN') <> :'shape') \g /dev/null
SELECT pg_temp.refused('and refuses a refresh', 'ORA-20806: %policy%', format('CALL "API"."REFRESH_TABLE"(''one'', %s, %s)', pg_temp.token('one'), :plain)) \g /dev/null
DELETE FROM "SYS"."DBA_POLICIES";
SELECT pg_temp.expect('without it it is the old one', pg_temp.shape('PLAIN') = :'shape') \g /dev/null
ALTER TABLE "APP"."TWO_KEYS" DROP CONSTRAINT "M_MIDDLE";
SELECT pg_temp.refused('another key is another identity', 'ORA-20806: %not the one it was registered with%',
    format('CALL "API"."REFRESH_TABLE"(''one'', %s, %s)', pg_temp.token('one'), pg_temp.table_id('TWO_KEYS'))) \g /dev/null

-- Several shards share a registration.
SELECT pg_temp.attach('two', 'check', NULL, 0) \g /dev/null
SELECT pg_temp.expect('two shards share a table', pg_temp.register('PLAIN', 'AUTO', 'two') = :plain) \g /dev/null
SELECT pg_temp.refused('the other''s table only', 'ORA-20807:%', format('CALL "API"."DROP_TABLE"(''two'', %s, %s)', pg_temp.token('two'), pg_temp.table_id('KEYED'))) \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), :plain);
SELECT pg_temp.expect('it stays while one wants it', pg_temp.table_id('PLAIN') = :plain) \g /dev/null
CALL "API"."DROP_SHARD"('two', pg_temp.token('two'));
SELECT pg_temp.expect('and is forgotten with the last', pg_temp.table_id('PLAIN') IS NULL AND EXISTS (SELECT FROM "ORAPULL"."FORGOTTEN" WHERE "TABLE_ID" = :plain)) \g /dev/null
CALL "RESOLVER"."DROP_VIEWS"(:plain);
CALL "RESOLVER"."DROP_VIEWS"(:plain);
SELECT pg_temp.expect('its views go in a step of their own', to_regclass('"ORAPULL"."PULL_' || :plain || '"') IS NULL
    AND to_regclass('"ORAPULL"."LOAD_' || :plain || '"') IS NULL AND NOT EXISTS (SELECT FROM "ORAPULL"."FORGOTTEN" WHERE "TABLE_ID" = :plain)) \g /dev/null
SELECT pg_temp.expect('it comes back with another number', pg_temp.register('PLAIN') <> :plain) \g /dev/null

-- Two registrations of one table at the same time: both have made views, one of them counts.
DELETE FROM "ORAPULL"."FORGOTTEN";
CREATE TABLE "APP"."TWICE" ("ID" numeric(10) PRIMARY KEY);
SELECT "TEST"."ADD_ROWID"('APP', 'TWICE') \g /dev/null
SELECT "REGISTRY"."PREPARE"('APP', 'TWICE', 'AUTO') AS first \gset
SELECT "REGISTRY"."PREPARE"('APP', 'TWICE', 'AUTO') AS slower \gset
SELECT pg_temp.expect('the faster one', "REGISTRY"."REGISTER"('one', :first, 'APP', 'TWICE', 'AUTO') = :first) \g /dev/null
SELECT pg_temp.expect('is that of the slower one too', "REGISTRY"."REGISTER"('one', :slower, 'APP', 'TWICE', 'KEY') = :first AND :slower > :first) \g /dev/null
SELECT pg_temp.expect('whose views are to be dropped', array_agg("TABLE_ID") = ARRAY[:slower]::numeric[]) FROM "ORAPULL"."FORGOTTEN" \g /dev/null
SELECT pg_temp.refused('but not with another identity', 'ORA-20810:%', format('SELECT "REGISTRY"."REGISTER"(''one'', %s, ''APP'', ''TWICE'', ''ROWID'')', :slower)) \g /dev/null
SELECT pg_temp.expect('what is registered needs no other number', "REGISTRY"."PREPARE"('APP', 'TWICE', 'AUTO') IS NULL) \g /dev/null
CALL "RESOLVER"."DROP_VIEWS"(:slower);
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), :first);
SELECT pg_temp.refused('nor has one when it was dropped since: its views go', 'ORA-20811:%', $q$SELECT "REGISTRY"."REGISTER"('one', NULL, 'APP', 'TWICE', 'AUTO')$q$) \g /dev/null
CALL "RESOLVER"."DROP_VIEWS"(:first);

-- WAIT_TX until every transaction has ended that was open when the registration had committed.
CREATE FUNCTION pg_temp.settle() RETURNS text LANGUAGE plpgsql AS $$ BEGIN CALL "REGISTRY"."SETTLE"(); RETURN pg_temp.state('PLAIN'); END $$;
INSERT INTO "SYS"."TRANSACTION" ("INST_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN") SELECT 1, 1, 1, 1, "CURRENT_SCN" FROM "SYS"."V$DATABASE";
SELECT pg_temp.expect('no look has been taken', pg_temp.state('PLAIN') = 'WAIT_TX' AND "WAIT_SCN" IS NULL) FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_NAME" = 'PLAIN' \g /dev/null
SELECT pg_temp.expect('the first look only takes the SCN', pg_temp.settle() = 'WAIT_TX') \g /dev/null
SELECT pg_temp.expect('which is later than the registration', "WAIT_SCN" > (SELECT "START_SCN" FROM "SYS"."TRANSACTION")) FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_NAME" = 'PLAIN' \g /dev/null
SELECT pg_temp.expect('an older transaction is open', pg_temp.settle() = 'WAIT_TX') \g /dev/null
UPDATE "SYS"."TRANSACTION" SET "START_SCN" = 0;
SELECT pg_temp.expect('START_SCN 0 means wait', pg_temp.settle() = 'WAIT_TX') \g /dev/null
UPDATE "SYS"."TRANSACTION" SET "START_SCN" = 1, "STATUS" = 'PREPARED';
SELECT pg_temp.expect('one in doubt means wait', pg_temp.settle() = 'WAIT_TX') \g /dev/null
DELETE FROM "SYS"."TRANSACTION";
INSERT INTO "SYS"."TRANSACTION" ("INST_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN") SELECT 1, 2, 2, 2, "CURRENT_SCN" FROM "SYS"."V$DATABASE";
UPDATE "SYS"."V$THREAD" SET "STATUS" = 'OPEN';
INSERT INTO "SYS"."V$THREAD" SELECT (jsonb_populate_record(NULL::"SYS"."V$THREAD", to_jsonb(t) || '{"THREAD#": 2}')).* FROM "SYS"."V$THREAD" t WHERE "THREAD#" = 1;
SELECT pg_temp.expect('an instance that does not answer means wait', pg_temp.settle() = 'WAIT_TX') \g /dev/null
DELETE FROM "SYS"."V$THREAD" WHERE "THREAD#" = 2;
SELECT pg_temp.expect('a younger transaction does not matter', pg_temp.settle() = 'READY') \g /dev/null
DELETE FROM "SYS"."TRANSACTION";
