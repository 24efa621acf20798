-- Used by install.sql: runs a file unless what it makes is there. &1 kind of object, &2 its name, &3 the file
SET TERMOUT OFF
COLUMN orapull_file NEW_VALUE orapull_file NOPRINT
SELECT CASE WHEN COUNT(*) = 0 THEN '&3' ELSE 'nothing.sql' END AS orapull_file
FROM dba_objects
WHERE owner = UPPER('&orapull_owner') AND object_type = UPPER('&1') AND object_name = UPPER('&2');
SET TERMOUT ON
@@&orapull_file
