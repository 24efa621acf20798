-- What a test scripts: the database as it is when it is new.

CREATE TABLE "TEST"."SETTING" (
    "LIVE"      boolean NOT NULL DEFAULT false,
    "NEXT_LOB"  bigint NOT NULL DEFAULT 1,
    "CONTAINER" text,
    "INSIDE"    boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE "TEST"."SETTING" IS 'How scripted changes are made, one row';
COMMENT ON COLUMN "TEST"."SETTING"."LIVE" IS 'Scripted changes are also made to the tables, at their commit';
COMMENT ON COLUMN "TEST"."SETTING"."NEXT_LOB" IS 'Number of the next LOB operation';
COMMENT ON COLUMN "TEST"."SETTING"."INSIDE" IS 'LogMiner is that of the container, not of CDB$ROOT';
COMMENT ON COLUMN "TEST"."SETTING"."CONTAINER" IS 'Container of redo that names none; NULL: a database without containers';

CREATE TABLE "TEST"."PENDING" (
    "N"         bigint GENERATED ALWAYS AS IDENTITY,
    "TX"        int NOT NULL,
    "STATEMENT" text NOT NULL
);
COMMENT ON TABLE "TEST"."PENDING" IS 'Changes of scripted transactions that are not committed yet';

CREATE FUNCTION "TEST"."LIVE"(p_live boolean) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ UPDATE "TEST"."SETTING" SET "LIVE" = p_live $$;
COMMENT ON FUNCTION "TEST"."LIVE"(boolean) IS 'Scripted changes are from now on also made to the tables, at their commit';

CREATE FUNCTION "TEST"."CONTAINER"(p_name text, p_inside boolean DEFAULT false) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$ UPDATE "TEST"."SETTING" SET "CONTAINER" = p_name, "INSIDE" = p_inside $$;
COMMENT ON FUNCTION "TEST"."CONTAINER"(text, boolean)
    IS 'LogMiner is in CDB$ROOT, or in this container, from now on, and all redo that does not say otherwise is of this container';

CREATE FUNCTION "TEST"."NEW_LOG"(p_thread numeric, p_seq numeric, p_scn numeric) RETURNS bigint
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
INSERT INTO "SYS"."LOG" ("LOG_NO", "RESETLOGS_CHANGE#", "THREAD#", "SEQUENCE#", "FIRST_CHANGE#")
SELECT nextval('"SYS"."LOG_NO"'), d."RESETLOGS_CHANGE#", p_thread, p_seq, p_scn FROM "SYS"."DATABASE" d
RETURNING "LOG_NO"
$$;
COMMENT ON FUNCTION "TEST"."NEW_LOG"(numeric, numeric, numeric) IS 'Begins a redo log; returns its number';

CREATE FUNCTION "TEST"."WRITE_FILE"(p_name text, p_log_no bigint) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
INSERT INTO "SYS"."REDO_FILE" ("FILE_NO", "NAME", "LOG_NO") VALUES (nextval('"SYS"."FILE_NO"'), p_name, p_log_no)
ON CONFLICT ("NAME") DO UPDATE SET "LOG_NO" = excluded."LOG_NO"
$$;
COMMENT ON FUNCTION "TEST"."WRITE_FILE"(text, bigint) IS 'The file now holds this log';

CREATE FUNCTION "TEST"."ADD_THREAD"(p_thread numeric, p_scn numeric DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_groups CONSTANT int := 3;
    l_scn    CONSTANT numeric := coalesce(p_scn, "SYS"."NEXT_SCN"());
    l_log    bigint;
BEGIN
    INSERT INTO "SYS"."V$THREAD" ("THREAD#", "INSTANCE", "ENABLE_CHANGE#", "CHECKPOINT_CHANGE#", "LAST_REDO_CHANGE#")
    VALUES (p_thread, 'orcl' || p_thread, l_scn, l_scn, l_scn);
    INSERT INTO "SYS"."GV$INSTANCE" ("INST_ID", "INSTANCE_NUMBER", "INSTANCE_NAME", "THREAD#")
    VALUES (p_thread, p_thread, 'orcl' || p_thread, p_thread);
    l_log := "TEST"."NEW_LOG"(p_thread, 1, l_scn);
    INSERT INTO "SYS"."V$LOG" ("GROUP#", "THREAD#", "SEQUENCE#", "ARCHIVED", "STATUS", "FIRST_CHANGE#", "NEXT_CHANGE#")
    SELECT (p_thread - 1) * c_groups + n, p_thread, 0, 'YES', 'UNUSED', 0, 0 FROM generate_series(1, c_groups) n;
    UPDATE "SYS"."V$LOG"
    SET "SEQUENCE#" = 1, "ARCHIVED" = 'NO', "STATUS" = 'CURRENT', "FIRST_CHANGE#" = l_scn, "NEXT_CHANGE#" = 18446744073709551615
    WHERE "GROUP#" = (p_thread - 1) * c_groups + 1;
    INSERT INTO "SYS"."V$LOGFILE" ("GROUP#", "MEMBER")
    SELECT g."GROUP#", format('/redo/group_%s_%s.log', g."GROUP#", m)
    FROM "SYS"."V$LOG" g CROSS JOIN unnest('{a,b}'::text[]) m
    WHERE g."THREAD#" = p_thread;
    PERFORM "TEST"."WRITE_FILE"(f."MEMBER", l_log)
    FROM "SYS"."V$LOGFILE" f
    WHERE f."GROUP#" = (p_thread - 1) * c_groups + 1;
END
$$;
COMMENT ON FUNCTION "TEST"."ADD_THREAD"(numeric, numeric)
    IS 'Another instance with its redo thread: three groups of two files, the first current with sequence 1';

CREATE FUNCTION "TEST"."RESET"() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    DELETE FROM "SYS"."REDO";
    DELETE FROM "SYS"."LOG_BUFFER";
    DELETE FROM "SYS"."LOG";
    DELETE FROM "SYS"."REDO_FILE";
    DELETE FROM "SYS"."V$ARCHIVED_LOG";
    DELETE FROM "SYS"."V$ARCHIVE_DEST_STATUS";
    DELETE FROM "SYS"."V$LOG";
    DELETE FROM "SYS"."V$LOGFILE";
    DELETE FROM "SYS"."V$THREAD";
    DELETE FROM "SYS"."GV$INSTANCE";
    DELETE FROM "SYS"."DATABASE";
    DELETE FROM "SYS"."V$DATABASE_INCARNATION";
    DELETE FROM "SYS"."V$PDB_INCARNATION";
    DELETE FROM "SYS"."TRANSACTION";
    DELETE FROM "SYS"."SESSION";
    DELETE FROM "SYS"."GV$PROCESS";
    DELETE FROM "SYS"."HOOK";
    DELETE FROM "SYS"."JOB";
    DELETE FROM "SYS"."V$DATAFILE";
    DELETE FROM "SYS"."V$TABLESPACE";
    DELETE FROM "SYS"."OBJECT_STATE";
    DELETE FROM "SYS"."TABLE_OVERRIDE";
    DELETE FROM "SYS"."COLUMN_OVERRIDE";
    DELETE FROM "SYS"."CONSTRAINT_OVERRIDE";
    DELETE FROM "SYS"."LOG_GROUP";
    DELETE FROM "SYS"."DBA_POLICIES";
    DELETE FROM "SYS"."REDACTION_POLICIES";
    DELETE FROM "SYS"."DBA_LOGSTDBY_UNSUPPORTED";
    DELETE FROM "SYS"."GRANTED";
    DELETE FROM "SYS"."REVOKED";
    DELETE FROM "SYS"."DBA_SYS_PRIVS";
    DELETE FROM "TEST"."PENDING";
    DELETE FROM "TEST"."SETTING";
    PERFORM setval('"SYS"."SCN"', 1), setval('"SYS"."SCANS"', 0);
    INSERT INTO "TEST"."SETTING" DEFAULT VALUES;
    INSERT INTO "SYS"."DATABASE" DEFAULT VALUES;
    INSERT INTO "SYS"."V$DATABASE_INCARNATION" VALUES (1, 1, timestamp '2020-01-01', 0, 'CURRENT', 1);
    INSERT INTO "SYS"."V$ARCHIVE_DEST_STATUS" ("DEST_ID", "DEST_NAME", "STATUS")
    SELECT n, 'LOG_ARCHIVE_DEST_' || n, CASE WHEN n <= 2 THEN 'VALID' ELSE 'INACTIVE' END FROM generate_series(1, 31) n;
    INSERT INTO "SYS"."V$TABLESPACE" VALUES (0, 'SYSTEM'), (4, 'USERS');
    INSERT INTO "SYS"."V$DATAFILE" ("FILE#", "NAME", "TS#", "RFILE#")
    VALUES (1, '/data/system01.dbf', 0, 1), (7, '/data/users01.dbf', 4, 7);
    INSERT INTO "SYS"."DBA_SYS_PRIVS" ("GRANTEE", "PRIVILEGE")
    SELECT 'ORAPULL', p
    FROM unnest('{CREATE SESSION,CREATE TABLE,CREATE VIEW,CREATE PROCEDURE,CREATE SEQUENCE,CREATE JOB,LOGMINING,SELECT ANY TABLE,
                  SELECT ANY DICTIONARY}'::text[]) p;
    PERFORM "TEST"."ADD_THREAD"(1, 1);
END
$$;
COMMENT ON FUNCTION "TEST"."RESET"()
    IS 'A new database at SCN 1 with one thread: no redo, no transaction, nothing overridden. Tables of the source stay';
