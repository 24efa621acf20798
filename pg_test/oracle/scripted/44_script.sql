-- What a test script says: publish exactly these pointers, release, restart, lie.

CREATE FUNCTION "TEST"."TABLE_ID"(p_owner text, p_table text) RETURNS bigint
    -- VOLATILE, or the planner would call it early, with a snapshot that is too old.
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table_id bigint;
BEGIN
    SELECT "TABLE_ID" INTO l_table_id FROM "ORAPULL"."REGISTERED" WHERE "OWNER" = p_owner AND "TABLE_NAME" = p_table;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table "%"."%" is not registered by any shard', p_owner, p_table;
    END IF;
    RETURN l_table_id;
END
$$;
COMMENT ON FUNCTION "TEST"."TABLE_ID"(text, text) IS 'Number of a registered table';

CREATE FUNCTION "TEST"."POINT"(
    p_owner text, p_table text, p_kind text DEFAULT 'R', p_row_id text DEFAULT NULL,
    p_k1 text DEFAULT NULL, p_k2 text DEFAULT NULL, p_k3 text DEFAULT NULL, p_k4 text DEFAULT NULL,
    p_k5 text DEFAULT NULL, p_k6 text DEFAULT NULL, p_k7 text DEFAULT NULL, p_k8 text DEFAULT NULL,
    p_note text DEFAULT NULL
) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
INSERT INTO "ORAPULL"."PENDING" ("TABLE_ID", "KIND", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "NOTE")
VALUES ("TEST"."TABLE_ID"(p_owner, p_table), p_kind, p_row_id, p_k1, p_k2, p_k3, p_k4, p_k5, p_k6, p_k7, p_k8, p_note)
$$;
COMMENT ON FUNCTION "TEST"."POINT"(text, text, text, text, text, text, text, text, text, text, text, text, text)
    IS 'Lists a pointer, right or wrong, for the next PUBLISH';

CREATE FUNCTION "TEST"."PUBLISH"(p_prev boolean DEFAULT true) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn    bigint := "ORAPULL"."LOCK_SOURCE"();
    c_no_cut CONSTANT int := 2147483647;
BEGIN
    WITH listed AS (
        DELETE FROM "ORAPULL"."PENDING" RETURNING *
    )
    INSERT INTO "ORAPULL"."BATCH" ("N", "TABLE_ID", "KIND", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "NOTE")
    SELECT "N", "TABLE_ID", "KIND", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "NOTE" FROM listed;
    PERFORM "ORAPULL"."PUBLISH_BATCH"(c_no_cut, l_scn, p_prev);
    RETURN (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE");
END
$$;
COMMENT ON FUNCTION "TEST"."PUBLISH"(boolean)
    IS 'Publishes the listed pointers, none or many, as one portion and returns its id; false: P$PREV is 0 everywhere';

CREATE FUNCTION "TEST"."RELEASE"(p_upto bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_released bigint;
BEGIN
    PERFORM "ORAPULL"."LOCK_SOURCE"();
    DELETE FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" <= p_upto;
    GET DIAGNOSTICS l_released = ROW_COUNT;
    DELETE FROM "ORAPULL"."PORTION_TABLE" WHERE "PORTION_ID" <= p_upto;
    DELETE FROM "ORAPULL"."POINTER" WHERE "P$PORTION" <= p_upto AND "P$SLOT" > 0;
    RETURN l_released;
END
$$;
COMMENT ON FUNCTION "TEST"."RELEASE"(bigint) IS 'Frees all portions up to this one, acked or not; returns how many';

CREATE FUNCTION "TEST"."RELEASE_ACKED"() RETURNS bigint
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM "ORAPULL"."LOCK_SOURCE"();
    RETURN "TEST"."RELEASE"(coalesce(
        (SELECT min("ACKED_PORTION") FROM "ORAPULL"."SHARD"), (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE")
    ));
END
$$;
COMMENT ON FUNCTION "TEST"."RELEASE_ACKED"() IS 'Frees what every shard has acked; returns how many portions';

CREATE FUNCTION "TEST"."MOVE_SLOT"(p_portion bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_slot bigint;
BEGIN
    PERFORM "ORAPULL"."LOCK_SOURCE"();
    SELECT max("SLOT") + 1 INTO l_slot FROM "ORAPULL"."PORTION";
    UPDATE "ORAPULL"."PORTION" SET "SLOT" = l_slot WHERE "PORTION_ID" = p_portion;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'portion % is not held', p_portion;
    END IF;
    UPDATE "ORAPULL"."POINTER" SET "P$SLOT" = l_slot WHERE "P$PORTION" = p_portion AND "P$SLOT" > 0;
    RETURN l_slot;
END
$$;
COMMENT ON FUNCTION "TEST"."MOVE_SLOT"(bigint)
    IS 'A slot was lost: its portion is rebuilt in another one, which is returned';

CREATE FUNCTION "TEST"."RESTART"() RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ UPDATE "ORAPULL"."SOURCE" SET "STARTED_AT" = "ORAPULL"."UTC_NOW"() $$;
COMMENT ON FUNCTION "TEST"."RESTART"() IS 'The instance was started again';

CREATE FUNCTION "TEST"."REINSTALL"() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM "ORAPULL"."LOCK_SOURCE"();
    DELETE FROM "ORAPULL"."SHARD";
    PERFORM "ORAPULL"."FORGET_UNWANTED_TABLES"();
    TRUNCATE "ORAPULL"."PORTION", "ORAPULL"."PORTION_TABLE", "ORAPULL"."POINTER", "ORAPULL"."REQUEST",
        "ORAPULL"."ASKED", "ORAPULL"."STAGED", "ORAPULL"."PENDING", "ORAPULL"."OVERRIDE";
    ALTER SEQUENCE "ORAPULL"."TABLE_SEQ" RESTART;
    ALTER SEQUENCE "ORAPULL"."PLAN_SEQ" RESTART;
    ALTER SEQUENCE "ORAPULL"."REQUEST_SEQ" RESTART;
    ALTER SEQUENCE "ORAPULL"."TOKEN_SEQ" RESTART;
    DELETE FROM "ORAPULL"."SOURCE";
    INSERT INTO "ORAPULL"."SOURCE" DEFAULT VALUES;
END
$$;
COMMENT ON FUNCTION "TEST"."REINSTALL"()
    IS 'The source was installed anew: another INSTALL_ID, and all numbers start again';

CREATE FUNCTION "TEST"."SET"(p_name text, p_value text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = '"ORAPULL"."SOURCE_SHOWN"'::regclass AND attname = p_name) THEN
        RAISE EXCEPTION '"%" is neither a column of SOURCE_V nor LEASE_SECONDS', p_name;
    END IF;
    INSERT INTO "ORAPULL"."OVERRIDE" ("NAME", "VALUE") VALUES (p_name, p_value)
    ON CONFLICT ("NAME") DO UPDATE SET "VALUE" = excluded."VALUE";
END
$$;
COMMENT ON FUNCTION "TEST"."SET"(text, text)
    IS 'SOURCE_V, and the calls that depend on it, show this value from now on, also NULL';

CREATE FUNCTION "TEST"."UNSET"(p_name text DEFAULT NULL) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ DELETE FROM "ORAPULL"."OVERRIDE" WHERE "NAME" = p_name OR p_name IS NULL $$;
COMMENT ON FUNCTION "TEST"."UNSET"(text) IS 'SOURCE_V shows the truth again, in one column or in all';

CREATE FUNCTION "TEST"."SET_TABLE_STATE"(p_owner text, p_table text, p_state text, p_detail text DEFAULT NULL) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
UPDATE "ORAPULL"."REGISTERED" SET "STATE" = p_state, "STATE_DETAIL" = p_detail
WHERE "TABLE_ID" = "TEST"."TABLE_ID"(p_owner, p_table)
$$;
COMMENT ON FUNCTION "TEST"."SET_TABLE_STATE"(text, text, text, text)
    IS 'TABLE_V shows this state; NULL: the true one again';

CREATE FUNCTION "TEST"."RESHAPE"(p_owner text, p_table text) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
UPDATE "ORAPULL"."REGISTERED" SET "SALT" = "SALT" + 1 WHERE "TABLE_ID" = "TEST"."TABLE_ID"(p_owner, p_table)
$$;
COMMENT ON FUNCTION "TEST"."RESHAPE"(text, text) IS 'TABLE_V shows another SHAPE, as after a change of policies';

CREATE FUNCTION "TEST"."ALTER"(p_owner text, p_table text, p_change text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table_id bigint := "TEST"."TABLE_ID"(p_owner, p_table);
BEGIN
    PERFORM "ORAPULL"."LOCK_SOURCE"();
    PERFORM "ORAPULL"."DROP_RESOLVERS"(l_table_id);
    EXECUTE format('ALTER TABLE %I.%I %s', p_owner, p_table, p_change);
    IF (SELECT r."PULL_COLUMNS" <@ array_agg(c."COLUMN_NAME") AND r."KEY_COLUMNS" <@ array_agg(c."COLUMN_NAME")
        FROM "ORAPULL"."REGISTERED" r JOIN "ORAPULL"."COLUMN_V" c ON c."TABLE_ID" = r."TABLE_ID"
        WHERE r."TABLE_ID" = l_table_id
        GROUP BY r."TABLE_ID")
    THEN
        PERFORM "ORAPULL"."CREATE_RESOLVERS"(l_table_id);
    END IF;
END
$$;
COMMENT ON FUNCTION "TEST"."ALTER"(text, text, text)
    IS 'ALTER TABLE as Oracle has it: PULL_n keeps its columns, and is invalid (gone here) when one of them is gone, until REFRESH_TABLE';
