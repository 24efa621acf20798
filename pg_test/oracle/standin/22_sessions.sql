-- Sessions and transactions.

CREATE TABLE "SYS"."SESSION" (
    "INST_ID"    numeric NOT NULL DEFAULT 1,
    "SADDR"      text,
    "SID"        numeric NOT NULL,
    "SERIAL#"    numeric NOT NULL,
    "USERNAME"   text,
    "STATUS"     text NOT NULL DEFAULT 'ACTIVE',
    "TYPE"       text NOT NULL DEFAULT 'USER',
    "MACHINE"    text,
    "PROGRAM"    text,
    "MODULE"     text,
    "LOGON_TIME" timestamp(0) NOT NULL DEFAULT "SYS"."NOW"(),
    "PADDR"      text
);
COMMENT ON TABLE "SYS"."SESSION" IS 'Sessions that a test invents';

CREATE TABLE "SYS"."GV$PROCESS" (
    "INST_ID"       numeric NOT NULL DEFAULT 1,
    "ADDR"          text NOT NULL,
    "PGA_USED_MEM"  numeric NOT NULL DEFAULT 0,
    "PGA_ALLOC_MEM" numeric NOT NULL DEFAULT 0,
    "PGA_MAX_MEM"   numeric NOT NULL DEFAULT 0,
    PRIMARY KEY ("INST_ID", "ADDR")
);
COMMENT ON TABLE "SYS"."GV$PROCESS" IS 'Processes that a test invents: PostgreSQL does not tell the memory of other sessions';

CREATE VIEW "SYS"."GV$SESSION" AS
SELECT s.* FROM "SYS"."SESSION" s
UNION ALL
SELECT 1, pg_catalog.to_hex(a.pid), a.pid, pg_catalog.floor(EXTRACT(epoch FROM a.backend_start))::bigint % 65536,
       pg_catalog.upper(a.usename::text), CASE a.state WHEN 'idle' THEN 'INACTIVE' ELSE 'ACTIVE' END, 'USER',
       a.client_hostname, a.application_name, NULL, pg_catalog.timezone('UTC', a.backend_start)::timestamp(0), pg_catalog.to_hex(a.pid)
FROM pg_catalog.pg_stat_activity a
WHERE a.backend_type = 'client backend' AND a.datname = pg_catalog.current_database();
COMMENT ON VIEW "SYS"."GV$SESSION" IS 'Sessions of this database, SID is the process; and invented ones';
CREATE VIEW "SYS"."V$SESSION" AS
SELECT "SADDR", "SID", "SERIAL#", "USERNAME", "STATUS", "TYPE", "MACHINE", "PROGRAM", "MODULE", "LOGON_TIME"
FROM "SYS"."GV$SESSION"
WHERE "INST_ID" = 1;
COMMENT ON VIEW "SYS"."V$SESSION" IS 'Sessions of the first instance';

CREATE TABLE "SYS"."V$STATNAME" (
    "STATISTIC#" numeric PRIMARY KEY,
    "NAME"       text NOT NULL UNIQUE
);
COMMENT ON TABLE "SYS"."V$STATNAME" IS 'Names of statistics';
INSERT INTO "SYS"."V$STATNAME" VALUES (37, 'session pga memory'), (38, 'session pga memory max'), (194, 'redo size');

CREATE VIEW "SYS"."V$MYSTAT" AS
SELECT pg_catalog.pg_backend_pid()::numeric AS "SID", n."STATISTIC#",
       CASE WHEN n."NAME" LIKE 'session pga%' THEN coalesce(m.used, 0) ELSE 0 END AS "VALUE"
FROM "SYS"."V$STATNAME" n
CROSS JOIN (SELECT pg_catalog.sum(total_bytes) AS used FROM pg_catalog.pg_backend_memory_contexts) m;
COMMENT ON VIEW "SYS"."V$MYSTAT" IS 'Statistics of this session; its memory is the server''s own figure';

CREATE TABLE "SYS"."TRANSACTION" (
    "INST_ID"    numeric NOT NULL DEFAULT 1,
    "XIDUSN"     numeric NOT NULL,
    "XIDSLOT"    numeric NOT NULL,
    "XIDSQN"     numeric NOT NULL,
    "START_SCN"  numeric NOT NULL,
    "START_TIME" text NOT NULL DEFAULT pg_catalog.to_char("SYS"."NOW"(), 'MM/DD/YY HH24:MI:SS'),
    "START_DATE" timestamp(0) NOT NULL DEFAULT "SYS"."NOW"(),
    "STATUS"     text NOT NULL DEFAULT 'ACTIVE',
    "SES_ADDR"   text,
    "XID8"       xid8,
    PRIMARY KEY ("XIDUSN", "XIDSLOT", "XIDSQN")
);
COMMENT ON TABLE "SYS"."TRANSACTION" IS 'Transactions that have changed something and whose end is not in the redo yet';
COMMENT ON COLUMN "SYS"."TRANSACTION"."XID8"
    IS 'The transaction of this server that it is, when triggers capture it; NULL for a scripted one';

CREATE VIEW "SYS"."GV$TRANSACTION" AS
SELECT "INST_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_TIME", "START_DATE", "STATUS", "SES_ADDR"
FROM "SYS"."TRANSACTION"
WHERE "STATUS" <> 'PREPARED';
COMMENT ON VIEW "SYS"."GV$TRANSACTION" IS 'Open transactions; in-doubt ones are in DBA_2PC_PENDING only, as after a restart';
CREATE VIEW "SYS"."V$TRANSACTION" AS
SELECT "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_TIME", "START_DATE", "STATUS", "SES_ADDR"
FROM "SYS"."GV$TRANSACTION"
WHERE "INST_ID" = 1;
COMMENT ON VIEW "SYS"."V$TRANSACTION" IS 'Open transactions of the first instance';

CREATE VIEW "SYS"."DBA_2PC_PENDING" AS
SELECT pg_catalog.format('%s.%s.%s', "XIDUSN", "XIDSLOT", "XIDSQN") AS "LOCAL_TRAN_ID", 'prepared'::text AS "STATE",
       "START_DATE" AS "FAIL_TIME", 'host'::text AS "HOST", 'APP'::text AS "DB_USER", "START_SCN"::text AS "COMMIT#"
FROM "SYS"."TRANSACTION"
WHERE "STATUS" = 'PREPARED';
COMMENT ON VIEW "SYS"."DBA_2PC_PENDING" IS 'In-doubt transactions; LOCAL_TRAN_ID is XIDUSN.XIDSLOT.XIDSQN';
