-- Dynamic SQL and rules of transactions, by a library that is loaded into each session.
SET search_path = pg_catalog;

CREATE FUNCTION ora.sql(statement text) RETURNS text
    LANGUAGE c VOLATILE STRICT AS 'ora_backend', 'ora_sql_wrapper';
COMMENT ON FUNCTION ora.sql(text) IS 'The text of EXECUTE IMMEDIATE as PostgreSQL wants it';

CREATE FUNCTION ora.has_written() RETURNS boolean
    LANGUAGE c VOLATILE STRICT AS 'ora_backend', 'ora_has_written_wrapper';
COMMENT ON FUNCTION ora.has_written() IS 'Whether this transaction has changed or locked rows of a package''s table';

CREATE FUNCTION ora.sqlcode(state text) RETURNS int
    LANGUAGE c IMMUTABLE STRICT AS 'ora_backend', 'ora_sqlcode_wrapper';
COMMENT ON FUNCTION ora.sqlcode(text) IS 'SQLCODE of a SQLSTATE';

CREATE FUNCTION ora.sqlerrm(state text, message text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT AS 'ora_backend', 'ora_sqlerrm_wrapper';
COMMENT ON FUNCTION ora.sqlerrm(text, text) IS 'SQLERRM of a SQLSTATE and its message';

-- What a session wrote is known from its first statement on.
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I SET session_preload_libraries = ''ora_backend''', current_database());
END
$$;
LOAD 'ora_backend';
