-- Package API, part 3: requests.

CREATE FUNCTION "ORAPULL"."DIGEST"(
    p_table_id bigint, p_row_id text,
    p_k1 text, p_k2 text, p_k3 text, p_k4 text, p_k5 text, p_k6 text, p_k7 text, p_k8 text
) RETURNS bigint
    LANGUAGE sql IMMUTABLE
RETURN pg_catalog.hash_record_extended(ROW(p_table_id, p_row_id, p_k1, p_k2, p_k3, p_k4, p_k5, p_k6, p_k7, p_k8), 0);
COMMENT ON FUNCTION "ORAPULL"."DIGEST"(bigint, text, text, text, text, text, text, text, text, text)
    IS 'Hash of an identity';

CREATE FUNCTION "API"."ASK"("P_SHARD" text, "P_TOKEN" bigint, "P_TABLE_ID" bigint, OUT "P_REQUEST_ID" bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    l_other bigint;
BEGIN
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    PERFORM "ORAPULL"."CHECK_TABLE"("P_SHARD", "P_TABLE_ID");
    SELECT "TABLE_ID" INTO l_other FROM "ORAPULL"."ASK_V" WHERE "TABLE_ID" IS DISTINCT FROM "P_TABLE_ID" LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ORA-20807: ASK_V has identities of table %, asked is table %',
            coalesce(l_other::text, 'NULL'), "P_TABLE_ID";
    END IF;
    INSERT INTO "ORAPULL"."REQUEST" ("SHARD", "TABLE_ID") VALUES ("P_SHARD", "P_TABLE_ID")
    RETURNING "REQUEST_ID" INTO "P_REQUEST_ID";
    WITH asked AS (
        DELETE FROM "ORAPULL"."ASKED" WHERE "TX" = pg_current_xact_id() RETURNING *
    )
    INSERT INTO "ORAPULL"."POINTER" (
        "P$SLOT", "P$PORTION", "P$PTR", "P$PREV", "TABLE_ID", "KIND", "ROW_ID",
        "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "DIGEST"
    )
    SELECT 0, "P_REQUEST_ID", row_number() OVER (ORDER BY a."N"), 0, a."TABLE_ID", 'R', a."ROW_ID",
           a."K1", a."K2", a."K3", a."K4", a."K5", a."K6", a."K7", a."K8", 0
    FROM asked a;
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."ASK"(text, bigint, bigint)
    IS 'Makes the identities in ASK_V a request, as many pointers as were inserted';

CREATE FUNCTION "API"."DONE"("P_SHARD" text, "P_TOKEN" bigint, "P_REQUEST_ID" bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM "ORAPULL"."CHECK_TOKEN"("P_SHARD", "P_TOKEN");
    DELETE FROM "ORAPULL"."REQUEST" WHERE "REQUEST_ID" = "P_REQUEST_ID" AND "SHARD" = "P_SHARD";
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ORA-20809: shard "%" has no open request %', "P_SHARD", coalesce("P_REQUEST_ID"::text, 'NULL');
    END IF;
    DELETE FROM "ORAPULL"."POINTER" WHERE "P$SLOT" = 0 AND "P$PORTION" = "P_REQUEST_ID";
    PERFORM "ORAPULL"."COMMIT"();
END
$$;
COMMENT ON FUNCTION "API"."DONE"(text, bigint, bigint) IS 'The request is served: its pointers are dropped';
