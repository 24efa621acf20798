-- Package API, part 2: registered tables and plans of loads.

CREATE FUNCTION "ORAPULL"."CHECK_TABLE"(p_shard text, p_table_id bigint) RETURNS "ORAPULL"."REGISTERED"
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    r "ORAPULL"."REGISTERED"%ROWTYPE;
BEGIN
    SELECT t.* INTO r
    FROM "ORAPULL"."REGISTERED" t JOIN "ORAPULL"."SUBSCRIPTION" s ON s."TABLE_ID" = t."TABLE_ID"
    WHERE s."SHARD" = p_shard AND s."TABLE_ID" = p_table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ORA-20807: shard "%" has registered no table with number %', p_shard, coalesce(p_table_id::text, 'NULL');
    END IF;
    RETURN r;
END
$$;
COMMENT ON FUNCTION "ORAPULL"."CHECK_TABLE"(text, bigint) IS 'The registered table, or ORA-20807';

CREATE FUNCTION "ORAPULL"."CHOOSE_IDENTITY"(
    p_table text, p_relation oid, p_wanted text, OUT "IDENTITY" text, OUT "KEY_COLUMNS" text[]
)
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog
AS $$
BEGIN
    IF p_wanted IS NULL OR p_wanted NOT IN ('AUTO', 'KEY', 'ROWID') THEN
        RAISE EXCEPTION 'ORA-20806: table %: identity "%" is none of AUTO, KEY, ROWID', p_table, p_wanted;
    END IF;
    "KEY_COLUMNS" := CASE WHEN p_wanted <> 'ROWID' THEN "ORAPULL"."KEY_COLUMNS"(p_relation) END;
    IF p_wanted = 'KEY' AND "KEY_COLUMNS" IS NULL THEN
        RAISE EXCEPTION 'ORA-20806: table %: no primary key, and no unique key over NOT NULL columns, of at most 8 columns'
            ' of types NUMBER, VARCHAR2, CHAR, DATE, TIMESTAMP, RAW; register it with identity ROWID', p_table;
    END IF;
    "IDENTITY" := CASE WHEN "KEY_COLUMNS" IS NULL THEN 'ROWID' ELSE 'KEY' END;
    "KEY_COLUMNS" := coalesce("KEY_COLUMNS", '{}');
END
$$;
COMMENT ON FUNCTION "ORAPULL"."CHOOSE_IDENTITY"(text, oid, text)
    IS 'What identifies the rows of a table that is registered anew';

CREATE FUNCTION "ORAPULL"."REFRESH"(p_table_id bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_columns text[];
BEGIN
    SELECT array_agg(c."COLUMN_NAME" ORDER BY c."POSITION") INTO l_columns
    FROM "ORAPULL"."COLUMN_V" c WHERE c."TABLE_ID" = p_table_id;
    UPDATE "ORAPULL"."REGISTERED" SET "PULL_COLUMNS" = l_columns WHERE "TABLE_ID" = p_table_id;
    PERFORM "ORAPULL"."DROP_RESOLVERS"(p_table_id);
    PERFORM "ORAPULL"."CREATE_RESOLVERS"(p_table_id);
END
$$;
COMMENT ON FUNCTION "ORAPULL"."REFRESH"(bigint) IS 'Makes PULL_n and LOAD_n anew, of the columns the table has now';

CREATE FUNCTION "API"."REGISTER_TABLE"(
    "P_SHARD" text, "P_TOKEN" bigint, "P_OWNER" text, "P_TABLE" text, "P_IDENTITY" text, OUT "P_TABLE_ID" bigint
)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    c_table CONSTANT text := format('"%s"."%s"', "P_OWNER", "P_TABLE");
    l_relation oid := (
        SELECT "RELATION" FROM "ORAPULL"."DICTIONARY" WHERE "OWNER" = "P_OWNER" AND "TABLE_NAME" = "P_TABLE" AND "POSITION" = 1
    );
    l_reason   text := "ORAPULL"."REFUSAL"(l_relation);
    r          "ORAPULL"."REGISTERED"%ROWTYPE;
BEGIN
    PERFORM FROM "ORAPULL"."SOURCE" FOR UPDATE;
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    IF l_reason IS NOT NULL THEN
        RAISE EXCEPTION 'ORA-20806: table %: %', c_table, l_reason;
    END IF;
    SELECT * INTO r FROM "ORAPULL"."REGISTERED" WHERE "OWNER" = "P_OWNER" AND "TABLE_NAME" = "P_TABLE";
    IF NOT FOUND THEN
        INSERT INTO "ORAPULL"."REGISTERED" ("OWNER", "TABLE_NAME", "RELATION", "IDENTITY", "KEY_COLUMNS", "PULL_COLUMNS")
        SELECT "P_OWNER", "P_TABLE", l_relation, i."IDENTITY", i."KEY_COLUMNS", '{}'
        FROM "ORAPULL"."CHOOSE_IDENTITY"(c_table, l_relation, "P_IDENTITY") i
        RETURNING * INTO r;
    ELSIF r."IDENTITY" <> "P_IDENTITY" AND "P_IDENTITY" <> 'AUTO' THEN
        RAISE EXCEPTION 'ORA-20810: table % is registered with identity %', c_table, r."IDENTITY";
    END IF;
    IF r."PULL_COLUMNS" <> (
        SELECT array_agg(c."COLUMN_NAME" ORDER BY c."POSITION") FROM "ORAPULL"."COLUMN_V" c WHERE c."TABLE_ID" = r."TABLE_ID"
    ) THEN
        PERFORM "ORAPULL"."REFRESH"(r."TABLE_ID");
    END IF;
    INSERT INTO "ORAPULL"."SUBSCRIPTION" ("SHARD", "TABLE_ID") VALUES ("P_SHARD", r."TABLE_ID") ON CONFLICT DO NOTHING;
    "P_TABLE_ID" := r."TABLE_ID";
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."REGISTER_TABLE"(text, bigint, text, text, text)
    IS 'Subscribes the shard to a table; idempotent';

CREATE FUNCTION "API"."DROP_TABLE"("P_SHARD" text, "P_TOKEN" bigint, "P_TABLE_ID" bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM FROM "ORAPULL"."SOURCE" FOR UPDATE;
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    PERFORM "ORAPULL"."CHECK_TABLE"("P_SHARD", "P_TABLE_ID");
    PERFORM "ORAPULL"."DROP_REQUESTS"("P_SHARD", "P_TABLE_ID");
    DELETE FROM "ORAPULL"."SUBSCRIPTION" WHERE "SHARD" = "P_SHARD" AND "TABLE_ID" = "P_TABLE_ID";
    PERFORM "ORAPULL"."FORGET_UNWANTED_TABLES"();
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."DROP_TABLE"(text, bigint, bigint) IS 'Unsubscribes the shard from a table';

CREATE FUNCTION "API"."REFRESH_TABLE"("P_SHARD" text, "P_TOKEN" bigint, "P_TABLE_ID" bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    r        "ORAPULL"."REGISTERED"%ROWTYPE;
    l_reason text;
BEGIN
    PERFORM FROM "ORAPULL"."SOURCE" FOR UPDATE;
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    r := "ORAPULL"."CHECK_TABLE"("P_SHARD", "P_TABLE_ID");
    l_reason := "ORAPULL"."REFUSAL"(r."RELATION");
    IF l_reason IS NOT NULL THEN
        RAISE EXCEPTION 'ORA-20806: table "%"."%": %', r."OWNER", r."TABLE_NAME", l_reason;
    END IF;
    PERFORM "ORAPULL"."REFRESH"("P_TABLE_ID");
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."REFRESH_TABLE"(text, bigint, bigint) IS 'Makes PULL_n anew after DDL';

CREATE FUNCTION "API"."PLAN_RANGES"(
    "P_SHARD" text, "P_TOKEN" bigint, "P_TABLE_ID" bigint, "P_CHUNKS" bigint,
    OUT "P_PLAN_ID" bigint, OUT "P_CHUNK_COUNT" bigint
)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    r "ORAPULL"."REGISTERED"%ROWTYPE;
    c_after_all CONSTANT text := U&'\+10FFFF';
BEGIN
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    r := "ORAPULL"."CHECK_TABLE"("P_SHARD", "P_TABLE_ID");
    INSERT INTO "ORAPULL"."PLAN" ("SHARD", "TABLE_ID") VALUES ("P_SHARD", "P_TABLE_ID") RETURNING "PLAN_ID" INTO "P_PLAN_ID";
    EXECUTE format(
        'INSERT INTO "ORAPULL"."PLAN_RANGE" ("PLAN_ID", "CHUNK", "LOW", "HIGH")
         SELECT $1, c.chunk, CASE c.chunk WHEN 1 THEN '''' ELSE c.low END, coalesce(lead(c.low) OVER (ORDER BY c.chunk), $3)
         FROM (
             SELECT t.chunk, min(t."ROWID$") AS low
             FROM (SELECT "ROWID$", ntile($2) OVER (ORDER BY "ROWID$") AS chunk FROM %I.%I) t
             GROUP BY t.chunk
         ) c', r."OWNER", r."TABLE_NAME"
    ) USING "P_PLAN_ID", greatest(coalesce("P_CHUNKS", 1), 1)::int, c_after_all;
    GET DIAGNOSTICS "P_CHUNK_COUNT" = ROW_COUNT;
    -- Rows may come into an empty table until the range is read.
    IF "P_CHUNK_COUNT" = 0 THEN
        INSERT INTO "ORAPULL"."PLAN_RANGE" ("PLAN_ID", "CHUNK", "LOW", "HIGH") VALUES ("P_PLAN_ID", 1, '', c_after_all);
        "P_CHUNK_COUNT" := 1;
    END IF;
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."PLAN_RANGES"(text, bigint, bigint, bigint) IS 'Cuts a table into ranges of about equal size';
