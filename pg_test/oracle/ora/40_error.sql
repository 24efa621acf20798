-- Errors: ORA-nnnnn is SQLSTATE O and four hexadecimal digits, and a message that begins with its name.
SET search_path = pg_catalog;

CREATE FUNCTION ora.state(code numeric) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog
AS $$
BEGIN
    IF code NOT BETWEEN -20999 AND -20000 THEN
        RAISE EXCEPTION USING ERRCODE = 'O5208',
            MESSAGE = format('ORA-21000: error number argument to raise_application_error of %s is out of range', code);
    END IF;
    RETURN 'O' || upper(lpad(to_hex(-code::int), 4, '0'));
END
$$;
COMMENT ON FUNCTION ora.state(numeric) IS 'SQLSTATE of RAISE_APPLICATION_ERROR';

CREATE FUNCTION ora.message(code numeric, message text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN format('ORA-%s: %s', -code, left(message, 2048));
COMMENT ON FUNCTION ora.message(numeric, text) IS 'Message of RAISE_APPLICATION_ERROR';
