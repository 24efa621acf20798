-- The publisher. Serial: it holds the lock on the row of SOURCE while it numbers portions.

CREATE FUNCTION "ORAPULL"."LOCK_SOURCE"() RETURNS bigint
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM FROM "ORAPULL"."SOURCE" FOR UPDATE;
    RETURN pg_current_wal_insert_lsn() - '0/0'::pg_lsn;
END
$$;
COMMENT ON FUNCTION "ORAPULL"."LOCK_SOURCE"()
    IS 'Takes the lock of the publisher and returns the position: whatever ended before it is visible to the next statement';

CREATE FUNCTION "ORAPULL"."SLOT_OF"(p_portion bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
RETURN 1 + p_portion / 8 % 4;
COMMENT ON FUNCTION "ORAPULL"."SLOT_OF"(bigint) IS 'Eight consecutive portions share a slot, four slots are a ring';

CREATE FUNCTION "ORAPULL"."INSERT_POINTERS"(p_first bigint, p_max int, p_scn bigint, p_prev boolean) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
    SET plan_cache_mode = force_custom_plan
    SET jit = off
AS $$
WITH barrier AS (
    -- A table with a T or D in this very batch looks at nothing earlier.
    SELECT b."TABLE_ID",
           CASE
               WHEN bool_or(b."KIND" IN ('T', 'D')) THEN p_first
               ELSE coalesce((SELECT max(q."P$PORTION") FROM "ORAPULL"."POINTER" q
                              WHERE q."TABLE_ID" = b."TABLE_ID" AND q."KIND" IN ('T', 'D')), 0)
           END AS portion
    FROM "ORAPULL"."BATCH" b
    GROUP BY b."TABLE_ID"
), numbered AS (
    SELECT b.*, row_number() OVER (ORDER BY b."N") - 1 AS place,
           "ORAPULL"."DIGEST"(b."TABLE_ID", b."ROW_ID", b."K1", b."K2", b."K3", b."K4", b."K5", b."K6", b."K7", b."K8") AS digest
    FROM "ORAPULL"."BATCH" b
)
INSERT INTO "ORAPULL"."POINTER" (
    "P$SLOT", "P$PORTION", "P$PTR", "P$PREV", "TABLE_ID", "KIND", "ROW_ID",
    "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "NOTE", "COMMIT_SCN", "DIGEST"
)
SELECT "ORAPULL"."SLOT_OF"(p_first + n.place / p_max), p_first + n.place / p_max, n.place % p_max + 1,
       coalesce(earlier.portion, 0), n."TABLE_ID", n."KIND", n."ROW_ID",
       n."K1", n."K2", n."K3", n."K4", n."K5", n."K6", n."K7", n."K8", n."NOTE", p_scn, n.digest
FROM numbered n
JOIN barrier a ON a."TABLE_ID" = n."TABLE_ID"
LEFT JOIN LATERAL (
    SELECT q."P$PORTION" AS portion
    FROM "ORAPULL"."POINTER" q
    WHERE p_prev AND n."KIND" = 'R' AND q."KIND" = 'R' AND q."P$SLOT" > 0
      AND q."DIGEST" = n.digest AND q."P$PORTION" >= a.portion AND q."P$PORTION" < p_first
      AND ROW(q."TABLE_ID", q."ROW_ID", q."K1", q."K2", q."K3", q."K4", q."K5", q."K6", q."K7", q."K8")
          IS NOT DISTINCT FROM
          ROW(n."TABLE_ID", n."ROW_ID", n."K1", n."K2", n."K3", n."K4", n."K5", n."K6", n."K7", n."K8")
    ORDER BY q."P$PORTION" DESC
    LIMIT 1
) earlier ON true
ORDER BY n."N"
$$;
COMMENT ON FUNCTION "ORAPULL"."INSERT_POINTERS"(bigint, int, bigint, boolean)
    IS 'Numbers the batch and links each pointer to the one before it';

CREATE FUNCTION "ORAPULL"."PUBLISH_BATCH"(p_max int, p_scn bigint, p_prev boolean) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_source   "ORAPULL"."SOURCE"%ROWTYPE;
    l_pointers bigint;
    l_first    bigint;
    l_last     bigint;
BEGIN
    SELECT * INTO l_source FROM "ORAPULL"."SOURCE";
    SELECT count(*) INTO l_pointers FROM "ORAPULL"."BATCH";
    l_first := l_source."LAST_PORTION" + 1;
    l_last := l_first + greatest(l_pointers - 1, 0) / p_max;
    PERFORM "ORAPULL"."INSERT_POINTERS"(l_first, p_max, p_scn, p_prev);
    TRUNCATE "ORAPULL"."BATCH";

    -- Only the last portion of the batch completes the range of positions.
    INSERT INTO "ORAPULL"."PORTION" ("PORTION_ID", "SLOT", "SCN_FROM", "SCN_TO", "POINTERS", "PUBLISHED_AT")
    SELECT i, "ORAPULL"."SLOT_OF"(i), l_source."PUBLISHED_SCN", CASE i WHEN l_last THEN p_scn ELSE l_source."PUBLISHED_SCN" END,
           least(p_max, l_pointers - (i - l_first) * p_max), "ORAPULL"."UTC_NOW"()
    FROM generate_series(l_first, l_last) i;
    INSERT INTO "ORAPULL"."PORTION_TABLE" ("PORTION_ID", "TABLE_ID", "POINTERS")
    SELECT "P$PORTION", "TABLE_ID", count(*)
    FROM "ORAPULL"."POINTER" WHERE "P$PORTION" BETWEEN l_first AND l_last AND "P$SLOT" > 0
    GROUP BY 1, 2;
    UPDATE "ORAPULL"."SOURCE" SET "LAST_PORTION" = l_last;
    PERFORM "ORAPULL"."ADVANCE"(p_scn);
    PERFORM "ORAPULL"."ANALYZE_POINTERS"(l_pointers);
    RETURN l_last - l_first + 1;
END
$$;
COMMENT ON FUNCTION "ORAPULL"."PUBLISH_BATCH"(int, bigint, boolean) IS 'Publishes the batch as one portion or more';

CREATE FUNCTION "ORAPULL"."ADVANCE"(p_scn bigint) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
UPDATE "ORAPULL"."SOURCE" SET "MINED_SCN" = p_scn, "PUBLISHED_SCN" = p_scn, "SAMPLED_AT" = "ORAPULL"."UTC_NOW"()
$$;
COMMENT ON FUNCTION "ORAPULL"."ADVANCE"(bigint) IS 'Everything up to the position is published';

CREATE FUNCTION "ORAPULL"."ANALYZE_POINTERS"(p_added bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    IF p_added > 1000 AND p_added > 0.2 * (SELECT reltuples FROM pg_class WHERE oid = '"ORAPULL"."POINTER"'::regclass) THEN
        ANALYZE "ORAPULL"."POINTER";
    END IF;
END
$$;
COMMENT ON FUNCTION "ORAPULL"."ANALYZE_POINTERS"(bigint)
    IS 'Keeps the plans of PULL_n good when many pointers came at once';

CREATE FUNCTION "TEST"."PUBLISH_COMMITTED"(p_max int DEFAULT 100000) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
    SET jit = off
AS $$
DECLARE
    l_scn   bigint := "ORAPULL"."LOCK_SOURCE"();
    l_found bigint;
BEGIN
    -- A statement of its own after the lock: it sees what has committed, and the registry as it is now. Of equal
    -- identities the last counts, or a T between them would come after the row it must not remove.
    WITH taken AS (
        DELETE FROM "ORAPULL"."STAGED" RETURNING *
    ), known AS (
        SELECT t."N", r."TABLE_ID", t."KIND", t."ROW_ID", k.*
        FROM taken t
        JOIN "ORAPULL"."REGISTERED" r ON r."RELATION" = t."RELATION"
        CROSS JOIN LATERAL (
            SELECT t."K1", t."K2", t."K3", t."K4", t."K5", t."K6", t."K7", t."K8" WHERE r."IDENTITY" = 'KEY'
            UNION ALL
            SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            WHERE r."IDENTITY" = 'ROWID' AND (t."ROW_ID" IS NOT NULL OR t."KIND" <> 'R')
        ) k
    )
    INSERT INTO "ORAPULL"."BATCH" ("N", "TABLE_ID", "KIND", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8")
    SELECT max("N"), "TABLE_ID", "KIND", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8"
    FROM known
    GROUP BY "TABLE_ID", "KIND", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8";
    GET DIAGNOSTICS l_found = ROW_COUNT;
    IF l_found = 0 THEN
        PERFORM "ORAPULL"."ADVANCE"(l_scn);
        RETURN 0;
    END IF;
    RETURN "ORAPULL"."PUBLISH_BATCH"(p_max, l_scn, true);
END
$$;
COMMENT ON FUNCTION "TEST"."PUBLISH_COMMITTED"(int)
    IS 'Publishes what the triggers have staged and is committed; returns the number of portions';
