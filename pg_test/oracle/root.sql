-- Topology ROOT: a second session orders, as the job of the container does between two steps, and is the job of CDB$ROOT that reads.
SELECT pg_temp.second_session(:'second', 'root');

CREATE FUNCTION pg_temp.meanwhile(p_statement text) RETURNS void LANGUAGE sql AS $$ SELECT "TEST".dblink_exec('root', p_statement) $$;

CREATE FUNCTION pg_temp.container(p_name text) RETURNS void LANGUAGE sql AS $$
UPDATE "ORAPULL"."SETTING" SET "TOPOLOGY" = 'ROOT', "PDB_NAME" = p_name;
UPDATE "C##ORAPULL"."SETTING" SET "PDB_NAME" = p_name, "COLUMN_PREFIX" = p_name || ':';
$$;

-- Both sides new, redo that does not say otherwise is of container PDB1.
CREATE FUNCTION pg_temp.start_root() RETURNS void LANGUAGE sql AS $$
DELETE FROM "C##ORAPULL"."PASS";
DELETE FROM "C##ORAPULL"."SCAN_LOG";
DELETE FROM "C##ORAPULL"."SOURCE_TABLE";
DELETE FROM "C##ORAPULL"."SETTING";
INSERT INTO "C##ORAPULL"."SETTING" ("PDB_NAME", "COLUMN_PREFIX") VALUES ('PDB1', 'PDB1:');
SELECT pg_temp.container('PDB1'), "TEST"."CONTAINER"('PDB1')
$$;

CREATE FUNCTION pg_temp.run_reader() RETURNS void LANGUAGE sql AS $$ SELECT pg_temp.meanwhile('CALL "C##ORAPULL"."RUN_READER"()') $$;

-- From the order of a scan to the moment when its rows can be copied.
CREATE FUNCTION pg_temp.read_in_root(p_scan numeric, p_session text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.meanwhile(format('CALL "MINER"."ORDER_READING"(%s, %L)', p_scan, p_session));
    PERFORM pg_temp.run_reader();
    PERFORM FROM "TEST".dblink('root', format('SELECT "MINER"."IS_READABLE"(%s, %L)', p_scan, p_session)) AS t (is_readable boolean)
    WHERE is_readable;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'check failed: scan % was not read in CDB$ROOT', p_scan;
    END IF;
END
$$;

-- From the order of a repair to the moment when its rows can be copied.
CREATE FUNCTION pg_temp.repair_in_root(p_scan numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.repair_due(p_scan, 'ORDER');
    PERFORM pg_temp.meanwhile(format('CALL "REPAIRS"."PLACE_ORDER"(%s)', p_scan));
    PERFORM pg_temp.repair_due(p_scan, 'WAIT');
    PERFORM pg_temp.run_reader();
    PERFORM pg_temp.repair_due(p_scan, 'CONFIRM');
    PERFORM pg_temp.meanwhile(format('CALL "REPAIRS"."CONFIRM"(%s)', p_scan));
END
$$;
CREATE FUNCTION pg_temp.repair_due(p_scan numeric, p_step text) RETURNS void LANGUAGE sql AS $$
SELECT pg_temp.same('the step that is due', step, p_step)
FROM "TEST".dblink('root', format('SELECT "REPAIRS"."NEXT_STEP"(%s)', p_scan)) AS t (step text)
$$;
-- How it is told that the file of the first log, which ends at SCN 410, is gone.
CREATE FUNCTION pg_temp.gone_file() RETURNS text LANGUAGE sql AS $$ SELECT '%ORA-20821: GAP: thread 1 sequence 1 (SCN 1 to 410), file /arch1/1_1_1.arc, %' $$;
