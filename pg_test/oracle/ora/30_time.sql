-- Times. SYSTIMESTAMP and SYSDATE are words of the dialect.
SET search_path = pg_catalog;

CREATE FUNCTION ora.sys_extract_utc(t timestamptz) RETURNS timestamp
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN timezone('UTC', t);
COMMENT ON FUNCTION ora.sys_extract_utc(timestamptz) IS 'The same moment in UTC';

CREATE FUNCTION ora.numtodsinterval(n numeric, unit text) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE upper(unit)
        WHEN 'SECOND' THEN n::float8 * interval '1 second'
        WHEN 'MINUTE' THEN n::float8 * interval '1 minute'
        WHEN 'HOUR' THEN n::float8 * interval '1 hour'
        WHEN 'DAY' THEN n::float8 * interval '24 hours'
        ELSE ('unknown unit ' || unit)::interval
    END;
COMMENT ON FUNCTION ora.numtodsinterval(numeric, text) IS 'SECOND, MINUTE, HOUR or DAY';

CREATE FUNCTION ora.to_timestamp(v text, format text) RETURNS timestamp
    LANGUAGE sql STABLE PARALLEL SAFE RETURN v::timestamp;
COMMENT ON FUNCTION ora.to_timestamp(text, text) IS 'Reads the canonical form, which any format of ours describes';

CREATE FUNCTION ora.to_date(v text, format text) RETURNS timestamp(0)
    LANGUAGE sql STABLE PARALLEL SAFE RETURN v::timestamp(0);
COMMENT ON FUNCTION ora.to_date(text, text) IS 'A DATE has a time of day';
