-- What install.sql grants to the shards, on the translated files. The role is shared by all databases of a cluster.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'orapull_shard') THEN
        CREATE ROLE orapull_shard NOLOGIN;
    END IF;
END
$$;
GRANT USAGE ON SCHEMA "ORAPULL", "API" TO orapull_shard;
GRANT SELECT ON "ORAPULL"."SOURCE_V", "ORAPULL"."SHARD_V", "ORAPULL"."CANDIDATE_V", "ORAPULL"."TABLE_V", "ORAPULL"."COLUMN_V",
    "ORAPULL"."PLAN_V", "ORAPULL"."PORTION_V", "ORAPULL"."PORTION_TABLE_V", "ORAPULL"."POINTER_V" TO orapull_shard;
GRANT INSERT ON "ORAPULL"."ASK_V" TO orapull_shard;
GRANT EXECUTE ON ALL ROUTINES IN SCHEMA "API" TO orapull_shard;
-- Oracle grants nobody what is not granted: START_MINING, SKIP_GAP and the like are for the operator.
REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA "ORAPULL" FROM PUBLIC;
