-- Plans of loads: every row is in exactly one range, whatever comes after the plan.
SELECT pg_temp.expect('digits of a ROWID are those of DBMS_ROWID: ' || o || '.' || f || '.' || b || '.' || r,
    "LOADS"."ROWID_AT"(o, f * 4194304::numeric + b, r) = "DBMS_ROWID"."ROWID_CREATE"(1, o, f, b, r))
FROM (VALUES (0, 0, 0, 0), (73421, 7, 128, 5), (4294967295, 1023, 4194303, 65535), (1, 1, 63, 64)) v (o, f, b, r) \g /dev/null
SELECT pg_temp.expect('LIVE_SEGMENT_V too: ' || "ROWID_PREFIX", "ROWID_PREFIX" = left("DBMS_ROWID"."ROWID_CREATE"(1, "DATA_OBJECT_ID", 1, 1, 1), 6))
FROM "ORAPULL"."LIVE_SEGMENT_V" \g /dev/null

CREATE FUNCTION pg_temp.plan(p_table text, p_chunks numeric, OUT plan_id numeric, OUT chunks numeric) LANGUAGE plpgsql AS $$
BEGIN
    CALL "API"."PLAN_RANGES"('one', pg_temp.token('one'), pg_temp.table_id(p_table), p_chunks, plan_id, chunks);
END
$$;
-- What LOAD_n returns of a plan: rows, chunks with rows, rows in the smallest and the largest of them, rows that are read twice.
CREATE FUNCTION pg_temp.load(p_table text, p_row_key text, p_plan numeric, OUT rows bigint, OUT chunks bigint, OUT fewest bigint, OUT most bigint, OUT twice bigint)
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'SELECT coalesce(sum(n), 0), count(*), min(n), max(n), (SELECT count(*) FROM (SELECT %2$I FROM "ORAPULL"."LOAD_%1$s" WHERE "P$PLAN" = $1 GROUP BY 1 HAVING count(*) > 1) d)
         FROM (SELECT "P$CHUNK", count(*) AS n FROM "ORAPULL"."LOAD_%1$s" WHERE "P$PLAN" = $1 GROUP BY 1) c', pg_temp.table_id(p_table), p_row_key)
    INTO rows, chunks, fewest, most, twice USING p_plan;
END
$$;
TRUNCATE "APP"."PLAIN";
INSERT INTO "APP"."PLAIN" ("A") SELECT i % 90000 FROM generate_series(1, 20000) i;
SELECT * FROM pg_temp.plan('PLAIN', 7) \gset
SELECT pg_temp.expect('as many chunks as were asked', :chunks = 7),
       pg_temp.expect('PLAN_V knows it', (SELECT "CHUNKS" = 7 AND "TABLE_ID" = pg_temp.table_id('PLAIN') FROM "ORAPULL"."PLAN_V" WHERE "PLAN_ID" = :plan_id)) \g /dev/null
SELECT pg_temp.expect('every row once, in parts of about equal size: ' || l, l.rows = 20000 AND l.chunks = 7 AND l.twice = 0 AND l.most < 3 * l.fewest) FROM pg_temp.load('PLAIN', 'P$ROWID', :plan_id) l \g /dev/null
INSERT INTO "APP"."PLAIN" ("A") SELECT i FROM generate_series(1, 10000) i;
INSERT INTO "APP"."PLAIN" ("A", "ROWID$") SELECT 1, left("ROWID$", 6) || 'AABAAAAAAAAA' FROM "APP"."PLAIN" LIMIT 1;
SELECT pg_temp.expect('rows that come later, before, behind and between: ' || l, l.rows = 30001 AND l.twice = 0) FROM pg_temp.load('PLAIN', 'P$ROWID', :plan_id) l \g /dev/null
SELECT pg_temp.expect('more chunks than blocks', p.chunks > 100) FROM pg_temp.plan('PLAIN', 1000) p \g /dev/null
SELECT pg_temp.expect('asked for ' || coalesce(n::text, 'NULL') || ' chunks', p.chunks = 1) FROM unnest('{0,-3,NULL,1}'::numeric[]) n CROSS JOIN LATERAL pg_temp.plan('PLAIN', n) p \g /dev/null
ALTER TABLE "APP"."PLAIN" SET UNLOGGED;
ALTER TABLE "APP"."PLAIN" SET LOGGED;
SELECT pg_temp.expect('a MOVE makes a plan unknown: its ranges are of another segment', NOT EXISTS (SELECT FROM "ORAPULL"."PLAN_V" WHERE "PLAN_ID" = :plan_id)) \g /dev/null
DELETE FROM "ORAPULL"."LOAD_PLAN" WHERE "PLAN_ID" = :plan_id;
SELECT pg_temp.expect('an unknown plan has no rows', l.rows = 0) FROM pg_temp.load('PLAIN', 'P$ROWID', :plan_id) l \g /dev/null

SELECT * FROM pg_temp.plan('LOB_KEY', 7) \gset
INSERT INTO "APP"."LOB_KEY" VALUES ('late');
SELECT pg_temp.expect('an empty table is one chunk: ' || :chunks, :chunks = 1 AND l.rows = 1) FROM pg_temp.load('LOB_KEY', 'P$ROWID', :plan_id) l \g /dev/null

-- Each partition has a range of its own at least, an empty one too.
CREATE TABLE "APP"."PARTED_3" PARTITION OF "APP"."PARTED" FOR VALUES FROM (200) TO (300);
INSERT INTO "APP"."PARTED" SELECT i, 'x' FROM generate_series(2, 99) i;
SELECT * FROM pg_temp.plan('PARTED', 1) \gset
INSERT INTO "APP"."PARTED" VALUES (222, 'late');
SELECT pg_temp.expect('all partitions: ' || l, :chunks = 3 AND l.rows = (SELECT count(*) FROM "APP"."PARTED" WHERE left("ROWID$", 6) <> left(:'moved', 6)) AND l.twice = 0)
FROM pg_temp.load('PARTED', 'P$ROWID', :plan_id) l \g /dev/null

-- Index-organized tables by ranges of their first key column, open at both ends.
CREATE TABLE "APP"."IOT_DATE" ("D" timestamp(0), "N" numeric(10), "X" text, PRIMARY KEY ("D", "N"));
SELECT "TEST"."ADD_ROWID"('APP', 'IOT_DATE'), "TEST"."SAY"('IOT_DATE', '{"IOT_TYPE": "IOT"}') \g /dev/null
SELECT pg_temp.register('IOT_DATE') \g /dev/null
SELECT * FROM pg_temp.plan('IOT_DATE', 4) \gset
SELECT pg_temp.expect('an empty one is one chunk', :chunks = 1) \g /dev/null
INSERT INTO "APP"."IOT_DATE" SELECT timestamp '2024-01-01' + i / 10 * interval '1 day', i, 'x' FROM generate_series(1, 1000) i;
SELECT pg_temp.expect('and has what comes', l.rows = 1000) FROM pg_temp.load('IOT_DATE', 'N', :plan_id) l \g /dev/null
SELECT * FROM pg_temp.plan('IOT_DATE', 4) \gset
SELECT pg_temp.expect('every row once: ' || l, :chunks = 4 AND l.rows = 1000 AND l.twice = 0 AND l.chunks = 4 AND l.most - l.fewest < 50) FROM pg_temp.load('IOT_DATE', 'N', :plan_id) l \g /dev/null
INSERT INTO "APP"."IOT_DATE" VALUES ('1999-12-31 23:59:59', 2001, 'before'), ('2099-01-01', 2002, 'behind');
SELECT pg_temp.expect('open at both ends: ' || l, l.rows = 1002 AND l.twice = 0) FROM pg_temp.load('IOT_DATE', 'N', :plan_id) l \g /dev/null
INSERT INTO "APP"."IOT" SELECT i, 'x' FROM generate_series(3, 100) i;
SELECT * FROM pg_temp.plan('IOT', 200) \gset
SELECT pg_temp.expect('no more chunks than keys: ' || :chunks || ', ' || l, :chunks = 100 AND l.rows = 100 AND l.twice = 0) FROM pg_temp.load('IOT', 'ID', :plan_id) l \g /dev/null
DELETE FROM "APP"."IOT";
SELECT pg_temp.expect('nothing of an emptied one', l.rows = 0) FROM pg_temp.load('IOT', 'ID', :plan_id) l \g /dev/null

-- A plan ends with its subscription.
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('IOT'));
SELECT pg_temp.expect('the plan is unknown', NOT EXISTS (SELECT FROM "ORAPULL"."PLAN_V" WHERE "PLAN_ID" = :plan_id)) \g /dev/null
