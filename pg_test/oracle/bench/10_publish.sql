-- What is published by the benchmark of the publisher: staged rows, as scans would leave them, in transactions of 100 rows.
CREATE SCHEMA bench;
COMMENT ON SCHEMA bench IS 'The benchmark of the publisher';

CREATE PROCEDURE bench.start()
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_table text;
BEGIN
    FOREACH l_table IN ARRAY '{PORTION_TABLE,PORTION,SCAN_LOG,SCAN,CARRY,TX,SOURCE_TABLE,SOURCE_STATE,SETTING,EVENT,CHORE,ENDED,OUTGOING}'::text[] LOOP
        EXECUTE format('DELETE FROM "ORAPULL".%I', l_table);
    END LOOP;
    UPDATE "ORAPULL"."SLOT" SET "STATUS" = 'CLOSED';
    UPDATE "ORAPULL"."STAGE_SLOT" SET "STATUS" = 'DIRTY';
    PERFORM "TEST"."RESET"();
    INSERT INTO "ORAPULL"."SETTING" DEFAULT VALUES;
    INSERT INTO "ORAPULL"."SOURCE_TABLE" ("TABLE_ID", "OWNER", "TABLE_NAME", "IDENTITY", "KEY_COUNT", "STATE", "REGISTERED_AT")
    VALUES (1, 'APP', 'T', 'KEY', 1, 'READY', LOCALTIMESTAMP);
    CALL "SOURCE"."START_AT"(100);
END
$$;
COMMENT ON PROCEDURE bench.start() IS 'A source that knows one table, has mined nothing and holds nothing';

-- Rows of transaction XIDSLT.XIDSQN; of XIDUSN n transactions of range n. Keys are spread, as those of an application are.
CREATE PROCEDURE bench.stage_rows(p_slot numeric, p_scan numeric, p_xidusn numeric, p_scn numeric, p_rows int)
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    EXECUTE format('INSERT INTO "ORAPULL"."STAGE_%s" ("SCAN_ID", "CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "SCN", "SEQ", "OP", "TABLE_ID", "KIND",
            "ROW_ID", "K1")
        SELECT $1, 0, $2, 1, i / 100, $3, i, 3, 1, ''R'', ''AAAA'' || to_char(n, ''FM00000000000000''),
               (n * 1000 + $2)::text
        FROM generate_series(0, $4 - 1) i
        CROSS JOIN LATERAL (SELECT i * 2654435761 & 4294967295 AS n) spread', p_slot)
    USING p_scan, p_xidusn, p_scn, p_rows;
END
$$;
COMMENT ON PROCEDURE bench.stage_rows(numeric, numeric, numeric, numeric, int) IS 'Changes of one row each, with key and ROWID';

CREATE PROCEDURE bench.stage_control(p_slot numeric, p_scan numeric, p_xidusn numeric, p_scn numeric, p_op numeric, p_rows int)
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    EXECUTE format('INSERT INTO "ORAPULL"."STAGE_%s" ("SCAN_ID", "CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "SCN", "SEQ", "OP")
        SELECT $1, 0, $2, 1, i, $3, i, $4 FROM generate_series(0, ($5 - 1) / 100) i', p_slot)
    USING p_scan, p_xidusn, p_scn, p_op, p_rows;
END
$$;
COMMENT ON PROCEDURE bench.stage_control(numeric, numeric, numeric, numeric, numeric, int) IS 'START (6) or COMMIT (7) of the transactions of so many rows';

CREATE FUNCTION bench.scan(p_rows int, p_begun int, p_ended int) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    -- Of the transactions that stay open over ranges.
    c_open  CONSTANT numeric := 0;
    l_state "ORAPULL"."SOURCE_STATE"%ROWTYPE;
    l_slot  numeric := "STAGES"."ASSIGN"();
    l_scan  numeric;
    l_from  numeric;
BEGIN
    SELECT * INTO l_state FROM "ORAPULL"."SOURCE_STATE";
    l_scan := l_state."LAST_SCAN" + 1;
    l_from := l_state."PLANNED_SCN";
    INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "PURPOSE", "STAGE_SLOT", "ROWS_STAGED", "REPAIR", "READ_FROM")
    VALUES (l_scan, l_from, l_from + 100, 'SCANNED', 'S', 'MINE', l_slot, p_rows + p_begun, 'DONE', l_from + 1);
    UPDATE "ORAPULL"."SOURCE_STATE" SET "LAST_SCAN" = l_scan, "PLANNED_SCN" = l_from + 100;
    CALL bench.stage_control(l_slot, l_scan, l_scan, l_from + 10, 6, p_rows);
    CALL bench.stage_rows(l_slot, l_scan, l_scan, l_from + 20, p_rows);
    CALL bench.stage_control(l_slot, l_scan, l_scan, l_from + 30, 7, p_rows);
    IF p_begun > 0 THEN
        CALL bench.stage_control(l_slot, l_scan, c_open, l_from + 10, 6, p_begun);
        CALL bench.stage_rows(l_slot, l_scan, c_open, l_from + 20, p_begun);
    END IF;
    IF p_ended > 0 THEN
        CALL bench.stage_control(l_slot, l_scan, c_open, l_from + 30, 7, p_ended);
    END IF;
    EXECUTE format('ANALYZE "ORAPULL"."STAGE_%s"', l_slot);
    RETURN l_scan;
END
$$;
COMMENT ON FUNCTION bench.scan(int, int, int)
    IS 'The next range, scanned: rows of transactions that it has whole, rows of such that begin in it and stay open, and of such that end in it';

CREATE PROCEDURE bench.make_room()
    LANGUAGE plpgsql
AS $$
BEGIN
    IF "RELEASES"."IS_DUE"() THEN
        CALL "RELEASES"."RELEASE_PORTIONS"();
        COMMIT;
    END IF;
    WHILE "SLOTS"."NEXT_TO_CLEAR"() IS NOT NULL LOOP
        CALL "SLOTS"."CLEAR"("SLOTS"."NEXT_TO_CLEAR"());
        COMMIT;
    END LOOP;
    WHILE "STAGES"."NEXT_TO_CLEAR"() IS NOT NULL LOOP
        CALL "STAGES"."CLEAR"("STAGES"."NEXT_TO_CLEAR"());
        COMMIT;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE bench.make_room() IS 'What is published is released, as without a shard, and tables are empty again';
