-- Package DBMS_LOGMNR. A LogMiner session is no part of a transaction: a rollback neither ends it nor takes a file off
-- its list. Settings and tables of PostgreSQL are rolled back; shared session-level advisory locks are not, they belong to
-- this session alone, end with it and block nobody. So the session is what it holds: one lock for each file and for
-- the range, with the value as the key. The key's last two bits say what it is.
-- PL/pgSQL here and below keeps the plans of its statements; a function in SQL would be planned at each call.

CREATE TABLE "SYS"."HOOK" (
    "AT"        text NOT NULL CHECK ("AT" IN ('ADD', 'START', 'SCAN', 'END')),
    "CODE"      int,
    "MESSAGE"   text,
    "STATEMENT" text,
    CHECK (("CODE" IS NULL) <> ("STATEMENT" IS NULL))
);
COMMENT ON TABLE "SYS"."HOOK" IS 'What happens at a call of LogMiner: an error as long as the row is there, or a statement, once';

CREATE FUNCTION "SYS"."RUN_HOOKS"(p_at text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_hook "SYS"."HOOK"%ROWTYPE;
BEGIN
    FOR l_hook IN SELECT * FROM "SYS"."HOOK" WHERE "AT" = p_at LOOP
        IF l_hook."CODE" IS NOT NULL THEN
            PERFORM "SYS"."RAISE"(l_hook."CODE", l_hook."MESSAGE");
        END IF;
        DELETE FROM "SYS"."HOOK" WHERE "AT" = p_at AND "STATEMENT" = l_hook."STATEMENT";
        EXECUTE l_hook."STATEMENT";
    END LOOP;
END
$$;
COMMENT ON FUNCTION "SYS"."RUN_HOOKS"(text) IS 'Does what a test has ordered for this call';

CREATE FUNCTION "SYS"."LOGMNR_PART"(p_name text) RETURNS bigint
    LANGUAGE sql IMMUTABLE
RETURN pg_catalog.array_position('{FILE,START,END,OPTIONS}'::text[], p_name) - 1;
COMMENT ON FUNCTION "SYS"."LOGMNR_PART"(text) IS 'Last two bits of a key: what it is of a LogMiner session';

CREATE FUNCTION "SYS"."LOGMNR_SESSION"() RETURNS TABLE (part bigint, value bigint)
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN QUERY
    SELECT k.key & 3, k.key >> 2
    FROM (
        SELECT l.classid::bigint << 32 | l.objid::bigint AS key
        FROM pg_locks l
        WHERE l.pid = pg_backend_pid() AND l.locktype = 'advisory' AND l.objsubid = 1 AND l.mode = 'ShareLock'
    ) k;
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_SESSION"() IS 'What this session''s LogMiner session consists of';

CREATE FUNCTION "SYS"."LOGMNR_VALUE"(p_part text) RETURNS bigint
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN (SELECT s.value FROM "SYS"."LOGMNR_SESSION"() s WHERE s.part = "SYS"."LOGMNR_PART"(p_part));
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_VALUE"(text) IS 'START, END or OPTIONS of the session; NULL before START_LOGMNR';

CREATE FUNCTION "SYS"."LOGMNR_KEEP"(p_part text, p_value bigint) RETURNS void
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM pg_advisory_lock_shared(p_value << 2 | "SYS"."LOGMNR_PART"(p_part));
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_KEEP"(text, bigint) IS 'Adds to the LogMiner session';

CREATE FUNCTION "SYS"."LOGMNR_FORGET"(p_parts text[]) RETURNS void
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM pg_advisory_unlock_shared(s.value << 2 | s.part)
    FROM "SYS"."LOGMNR_SESSION"() s
    WHERE s.part IN (SELECT "SYS"."LOGMNR_PART"(p) FROM unnest(p_parts) p);
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_FORGET"(text[]) IS 'Takes from the LogMiner session';

-- A file of the list: which file, and which log it held when it was added. 36 bits for the log, 24 for the file.
CREATE FUNCTION "SYS"."LOGMNR_FILES"() RETURNS TABLE (file_no bigint, log_no bigint)
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN QUERY SELECT s.value >> 36, s.value & ((1::bigint << 36) - 1) FROM "SYS"."LOGMNR_SESSION"() s WHERE s.part = 0;
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_FILES"() IS 'Files on the list of the session, with the logs that they held when they were added';

CREATE VIEW "SYS"."V$LOGMNR_PARAMETERS" AS
SELECT s."START" AS "START_SCN", "SYS"."LOGMNR_VALUE"('END')::numeric AS "END_SCN", "SYS"."LOGMNR_VALUE"('OPTIONS')::numeric AS "OPTIONS"
FROM (SELECT "SYS"."LOGMNR_VALUE"('START')::numeric AS "START") s
WHERE s."START" IS NOT NULL;
COMMENT ON VIEW "SYS"."V$LOGMNR_PARAMETERS" IS 'The started LogMiner session, if there is one';

CREATE FUNCTION "DBMS_LOGMNR"."NEW"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 1;
COMMENT ON FUNCTION "DBMS_LOGMNR"."NEW"() IS 'ADD_LOGFILE: begin a new list';
CREATE FUNCTION "DBMS_LOGMNR"."REMOVEFILE"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 2;
COMMENT ON FUNCTION "DBMS_LOGMNR"."REMOVEFILE"() IS 'ADD_LOGFILE: take off the list';
CREATE FUNCTION "DBMS_LOGMNR"."ADDFILE"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 3;
COMMENT ON FUNCTION "DBMS_LOGMNR"."ADDFILE"() IS 'ADD_LOGFILE: add to the list';
CREATE FUNCTION "DBMS_LOGMNR"."COMMITTED_DATA_ONLY"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 2;
COMMENT ON FUNCTION "DBMS_LOGMNR"."COMMITTED_DATA_ONLY"() IS 'START_LOGMNR: whole committed transactions only';
CREATE FUNCTION "DBMS_LOGMNR"."SKIP_CORRUPTION"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 4;
COMMENT ON FUNCTION "DBMS_LOGMNR"."SKIP_CORRUPTION"() IS 'START_LOGMNR: go on after corrupt blocks';
CREATE FUNCTION "DBMS_LOGMNR"."DICT_FROM_ONLINE_CATALOG"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 16;
COMMENT ON FUNCTION "DBMS_LOGMNR"."DICT_FROM_ONLINE_CATALOG"() IS 'START_LOGMNR: names from the dictionary as it is now';
CREATE FUNCTION "DBMS_LOGMNR"."NO_SQL_DELIMITER"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 64;
COMMENT ON FUNCTION "DBMS_LOGMNR"."NO_SQL_DELIMITER"() IS 'START_LOGMNR: changes only texts';
CREATE FUNCTION "DBMS_LOGMNR"."NO_ROWID_IN_STMT"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 2048;
COMMENT ON FUNCTION "DBMS_LOGMNR"."NO_ROWID_IN_STMT"() IS 'START_LOGMNR: changes only texts';

CREATE FUNCTION "DBMS_LOGMNR"."END_LOGMNR"() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    PERFORM "SYS"."RUN_HOOKS"('END');
    IF NOT EXISTS (SELECT FROM "SYS"."LOGMNR_SESSION"()) THEN
        PERFORM "SYS"."RAISE"(1307, 'no LogMiner session is currently active');
    END IF;
    PERFORM "SYS"."LOGMNR_FORGET"('{FILE,START,END,OPTIONS}');
END
$$;
COMMENT ON FUNCTION "DBMS_LOGMNR"."END_LOGMNR"() IS 'Ends the session and forgets its list';

CREATE FUNCTION "DBMS_LOGMNR"."REMOVE_LOGFILE"("LOGFILENAME" text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_key bigint;
BEGIN
    SELECT l.file_no << 36 | l.log_no INTO l_key
    FROM "SYS"."LOGMNR_FILES"() l
    JOIN "SYS"."REDO_FILE" f ON f."FILE_NO" = l.file_no
    WHERE f."NAME" = "LOGFILENAME";
    IF l_key IS NULL THEN
        PERFORM "SYS"."RAISE"(1290, format('cannot remove unlisted logfile %s', "LOGFILENAME"));
    END IF;
    PERFORM pg_advisory_unlock_shared(l_key << 2 | "SYS"."LOGMNR_PART"('FILE'));
END
$$;
COMMENT ON FUNCTION "DBMS_LOGMNR"."REMOVE_LOGFILE"(text) IS 'Takes a file off the list';

CREATE FUNCTION "DBMS_LOGMNR"."ADD_LOGFILE"("LOGFILENAME" text, "OPTIONS" numeric DEFAULT 3) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_file "SYS"."REDO_FILE"%ROWTYPE;
BEGIN
    PERFORM "SYS"."RUN_HOOKS"('ADD');
    IF (SELECT "INSIDE" FROM "TEST"."SETTING") THEN
        PERFORM "SYS"."RAISE"(65040, 'operation not allowed from within a pluggable database');
    END IF;
    IF "OPTIONS" = "DBMS_LOGMNR"."REMOVEFILE"() THEN
        PERFORM "DBMS_LOGMNR"."REMOVE_LOGFILE"("LOGFILENAME");
        RETURN;
    END IF;
    SELECT * INTO l_file FROM "SYS"."REDO_FILE" WHERE "NAME" = "LOGFILENAME";
    IF NOT FOUND THEN
        PERFORM "SYS"."RAISE"(1284, format(E'file %1$s cannot be opened\nORA-00308: cannot open archived log ''%1$s''\n'
            'ORA-27037: unable to obtain file status', "LOGFILENAME"));
    END IF;
    IF "OPTIONS" = "DBMS_LOGMNR"."NEW"() THEN
        PERFORM "SYS"."LOGMNR_FORGET"('{FILE,START,END,OPTIONS}');
    ELSIF EXISTS (SELECT FROM "SYS"."LOGMNR_FILES"() l WHERE l.log_no = l_file."LOG_NO" OR l.file_no = l_file."FILE_NO") THEN
        PERFORM "SYS"."RAISE"(1289, format('cannot add duplicate logfile %s', "LOGFILENAME"));
    END IF;
    PERFORM "SYS"."LOGMNR_KEEP"('FILE', l_file."FILE_NO" << 36 | l_file."LOG_NO");
END
$$;
COMMENT ON FUNCTION "DBMS_LOGMNR"."ADD_LOGFILE"(text, numeric)
    IS 'Adds a file to the list; the same log twice is ORA-01289, also under another name';

CREATE FUNCTION "SYS"."CHECK_LOGMNR_RANGE"(p_start numeric, p_end numeric) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    IF p_start IS NULL OR p_end IS NULL OR p_start >= p_end THEN
        PERFORM "SYS"."RAISE"(1281, format('SCN range specified is invalid (%s, %s)', p_start, p_end));
    END IF;
    -- It is not known whether LogMiner takes a start that lies in no log. Here it does so only when it must.
    IF EXISTS (
        SELECT FROM "SYS"."LOGMNR_FILES"() l JOIN "SYS"."LOG" g ON g."LOG_NO" = l.log_no
        HAVING min(g."FIRST_CHANGE#") > p_start AND min(g."FIRST_CHANGE#") < p_end
    ) THEN
        PERFORM "SYS"."RAISE"(1291, 'missing log file');
    END IF;
    -- Of a thread on the list redo of the range lies before its first log or after its last one, or is not on disk yet.
    IF EXISTS (
        SELECT
        FROM (
            SELECT g."RESETLOGS_CHANGE#", g."THREAD#", min(g."SEQUENCE#") AS first, max(g."SEQUENCE#") AS last
            FROM "SYS"."LOGMNR_FILES"() l
            JOIN "SYS"."LOG" g ON g."LOG_NO" = l.log_no
            GROUP BY g."RESETLOGS_CHANGE#", g."THREAD#"
        ) l
        JOIN "SYS"."LOG" g ON g."RESETLOGS_CHANGE#" = l."RESETLOGS_CHANGE#" AND g."THREAD#" = l."THREAD#"
        JOIN "SYS"."V$THREAD" t ON t."THREAD#" = g."THREAD#"
        WHERE (g."SEQUENCE#" < l.first AND g."NEXT_CHANGE#" > p_start)
           -- In the log that a closed thread will go on with there is none.
           OR (g."SEQUENCE#" > l.last AND g."FIRST_CHANGE#" <= p_end AND (g."NEXT_CHANGE#" IS NOT NULL OR t."STATUS" = 'OPEN'))
           OR (g."NEXT_CHANGE#" IS NULL AND t."STATUS" = 'OPEN' AND t."LAST_REDO_CHANGE#" <= p_end)
    ) THEN
        PERFORM "SYS"."RAISE"(1291, 'missing log file');
    END IF;
END
$$;
COMMENT ON FUNCTION "SYS"."CHECK_LOGMNR_RANGE"(numeric, numeric)
    IS 'The range is one, and the list has its ends; LogMiner looks one SCN beyond it, which must be on disk';

-- Inside a container LogMiner takes the files itself, of every thread; a log that has none is missing from its list.
CREATE FUNCTION "SYS"."FIND_LOGFILES"(p_start numeric, p_end numeric) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    IF (SELECT string_to_array(min("VERSION_FULL"), '.')::int[] < '{19,10}' FROM "SYS"."GV$INSTANCE") THEN
        PERFORM "SYS"."RAISE"(65040, 'operation not allowed from within a pluggable database');
    END IF;
    PERFORM "SYS"."LOGMNR_FORGET"('{FILE,START,END,OPTIONS}');
    PERFORM "SYS"."LOGMNR_KEEP"('FILE', f.file_no << 36 | f.log_no)
    FROM (
        SELECT DISTINCT ON (g."LOG_NO") r."FILE_NO" AS file_no, g."LOG_NO" AS log_no
        FROM "SYS"."LOG" g
        JOIN "SYS"."DATABASE" d ON d."RESETLOGS_CHANGE#" = g."RESETLOGS_CHANGE#"
        JOIN "SYS"."REDO_FILE" r ON r."LOG_NO" = g."LOG_NO"
        WHERE g."FIRST_CHANGE#" <= p_end AND (g."NEXT_CHANGE#" > p_start OR g."NEXT_CHANGE#" IS NULL)
          AND (EXISTS (SELECT FROM "SYS"."V$LOGFILE" m WHERE m."MEMBER" = r."NAME")
               OR EXISTS (SELECT FROM "SYS"."V$ARCHIVED_LOG" a WHERE a."NAME" = r."NAME" AND a."STATUS" = 'A'))
        ORDER BY g."LOG_NO", r."NAME" LIKE '/redo/%', r."NAME"
    ) f;
END
$$;
COMMENT ON FUNCTION "SYS"."FIND_LOGFILES"(numeric, numeric) IS 'The list of a session inside a container (19.10 and later): all logs of the range that have a file';

CREATE FUNCTION "DBMS_LOGMNR"."START_LOGMNR"(
    "STARTSCN" numeric DEFAULT 0, "ENDSCN" numeric DEFAULT 0, "STARTTIME" timestamp DEFAULT NULL, "ENDTIME" timestamp DEFAULT NULL,
    "DICTFILENAME" text DEFAULT '', "OPTIONS" numeric DEFAULT 0
) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_dictionary CONSTANT int := 16 | 32;
    c_continuous CONSTANT int := 1024;
BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE EXCEPTION 'the test bed: START_LOGMNR may commit, so nothing may be written before it in the same transaction';
    END IF;
    PERFORM "SYS"."RUN_HOOKS"('START');
    IF "OPTIONS"::int & c_continuous > 0 THEN
        PERFORM "SYS"."RAISE"(44609, 'CONTINUOUS_MINE is desupported for use with DBMS_LOGMNR.START_LOGMNR.');
    END IF;
    IF "OPTIONS"::int & c_dictionary = 0 THEN
        PERFORM "SYS"."RAISE"(44613, 'the flat file dictionary is desupported: name where the dictionary is');
    END IF;
    IF (SELECT "INSIDE" FROM "TEST"."SETTING") THEN
        PERFORM "SYS"."FIND_LOGFILES"("STARTSCN", "ENDSCN");
    END IF;
    IF NOT EXISTS (SELECT FROM "SYS"."LOGMNR_FILES"()) THEN
        PERFORM "SYS"."RAISE"(1292, 'no log file has been specified for the current LogMiner session');
    END IF;
    PERFORM "SYS"."CHECK_LOGMNR_RANGE"("STARTSCN", "ENDSCN");
    PERFORM "SYS"."LOGMNR_FORGET"('{START,END,OPTIONS}');
    PERFORM "SYS"."LOGMNR_KEEP"('START', "STARTSCN"::bigint), "SYS"."LOGMNR_KEEP"('END', "ENDSCN"::bigint),
        "SYS"."LOGMNR_KEEP"('OPTIONS', "OPTIONS"::bigint);
END
$$;
COMMENT ON FUNCTION "DBMS_LOGMNR"."START_LOGMNR"(numeric, numeric, timestamp, timestamp, text, numeric)
    IS 'Starts mining of the SCNs from STARTSCN to ENDSCN, both included';

CREATE FUNCTION "DBMS_LOGMNR"."MINE_VALUE"("SQL_REDO_UNDO" jsonb, "COLUMN_NAME" text DEFAULT '') RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path = pg_catalog
AS $$
BEGIN
    -- What Oracle does with NULL is not known, so it must not happen.
    IF "COLUMN_NAME" IS NULL OR "COLUMN_NAME" !~ '^[^.]+\.[^.]+\.[^.]+$' THEN
        PERFORM "SYS"."RAISE"(904, format('%s: invalid identifier, want OWNER.TABLE.COLUMN', coalesce("COLUMN_NAME", 'NULL')));
    END IF;
    -- The tables of a test need not exist, so it says which column does not.
    IF right("COLUMN_NAME", length(current_setting('standin.no_column', true))) = nullif(current_setting('standin.no_column', true), '') THEN
        PERFORM "SYS"."RAISE"(904, format('%s: invalid identifier', "COLUMN_NAME"));
    END IF;
    RETURN nullif("SQL_REDO_UNDO" ->> "COLUMN_NAME", '');
END
$$;
COMMENT ON FUNCTION "DBMS_LOGMNR"."MINE_VALUE"(jsonb, text)
    IS 'Value of OWNER.TABLE.COLUMN in REDO_VALUE or UNDO_VALUE; NULL also when it is not there. The one that setting '
        'standin.no_column names raises an error, as one that the table does not have may';

CREATE FUNCTION "DBMS_LOGMNR"."COLUMN_PRESENT"("SQL_REDO_UNDO" jsonb, "COLUMN_NAME" text DEFAULT '') RETURNS numeric
    LANGUAGE sql IMMUTABLE
RETURN CASE WHEN "SQL_REDO_UNDO" OPERATOR(pg_catalog.?) "COLUMN_NAME" THEN 1 ELSE 0 END;
COMMENT ON FUNCTION "DBMS_LOGMNR"."COLUMN_PRESENT"(jsonb, text)
    IS 'Whether the column is in REDO_VALUE or UNDO_VALUE, with or without a value';
