-- A shard may do what the contract says and nothing else.
SET ROLE orapull_shard;
CREATE FUNCTION pg_temp.holder() RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    l_token numeric;
    l_first numeric;
    l_now   numeric;
BEGIN
    CALL "API"."ATTACH"('rights', 'check', NULL, 1, l_token, l_first, l_now);
    RETURN l_token;
END
$$;
SELECT pg_temp.holder() AS token \gset
CALL "API"."REGISTER_TABLE"('rights', :token, 'APP', 'PLAIN', 'AUTO', NULL) \gset
\set table_id :P_TABLE_ID
SELECT format('SELECT count(*) FROM "ORAPULL".%I; SELECT * FROM "ORAPULL".%1$I LIMIT 1;', v)
FROM unnest(ARRAY['SOURCE_V', 'SHARD_V', 'CANDIDATE_V', 'TABLE_V', 'COLUMN_V', 'PLAN_V', 'PORTION_V', 'PORTION_TABLE_V', 'POINTER_V',
                  'PULL_' || :table_id, 'LOAD_' || :table_id]) v
\o /dev/null
\gexec
\o
BEGIN;
INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "ROW_ID") VALUES (:table_id, 'AAAAAAAAAAAAAAAAA2');
CALL "API"."ASK"('rights', :token, :table_id, NULL) \gset
COMMIT;
CALL "API"."DONE"('rights', :token, :P_REQUEST_ID);
CALL "API"."PLAN_RANGES"('rights', :token, :table_id, 3, NULL, NULL) \g /dev/null
CALL "API"."REFRESH_TABLE"('rights', :token, :table_id);
CALL "API"."ACK"('rights', :token, 0);
CALL "API"."DETACH"('rights', :token);
SELECT pg_temp.holder() AS token \gset
CALL "API"."DROP_TABLE"('rights', :token, :table_id);
CALL "API"."DROP_SHARD"('rights', :token);
RESET ROLE;

DO $$
DECLARE
    l_more text;
BEGIN
    SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname) INTO l_more
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('ORAPULL', 'APP', 'TEST') AND c.relkind IN ('r', 'v', 'S')
      AND has_any_column_privilege('orapull_shard', c.oid, 'SELECT, INSERT, UPDATE')
      AND NOT c.relname ~ '^(PULL|LOAD)_\d+$'
      AND c.relname NOT IN ('SOURCE_V', 'SHARD_V', 'CANDIDATE_V', 'TABLE_V', 'COLUMN_V', 'PLAN_V', 'PORTION_V', 'PORTION_TABLE_V', 'POINTER_V', 'ASK_V');
    PERFORM pg_temp.expect('no relation beyond the contract: ' || coalesce(l_more, 'none'), l_more IS NULL);
    PERFORM pg_temp.expect('ASK_V is write only', NOT has_table_privilege('orapull_shard', '"ORAPULL"."ASK_V"', 'SELECT'));
    SELECT string_agg(n.nspname, ', ') INTO l_more
    FROM pg_namespace n
    WHERE n.nspname ~ '^[A-Z]' AND n.nspname NOT IN ('ORAPULL', 'API') AND has_schema_privilege('orapull_shard', n.oid, 'USAGE');
    PERFORM pg_temp.expect('no other package: ' || coalesce(l_more, ''), l_more IS NULL);
    SELECT string_agg(p.proname, ', ' ORDER BY p.proname) INTO l_more
    FROM pg_proc p
    WHERE p.pronamespace IN ('"ORAPULL"'::regnamespace, '"API"'::regnamespace) AND has_function_privilege('orapull_shard', p.oid, 'EXECUTE')
      AND p.proname <> ALL ('{ATTACH,ACK,DETACH,DROP_SHARD,REGISTER_TABLE,DROP_TABLE,REFRESH_TABLE,PLAN_RANGES,ASK,DONE,PREFLIGHT}'::text[]);
    PERFORM pg_temp.expect('no call beyond the contract, none of an operator: ' || coalesce(l_more, ''), l_more IS NULL);
    SELECT string_agg(c.relname, ', ') INTO l_more
    FROM pg_class c
    WHERE c.relnamespace = '"ORAPULL"'::regnamespace AND c.relkind IN ('r', 'v') AND obj_description(c.oid, 'pg_class') IS NULL
      AND c.relname !~ '^(PULL|LOAD|STAGE|TRANSPORT)_\d+$';
    PERFORM pg_temp.expect('a comment on each object; none on ' || coalesce(l_more, ''), l_more IS NULL);
    SELECT string_agg(a.pair, ', ') INTO l_more
    FROM (VALUES
        ('SOURCE_V', 'CONTRACT_VERSION,INSTALL_ID,DB_NAME,DBID,INCARNATION,STARTED_AT,STATE,STATE_DETAIL,CURRENT_SCN,MINED_SCN,PUBLISHED_SCN,'
                     'FIRST_PORTION,LAST_PORTION,OLDEST_TX_SCN,OLDEST_TX_AGE_S,KEEP_LOG_FROM,SAMPLED_AT'),
        ('SHARD_V', 'SHARD,HOLDER,LEASE_UNTIL,ACKED_PORTION,ACKED_AT'),
        ('CANDIDATE_V', 'OWNER,TABLE_NAME,NUM_ROWS,REASON'),
        ('TABLE_V', 'TABLE_ID,OWNER,TABLE_NAME,IDENTITY,SHAPE,STATE,STATE_DETAIL,NUM_ROWS'),
        ('COLUMN_V', 'TABLE_ID,POSITION,COLUMN_NAME,DATA_TYPE,DATA_LENGTH,CHAR_LENGTH,DATA_PRECISION,DATA_SCALE,NULLABLE,KEY_POSITION'),
        ('PLAN_V', 'PLAN_ID,TABLE_ID,CHUNKS'),
        ('PORTION_V', 'PORTION_ID,SLOT,SCN_FROM,SCN_TO,POINTERS,PUBLISHED_AT'),
        ('PORTION_TABLE_V', 'PORTION_ID,TABLE_ID,POINTERS'),
        ('POINTER_V', 'P$SLOT,P$PORTION,P$PTR,P$PREV,TABLE_ID,KIND,ROW_ID,K1,K2,K3,K4,K5,K6,K7,K8,NOTE,COMMIT_SCN'),
        ('ASK_V', 'TABLE_ID,ROW_ID,K1,K2,K3,K4,K5,K6,K7,K8')) v (name, columns)
    CROSS JOIN LATERAL (
        SELECT v.name || ': ' || string_agg(t.attname, ',' ORDER BY t.attnum) AS pair, string_agg(t.attname, ',' ORDER BY t.attnum) AS columns
        FROM pg_attribute t WHERE t.attrelid = format('"ORAPULL".%I', v.name)::regclass
    ) a
    WHERE a.columns <> v.columns;
    PERFORM pg_temp.expect('columns of the contract: ' || coalesce(l_more, ''), l_more IS NULL);
END
$$;
