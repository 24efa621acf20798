-- Says what is missing before orapull can be installed or run, and fails when something is. Changes nothing.
--   sqlplus / as sysdba @check_rights.sql OWNER TOPOLOGY          (in the container that has the tables)
--     TOPOLOGY    SINGLE, PDB or ROOT, as for install.sql
-- For each table that is to be followed the owner needs besides: GRANT SELECT ON it WITH GRANT OPTION (CANDIDATE_V says so).
SET DEFINE ON VERIFY OFF FEEDBACK OFF SERVEROUTPUT ON SIZE UNLIMITED
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
WHENEVER OSERROR EXIT FAILURE ROLLBACK
VARIABLE orapull_missing NUMBER

DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&1');
  c_topology CONSTANT VARCHAR2(128) := UPPER('&2');
  c_container CONSTANT VARCHAR2(128) := SYS_CONTEXT('USERENV', 'CON_NAME');
  l_missing PLS_INTEGER := 0;

  PROCEDURE want(p_is_so IN BOOLEAN, p_otherwise IN VARCHAR2) IS
  BEGIN
    IF p_is_so IS NULL OR NOT p_is_so THEN
      l_missing := l_missing + 1;
      DBMS_OUTPUT.PUT_LINE('missing: ' || p_otherwise);
    END IF;
  END want;

  -- V$INSTANCE has VERSION_FULL from release 18 on; before, the second number of a release was not that of its update.
  FUNCTION mines_in_containers RETURN BOOLEAN IS
    l_update PLS_INTEGER;
  BEGIN
    IF DBMS_DB_VERSION.VERSION <> 19 THEN
      RETURN DBMS_DB_VERSION.VERSION > 19;
    END IF;
    EXECUTE IMMEDIATE 'SELECT TO_NUMBER(REGEXP_SUBSTR(version_full, ''[0-9]+'', 1, 2)) FROM v$instance' INTO l_update;
    RETURN l_update >= 10;
  END mines_in_containers;

  -- Minimal supplemental logging of the whole database, or, where each container has its own undo, of this container.
  FUNCTION has_supplemental_logging RETURN BOOLEAN IS
    l_found PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_found
    FROM v$database d
    LEFT JOIN dba_supplemental_logging s ON s.minimal = 'YES'
    WHERE d.supplemental_log_data_min IN ('YES', 'IMPLICIT') OR s.minimal IS NOT NULL;
    RETURN l_found > 0;
  END has_supplemental_logging;

  FUNCTION has_room(p_tablespace IN VARCHAR2) RETURN BOOLEAN IS
    l_found PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_found
    FROM (
      SELECT q.username AS holder FROM dba_ts_quotas q
      WHERE q.username = c_owner AND q.tablespace_name = p_tablespace AND (q.max_bytes = -1 OR q.max_bytes > q.bytes)
      UNION ALL
      SELECT p.grantee FROM dba_sys_privs p WHERE p.grantee = c_owner AND p.privilege = 'UNLIMITED TABLESPACE'
    ) h;
    RETURN l_found > 0;
  END has_room;

  PROCEDURE check_owner IS
    l_tablespace dba_users.default_tablespace%TYPE;
  BEGIN
    SELECT MAX(u.default_tablespace) INTO l_tablespace FROM dba_users u WHERE u.username = c_owner;
    want(l_tablespace IS NOT NULL, 'user ' || c_owner);
    IF l_tablespace IS NOT NULL THEN
      want(has_room(l_tablespace), 'ALTER USER ' || c_owner || ' QUOTA UNLIMITED ON ' || l_tablespace || ';');
    END IF;
  END check_owner;
BEGIN
  want(
    DBMS_DB_VERSION.VERSION > 12 OR DBMS_DB_VERSION.VERSION = 12 AND DBMS_DB_VERSION.RELEASE >= 2,
    'Oracle 12.2 or later; this is ' || DBMS_DB_VERSION.VERSION || '.' || DBMS_DB_VERSION.RELEASE
  );
  want(c_topology IN ('SINGLE', 'PDB', 'ROOT'), 'topology SINGLE, PDB or ROOT; this is ' || c_topology);
  want(
    c_topology <> 'PDB' OR mines_in_containers,
    'Oracle 19.10 or later for topology PDB: before, LogMiner runs in CDB$ROOT only (ORA-65040); topology ROOT does that'
  );
  want(has_supplemental_logging, 'ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;');
  FOR d IN (SELECT log_mode, database_role, force_logging, cdb FROM v$database) LOOP
    want(d.log_mode = 'ARCHIVELOG', 'ARCHIVELOG mode: online logs are overwritten before they can be mined');
    want(d.database_role = 'PRIMARY', 'a primary database; this is a ' || d.database_role);
    want(d.cdb = 'YES' OR c_topology = 'SINGLE', 'containers for topology ' || c_topology || '; this database has none: SINGLE');
    want(d.cdb = 'NO' OR c_topology <> 'SINGLE', 'topology PDB or ROOT: this database has containers');
    want(d.cdb = 'NO' OR c_container <> 'CDB$ROOT', 'a connection to the container of the tables; this is CDB$ROOT, for install_root.sql');
    IF d.force_logging = 'NO' THEN
      DBMS_OUTPUT.PUT_LINE('advice: ALTER DATABASE FORCE LOGGING; else NOLOGGING operations leave no trace in redo');
    END IF;
  END LOOP;
  check_owner;
  :orapull_missing := l_missing;
END;
/
-- All is told before it fails.
@@rights.sql &1 CHECK
BEGIN
  IF :orapull_missing > 0 THEN
    RAISE_APPLICATION_ERROR(-20000, :orapull_missing || ' things are missing in the database');
  END IF;
END;
/
PROMPT orapull: nothing is missing
