-- Used by install_root.sql: what the owner in CDB$ROOT must be granted, directly, because roles are not active in packages.
-- &1 the owner; &2 GRANT: grants it (as SYS); CHECK: names every grant that is missing, and fails if one is.
DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&1');
  c_grants CONSTANT BOOLEAN := UPPER('&2') = 'GRANT';
  -- Redo names what is in the container, so LOGMINING is granted in all.
  c_system CONSTANT sys.odcivarchar2list := sys.odcivarchar2list('CREATE SESSION', 'CREATE TABLE', 'CREATE JOB', 'LOGMINING');
  c_read CONSTANT sys.odcivarchar2list := sys.odcivarchar2list(
    'V_$DATABASE', 'GV_$SESSION', 'V_$LOGMNR_CONTENTS', 'V_$LOGMNR_LOGS',
    'V_$MYSTAT', 'V_$STATNAME'
  );
  l_missing PLS_INTEGER := 0;

  PROCEDURE settle(p_found IN PLS_INTEGER, p_grant IN VARCHAR2) IS
  BEGIN
    IF p_found > 0 THEN
      RETURN;
    END IF;
    IF c_grants THEN
      EXECUTE IMMEDIATE p_grant;
    ELSE
      l_missing := l_missing + 1;
      DBMS_OUTPUT.PUT_LINE('missing: ' || p_grant || ';');
    END IF;
  END settle;

  FUNCTION grants_on(p_object IN VARCHAR2, p_right IN VARCHAR2) RETURN PLS_INTEGER IS
    l_found PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_found
    FROM dba_tab_privs
    WHERE grantee IN (c_owner, 'PUBLIC') AND owner = 'SYS' AND table_name = p_object
      AND (privilege = p_right OR p_right = 'SELECT' AND privilege = 'READ');
    RETURN l_found;
  END grants_on;

  FUNCTION has_system(p_right IN VARCHAR2) RETURN PLS_INTEGER IS
    l_found PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_found FROM dba_sys_privs WHERE grantee = c_owner AND privilege = p_right;
    RETURN l_found;
  END has_system;
BEGIN
  FOR i IN 1 .. c_system.COUNT LOOP
    settle(
      has_system(c_system(i)),
      'GRANT ' || c_system(i) || ' TO ' || c_owner || CASE WHEN c_system(i) = 'LOGMINING' THEN ' CONTAINER=ALL' END
    );
  END LOOP;
  FOR i IN 1 .. c_read.COUNT LOOP
    settle(grants_on(c_read(i), 'SELECT'), 'GRANT SELECT ON sys.' || c_read(i) || ' TO ' || c_owner);
  END LOOP;
  settle(grants_on('DBMS_LOGMNR', 'EXECUTE'), 'GRANT EXECUTE ON sys.DBMS_LOGMNR TO ' || c_owner);
  IF l_missing > 0 THEN
    RAISE_APPLICATION_ERROR(-20000, l_missing || ' grants are missing; SYS can make them: @rights_root ' || c_owner || ' GRANT');
  END IF;
END;
/
