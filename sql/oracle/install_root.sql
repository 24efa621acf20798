-- Installs in CDB$ROOT what reads redo for one container (topology ROOT), or brings it up to date; running it again changes nothing.
--   sqlplus / as sysdba @install_root.sql OWNER TABLESPACE PDB HOW
--     OWNER       common user with a schema of its own, one for each container that is mined: C##ORAPULL
--     TABLESPACE  of CDB$ROOT, for its stages; one of its own, NOLOGGING
--     PDB         container that has the tables
--     HOW         CREATE: makes tablespace, owner and grants that are not there, and asks for the owner's password; EXISTING: all of
--                 that is there
-- Connect to CDB$ROOT. root/README.md says what comes before and after.
SET DEFINE ON VERIFY OFF FEEDBACK OFF ECHO OFF SERVEROUTPUT ON SIZE UNLIMITED SQLBLANKLINES ON
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
WHENEVER OSERROR EXIT FAILURE ROLLBACK
DEFINE orapull_owner = '&1'
DEFINE orapull_tablespace = '&2'
DEFINE orapull_pdb = '&3'
DEFINE orapull_how = '&4'

PROMPT orapull in CDB$ROOT: owner, tablespace. The container logs in as the owner; HOW EXISTING: any password
ACCEPT orapull_password CHAR PROMPT 'password of the owner: ' HIDE
@@own_schema.sql &orapull_owner PASS
DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&orapull_owner');
  c_tablespace CONSTANT VARCHAR2(128) := UPPER('&orapull_tablespace');
  l_found PLS_INTEGER;
BEGIN
  IF UPPER('&orapull_how') NOT IN ('CREATE', 'EXISTING') THEN
    RAISE_APPLICATION_ERROR(-20000, 'arguments: OWNER TABLESPACE PDB CREATE|EXISTING');
  END IF;
  IF SYS_CONTEXT('USERENV', 'CON_NAME') <> 'CDB$ROOT' THEN
    RAISE_APPLICATION_ERROR(-20000, 'this is ' || SYS_CONTEXT('USERENV', 'CON_NAME') || ': connect to CDB$ROOT');
  END IF;
  SELECT COUNT(*) INTO l_found FROM v$pdbs WHERE name = UPPER('&orapull_pdb');
  IF l_found = 0 THEN
    RAISE_APPLICATION_ERROR(-20000, 'there is no container &orapull_pdb');
  END IF;
  IF UPPER('&orapull_how') = 'EXISTING' THEN
    RETURN;
  END IF;
  SELECT COUNT(*) INTO l_found FROM dba_tablespaces WHERE tablespace_name = c_tablespace;
  IF l_found = 0 THEN
    EXECUTE IMMEDIATE 'CREATE TABLESPACE ' || c_tablespace || ' DATAFILE SIZE 1G AUTOEXTEND ON NEXT 1G NOLOGGING';
  END IF;
  SELECT COUNT(*) INTO l_found FROM dba_users WHERE username = c_owner;
  IF l_found = 0 THEN
    -- A default tablespace would have to be in every container.
    EXECUTE IMMEDIATE 'CREATE USER ' || c_owner || ' IDENTIFIED BY "&orapull_password" CONTAINER=ALL';
  END IF;
  EXECUTE IMMEDIATE 'ALTER USER ' || c_owner || ' DEFAULT TABLESPACE ' || c_tablespace || ' QUOTA UNLIMITED ON ' || c_tablespace
    || ' CONTAINER=CURRENT';
  EXECUTE IMMEDIATE 'ALTER USER ' || c_owner || ' SET CONTAINER_DATA=ALL CONTAINER=CURRENT';
END;
/
UNDEFINE orapull_password
COLUMN orapull_file NEW_VALUE orapull_file NOPRINT
SELECT CASE UPPER('&orapull_how') WHEN 'CREATE' THEN 'rights_root.sql' ELSE 'nothing.sql' END AS orapull_file FROM dual;
@@&orapull_file &orapull_owner GRANT
@@rights_root.sql &orapull_owner CHECK

ALTER SESSION SET CURRENT_SCHEMA = &orapull_owner;

PROMPT orapull in CDB$ROOT: tables
@@once.sql TABLE setting root/tables/setting.sql
@@once.sql TABLE source_table root/tables/source_table.sql
@@once.sql TABLE source_object tables/source_object.sql
@@once.sql TABLE scan_log tables/scan_log.sql
@@once.sql TABLE pass root/tables/pass.sql
@@once.sql TABLE stage_0 root/tables/stage_0.sql

MERGE INTO setting s
USING (SELECT 1 AS only_row, UPPER('&orapull_pdb') AS pdb_name FROM dual) n
ON (s.only_row = n.only_row)
WHEN NOT MATCHED THEN INSERT (only_row, pdb_name, column_prefix) VALUES (n.only_row, n.pdb_name, n.pdb_name || ':');
COMMIT;

PROMPT orapull in CDB$ROOT: packages, views, procedures of the jobs
@@packages/logminer.pks
@@packages/redo_text.pks
@@root/packages/reader.pks
@@views/redo_row_v.sql
@@views/redo_stage_v.sql
@@root/views/pass_v.sql
@@packages/logminer.pkb
@@packages/redo_text.pkb
@@root/packages/reader.pkb
@@jobs/set_job_session.sql
@@jobs/make_job.sql
@@root/jobs/run_reader.sql
@@root/jobs/start_reading.sql
@@root/jobs/stop_reading.sql

PROMPT orapull in CDB$ROOT: is anything invalid?
@@prove_valid.sql &orapull_owner
PROMPT orapull in CDB$ROOT: installed
