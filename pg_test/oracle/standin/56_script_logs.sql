-- What a test scripts: time, logs, instances, incarnations, and what goes wrong with LogMiner.

CREATE FUNCTION "TEST"."FLUSH"(p_scn numeric, p_thread numeric DEFAULT 1) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    UPDATE "SYS"."V$THREAD" SET "LAST_REDO_CHANGE#" = p_scn WHERE "THREAD#" = p_thread;
END
$$;
COMMENT ON FUNCTION "TEST"."FLUSH"(numeric, numeric)
    IS 'Redo of the thread is on disk up to this SCN, which may also be less than before: what is behind it is not on disk yet';

CREATE FUNCTION "TEST"."ADVANCE"(p_scn numeric DEFAULT NULL, p_thread numeric DEFAULT NULL) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn CONSTANT numeric := "TEST"."MOVE_CLOCK"(p_scn);
BEGIN
    UPDATE "SYS"."V$THREAD" SET "LAST_REDO_CHANGE#" = l_scn
    WHERE "STATUS" = 'OPEN' AND "LAST_REDO_CHANGE#" < l_scn AND (p_thread IS NULL OR "THREAD#" = p_thread);
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION "TEST"."ADVANCE"(numeric, numeric) IS 'Time passes to this SCN, and redo of one or all threads is on disk up to it';

CREATE FUNCTION "TEST"."ARCHIVE"(p_thread numeric, p_seq numeric, p_dest numeric DEFAULT 1) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_log  "SYS"."LOG"%ROWTYPE;
    l_name text;
BEGIN
    SELECT g.* INTO STRICT l_log
    FROM "SYS"."LOG" g JOIN "SYS"."DATABASE" d ON d."RESETLOGS_CHANGE#" = g."RESETLOGS_CHANGE#"
    WHERE g."THREAD#" = p_thread AND g."SEQUENCE#" = p_seq AND g."NEXT_CHANGE#" IS NOT NULL;
    l_name := format('/arch%s/%s_%s_%s.arc', p_dest, p_thread, p_seq, l_log."RESETLOGS_CHANGE#");
    PERFORM "TEST"."WRITE_FILE"(l_name, l_log."LOG_NO");
    INSERT INTO "SYS"."V$ARCHIVED_LOG" ("NAME", "DEST_ID", "THREAD#", "SEQUENCE#", "RESETLOGS_CHANGE#", "RESETLOGS_TIME",
        "FIRST_CHANGE#", "NEXT_CHANGE#", "BLOCKS")
    SELECT l_name, p_dest, p_thread, p_seq, d."RESETLOGS_CHANGE#", d."RESETLOGS_TIME", l_log."FIRST_CHANGE#", l_log."NEXT_CHANGE#",
           ceil(l_log."BYTES" / 512)
    FROM "SYS"."DATABASE" d;
    UPDATE "SYS"."V$LOG" SET "ARCHIVED" = 'YES', "STATUS" = 'INACTIVE'
    WHERE "THREAD#" = p_thread AND "SEQUENCE#" = p_seq AND "STATUS" = 'ACTIVE';
END
$$;
COMMENT ON FUNCTION "TEST"."ARCHIVE"(numeric, numeric, numeric)
    IS 'Writes an archived copy of a log that is not current; also what RMAN RESTORE ARCHIVELOG does';

CREATE FUNCTION "TEST"."SWITCH_LOG"(
    p_thread numeric DEFAULT 1, p_scn numeric DEFAULT NULL, p_archive boolean DEFAULT true, p_bytes numeric DEFAULT 1048576,
    p_hole numeric DEFAULT 0
) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn   CONSTANT numeric := "TEST"."MOVE_CLOCK"(p_scn);
    l_first CONSTANT numeric := "TEST"."MOVE_CLOCK"(l_scn + p_hole);
    l_old   numeric;
    l_group numeric;
    l_log   bigint;
BEGIN
    UPDATE "SYS"."V$LOG" SET "STATUS" = 'ACTIVE', "NEXT_CHANGE#" = l_scn, "BYTES" = p_bytes, "NEXT_TIME" = "SYS"."NOW"()
    WHERE "THREAD#" = p_thread AND "STATUS" = 'CURRENT' RETURNING "SEQUENCE#" INTO STRICT l_old;
    UPDATE "SYS"."LOG" g SET "NEXT_CHANGE#" = l_scn, "BYTES" = p_bytes
    FROM "SYS"."DATABASE" d
    WHERE g."THREAD#" = p_thread AND g."SEQUENCE#" = l_old AND g."RESETLOGS_CHANGE#" = d."RESETLOGS_CHANGE#";
    IF p_archive THEN
        PERFORM "TEST"."ARCHIVE"(p_thread, l_old);
    END IF;
    SELECT "GROUP#" INTO l_group
    FROM "SYS"."V$LOG" WHERE "THREAD#" = p_thread AND "STATUS" IN ('UNUSED', 'INACTIVE') AND "SEQUENCE#" <> l_old
    ORDER BY "SEQUENCE#", "GROUP#" LIMIT 1;
    IF l_group IS NULL THEN
        RAISE EXCEPTION 'thread % cannot switch: archive its logs first', p_thread;
    END IF;
    l_log := "TEST"."NEW_LOG"(p_thread, l_old + 1, l_first);
    UPDATE "SYS"."V$LOG"
    SET "SEQUENCE#" = l_old + 1, "STATUS" = 'CURRENT', "ARCHIVED" = 'NO', "FIRST_CHANGE#" = l_first, "FIRST_TIME" = "SYS"."NOW"(),
        "NEXT_CHANGE#" = 18446744073709551615, "NEXT_TIME" = NULL
    WHERE "GROUP#" = l_group;
    PERFORM "TEST"."WRITE_FILE"(f."MEMBER", l_log)
    FROM "SYS"."V$LOGFILE" f
    WHERE f."GROUP#" = l_group AND coalesce(f."STATUS", '') <> 'DELETED';
    UPDATE "SYS"."V$THREAD" SET "SEQUENCE#" = l_old + 1, "CHECKPOINT_CHANGE#" = l_first,
        "LAST_REDO_CHANGE#" = greatest("LAST_REDO_CHANGE#", l_first)
    WHERE "THREAD#" = p_thread;
    RETURN l_old + 1;
END
$$;
COMMENT ON FUNCTION "TEST"."SWITCH_LOG"(numeric, numeric, boolean, numeric, numeric)
    IS 'The next log of the thread begins at this SCN (or p_hole later), in the group unused for longest, whose files are '
        'overwritten; returns its sequence';

CREATE FUNCTION "TEST"."DELETE_LOG"(p_thread numeric, p_seq numeric, p_how text DEFAULT 'RMAN') RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    IF p_how <> 'AGED' THEN
        DELETE FROM "SYS"."REDO_FILE" f
        USING "SYS"."V$ARCHIVED_LOG" a
        WHERE a."NAME" = f."NAME" AND a."THREAD#" = p_thread AND a."SEQUENCE#" = p_seq;
    END IF;
    CASE p_how
        WHEN 'RMAN' THEN
            UPDATE "SYS"."V$ARCHIVED_LOG" SET "NAME" = NULL, "STATUS" = 'D', "DELETED" = 'YES'
            WHERE "THREAD#" = p_thread AND "SEQUENCE#" = p_seq;
        WHEN 'FILE' THEN
            NULL;
        WHEN 'AGED', 'FORGOTTEN' THEN
            DELETE FROM "SYS"."V$ARCHIVED_LOG" WHERE "THREAD#" = p_thread AND "SEQUENCE#" = p_seq;
    END CASE;
END
$$;
COMMENT ON FUNCTION "TEST"."DELETE_LOG"(numeric, numeric, text)
    IS 'Archived copies are gone: RMAN, the control file knows it; FILE, it does not; FORGOTTEN, it knows nothing of them; '
        'AGED, that but they are there';

CREATE FUNCTION "TEST"."LOSE_TRANSACTIONS"(p_thread numeric DEFAULT NULL) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
DELETE FROM "TEST"."PENDING"
WHERE "TX" IN (SELECT t."XIDUSN" FROM "SYS"."TRANSACTION" t
               WHERE t."STATUS" <> 'PREPARED' AND t."XID8" IS NULL AND (p_thread IS NULL OR t."INST_ID" = p_thread));
DELETE FROM "SYS"."TRANSACTION" WHERE "STATUS" <> 'PREPARED' AND "XID8" IS NULL AND (p_thread IS NULL OR "INST_ID" = p_thread);
$$;
COMMENT ON FUNCTION "TEST"."LOSE_TRANSACTIONS"(numeric)
    IS 'Open scripted transactions, of one thread or all, are rolled back without a record of it, as by a crash';

CREATE FUNCTION "TEST"."CLOSE_THREAD"(p_thread numeric, p_scn numeric DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn CONSTANT numeric := "TEST"."MOVE_CLOCK"(p_scn);
BEGIN
    PERFORM "TEST"."LOSE_TRANSACTIONS"(p_thread);
    PERFORM "TEST"."SWITCH_LOG"(p_thread, l_scn);
    UPDATE "SYS"."V$THREAD" t
    SET "STATUS" = 'CLOSED', "CHECKPOINT_CHANGE#" = l_scn, "LAST_REDO_CHANGE#" = l_scn,
        "LAST_REDO_TIME" = greatest("SYS"."NOW"(), (SELECT i."STARTUP_TIME" FROM "SYS"."GV$INSTANCE" i WHERE i."THREAD#" = p_thread))
    WHERE t."THREAD#" = p_thread;
    DELETE FROM "SYS"."GV$INSTANCE" WHERE "THREAD#" = p_thread;
END
$$;
COMMENT ON FUNCTION "TEST"."CLOSE_THREAD"(numeric, numeric)
    IS 'An instance is shut down or crashes: its thread is closed at this SCN, its transactions are gone';

CREATE FUNCTION "TEST"."OPEN_THREAD"(p_thread numeric, p_scn numeric DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn CONSTANT numeric := "TEST"."MOVE_CLOCK"(p_scn);
BEGIN
    UPDATE "SYS"."LOG" g SET "FIRST_CHANGE#" = l_scn
    FROM "SYS"."DATABASE" d
    WHERE g."THREAD#" = p_thread AND g."NEXT_CHANGE#" IS NULL AND g."RESETLOGS_CHANGE#" = d."RESETLOGS_CHANGE#";
    UPDATE "SYS"."V$LOG" SET "FIRST_CHANGE#" = l_scn WHERE "THREAD#" = p_thread AND "STATUS" = 'CURRENT';
    UPDATE "SYS"."V$THREAD" SET "STATUS" = 'OPEN', "LAST_REDO_CHANGE#" = l_scn WHERE "THREAD#" = p_thread;
    INSERT INTO "SYS"."GV$INSTANCE" ("INST_ID", "INSTANCE_NUMBER", "INSTANCE_NAME", "THREAD#", "STARTUP_TIME")
    SELECT p_thread, p_thread, 'orcl' || p_thread, p_thread, greatest("SYS"."NOW"(), t."LAST_REDO_TIME" + interval '1 second')
    FROM "SYS"."V$THREAD" t
    WHERE t."THREAD#" = p_thread;
END
$$;
COMMENT ON FUNCTION "TEST"."OPEN_THREAD"(numeric, numeric)
    IS 'An instance is started again: no redo of its thread lies between the close and this SCN, and its sequence goes on';

CREATE FUNCTION "TEST"."RESTART"(p_scn numeric DEFAULT NULL, p_hole numeric DEFAULT 0) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn numeric;
BEGIN
    -- Was it the server that plays Oracle that crashed, the clock begins at 1.
    PERFORM "TEST"."MOVE_CLOCK"((SELECT max("LAST_REDO_CHANGE#") FROM "SYS"."V$THREAD"));
    l_scn := "TEST"."MOVE_CLOCK"(p_scn);
    PERFORM "TEST"."LOSE_TRANSACTIONS"();
    PERFORM "TEST"."SWITCH_LOG"("THREAD#", l_scn, p_hole => p_hole) FROM "SYS"."V$THREAD" WHERE "STATUS" = 'OPEN';
    UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = greatest("SYS"."NOW"(), "STARTUP_TIME" + interval '1 second');
END
$$;
COMMENT ON FUNCTION "TEST"."RESTART"(numeric, numeric)
    IS 'All instances crash and start again: later STARTUP_TIME, no redo for the p_hole SCNs between two consecutive '
        'sequences; to be called when the server that plays Oracle has crashed';

CREATE FUNCTION "TEST"."RESETLOGS"(p_scn numeric) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_thread numeric;
    l_log    bigint;
BEGIN
    PERFORM "TEST"."LOSE_TRANSACTIONS"();
    UPDATE "SYS"."DATABASE" SET "RESETLOGS_CHANGE#" = p_scn,
        "RESETLOGS_TIME" = greatest("SYS"."NOW"(), "RESETLOGS_TIME" + interval '1 second');
    UPDATE "SYS"."V$DATABASE_INCARNATION" SET "STATUS" = 'PARENT' WHERE "STATUS" = 'CURRENT';
    INSERT INTO "SYS"."V$DATABASE_INCARNATION"
    SELECT max(i."INCARNATION#") + 1, d."RESETLOGS_CHANGE#", d."RESETLOGS_TIME", max(i."INCARNATION#"), 'CURRENT', max(i."RESETLOGS_ID") + 1
    FROM "SYS"."DATABASE" d CROSS JOIN "SYS"."V$DATABASE_INCARNATION" i
    GROUP BY d."RESETLOGS_CHANGE#", d."RESETLOGS_TIME";
    PERFORM setval('"SYS"."SCN"', p_scn::bigint);
    FOR l_thread IN SELECT "THREAD#" FROM "SYS"."V$THREAD" LOOP
        l_log := "TEST"."NEW_LOG"(l_thread, 1, p_scn);
        UPDATE "SYS"."V$LOG"
        SET "SEQUENCE#" = 0, "STATUS" = 'UNUSED', "ARCHIVED" = 'YES', "FIRST_CHANGE#" = 0, "NEXT_CHANGE#" = 0
        WHERE "THREAD#" = l_thread AND "STATUS" <> 'CURRENT';
        UPDATE "SYS"."V$LOG"
        SET "SEQUENCE#" = 1, "ARCHIVED" = 'NO', "FIRST_CHANGE#" = p_scn
        WHERE "THREAD#" = l_thread AND "STATUS" = 'CURRENT';
        PERFORM "TEST"."WRITE_FILE"(f."MEMBER", l_log)
        FROM "SYS"."V$LOGFILE" f JOIN "SYS"."V$LOG" g ON g."GROUP#" = f."GROUP#"
        WHERE g."THREAD#" = l_thread AND g."STATUS" = 'CURRENT';
        UPDATE "SYS"."V$THREAD" SET "SEQUENCE#" = 1, "ENABLE_CHANGE#" = p_scn, "CHECKPOINT_CHANGE#" = p_scn, "LAST_REDO_CHANGE#" = p_scn
        WHERE "THREAD#" = l_thread;
    END LOOP;
    UPDATE "SYS"."GV$INSTANCE" SET "STARTUP_TIME" = greatest("SYS"."NOW"(), "STARTUP_TIME" + interval '1 second');
END
$$;
COMMENT ON FUNCTION "TEST"."RESETLOGS"(numeric)
    IS 'Flashback or incomplete recovery to this SCN, then OPEN RESETLOGS: the same SCNs are used again, sequences begin '
        'at 1, the tables stay as they are';

CREATE FUNCTION "TEST"."FAIL_AT"(p_at text, p_code int, p_message text DEFAULT 'ordered by the test') RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ INSERT INTO "SYS"."HOOK" ("AT", "CODE", "MESSAGE") VALUES (p_at, p_code, p_message) $$;
COMMENT ON FUNCTION "TEST"."FAIL_AT"(text, int, text) IS 'LogMiner raises ORA-p_code at ADD, START, SCAN or END until MEND';
CREATE FUNCTION "TEST"."DURING"(p_at text, p_statement text) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ INSERT INTO "SYS"."HOOK" ("AT", "STATEMENT") VALUES (p_at, p_statement) $$;
COMMENT ON FUNCTION "TEST"."DURING"(text, text)
    IS 'LogMiner runs the statement once at ADD, SCAN or END, in the transaction that calls it: what happens meanwhile';
CREATE FUNCTION "TEST"."MEND"() RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ DELETE FROM "SYS"."HOOK" $$;
COMMENT ON FUNCTION "TEST"."MEND"() IS 'LogMiner does nothing special any more';

CREATE FUNCTION "TEST"."SCANS"() RETURNS bigint
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ SELECT last_value FROM "SYS"."SCANS" $$;
COMMENT ON FUNCTION "TEST"."SCANS"() IS 'How often V$LOGMNR_CONTENTS was read since the reset';

CREATE FUNCTION "TEST"."SAY"(p_table text, p_facts jsonb) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
DELETE FROM "SYS"."TABLE_OVERRIDE" WHERE "OWNER" = "TEST"."OWNER"(p_table) AND "TABLE_NAME" = "TEST"."NAME"(p_table);
INSERT INTO "SYS"."TABLE_OVERRIDE"
SELECT (jsonb_populate_record(NULL::"SYS"."TABLE_OVERRIDE",
        p_facts || jsonb_build_object('OWNER', "TEST"."OWNER"(p_table), 'TABLE_NAME', "TEST"."NAME"(p_table)))).*;
$$;
COMMENT ON FUNCTION "TEST"."SAY"(text, jsonb) IS 'What the dictionary says of a table against its looks: columns of "SYS"."TABLE_OVERRIDE"';
CREATE FUNCTION "TEST"."SAY"(p_table text, p_column text, p_facts jsonb) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
DELETE FROM "SYS"."COLUMN_OVERRIDE"
WHERE "OWNER" = "TEST"."OWNER"(p_table) AND "TABLE_NAME" = "TEST"."NAME"(p_table) AND "COLUMN_NAME" = p_column;
INSERT INTO "SYS"."COLUMN_OVERRIDE"
SELECT (jsonb_populate_record(NULL::"SYS"."COLUMN_OVERRIDE",
        p_facts || jsonb_build_object('OWNER', "TEST"."OWNER"(p_table), 'TABLE_NAME', "TEST"."NAME"(p_table), 'COLUMN_NAME', p_column))).*;
$$;
COMMENT ON FUNCTION "TEST"."SAY"(text, text, jsonb) IS 'What the dictionary says of a column: columns of "SYS"."COLUMN_OVERRIDE"';
