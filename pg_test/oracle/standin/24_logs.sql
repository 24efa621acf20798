-- Redo threads and logs. Three things that differ in real life are kept apart: redo (LOG, REDO), the files that hold it
-- (REDO_FILE), and what the control file says of them (V$THREAD, V$LOG, V$LOGFILE, V$ARCHIVED_LOG).

CREATE TABLE "SYS"."V$THREAD" (
    "THREAD#"            numeric PRIMARY KEY,
    "STATUS"             text NOT NULL DEFAULT 'OPEN',
    "ENABLED"            text NOT NULL DEFAULT 'PUBLIC',
    "GROUPS"             numeric NOT NULL DEFAULT 3,
    "INSTANCE"           text,
    "SEQUENCE#"          numeric NOT NULL DEFAULT 1,
    "CHECKPOINT_CHANGE#" numeric NOT NULL DEFAULT 1,
    "ENABLE_CHANGE#"     numeric NOT NULL DEFAULT 1,
    "DISABLE_CHANGE#"    numeric NOT NULL DEFAULT 0,
    "LAST_REDO_CHANGE#"  numeric NOT NULL DEFAULT 1,
    "LAST_REDO_TIME"     timestamp(0) NOT NULL DEFAULT "SYS"."NOW"(),
    "LAST_REDO_SEQUENCE#" numeric,
    "LAST_REDO_BLOCK"    numeric
);
COMMENT ON TABLE "SYS"."V$THREAD" IS 'Redo threads; how far a log is written only a test says';
COMMENT ON COLUMN "SYS"."V$THREAD"."LAST_REDO_CHANGE#"
    IS 'SCN of the last redo on disk: LogMiner sees nothing beyond it, and nothing is ever written behind it';

CREATE TABLE "SYS"."LOG" (
    "LOG_NO"            bigint PRIMARY KEY,
    "RESETLOGS_CHANGE#" numeric NOT NULL,
    "THREAD#"           numeric NOT NULL,
    "SEQUENCE#"         numeric NOT NULL,
    "FIRST_CHANGE#"     numeric NOT NULL,
    "NEXT_CHANGE#"      numeric,
    "BYTES"             numeric NOT NULL DEFAULT 1048576,
    UNIQUE ("RESETLOGS_CHANGE#", "THREAD#", "SEQUENCE#")
);
COMMENT ON TABLE "SYS"."LOG" IS 'Redo logs as such, wherever they are stored; NEXT_CHANGE# is NULL while it is written';
CREATE SEQUENCE "SYS"."LOG_NO";
COMMENT ON SEQUENCE "SYS"."LOG_NO" IS 'Numbers of redo logs';

CREATE TABLE "SYS"."REDO_FILE" (
    "FILE_NO" bigint PRIMARY KEY,
    "NAME"    text NOT NULL UNIQUE,
    "LOG_NO"  bigint NOT NULL
);
COMMENT ON TABLE "SYS"."REDO_FILE" IS 'Files on disk and the log that each holds now; that of an online log changes';
CREATE SEQUENCE "SYS"."FILE_NO";
COMMENT ON SEQUENCE "SYS"."FILE_NO" IS 'Numbers of files';

CREATE TABLE "SYS"."V$LOG" (
    "GROUP#"        numeric PRIMARY KEY,
    "THREAD#"       numeric NOT NULL,
    "SEQUENCE#"     numeric NOT NULL,
    "BYTES"         numeric NOT NULL DEFAULT 1048576,
    "BLOCKSIZE"     numeric NOT NULL DEFAULT 512,
    "MEMBERS"       numeric NOT NULL DEFAULT 2,
    "ARCHIVED"      text NOT NULL,
    "STATUS"        text NOT NULL,
    "FIRST_CHANGE#" numeric NOT NULL,
    "FIRST_TIME"    timestamp(0),
    "NEXT_CHANGE#"  numeric NOT NULL,
    "NEXT_TIME"     timestamp(0)
);
COMMENT ON TABLE "SYS"."V$LOG" IS 'Groups of online logs';

CREATE TABLE "SYS"."V$LOGFILE" (
    "GROUP#"                numeric NOT NULL,
    "STATUS"                text,
    "TYPE"                  text NOT NULL DEFAULT 'ONLINE',
    "MEMBER"                text PRIMARY KEY,
    "IS_RECOVERY_DEST_FILE" text NOT NULL DEFAULT 'NO'
);
COMMENT ON TABLE "SYS"."V$LOGFILE" IS 'Files of the groups; STATUS is NULL, INVALID, STALE or DELETED';

CREATE SEQUENCE "SYS"."RECID";
COMMENT ON SEQUENCE "SYS"."RECID" IS 'Numbers of rows of V$ARCHIVED_LOG';
CREATE TABLE "SYS"."V$ARCHIVED_LOG" (
    "RECID"             numeric PRIMARY KEY DEFAULT pg_catalog.nextval('"SYS"."RECID"'),
    "NAME"              text,
    "DEST_ID"           numeric NOT NULL,
    "THREAD#"           numeric NOT NULL,
    "SEQUENCE#"         numeric NOT NULL,
    "RESETLOGS_CHANGE#" numeric NOT NULL,
    "RESETLOGS_TIME"    timestamp(0) NOT NULL,
    "RESETLOGS_ID"      numeric NOT NULL DEFAULT 1,
    "FIRST_CHANGE#"     numeric NOT NULL,
    "FIRST_TIME"        timestamp(0),
    "NEXT_CHANGE#"      numeric NOT NULL,
    "NEXT_TIME"         timestamp(0),
    "BLOCKS"            numeric NOT NULL,
    "BLOCK_SIZE"        numeric NOT NULL DEFAULT 512,
    "CREATOR"           text NOT NULL DEFAULT 'ARCH',
    "REGISTRAR"         text NOT NULL DEFAULT 'ARCH',
    "STANDBY_DEST"      text NOT NULL DEFAULT 'NO',
    "ARCHIVED"          text NOT NULL DEFAULT 'YES',
    "APPLIED"           text NOT NULL DEFAULT 'NO',
    "DELETED"           text NOT NULL DEFAULT 'NO',
    "STATUS"            text NOT NULL DEFAULT 'A',
    "COMPLETION_TIME"   timestamp(0) NOT NULL DEFAULT "SYS"."NOW"()
);
COMMENT ON TABLE "SYS"."V$ARCHIVED_LOG" IS 'What the control file knows of archived logs, one row a copy';

CREATE TABLE "SYS"."V$ARCHIVE_DEST_STATUS" (
    "DEST_ID"   numeric PRIMARY KEY,
    "DEST_NAME" text NOT NULL,
    "STATUS"    text NOT NULL DEFAULT 'INACTIVE',
    "TYPE"      text NOT NULL DEFAULT 'LOCAL'
);
COMMENT ON TABLE "SYS"."V$ARCHIVE_DEST_STATUS" IS 'Archive destinations, also those that are not set up: these are INACTIVE and LOCAL';

-- What every log holds, row by row, as V$LOGMNR_CONTENTS would show it of the whole redo.
CREATE SEQUENCE "SYS"."REDO_ID";
COMMENT ON SEQUENCE "SYS"."REDO_ID" IS 'Order of redo';
CREATE TABLE "SYS"."REDO" (
    "ID"             bigint NOT NULL,
    "LOG_NO"         bigint NOT NULL,
    "THREAD#"        numeric NOT NULL,
    "SCN"            numeric NOT NULL,
    "XIDUSN"         numeric NOT NULL,
    "XIDSLT"         numeric NOT NULL,
    "XIDSQN"         numeric NOT NULL,
    "PXIDUSN"        numeric,
    "PXIDSLT"        numeric,
    "PXIDSQN"        numeric,
    "SRC_CON_NAME"   text,
    "SRC_CON_ID"     numeric,
    "SRC_CON_UID"    numeric,
    "OPERATION_CODE" numeric NOT NULL,
    "OPERATION"      text NOT NULL,
    "ROLLBACK"       numeric NOT NULL DEFAULT 0,
    "RELATION"       oid,
    "SEG_OWNER"      text,
    "TABLE_NAME"     text,
    "SEG_TYPE"       numeric,
    "ROW_ID"         text COLLATE "C",
    "DATA_OBJ#"      numeric,
    "DATA_OBJD#"     numeric,
    "DATA_OBJV#"     numeric,
    "STATUS"         numeric NOT NULL DEFAULT 0,
    "INFO"           text,
    "RS_ID"          text NOT NULL,
    "SSN"            numeric NOT NULL DEFAULT 0,
    "CSF"            numeric NOT NULL DEFAULT 0,
    "SQL_REDO"       text,
    "USERNAME"       text,
    "TIMESTAMP"      timestamp(0) NOT NULL DEFAULT "SYS"."NOW"(),
    "REDO_VALUE"     jsonb,
    "UNDO_VALUE"     jsonb,
    "TX_START_SCN"   numeric,
    "LOB_GROUP"      bigint
);
COMMENT ON TABLE "SYS"."REDO" IS 'Redo records';
COMMENT ON COLUMN "SYS"."REDO"."REDO_VALUE"
    IS 'Values after the change by OWNER.TABLE.COLUMN, what DBMS_LOGMNR.MINE_VALUE finds; UNDO_VALUE: before it';
COMMENT ON COLUMN "SYS"."REDO"."RELATION"
    IS 'The table, when there is one; when it is dropped or altered later, the row comes with STATUS 2';
COMMENT ON COLUMN "SYS"."REDO"."TX_START_SCN" IS 'Where its transaction starts';
COMMENT ON COLUMN "SYS"."REDO"."LOB_GROUP" IS 'Rows of one LOB operation: none of them comes unless all of them lie in the mined range';
CREATE INDEX "REDO_LOG" ON "SYS"."REDO" ("LOG_NO", "SCN");
COMMENT ON INDEX "SYS"."REDO_LOG" IS 'For a scan of some logs';
CREATE INDEX "REDO_LOB" ON "SYS"."REDO" ("LOB_GROUP") WHERE "LOB_GROUP" IS NOT NULL;
COMMENT ON INDEX "SYS"."REDO_LOB" IS 'For the rows of one LOB operation';
