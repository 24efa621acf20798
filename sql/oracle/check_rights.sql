-- Says what is missing before orapull can be installed or run, and fails when something is. Changes nothing.
--   sqlplus / as sysdba @check_rights.sql OWNER          (in the container that has the tables)
-- For each table that is to be followed the owner needs besides: GRANT SELECT ON it WITH GRANT OPTION (CANDIDATE_V says so).
SET DEFINE ON VERIFY OFF FEEDBACK OFF SERVEROUTPUT ON SIZE UNLIMITED
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
WHENEVER OSERROR EXIT FAILURE ROLLBACK

DECLARE
  l_missing PLS_INTEGER := 0;

  PROCEDURE want(p_is_so IN BOOLEAN, p_otherwise IN VARCHAR2) IS
  BEGIN
    IF p_is_so IS NULL OR NOT p_is_so THEN
      l_missing := l_missing + 1;
      DBMS_OUTPUT.PUT_LINE('missing: ' || p_otherwise);
    END IF;
  END want;
BEGIN
  want(
    DBMS_DB_VERSION.VERSION > 12 OR DBMS_DB_VERSION.VERSION = 12 AND DBMS_DB_VERSION.RELEASE >= 2,
    'Oracle 12.2 or later; this is ' || DBMS_DB_VERSION.VERSION || '.' || DBMS_DB_VERSION.RELEASE
  );
  FOR d IN (SELECT log_mode, database_role, supplemental_log_data_min, force_logging, cdb FROM v$database) LOOP
    want(d.log_mode = 'ARCHIVELOG', 'ARCHIVELOG mode: online logs are overwritten before they can be mined');
    want(d.database_role = 'PRIMARY', 'a primary database; this is a ' || d.database_role);
    want(d.supplemental_log_data_min IN ('YES', 'IMPLICIT'), 'ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;');
    IF d.force_logging = 'NO' THEN
      DBMS_OUTPUT.PUT_LINE('advice: ALTER DATABASE FORCE LOGGING; else NOLOGGING operations leave no trace in redo');
    END IF;
    IF d.cdb = 'YES' AND SYS_CONTEXT('USERENV', 'CON_NAME') = 'CDB$ROOT' THEN
      DBMS_OUTPUT.PUT_LINE('advice: this is CDB$ROOT; connect to the container of the tables. install_root.sql is for here');
    END IF;
  END LOOP;
  IF l_missing > 0 THEN
    RAISE_APPLICATION_ERROR(-20000, l_missing || ' things are missing in the database');
  END IF;
END;
/
@@rights.sql &1 CHECK
PROMPT orapull: nothing is missing
