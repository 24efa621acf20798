-- By hand, 19.10 and later: connect to the container, not to CDB$ROOT, as a user with LOGMINING.
@@begin.sql
PROMPT ==== 14 a container mined by itself, with a log missing
PROMPT expected: START_LOGMNR works without ADD_LOGFILE and shows redo of this container only
PROMPT expected: with a log moved away: an error, STATUS 4 in V$LOGMNR_LOGS, or a MISSING_SCN row - never silence
INSERT INTO plain VALUES (1, 'x');
COMMIT;
PROMPT now, in CDB$ROOT: switch logs twice and move the archived log of this moment away; then press return
PAUSE
DECLARE
  l_to NUMBER;
BEGIN
  SELECT current_scn INTO l_to FROM v$database;
  DBMS_LOGMNR.START_LOGMNR(startscn => &orapull_from, endscn => l_to, options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG);
END;
/
PROMPT expected: MINE_VALUE tells 1 for OWNER.TABLE.COLUMN, or for CONTAINER:OWNER.TABLE.COLUMN (so Oracle's documentation for a CDB);
PROMPT expected: SETTING.COLUMN_PREFIX is what comes before OWNER; when it is the former, UPDATE setting SET column_prefix = NULL, and tell the project
PROMPT found:
SELECT
  operation, DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.PLAIN.ID') AS plain,
  DBMS_LOGMNR.MINE_VALUE(redo_value, SYS_CONTEXT('USERENV', 'CON_NAME') || ':ORAPULL_TRY.PLAIN.ID') AS with_container
FROM v$logmnr_contents
WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'PLAIN' AND operation_code = 1;
SELECT thread_id, thread_sqn, status, info FROM v$logmnr_logs;
SELECT operation_code, operation, status, src_con_name, COUNT(*)
FROM v$logmnr_contents
GROUP BY operation_code, operation, status, src_con_name
ORDER BY operation_code;
@@finish.sql
PROMPT (move the log back)
