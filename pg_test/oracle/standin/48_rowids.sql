-- ROWIDs of Oracle's form: six digits of the data object, three of the file, six of the block, three of the row, in
-- base 64. Oracle compares them as numbers, PostgreSQL as text in which the digits from 52 on sort before the others. So
-- blocks and rows are given only numbers whose digits are all below 52: then both orders are the same, and ranges
-- of ROWIDs that come from extents hold what they should.

CREATE FUNCTION "SYS"."BASE64"(p_number bigint, p_digits int) RETURNS text
    LANGUAGE sql IMMUTABLE
RETURN pg_catalog.right(pg_catalog.left(pg_catalog.encode(pg_catalog.int8send(p_number << 4), 'base64'), 10), p_digits);
COMMENT ON FUNCTION "SYS"."BASE64"(bigint, int) IS 'The last digits of a number below 2^60';

CREATE FUNCTION "SYS"."FROM_BASE64"(p_digits text) RETURNS numeric
    LANGUAGE sql IMMUTABLE
RETURN ('x' || pg_catalog.encode(pg_catalog.decode(pg_catalog.lpad(p_digits, 8, 'A'), 'base64'), 'hex'))::bit(48)::bigint::numeric;
COMMENT ON FUNCTION "SYS"."FROM_BASE64"(text) IS 'The number that digits stand for';

CREATE FUNCTION "DBMS_ROWID"."ROWID_CREATE"(
    "ROWID_TYPE" numeric, "OBJECT_NUMBER" numeric, "RELATIVE_FNO" numeric, "BLOCK_NUMBER" numeric, "ROW_NUMBER" numeric
) RETURNS text
    LANGUAGE sql IMMUTABLE
RETURN "SYS"."BASE64"("OBJECT_NUMBER"::bigint, 6) OPERATOR(pg_catalog.||) "SYS"."BASE64"("RELATIVE_FNO"::bigint, 3)
    OPERATOR(pg_catalog.||) "SYS"."BASE64"("BLOCK_NUMBER"::bigint, 6) OPERATOR(pg_catalog.||) "SYS"."BASE64"("ROW_NUMBER"::bigint, 3);
COMMENT ON FUNCTION "DBMS_ROWID"."ROWID_CREATE"(numeric, numeric, numeric, numeric, numeric) IS 'A ROWID of its parts';
CREATE FUNCTION "DBMS_ROWID"."ROWID_OBJECT"("ROW_ID" text) RETURNS numeric
    LANGUAGE sql IMMUTABLE RETURN "SYS"."FROM_BASE64"(pg_catalog.substr("ROW_ID", 1, 6));
COMMENT ON FUNCTION "DBMS_ROWID"."ROWID_OBJECT"(text) IS 'Data object number of a ROWID';
CREATE FUNCTION "DBMS_ROWID"."ROWID_RELATIVE_FNO"("ROW_ID" text) RETURNS numeric
    LANGUAGE sql IMMUTABLE RETURN "SYS"."FROM_BASE64"(pg_catalog.substr("ROW_ID", 7, 3));
COMMENT ON FUNCTION "DBMS_ROWID"."ROWID_RELATIVE_FNO"(text) IS 'File of a ROWID';
CREATE FUNCTION "DBMS_ROWID"."ROWID_BLOCK_NUMBER"("ROW_ID" text) RETURNS numeric
    LANGUAGE sql IMMUTABLE RETURN "SYS"."FROM_BASE64"(pg_catalog.substr("ROW_ID", 10, 6));
COMMENT ON FUNCTION "DBMS_ROWID"."ROWID_BLOCK_NUMBER"(text) IS 'Block of a ROWID';
CREATE FUNCTION "DBMS_ROWID"."ROWID_ROW_NUMBER"("ROW_ID" text) RETURNS numeric
    LANGUAGE sql IMMUTABLE RETURN "SYS"."FROM_BASE64"(pg_catalog.substr("ROW_ID", 16, 3));
COMMENT ON FUNCTION "DBMS_ROWID"."ROWID_ROW_NUMBER"(text) IS 'Row of a ROWID in its block';

CREATE SEQUENCE "SYS"."ROW_PLACE" CACHE 100;
COMMENT ON SEQUENCE "SYS"."ROW_PLACE" IS 'Places of rows';

CREATE FUNCTION "SYS"."NEW_ROWID"(p_relation oid) RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    c_below CONSTANT int := 52;
    l_left  bigint := nextval('"SYS"."ROW_PLACE"');
    l_row   bigint := l_left % c_below;
    l_block bigint := 0;
    l_digit bigint := 1;
BEGIN
    l_left := l_left / c_below + c_below;
    WHILE l_left > 0 LOOP
        l_block := l_block + l_left % c_below * l_digit;
        l_left := l_left / c_below;
        l_digit := l_digit * 64;
    END LOOP;
    RETURN "DBMS_ROWID"."ROWID_CREATE"(1, "SYS"."DATA_OBJECT"(p_relation), 7, l_block, l_row);
END
$$;
COMMENT ON FUNCTION "SYS"."NEW_ROWID"(oid) IS 'A ROWID of the table''s segment that was never used';

CREATE FUNCTION "SYS"."PLACE_ROW"() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    NEW."ROWID$" := coalesce(NEW."ROWID$", "SYS"."NEW_ROWID"(tg_relid));
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION "SYS"."PLACE_ROW"() IS 'Gives a new row the ROWID of the partition that it came to';

CREATE FUNCTION "TEST"."ADD_ROWID"(p_owner text, p_table text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_table    CONSTANT text := format('%I.%I', p_owner, p_table);
    l_relation CONSTANT oid := c_table::regclass;
    l_partition oid;
BEGIN
    EXECUTE format('ALTER TABLE %s ADD COLUMN "ROWID$" text COLLATE "C"', c_table);
    -- A table without partitions has no tree.
    FOR l_partition IN
        SELECT coalesce(t.relid, l_relation)
        FROM (VALUES (l_relation)) r (relation)
        LEFT JOIN LATERAL pg_partition_tree(r.relation) t ON true
        WHERE coalesce(t.isleaf, true)
    LOOP
        EXECUTE format('UPDATE ONLY %s SET "ROWID$" = "SYS"."NEW_ROWID"(%s)', l_partition::regclass, l_partition);
        EXECUTE format('CREATE UNIQUE INDEX ON %s ("ROWID$")', l_partition::regclass);
    END LOOP;
    IF (SELECT relkind = 'p' FROM pg_class WHERE oid = l_relation) THEN
        EXECUTE format('CREATE TRIGGER place_row BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION "SYS"."PLACE_ROW"()', c_table);
    ELSE
        EXECUTE format('ALTER TABLE %s ALTER "ROWID$" SET DEFAULT "SYS"."NEW_ROWID"(%s), ALTER "ROWID$" SET NOT NULL', c_table, l_relation);
    END IF;
END
$$;
COMMENT ON FUNCTION "TEST"."ADD_ROWID"(text, text) IS 'Makes a table one that can be registered: adds its ROWIDs';

-- An extent is 52 blocks, the first of which ends in digit 0.
CREATE FUNCTION "SYS"."EXTENTS_OF"(p_relation oid) RETURNS TABLE (file_id numeric, block_id numeric)
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog
AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attname = 'ROWID$') THEN
        RETURN QUERY EXECUTE format(
            'SELECT "DBMS_ROWID"."ROWID_RELATIVE_FNO"(e.head || ''AAAA''), "DBMS_ROWID"."ROWID_BLOCK_NUMBER"(e.head || ''AAAA'')
             FROM (SELECT DISTINCT left("ROWID$", 14) AS head FROM ONLY %s) e', p_relation::regclass);
    END IF;
END
$$;
COMMENT ON FUNCTION "SYS"."EXTENTS_OF"(oid) IS 'Extents of a segment in which there are rows';

CREATE VIEW "SYS"."DBA_EXTENTS" AS
SELECT o.owner AS "OWNER", o.name AS "SEGMENT_NAME", o.subname AS "PARTITION_NAME", o.type AS "SEGMENT_TYPE",
    'USERS'::text AS "TABLESPACE_NAME",
       pg_catalog.row_number() OVER (PARTITION BY o.object_id ORDER BY e.file_id, e.block_id)::numeric - 1 AS "EXTENT_ID",
       e.file_id AS "FILE_ID", e.block_id AS "BLOCK_ID", 52 * 8192::numeric AS "BYTES", 52::numeric AS "BLOCKS", e.file_id AS "RELATIVE_FNO"
FROM "SYS"."OBJECT" o
CROSS JOIN LATERAL "SYS"."EXTENTS_OF"(o.relation) e
WHERE o.type LIKE 'TABLE%' AND o.data_object_id IS NOT NULL;
COMMENT ON VIEW "SYS"."DBA_EXTENTS" IS 'Extents in which there are rows; reading those of one table reads its ROWIDs';

CREATE VIEW "SYS"."DBA_SEGMENTS" AS
SELECT o.owner AS "OWNER", o.name AS "SEGMENT_NAME", o.subname AS "PARTITION_NAME", o.type AS "SEGMENT_TYPE",
    'USERS'::text AS "TABLESPACE_NAME",
       pg_catalog.pg_relation_size(o.relation)::numeric AS "BYTES",
           pg_catalog.ceil(pg_catalog.pg_relation_size(o.relation) / 8192.0) AS "BLOCKS"
FROM "SYS"."OBJECT" o
WHERE o.data_object_id IS NOT NULL AND o.type <> 'LOB';
COMMENT ON VIEW "SYS"."DBA_SEGMENTS" IS 'Segments; LOBs are within their tables';
