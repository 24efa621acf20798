-- Makes database link ORAPULL_ROOT (topology ROOT) in the schema of the owner, or makes it anew, and tries it.
--   sqlplus / as sysdba @link_root.sql OWNER ROOT_OWNER CONNECT      in the container, after both installations
--     OWNER       of the installation here: ORAPULL
--     ROOT_OWNER  of the installation in CDB$ROOT: C##ORAPULL; its password is asked for
--     CONNECT     how CDB$ROOT is reached from the database server: //host:1521/service. On RAC a service of all instances
-- The link has a name of its own, so GLOBAL_NAMES must be FALSE (ORA-02085).
SET DEFINE ON VERIFY OFF FEEDBACK OFF ECHO OFF SERVEROUTPUT ON SIZE UNLIMITED
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
WHENEVER OSERROR EXIT FAILURE ROLLBACK
ACCEPT orapull_password CHAR PROMPT 'password of &2: ' HIDE

DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&1');
  l_found PLS_INTEGER;

  PROCEDURE drop_runner IS
  BEGIN
    EXECUTE IMMEDIATE 'DROP PROCEDURE ' || c_owner || '.run_statement';
  END drop_runner;

  -- Only its owner can make a private link: so does a procedure of his that is gone afterwards. The statement is its argument, not
  -- its text: that would be in DBA_SOURCE, with the password.
  PROCEDURE run_as_owner(p_statement IN VARCHAR2) IS
  BEGIN
    EXECUTE IMMEDIATE 'CREATE OR REPLACE PROCEDURE ' || c_owner
      || '.run_statement(p_statement IN VARCHAR2) AUTHID DEFINER AS BEGIN EXECUTE IMMEDIATE p_statement; END;';
    EXECUTE IMMEDIATE 'BEGIN ' || c_owner || '.run_statement(:1); END;' USING p_statement;
    drop_runner;
  EXCEPTION
    WHEN OTHERS THEN
      drop_runner;
      RAISE;
  END run_as_owner;
BEGIN
  EXECUTE IMMEDIATE 'GRANT CREATE DATABASE LINK TO ' || c_owner;
  SELECT COUNT(*) INTO l_found FROM dba_db_links WHERE owner = c_owner AND (db_link = 'ORAPULL_ROOT' OR db_link LIKE 'ORAPULL\_ROOT.%' ESCAPE '\');
  IF l_found > 0 THEN
    run_as_owner('DROP DATABASE LINK orapull_root');
  END IF;
  run_as_owner('CREATE DATABASE LINK orapull_root CONNECT TO &2 IDENTIFIED BY "&orapull_password" USING ''&3''');
  EXECUTE IMMEDIATE 'REVOKE CREATE DATABASE LINK FROM ' || c_owner;
  run_as_owner(
    'DECLARE l_same PLS_INTEGER; BEGIN SELECT COUNT(*) INTO l_same FROM ' || c_owner || '.setting h JOIN setting@orapull_root t '
    || 'ON t.pdb_name = h.pdb_name AND t.topology = h.topology; IF l_same = 0 THEN RAISE_APPLICATION_ERROR(-20000, '
    || '''SETTING.pdb_name or SETTING.topology is not the same on both sides of the link''); END IF; END;'
  );
END;
/
UNDEFINE orapull_password
PROMPT orapull: CDB$ROOT answers
