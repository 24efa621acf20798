-- PULL_n and LOAD_n: pointers and ranges joined with the live rows of one table.

CREATE FUNCTION "ORAPULL"."KEY_TEXT"(p_relation oid, p_column text, p_row text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path = pg_catalog
AS $$
SELECT format(
    CASE
        WHEN d."TYPE" = 'numeric'::regtype THEN 'trim_scale(%1$s)::text'
        WHEN d."TYPE" = 'bpchar'::regtype THEN 'rpad(%1$s, %3$s)'
        WHEN d."TYPE" = 'bytea'::regtype THEN 'upper(encode(%1$s, ''hex''))'
        WHEN d."DATA_TYPE" LIKE 'TIMESTAMP%%' AND d."DATA_SCALE" > 0
            THEN 'to_char(%1$s, ''YYYY-MM-DD HH24:MI:SS.FF%2$s'')'
        WHEN d."TYPE" = 'timestamp'::regtype THEN 'to_char(%1$s, ''YYYY-MM-DD HH24:MI:SS'')'
        ELSE '%1$s::text'
    END,
    format('%s.%I', p_row, d."COLUMN_NAME"), d."DATA_SCALE", d."CHAR_LENGTH"
)
FROM "ORAPULL"."DICTIONARY" d
WHERE d."RELATION" = p_relation AND d."COLUMN_NAME" = p_column
$$;
COMMENT ON FUNCTION "ORAPULL"."KEY_TEXT"(oid, text, text)
    IS 'Expression that turns a key column into its canonical text';

CREATE FUNCTION "ORAPULL"."KEY_VALUE"(p_relation oid, p_column text, p_text text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path = pg_catalog
AS $$
SELECT format(
    CASE
        WHEN d."TYPE" = 'numeric'::regtype THEN '%1$s::pg_catalog.numeric'
        WHEN d."TYPE" = 'bpchar'::regtype THEN '%1$s::pg_catalog.bpchar COLLATE %2$s'
        WHEN d."TYPE" = 'bytea'::regtype THEN 'pg_catalog.decode(%1$s, ''hex'')'
        WHEN d."TYPE" = 'timestamp'::regtype THEN '%1$s::pg_catalog.timestamp'
        ELSE '%1$s COLLATE %2$s'
    END,
    p_text,
    (SELECT format('%I.%I', n.nspname, c.collname)
     FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace WHERE c.oid = d."COLLATION")
)
FROM "ORAPULL"."DICTIONARY" d
WHERE d."RELATION" = p_relation AND d."COLUMN_NAME" = p_column
$$;
COMMENT ON FUNCTION "ORAPULL"."KEY_VALUE"(oid, text, text)
    IS 'Expression that turns canonical text into a value; it raises, it never yields NULL';

CREATE FUNCTION "ORAPULL"."DROP_RESOLVERS"(p_table_id bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
    SET client_min_messages = warning
AS $$
BEGIN
    EXECUTE format('DROP VIEW IF EXISTS "ORAPULL".%I, "ORAPULL".%I', 'PULL_' || p_table_id, 'LOAD_' || p_table_id);
END
$$;
COMMENT ON FUNCTION "ORAPULL"."DROP_RESOLVERS"(bigint) IS 'Drops PULL_n and LOAD_n';

CREATE FUNCTION "ORAPULL"."COLUMNS_OF"(p_alias text, p_columns text[]) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path = pg_catalog
AS $$
SELECT string_agg(format('%I.%I', p_alias, c), ', ' ORDER BY n) FROM unnest(p_columns) WITH ORDINALITY u (c, n)
$$;
COMMENT ON FUNCTION "ORAPULL"."COLUMNS_OF"(text, text[]) IS 'Select list of columns of one alias';

CREATE FUNCTION "ORAPULL"."ROWS_OF_POINTERS"(r "ORAPULL"."REGISTERED") RETURNS text
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table text := format('%I.%I', r."OWNER", r."TABLE_NAME");
    l_key   text;
BEGIN
    IF r."IDENTITY" = 'ROWID' THEN
        RETURN format('JOIN %s t ON t."ROWID$" = p."ROW_ID"', l_table);
    END IF;
    SELECT string_agg(
        format('k.%I = %s', c, "ORAPULL"."KEY_VALUE"(r."RELATION", c, format('p."K%s"', n))), ' AND ' ORDER BY n
    )
    INTO l_key
    FROM unnest(r."KEY_COLUMNS") WITH ORDINALITY u (c, n);
    -- The second branch runs only for the pointers whose key has found nothing.
    RETURN format(
        'LEFT JOIN %1$s k ON %2$s
         CROSS JOIN LATERAL (
             SELECT k."ROWID$", %3$s WHERE k."ROWID$" IS NOT NULL
             UNION ALL
             SELECT o."ROWID$", %4$s FROM %1$s o WHERE k."ROWID$" IS NULL AND o."ROWID$" = p."ROW_ID"
         ) t',
        l_table, l_key, "ORAPULL"."COLUMNS_OF"('k', r."PULL_COLUMNS"), "ORAPULL"."COLUMNS_OF"('o', r."PULL_COLUMNS")
    );
END
$$;
COMMENT ON FUNCTION "ORAPULL"."ROWS_OF_POINTERS"("ORAPULL"."REGISTERED")
    IS 'Join of pointers p with the rows t they resolve to: by key, else by ROWID whatever the key';

CREATE FUNCTION "ORAPULL"."CREATE_RESOLVERS"(p_table_id bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    r         "ORAPULL"."REGISTERED"%ROWTYPE;
    l_table   text;
    l_columns text;
BEGIN
    SELECT * INTO STRICT r FROM "ORAPULL"."REGISTERED" WHERE "TABLE_ID" = p_table_id;
    l_table := format('%I.%I', r."OWNER", r."TABLE_NAME");
    l_columns := "ORAPULL"."COLUMNS_OF"('t', r."PULL_COLUMNS");
    EXECUTE format(
        'CREATE VIEW "ORAPULL"."PULL_%1$s" AS
         SELECT p."P$SLOT", p."P$PORTION", p."P$PTR", p."P$PREV", t."ROWID$" AS "P$ROWID", %2$s
         FROM "ORAPULL"."POINTER" p %3$s
         WHERE p."TABLE_ID" = %1$s AND p."KIND" = ''R''',
        p_table_id, l_columns, "ORAPULL"."ROWS_OF_POINTERS"(r)
    );
    EXECUTE format(
        'CREATE VIEW "ORAPULL"."LOAD_%1$s" AS
         SELECT r."PLAN_ID" AS "P$PLAN", r."CHUNK" AS "P$CHUNK", t."ROWID$" AS "P$ROWID", %2$s
         FROM "ORAPULL"."PLAN_RANGE" r
         JOIN "ORAPULL"."PLAN" n ON n."PLAN_ID" = r."PLAN_ID" AND n."TABLE_ID" = %1$s
         JOIN %3$s t ON t."ROWID$" >= r."LOW" AND t."ROWID$" < r."HIGH"',
        p_table_id, l_columns, l_table
    );
    EXECUTE format('GRANT SELECT ON "ORAPULL"."PULL_%1$s", "ORAPULL"."LOAD_%1$s" TO orapull_shard', p_table_id);
    EXECUTE format('COMMENT ON VIEW "ORAPULL"."PULL_%s" IS %L', p_table_id, 'Contract: pointed rows of ' || l_table);
    EXECUTE format('COMMENT ON VIEW "ORAPULL"."LOAD_%s" IS %L', p_table_id, 'Contract: planned ranges of ' || l_table);
END
$$;
COMMENT ON FUNCTION "ORAPULL"."CREATE_RESOLVERS"(bigint) IS 'Makes PULL_n and LOAD_n of the columns in PULL_COLUMNS';
