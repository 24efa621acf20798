-- Dynamic SQL and rules of transactions, by a library that session_preload_libraries loads into each session: what a
-- transaction wrote must be known from its first statement on.
SET search_path = pg_catalog;

CREATE FUNCTION ora.sql(statement text) RETURNS text
    LANGUAGE c VOLATILE STRICT AS 'ora_backend', 'ora_sql_wrapper';
COMMENT ON FUNCTION ora.sql(text) IS 'The text of EXECUTE IMMEDIATE as PostgreSQL wants it';

CREATE FUNCTION ora.drop_view(view text) RETURNS void
    LANGUAGE plpgsql
    SET client_min_messages = warning
AS $$
BEGIN
    EXECUTE pg_catalog.format('DROP VIEW IF EXISTS %s', view);
EXCEPTION
    -- Others need it: it can only be replaced by one with the same columns.
    WHEN dependent_objects_still_exist THEN NULL;
END
$$;
COMMENT ON FUNCTION ora.drop_view(text) IS 'Drops a view that is to be replaced, unless others need it; its name is quoted';

CREATE FUNCTION ora.has_written() RETURNS boolean
    LANGUAGE c VOLATILE STRICT AS 'ora_backend', 'ora_has_written_wrapper';
COMMENT ON FUNCTION ora.has_written() IS 'Whether this transaction has changed or locked rows of a package''s table';

CREATE FUNCTION ora.sqlcode(state text) RETURNS int
    LANGUAGE c IMMUTABLE STRICT AS 'ora_backend', 'ora_sqlcode_wrapper';
COMMENT ON FUNCTION ora.sqlcode(text) IS 'SQLCODE of a SQLSTATE';

CREATE FUNCTION ora.sqlerrm(state text, message text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT AS 'ora_backend', 'ora_sqlerrm_wrapper';
COMMENT ON FUNCTION ora.sqlerrm(text, text) IS 'SQLERRM of a SQLSTATE and its message';
