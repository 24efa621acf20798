-- What a test scripts: redo. Tables are named 'T' (of APP) or 'OWNER.T', and need not exist; transactions are numbers;
-- an SCN that is not given is the next one. A transaction that was not begun begins with its first change.

CREATE FUNCTION "TEST"."OWNER"(p_table text) RETURNS text
    LANGUAGE sql IMMUTABLE
RETURN CASE WHEN p_table OPERATOR(pg_catalog.~~) '%.%' THEN pg_catalog.split_part(p_table, '.', 1) ELSE 'APP' END;
COMMENT ON FUNCTION "TEST"."OWNER"(text) IS 'Owner in the name of a table';
CREATE FUNCTION "TEST"."NAME"(p_table text) RETURNS text
    LANGUAGE sql IMMUTABLE
RETURN pg_catalog.regexp_replace(p_table, '^.*\.', '');
COMMENT ON FUNCTION "TEST"."NAME"(text) IS 'Name of a table without its owner';
CREATE FUNCTION "TEST"."RELATION"(p_table text) RETURNS oid
    LANGUAGE sql STABLE
RETURN CASE WHEN p_table IS NOT NULL THEN
    pg_catalog.to_regclass(pg_catalog.format('%I.%I', "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table)))
END;
COMMENT ON FUNCTION "TEST"."RELATION"(text) IS 'The table, NULL if it does not exist';
CREATE FUNCTION "TEST"."OBJECT_NUMBER"(p_table text) RETURNS numeric
    LANGUAGE sql IMMUTABLE
RETURN 100000 + pg_catalog.abs(pg_catalog.hashtext("TEST"."OWNER"(p_table) || '.' || "TEST"."NAME"(p_table)) % 1000000)::numeric;
COMMENT ON FUNCTION "TEST"."OBJECT_NUMBER"(text) IS 'Object number in the redo of a table that does not exist';
CREATE FUNCTION "TEST"."SENTINEL"() RETURNS text LANGUAGE sql IMMUTABLE RETURN 'AAAAAAAAAAAAAAAAAA';
COMMENT ON FUNCTION "TEST"."SENTINEL"() IS 'The ROWID that LogMiner gives when it knows none';

CREATE FUNCTION "TEST"."MOVE_CLOCK"(p_scn numeric) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN CASE
        WHEN p_scn IS NULL THEN "SYS"."NEXT_SCN"()
        WHEN p_scn > (SELECT last_value FROM "SYS"."SCN") THEN setval('"SYS"."SCN"', p_scn::bigint)::numeric
        ELSE p_scn
    END;
END
$$;
COMMENT ON FUNCTION "TEST"."MOVE_CLOCK"(numeric) IS 'The given SCN, by then the clock has reached it; or the next one';

CREATE FUNCTION "TEST"."LOG_OF"(p_thread numeric, p_scn numeric) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog
AS $$
DECLARE
    l_log bigint;
BEGIN
    SELECT g."LOG_NO" INTO l_log
    FROM "SYS"."LOG" g JOIN "SYS"."DATABASE" d ON d."RESETLOGS_CHANGE#" = g."RESETLOGS_CHANGE#"
    WHERE g."THREAD#" = p_thread AND p_scn >= g."FIRST_CHANGE#" AND (p_scn < g."NEXT_CHANGE#" OR g."NEXT_CHANGE#" IS NULL);
    IF l_log IS NULL THEN
        RAISE EXCEPTION 'no log of thread % covers SCN %', p_thread, p_scn;
    END IF;
    RETURN l_log;
END
$$;
COMMENT ON FUNCTION "TEST"."LOG_OF"(numeric, numeric) IS 'The log to which redo of that SCN goes';

CREATE FUNCTION "TEST"."OPERATION"(p_op int) RETURNS text
    LANGUAGE sql IMMUTABLE
RETURN CASE p_op
    WHEN 0 THEN 'INTERNAL' WHEN 1 THEN 'INSERT' WHEN 2 THEN 'DELETE' WHEN 3 THEN 'UPDATE' WHEN 5 THEN 'DDL' WHEN 6 THEN 'START'
    WHEN 7 THEN 'COMMIT' WHEN 9 THEN 'SELECT_LOB_LOCATOR' WHEN 10 THEN 'LOB_WRITE' WHEN 11 THEN 'LOB_TRIM' WHEN 25 THEN 'SELECT_FOR_UPDATE'
    WHEN 27 THEN 'REPLICATION_MARKER' WHEN 29 THEN 'LOB_ERASE' WHEN 34 THEN 'MISSING_SCN' WHEN 36 THEN 'ROLLBACK'
    WHEN 68 THEN 'XML DOC BEGIN' WHEN 70 THEN 'XML DOC WRITE' WHEN 71 THEN 'XML DOC END' WHEN 91 THEN '32K_BEGIN' WHEN 92 THEN '32K_WRITE'
    WHEN 93 THEN '32K_END' ELSE 'UNSUPPORTED'
END;
COMMENT ON FUNCTION "TEST"."OPERATION"(int) IS 'OPERATION of an OPERATION_CODE';

CREATE FUNCTION "TEST"."VALUES"(p_table text, p_values jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN (SELECT jsonb_object_agg(concat_ws('.', "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table), v.key), v.value) FROM jsonb_each(p_values) v);
END
$$;
COMMENT ON FUNCTION "TEST"."VALUES"(text, jsonb) IS 'Values by OWNER.TABLE.COLUMN';

CREATE FUNCTION "TEST"."REDO"(
    p_tx int, p_op int, p_table text DEFAULT NULL, p_scn numeric DEFAULT NULL, p_row_id text DEFAULT NULL,
    p_redo jsonb DEFAULT NULL, p_undo jsonb DEFAULT NULL, p_more jsonb DEFAULT NULL
) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_scn      CONSTANT numeric := "TEST"."MOVE_CLOCK"(p_scn);
    l_relation CONSTANT oid := "TEST"."RELATION"(p_table);
    r          "SYS"."REDO"%ROWTYPE;
BEGIN
    SELECT t."INST_ID", t."START_SCN" INTO r."THREAD#", r."TX_START_SCN"
    FROM "SYS"."TRANSACTION" t WHERE t."XIDUSN" = p_tx AND t."XID8" IS NULL;
    r."ID" := nextval('"SYS"."REDO_ID"');
    r."THREAD#" := coalesce((p_more ->> 'THREAD#')::numeric, r."THREAD#", 1);
    r."LOG_NO" := "TEST"."LOG_OF"(r."THREAD#", l_scn);
    r."SCN" := l_scn;
    r."XIDUSN" := p_tx;
    r."XIDSLT" := 1;
    r."XIDSQN" := p_tx;
    r."SRC_CON_ID" := 0;
    r."SRC_CON_UID" := 0;
    r."OPERATION_CODE" := p_op;
    r."OPERATION" := "TEST"."OPERATION"(p_op);
    r."ROLLBACK" := 0;
    r."STATUS" := 0;
    r."SSN" := 0;
    r."CSF" := 0;
    r."RS_ID" := format(' 0x%s.%s.0010 ', lpad(to_hex(r."LOG_NO"), 6, '0'), lpad(to_hex(r."ID"), 8, '0'));
    r."USERNAME" := 'APP';
    r."TIMESTAMP" := "SYS"."NOW"();
    r."ROW_ID" := coalesce(p_row_id, "TEST"."SENTINEL"());
    IF p_table IS NOT NULL THEN
        r."RELATION" := l_relation;
        r."SEG_OWNER" := "TEST"."OWNER"(p_table);
        r."TABLE_NAME" := "TEST"."NAME"(p_table);
        r."SEG_TYPE" := 2;
        r."DATA_OBJ#" := coalesce(l_relation::bigint, "TEST"."OBJECT_NUMBER"(p_table));
        r."DATA_OBJD#" := coalesce("SYS"."DATA_OBJECT"(l_relation), r."DATA_OBJ#");
        r."DATA_OBJV#" := "SYS"."OBJECT_VERSION"(l_relation);
        r."REDO_VALUE" := "TEST"."VALUES"(p_table, p_redo);
        r."UNDO_VALUE" := "TEST"."VALUES"(p_table, p_undo);
    END IF;
    IF p_more IS NOT NULL THEN
        r := jsonb_populate_record(r, p_more);
    END IF;
    INSERT INTO "SYS"."REDO" SELECT r.*;
    UPDATE "SYS"."V$THREAD" SET "LAST_REDO_CHANGE#" = l_scn WHERE "THREAD#" = r."THREAD#" AND "LAST_REDO_CHANGE#" < l_scn;
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION "TEST"."REDO"(int, int, text, numeric, text, jsonb, jsonb, jsonb)
    IS 'Writes one redo record; p_redo and p_undo are values by column, p_more any columns of "SYS"."REDO"; returns its SCN';
