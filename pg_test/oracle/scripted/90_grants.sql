-- A shard gets the contract and nothing else.
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA "ORAPULL", "API", "TEST" FROM PUBLIC;

GRANT USAGE ON SCHEMA "ORAPULL", "API" TO orapull_shard;
GRANT SELECT ON "ORAPULL"."SOURCE_V", "ORAPULL"."SHARD_V", "ORAPULL"."CANDIDATE_V", "ORAPULL"."TABLE_V",
    "ORAPULL"."COLUMN_V", "ORAPULL"."PORTION_V", "ORAPULL"."PORTION_TABLE_V", "ORAPULL"."POINTER_V" TO orapull_shard;
GRANT INSERT ON "ORAPULL"."ASK_V" TO orapull_shard;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "API" TO orapull_shard;

-- PostgreSQL lets a reader of a view call only what the reader may call.
GRANT EXECUTE ON FUNCTION "ORAPULL"."ORACLE_TYPE"(oid, int), "ORAPULL"."REFUSAL"(oid),
    "ORAPULL"."OLDEST_TX_AGE"() TO orapull_shard;
