-- LAST_REDO_CHANGE# of an idle instance (RAC: leave all instances but this one without work; takes a minute).
@@begin.sql
PROMPT ==== 12 LAST_REDO_CHANGE# of an idle instance (RAC: leave all instances but this one without work; takes a minute)
PROMPT expected: it stands still there: only a heartbeat on that instance moves it
SELECT thread#, last_redo_change#, last_redo_time FROM v$thread WHERE status = 'OPEN';
BEGIN
  FOR i IN 1 .. 12 LOOP
    INSERT INTO plain VALUES (900000 + i, 'x');
    COMMIT;
    DBMS_LOCK.SLEEP(5);
  END LOOP;
END;
/
PROMPT found, a minute later:
SELECT thread#, last_redo_change#, last_redo_time FROM v$thread WHERE status = 'OPEN';
DELETE FROM plain;
COMMIT;
