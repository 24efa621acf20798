-- ROWIDs. A source table has a column "ROWID$" that plays Oracle's pseudo column.

CREATE SEQUENCE "ORAPULL"."ROWID_SEQ" CACHE 100;
COMMENT ON SEQUENCE "ORAPULL"."ROWID_SEQ" IS 'Places of rows';

CREATE FUNCTION "ORAPULL"."NEW_ROWID"(p_object bigint DEFAULT 73421) RETURNS text
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
-- Base64 of 108 bits: 36 of the data object, 18 of the file, 36 of the block, 18 of the row. Each half is a bigint
-- shifted to the left, so that its first 9 characters are its 54 bits.
DECLARE
    l_place bigint := nextval('"ORAPULL"."ROWID_SEQ"');
    l_high  bigint := (p_object << 18) | 7;
    l_low   bigint := ((l_place / 100 + 128) << 18) | (l_place % 100);
BEGIN
    RETURN left(encode(int8send(l_high << 10), 'base64'), 9) || left(encode(int8send(l_low << 10), 'base64'), 9);
END
$$;
COMMENT ON FUNCTION "ORAPULL"."NEW_ROWID"(bigint) IS 'A ROWID that was never used, of the given data object';

CREATE FUNCTION "TEST"."NEW_ROWID"(p_table text) RETURNS text
    LANGUAGE sql VOLATILE
RETURN "ORAPULL"."NEW_ROWID"();
COMMENT ON FUNCTION "TEST"."NEW_ROWID"(text) IS 'A ROWID that was never used; here one table is as good as another';

CREATE FUNCTION "TEST"."ADD_ROWID"(p_owner text, p_table text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    EXECUTE format(
        'ALTER TABLE %1$I.%2$I ADD COLUMN "ROWID$" text COLLATE "C" NOT NULL UNIQUE DEFAULT "ORAPULL"."NEW_ROWID"(%3$s)',
        p_owner, p_table, format('%I.%I', p_owner, p_table)::regclass::oid
    );
END
$$;
COMMENT ON FUNCTION "TEST"."ADD_ROWID"(text, text) IS 'Makes a table one that can be registered: adds its ROWIDs';
