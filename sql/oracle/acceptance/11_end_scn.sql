-- EndScn at the end of the redo on disk.
@@begin.sql
PROMPT ==== 11 endScn at the end of the redo on disk
PROMPT expected: LAST_REDO_CHANGE#: ORA-01291 or ORA-01281. One less: no error
DECLARE
  l_from NUMBER;
  l_last NUMBER;

  PROCEDURE try_end(p_end IN NUMBER, p_what IN VARCHAR2) IS
    l_option BINARY_INTEGER := DBMS_LOGMNR.NEW;
    l_rows NUMBER;
  BEGIN
    FOR r IN (SELECT MIN(f.member) AS member FROM v$log l JOIN v$logfile f ON f.group# = l.group# WHERE l.status = 'CURRENT' GROUP BY l.group#) LOOP
      DBMS_LOGMNR.ADD_LOGFILE(r.member, l_option);
      l_option := DBMS_LOGMNR.ADDFILE;
    END LOOP;
    DBMS_LOGMNR.START_LOGMNR(startscn => l_from, endscn => p_end, options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG);
    SELECT COUNT(*) INTO l_rows FROM v$logmnr_contents;
    DBMS_OUTPUT.PUT_LINE('found, ' || p_what || ': ' || l_rows || ' rows');
    DBMS_LOGMNR.END_LOGMNR;
  EXCEPTION
    WHEN OTHERS THEN
      DBMS_OUTPUT.PUT_LINE('found, ' || p_what || ': ' || SQLERRM);
  END try_end;
BEGIN
  SELECT MAX(first_change#) INTO l_from FROM v$log WHERE status = 'CURRENT';
  SELECT MIN(last_redo_change#) INTO l_last FROM v$thread WHERE status = 'OPEN' AND enabled = 'PUBLIC';
  try_end(l_last, 'endScn = LAST_REDO_CHANGE#');
  SELECT MIN(last_redo_change#) INTO l_last FROM v$thread WHERE status = 'OPEN' AND enabled = 'PUBLIC';
  try_end(l_last - 1, 'endScn = LAST_REDO_CHANGE# - 1');
END;
/
