-- Used by install.sql and install_root.sql: fails when the schema of owner &1 has objects, but not table &2, which tells an installation.
DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&1');
  l_found PLS_INTEGER;
BEGIN
  SELECT COUNT(*) INTO l_found
  FROM dba_objects o
  WHERE o.owner = c_owner
    AND NOT EXISTS (SELECT 1 FROM dba_tables t WHERE t.owner = c_owner AND t.table_name = '&2');
  IF l_found > 0 THEN
    RAISE_APPLICATION_ERROR(-20000, 'schema ' || c_owner || ' has objects that are not orapull''s: give it a schema of its own');
  END IF;
END;
/
