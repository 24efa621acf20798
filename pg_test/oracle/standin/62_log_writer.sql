-- The log writer: the one that moves redo from the buffer into the logs. On three promises of it orapull rests:
--
--   (1) Nothing is ever written behind LAST_REDO_CHANGE#: whoever reads it and then mines up to it misses nothing.
--   (2) A COMMIT record is written only when the changes of its transaction are visible to every new snapshot: whoever
--       has mined it reads the changed rows, or newer ones.
--   (3) All redo of a transaction is in the logs at or below its COMMIT record, and GV$TRANSACTION shows the
--       transaction from before its first record until its COMMIT record is on disk.
--
-- Why they hold. A record gets its SCN when it is written and not when the change is made; only the log writer
-- writes, alone, because it holds the row of V$THREAD until it commits; and the SCNs come from one sequence. So all SCNs
-- of a run are greater than the LAST_REDO_CHANGE# of the run before and at most its own, and its records become visible
-- together with its LAST_REDO_CHANGE#, at its commit: (1). A transaction that commits meanwhile may be visible for
-- a moment before it has an SCN, which is then greater than LAST_REDO_CHANGE#: it is late, never missing.
-- A transaction counts as ended only when the snapshot of a statement here sees it as ended. Snapshots are taken from
-- the list of running transactions, from which an ending one disappears once and for all sessions; its commit
-- status alone would not do, that is set before: (2).
-- A trigger waits until its rows are committed in the buffer, so at the end of a transaction all of them are. The
-- run looks first which transactions have ended and takes the buffer in a later statement, whose snapshot is newer:
-- what the ended ones have changed is in it, and is written before their COMMIT records. A transaction that ends
-- between the two statements waits for the next run. The row of a transaction comes with its first rows, and goes in the
-- run that writes its end: (3). Its START_SCN is taken before, so it is not greater than the SCN of any of its records.
-- Each statement needs a snapshot of its own, hence READ COMMITTED.

ALTER TABLE "TEST"."SETTING"
    ADD "LOG_ROWS" int NOT NULL DEFAULT 20000,
    ADD "WRITTEN" int NOT NULL DEFAULT 0;
COMMENT ON COLUMN "TEST"."SETTING"."LOG_ROWS" IS 'The log writer switches logs after so many records';
COMMENT ON COLUMN "TEST"."SETTING"."WRITTEN" IS 'Records in the current log';

ALTER TABLE "SYS"."TRANSACTION" ADD "REDO_START" numeric;
COMMENT ON COLUMN "SYS"."TRANSACTION"."REDO_START" IS 'SCN of the START record of a captured transaction; NULL until it is written';

CREATE FUNCTION "SYS"."WRITE_CONTROL"(p_log_no bigint, p_op int, p_xids xid8[], p_scn numeric DEFAULT NULL) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
INSERT INTO "SYS"."REDO" ("ID", "LOG_NO", "THREAD#", "SCN", "XIDUSN", "XIDSLT", "XIDSQN", "SRC_CON_ID", "SRC_CON_UID",
    "OPERATION_CODE", "OPERATION", "ROW_ID", "RS_ID", "USERNAME", "TX_START_SCN")
SELECT nextval('"SYS"."REDO_ID"'), p_log_no, 1, coalesce(p_scn, t."REDO_START"), t."XIDUSN", t."XIDSLOT", t."XIDSQN", 0, 0,
       p_op, "TEST"."OPERATION"(p_op), "TEST"."SENTINEL"(), ' 0x000000.00000000.0000 ', 'APP', t."REDO_START"
FROM "SYS"."TRANSACTION" t
WHERE t."XID8" = ANY (p_xids)
$$;
COMMENT ON FUNCTION "SYS"."WRITE_CONTROL"(bigint, int, xid8[], numeric)
    IS 'Writes START records, or with one SCN for all COMMIT or ROLLBACK records';

CREATE FUNCTION "SYS"."WRITE_CHANGES"(p_log_no bigint) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_rows int;
BEGIN
    WITH taken AS (
        -- Rows of a transaction that came up since the last statement have no START record yet and wait.
        DELETE FROM "SYS"."LOG_BUFFER" b
        USING "SYS"."TRANSACTION" t
        WHERE t."XID8" = b."XID8" AND t."REDO_START" IS NOT NULL
        RETURNING b.*, t."XIDUSN", t."XIDSLOT", t."XIDSQN", t."REDO_START"
    )
    INSERT INTO "SYS"."REDO" ("ID", "LOG_NO", "THREAD#", "SCN", "XIDUSN", "XIDSLT", "XIDSQN", "SRC_CON_ID", "SRC_CON_UID",
        "OPERATION_CODE", "OPERATION", "RELATION", "SEG_OWNER", "TABLE_NAME", "SEG_TYPE", "ROW_ID", "DATA_OBJ#", "DATA_OBJD#",
        "DATA_OBJV#", "INFO", "RS_ID", "SQL_REDO", "USERNAME", "REDO_VALUE", "UNDO_VALUE", "TX_START_SCN", "LOB_GROUP")
    SELECT nextval('"SYS"."REDO_ID"'), p_log_no, 1, nextval('"SYS"."SCN"'), b.*
    FROM (
        SELECT b."XIDUSN", b."XIDSLOT", b."XIDSQN", 0, 0, b."OPERATION_CODE", "TEST"."OPERATION"(b."OPERATION_CODE"),
               b."RELATION", n.nspname::text, c.relname::text, 2, coalesce(b."ROW_ID", "TEST"."SENTINEL"()),
               b."RELATION"::bigint, "DBMS_ROWID"."ROWID_OBJECT"(b."ROW_ID"), coalesce(v."VERSION", 1),
               CASE b."OPERATION_CODE" WHEN 5 THEN 'USER DDL (PlSql=0 RecDep=0)' END,
               format(' 0x%s.%s.0010 ', lpad(to_hex(p_log_no), 6, '0'), lpad(to_hex(b."ID"), 8, '0')), b."SQL_REDO", 'APP',
               b."REDO_VALUE", b."UNDO_VALUE", b."REDO_START", b."LOB_GROUP"
        FROM taken b
        LEFT JOIN pg_class c ON c.oid = b."RELATION"
        LEFT JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN "SYS"."OBJECT_STATE" v ON v."RELATION" = b."RELATION"
        ORDER BY b."ID"
    ) b;
    GET DIAGNOSTICS l_rows = ROW_COUNT;
    RETURN l_rows;
END
$$;
COMMENT ON FUNCTION "SYS"."WRITE_CHANGES"(bigint) IS 'Writes what is in the log buffer, each record with the next SCN';

CREATE FUNCTION "SYS"."SWITCH_FULL_LOG"(p_rows int) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_row_bytes CONSTANT int := 512;
    l_setting   "TEST"."SETTING"%ROWTYPE;
BEGIN
    UPDATE "TEST"."SETTING" SET "WRITTEN" = "WRITTEN" + p_rows RETURNING * INTO l_setting;
    IF l_setting."WRITTEN" >= l_setting."LOG_ROWS" THEN
        PERFORM "TEST"."SWITCH_LOG"(1, p_bytes => l_setting."WRITTEN" * c_row_bytes);
        UPDATE "TEST"."SETTING" SET "WRITTEN" = 0;
    END IF;
END
$$;
COMMENT ON FUNCTION "SYS"."SWITCH_FULL_LOG"(int) IS 'Counts what was written and begins another log when the current one is full';

CREATE FUNCTION "TEST"."WRITE_REDO"() RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_log     bigint;
    l_ended   xid8[];
    l_begun   xid8[];
    l_aborted xid8[];
    l_rows    int;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'the log writer needs READ COMMITTED';
    END IF;
    PERFORM FROM "SYS"."V$THREAD" WHERE "THREAD#" = 1 FOR UPDATE;
    l_log := "TEST"."LOG_OF"(1, "SYS"."NEXT_SCN"());
    l_ended := ARRAY(SELECT t."XID8" FROM "SYS"."TRANSACTION" t WHERE pg_visible_in_snapshot(t."XID8", pg_current_snapshot()));
    l_aborted := ARRAY(SELECT x FROM unnest(l_ended) x WHERE pg_xact_status(x) = 'aborted');

    WITH begun AS (
        UPDATE "SYS"."TRANSACTION" SET "REDO_START" = "SYS"."NEXT_SCN"() WHERE "XID8" IS NOT NULL AND "REDO_START" IS NULL RETURNING "XID8"
    )
    SELECT array_agg("XID8") INTO l_begun FROM begun;
    PERFORM "SYS"."WRITE_CONTROL"(l_log, 6, l_begun);
    l_rows := "SYS"."WRITE_CHANGES"(l_log);
    PERFORM "SYS"."WRITE_CONTROL"(l_log, 36, l_aborted, "SYS"."NEXT_SCN"());
    PERFORM "SYS"."WRITE_CONTROL"(l_log, 7, ARRAY(SELECT unnest(l_ended) EXCEPT SELECT unnest(l_aborted)), "SYS"."NEXT_SCN"());
    DELETE FROM "SYS"."TRANSACTION" WHERE "XID8" = ANY (l_ended);
    UPDATE "SYS"."V$THREAD" SET "LAST_REDO_CHANGE#" = "SYS"."NEXT_SCN"(), "LAST_REDO_TIME" = "SYS"."NOW"() WHERE "THREAD#" = 1;
    PERFORM "SYS"."SWITCH_FULL_LOG"(l_rows);
    RETURN (SELECT "LAST_REDO_CHANGE#" FROM "SYS"."V$THREAD" WHERE "THREAD#" = 1);
END
$$;
COMMENT ON FUNCTION "TEST"."WRITE_REDO"() IS 'One run of the log writer; to be committed at once; returns LAST_REDO_CHANGE#';

CREATE FUNCTION "TEST"."DELETE_LOGS_BEFORE"(p_scn numeric) RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_logs bigint[] := ARRAY(
        SELECT g."LOG_NO"
        FROM "SYS"."V$ARCHIVED_LOG" a
        JOIN "SYS"."LOG" g ON g."THREAD#" = a."THREAD#" AND g."SEQUENCE#" = a."SEQUENCE#" AND g."RESETLOGS_CHANGE#" = a."RESETLOGS_CHANGE#"
        WHERE a."NEXT_CHANGE#" < p_scn AND a."STATUS" = 'A'
          AND NOT EXISTS (SELECT FROM "SYS"."V$LOG" o WHERE o."THREAD#" = a."THREAD#" AND o."SEQUENCE#" = a."SEQUENCE#")
    );
BEGIN
    PERFORM "TEST"."DELETE_LOG"(g."THREAD#", g."SEQUENCE#") FROM "SYS"."LOG" g WHERE g."LOG_NO" = ANY (l_logs);
    DELETE FROM "SYS"."REDO" WHERE "LOG_NO" = ANY (l_logs);
    RETURN cardinality(l_logs);
END
$$;
COMMENT ON FUNCTION "TEST"."DELETE_LOGS_BEFORE"(numeric)
    IS 'What a DBA does: RMAN deletes archived logs that end before this SCN; their redo is gone for good; returns how many';
