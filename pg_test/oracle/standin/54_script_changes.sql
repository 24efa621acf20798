-- What a test scripts: transactions and their changes. Each call writes redo at once, committed or not. With
-- "TEST"."LIVE"(true) the tables are changed as well, when the scripted transaction commits.

CREATE FUNCTION "TEST"."TX"(p_tx int, p_scn numeric DEFAULT NULL, p_thread numeric DEFAULT 1) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn CONSTANT numeric := "TEST"."MOVE_CLOCK"(p_scn);
BEGIN
    INSERT INTO "SYS"."TRANSACTION" ("INST_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN") VALUES (p_thread, p_tx, 1, p_tx, l_scn);
    RETURN "TEST"."REDO"(p_tx, 6, p_scn => l_scn);
END
$$;
COMMENT ON FUNCTION "TEST"."TX"(int, numeric, numeric) IS 'Begins a transaction';

CREATE FUNCTION "TEST"."BEGUN"(p_tx int, p_scn numeric) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn CONSTANT numeric := "TEST"."MOVE_CLOCK"(p_scn);
BEGIN
    IF NOT EXISTS (SELECT FROM "SYS"."TRANSACTION" WHERE "XIDUSN" = p_tx AND "XID8" IS NULL) THEN
        PERFORM "TEST"."TX"(p_tx, l_scn);
    END IF;
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION "TEST"."BEGUN"(int, numeric) IS 'Begins a transaction unless it is begun; returns the SCN of the change';

CREATE FUNCTION "TEST"."LATER"(p_tx int, p_statement text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    INSERT INTO "TEST"."PENDING" ("TX", "STATEMENT") SELECT p_tx, p_statement FROM "TEST"."SETTING" s WHERE s."LIVE";
END
$$;
COMMENT ON FUNCTION "TEST"."LATER"(int, text) IS 'Changes the tables when the transaction commits, if scripted changes are live';

CREATE FUNCTION "TEST"."INSERT_STATEMENT"(p_table text, p_row jsonb, p_row_id text) RETURNS text
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_row CONSTANT jsonb := p_row || jsonb_build_object('ROWID$', p_row_id);
BEGIN
    RETURN format('INSERT INTO %1$I.%2$I (%3$s) SELECT %3$s FROM jsonb_populate_record(NULL::%1$I.%2$I, %4$L)',
                  "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table),
                  (SELECT string_agg(format('%I', k), ', ') FROM jsonb_object_keys(l_row) k), l_row);
END
$$;
COMMENT ON FUNCTION "TEST"."INSERT_STATEMENT"(text, jsonb, text) IS 'Statement that inserts a row';

CREATE FUNCTION "TEST"."UPDATE_STATEMENT"(p_table text, p_row_id text, p_new jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN format('UPDATE %1$I.%2$I t SET (%3$s) = (SELECT %3$s FROM jsonb_populate_record(t, %4$L)) WHERE "ROWID$" = %5$L',
                  "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table),
                  (SELECT string_agg(format('%I', k), ', ') FROM jsonb_object_keys(p_new) k), p_new, p_row_id);
END
$$;
COMMENT ON FUNCTION "TEST"."UPDATE_STATEMENT"(text, text, jsonb) IS 'Statement that updates a row';

CREATE FUNCTION "TEST"."NEW_ROWID"(p_table text) RETURNS text
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN coalesce("SYS"."NEW_ROWID"("TEST"."RELATION"(p_table)),
                    "DBMS_ROWID"."ROWID_CREATE"(1, "TEST"."OBJECT_NUMBER"(p_table), 7, 64, nextval('"SYS"."ROW_PLACE"') % 30000));
END
$$;
COMMENT ON FUNCTION "TEST"."NEW_ROWID"(text) IS 'A ROWID of the table that was not used before';

CREATE FUNCTION "TEST"."INSERT"(
    p_tx int, p_table text, p_row jsonb, p_scn numeric DEFAULT NULL, p_row_id text DEFAULT NULL, p_more jsonb DEFAULT NULL
) RETURNS text
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_row_id CONSTANT text := coalesce(p_row_id, "TEST"."NEW_ROWID"(p_table));
BEGIN
    PERFORM "TEST"."REDO"(p_tx, 1, p_table, "TEST"."BEGUN"(p_tx, p_scn), l_row_id, p_row, NULL, p_more);
    PERFORM "TEST"."LATER"(p_tx, "TEST"."INSERT_STATEMENT"(p_table, p_row, l_row_id));
    RETURN l_row_id;
END
$$;
COMMENT ON FUNCTION "TEST"."INSERT"(int, text, jsonb, numeric, text, jsonb) IS 'Inserts a row; returns its ROWID';

CREATE FUNCTION "TEST"."UPDATE"(
    p_tx int, p_table text, p_row_id text, p_old jsonb, p_new jsonb, p_scn numeric DEFAULT NULL, p_more jsonb DEFAULT NULL
) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM "TEST"."REDO"(p_tx, 3, p_table, "TEST"."BEGUN"(p_tx, p_scn), p_row_id, p_new, p_old, p_more);
    PERFORM "TEST"."LATER"(p_tx, "TEST"."UPDATE_STATEMENT"(p_table, p_row_id, p_new));
END
$$;
COMMENT ON FUNCTION "TEST"."UPDATE"(int, text, text, jsonb, jsonb, numeric, jsonb)
    IS 'Updates a row: p_old what its redo has of the time before (changed and logged columns), p_new the changed columns';

CREATE FUNCTION "TEST"."DELETE"(
    p_tx int, p_table text, p_row_id text, p_old jsonb, p_scn numeric DEFAULT NULL, p_more jsonb DEFAULT NULL
) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM "TEST"."REDO"(p_tx, 2, p_table, "TEST"."BEGUN"(p_tx, p_scn), p_row_id, NULL, p_old, p_more);
    PERFORM "TEST"."LATER"(p_tx, format('DELETE FROM %I.%I WHERE "ROWID$" = %L',
        "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table), p_row_id));
END
$$;
COMMENT ON FUNCTION "TEST"."DELETE"(int, text, text, jsonb, numeric, jsonb) IS 'Deletes a row, p_old are its columns';

CREATE FUNCTION "TEST"."DELETE_MANY"(p_tx int, p_table text, p_rows jsonb, p_scn numeric DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn  CONSTANT numeric := "TEST"."BEGUN"(p_tx, p_scn);
    l_more CONSTANT jsonb := jsonb_build_object('RS_ID', format(' 0x%s.00000000.0010 ', lpad(to_hex(l_scn::bigint), 6, '0')), 'SSN', 0);
BEGIN
    PERFORM "TEST"."DELETE"(p_tx, p_table, r.key, r.value, l_scn, l_more) FROM jsonb_each(p_rows) r;
END
$$;
COMMENT ON FUNCTION "TEST"."DELETE_MANY"(int, text, jsonb, numeric) IS 'Array delete of rows, columns by ROWID: they share RS_ID and SSN';

CREATE FUNCTION "TEST"."LOCATOR_TEXT"(p_table text, p_key jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path = pg_catalog
AS $$
SELECT format('DECLARE loc_c CLOB; BEGIN select "LOB" into loc_c from "%s"."%s" where %s for update;',
              "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table),
              string_agg(format('"%s" %s', "TEST"."NAME"(c.key), coalesce('= ' || quote_literal(c.value), 'IS NULL')), ' and '))
FROM jsonb_each_text(p_key) c
$$;
COMMENT ON FUNCTION "TEST"."LOCATOR_TEXT"(text, jsonb) IS 'SQL_REDO of SELECT_LOB_LOCATOR and the like; without a key its WHERE is empty';

CREATE FUNCTION "TEST"."LOB"(
    p_tx int, p_shape text, p_table text, p_row_id text, p_row jsonb, p_from numeric, p_to numeric, p_new jsonb DEFAULT NULL
) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_middle CONSTANT numeric := floor((p_from + p_to) / 2);
    l_group  jsonb;
    l_where  jsonb;
BEGIN
    UPDATE "TEST"."SETTING" SET "NEXT_LOB" = "NEXT_LOB" + 1 RETURNING jsonb_build_object('LOB_GROUP', "NEXT_LOB") INTO l_group;
    l_where := l_group || jsonb_build_object('SQL_REDO', "TEST"."LOCATOR_TEXT"(p_table, p_row));
    PERFORM "TEST"."BEGUN"(p_tx, p_from);
    CASE p_shape
        WHEN 'INLINE' THEN
            PERFORM "TEST"."REDO"(p_tx, 1, p_table, p_from, NULL, p_row, NULL, l_group),
                    "TEST"."REDO"(p_tx, 3, p_table, p_to, p_row_id, p_new, NULL, l_group);
        WHEN 'INSERT' THEN
            PERFORM "TEST"."REDO"(p_tx, 1, p_table, p_from, NULL, p_row, NULL, l_group),
                    "TEST"."REDO"(p_tx, 9, p_table, l_middle, NULL, NULL, NULL, l_where),
                    "TEST"."REDO"(p_tx, 10, p_table, l_middle, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 10, p_table, p_to, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 3, p_table, p_to, NULL, p_new, p_row, l_group);
        WHEN 'UPDATE' THEN
            PERFORM "TEST"."REDO"(p_tx, 9, p_table, p_from, NULL, NULL, NULL, l_where),
                    "TEST"."REDO"(p_tx, 10, p_table, l_middle, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 3, p_table, p_to, NULL, p_new, p_row, l_group);
        WHEN 'WRITE' THEN
            PERFORM "TEST"."REDO"(p_tx, 9, p_table, p_from, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 0, p_table, l_middle, p_row_id, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 10, p_table, p_to, NULL, NULL, NULL, l_group);
        WHEN 'BASICFILE' THEN
            PERFORM "TEST"."REDO"(p_tx, 10, p_table, p_from, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 0, p_table, p_to, p_row_id, NULL, NULL, l_group);
        WHEN 'LOST' THEN
            PERFORM "TEST"."REDO"(p_tx, 9, p_table, p_from, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 10, p_table, p_to, NULL, NULL, NULL, l_group);
        WHEN 'XML' THEN
            PERFORM "TEST"."REDO"(p_tx, 68, p_table, p_from, NULL, NULL, NULL, l_where),
                    "TEST"."REDO"(p_tx, 70, p_table, l_middle, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 71, p_table, p_to, NULL, NULL, NULL, l_group);
        WHEN '32K' THEN
            PERFORM "TEST"."REDO"(p_tx, 91, p_table, p_from, NULL, NULL, NULL, l_where),
                    "TEST"."REDO"(p_tx, 92, p_table, l_middle, NULL, NULL, NULL, l_group),
                    "TEST"."REDO"(p_tx, 93, p_table, p_to, NULL, NULL, NULL, l_group);
    END CASE;
    IF p_shape IN ('INLINE', 'INSERT') THEN
        PERFORM "TEST"."LATER"(p_tx, "TEST"."INSERT_STATEMENT"(p_table, p_row || coalesce(p_new, '{}'), p_row_id));
    ELSIF p_new IS NOT NULL THEN
        PERFORM "TEST"."LATER"(p_tx, "TEST"."UPDATE_STATEMENT"(p_table, p_row_id, p_new));
    END IF;
END
$$;
COMMENT ON FUNCTION "TEST"."LOB"(int, text, text, text, jsonb, numeric, numeric, jsonb)
    IS 'One LOB operation with redo from p_from to p_to, which a seam between them hides: INLINE (insert, then update with '
        'the ROWID), INSERT (out of row), UPDATE (key in text and undo), WRITE (INTERNAL row tells the ROWID), BASICFILE (the '
        'same without locator), LOST (no identity), XML, 32K (key in text only); p_row is the key, or all of an insert, p_new '
        'the LOB columns';

CREATE FUNCTION "TEST"."UNDO"(p_tx int, p_changes int, p_scn numeric DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    r "SYS"."REDO"%ROWTYPE;
BEGIN
    FOR r IN SELECT * FROM "SYS"."REDO" WHERE "XIDUSN" = p_tx AND "OPERATION_CODE" IN (1, 2, 3) AND "ROLLBACK" = 0
             ORDER BY "ID" DESC LIMIT p_changes LOOP
        PERFORM "TEST"."REDO"(p_tx, CASE r."OPERATION_CODE" WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE 3 END,
            concat_ws('.', r."SEG_OWNER", r."TABLE_NAME"),
                              p_scn, r."ROW_ID", NULL, NULL, '{"ROLLBACK": 1}');
    END LOOP;
    DELETE FROM "TEST"."PENDING" WHERE "N" IN (SELECT "N" FROM "TEST"."PENDING" WHERE "TX" = p_tx ORDER BY "N" DESC LIMIT p_changes);
END
$$;
COMMENT ON FUNCTION "TEST"."UNDO"(int, int, numeric)
    IS 'Rolls back the last changes of a transaction to a savepoint: rows with ROLLBACK = 1 that know only the ROWID';

CREATE FUNCTION "TEST"."COMMIT"(p_tx int, p_scn numeric DEFAULT NULL, p_more jsonb DEFAULT NULL) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn       CONSTANT numeric := "TEST"."REDO"(p_tx, 7, NULL, "TEST"."BEGUN"(p_tx, p_scn), p_more => p_more);
    l_statement text;
BEGIN
    FOR l_statement IN SELECT "STATEMENT" FROM "TEST"."PENDING" WHERE "TX" = p_tx ORDER BY "N" LOOP
        EXECUTE l_statement;
    END LOOP;
    DELETE FROM "TEST"."PENDING" WHERE "TX" = p_tx;
    DELETE FROM "SYS"."TRANSACTION" WHERE "XIDUSN" = p_tx AND "XID8" IS NULL;
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION "TEST"."COMMIT"(int, numeric, jsonb) IS 'Commits a transaction; returns the SCN';

CREATE FUNCTION "TEST"."ROLLBACK"(p_tx int, p_scn numeric DEFAULT NULL, p_more jsonb DEFAULT NULL) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn CONSTANT numeric := "TEST"."REDO"(p_tx, 36, NULL, "TEST"."BEGUN"(p_tx, p_scn), p_more => p_more);
BEGIN
    DELETE FROM "TEST"."PENDING" WHERE "TX" = p_tx;
    DELETE FROM "SYS"."TRANSACTION" WHERE "XIDUSN" = p_tx AND "XID8" IS NULL;
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION "TEST"."ROLLBACK"(int, numeric, jsonb)
    IS 'Rolls a transaction back; its record has no XIDSQN where its START is not in the mined range';

CREATE FUNCTION "TEST"."PREPARE"(p_tx int) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ UPDATE "SYS"."TRANSACTION" SET "STATUS" = 'PREPARED' WHERE "XIDUSN" = p_tx AND "XID8" IS NULL $$;
COMMENT ON FUNCTION "TEST"."PREPARE"(int) IS 'The transaction is in doubt: it survives a restart and is only in DBA_2PC_PENDING';

CREATE FUNCTION "TEST"."ALTERED"(p_table text) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
INSERT INTO "SYS"."OBJECT_STATE" ("RELATION", "VERSION", "LAST_DDL_TIME")
SELECT r, 2, "SYS"."NOW"() FROM "TEST"."RELATION"(p_table) r WHERE r IS NOT NULL
ON CONFLICT ("RELATION") DO UPDATE SET "VERSION" = "OBJECT_STATE"."VERSION" + 1, "LAST_DDL_TIME" = excluded."LAST_DDL_TIME"
$$;
COMMENT ON FUNCTION "TEST"."ALTERED"(text) IS 'The table has another version: LogMiner cannot name columns in its older redo';

CREATE FUNCTION "TEST"."DDL"(
    p_tx int, p_table text, p_sql text, p_scn numeric DEFAULT NULL, p_more jsonb DEFAULT NULL, p_live text DEFAULT NULL
) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn CONSTANT numeric := "TEST"."BEGUN"(p_tx, p_scn);
BEGIN
    PERFORM "TEST"."REDO"(p_tx, 5, p_table, l_scn, p_more => jsonb_build_object(
        'SQL_REDO', p_sql, 'INFO', 'USER DDL (PlSql=0 RecDep=0)', 'REDO_VALUE', NULL, 'UNDO_VALUE', NULL) || coalesce(p_more, '{}'));
    PERFORM "TEST"."COMMIT"(p_tx, l_scn);
    IF p_live IS NOT NULL THEN
        EXECUTE p_live;
    END IF;
    IF p_sql !~* '^\s*truncate' THEN
        PERFORM "TEST"."ALTERED"(p_table);
    END IF;
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION "TEST"."DDL"(int, text, text, numeric, jsonb, text)
    IS 'DDL in a transaction of its own; p_live is the statement that does the same here';

-- A new file makes all plans void that read the table. Where a test has given the segment a number, the number says enough.
CREATE FUNCTION "TEST"."IS_NUMBERED"(p_relation oid) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN EXISTS (SELECT FROM "SYS"."OBJECT_STATE" o WHERE o."RELATION" = p_relation AND o."DATA_OBJECT_ID" IS NOT NULL);
END
$$;
COMMENT ON FUNCTION "TEST"."IS_NUMBERED"(oid) IS 'A test has given the segment a number: it needs no new file to be another one';

CREATE FUNCTION "TEST"."ANOTHER_SEGMENT"(p_relation oid) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    -- No file has such a number.
    c_above CONSTANT numeric := 5000000000;
BEGIN
    UPDATE "SYS"."OBJECT_STATE"
    SET "DATA_OBJECT_ID" = greatest(c_above, (SELECT max(o."DATA_OBJECT_ID") FROM "SYS"."OBJECT_STATE" o)) + 1
    WHERE "RELATION" = p_relation AND "DATA_OBJECT_ID" IS NOT NULL;
END
$$;
COMMENT ON FUNCTION "TEST"."ANOTHER_SEGMENT"(oid) IS 'Where a test has given the segment a number, it gets a new one, higher than all, as the file of a rewritten table does';

CREATE FUNCTION "TEST"."EXCHANGE"(p_one regclass, p_other regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_one   CONSTANT numeric := "SYS"."DATA_OBJECT"(p_one);
    l_other CONSTANT numeric := "SYS"."DATA_OBJECT"(p_other);
BEGIN
    INSERT INTO "SYS"."OBJECT_STATE" ("RELATION", "VERSION", "LAST_DDL_TIME", "DATA_OBJECT_ID")
    VALUES (p_one, 2, "SYS"."NOW"(), l_other), (p_other, 2, "SYS"."NOW"(), l_one)
    ON CONFLICT ("RELATION") DO UPDATE
    SET "VERSION" = "OBJECT_STATE"."VERSION" + 1, "LAST_DDL_TIME" = excluded."LAST_DDL_TIME", "DATA_OBJECT_ID" = excluded."DATA_OBJECT_ID";
    EXECUTE format('CREATE TEMPORARY TABLE swapped AS SELECT * FROM %s', p_one);
    EXECUTE format('DELETE FROM %1$s; INSERT INTO %1$s SELECT * FROM %2$s; DELETE FROM %2$s; INSERT INTO %2$s SELECT * FROM pg_temp.swapped',
                   p_one, p_other);
    DROP TABLE pg_temp.swapped;
END
$$;
COMMENT ON FUNCTION "TEST"."EXCHANGE"(regclass, regclass)
    IS 'Segments of tables or partitions with the same columns change places, and their rows with them, as by EXCHANGE PARTITION; no redo';

CREATE FUNCTION "TEST"."TRUNCATE"(p_tx int, p_table text, p_scn numeric DEFAULT NULL) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_table    CONSTANT text := format('%I.%I', "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table));
    l_relation CONSTANT oid := "TEST"."RELATION"(p_table);
BEGIN
    PERFORM "TEST"."ANOTHER_SEGMENT"(l_relation);
    RETURN "TEST"."DDL"(p_tx, p_table, 'TRUNCATE TABLE ' || c_table, p_scn, NULL,
                        CASE WHEN "TEST"."IS_NUMBERED"(l_relation) THEN 'DELETE FROM ' WHEN l_relation IS NOT NULL THEN 'TRUNCATE ' END || c_table);
END
$$;
COMMENT ON FUNCTION "TEST"."TRUNCATE"(int, text, numeric) IS 'Truncates a table, which gets another data object number';

CREATE FUNCTION "TEST"."MOVE"(p_tx int, p_table text, p_scn numeric DEFAULT NULL) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_table    CONSTANT text := format('%I.%I', "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table));
    l_relation CONSTANT oid := "TEST"."RELATION"(p_table);
BEGIN
    -- No redo of rows. To set it makes every plan void.
    IF EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = l_relation AND NOT t.tgisinternal) THEN
        SET LOCAL session_replication_role = replica;
    END IF;
    RETURN "TEST"."DDL"(p_tx, p_table, format('ALTER TABLE %s MOVE', c_table), p_scn, NULL,
        CASE
            WHEN NOT "TEST"."IS_NUMBERED"(l_relation) THEN format('ALTER TABLE %1$s SET UNLOGGED; ALTER TABLE %1$s SET LOGGED; ', c_table)
            ELSE ''
        END
        || format('SELECT "TEST"."ANOTHER_SEGMENT"(%2$s);
                   UPDATE %1$s t SET "ROWID$" = n.place
                   FROM (SELECT o."ROWID$", "SYS"."NEW_ROWID"(%2$s) AS place FROM (SELECT "ROWID$" FROM %1$s ORDER BY 1) o) n
                   WHERE t."ROWID$" = n."ROWID$"',
                  c_table, l_relation));
END
$$;
COMMENT ON FUNCTION "TEST"."MOVE"(int, text, numeric) IS 'Moves a table: other data object number, other ROWIDs, no redo of rows';
