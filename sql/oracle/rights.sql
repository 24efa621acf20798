-- Used by install.sql and check_rights.sql: what the owner must be granted, directly, because roles are not active in packages.
-- &1 the owner; &2 GRANT: grants it (as SYS); CHECK: names every grant that is missing, and fails if one is.
-- What views of the contract read is needed WITH GRANT OPTION, or they could not be granted to the shards (ORA-01720).
DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&1');
  c_grants CONSTANT BOOLEAN := UPPER('&2') = 'GRANT';
  c_system CONSTANT sys.odcivarchar2list := sys.odcivarchar2list(
    'CREATE TABLE', 'CREATE VIEW', 'CREATE SEQUENCE', 'CREATE PROCEDURE', 'CREATE JOB', 'LOGMINING'
  );
  c_passed_on CONSTANT sys.odcivarchar2list := sys.odcivarchar2list(
    'V_$DATABASE', 'V_$PDB_INCARNATION', 'GV_$TRANSACTION', 'GV_$SESSION', 'DBA_CONS_COLUMNS', 'DBA_CONSTRAINTS', 'DBA_LOBS',
    'DBA_LOB_PARTITIONS', 'DBA_LOB_SUBPARTITIONS', 'DBA_LOGSTDBY_UNSUPPORTED',
    'DBA_LOG_GROUP_COLUMNS', 'DBA_LOG_GROUPS', 'DBA_OBJECTS', 'DBA_POLICIES', 'DBA_SUPPLEMENTAL_LOGGING', 'DBA_SYS_PRIVS', 'DBA_TABLES', 'DBA_TAB_COLS',
    'DBA_TAB_PARTITIONS', 'DBA_TAB_PRIVS', 'DBA_TAB_SUBPARTITIONS', 'DBA_USERS', 'REDACTION_POLICIES'
  );
  c_read CONSTANT sys.odcivarchar2list := sys.odcivarchar2list(
    'DBA_2PC_PENDING', 'DBA_DATA_FILES', 'DBA_EXTENTS', 'DBA_INDEXES', 'DBA_SEGMENTS', 'GV_$INSTANCE', 'GV_$PROCESS', 'V_$ARCHIVED_LOG',
    'V_$ARCHIVE_DEST_STATUS',
    'V_$DATAFILE', 'V_$LOG', 'V_$LOGFILE', 'V_$LOGMNR_CONTENTS', 'V_$LOGMNR_LOGS', 'V_$MYSTAT', 'V_$STATNAME', 'V_$THREAD'
  );
  c_run CONSTANT sys.odcivarchar2list := sys.odcivarchar2list('DBMS_LOGMNR', 'DBMS_LOCK');
  l_missing PLS_INTEGER := 0;

  PROCEDURE settle(p_is_there IN BOOLEAN, p_grant IN VARCHAR2) IS
  BEGIN
    IF p_is_there THEN
      RETURN;
    END IF;
    IF c_grants THEN
      EXECUTE IMMEDIATE p_grant;
    ELSE
      l_missing := l_missing + 1;
      DBMS_OUTPUT.PUT_LINE('missing: ' || p_grant || ';');
    END IF;
  END settle;

  FUNCTION has_object(p_object IN VARCHAR2, p_right IN VARCHAR2, p_passed_on IN VARCHAR2) RETURN BOOLEAN IS
    l_found PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_found
    FROM dba_tab_privs
    WHERE grantee IN (c_owner, 'PUBLIC') AND owner = 'SYS' AND table_name = p_object
      AND (privilege = p_right AND (p_passed_on = 'NO' OR grantable = 'YES') OR p_right = 'SELECT' AND privilege = 'READ' AND p_passed_on = 'NO');
    RETURN l_found > 0;
  END has_object;

  FUNCTION has_system(p_right IN VARCHAR2) RETURN BOOLEAN IS
    l_found PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_found FROM dba_sys_privs WHERE grantee = c_owner AND privilege = p_right;
    RETURN l_found > 0;
  END has_system;
BEGIN
  FOR i IN 1 .. c_system.COUNT LOOP
    settle(has_system(c_system(i)), 'GRANT ' || c_system(i) || ' TO ' || c_owner);
  END LOOP;
  FOR i IN 1 .. c_passed_on.COUNT LOOP
    settle(
      has_object(c_passed_on(i), 'SELECT', 'YES'), 'GRANT SELECT ON sys.' || c_passed_on(i) || ' TO ' || c_owner || ' WITH GRANT OPTION'
    );
  END LOOP;
  FOR i IN 1 .. c_read.COUNT LOOP
    settle(has_object(c_read(i), 'SELECT', 'NO'), 'GRANT SELECT ON sys.' || c_read(i) || ' TO ' || c_owner);
  END LOOP;
  FOR i IN 1 .. c_run.COUNT LOOP
    settle(has_object(c_run(i), 'EXECUTE', 'NO'), 'GRANT EXECUTE ON sys.' || c_run(i) || ' TO ' || c_owner);
  END LOOP;
  IF l_missing > 0 THEN
    RAISE_APPLICATION_ERROR(-20000, l_missing || ' grants are missing; SYS can make them: @rights ' || c_owner || ' GRANT');
  END IF;
END;
/
