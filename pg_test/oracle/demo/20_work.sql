-- The workload of the demo. Every operation picks its row with SKIP LOCKED, so that concurrent callers never wait for
-- each other's rows; only the hot counters are waited for, last and in order. So there are no deadlocks.
-- p_op (1 to 100) says what to do; each function returns the number of rows it has changed.

CREATE FUNCTION "TEST"."WORK_CUSTOMERS"(p_op bigint) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_from numeric := "TEST"."BELOW"((SELECT last_value FROM "APP"."CUSTOMERS_SEQ"));
    l_new  bigint;
    l_ids  numeric[];
BEGIN
    IF p_op <= 20 THEN
        l_new := nextval('"APP"."CUSTOMERS_SEQ"');
        PERFORM "TEST"."NEW_CUSTOMERS"(l_new, l_new);
        RETURN 1;
    END IF;
    l_ids := ARRAY(
        SELECT "ID" FROM "APP"."CUSTOMERS" WHERE "ID" >= l_from ORDER BY "ID" LIMIT 2 FOR UPDATE SKIP LOCKED
    );
    CASE
        WHEN cardinality(l_ids) < 2 THEN
            RETURN 0;
        WHEN p_op <= 35 THEN
            DELETE FROM "APP"."CUSTOMERS" WHERE "ID" = l_ids[1];
        WHEN p_op <= 45 THEN
            UPDATE "APP"."CUSTOMERS"
            SET "REGION_ID" = CASE "REGION_ID" WHEN 7 THEN "TEST"."BELOW"(20) ELSE 7 END
            WHERE "ID" = l_ids[1];
        WHEN p_op <= 50 THEN
            -- A chain: the first row takes the key of the second, which has moved on.
            UPDATE "APP"."CUSTOMERS" SET "ID" = nextval('"APP"."CUSTOMERS_SEQ"') WHERE "ID" = l_ids[2];
            UPDATE "APP"."CUSTOMERS" SET "ID" = l_ids[2] WHERE "ID" = l_ids[1];
            RETURN 2;
        ELSE
            UPDATE "APP"."CUSTOMERS"
            SET "VISITS" = "VISITS" + 1, "CREDIT" = "CREDIT" - 1, "CHANGED_AT" = clock_timestamp(), "STATUS" = 'SEEN',
                "REMARK" = CASE WHEN p_op > 90 THEN NULL ELSE 'visit ' || "VISITS" END
            WHERE "ID" = l_ids[1];
    END CASE;
    RETURN 1;
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_CUSTOMERS"(bigint) IS 'Changes customers, with chains of changed keys';

CREATE FUNCTION "TEST"."WORK_ORDER_LINES"(p_op bigint) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_from  numeric := "TEST"."BELOW"((SELECT last_value FROM "APP"."ORDER_LINES_SEQ"));
    l_new   bigint;
    l_row   text;
BEGIN
    IF p_op <= 20 THEN
        l_new := nextval('"APP"."ORDER_LINES_SEQ"');
        PERFORM "TEST"."NEW_ORDER_LINES"(l_new, l_new);
        RETURN 2;
    END IF;
    SELECT "ROWID$" INTO l_row
    FROM "APP"."ORDER_LINES" WHERE "ORDER_ID" >= l_from
    ORDER BY "ORDER_ID" LIMIT 1 FOR UPDATE SKIP LOCKED;
    CASE
        WHEN l_row IS NULL THEN
            RETURN 0;
        WHEN p_op <= 40 THEN
            DELETE FROM "APP"."ORDER_LINES" WHERE "ROWID$" = l_row;
        WHEN p_op <= 50 THEN
            UPDATE "APP"."ORDER_LINES"
            SET "REGION_ID" = CASE "REGION_ID" WHEN 7 THEN "TEST"."BELOW"(20) ELSE 7 END
            WHERE "ROWID$" = l_row;
        WHEN p_op <= 55 THEN
            UPDATE "APP"."ORDER_LINES" SET "LINE_CODE" = 'M' || nextval('"APP"."ORDER_LINES_SEQ"') WHERE "ROWID$" = l_row;
        ELSE
            UPDATE "APP"."ORDER_LINES"
            SET "QUANTITY" = "QUANTITY" + 1, "PRICE" = nullif("TEST"."BELOW"(1000), 1000)
            WHERE "ROWID$" = l_row;
    END CASE;
    RETURN 1;
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_ORDER_LINES"(bigint) IS 'Changes order lines, also the text part of their key';

CREATE FUNCTION "TEST"."WORK_MOVEMENTS"(p_op bigint) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_from numeric := "TEST"."BELOW"((SELECT last_value FROM "APP"."MOVEMENTS_SEQ"));
    l_new  bigint := nextval('"APP"."MOVEMENTS_SEQ"');
    l_row  text;
BEGIN
    IF p_op <= 40 THEN
        PERFORM "TEST"."NEW_MOVEMENTS"(l_new, l_new);
        RETURN 1;
    END IF;
    SELECT "ROWID$" INTO l_row
    FROM "APP"."MOVEMENTS" WHERE "MOVEMENT_NO" >= l_from
    ORDER BY "MOVEMENT_NO" LIMIT 1 FOR UPDATE SKIP LOCKED;
    CASE
        WHEN l_row IS NULL THEN
            RETURN 0;
        WHEN p_op <= 55 THEN
            DELETE FROM "APP"."MOVEMENTS" WHERE "ROWID$" = l_row;
        WHEN p_op <= 60 THEN
            -- Another row at the place of a deleted one.
            DELETE FROM "APP"."MOVEMENTS" WHERE "ROWID$" = l_row;
            INSERT INTO "APP"."MOVEMENTS" ("MOVEMENT_NO", "REGION_ID", "PURPOSE", "ROWID$")
            VALUES (l_new, "TEST"."BELOW"(20), 'place taken', l_row);
            RETURN 2;
        WHEN p_op <= 65 THEN
            UPDATE "APP"."MOVEMENTS" SET "ROWID$" = "TEST"."NEW_ROWID"('APP.MOVEMENTS'), "PURPOSE" = 'moved' WHERE "ROWID$" = l_row;
        WHEN p_op <= 75 THEN
            UPDATE "APP"."MOVEMENTS"
            SET "REGION_ID" = CASE "REGION_ID" WHEN 7 THEN "TEST"."BELOW"(20) ELSE 7 END
            WHERE "ROWID$" = l_row;
        ELSE
            UPDATE "APP"."MOVEMENTS" SET "AMOUNT" = "AMOUNT" * -1, "BOOKED_AT" = clock_timestamp() WHERE "ROWID$" = l_row;
    END CASE;
    RETURN 1;
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_MOVEMENTS"(bigint)
    IS 'Changes movements, with moved rows and places that are used again';

CREATE FUNCTION "TEST"."WORK_DOCUMENTS"(p_op bigint) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_from numeric := "TEST"."BELOW"((SELECT last_value FROM "APP"."DOCUMENTS_SEQ"));
    l_new  bigint;
    l_id   numeric;
BEGIN
    IF p_op <= 20 THEN
        l_new := nextval('"APP"."DOCUMENTS_SEQ"');
        PERFORM "TEST"."NEW_DOCUMENTS"(l_new, l_new);
        RETURN 1;
    END IF;
    SELECT "ID" INTO l_id FROM "APP"."DOCUMENTS" WHERE "ID" >= l_from ORDER BY "ID" LIMIT 1 FOR UPDATE SKIP LOCKED;
    CASE
        WHEN l_id IS NULL THEN
            RETURN 0;
        WHEN p_op <= 35 THEN
            DELETE FROM "APP"."DOCUMENTS" WHERE "ID" = l_id;
        WHEN p_op <= 45 THEN
            UPDATE "APP"."DOCUMENTS"
            SET "REGION_ID" = CASE "REGION_ID" WHEN 7 THEN "TEST"."BELOW"(20) ELSE 7 END
            WHERE "ID" = l_id;
        WHEN p_op <= 75 THEN
            UPDATE "APP"."DOCUMENTS"
            SET "BODY" = "TEST"."DOCUMENT_TEXT"(), "CHANGED_AT" = clock_timestamp()
            WHERE "ID" = l_id;
        ELSE
            UPDATE "APP"."DOCUMENTS" SET "CONTENT" = convert_to("TEST"."DOCUMENT_TEXT"(), 'UTF8') WHERE "ID" = l_id;
    END CASE;
    RETURN 1;
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_DOCUMENTS"(bigint) IS 'Changes documents and writes LOBs';

CREATE FUNCTION "TEST"."WORK_WIDE"(p_op bigint) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_from numeric := "TEST"."BELOW"((SELECT last_value FROM "APP"."WIDE_SEQ"));
    l_id   numeric;
BEGIN
    SELECT "ID" INTO l_id FROM "APP"."WIDE" WHERE "ID" >= l_from ORDER BY "ID" LIMIT 1 FOR UPDATE SKIP LOCKED;
    CASE
        WHEN l_id IS NULL THEN
            RETURN 0;
        WHEN p_op <= 10 THEN
            UPDATE "APP"."WIDE" SET "ID" = nextval('"APP"."WIDE_SEQ"') WHERE "ID" = l_id;
        WHEN p_op <= 20 THEN
            DELETE FROM "APP"."WIDE" WHERE "ID" = l_id;
        WHEN p_op <= 35 THEN
            UPDATE "APP"."WIDE"
            SET "REGION_ID" = CASE "REGION_ID" WHEN 7 THEN "TEST"."BELOW"(20) ELSE 7 END
            WHERE "ID" = l_id;
        ELSE
            UPDATE "APP"."WIDE"
            SET "C01" = 'Changed ' || p_op, "C02" = NULL, "C04" = coalesce("C04", 0) + 1,
                "C57" = 'Text ' || random(), "C58" = clock_timestamp()
            WHERE "ID" = l_id;
    END CASE;
    RETURN 1;
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_WIDE"(bigint) IS 'Changes rows of 60 columns';

CREATE FUNCTION "TEST"."WORK_EMPLOYEES"(p_op bigint) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_last    bigint := (SELECT last_value FROM "APP"."EMPLOYEES_SEQ");
    l_from    numeric := "TEST"."BELOW"(l_last);
    l_among   numeric := "TEST"."BELOW"(l_last);
    l_new     bigint;
    l_id      numeric;
    l_manager numeric;
BEGIN
    -- The lock keeps the manager from being deleted, and the check of the foreign key from waiting.
    SELECT "ID" INTO l_manager FROM "APP"."EMPLOYEES" WHERE "ID" >= l_among ORDER BY "ID" LIMIT 1 FOR KEY SHARE SKIP LOCKED;
    IF p_op <= 25 THEN
        l_new := nextval('"APP"."EMPLOYEES_SEQ"');
        PERFORM "TEST"."NEW_EMPLOYEES"(l_new, l_new, coalesce(l_manager, l_new));
        RETURN 1;
    END IF;
    SELECT "ID" INTO l_id FROM "APP"."EMPLOYEES" WHERE "ID" >= l_from ORDER BY "ID" LIMIT 1 FOR UPDATE SKIP LOCKED;
    CASE
        WHEN l_id IS NULL THEN
            RETURN 0;
        WHEN p_op <= 45 THEN
            DELETE FROM "APP"."EMPLOYEES" e
            WHERE e."ID" = l_id AND NOT EXISTS (SELECT FROM "APP"."EMPLOYEES" s WHERE s."MANAGER_ID" = l_id AND s."ID" <> l_id);
            RETURN found::int;
        WHEN p_op <= 55 THEN
            UPDATE "APP"."EMPLOYEES"
            SET "REGION_ID" = CASE "REGION_ID" WHEN 7 THEN "TEST"."BELOW"(20) ELSE 7 END
            WHERE "ID" = l_id;
        WHEN p_op <= 75 THEN
            UPDATE "APP"."EMPLOYEES" SET "MANAGER_ID" = l_manager WHERE "ID" = l_id;
        ELSE
            UPDATE "APP"."EMPLOYEES" SET "SALARY" = "SALARY" * 1.02 WHERE "ID" = l_id AND "SALARY" < 1000000;
            RETURN found::int;
    END CASE;
    RETURN 1;
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_EMPLOYEES"(bigint) IS 'Changes employees, who refer to each other';

CREATE FUNCTION "TEST"."WORK_COUNTERS"(p_ids bigint[]) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_id bigint;
BEGIN
    FOR l_id IN SELECT i FROM unnest(p_ids) i ORDER BY i LOOP
        UPDATE "APP"."COUNTERS" SET "TOTAL" = "TOTAL" + 1, "CHANGED_AT" = clock_timestamp() WHERE "ID" = l_id;
    END LOOP;
    RETURN cardinality(p_ids);
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_COUNTERS"(bigint[]) IS 'Counts in the ten hot rows, in their order';

CREATE FUNCTION "TEST"."WORK_ONCE"() RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table bigint := "TEST"."BELOW"(90);
    l_op    bigint := "TEST"."BELOW"(100);
BEGIN
    CASE
        WHEN l_table <= 35 THEN RETURN "TEST"."WORK_CUSTOMERS"(l_op);
        WHEN l_table <= 55 THEN RETURN "TEST"."WORK_ORDER_LINES"(l_op);
        WHEN l_table <= 70 THEN RETURN "TEST"."WORK_MOVEMENTS"(l_op);
        WHEN l_table <= 75 THEN RETURN "TEST"."WORK_DOCUMENTS"(l_op);
        WHEN l_table <= 85 THEN RETURN "TEST"."WORK_WIDE"(l_op);
        ELSE RETURN "TEST"."WORK_EMPLOYEES"(l_op);
    END CASE;
END
$$;
COMMENT ON FUNCTION "TEST"."WORK_ONCE"() IS 'One random operation on a table that is not hot';

CREATE FUNCTION "TEST"."WORK"(p_seed int, p_operations int) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_changes  int := 0;
    l_counters bigint[] := '{}';
BEGIN
    PERFORM setseed(p_seed % 100003 / 100003.0);
    FOR i IN 1 .. p_operations LOOP
        CASE "TEST"."BELOW"(100)
            WHEN 1 THEN
                BEGIN
                    PERFORM "TEST"."WORK_ONCE"();
                    RAISE EXCEPTION 'back to the savepoint' USING ERRCODE = 'ORA00';
                EXCEPTION WHEN SQLSTATE 'ORA00' THEN
                    NULL;
                END;
            WHEN 2, 3, 4, 5, 6, 7, 8, 9, 10 THEN
                l_counters := l_counters || "TEST"."BELOW"(10);
            ELSE
                l_changes := l_changes + "TEST"."WORK_ONCE"();
        END CASE;
    END LOOP;
    RETURN l_changes + "TEST"."WORK_COUNTERS"(l_counters);
END
$$;
COMMENT ON FUNCTION "TEST"."WORK"(int, int)
    IS 'So many random operations in the calling transaction; returns the number of changed rows';
