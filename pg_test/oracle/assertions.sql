-- What the checks of both sources assert with. Some need a second session. It connects through the server's socket; add
-- what else that needs, a password perhaps, with -v second='password=...'.
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

CREATE FUNCTION pg_temp.same(p_what text, p_found text, p_expected text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_found IS DISTINCT FROM p_expected THEN
        RAISE EXCEPTION E'check failed: %:\n  found    %\n  expected %', p_what, p_found, p_expected;
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

CREATE FUNCTION pg_temp.second_session(p_more text, p_name text DEFAULT 'second') RETURNS text LANGUAGE sql AS $$
SELECT "TEST".dblink_connect(p_name, format('host=%s port=%s dbname=%s user=%s %s',
    split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database(),
    session_user, p_more))
$$;
