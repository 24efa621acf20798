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
        ELSE ora.refuse(concat('unit ', unit))::interval
    END;
COMMENT ON FUNCTION ora.numtodsinterval(numeric, text) IS 'SECOND, MINUTE, HOUR or DAY';

-- PostgreSQL has six digits of a second, and writes FF7 to FF9 as they stand.
CREATE FUNCTION ora.own_format(format text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(replace(replace(format, 'FF9', 'FF6"000"'), 'FF8', 'FF6"00"'), 'FF7', 'FF6"0"');
COMMENT ON FUNCTION ora.own_format(text) IS 'A format of times as PostgreSQL has it';

CREATE FUNCTION ora.to_char(t timestamp, format text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN pg_catalog.to_char(t, ora.own_format(format));
COMMENT ON FUNCTION ora.to_char(timestamp, text) IS 'With up to nine digits of a second';

CREATE FUNCTION ora.to_char(t timestamptz, format text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE RETURN pg_catalog.to_char(t, ora.own_format(format));
COMMENT ON FUNCTION ora.to_char(timestamptz, text) IS 'With up to nine digits of a second';

CREATE FUNCTION ora.to_timestamp(v text, format text) RETURNS timestamp
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE
        WHEN format ~ '^YYYY-MM-DD HH24:MI:SS(\.FF[1-9])?$' THEN v
        ELSE ora.refuse(concat('format ', format))
    END::timestamp;
COMMENT ON FUNCTION ora.to_timestamp(text, text) IS 'Only the canonical form';

CREATE FUNCTION ora.to_date(v text, format text) RETURNS timestamp(0)
    LANGUAGE sql STABLE PARALLEL SAFE RETURN ora.to_timestamp(v, format)::timestamp(0);
COMMENT ON FUNCTION ora.to_date(text, text) IS 'A DATE has a time of day';
