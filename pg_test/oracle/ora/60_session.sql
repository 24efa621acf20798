-- What a session knows of itself.
SET search_path = pg_catalog;

CREATE FUNCTION ora.sys_context(namespace text, parameter text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog
AS $$
BEGIN
    CASE upper(namespace) || '.' || upper(parameter)
        WHEN 'USERENV.SID' THEN RETURN pg_backend_pid();
        WHEN 'USERENV.INSTANCE' THEN RETURN 1;
        ELSE
            RAISE EXCEPTION USING ERRCODE = 'O07D3', MESSAGE = 'ORA-02003: invalid USERENV parameter';
    END CASE;
END
$$;
COMMENT ON FUNCTION ora.sys_context(text, text) IS 'SYS_CONTEXT; there is one instance';
