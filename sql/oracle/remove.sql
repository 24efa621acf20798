-- Used by uninstall.sql and uninstall_root.sql: removes an owner with everything, and proves that nothing is left.
-- &1 the owner; &2 its role, -: it has none; &3 its tablespace, -: keep it; &4 a table that tells an installation; &5 what made it
DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&1');
  c_role CONSTANT VARCHAR2(128) := NULLIF(UPPER('&2'), '-');
  c_tablespace CONSTANT VARCHAR2(128) := NULLIF(UPPER('&3'), '-');
  l_found PLS_INTEGER;

  PROCEDURE run_if(p_found IN PLS_INTEGER, p_statement IN VARCHAR2) IS
  BEGIN
    IF p_found > 0 THEN
      EXECUTE IMMEDIATE p_statement;
    END IF;
  END run_if;

  PROCEDURE prove(p_left IN PLS_INTEGER, p_what IN VARCHAR2) IS
  BEGIN
    IF p_left > 0 THEN
      RAISE_APPLICATION_ERROR(-20000, p_what || ' is left');
    END IF;
  END prove;
BEGIN
  SELECT COUNT(*) INTO l_found FROM dba_users WHERE username = c_owner;
  IF l_found > 0 THEN
    SELECT COUNT(*) INTO l_found FROM dba_tables WHERE owner = c_owner AND table_name = '&4';
    IF l_found = 0 THEN
      RAISE_APPLICATION_ERROR(-20000, 'schema ' || c_owner || ' is not one that &5 made');
    END IF;
  END IF;
  FOR r IN (SELECT job_name, state FROM dba_scheduler_jobs WHERE owner = c_owner) LOOP
    DBMS_SCHEDULER.DISABLE(c_owner || '.' || r.job_name, TRUE);
    IF r.state = 'RUNNING' THEN
      DBMS_SCHEDULER.STOP_JOB(c_owner || '.' || r.job_name, TRUE);
    END IF;
    DBMS_SCHEDULER.DROP_JOB(c_owner || '.' || r.job_name, TRUE);
  END LOOP;
  run_if(l_found, 'DROP USER ' || c_owner || ' CASCADE');
  SELECT COUNT(*) INTO l_found FROM dba_roles WHERE role = c_role;
  run_if(l_found, 'DROP ROLE ' || c_role);
  SELECT COUNT(*) INTO l_found FROM dba_tablespaces WHERE tablespace_name = c_tablespace;
  run_if(l_found, 'DROP TABLESPACE ' || c_tablespace || ' INCLUDING CONTENTS AND DATAFILES');

  SELECT COUNT(*) INTO l_found FROM dba_users WHERE username = c_owner;
  prove(l_found, 'user ' || c_owner);
  SELECT COUNT(*) INTO l_found FROM dba_objects WHERE owner = c_owner;
  prove(l_found, 'an object of ' || c_owner);
  SELECT COUNT(*) INTO l_found FROM dba_scheduler_jobs WHERE owner = c_owner;
  prove(l_found, 'a job of ' || c_owner);
  SELECT COUNT(*) INTO l_found FROM dba_roles WHERE role = c_role;
  prove(l_found, 'role ' || c_role);
  SELECT COUNT(*) INTO l_found FROM dba_tab_privs WHERE grantee IN (c_owner, c_role);
  prove(l_found, 'a grant');
  SELECT COUNT(*) INTO l_found FROM dba_tablespaces WHERE tablespace_name = c_tablespace;
  prove(l_found, 'tablespace ' || c_tablespace);
END;
/
