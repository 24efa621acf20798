-- Text as Oracle sees it: '' is NULL, and NULL in a concatenation is nothing.
-- Bodies after RETURN are bound here and now, whatever search_path a caller has, and are inlined.

CREATE SCHEMA ora;
COMMENT ON SCHEMA ora IS 'What Oracle''s functions and operators do, for translated PL/SQL; stands before pg_catalog in search_path';
GRANT USAGE ON SCHEMA ora TO PUBLIC;
SET search_path = pg_catalog;

CREATE FUNCTION ora.refuse(what text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog
AS $$
BEGIN
    RAISE EXCEPTION 'the test bed does not know %', what;
END
$$;
COMMENT ON FUNCTION ora.refuse(text) IS 'Better than a result that Oracle would not give';

CREATE FUNCTION ora.to_char(v text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN v;
COMMENT ON FUNCTION ora.to_char(text) IS 'A text stays as it is';

CREATE FUNCTION ora.to_char(n numeric) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(trim_scale(n)::text, '^(-?)0\.', '\1.');
COMMENT ON FUNCTION ora.to_char(numeric) IS 'No zeros at the end, none before the point';

CREATE FUNCTION ora.to_char(n numeric, format text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN upper(format) IN ('TM', 'TM9') THEN ora.to_char(n) ELSE pg_catalog.to_char(n, format) END;
COMMENT ON FUNCTION ora.to_char(numeric, text) IS 'PostgreSQL has no format TM9';

CREATE FUNCTION ora.to_char(n numeric, format text, nls text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN nls = 'NLS_NUMERIC_CHARACTERS=''.,''' THEN ora.to_char(n, format)
        ELSE ora.refuse(concat('NLS ', nls))
    END;
COMMENT ON FUNCTION ora.to_char(numeric, text, text) IS 'Only with the point as decimal sign';

CREATE FUNCTION ora.concatenate(a text, b text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN nullif(coalesce(a, '') || coalesce(b, ''), '');
COMMENT ON FUNCTION ora.concatenate(text, text) IS 'a || b';

CREATE FUNCTION ora.without_format(a text, b anynonarray) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog
AS $$
BEGIN
    RAISE EXCEPTION 'a % becomes text without a format: what Oracle does depends on NLS', pg_typeof(b);
END
$$;
COMMENT ON FUNCTION ora.without_format(text, anynonarray) IS 'Refuses to guess';

CREATE FUNCTION ora.without_format(a anynonarray, b text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog
AS 'SELECT ora.without_format(b, a)';
COMMENT ON FUNCTION ora.without_format(anynonarray, text) IS 'Refuses to guess';

CREATE OPERATOR ora.|| (LEFTARG = text, RIGHTARG = text, FUNCTION = ora.concatenate);
CREATE OPERATOR ora.|| (LEFTARG = text, RIGHTARG = anynonarray, FUNCTION = ora.without_format);
CREATE OPERATOR ora.|| (LEFTARG = anynonarray, RIGHTARG = text, FUNCTION = ora.without_format);

-- Whole and other numbers on either side.
DO $$
DECLARE
    l_type text;
BEGIN
    FOREACH l_type IN ARRAY ARRAY['int', 'bigint', 'numeric'] LOOP
        EXECUTE format('CREATE FUNCTION ora.concatenate(a text, b %s) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            RETURN ora.concatenate(a, ora.to_char(b::numeric))', l_type);
        EXECUTE format('CREATE FUNCTION ora.concatenate(a %s, b text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            RETURN ora.concatenate(ora.to_char(a::numeric), b)', l_type);
        EXECUTE format('CREATE OPERATOR ora.|| (LEFTARG = text, RIGHTARG = %s, FUNCTION = ora.concatenate)', l_type);
        EXECUTE format('CREATE OPERATOR ora.|| (LEFTARG = %s, RIGHTARG = text, FUNCTION = ora.concatenate)', l_type);
    END LOOP;
END
$$;

CREATE FUNCTION ora.concat(a text, b text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.concatenate(a, b);
COMMENT ON FUNCTION ora.concat(text, text) IS 'Two texts only';

CREATE FUNCTION ora.substr(v text, start numeric) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN nullif(CASE
        WHEN trunc(start) >= 0 THEN pg_catalog.substr(v, greatest(trunc(start), 1)::int)
        WHEN -trunc(start) <= length(v) THEN pg_catalog.right(v, -trunc(start)::int)
    END, '');
COMMENT ON FUNCTION ora.substr(text, numeric) IS 'Position 0 is 1, a negative one counts from the end';

CREATE FUNCTION ora.substr(v text, start numeric, length numeric) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN trunc(length) >= 1 THEN pg_catalog.left(ora.substr(v, start), trunc(length)::int) END;
COMMENT ON FUNCTION ora.substr(text, numeric, numeric) IS 'NULL for a length below 1';

-- With integers PostgreSQL would take its own.
CREATE FUNCTION ora.substr(v text, start int) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.substr(v, start::numeric);
COMMENT ON FUNCTION ora.substr(text, int) IS 'Position 0 is 1, a negative one counts from the end';

CREATE FUNCTION ora.substr(v text, start int, length int) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.substr(v, start::numeric, length::numeric);
COMMENT ON FUNCTION ora.substr(text, int, int) IS 'NULL for a length below 1';

CREATE FUNCTION ora.substrb(v text, start numeric, length numeric) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT string_agg(
        CASE WHEN c.first >= start AND c.last < start + length THEN c.letter
            ELSE repeat(' ', (least(c.last, start + length - 1) - greatest(c.first, start) + 1)::int) END,
        '' ORDER BY c.first)
    FROM (
        SELECT l.letter, sum(octet_length(l.letter)) OVER (ORDER BY l.n) - octet_length(l.letter) + 1 AS first,
            sum(octet_length(l.letter)) OVER (ORDER BY l.n) AS last
        FROM regexp_split_to_table(v, '') WITH ORDINALITY AS l (letter, n)
    ) c
    WHERE c.last >= start AND c.first < start + length;
END;
COMMENT ON FUNCTION ora.substrb(text, numeric, numeric) IS 'Bytes from 1 on; blanks for what is left of a character that is cut';

CREATE FUNCTION ora.lengthb(v text) RETURNS int
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN octet_length(v);
COMMENT ON FUNCTION ora.lengthb(text) IS 'Bytes';

CREATE FUNCTION ora.instr(v text, part text, start numeric DEFAULT 1, occurrence numeric DEFAULT 1) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog
AS $$
DECLARE
    l_step int := CASE WHEN start < 0 THEN -1 ELSE 1 END;
    l_at   int := CASE WHEN start < 0 THEN length(v) + 1 + start ELSE start END;
    l_seen int := 0;
BEGIN
    IF v IS NULL OR part IS NULL OR start IS NULL OR occurrence IS NULL THEN
        RETURN NULL;
    END IF;
    WHILE start <> 0 AND l_at BETWEEN 1 AND length(v) LOOP
        IF substr(v, l_at, length(part)) = part THEN
            l_seen := l_seen + 1;
            IF l_seen = occurrence THEN
                RETURN l_at;
            END IF;
        END IF;
        l_at := l_at + l_step;
    END LOOP;
    RETURN 0;
END
$$;
COMMENT ON FUNCTION ora.instr(text, text, numeric, numeric) IS 'Place of an occurrence, 0: none; a negative start searches backwards';

CREATE FUNCTION ora.replace(v text, part text, by text DEFAULT NULL) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN nullif(CASE WHEN part IS NULL THEN v ELSE pg_catalog.replace(v, part, coalesce(by, '')) END, '');
COMMENT ON FUNCTION ora.replace(text, text, text) IS 'NULL is the empty text';

CREATE FUNCTION ora.translate(v text, old text, new text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(pg_catalog.translate(v, old, new), '');
COMMENT ON FUNCTION ora.translate(text, text, text) IS 'NULL when nothing is left';

CREATE FUNCTION ora.lpad(v text, length numeric, by text DEFAULT ' ') RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(pg_catalog.lpad(v, trunc(length)::int, by), '');
COMMENT ON FUNCTION ora.lpad(text, numeric, text) IS 'NULL for a length below 1';

CREATE FUNCTION ora.rpad(v text, length numeric, by text DEFAULT ' ') RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(pg_catalog.rpad(v, trunc(length)::int, by), '');
COMMENT ON FUNCTION ora.rpad(text, numeric, text) IS 'NULL for a length below 1';

CREATE FUNCTION ora.lpad(n numeric, length numeric, by text DEFAULT ' ') RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ora.lpad(ora.to_char(n), length, by);
COMMENT ON FUNCTION ora.lpad(numeric, numeric, text) IS 'A number becomes text first';

CREATE FUNCTION ora."trim"(v text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(btrim(v), '');
COMMENT ON FUNCTION ora."trim"(text) IS 'NULL when nothing is left';

CREATE FUNCTION ora.ltrim(v text, characters text DEFAULT ' ') RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(pg_catalog.ltrim(v, characters), '');
COMMENT ON FUNCTION ora.ltrim(text, text) IS 'NULL when nothing is left';

CREATE FUNCTION ora.rtrim(v text, characters text DEFAULT ' ') RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(pg_catalog.rtrim(v, characters), '');
COMMENT ON FUNCTION ora.rtrim(text, text) IS 'NULL when nothing is left';

CREATE FUNCTION ora.regexp_replace(v text, pattern text, by text DEFAULT NULL) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN nullif(pg_catalog.regexp_replace(v, pattern, coalesce(by, ''), 'g'), '');
COMMENT ON FUNCTION ora.regexp_replace(text, text, text) IS 'Replaces all, not the first';

CREATE FUNCTION ora.regexp_substr(v text, pattern text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(pg_catalog.regexp_substr(v, pattern), '');
COMMENT ON FUNCTION ora.regexp_substr(text, text) IS 'The first match';

CREATE FUNCTION ora.regexp_substr(v text, pattern text, start numeric, occurrence numeric DEFAULT 1) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN nullif(pg_catalog.regexp_substr(v, pattern, start::int, occurrence::int), '');
COMMENT ON FUNCTION ora.regexp_substr(text, text, numeric, numeric) IS 'A later match';

CREATE FUNCTION ora.chartorowid(v text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN v;
COMMENT ON FUNCTION ora.chartorowid(text) IS 'ROWIDs are text in the test bed';

CREATE FUNCTION ora.rowidtochar(v text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN v;
COMMENT ON FUNCTION ora.rowidtochar(text) IS 'ROWIDs are text in the test bed';

CREATE FUNCTION ora.rawtohex(v bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN nullif(upper(encode(v, 'hex')), '');
COMMENT ON FUNCTION ora.rawtohex(bytea) IS 'Hexadecimal digits, upper case';

CREATE FUNCTION ora.hextoraw(v text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN decode(v, 'hex');
COMMENT ON FUNCTION ora.hextoraw(text) IS 'Bytes of hexadecimal digits';

CREATE FUNCTION ora.standard_hash(v text, method text DEFAULT 'SHA1') RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog
AS $$
DECLARE
    l_bytes bytea := convert_to(v, 'UTF8');
BEGIN
    CASE upper(method)
        WHEN 'MD5' THEN RETURN decode(md5(l_bytes), 'hex');
        WHEN 'SHA256' THEN RETURN sha256(l_bytes);
        WHEN 'SHA384' THEN RETURN sha384(l_bytes);
        WHEN 'SHA512' THEN RETURN sha512(l_bytes);
        ELSE RAISE EXCEPTION 'hash method % is not in the test bed', method;
    END CASE;
END
$$;
COMMENT ON FUNCTION ora.standard_hash(text, text) IS 'MD5, SHA256, SHA384, SHA512';

CREATE FUNCTION ora.sys_guid() RETURNS bytea
    LANGUAGE sql VOLATILE RETURN decode(pg_catalog.replace(gen_random_uuid()::text, '-', ''), 'hex');
COMMENT ON FUNCTION ora.sys_guid() IS 'Sixteen bytes that nobody else has';
