-- The seven tables of the demo. Each has REGION_ID between 1 and 20, by which shards are cut.

CREATE FUNCTION "TEST"."BELOW"(p_limit bigint) RETURNS bigint
    LANGUAGE sql VOLATILE
RETURN 1 + pg_catalog.floor(pg_catalog.random() * p_limit)::bigint;
COMMENT ON FUNCTION "TEST"."BELOW"(bigint) IS 'A random number from 1 to the limit';

CREATE FUNCTION "TEST"."CREATE_DEMO_TABLES"() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    CREATE SCHEMA IF NOT EXISTS "APP";
    CREATE TABLE "APP"."CUSTOMERS" (
        "ID" numeric(10) PRIMARY KEY, "REGION_ID" numeric(3) NOT NULL, "FIRST_NAME" varchar(40), "LAST_NAME" varchar(40) NOT NULL,
        "EMAIL" varchar(80), "PHONE" varchar(20), "STREET" varchar(60), "CITY" varchar(40), "POSTCODE" char(8), "COUNTRY" char(2),
        "BIRTH_DATE" timestamp(0), "CREATED_AT" timestamp(6) NOT NULL, "CHANGED_AT" timestamp(3), "CREDIT" numeric(12, 2),
        "RATING" numeric, "VISITS" numeric(9) NOT NULL, "WEIGHT" double precision, "SEGMENT" varchar(20), "STATUS" varchar(10) NOT NULL,
        "REMARK" varchar(200)
    );
    CREATE TABLE "APP"."ORDER_LINES" (
        "ORDER_ID" numeric(10), "LINE_CODE" varchar(12), "REGION_ID" numeric(3) NOT NULL, "ARTICLE" varchar(40) NOT NULL,
        "QUANTITY" numeric(9, 3) NOT NULL, "PRICE" numeric(12, 2), "ORDERED_AT" timestamp(0) NOT NULL,
        PRIMARY KEY ("ORDER_ID", "LINE_CODE")
    );
    CREATE TABLE "APP"."MOVEMENTS" (
        "MOVEMENT_NO" numeric(12) NOT NULL, "REGION_ID" numeric(3) NOT NULL, "ACCOUNT" varchar(20), "AMOUNT" numeric(14, 2),
        "BOOKED_AT" timestamp(6), "PURPOSE" varchar(140)
    );
    CREATE INDEX "MOVEMENTS_NO" ON "APP"."MOVEMENTS" ("MOVEMENT_NO");
    CREATE TABLE "APP"."DOCUMENTS" (
        "ID" numeric(10) PRIMARY KEY, "REGION_ID" numeric(3) NOT NULL, "TITLE" varchar(100), "BODY" text, "CONTENT" bytea,
        "CHANGED_AT" timestamp(6) NOT NULL
    );
    EXECUTE (
        SELECT 'CREATE TABLE "APP"."WIDE" ("ID" numeric(10) PRIMARY KEY, "REGION_ID" numeric(3) NOT NULL, '
            || string_agg(format('%I %s', 'C' || lpad(i::text, 2, '0'), CASE i % 4
                              WHEN 0 THEN 'numeric(15, 4)' WHEN 1 THEN 'varchar(50)' WHEN 2 THEN 'timestamp(0)' ELSE 'numeric' END), ', ' ORDER BY i)
            || ')'
        FROM generate_series(1, 58) i
    );
    CREATE TABLE "APP"."EMPLOYEES" (
        "ID" numeric(10) PRIMARY KEY, "REGION_ID" numeric(3) NOT NULL, "MANAGER_ID" numeric(10) REFERENCES "APP"."EMPLOYEES",
        "NAME" varchar(60) NOT NULL, "SALARY" numeric(10, 2), "HIRED" timestamp(0)
    );
    CREATE INDEX "EMPLOYEES_MANAGER" ON "APP"."EMPLOYEES" ("MANAGER_ID");
    CREATE TABLE "APP"."COUNTERS" (
        "ID" numeric(2) PRIMARY KEY, "REGION_ID" numeric(3) NOT NULL, "TOTAL" numeric(15) NOT NULL, "CHANGED_AT" timestamp(6)
    );
END
$$;
COMMENT ON FUNCTION "TEST"."CREATE_DEMO_TABLES"() IS 'Creates the seven tables, empty and without ROWIDs';

CREATE FUNCTION "TEST"."NEW_CUSTOMERS"(p_from bigint, p_to bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    INSERT INTO "APP"."CUSTOMERS" (
        "ID", "REGION_ID", "FIRST_NAME", "LAST_NAME", "EMAIL", "PHONE", "STREET", "CITY", "POSTCODE", "COUNTRY", "BIRTH_DATE",
        "CREATED_AT", "CHANGED_AT", "CREDIT", "RATING", "VISITS", "WEIGHT", "SEGMENT", "STATUS", "REMARK"
    )
    SELECT i, "TEST"."BELOW"(20), CASE WHEN i % 11 > 0 THEN 'First ' || i END, 'Last ' || md5(i::text), i || '@example.org',
           '+49 30 ' || "TEST"."BELOW"(9999999), 'Long Street ' || "TEST"."BELOW"(999), 'City ' || "TEST"."BELOW"(500),
           "TEST"."BELOW"(99999)::text, 'DE', timestamp '1950-01-01' + make_interval(days => "TEST"."BELOW"(20000)::int),
           clock_timestamp()::timestamp, NULL, "TEST"."BELOW"(1000000) / 100.0, "TEST"."BELOW"(1000000)::numeric / 7, 0, random(),
           'Segment ' || i % 9, 'NEW', CASE WHEN i % 3 = 0 THEN repeat('remark ', 5) || i END
    FROM generate_series(p_from, p_to) i;
END
$$;
COMMENT ON FUNCTION "TEST"."NEW_CUSTOMERS"(bigint, bigint) IS 'Inserts customers with these numbers';

CREATE FUNCTION "TEST"."NEW_ORDER_LINES"(p_from bigint, p_to bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    INSERT INTO "APP"."ORDER_LINES" ("ORDER_ID", "LINE_CODE", "REGION_ID", "ARTICLE", "QUANTITY", "PRICE", "ORDERED_AT")
    SELECT i, 'L' || n, "TEST"."BELOW"(20), 'Article ' || "TEST"."BELOW"(5000), "TEST"."BELOW"(10000) / 1000.0,
           "TEST"."BELOW"(100000) / 100.0, timestamp '2024-01-01' + make_interval(secs => "TEST"."BELOW"(60000000))
    FROM generate_series(p_from, p_to) i CROSS JOIN generate_series(1, 2) n;
END
$$;
COMMENT ON FUNCTION "TEST"."NEW_ORDER_LINES"(bigint, bigint) IS 'Inserts two lines for each of these orders';

CREATE FUNCTION "TEST"."NEW_MOVEMENTS"(p_from bigint, p_to bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    INSERT INTO "APP"."MOVEMENTS" ("MOVEMENT_NO", "REGION_ID", "ACCOUNT", "AMOUNT", "BOOKED_AT", "PURPOSE")
    SELECT i, 1 + i % 20, 'ACC' || i % 1000, i % 5000 / 4.0, timestamp '2025-01-01' + make_interval(secs => i), 'Purpose ' || i
    FROM generate_series(p_from, p_to) i
    -- Nothing but the ROWID tells the copies apart.
    CROSS JOIN LATERAL generate_series(1, CASE WHEN i % 50 = 0 THEN 2 ELSE 1 END);
END
$$;
COMMENT ON FUNCTION "TEST"."NEW_MOVEMENTS"(bigint, bigint)
    IS 'Inserts movements with these numbers, some of them twice';

CREATE FUNCTION "TEST"."DOCUMENT_TEXT"() RETURNS text
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    CASE "TEST"."BELOW"(50)
        WHEN 1 THEN RETURN NULL;
        WHEN 2 THEN RETURN '';
        WHEN 3 THEN RETURN repeat(md5(random()::text), 3200);
        ELSE RETURN repeat(md5(random()::text), "TEST"."BELOW"(20)::int);
    END CASE;
END
$$;
COMMENT ON FUNCTION "TEST"."DOCUMENT_TEXT"() IS 'A CLOB: mostly small, sometimes 100 kB, empty or NULL';

CREATE FUNCTION "TEST"."NEW_DOCUMENTS"(p_from bigint, p_to bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    INSERT INTO "APP"."DOCUMENTS" ("ID", "REGION_ID", "TITLE", "BODY", "CONTENT", "CHANGED_AT")
    SELECT i, "TEST"."BELOW"(20), 'Document ' || i, "TEST"."DOCUMENT_TEXT"(), convert_to("TEST"."DOCUMENT_TEXT"(), 'UTF8'),
           clock_timestamp()::timestamp
    FROM generate_series(p_from, p_to) i;
END
$$;
COMMENT ON FUNCTION "TEST"."NEW_DOCUMENTS"(bigint, bigint) IS 'Inserts documents with these numbers';

CREATE FUNCTION "TEST"."NEW_WIDE"(p_from bigint, p_to bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    EXECUTE (
        SELECT 'INSERT INTO "APP"."WIDE" SELECT i, "TEST"."BELOW"(20), ' || string_agg(CASE n % 4
                   WHEN 0 THEN format('i %% %s / 16.0', n * 100)
                   WHEN 1 THEN format('''Text %s of '' || i', n)
                   WHEN 2 THEN format('timestamp ''2020-01-01'' + make_interval(secs => (i * %s)::int)', n)
                   ELSE format('CASE WHEN i %% %s > 0 THEN i / %s.0 END', n, n) END, ', ' ORDER BY n)
               || ' FROM generate_series($1, $2) i'
        FROM generate_series(1, 58) n
    ) USING p_from, p_to;
END
$$;
COMMENT ON FUNCTION "TEST"."NEW_WIDE"(bigint, bigint) IS 'Inserts rows of 60 columns with these numbers';

CREATE FUNCTION "TEST"."NEW_EMPLOYEES"(p_from bigint, p_to bigint, p_manager numeric) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    INSERT INTO "APP"."EMPLOYEES" ("ID", "REGION_ID", "MANAGER_ID", "NAME", "SALARY", "HIRED")
    SELECT i, "TEST"."BELOW"(20), coalesce(p_manager, nullif(i / 8, 0)), 'Employee ' || i, "TEST"."BELOW"(900000) / 100.0,
           timestamp '2010-01-01' + make_interval(days => (i % 5000)::int)
    FROM generate_series(p_from, p_to) i;
END
$$;
COMMENT ON FUNCTION "TEST"."NEW_EMPLOYEES"(bigint, bigint, numeric)
    IS 'Inserts employees with these numbers; manager NULL: they make a tree';

CREATE FUNCTION "TEST"."CREATE_DEMO"(p_rows int) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table text;
    l_rows  int;
BEGIN
    PERFORM setseed(0.42);
    PERFORM "TEST"."CREATE_DEMO_TABLES"();
    FOREACH l_table IN ARRAY '{CUSTOMERS,ORDER_LINES,MOVEMENTS,DOCUMENTS,WIDE,EMPLOYEES,COUNTERS}'::text[] LOOP
        PERFORM "TEST"."ADD_ROWID"('APP', l_table);
        l_rows := greatest(10, CASE l_table
            WHEN 'CUSTOMERS' THEN p_rows WHEN 'ORDER_LINES' THEN p_rows / 2 WHEN 'MOVEMENTS' THEN p_rows / 2
            WHEN 'WIDE' THEN p_rows / 10 ELSE p_rows / 20 END);
        CASE l_table
            WHEN 'CUSTOMERS' THEN PERFORM "TEST"."NEW_CUSTOMERS"(1, l_rows);
            WHEN 'ORDER_LINES' THEN PERFORM "TEST"."NEW_ORDER_LINES"(1, l_rows);
            WHEN 'MOVEMENTS' THEN PERFORM "TEST"."NEW_MOVEMENTS"(1, l_rows);
            WHEN 'DOCUMENTS' THEN PERFORM "TEST"."NEW_DOCUMENTS"(1, l_rows);
            WHEN 'WIDE' THEN PERFORM "TEST"."NEW_WIDE"(1, l_rows);
            WHEN 'EMPLOYEES' THEN PERFORM "TEST"."NEW_EMPLOYEES"(1, l_rows, NULL);
            ELSE
                INSERT INTO "APP"."COUNTERS" ("ID", "REGION_ID", "TOTAL")
                SELECT i, CASE WHEN i % 3 = 0 THEN 7 ELSE i END, 0 FROM generate_series(1, 10) i;
        END CASE;
        EXECUTE format('CREATE SEQUENCE "APP".%I START %s', l_table || '_SEQ', l_rows + 1);
        EXECUTE format('ANALYZE "APP".%I', l_table);
        PERFORM "TEST"."CAPTURE"('APP', l_table);
    END LOOP;
END
$$;
COMMENT ON FUNCTION "TEST"."CREATE_DEMO"(int)
    IS 'Creates and fills the seven tables, CUSTOMERS with so many rows, and captures them';
