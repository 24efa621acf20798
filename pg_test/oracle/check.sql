-- Proves what README.md promises of the scripted source. Run it in a database into which scripted/ and demo/ were just
-- loaded, as the role that loaded them; the first broken promise ends it with an error:
--   psql -X -q -v ON_ERROR_STOP=1 -d DATABASE -f check.sql
\ir assertions.sql

-- What the checks attach and register with; they leave the lease to the last token.
CREATE FUNCTION pg_temp.token(p_shard text) RETURNS bigint LANGUAGE sql AS $$
SELECT "TOKEN" FROM "ORAPULL"."SHARD" WHERE "SHARD" = p_shard
$$;

CREATE FUNCTION pg_temp.register(p_table text, p_identity text) RETURNS bigint LANGUAGE sql AS $$
SELECT "API"."REGISTER_TABLE"('one', pg_temp.token('one'), 'APP', p_table, p_identity)
$$;

\ir check/10_types.sql
\ir check/20_lease.sql
\ir check/30_tables.sql
\ir check/40_publish.sql
\ir check/50_resolve.sql
\ir check/60_scripts.sql
\ir check/70_rights.sql
\ir check/80_demo.sql
\echo scripted source: all checks passed
