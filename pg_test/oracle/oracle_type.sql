-- What Oracle's dictionary would say of a PostgreSQL type. Both sources have this function, each in the schema that the
-- including file names.

CREATE FUNCTION :"schema"."ORACLE_TYPE"(
    p_type oid, p_typmod int,
    OUT "DATA_TYPE" text, OUT "DATA_LENGTH" bigint, OUT "CHAR_LENGTH" bigint,
    OUT "DATA_PRECISION" bigint, OUT "DATA_SCALE" bigint
)
    LANGUAGE plpgsql IMMUTABLE
    SET search_path = pg_catalog
AS $$
DECLARE
    l_size     int := p_typmod - 4;
    l_fraction int := CASE WHEN p_typmod = -1 THEN 6 ELSE p_typmod END;
    c_year_to_month CONSTANT int := 6;
BEGIN
    "CHAR_LENGTH" := 0;
    CASE p_type
        WHEN 'numeric'::regtype THEN
            "DATA_TYPE" := 'NUMBER';
            "DATA_LENGTH" := 22;
            IF p_typmod <> -1 THEN
                "DATA_PRECISION" := (l_size >> 16) & 65535;
                "DATA_SCALE" := ((l_size & 2047) # 1024) - 1024;
            END IF;
        WHEN 'varchar'::regtype THEN
            "DATA_TYPE" := 'VARCHAR2';
            "CHAR_LENGTH" := CASE WHEN p_typmod = -1 THEN 4000 ELSE l_size END;
            "DATA_LENGTH" := least(4 * "CHAR_LENGTH", 4000);
        WHEN 'bpchar'::regtype THEN
            "DATA_TYPE" := 'CHAR';
            "CHAR_LENGTH" := CASE WHEN p_typmod = -1 THEN 2000 ELSE l_size END;
            "DATA_LENGTH" := least(4 * "CHAR_LENGTH", 2000);
        WHEN 'text'::regtype THEN
            "DATA_TYPE" := 'CLOB';
            "DATA_LENGTH" := 4000;
        WHEN 'bytea'::regtype THEN
            "DATA_TYPE" := 'BLOB';
            "DATA_LENGTH" := 4000;
        WHEN 'timestamp'::regtype THEN
            "DATA_TYPE" := CASE l_fraction WHEN 0 THEN 'DATE' ELSE format('TIMESTAMP(%s)', l_fraction) END;
            "DATA_LENGTH" := CASE l_fraction WHEN 0 THEN 7 ELSE 11 END;
            "DATA_SCALE" := nullif(l_fraction, 0);
        WHEN 'timestamptz'::regtype THEN
            "DATA_TYPE" := format('TIMESTAMP(%s) WITH TIME ZONE', l_fraction);
            "DATA_LENGTH" := 13;
            "DATA_SCALE" := l_fraction;
        WHEN 'real'::regtype THEN
            "DATA_TYPE" := 'BINARY_FLOAT';
            "DATA_LENGTH" := 4;
        WHEN 'double precision'::regtype THEN
            "DATA_TYPE" := 'BINARY_DOUBLE';
            "DATA_LENGTH" := 8;
        WHEN 'interval'::regtype THEN
            IF p_typmod <> -1 AND (p_typmod >> 16) & 32767 = c_year_to_month THEN
                "DATA_TYPE" := 'INTERVAL YEAR(9) TO MONTH';
                "DATA_LENGTH" := 5;
                "DATA_PRECISION" := 9;
                "DATA_SCALE" := 0;
            ELSE
                l_fraction := CASE WHEN p_typmod = -1 OR p_typmod & 65535 > 6 THEN 6 ELSE p_typmod & 65535 END;
                "DATA_TYPE" := format('INTERVAL DAY(9) TO SECOND(%s)', l_fraction);
                "DATA_LENGTH" := 11;
                "DATA_PRECISION" := 9;
                "DATA_SCALE" := l_fraction;
            END IF;
        ELSE
            -- Stands for a type that only its owner knows: refused, unless a test has said what it is.
            "DATA_TYPE" := upper(format_type(p_type, p_typmod));
    END CASE;
END
$$;
COMMENT ON FUNCTION :"schema"."ORACLE_TYPE"(oid, int) IS 'The Oracle type that a PostgreSQL type plays';
