-- Used by install.sql and install_root.sql: names every object of the owner &1 that is invalid, and fails when one is.
DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&1');
  l_invalid PLS_INTEGER := 0;
BEGIN
  DBMS_UTILITY.COMPILE_SCHEMA(schema => c_owner, compile_all => FALSE);
  FOR r IN (
    SELECT o.object_type, o.object_name, e.line, e.text
    FROM dba_objects o
    LEFT JOIN dba_errors e ON e.owner = o.owner AND e.name = o.object_name AND e.type = o.object_type AND e.attribute = 'ERROR'
    WHERE o.owner = c_owner AND o.status <> 'VALID'
    -- A table that was altered invalidates its views until REFRESH_TABLE, which is no fault of the installation.
      AND NOT REGEXP_LIKE(o.object_name, '^(PULL|LOAD)_[0-9]+$')
    ORDER BY o.object_type, o.object_name, e.sequence
  ) LOOP
    l_invalid := l_invalid + 1;
    DBMS_OUTPUT.PUT_LINE('invalid: ' || r.object_type || ' ' || r.object_name || ' line ' || r.line || ': ' || r.text);
  END LOOP;
  IF l_invalid > 0 THEN
    RAISE_APPLICATION_ERROR(-20000, 'the installation has invalid objects');
  END IF;
END;
/
