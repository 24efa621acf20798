-- The table of the benchmarks: 20 columns, some 270 bytes a row.

CREATE FUNCTION "TEST"."BENCH_TABLE"(p_rows int) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    CREATE SCHEMA IF NOT EXISTS "APP";
    DROP TABLE IF EXISTS "APP"."BENCH" CASCADE;
    CREATE TABLE "APP"."BENCH" (
        "ID" numeric(10) NOT NULL, "REGION_ID" numeric(3) NOT NULL, "V01" varchar(40), "V02" varchar(40), "V03" varchar(40), "V04" varchar(40),
        "V05" varchar(20), "V06" varchar(20), "V07" varchar(20), "N01" numeric(10), "N02" numeric(12, 2), "N03" numeric(12, 2),
        "N04" numeric, "N05" numeric(5), "D01" timestamp(0), "D02" timestamp(0), "D03" timestamp(0), "T01" timestamp(6),
        "T02" timestamp(3), "C01" char(4)
    );
    PERFORM "TEST"."ADD_ROWID"('APP', 'BENCH');
    INSERT INTO "APP"."BENCH"
    SELECT i, 1 + i % 20, md5(i::text), md5((i + 1)::text), 'Street ' || i, 'City ' || i % 1000, 'A' || i, 'B' || i, 'C' || i, i,
           i / 8.0, i / 16.0, i / 3.0, i % 1000, d, d, d, d, d, 'ABCD'
    FROM generate_series(1, p_rows) i
    CROSS JOIN LATERAL (SELECT timestamp '2024-01-01' + make_interval(secs => i)) t (d);
    ALTER TABLE "APP"."BENCH" ADD PRIMARY KEY ("ID");
    ANALYZE "APP"."BENCH";
END
$$;
COMMENT ON FUNCTION "TEST"."BENCH_TABLE"(int) IS 'Creates APP.BENCH with so many rows, not captured';

CREATE FUNCTION "TEST"."BENCH_TOUCH"(p_pointers int, p_portions int) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table_id bigint := "TEST"."TABLE_ID"('APP', 'BENCH');
    l_keyed    boolean := (SELECT "IDENTITY" = 'KEY' FROM "ORAPULL"."REGISTERED" WHERE "TABLE_ID" = l_table_id);
    l_scn      bigint;
BEGIN
    -- Before the batch is filled, which the publisher truncates under this lock.
    PERFORM "ORAPULL"."LOCK_SOURCE"();
    IF p_pointers > (SELECT count(*) FROM "APP"."BENCH") THEN
        RAISE EXCEPTION 'APP.BENCH has fewer than % rows', p_pointers;
    END IF;
    WITH chosen AS (
        SELECT "ID" FROM "APP"."BENCH" ORDER BY random() LIMIT p_pointers
    ), touched AS (
        UPDATE "APP"."BENCH" b SET "N03" = coalesce("N03", 0) + 1, "T01" = clock_timestamp(), "V05" = 'A' || "TEST"."BELOW"(1000000)
        FROM chosen c WHERE c."ID" = b."ID"
        RETURNING b."ID", b."ROWID$"
    )
    INSERT INTO "ORAPULL"."BATCH" ("N", "TABLE_ID", "KIND", "ROW_ID", "K1")
    SELECT row_number() OVER (ORDER BY random()), l_table_id, 'R', "ROWID$", CASE WHEN l_keyed THEN trim_scale("ID")::text END
    FROM touched;
    l_scn := "ORAPULL"."LOCK_SOURCE"();
    RETURN "ORAPULL"."PUBLISH_BATCH"(((p_pointers + p_portions - 1) / p_portions), l_scn, true);
END
$$;
COMMENT ON FUNCTION "TEST"."BENCH_TOUCH"(int, int)
    IS 'Updates so many random rows and publishes them in so many portions';

CREATE FUNCTION "TEST"."BENCH_TOUCH_AGAIN"(p_rows int, p_times int) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table_id bigint := "TEST"."TABLE_ID"('APP', 'BENCH');
    l_step     bigint := (SELECT count(*) / p_rows FROM "APP"."BENCH");
BEGIN
    UPDATE "APP"."BENCH" SET "N03" = coalesce("N03", 0) + 1, "T01" = clock_timestamp()
    WHERE "ID" % l_step = 0 AND "ID" <= p_rows * l_step;
    FOR l_time IN 1 .. p_times LOOP
        PERFORM "ORAPULL"."LOCK_SOURCE"();
        INSERT INTO "ORAPULL"."BATCH" ("N", "TABLE_ID", "KIND", "ROW_ID", "K1")
        SELECT row_number() OVER (ORDER BY random()), l_table_id, 'R', "ROWID$", trim_scale("ID")::text
        FROM "APP"."BENCH"
        WHERE "ID" % l_step = 0 AND "ID" <= p_rows * l_step;
        PERFORM "ORAPULL"."PUBLISH_BATCH"(p_rows, "ORAPULL"."LOCK_SOURCE"(), true);
    END LOOP;
END
$$;
COMMENT ON FUNCTION "TEST"."BENCH_TOUCH_AGAIN"(int, int)
    IS 'Updates so many rows, spread over the table, and publishes so many portions that each name all of them';
