-- What root.sql does, in a database without containers: nothing.
CREATE FUNCTION pg_temp.start_root() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.container(p_name text) RETURNS void LANGUAGE sql AS $$ UPDATE "ORAPULL"."SETTING" SET "PDB_NAME" = p_name $$;
CREATE FUNCTION pg_temp.run_reader() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.read_in_root(p_scan numeric, p_session text) RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION pg_temp.repair_in_root(p_scan numeric) RETURNS void LANGUAGE sql AS 'SELECT';
