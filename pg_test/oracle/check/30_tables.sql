-- Registration, identity, plans.
CREATE TABLE "APP"."KEYED" (
    "N" numeric(12, 2), "V" varchar(20), "C" char(4), "D" timestamp(0), "T" timestamp(3), "R" bytea, "X" text,
    PRIMARY KEY ("N", "V", "C", "D", "T", "R")
);
CREATE TABLE "APP"."UNIQUE_KEY" ("A" numeric(5) NOT NULL UNIQUE, "B" numeric(5) UNIQUE);
CREATE TABLE "APP"."LOB_KEY" ("A" text PRIMARY KEY);
CREATE TABLE "APP"."PLAIN" ("A" numeric(5), "B" varchar(10));
SELECT "TEST"."ADD_ROWID"('APP', t) FROM unnest('{KEYED,UNIQUE_KEY,LOB_KEY,PLAIN}'::text[]) t \g /dev/null
INSERT INTO "ORAPULL"."TYPE_OVERRIDE" VALUES ('APP', 'KEYED', 'R', 'RAW', 16, 0, NULL, NULL);

DO $$
DECLARE
    l_id bigint := pg_temp.register('PLAIN', 'AUTO');
    l_shape text;
BEGIN
    PERFORM pg_temp.expect('no key: ROWID', (SELECT "IDENTITY" = 'ROWID' FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id));
    PERFORM pg_temp.expect('registering is idempotent', pg_temp.register('PLAIN', 'AUTO') = l_id AND pg_temp.register('PLAIN', 'ROWID') = l_id);
    PERFORM pg_temp.refused('another identity', 'ORA-20810:%', $q$SELECT pg_temp.register('PLAIN', 'KEY')$q$);
    PERFORM pg_temp.refused('KEY without a key', 'ORA-20806:%no primary key%', $q$SELECT pg_temp.register('LOB_KEY', 'KEY')$q$);
    PERFORM pg_temp.register('LOB_KEY', 'AUTO');
    PERFORM pg_temp.expect('a key of a LOB is none',
        (SELECT "IDENTITY" = 'ROWID' FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = 'LOB_KEY'));
    PERFORM pg_temp.register('UNIQUE_KEY', 'KEY');
    PERFORM pg_temp.expect('only a unique key over NOT NULL columns is one', (
        SELECT array_agg("COLUMN_NAME") = '{A}' FROM "ORAPULL"."COLUMN_V"
        WHERE "TABLE_ID" = "TEST"."TABLE_ID"('APP', 'UNIQUE_KEY') AND "KEY_POSITION" IS NOT NULL));
    PERFORM pg_temp.register('KEYED', 'AUTO');
    PERFORM pg_temp.refused('a table of nobody', 'ORA-20807:%', format('SELECT "API"."DROP_TABLE"(''one'', %s, 999)', pg_temp.token('one')));

    SELECT "SHAPE" INTO l_shape FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id;
    PERFORM "TEST"."RESHAPE"('APP', 'PLAIN');
    PERFORM pg_temp.expect('RESHAPE changes SHAPE', (SELECT "SHAPE" <> l_shape FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id));
    SELECT "SHAPE" INTO l_shape FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id;
    PERFORM "TEST"."ALTER"('APP', 'PLAIN', 'ADD COLUMN "Z" numeric(3)');
    PERFORM pg_temp.expect('so does a column', (SELECT "SHAPE" <> l_shape FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id));
    PERFORM pg_temp.expect('COLUMN_V has the column at once', (SELECT count(*) = 3 FROM "ORAPULL"."COLUMN_V" WHERE "TABLE_ID" = l_id));
    PERFORM pg_temp.expect('PULL_n has not', (
        SELECT count(*) = 7 FROM pg_attribute WHERE attrelid = format('"ORAPULL".%I', 'PULL_' || l_id)::regclass));
    PERFORM "API"."REFRESH_TABLE"('one', pg_temp.token('one'), l_id);
    PERFORM pg_temp.expect('until REFRESH_TABLE', (
        SELECT count(*) = 8 FROM pg_attribute WHERE attrelid = format('"ORAPULL".%I', 'PULL_' || l_id)::regclass));
    PERFORM "TEST"."ALTER"('APP', 'PLAIN', 'DROP COLUMN "Z"');
    PERFORM pg_temp.expect('PULL_n is invalid when a column is gone', to_regclass(format('"ORAPULL".%I', 'PULL_' || l_id)) IS NULL);
    PERFORM "API"."REFRESH_TABLE"('one', pg_temp.token('one'), l_id);

    PERFORM "TEST"."SET_TABLE_STATE"('APP', 'PLAIN', 'REFUSED', 'because');
    PERFORM pg_temp.expect('a test decides on STATE', (
        SELECT "STATE" = 'REFUSED' AND "STATE_DETAIL" = 'because' FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id));
    PERFORM "TEST"."SET_TABLE_STATE"('APP', 'PLAIN', NULL);
END
$$;

-- Several shards share a registration.
DO $$
DECLARE
    l_id bigint := "TEST"."TABLE_ID"('APP', 'PLAIN');
BEGIN
    PERFORM "API"."ATTACH"('two', 'check', NULL, 0);
    PERFORM pg_temp.expect('two shards share a table',
        "API"."REGISTER_TABLE"('two', pg_temp.token('two'), 'APP', 'PLAIN', 'AUTO') = l_id);
    PERFORM "API"."DROP_TABLE"('one', pg_temp.token('one'), l_id);
    PERFORM pg_temp.expect('it stays while one wants it', EXISTS (SELECT FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id));
    PERFORM "API"."DROP_SHARD"('two', pg_temp.token('two'));
    PERFORM pg_temp.expect('and is forgotten with the last', NOT EXISTS (SELECT FROM "ORAPULL"."TABLE_V" WHERE "TABLE_ID" = l_id)
        AND to_regclass(format('"ORAPULL".%I', 'LOAD_' || l_id)) IS NULL);
    PERFORM pg_temp.expect('it comes back with another number', pg_temp.register('PLAIN', 'AUTO') <> l_id);
END
$$;

-- WAIT_TX lasts as long as a transaction that was open at registration.
SELECT pg_temp.second_session(:'second') \g /dev/null
SELECT "TEST".dblink_exec('second', 'BEGIN'), "TEST".dblink_exec('second', 'INSERT INTO "APP"."PLAIN" VALUES (1)') \g /dev/null
SELECT "API"."DROP_TABLE"('one', pg_temp.token('one'), "TEST"."TABLE_ID"('APP', 'UNIQUE_KEY')) \g /dev/null
SELECT pg_temp.register('UNIQUE_KEY', 'AUTO') \g /dev/null
SELECT pg_temp.expect('WAIT_TX while a transaction is open', "STATE" = 'WAIT_TX')
FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = 'UNIQUE_KEY' \g /dev/null
SELECT "TEST".dblink_exec('second', 'COMMIT') \g /dev/null
SELECT pg_temp.expect('READY when it has ended', "STATE" = 'READY')
FROM "ORAPULL"."TABLE_V" WHERE "TABLE_NAME" = 'UNIQUE_KEY' \g /dev/null

-- Plans.
INSERT INTO "APP"."PLAIN" SELECT i % 90000, 'r' || i FROM generate_series(1, 10000) i;
DO $$
DECLARE
    l_id bigint := "TEST"."TABLE_ID"('APP', 'PLAIN');
    l_plan record := "API"."PLAN_RANGES"('one', pg_temp.token('one'), l_id, 7);
    l_empty record := "API"."PLAN_RANGES"('one', pg_temp.token('one'), "TEST"."TABLE_ID"('APP', 'LOB_KEY'), 7);
    l_read record;
BEGIN
    INSERT INTO "APP"."PLAIN" ("A", "ROWID$") VALUES (1, 'AAAAAAAAAAAAAAAAAA'), (2, 'zzzzzzzzzzzzzzzzzz');
    INSERT INTO "APP"."LOB_KEY" VALUES ('late');
    EXECUTE format('SELECT count(*) AS rows, count(DISTINCT "P$CHUNK") AS chunks, min(n) AS least, max(n) AS most
                    FROM (SELECT "P$CHUNK", "P$ROWID", count(*) OVER (PARTITION BY "P$CHUNK") AS n
                          FROM "ORAPULL"."LOAD_%s" WHERE "P$PLAN" = $1) c', l_id)
    INTO l_read USING l_plan."P_PLAN_ID";
    PERFORM pg_temp.expect('the ranges cover every row once, of about equal size, open at both ends: ' || l_read::text,
        l_plan."P_CHUNK_COUNT" = 7 AND l_read.rows = 10003 AND l_read.chunks = 7 AND l_read.most - l_read.least < 10);
    EXECUTE format('SELECT count(*) AS rows FROM "ORAPULL"."LOAD_%s" WHERE "P$PLAN" = $1', "TEST"."TABLE_ID"('APP', 'LOB_KEY'))
    INTO l_read USING l_empty."P_PLAN_ID";
    PERFORM pg_temp.expect('an empty table is one chunk', l_empty."P_CHUNK_COUNT" = 1 AND l_read.rows = 1);
    DELETE FROM "ORAPULL"."PLAN" WHERE "PLAN_ID" = l_plan."P_PLAN_ID";
    EXECUTE format('SELECT count(*) AS rows FROM "ORAPULL"."LOAD_%s" WHERE "P$PLAN" = $1', l_id) INTO l_read USING l_plan."P_PLAN_ID";
    PERFORM pg_temp.expect('an unknown plan has no rows', l_read.rows = 0);
END
$$;
