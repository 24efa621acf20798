-- A log in the middle that is not given to LogMiner.
@@begin.sql
PROMPT ==== 16 a log in the middle that is not given to LogMiner
PROMPT expected: no error at the start; STATUS 4 in V$LOGMNR_LOGS; a row MISSING_SCN (operation 34) with STATUS 1291
INSERT INTO plain VALUES (1, 'first');
COMMIT;
ALTER SYSTEM ARCHIVE LOG CURRENT;
INSERT INTO plain VALUES (2, 'left out');
COMMIT;
ALTER SYSTEM ARCHIVE LOG CURRENT;
INSERT INTO plain VALUES (3, 'last');
COMMIT;
ALTER SYSTEM ARCHIVE LOG CURRENT;
DECLARE
  l_option BINARY_INTEGER := DBMS_LOGMNR.NEW;
  l_to NUMBER;
BEGIN
  FOR r IN (
    SELECT MIN(name) AS name, MAX(next_change#) AS next_scn, ROW_NUMBER() OVER (PARTITION BY thread# ORDER BY sequence#) AS log_no
    FROM v$archived_log
    WHERE next_change# > &orapull_from AND name IS NOT NULL AND deleted = 'NO' AND standby_dest = 'NO'
    GROUP BY thread#, sequence#
    ORDER BY thread#, sequence#
  ) LOOP
    IF r.log_no <> 2 THEN
      DBMS_LOGMNR.ADD_LOGFILE(r.name, l_option);
      l_option := DBMS_LOGMNR.ADDFILE;
      l_to := r.next_scn - 1;
    END IF;
  END LOOP;
  DBMS_LOGMNR.START_LOGMNR(startscn => &orapull_from, endscn => l_to, options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG);
END;
/
PROMPT found:
SELECT thread_id, thread_sqn, status, info FROM v$logmnr_logs ORDER BY thread_id, thread_sqn;
SELECT operation_code, operation, status, scn, info
FROM v$logmnr_contents
WHERE operation_code = 34 OR status = 1291 OR seg_owner = 'ORAPULL_TRY' AND table_name = 'PLAIN';
@@finish.sql
-- orapull begins at the first SCN of what it gives to LogMiner, unless the whole range lies before that: in the hole that a restart leaves, or
-- before RESETLOGS.
PROMPT expected: a start before the first log: ORA-01291, or no error
PROMPT found:
DECLARE
  l_option BINARY_INTEGER := DBMS_LOGMNR.NEW;
  l_from NUMBER;
BEGIN
  FOR r IN (
    SELECT MIN(name) AS name, MIN(first_change#) AS first_scn, MAX(next_change#) AS next_scn
    FROM v$archived_log
    WHERE first_change# > &orapull_from AND name IS NOT NULL AND deleted = 'NO' AND standby_dest = 'NO'
    GROUP BY thread#, sequence#
    ORDER BY thread#, sequence#
  ) LOOP
    DBMS_LOGMNR.ADD_LOGFILE(r.name, l_option);
    l_option := DBMS_LOGMNR.ADDFILE;
    l_from := LEAST(r.first_scn, NVL(l_from, r.first_scn));
  END LOOP;
  DBMS_LOGMNR.START_LOGMNR(startscn => l_from - 1, endscn => l_from + 1, options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG);
  DBMS_OUTPUT.PUT_LINE('no error');
EXCEPTION
  WHEN OTHERS THEN DBMS_OUTPUT.PUT_LINE(SQLERRM);
END;
/
@@finish.sql
DELETE FROM plain;
COMMIT;
