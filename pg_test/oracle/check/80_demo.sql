-- The demo: following the pointers makes a copy equal, whatever the workload did.
DROP TABLE "APP"."TYPES", "APP"."KEYED", "APP"."UNIQUE_KEY", "APP"."LOB_KEY", "APP"."MANY" CASCADE;
SELECT "TEST"."CREATE_DEMO"(2000) \g /dev/null
SELECT pg_temp.register(t, 'AUTO') FROM unnest('{CUSTOMERS,ORDER_LINES,MOVEMENTS,DOCUMENTS,WIDE,EMPLOYEES,COUNTERS}'::text[]) t \g /dev/null

CREATE FUNCTION pg_temp.demo_tables() RETURNS TABLE (name text, pull text, row_key text) LANGUAGE sql AS $$
SELECT r."TABLE_NAME", 'PULL_' || r."TABLE_ID", CASE r."IDENTITY" WHEN 'ROWID' THEN '"ROWID$"' ELSE (
           SELECT string_agg(format('%I::text', k), ' || ''/'' || ' ORDER BY n) FROM unnest(r."KEY_COLUMNS") WITH ORDINALITY u (k, n)) END
FROM "ORAPULL"."REGISTERED" r WHERE r."TABLE_NAME" <> 'PLAIN'
$$;

SELECT format('CREATE TABLE "TEST".%I AS SELECT *, %s AS identity FROM "APP".%1$I', name, row_key) FROM pg_temp.demo_tables() \gexec
DO $$
DECLARE
    l_changes int := 0;
BEGIN
    FOR i IN 1 .. 20 LOOP
        l_changes := l_changes + "TEST"."WORK"(i, 200);
        PERFORM "TEST"."PUBLISH_COMMITTED"(1000);
    END LOOP;
    PERFORM pg_temp.expect('the workload changes rows', l_changes > 3000);
END
$$;

-- Delete every pointed identity, insert what the pointers resolve to.
DO $$
DECLARE
    t       record;
    l_equal boolean;
    l_batch text := (SELECT format('"P$SLOT" > 0 AND "P$PORTION" > %s AND "P$PREV" <= %1$s', "ACKED_PORTION")
                     FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'one');
BEGIN
    FOR t IN SELECT * FROM pg_temp.demo_tables() LOOP
        EXECUTE format(
            'DELETE FROM "TEST".%1$I c USING "ORAPULL"."POINTER_V" p
             WHERE %2$s AND p."TABLE_ID" = "TEST"."TABLE_ID"(''APP'', %1$L) AND c.identity = %3$s',
            t.name, l_batch, CASE t.row_key WHEN '"ROWID$"' THEN 'p."ROW_ID"' ELSE 'concat_ws(''/'', p."K1", p."K2")' END);
        EXECUTE format(
            'INSERT INTO "TEST".%1$I
             SELECT DISTINCT ON (i.identity) t.*, i.identity FROM "APP".%1$I t CROSS JOIN LATERAL (SELECT %3$s AS identity) i
             WHERE t."ROWID$" IN (SELECT "P$ROWID" FROM "ORAPULL".%2$I WHERE %4$s)
               AND NOT EXISTS (SELECT FROM "TEST".%1$I c WHERE c.identity = i.identity)',
            t.name, t.pull, t.row_key, l_batch);
        EXECUTE format(
            'SELECT NOT EXISTS (SELECT *, %2$s FROM "APP".%1$I EXCEPT ALL SELECT * FROM "TEST".%1$I)
                AND NOT EXISTS (SELECT * FROM "TEST".%1$I EXCEPT ALL SELECT *, %2$s FROM "APP".%1$I)', t.name, t.row_key) INTO l_equal;
        PERFORM pg_temp.expect('the copy of ' || t.name || ' is equal', l_equal);
    END LOOP;
END
$$;
SELECT format('DROP TABLE "TEST".%I', name) FROM pg_temp.demo_tables() \gexec

DO $$
BEGIN
    PERFORM pg_temp.expect('region ids are between 1 and 20', (
        SELECT min(r) >= 1 AND max(r) <= 20
        FROM (SELECT "REGION_ID" FROM "APP"."CUSTOMERS" UNION SELECT "REGION_ID" FROM "APP"."MOVEMENTS") t (r)));
    PERFORM pg_temp.expect('no empty varchar, but empty CLOBs', NOT EXISTS (SELECT FROM "APP"."CUSTOMERS" WHERE '' IN ("FIRST_NAME", "REMARK", "STATUS"))
        AND EXISTS (SELECT FROM "APP"."DOCUMENTS" WHERE "BODY" = '') AND EXISTS (SELECT FROM "APP"."DOCUMENTS" WHERE "BODY" IS NULL)
        AND EXISTS (SELECT FROM "APP"."DOCUMENTS" WHERE length("BODY") > 100000));
    PERFORM pg_temp.expect('WIDE has 60 columns', (SELECT count(*) = 60 FROM "ORAPULL"."DICTIONARY" WHERE "TABLE_NAME" = 'WIDE'));

    PERFORM "TEST"."BENCH_TABLE"(5000);
    PERFORM pg_temp.register('BENCH', 'AUTO');
    PERFORM pg_temp.expect('BENCH_TOUCH makes the portions it is asked for', "TEST"."BENCH_TOUCH"(1000, 4) = 4);
    PERFORM pg_temp.expect('of rows that exist', (
        SELECT sum("POINTERS") = 1000 FROM "ORAPULL"."PORTION_TABLE_V" WHERE "TABLE_ID" = "TEST"."TABLE_ID"('APP', 'BENCH')));
END
$$;
SELECT "TEST".dblink_disconnect('second') \g /dev/null
