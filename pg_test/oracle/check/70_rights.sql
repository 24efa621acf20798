-- A shard may do what the contract says and nothing else.
SET ROLE orapull_shard;
DO $$
DECLARE
    l_name text;
    l_attached record;
    l_table bigint;
BEGIN
    l_attached := "API"."ATTACH"('rights', 'check', NULL, 0);
    l_table := "API"."REGISTER_TABLE"('rights', l_attached."P_TOKEN", 'APP', 'PLAIN', 'AUTO');
    FOREACH l_name IN ARRAY ARRAY['SOURCE_V', 'SHARD_V', 'CANDIDATE_V', 'TABLE_V', 'COLUMN_V', 'PORTION_V', 'PORTION_TABLE_V', 'POINTER_V',
                                  'PULL_' || l_table, 'LOAD_' || l_table] LOOP
        EXECUTE format('SELECT count(*) FROM "ORAPULL".%I', l_name);
        EXECUTE format('SELECT * FROM "ORAPULL".%I LIMIT 1', l_name);
    END LOOP;
    INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "ROW_ID") VALUES (l_table, 'AAAAAAAAAAAAAAAAA2');
    PERFORM "API"."DONE"('rights', l_attached."P_TOKEN", "API"."ASK"('rights', l_attached."P_TOKEN", l_table));
    PERFORM "API"."PLAN_RANGES"('rights', l_attached."P_TOKEN", l_table, 3);
    PERFORM "API"."DROP_SHARD"('rights', l_attached."P_TOKEN");
END
$$;
RESET ROLE;

-- Exactly the contract, and every object says what it is for.
DO $$
DECLARE
    l_more text;
BEGIN
    SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname) INTO l_more
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('ORAPULL', 'API', 'TEST', 'APP') AND c.relkind IN ('r', 'v')
      AND has_any_column_privilege('orapull_shard', c.oid, 'SELECT, INSERT, UPDATE') AND NOT c.relname ~ '_V$|^(PULL|LOAD)_\d+$';
    PERFORM pg_temp.expect('no relation beyond the contract: ' || coalesce(l_more, 'none'), l_more IS NULL);
    PERFORM pg_temp.expect('nothing of TEST', NOT has_schema_privilege('orapull_shard', 'TEST', 'USAGE'));
    PERFORM pg_temp.expect('ASK_V is write only', NOT has_table_privilege('orapull_shard', '"ORAPULL"."ASK_V"', 'SELECT'));
    SELECT string_agg(o.name, ', ') INTO l_more
    FROM (
        SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('ORAPULL', 'API', 'TEST') AND c.relkind IN ('r', 'v', 'S') AND obj_description(c.oid, 'pg_class') IS NULL
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i' AND c.relkind = 'S')
        UNION ALL
        SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname IN ('ORAPULL', 'API', 'TEST') AND obj_description(p.oid, 'pg_proc') IS NULL
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    ) AS o (name);
    PERFORM pg_temp.expect('a comment on each object; none on ' || coalesce(l_more, ''), l_more IS NULL);
    SELECT string_agg(a.pair, ', ') INTO l_more
    FROM (VALUES
        ('SOURCE_V', 'CONTRACT_VERSION,INSTALL_ID,DB_NAME,DBID,INCARNATION,STARTED_AT,STATE,STATE_DETAIL,CURRENT_SCN,MINED_SCN,PUBLISHED_SCN,'
                     'FIRST_PORTION,LAST_PORTION,OLDEST_TX_SCN,OLDEST_TX_AGE_S,KEEP_LOG_FROM,SAMPLED_AT'),
        ('SHARD_V', 'SHARD,HOLDER,LEASE_UNTIL,ACKED_PORTION,ACKED_AT'),
        ('CANDIDATE_V', 'OWNER,TABLE_NAME,NUM_ROWS,REASON'),
        ('TABLE_V', 'TABLE_ID,OWNER,TABLE_NAME,IDENTITY,SHAPE,STATE,STATE_DETAIL,NUM_ROWS'),
        ('COLUMN_V', 'TABLE_ID,POSITION,COLUMN_NAME,DATA_TYPE,DATA_LENGTH,CHAR_LENGTH,DATA_PRECISION,DATA_SCALE,NULLABLE,KEY_POSITION'),
        ('PORTION_V', 'PORTION_ID,SLOT,SCN_FROM,SCN_TO,POINTERS,PUBLISHED_AT'),
        ('PORTION_TABLE_V', 'PORTION_ID,TABLE_ID,POINTERS'),
        ('POINTER_V', 'P$SLOT,P$PORTION,P$PTR,P$PREV,TABLE_ID,KIND,ROW_ID,K1,K2,K3,K4,K5,K6,K7,K8,NOTE,COMMIT_SCN'),
        ('ASK_V', 'TABLE_ID,ROW_ID,K1,K2,K3,K4,K5,K6,K7,K8')) v (name, columns)
    CROSS JOIN LATERAL (
        SELECT v.name || ': ' || string_agg(t.attname, ',' ORDER BY t.attnum) AS pair, string_agg(t.attname, ',' ORDER BY t.attnum) AS columns,
               bool_and(format_type(t.atttypid, t.atttypmod) IN ('bigint', 'text', 'timestamp(6) without time zone')) AS types
        FROM pg_attribute t WHERE t.attrelid = format('"ORAPULL".%I', v.name)::regclass
    ) a
    WHERE a.columns <> v.columns OR NOT a.types;
    PERFORM pg_temp.expect('columns and types of the contract: ' || coalesce(l_more, ''), l_more IS NULL);
END
$$;
