-- Dynamic SQL and rules of transactions, by a library that session_preload_libraries loads into each session: what a
-- transaction wrote must be known from its first statement on.
SET search_path = pg_catalog;

CREATE FUNCTION ora.sql(statement text) RETURNS text
    LANGUAGE c VOLATILE STRICT AS 'ora_backend', 'ora_sql_wrapper';
COMMENT ON FUNCTION ora.sql(text) IS 'The text of EXECUTE IMMEDIATE as PostgreSQL wants it';

CREATE FUNCTION ora.drop_view(view text) RETURNS text
    LANGUAGE plpgsql
    SET client_min_messages = warning
AS $$
DECLARE
    l_grants text;
BEGIN
    SELECT string_agg(format('; GRANT %s ON %s TO %s', a.privilege_type, view, a.grantee::regrole), '') INTO l_grants
    FROM pg_class c
    CROSS JOIN LATERAL aclexplode(c.relacl) a
    WHERE c.oid = to_regclass(view) AND a.grantee <> c.relowner AND a.grantee <> 0;
    EXECUTE pg_catalog.format('DROP VIEW IF EXISTS %s', view);
    RETURN l_grants;
EXCEPTION
    -- Others need it: it can only be replaced by one with the same columns.
    WHEN dependent_objects_still_exist THEN RETURN NULL;
END
$$;
COMMENT ON FUNCTION ora.drop_view(text)
    IS 'Drops a view that is to be replaced, unless others need it; its name is quoted; returns its grants, each after a semicolon';

CREATE FUNCTION ora.has_written() RETURNS boolean
    LANGUAGE c VOLATILE STRICT AS 'ora_backend', 'ora_has_written_wrapper';
COMMENT ON FUNCTION ora.has_written() IS 'Whether this transaction has changed or locked rows of a package''s table';

CREATE FUNCTION ora.sqlcode(state text) RETURNS int
    LANGUAGE c IMMUTABLE STRICT AS 'ora_backend', 'ora_sqlcode_wrapper';
COMMENT ON FUNCTION ora.sqlcode(text) IS 'SQLCODE of a SQLSTATE';

CREATE FUNCTION ora.sqlerrm(state text, message text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT AS 'ora_backend', 'ora_sqlerrm_wrapper';
COMMENT ON FUNCTION ora.sqlerrm(text, text) IS 'SQLERRM of a SQLSTATE and its message';
