-- The database, its instances, its clock. Tests may change any row of the tables; "TEST"."RESET" puts all back.

-- Unlogged, or looking at the clock would begin a transaction, which START_LOGMNR forbids. A crash of the server that
-- plays Oracle sets it back, until "TEST"."RESTART".
CREATE UNLOGGED SEQUENCE "SYS"."SCN" START 1;
COMMENT ON SEQUENCE "SYS"."SCN" IS 'The clock: every look at CURRENT_SCN and every change moves it';

CREATE FUNCTION "SYS"."NEXT_SCN"() RETURNS numeric
    LANGUAGE sql VOLATILE SECURITY DEFINER
    SET search_path = pg_catalog
AS $$ SELECT nextval('"SYS"."SCN"')::numeric $$;
COMMENT ON FUNCTION "SYS"."NEXT_SCN"() IS 'An SCN that was never given before';

CREATE TABLE "SYS"."DATABASE" (
    "DBID"                      numeric NOT NULL DEFAULT 1234567890,
    "NAME"                      text NOT NULL DEFAULT 'ORCL',
    "DB_UNIQUE_NAME"            text NOT NULL DEFAULT 'ORCL',
    "CREATED"                   timestamp(0) NOT NULL DEFAULT timestamp '2020-01-01',
    "RESETLOGS_CHANGE#"         numeric NOT NULL DEFAULT 1,
    "RESETLOGS_TIME"            timestamp(0) NOT NULL DEFAULT timestamp '2020-01-01',
    "LOG_MODE"                  text NOT NULL DEFAULT 'ARCHIVELOG',
    "OPEN_MODE"                 text NOT NULL DEFAULT 'READ WRITE',
    "DATABASE_ROLE"             text NOT NULL DEFAULT 'PRIMARY',
    "FORCE_LOGGING"             text NOT NULL DEFAULT 'NO',
    "SUPPLEMENTAL_LOG_DATA_MIN" text NOT NULL DEFAULT 'YES',
    "SUPPLEMENTAL_LOG_DATA_PK"  text NOT NULL DEFAULT 'NO',
    "SUPPLEMENTAL_LOG_DATA_UI"  text NOT NULL DEFAULT 'NO',
    "SUPPLEMENTAL_LOG_DATA_FK"  text NOT NULL DEFAULT 'NO',
    "SUPPLEMENTAL_LOG_DATA_ALL" text NOT NULL DEFAULT 'NO',
    "CDB"                       text NOT NULL DEFAULT 'NO',
    "CON_ID"                    numeric NOT NULL DEFAULT 0,
    "CON_DBID"                  numeric NOT NULL DEFAULT 1234567890
);
COMMENT ON TABLE "SYS"."DATABASE" IS 'Behind V$DATABASE, one row';

CREATE VIEW "SYS"."V$DATABASE" AS
SELECT d.*, "SYS"."NEXT_SCN"() AS "CURRENT_SCN" FROM "SYS"."DATABASE" d;
COMMENT ON VIEW "SYS"."V$DATABASE" IS 'CURRENT_SCN moves with every look';

CREATE TABLE "SYS"."V$DATABASE_INCARNATION" (
    "INCARNATION#"       numeric PRIMARY KEY,
    "RESETLOGS_CHANGE#"  numeric NOT NULL,
    "RESETLOGS_TIME"     timestamp(0) NOT NULL,
    "PRIOR_INCARNATION#" numeric,
    "STATUS"             text NOT NULL,
    "RESETLOGS_ID"       numeric NOT NULL
);
COMMENT ON TABLE "SYS"."V$DATABASE_INCARNATION" IS 'Incarnations; the CURRENT one is that of V$DATABASE';

CREATE TABLE "SYS"."V$PDB_INCARNATION" (
    "CON_ID"            numeric NOT NULL,
    "DB_INCARNATION#"   numeric NOT NULL,
    "PDB_INCARNATION#"  numeric NOT NULL,
    "STATUS"            text NOT NULL,
    "INCARNATION_SCN"   numeric NOT NULL,
    "END_RESETLOGS_SCN" numeric NOT NULL,
    PRIMARY KEY ("CON_ID", "DB_INCARNATION#", "PDB_INCARNATION#")
);
COMMENT ON TABLE "SYS"."V$PDB_INCARNATION" IS 'Incarnations of pluggable databases; a flashback of one changes no RESETLOGS_CHANGE#';

CREATE TABLE "SYS"."GV$INSTANCE" (
    "INST_ID"         numeric PRIMARY KEY,
    "INSTANCE_NUMBER" numeric NOT NULL,
    "INSTANCE_NAME"   text NOT NULL,
    "HOST_NAME"       text NOT NULL DEFAULT 'host',
    "VERSION"         text NOT NULL DEFAULT '19.0.0.0.0',
    "VERSION_FULL"    text NOT NULL DEFAULT '19.22.0.0.0',
    "STARTUP_TIME"    timestamp(0) NOT NULL DEFAULT "SYS"."NOW"(),
    "STATUS"          text NOT NULL DEFAULT 'OPEN',
    "THREAD#"         numeric NOT NULL
);
COMMENT ON TABLE "SYS"."GV$INSTANCE" IS 'Open instances, one a thread';
CREATE VIEW "SYS"."V$INSTANCE" AS
SELECT "INSTANCE_NUMBER", "INSTANCE_NAME", "HOST_NAME", "VERSION", "VERSION_FULL", "STARTUP_TIME", "STATUS", "THREAD#"
FROM "SYS"."GV$INSTANCE"
WHERE "INST_ID" = 1;
COMMENT ON VIEW "SYS"."V$INSTANCE" IS 'The instance that a session is connected to: the first';

CREATE TABLE "SYS"."V$DATAFILE" (
    "FILE#"                 numeric PRIMARY KEY,
    "NAME"                  text NOT NULL,
    "TS#"                   numeric NOT NULL,
    "RFILE#"                numeric NOT NULL,
    "STATUS"                text NOT NULL DEFAULT 'ONLINE',
    "UNRECOVERABLE_CHANGE#" numeric NOT NULL DEFAULT 0,
    "UNRECOVERABLE_TIME"    timestamp(0)
);
COMMENT ON TABLE "SYS"."V$DATAFILE" IS 'Data files; UNRECOVERABLE_CHANGE# is the SCN of the last change without redo';
CREATE TABLE "SYS"."V$TABLESPACE" (
    "TS#"  numeric PRIMARY KEY,
    "NAME" text NOT NULL
);
COMMENT ON TABLE "SYS"."V$TABLESPACE" IS 'Tablespaces';
CREATE VIEW "SYS"."DBA_DATA_FILES" AS
SELECT f."NAME" AS "FILE_NAME", f."FILE#" AS "FILE_ID", t."NAME" AS "TABLESPACE_NAME", f."RFILE#" AS "RELATIVE_FNO"
FROM "SYS"."V$DATAFILE" f
JOIN "SYS"."V$TABLESPACE" t ON t."TS#" = f."TS#";
COMMENT ON VIEW "SYS"."DBA_DATA_FILES" IS 'Data files with their tablespaces';
