-- Topology PDB: LogMiner runs in the container itself, is given no files, and shows redo of this container only.
CREATE FUNCTION pg_temp.container(p_name text) RETURNS void LANGUAGE sql AS $$
UPDATE "ORAPULL"."SETTING" SET "TOPOLOGY" = 'PDB', "PDB_NAME" = p_name, "COLUMN_PREFIX" = p_name || ':';
SELECT "TEST"."CONTAINER"(p_name, true)
$$;
CREATE FUNCTION pg_temp.start_root() RETURNS void LANGUAGE sql AS $$ SELECT pg_temp.container('PDB1') $$;
CREATE FUNCTION pg_temp.run_reader() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.read_in_root(p_scan numeric, p_session text) RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.repair_in_root(p_scan numeric) RETURNS void LANGUAGE sql AS 'SELECT';
-- How it is told that the file of the first log, which ends at SCN 410, is gone.
CREATE FUNCTION pg_temp.gone_file() RETURNS text LANGUAGE sql AS $$ SELECT 'ORA-01292: no log file has been specified %' $$;
