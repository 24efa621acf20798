-- Numbers: division never loses a fraction, NULL is the greatest and the least of all.
SET search_path = pg_catalog;

CREATE FUNCTION ora.divide(a numeric, b numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN trim_scale(a / b);
COMMENT ON FUNCTION ora.divide(numeric, numeric) IS 'a / b';
CREATE OPERATOR ora./ (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = ora.divide);

DO $$
DECLARE
    l_left  text;
    l_right text;
BEGIN
    FOREACH l_left IN ARRAY ARRAY['int', 'bigint', 'numeric'] LOOP
        FOREACH l_right IN ARRAY ARRAY['int', 'bigint', 'numeric'] LOOP
            CONTINUE WHEN l_left = 'numeric' AND l_right = 'numeric';
            EXECUTE format('CREATE FUNCTION ora.divide(a %s, b %s) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
                RETURN ora.divide(a::numeric, b::numeric)', l_left, l_right);
            EXECUTE format('CREATE OPERATOR ora./ (LEFTARG = %s, RIGHTARG = %s, FUNCTION = ora.divide)', l_left, l_right);
        END LOOP;
    END LOOP;
END
$$;

-- GREATEST and LEAST of numbers, texts and times.
DO $$
DECLARE
    l_type text;
    l_name text;
BEGIN
    FOREACH l_type IN ARRAY ARRAY['numeric', 'text', 'timestamp', 'timestamptz'] LOOP
        FOREACH l_name IN ARRAY ARRAY['greatest', 'least'] LOOP
            EXECUTE format('CREATE FUNCTION ora.%I(VARIADIC v %s[]) RETURNS %2$s LANGUAGE sql IMMUTABLE PARALLEL SAFE
                RETURN (SELECT CASE WHEN count(*) = count(a) THEN %s(a) END FROM unnest(v) AS u (a))',
                l_name, l_type, CASE l_name WHEN 'greatest' THEN 'max' ELSE 'min' END);
        END LOOP;
    END LOOP;
END
$$;

-- Of whole numbers PostgreSQL would make floating-point ones.
DO $$
DECLARE
    l_type text;
    l_name text;
BEGIN
    FOREACH l_type IN ARRAY ARRAY['int', 'bigint'] LOOP
        FOREACH l_name IN ARRAY ARRAY['floor', 'ceil', 'round', 'trunc', 'sign'] LOOP
            EXECUTE format('CREATE FUNCTION ora.%1$I(n %2$s) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
                RETURN pg_catalog.%1$I(n::numeric)', l_name, l_type);
        END LOOP;
    END LOOP;
END
$$;

CREATE FUNCTION ora.mod(a numeric, b numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE b WHEN 0 THEN a ELSE pg_catalog.mod(a, b) END;
COMMENT ON FUNCTION ora.mod(numeric, numeric) IS 'The dividend when the divisor is 0';

CREATE FUNCTION ora.power(a numeric, b numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN trim_scale(pg_catalog.power(a, b));
COMMENT ON FUNCTION ora.power(numeric, numeric) IS 'a to the power of b';

CREATE FUNCTION ora.power(a int, b int) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.power(a::numeric, b::numeric);
COMMENT ON FUNCTION ora.power(int, int) IS 'Not a floating-point number';

CREATE FUNCTION ora.bitand(a numeric, b numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (a::bigint & b::bigint)::numeric;
COMMENT ON FUNCTION ora.bitand(numeric, numeric) IS 'Bits that both have';

CREATE FUNCTION ora.to_number(v text) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN v::numeric;
COMMENT ON FUNCTION ora.to_number(text) IS 'Raises when the text is no number';

CREATE FUNCTION ora.to_number(v text, format text, nls text) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN nls = 'NLS_NUMERIC_CHARACTERS=''.,''' THEN v ELSE ora.refuse(concat('NLS ', nls)) END::numeric;
COMMENT ON FUNCTION ora.to_number(text, text, text) IS 'Any format is taken to be wide enough; only with the point as decimal sign';
