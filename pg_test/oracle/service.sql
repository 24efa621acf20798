-- Proves what packages ADMISSION, REGISTRY, RESOLVER, SHARDS, LOADS, API and the views of the contract promise, on the
-- translated files over the stand-in of the database. Run it in a database into which ora/, standin/ and the translation
-- were just loaded, as the role that loaded them; the first broken promise ends it with an error:
--   psql -X -q -v ON_ERROR_STOP=1 -d DATABASE -f service.sql
-- Statements stand alone, because each call is a transaction of its own: DDL must not follow DML in one.
\ir assertions.sql
SET jit = off;
-- The dictionary is many views deep: planning a question to it takes longer than the answer.
SET plan_cache_mode = force_generic_plan;

-- Calls of the package as functions.
CREATE FUNCTION pg_temp.token(p_shard text) RETURNS numeric LANGUAGE sql AS $$
SELECT "TOKEN" FROM "ORAPULL"."SHARD" WHERE "SHARD" = p_shard
$$;
CREATE FUNCTION pg_temp.attach(
    p_shard text, p_holder text, p_applied numeric, p_force numeric, OUT token numeric, OUT first_portion numeric, OUT applied_now numeric
) LANGUAGE plpgsql AS $$ BEGIN CALL "API"."ATTACH"(p_shard, p_holder, p_applied, p_force, token, first_portion, applied_now); END $$;
CREATE FUNCTION pg_temp.register(p_table text, p_identity text DEFAULT 'AUTO', p_shard text DEFAULT 'one', OUT table_id numeric)
    LANGUAGE plpgsql AS $$ BEGIN CALL "API"."REGISTER_TABLE"(p_shard, pg_temp.token(p_shard), 'APP', p_table, p_identity, table_id); END $$;
CREATE FUNCTION pg_temp.table_id(p_table text) RETURNS numeric LANGUAGE sql STABLE AS $$
SELECT "TABLE_ID" FROM "ORAPULL"."TABLE_V" WHERE "OWNER" = 'APP' AND "TABLE_NAME" = p_table
$$;
CREATE FUNCTION pg_temp.state(p_table text) RETURNS text LANGUAGE sql AS $$
SELECT "STATE" FROM "ORAPULL"."TABLE_V" WHERE "OWNER" = 'APP' AND "TABLE_NAME" = p_table
$$;

-- Portions without pointers, as a publisher makes none: for what only counts them.
CREATE FUNCTION pg_temp.publish(p_portions int) RETURNS void LANGUAGE sql AS $$
INSERT INTO "ORAPULL"."PORTION" ("PORTION_ID", "SLOT_ID", "SCAN_ID", "SCN_FROM", "SCN_TO", "RESUME_SCN", "POINTERS", "PUBLISHED_AT")
SELECT "LAST_PORTION" + n, 1, 1, 1, 2, 1, 0, pg_catalog.now()::timestamp FROM "ORAPULL"."SOURCE_STATE" CROSS JOIN generate_series(1, p_portions) n;
UPDATE "ORAPULL"."SOURCE_STATE" SET "LAST_PORTION" = "LAST_PORTION" + p_portions
$$;

\ir grants.sql
INSERT INTO "ORAPULL"."SETTING" ("ONLY_ROW") VALUES (1);
CREATE SCHEMA "APP";

\ir service/10_lease.sql
\ir service/20_admission.sql
\ir service/30_tables.sql
\ir service/40_resolve.sql
\ir service/50_loads.sql
\ir service/60_watch.sql
\ir service/70_rights.sql
\ir service/75_sessions.sql
\ir service/80_status.sql
\echo services of the source: all checks passed
