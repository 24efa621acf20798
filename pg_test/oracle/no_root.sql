-- What root.sql and inside.sql do, in a database without containers: nothing.
CREATE FUNCTION pg_temp.start_root() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.container(p_name text) RETURNS void LANGUAGE sql AS $$ UPDATE "ORAPULL"."SETTING" SET "PDB_NAME" = p_name $$;
CREATE FUNCTION pg_temp.run_reader() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.read_in_root(p_scan numeric, p_session text) RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.repair_in_root(p_scan numeric) RETURNS void LANGUAGE sql AS 'SELECT';
-- How it is told that the file of the first log, which ends at SCN 410, is gone.
CREATE FUNCTION pg_temp.gone_file() RETURNS text LANGUAGE sql AS $$ SELECT '%ORA-20821: GAP: thread 1 sequence 1 (SCN 1 to 410), file /arch1/1_1_1.arc, %' $$;
