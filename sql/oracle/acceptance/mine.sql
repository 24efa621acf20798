-- Used by the scripts: LogMiner over the SCNs &1 to &2 (-: now), with option &3 besides the online catalog; finish.sql ends it.
COLUMN orapull_to NEW_VALUE orapull_to NOPRINT
ALTER SYSTEM ARCHIVE LOG CURRENT;
SELECT CASE WHEN '&2' = '-' THEN TO_CHAR(current_scn) ELSE '&2' END AS orapull_to FROM v$database;
ALTER SYSTEM ARCHIVE LOG CURRENT;
DECLARE
  l_option BINARY_INTEGER := DBMS_LOGMNR.NEW;
BEGIN
  FOR r IN (
    SELECT MIN(name) AS name
    FROM v$archived_log
    WHERE next_change# > &1 AND first_change# <= &orapull_to AND name IS NOT NULL AND deleted = 'NO' AND standby_dest = 'NO'
      AND resetlogs_change# = (SELECT resetlogs_change# FROM v$database)
    GROUP BY thread#, sequence#
    ORDER BY thread#, sequence#
  ) LOOP
    DBMS_LOGMNR.ADD_LOGFILE(r.name, l_option);
    l_option := DBMS_LOGMNR.ADDFILE;
  END LOOP;
  DBMS_LOGMNR.START_LOGMNR(startscn => &1, endscn => &orapull_to, options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG + &3);
END;
/
