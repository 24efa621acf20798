-- V$LOGMNR_LOGS and V$LOGMNR_CONTENTS.

CREATE FUNCTION "SYS"."LOGMNR_LOGS"() RETURNS TABLE (
    file_no bigint, file_name text, log_no bigint, log_no_now bigint, incarnation numeric, thread_no numeric, seq_no numeric,
    first_scn numeric, next_scn numeric, bytes numeric, missing_from numeric
)
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN QUERY
    SELECT l.file_no, f."NAME", l.log_no, f."LOG_NO", g."RESETLOGS_CHANGE#", g."THREAD#", g."SEQUENCE#", g."FIRST_CHANGE#",
           coalesce(g."NEXT_CHANGE#", 18446744073709551615), g."BYTES",
           lag(g."SEQUENCE#") OVER (PARTITION BY g."RESETLOGS_CHANGE#", g."THREAD#" ORDER BY g."SEQUENCE#") + 1
    FROM "SYS"."LOGMNR_FILES"() l
    JOIN "SYS"."LOG" g ON g."LOG_NO" = l.log_no
    LEFT JOIN "SYS"."REDO_FILE" f ON f."FILE_NO" = l.file_no;
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_LOGS"()
    IS 'The list with what its files held when they were added; missing_from: the sequence that should follow the log before';

CREATE FUNCTION "SYS"."LOGMNR_GAPS"() RETURNS TABLE (thread_no numeric, from_seq numeric, to_seq numeric, at_scn numeric, info text)
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
DECLARE
    l_start CONSTANT numeric := "SYS"."LOGMNR_VALUE"('START');
    l_end   CONSTANT numeric := "SYS"."LOGMNR_VALUE"('END');
BEGIN
    RETURN QUERY
    SELECT l.thread_no, l.missing_from, l.seq_no - 1, min(g."FIRST_CHANGE#"),
           format('Missing log file(s) for thread number %s, sequence number(s) %s to %s', l.thread_no, l.missing_from, l.seq_no - 1)
    FROM "SYS"."LOGMNR_LOGS"() l
    JOIN "SYS"."LOG" g ON g."RESETLOGS_CHANGE#" = l.incarnation AND g."THREAD#" = l.thread_no
                      AND g."SEQUENCE#" BETWEEN l.missing_from AND l.seq_no - 1
    WHERE g."NEXT_CHANGE#" > l_start AND g."FIRST_CHANGE#" <= l_end
    GROUP BY l.thread_no, l.missing_from, l.seq_no;
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_GAPS"() IS 'Logs of the range that are missing between those on the list';

CREATE VIEW "SYS"."V$LOGMNR_LOGS" AS
SELECT l.log_no::numeric AS "LOG_ID", l.file_name AS "FILENAME", d."DBID" AS "DB_ID", d."NAME" AS "DB_NAME", l.incarnation AS "RESET_SCN",
       l.thread_no AS "THREAD_ID", l.seq_no AS "THREAD_SQN", l.first_scn AS "LOW_SCN", l.next_scn AS "NEXT_SCN", l.bytes AS "FILESIZE",
       512::numeric AS "BLOCKSIZE", NULL::text AS "INFO",
       CASE WHEN l.next_scn <= r.first OR l.first_scn > r.last THEN 2 ELSE 0 END::numeric AS "STATUS"
FROM (SELECT "SYS"."LOGMNR_VALUE"('START') AS first, "SYS"."LOGMNR_VALUE"('END') AS last) r
CROSS JOIN "SYS"."LOGMNR_LOGS"() l
CROSS JOIN "SYS"."DATABASE" d
UNION ALL
SELECT NULL, 'MISSING_LOGFILE', NULL, NULL, NULL, g.thread_no, g.from_seq, g.at_scn, NULL, NULL, NULL, g.info, 4
FROM "SYS"."LOGMNR_GAPS"() g;
COMMENT ON VIEW "SYS"."V$LOGMNR_LOGS"
    IS 'The list of this session; STATUS 0 will be read, 2 outside the range, 4 missing between two others';

CREATE TYPE "SYS"."LOGMNR_ROW" AS (
    "SCN"            numeric,
    "START_SCN"      numeric,
    "COMMIT_SCN"     numeric,
    "TIMESTAMP"      timestamp(0),
    "THREAD#"        numeric,
    "LOG_ID"         numeric,
    "XIDUSN"         numeric,
    "XIDSLT"         numeric,
    "XIDSQN"         numeric,
    "PXIDUSN"        numeric,
    "PXIDSLT"        numeric,
    "PXIDSQN"        numeric,
    "OPERATION"      text,
    "OPERATION_CODE" numeric,
    "ROLLBACK"       numeric,
    "SEG_OWNER"      text,
    "SEG_NAME"       text,
    "TABLE_NAME"     text,
    "SEG_TYPE"       numeric,
    "ROW_ID"         text,
    "USERNAME"       text,
    "RS_ID"          text,
    "SSN"            numeric,
    "CSF"            numeric,
    "INFO"           text,
    "STATUS"         numeric,
    "REDO_VALUE"     jsonb,
    "UNDO_VALUE"     jsonb,
    "SEQUENCE#"      numeric,
    "SQL_REDO"       text,
    "DATA_OBJ#"      numeric,
    "DATA_OBJV#"     numeric,
    "DATA_OBJD#"     numeric,
    "SRC_CON_NAME"   text,
    "SRC_CON_ID"     numeric,
    "SRC_CON_UID"    numeric,
    "CON_ID"         numeric
);
COMMENT ON TYPE "SYS"."LOGMNR_ROW" IS 'Row of V$LOGMNR_CONTENTS';

-- Unlogged: counting begins no transaction, and a rollback does not take it back.
CREATE UNLOGGED SEQUENCE "SYS"."SCANS" MINVALUE 0 START 0;
COMMENT ON SEQUENCE "SYS"."SCANS" IS 'How often V$LOGMNR_CONTENTS was read';

CREATE FUNCTION "SYS"."READABLE_REDO"() RETURNS SETOF "SYS"."REDO"
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_start  CONSTANT numeric := "SYS"."LOGMNR_VALUE"('START');
    l_end    CONSTANT numeric := "SYS"."LOGMNR_VALUE"('END');
    -- A file that was overwritten since it was added shows nothing, without an error.
    l_logs   CONSTANT bigint[] := ARRAY(SELECT l.log_no FROM "SYS"."LOGMNR_LOGS"() l WHERE l.log_no_now = l.log_no);
    l_only   CONSTANT text := (SELECT "CONTAINER" FROM "TEST"."SETTING" WHERE "INSIDE");
BEGIN
    RETURN QUERY
    SELECT r.*
    FROM "SYS"."REDO" r
    JOIN "SYS"."V$THREAD" t ON t."THREAD#" = r."THREAD#"
    WHERE r."LOG_NO" = ANY (l_logs) AND r."SCN" BETWEEN l_start AND l_end AND r."SCN" <= t."LAST_REDO_CHANGE#"
      AND (l_only IS NULL OR coalesce(r."SRC_CON_NAME", l_only) = l_only)
      AND (r."LOB_GROUP" IS NULL OR NOT EXISTS (
          SELECT FROM "SYS"."REDO" o
          WHERE o."LOB_GROUP" = r."LOB_GROUP"
            AND (NOT o."LOG_NO" = ANY (l_logs) OR o."SCN" NOT BETWEEN l_start AND l_end OR o."SCN" > t."LAST_REDO_CHANGE#")
      ));
END
$$;
COMMENT ON FUNCTION "SYS"."READABLE_REDO"()
    IS 'Redo that the listed files hold of the range; LOB operations that the range cuts are not there';

CREATE FUNCTION "SYS"."PREFIXED"(p_values jsonb, p_prefix text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path = pg_catalog
AS $$
SELECT CASE WHEN p_prefix IS NULL THEN p_values ELSE (SELECT jsonb_object_agg(p_prefix || v.key, v.value) FROM jsonb_each(p_values) v) END
$$;
COMMENT ON FUNCTION "SYS"."PREFIXED"(jsonb, text) IS 'In a database with containers MINE_VALUE knows columns as CONTAINER:OWNER.TABLE.COLUMN';

CREATE FUNCTION "SYS"."LOGMNR_CONTENTS"() RETURNS SETOF "SYS"."LOGMNR_ROW"
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_start     CONSTANT numeric := "SYS"."LOGMNR_VALUE"('START');
    l_committed CONSTANT boolean := "SYS"."LOGMNR_VALUE"('OPTIONS') & 2 > 0;
    l_container CONSTANT text := (SELECT "CONTAINER" FROM "TEST"."SETTING");
    c_lost_xid  CONSTANT numeric := 4294967295;
BEGIN
    IF l_start IS NULL THEN
        PERFORM "SYS"."RAISE"(1306, 'dbms_logmnr.start_logmnr() must be invoked before selecting from v$logmnr_contents');
    END IF;
    PERFORM nextval('"SYS"."SCANS"');
    PERFORM "SYS"."RUN_HOOKS"('SCAN');
    RETURN QUERY
    WITH readable AS (
        SELECT r.*, r."TX_START_SCN" >= l_start AS start_seen FROM "SYS"."READABLE_REDO"() r
    ), committed AS (
        SELECT r."SRC_CON_UID" AS con_uid, r."XIDUSN" AS usn, r."XIDSLT" AS slt, r."XIDSQN" AS sqn, r."SCN" AS commit_scn, r."ID" AS n
        FROM readable r
        -- A rolled back transaction is shown when a test says so: LogMiner has been seen to do it (debezium DBZ-9074).
        WHERE l_committed AND r.start_seen
          AND (r."OPERATION_CODE" = 7 OR (r."OPERATION_CODE" = 36 AND r."INFO" = 'shown though rolled back'))
    ), chosen AS (
        SELECT r.*, c.commit_scn, c.n
        FROM readable r
        LEFT JOIN committed c ON c.usn = coalesce(r."PXIDUSN", r."XIDUSN") AND c.slt = coalesce(r."PXIDSLT", r."XIDSLT")
                             AND c.sqn = coalesce(r."PXIDSQN", r."XIDSQN") AND c.con_uid IS NOT DISTINCT FROM r."SRC_CON_UID"
        WHERE NOT l_committed
           OR r."OPERATION_CODE" = 5
           OR (c.n IS NOT NULL AND r."OPERATION_CODE" <> 0 AND r."ROLLBACK" = 0)
    ), named AS (
        -- The dictionary is that of now. A DDL record carries its names itself.
        SELECT c.*, c."RELATION" IS NOT NULL AND c."OPERATION_CODE" <> 5 AND o.oid IS NULL AS dropped,
               coalesce(c."OPERATION_CODE" <> 5 AND c."DATA_OBJV#" <> v."VERSION", false) AS altered,
               CASE WHEN l_container IS NOT NULL THEN coalesce(c."SRC_CON_NAME", l_container) || ':' END AS value_prefix
        FROM chosen c
        LEFT JOIN pg_class o ON o.oid = c."RELATION"
        LEFT JOIN "SYS"."OBJECT_STATE" v ON v."RELATION" = c."RELATION"
    ), shown AS (
        SELECT coalesce(n.n, n."ID") AS place, n."ID" AS id, ROW(
            n."SCN",
            CASE WHEN n.start_seen AND (l_committed OR n."OPERATION_CODE" = 7) THEN n."TX_START_SCN" END,
            CASE WHEN n."OPERATION_CODE" = 7 AND NOT l_committed THEN n."SCN" WHEN n."OPERATION_CODE" <> 5 THEN n.commit_scn END,
            n."TIMESTAMP", n."THREAD#", n."LOG_NO", n."XIDUSN", n."XIDSLT",
            CASE
                WHEN (n."ROLLBACK" = 1 OR n."OPERATION_CODE" = 36) AND n.start_seen IS NOT TRUE THEN c_lost_xid
                ELSE n."XIDSQN"
            END,
            n."PXIDUSN", n."PXIDSLT", n."PXIDSQN", n."OPERATION", n."OPERATION_CODE", n."ROLLBACK",
            CASE WHEN n.dropped THEN 'UNKNOWN' ELSE n."SEG_OWNER" END,
            CASE WHEN n.dropped THEN 'OBJ# ' || n."DATA_OBJ#" ELSE n."TABLE_NAME" END,
            CASE WHEN n.dropped THEN 'OBJ# ' || n."DATA_OBJ#" ELSE n."TABLE_NAME" END,
            n."SEG_TYPE", n."ROW_ID", CASE WHEN n.start_seen THEN n."USERNAME" ELSE 'UNKNOWN' END, n."RS_ID", n."SSN", n."CSF",
            CASE WHEN n.dropped OR n.altered THEN 'Dictionary Mismatch' ELSE n."INFO" END,
            CASE WHEN n.dropped OR n.altered THEN 2 ELSE n."STATUS" END,
            CASE WHEN NOT n.dropped AND NOT n.altered THEN "SYS"."PREFIXED"(n."REDO_VALUE", n.value_prefix) END,
            CASE WHEN NOT n.dropped AND NOT n.altered THEN "SYS"."PREFIXED"(n."UNDO_VALUE", n.value_prefix) END,
            n."ID", n."SQL_REDO", n."DATA_OBJ#", n."DATA_OBJV#", n."DATA_OBJD#",
            coalesce(n."SRC_CON_NAME", l_container), n."SRC_CON_ID", n."SRC_CON_UID", 0
        )::"SYS"."LOGMNR_ROW" AS content
        FROM named n
        UNION ALL
        SELECT 0, 0, jsonb_populate_record(NULL::"SYS"."LOGMNR_ROW", jsonb_build_object(
            'SCN', g.at_scn, 'THREAD#', g.thread_no, 'XIDUSN', 0, 'XIDSLT', 0, 'XIDSQN', 0, 'OPERATION', 'MISSING_SCN',
            'OPERATION_CODE', 34, 'ROLLBACK', 0, 'STATUS', 1291, 'INFO', g.info, 'SRC_CON_UID', 0, 'RS_ID', ' 0x000000.00000000.0000 '
        ))
        FROM "SYS"."LOGMNR_GAPS"() g
    )
    SELECT (s.content).*
    FROM shown s
    ORDER BY CASE WHEN l_committed THEN s.place ELSE 0 END, (s.content)."SCN", s.id;
END
$$;
COMMENT ON FUNCTION "SYS"."LOGMNR_CONTENTS"() IS 'Reads the files of the LogMiner session';

CREATE VIEW "SYS"."V$LOGMNR_CONTENTS" AS SELECT * FROM "SYS"."LOGMNR_CONTENTS"();
COMMENT ON VIEW "SYS"."V$LOGMNR_CONTENTS"
    IS 'What LogMiner finds in the listed files between STARTSCN and ENDSCN; each query reads all files again';
