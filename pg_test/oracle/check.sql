-- Proves what README.md promises of the scripted source. Run it in a database into which scripted/ and demo/ were just
-- loaded, as the role that loaded them; the first broken promise ends it with an error:
--   psql -X -q -v ON_ERROR_STOP=1 -d DATABASE -f check.sql
-- Some checks need a second session. It connects through the server's socket; add what else that needs, a password
-- perhaps, with -v second='password=...'.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET search_path = pg_catalog;
\if :{?second}
\else
    \set second ''
\endif

CREATE EXTENSION IF NOT EXISTS dblink SCHEMA "TEST";

CREATE FUNCTION pg_temp.expect(p_what text, p_true boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_true IS NOT TRUE THEN
        RAISE EXCEPTION 'check failed: %', p_what;
    END IF;
END
$$;

CREATE FUNCTION pg_temp.refused(p_what text, p_message text, p_statement text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        EXECUTE p_statement;
    EXCEPTION WHEN OTHERS THEN
        IF sqlerrm NOT LIKE p_message THEN
            RAISE EXCEPTION 'check failed: %: expected "%", got "%"', p_what, p_message, sqlerrm;
        END IF;
        RETURN;
    END;
    RAISE EXCEPTION 'check failed: %: nothing was refused', p_what;
END
$$;

CREATE FUNCTION pg_temp.second_session(p_more text) RETURNS text LANGUAGE sql AS $$
SELECT "TEST".dblink_connect('second', format('host=%s port=%s dbname=%s user=%s %s',
    split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database(),
    session_user, p_more))
$$;

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
