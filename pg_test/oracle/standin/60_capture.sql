-- Capture: triggers through which ordinary transactions of this server write redo as they change a table. As in Oracle
-- the redo of a transaction is there before its end and stays when it is rolled back. So a trigger hands its rows to a
-- second session, which commits them to the log buffer at once. From there the log writer takes them.
-- What differs from Oracle: rolling back to a savepoint writes no rows that undo, DDL is part of its transaction, and
-- REDO_VALUE and UNDO_VALUE have only the columns of logged keys.

CREATE EXTENSION IF NOT EXISTS dblink SCHEMA "TEST";

CREATE FUNCTION "SYS"."OWN_SERVER"(p_name text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path = pg_catalog
AS $$
SELECT format('host=%s port=%s dbname=%s user=%s application_name=%s options=''-c synchronous_commit=off''',
              split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database(),
              current_user, p_name)
$$;
COMMENT ON FUNCTION "SYS"."OWN_SERVER"(text) IS 'How a second session on this database is opened';

CREATE TABLE "SYS"."LOG_BUFFER" (
    "ID"             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "XID8"           xid8 NOT NULL,
    "RELATION"       oid NOT NULL,
    "OPERATION_CODE" int NOT NULL,
    "ROW_ID"         text COLLATE "C",
    "REDO_VALUE"     jsonb,
    "UNDO_VALUE"     jsonb,
    "SQL_REDO"       text,
    "LOB_GROUP"      bigint
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
COMMENT ON TABLE "SYS"."LOG_BUFFER" IS 'Redo that is not written yet, of open and of ended transactions';

CREATE SEQUENCE "SYS"."LOB_GROUP" START 1000000;
COMMENT ON SEQUENCE "SYS"."LOB_GROUP" IS 'Numbers of captured LOB operations';

CREATE FUNCTION "SYS"."BUFFER"(p_xid xid8, p_pid int, p_relation oid, p_table text, p_changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
    SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    c_number CONSTANT bigint := p_xid::text::bigint;
BEGIN
    INSERT INTO "SYS"."TRANSACTION" ("XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "SES_ADDR", "XID8")
    SELECT 1000 + c_number % 100, c_number / 100 % 50, c_number / 5000, "SYS"."NEXT_SCN"(), to_hex(p_pid), p_xid
    WHERE NOT EXISTS (SELECT FROM "SYS"."TRANSACTION" WHERE "XID8" = p_xid);
    -- A LOB operation is a group of records. The ROWID of an inserted row is told by the last of them, that of an updated
    -- one by an INTERNAL record; without a key nothing else tells the row.
    INSERT INTO "SYS"."LOG_BUFFER" ("XID8", "RELATION", "OPERATION_CODE", "ROW_ID", "REDO_VALUE", "UNDO_VALUE", "SQL_REDO", "LOB_GROUP")
    SELECT p_xid, p_relation, s.op, s.row_id, s.redo, s.undo, s.sql, g.lob_group
    FROM jsonb_array_elements(p_changes) WITH ORDINALITY a (change, n)
    CROSS JOIN LATERAL jsonb_to_record(a.change) c (op int, row_id text, redo jsonb, undo jsonb, lob boolean, sql text)
    CROSS JOIN LATERAL (SELECT CASE WHEN c.lob THEN nextval('"SYS"."LOB_GROUP"') END) g (lob_group)
    CROSS JOIN LATERAL (VALUES
        (0, NULL, c.op, c.row_id, c.redo, c.undo, c.sql),
        (1, 1, 1, NULL, c.redo, NULL, NULL),
        (2, c.op, 9, NULL, NULL, NULL, CASE WHEN c.lob THEN "TEST"."LOCATOR_TEXT"(p_table, coalesce(c.undo, c.redo)) END),
        (3, c.op, 10, NULL, NULL, NULL, NULL),
        (4, 3, 0, c.row_id, NULL, NULL, NULL),
        (5, CASE WHEN c.undo IS NOT NULL THEN 3 END, 3, NULL, c.redo, c.undo, NULL),
        (6, 1, 3, c.row_id, NULL, c.redo, NULL)
    ) s (place, lob_op, op, row_id, redo, undo, sql)
    WHERE CASE WHEN c.lob THEN s.lob_op = c.op ELSE s.place = 0 END
    ORDER BY a.n, s.place;
END
$$;
COMMENT ON FUNCTION "SYS"."BUFFER"(xid8, int, oid, text, jsonb)
    IS 'Runs in the second session: adds changes to the log buffer, the first ones make the transaction known';

CREATE FUNCTION "SYS"."TO_BUFFER"(p_relation oid, p_table text, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
DECLARE
    c_session CONSTANT text := 'log_buffer';
BEGIN
    IF p_rows IS NULL THEN
        RETURN;
    END IF;
    IF NOT coalesce(c_session = ANY ("TEST".dblink_get_connections()), false) THEN
        PERFORM "TEST".dblink_connect(c_session, "SYS"."OWN_SERVER"(c_session));
    END IF;
    -- The relation may be one that only this transaction sees, so its name goes with it.
    PERFORM FROM "TEST".dblink(c_session, format('SELECT "SYS"."BUFFER"(%L, %s, %s, %L, %L)',
        pg_current_xact_id(), pg_backend_pid(), p_relation, p_table, jsonb_strip_nulls(p_rows))) d (nothing text);
END
$$;
COMMENT ON FUNCTION "SYS"."TO_BUFFER"(oid, text, jsonb)
    IS 'Hands changes of this transaction to the second session and waits until they are committed there';

CREATE FUNCTION "SYS"."LOG_TRUNCATE"() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_table CONSTANT text := tg_table_schema || '.' || tg_table_name;
BEGIN
    PERFORM "SYS"."TO_BUFFER"(tg_relid, c_table, jsonb_build_array(jsonb_build_object('op', 5, 'sql', 'TRUNCATE TABLE ' || c_table)));
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION "SYS"."LOG_TRUNCATE"() IS 'Writes the redo of a TRUNCATE';

CREATE FUNCTION "SYS"."MINED_TEXT"(p_type text) RETURNS text
    LANGUAGE sql IMMUTABLE
RETURN CASE
    WHEN p_type = 'NUMBER' THEN $f$regexp_replace(trim_scale(%s)::text, '^(-?)0\.', '\1.')$f$
    WHEN p_type = 'RAW' THEN 'upper(encode(%s, ''hex''))'
    WHEN p_type = 'DATE' THEN 'to_char(%s, ''YYYY-MM-DD HH24:MI:SS'')'
    WHEN p_type OPERATOR(pg_catalog.~~) 'TIMESTAMP%' THEN 'to_char(%s, ''YYYY-MM-DD HH24:MI:SS.US000'')'
    ELSE '%s::text'
END;
COMMENT ON FUNCTION "SYS"."MINED_TEXT"(text)
    IS 'Format of an expression that writes a value as MINE_VALUE does in a session with the formats that orapull sets';

CREATE FUNCTION "SYS"."LOGGED_COLUMNS"(p_table text, p_row text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path = pg_catalog
AS $$
SELECT 'jsonb_build_object(' || string_agg(format('%L, ' || CASE c."DATA_TYPE"
           WHEN 'CHAR' THEN 'rpad(%2$s, ' || c."CHAR_LENGTH" || ')' ELSE replace("SYS"."MINED_TEXT"(c."DATA_TYPE"), '%s', '%2$s') END,
       concat_ws('.', c."OWNER", c."TABLE_NAME", c."COLUMN_NAME"), format('%s.%I', p_row, c."COLUMN_NAME")), ', '
           ORDER BY c."COLUMN_ID") || ')'
FROM "SYS"."DBA_TAB_COLUMNS" c
WHERE c."OWNER" = "TEST"."OWNER"(p_table) AND c."TABLE_NAME" = "TEST"."NAME"(p_table)
  AND c."COLUMN_NAME" IN (
      SELECT k.column_name FROM "SYS"."CONSTRAINT_COLUMN" k
      JOIN "SYS"."LOG_GROUP_KIND" g ON g.owner = k.owner AND g.table_name = k.table_name
      WHERE k.owner = c."OWNER" AND k.table_name = c."TABLE_NAME" AND g.always = 'ALWAYS'
        AND CASE g.kind WHEN 'PRIMARY KEY LOGGING' THEN k.type = 'p' WHEN 'USER LOG GROUP' THEN k.column_name = ANY (g.columns)
            ELSE k.type IN ('p', 'u') END
  )
$$;
COMMENT ON FUNCTION "SYS"."LOGGED_COLUMNS"(text, text) IS 'Expression for the columns of logged keys; NULL if there are none';

CREATE FUNCTION "TEST"."CAPTURE"(p_owner text, p_table text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
    SET client_min_messages = warning
AS $$
DECLARE
    c_table    CONSTANT text := format('%I.%I', p_owner, p_table);
    c_name     CONSTANT text := p_owner || '.' || p_table;
    c_function CONSTANT text := format('"SYS".%I', 'LOG_' || c_table::regclass::oid);
    l_old      CONSTANT text := coalesce("SYS"."LOGGED_COLUMNS"(c_name, 'o'), 'NULL::jsonb');
    l_new      CONSTANT text := coalesce("SYS"."LOGGED_COLUMNS"(c_name, 'n'), 'NULL::jsonb');
    l_has_lob  text;
    l_lob_new  text;
    l_event    text;
BEGIN
    SELECT coalesce(string_agg(format('n.%I IS NOT NULL', l."COLUMN_NAME"), ' OR '), 'false'),
           coalesce(string_agg(format('o.%1$I IS DISTINCT FROM n.%1$I', l."COLUMN_NAME"), ' OR '), 'false')
    INTO l_has_lob, l_lob_new
    FROM "SYS"."DBA_LOBS" l WHERE l."OWNER" = p_owner AND l."TABLE_NAME" = p_table;

    EXECUTE format(
        'CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $f$
         DECLARE
             l_rows jsonb;
         BEGIN
             CASE tg_op
                 WHEN ''INSERT'' THEN
                     SELECT jsonb_agg(jsonb_build_object(''op'', 1, ''row_id'', n."ROWID$", ''redo'', %4$s, ''lob'', %5$s))
                     INTO l_rows FROM new_rows n;
                 WHEN ''DELETE'' THEN
                     SELECT jsonb_agg(jsonb_build_object(''op'', 2, ''row_id'', o."ROWID$", ''undo'', %3$s)) INTO l_rows FROM old_rows o;
                 ELSE
                     -- A row that moves is deleted at one place and inserted at another. Unchanged keys are only in the undo.
                     SELECT jsonb_agg(CASE
                         WHEN o."ROWID$" IS NULL THEN jsonb_build_object(''op'', 1, ''row_id'', n."ROWID$", ''redo'', %4$s, ''lob'', %5$s)
                         WHEN n."ROWID$" IS NULL THEN jsonb_build_object(''op'', 2, ''row_id'', o."ROWID$", ''undo'', %3$s)
                         ELSE jsonb_build_object(''op'', 3, ''row_id'', o."ROWID$", ''undo'', %3$s, ''redo'',
                             nullif(%4$s, %3$s), ''lob'', %6$s)
                     END) INTO l_rows
                     FROM old_rows o FULL JOIN new_rows n ON n."ROWID$" = o."ROWID$";
             END CASE;
             PERFORM "SYS"."TO_BUFFER"(tg_relid, %2$L, l_rows);
             RETURN NULL;
         END $f$',
        c_function, c_name, l_old, l_new, l_has_lob, l_lob_new
    );
    EXECUTE format('COMMENT ON FUNCTION %s() IS %L', c_function, 'Writes the redo of changes of ' || c_table);
    FOREACH l_event IN ARRAY '{INSERT,UPDATE,DELETE}'::text[] LOOP
        EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER %s ON %s REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %s()',
            'log_' || lower(l_event), l_event, c_table,
            CASE l_event WHEN 'INSERT' THEN 'NEW TABLE AS new_rows' WHEN 'DELETE' THEN 'OLD TABLE AS old_rows'
                         ELSE 'OLD TABLE AS old_rows NEW TABLE AS new_rows' END,
            c_function);
    END LOOP;
    EXECUTE format(
        'CREATE OR REPLACE TRIGGER log_truncate AFTER TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION "SYS"."LOG_TRUNCATE"()',
        c_table);
END
$$;
COMMENT ON FUNCTION "TEST"."CAPTURE"(text, text)
    IS 'From now on transactions that change the table write redo; again after its key has changed';

CREATE FUNCTION "TEST"."ALTER"(p_owner text, p_table text, p_change text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_table    CONSTANT text := format('%I.%I', p_owner, p_table);
    c_name     CONSTANT text := p_owner || '.' || p_table;
    l_relation CONSTANT oid := c_table::regclass;
    c_sql      CONSTANT text := format('ALTER TABLE %s %s', c_table, p_change);
BEGIN
    EXECUTE c_sql || CASE WHEN p_change LIKE 'DROP COLUMN %' THEN ' CASCADE' ELSE '' END;
    PERFORM "TEST"."ALTERED"(c_name);
    PERFORM "SYS"."TO_BUFFER"(l_relation, c_name, jsonb_build_array(jsonb_build_object('op', 5, 'sql', c_sql)));
END
$$;
COMMENT ON FUNCTION "TEST"."ALTER"(text, text, text)
    IS 'ALTER TABLE with its redo; a view that reads a dropped column is invalid in Oracle, and gone here, until it is made again';
