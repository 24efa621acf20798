-- The views of the contract. PULL_n and LOAD_n are made for each registered table (25_resolve.sql).

CREATE FUNCTION "ORAPULL"."OLDEST_TX_AGE"() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
SELECT extract(epoch FROM clock_timestamp() - min(xact_start))::bigint
FROM pg_stat_activity
WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()
$$;
COMMENT ON FUNCTION "ORAPULL"."OLDEST_TX_AGE"() IS 'Age in seconds of the oldest transaction that has written';

CREATE VIEW "ORAPULL"."SOURCE_NOW" AS
SELECT 1::bigint AS "CONTRACT_VERSION", s."INSTALL_ID", pg_catalog.upper(pg_catalog.current_database()) AS "DB_NAME",
       s."DBID", s."INCARNATION", s."STARTED_AT", 'OK' AS "STATE", NULL::text AS "STATE_DETAIL",
       (pg_catalog.pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint AS "CURRENT_SCN",
       s."MINED_SCN", s."PUBLISHED_SCN",
       coalesce((SELECT min(p."PORTION_ID") FROM "ORAPULL"."PORTION" p), s."LAST_PORTION" + 1) AS "FIRST_PORTION",
       s."LAST_PORTION", NULL::bigint AS "OLDEST_TX_SCN", "ORAPULL"."OLDEST_TX_AGE"() AS "OLDEST_TX_AGE_S",
       s."MINED_SCN" AS "KEEP_LOG_FROM", s."SAMPLED_AT", s."LEASE_SECONDS"
FROM "ORAPULL"."SOURCE" s;
COMMENT ON VIEW "ORAPULL"."SOURCE_NOW" IS 'The source as it is; positions in the WAL play SCNs';

CREATE VIEW "ORAPULL"."SOURCE_SHOWN" AS
SELECT r.*
FROM "ORAPULL"."SOURCE_NOW" n
CROSS JOIN LATERAL pg_catalog.jsonb_to_record(
    pg_catalog.to_jsonb(n) || coalesce(
        (SELECT pg_catalog.jsonb_object_agg(o."NAME", o."VALUE") FROM "ORAPULL"."OVERRIDE" o), '{}'
    )
) AS r (
    "CONTRACT_VERSION" bigint, "INSTALL_ID" text, "DB_NAME" text, "DBID" bigint, "INCARNATION" bigint,
    "STARTED_AT" timestamp(6), "STATE" text, "STATE_DETAIL" text, "CURRENT_SCN" bigint, "MINED_SCN" bigint,
    "PUBLISHED_SCN" bigint, "FIRST_PORTION" bigint, "LAST_PORTION" bigint, "OLDEST_TX_SCN" bigint,
    "OLDEST_TX_AGE_S" bigint, "KEEP_LOG_FROM" bigint, "SAMPLED_AT" timestamp(6), "LEASE_SECONDS" bigint
);
COMMENT ON VIEW "ORAPULL"."SOURCE_SHOWN" IS 'The source as the test wants it to look';

CREATE VIEW "ORAPULL"."SOURCE_V" AS
SELECT "CONTRACT_VERSION", "INSTALL_ID", "DB_NAME", "DBID", "INCARNATION", "STARTED_AT", "STATE", "STATE_DETAIL",
       "CURRENT_SCN", "MINED_SCN", "PUBLISHED_SCN", "FIRST_PORTION", "LAST_PORTION", "OLDEST_TX_SCN",
       "OLDEST_TX_AGE_S", "KEEP_LOG_FROM", "SAMPLED_AT"
FROM "ORAPULL"."SOURCE_SHOWN";
COMMENT ON VIEW "ORAPULL"."SOURCE_V" IS 'Contract: the source, one row';

CREATE VIEW "ORAPULL"."SHARD_V" AS
SELECT "SHARD", "HOLDER", "LEASE_UNTIL", "ACKED_PORTION", "ACKED_AT"
FROM "ORAPULL"."SHARD";
COMMENT ON VIEW "ORAPULL"."SHARD_V" IS 'Contract: who takes part';

CREATE VIEW "ORAPULL"."CANDIDATE_V" AS
SELECT d."OWNER", d."TABLE_NAME", nullif(c.reltuples, -1)::bigint AS "NUM_ROWS",
       "ORAPULL"."REFUSAL"(d."RELATION") AS "REASON"
FROM "ORAPULL"."DICTIONARY" d
JOIN pg_catalog.pg_class c ON c.oid = d."RELATION"
WHERE d."POSITION" = 1;
COMMENT ON VIEW "ORAPULL"."CANDIDATE_V" IS 'Contract: what could be registered, or why not';

CREATE VIEW "ORAPULL"."TABLE_V" AS
SELECT r."TABLE_ID", r."OWNER", r."TABLE_NAME", r."IDENTITY", s."SHAPE",
       CASE
           WHEN r."STATE" IS NOT NULL THEN r."STATE"
           WHEN c.oid IS NULL THEN 'REFUSED'
           -- Every transaction that was open when the table was registered has ended.
           WHEN pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()) > r."REGISTERED_XID" THEN 'READY'
           ELSE 'WAIT_TX'
       END AS "STATE",
       CASE
           WHEN r."STATE" IS NOT NULL THEN r."STATE_DETAIL"
           WHEN c.oid IS NULL THEN 'the table does not exist any more'
       END AS "STATE_DETAIL",
       nullif(c.reltuples, -1)::bigint AS "NUM_ROWS"
FROM "ORAPULL"."REGISTERED" r
LEFT JOIN pg_catalog.pg_class c ON c.oid = r."RELATION"
CROSS JOIN LATERAL (
    SELECT pg_catalog.md5(pg_catalog.concat_ws(
        '|', r."IDENTITY", r."KEY_COLUMNS", r."SALT",
        pg_catalog.string_agg(
            pg_catalog.concat_ws(
                ',', d."COLUMN_NAME", d."DATA_TYPE", d."DATA_LENGTH", d."CHAR_LENGTH",
                coalesce(d."DATA_PRECISION", -1), coalesce(d."DATA_SCALE", -1), d."NULLABLE"
            ), '|' ORDER BY d."POSITION"
        )
    )) AS "SHAPE"
    FROM "ORAPULL"."DICTIONARY" d
    WHERE d."RELATION" = r."RELATION"
) s;
COMMENT ON VIEW "ORAPULL"."TABLE_V" IS 'Contract: registered tables';

CREATE VIEW "ORAPULL"."COLUMN_V" AS
SELECT r."TABLE_ID", d."POSITION", d."COLUMN_NAME", d."DATA_TYPE", d."DATA_LENGTH", d."CHAR_LENGTH",
       d."DATA_PRECISION", d."DATA_SCALE", d."NULLABLE",
       pg_catalog.array_position(r."KEY_COLUMNS", d."COLUMN_NAME")::bigint AS "KEY_POSITION"
FROM "ORAPULL"."REGISTERED" r
JOIN "ORAPULL"."DICTIONARY" d ON d."RELATION" = r."RELATION";
COMMENT ON VIEW "ORAPULL"."COLUMN_V" IS 'Contract: columns of registered tables, as the table has them now';

CREATE VIEW "ORAPULL"."PLAN_V" AS
SELECT p."PLAN_ID", p."TABLE_ID",
       (SELECT count(*) FROM "ORAPULL"."PLAN_RANGE" r WHERE r."PLAN_ID" = p."PLAN_ID") AS "CHUNKS"
FROM "ORAPULL"."PLAN" p;
COMMENT ON VIEW "ORAPULL"."PLAN_V" IS 'Contract: plans of loads; an unknown one would look like an empty table';

CREATE VIEW "ORAPULL"."PORTION_V" AS
SELECT "PORTION_ID", "SLOT", "SCN_FROM", "SCN_TO", "POINTERS", "PUBLISHED_AT"
FROM "ORAPULL"."PORTION";
COMMENT ON VIEW "ORAPULL"."PORTION_V" IS 'Contract: published portions';

CREATE VIEW "ORAPULL"."PORTION_TABLE_V" AS
SELECT "PORTION_ID", "TABLE_ID", "POINTERS"
FROM "ORAPULL"."PORTION_TABLE";
COMMENT ON VIEW "ORAPULL"."PORTION_TABLE_V" IS 'Contract: which tables a portion touches';

CREATE VIEW "ORAPULL"."POINTER_V" AS
SELECT "P$SLOT", "P$PORTION", "P$PTR", "P$PREV", "TABLE_ID", "KIND", "ROW_ID",
       "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "NOTE", "COMMIT_SCN"
FROM "ORAPULL"."POINTER";
COMMENT ON VIEW "ORAPULL"."POINTER_V" IS 'Contract: the pointers';

-- Inserts go straight into the table; the transaction is filled in by its default.
CREATE VIEW "ORAPULL"."ASK_V" AS
SELECT "TABLE_ID", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8"
FROM "ORAPULL"."ASKED"
WHERE "TX" = pg_catalog.pg_current_xact_id_if_assigned();
COMMENT ON VIEW "ORAPULL"."ASK_V" IS 'Contract: identities to ask for, private to the transaction that inserts them';
