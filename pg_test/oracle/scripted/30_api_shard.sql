-- Package API, part 1: a shard and its lease.
-- Each call ends with standin.commit on: the OCI stand-in then commits, because Oracle's package does.

CREATE FUNCTION "ORAPULL"."COMMIT"() RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ SELECT set_config('standin.commit', 'on', true) $$;
COMMENT ON FUNCTION "ORAPULL"."COMMIT"() IS 'Asks the OCI stand-in to commit';

CREATE FUNCTION "ORAPULL"."UTC_NOW"() RETURNS timestamp(6)
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ SELECT timezone('UTC', clock_timestamp()) $$;
COMMENT ON FUNCTION "ORAPULL"."UTC_NOW"() IS 'The time of the contract';

CREATE FUNCTION "ORAPULL"."CHECK_TOKEN"(p_shard text, p_token bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_token bigint;
BEGIN
    SELECT "TOKEN" INTO l_token FROM "ORAPULL"."SHARD" WHERE "SHARD" = p_shard FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ORA-20801: shard "%" is unknown; call ATTACH first', p_shard;
    END IF;
    IF l_token IS DISTINCT FROM p_token THEN
        RAISE EXCEPTION 'ORA-20802: the lease of shard "%" was given to another ATTACH: token % is stale', p_shard, p_token;
    END IF;
END
$$;
COMMENT ON FUNCTION "ORAPULL"."CHECK_TOKEN"(text, bigint)
    IS 'Locks the shard and proves that the caller holds its lease';

CREATE FUNCTION "ORAPULL"."DROP_REQUESTS"(p_shard text, p_table_id bigint DEFAULT NULL) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
WITH dropped AS (
    DELETE FROM "ORAPULL"."REQUEST"
    WHERE "SHARD" = p_shard AND ("TABLE_ID" = p_table_id OR p_table_id IS NULL)
    RETURNING "REQUEST_ID"
)
DELETE FROM "ORAPULL"."POINTER" p USING dropped d WHERE p."P$SLOT" = 0 AND p."P$PORTION" = d."REQUEST_ID"
$$;
COMMENT ON FUNCTION "ORAPULL"."DROP_REQUESTS"(text, bigint)
    IS 'Drops the open requests of a shard, of one table or of all';

CREATE FUNCTION "API"."ATTACH"(
    "P_SHARD" text, "P_HOLDER" text, "P_APPLIED" bigint, "P_FORCE" bigint,
    OUT "P_TOKEN" bigint, OUT "P_FIRST_PORTION" bigint, OUT "P_APPLIED_NOW" bigint
)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    l_now    timestamp(6) := "ORAPULL"."UTC_NOW"();
    l_shard  "ORAPULL"."SHARD"%ROWTYPE;
    l_source "ORAPULL"."SOURCE_SHOWN"%ROWTYPE;
BEGIN
    IF coalesce("P_SHARD", '') = '' OR coalesce("P_HOLDER", '') = '' THEN
        RAISE EXCEPTION 'ORA-20801: ATTACH needs the name of the shard and of its holder';
    END IF;
    PERFORM FROM "ORAPULL"."SOURCE" FOR UPDATE;
    SELECT * INTO l_source FROM "ORAPULL"."SOURCE_SHOWN";
    SELECT * INTO l_shard FROM "ORAPULL"."SHARD" WHERE "SHARD" = "P_SHARD" FOR UPDATE;
    IF l_shard."HOLDER" <> "P_HOLDER" AND l_shard."LEASE_UNTIL" > l_now AND coalesce("P_FORCE", 0) = 0 THEN
        RAISE EXCEPTION 'ORA-20803: shard "%" is held by "%" until % UTC', "P_SHARD", l_shard."HOLDER",
            to_char(l_shard."LEASE_UNTIL", 'YYYY-MM-DD HH24:MI:SS');
    END IF;

    "P_APPLIED_NOW" := coalesce("P_APPLIED", l_source."LAST_PORTION");
    IF "P_APPLIED_NOW" > l_source."LAST_PORTION" THEN
        RAISE EXCEPTION 'ORA-20805: SOURCE_CHANGED: shard "%" has applied portion %, the last one here is %',
            "P_SHARD", "P_APPLIED_NOW", l_source."LAST_PORTION";
    END IF;
    IF "P_APPLIED_NOW" + 1 < l_source."FIRST_PORTION" THEN
        RAISE EXCEPTION 'ORA-20804: PORTIONS_GONE: shard "%" needs portion %, the first one held is %',
            "P_SHARD", "P_APPLIED_NOW" + 1, l_source."FIRST_PORTION";
    END IF;

    PERFORM "ORAPULL"."DROP_REQUESTS"("P_SHARD");
    "P_TOKEN" := nextval('"ORAPULL"."TOKEN_SEQ"');
    "P_FIRST_PORTION" := "P_APPLIED_NOW" + 1;
    INSERT INTO "ORAPULL"."SHARD" ("SHARD", "HOLDER", "TOKEN", "LEASE_UNTIL", "ACKED_PORTION", "ACKED_AT")
    VALUES ("P_SHARD", "P_HOLDER", "P_TOKEN", l_now + make_interval(secs => l_source."LEASE_SECONDS"), "P_APPLIED_NOW", l_now)
    ON CONFLICT ("SHARD") DO UPDATE
    SET "HOLDER" = excluded."HOLDER", "TOKEN" = excluded."TOKEN", "LEASE_UNTIL" = excluded."LEASE_UNTIL",
        "ACKED_PORTION" = excluded."ACKED_PORTION", "ACKED_AT" = excluded."ACKED_AT";
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."ATTACH"(text, text, bigint, bigint)
    IS 'Takes the lease of a shard and sets what it has acked, also downwards';

CREATE FUNCTION "API"."ACK"("P_SHARD" text, "P_TOKEN" bigint, "P_PORTION" bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    l_now    timestamp(6) := "ORAPULL"."UTC_NOW"();
    l_source "ORAPULL"."SOURCE_SHOWN"%ROWTYPE;
BEGIN
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    SELECT * INTO l_source FROM "ORAPULL"."SOURCE_SHOWN";
    IF "P_PORTION" IS NULL OR "P_PORTION" < 0 OR "P_PORTION" > l_source."LAST_PORTION" THEN
        RAISE EXCEPTION 'ORA-20808: portion % was never published; the last one is %',
            coalesce("P_PORTION"::text, 'NULL'), l_source."LAST_PORTION";
    END IF;
    UPDATE "ORAPULL"."SHARD"
    SET "LEASE_UNTIL" = l_now + make_interval(secs => l_source."LEASE_SECONDS"),
        "ACKED_AT" = CASE WHEN "P_PORTION" > "ACKED_PORTION" THEN l_now ELSE "ACKED_AT" END,
        "ACKED_PORTION" = greatest("ACKED_PORTION", "P_PORTION")
    WHERE "SHARD" = "P_SHARD";
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."ACK"(text, bigint, bigint)
    IS 'Everything up to the portion is durably applied; renews the lease';

CREATE FUNCTION "API"."DETACH"("P_SHARD" text, "P_TOKEN" bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    UPDATE "ORAPULL"."SHARD" SET "HOLDER" = NULL, "TOKEN" = NULL, "LEASE_UNTIL" = NULL WHERE "SHARD" = "P_SHARD";
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."DETACH"(text, bigint)
    IS 'Gives the lease back; what the shard has not acked stays held for it';

CREATE FUNCTION "ORAPULL"."FORGET_UNWANTED_TABLES"() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table_id bigint;
BEGIN
    FOR l_table_id IN
        DELETE FROM "ORAPULL"."REGISTERED" r
        WHERE NOT EXISTS (SELECT FROM "ORAPULL"."SUBSCRIPTION" s WHERE s."TABLE_ID" = r."TABLE_ID")
        RETURNING r."TABLE_ID"
    LOOP
        PERFORM "ORAPULL"."DROP_RESOLVERS"(l_table_id);
    END LOOP;
END
$$;
COMMENT ON FUNCTION "ORAPULL"."FORGET_UNWANTED_TABLES"() IS 'Forgets the tables that no shard has registered';

CREATE FUNCTION "API"."DROP_SHARD"("P_SHARD" text, "P_TOKEN" bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM FROM "ORAPULL"."SOURCE" FOR UPDATE;
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    PERFORM "ORAPULL"."DROP_REQUESTS"("P_SHARD");
    DELETE FROM "ORAPULL"."SHARD" WHERE "SHARD" = "P_SHARD";
    PERFORM "ORAPULL"."FORGET_UNWANTED_TABLES"();
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."DROP_SHARD"(text, bigint) IS 'The shard leaves for good: nothing is held for it any more';
