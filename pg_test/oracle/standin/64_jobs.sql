-- What the scheduler's jobs do in Oracle: the log writer, then the steps of the packages until nothing is left to do. Each
-- step is a transaction of its own, so this is a procedure. It needs the translated packages.

CREATE PROCEDURE "TEST"."RUN_JOBS"()
    LANGUAGE plpgsql
AS $$
DECLARE
    l_session text;
    l_step    text;
    l_scan    numeric;
    l_in_root boolean;
BEGIN
    SELECT "TOPOLOGY" = 'ROOT' INTO l_in_root FROM "ORAPULL"."SETTING";
    SELECT concat_ws(',', "SID", "SERIAL#", 1) INTO l_session FROM "SYS"."V$SESSION" WHERE "SID" = pg_catalog.pg_backend_pid();
    PERFORM "TEST"."WRITE_REDO"();
    COMMIT;
    LOOP
        IF l_in_root THEN
            CALL "C##ORAPULL"."RUN_READER"();
            COMMIT;
        END IF;
        l_step := "COORDINATOR"."NEXT_STEP"();
        COMMIT;
        CALL "COORDINATOR"."PERFORM"(l_step);
        COMMIT;
        l_scan := "MINER"."TAKE_SCAN"(l_session);
        COMMIT;
        IF l_scan IS NOT NULL THEN
            CALL "MINER"."ORDER_READING"(l_scan, l_session);
            COMMIT;
            IF l_in_root THEN
                CALL "C##ORAPULL"."RUN_READER"();
                COMMIT;
                ASSERT "MINER"."IS_READABLE"(l_scan, l_session), 'not read in CDB$ROOT';
                COMMIT;
            END IF;
            CALL "MINER"."MINE"(l_scan, l_session);
            COMMIT;
            CALL "MINER"."FINISH_SCAN"(l_scan, l_session);
            COMMIT;
        END IF;
        EXIT WHEN l_step = 'IDLE' AND l_scan IS NULL;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE "TEST"."RUN_JOBS"()
    IS 'Mines and publishes what has committed, releases what every shard has acked; an error of a step ends it';

CREATE FUNCTION "TEST"."LET_JOBS_RUN"() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    c_session CONSTANT text := 'jobs';
BEGIN
    IF NOT coalesce(c_session = ANY ("TEST".dblink_get_connections()), false) THEN
        PERFORM "TEST".dblink_connect(c_session, "SYS"."OWN_SERVER"(c_session));
    END IF;
    PERFORM "TEST".dblink_exec(c_session, 'CALL "TEST"."RUN_JOBS"()');
END
$$;
COMMENT ON FUNCTION "TEST"."LET_JOBS_RUN"() IS 'RUN_JOBS in a second session, for callers who are in a transaction';

CREATE FUNCTION "TEST"."LAST_PORTION"() RETURNS numeric
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE_STATE");
END
$$;
COMMENT ON FUNCTION "TEST"."LAST_PORTION"() IS 'The last portion that is published';

CREATE FUNCTION "TEST"."PUBLISH_COMMITTED"() RETURNS int
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_before CONSTANT numeric := "TEST"."LAST_PORTION"();
BEGIN
    PERFORM "TEST"."LET_JOBS_RUN"();
    RETURN "TEST"."LAST_PORTION"() - l_before;
END
$$;
COMMENT ON FUNCTION "TEST"."PUBLISH_COMMITTED"()
    IS 'As in the scripted source: publishes what is committed, returns the number of portions';

CREATE FUNCTION "TEST"."RELEASE_ACKED"() RETURNS bigint
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_before bigint := (SELECT count(*) FROM "ORAPULL"."PORTION");
BEGIN
    PERFORM "TEST"."LET_JOBS_RUN"();
    RETURN greatest(l_before - (SELECT count(*) FROM "ORAPULL"."PORTION"), 0);
END
$$;
COMMENT ON FUNCTION "TEST"."RELEASE_ACKED"() IS 'As in the scripted source, where nothing else releases: what every shard has acked';

CREATE FUNCTION "TEST"."TABLE_ID"(p_owner text, p_table text) RETURNS bigint
    LANGUAGE plpgsql VOLATILE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN (SELECT "TABLE_ID" FROM "ORAPULL"."SOURCE_TABLE" WHERE "OWNER" = p_owner AND "TABLE_NAME" = p_table);
END
$$;
COMMENT ON FUNCTION "TEST"."TABLE_ID"(text, text) IS 'Number of a registered table';
