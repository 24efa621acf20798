-- What stands in for DBMS_SCHEDULER, DBMS_LOCK and DBMS_SESSION refuses what they refuse.
SELECT pg_temp.refused('a job that is not there', 'ORA-27475: %', $$CALL "DBMS_SCHEDULER"."ENABLE"('NONE')$$);
SELECT pg_temp.refused('dropped', 'ORA-27475: %', $$CALL "DBMS_SCHEDULER"."DROP_JOB"('NONE')$$);
SELECT pg_temp.refused('a calendar that is none', 'ORA-27412: %',
    $$CALL "DBMS_SCHEDULER"."CREATE_JOB"('A', 'STORED_PROCEDURE', 'P', 'FREQ=SECONDLY;INTERVAL=100')$$);
CALL "DBMS_SCHEDULER"."CREATE_JOB"('A', 'STORED_PROCEDURE', 'P', 'FREQ=SECONDLY;INTERVAL=2');
SELECT pg_temp.refused('a second job of the name', 'ORA-27477: %', $$CALL "DBMS_SCHEDULER"."CREATE_JOB"('A', 'STORED_PROCEDURE', 'P')$$);
SELECT pg_temp.refused('an attribute that is none', 'ORA-27469: %', $$CALL "DBMS_SCHEDULER"."SET_ATTRIBUTE"('A', 'colour', 1)$$);
SELECT pg_temp.expect('a new job does not run', "TEST"."JOB_BEGINS"('A') IS NULL);
CALL "DBMS_SCHEDULER"."ENABLE"('A');
SELECT pg_temp.expect('an enabled one does', "TEST"."JOB_BEGINS"('A') = 'P');
SELECT pg_temp.expect('and is seen running', "STATE" = 'RUNNING') FROM "SYS"."USER_SCHEDULER_JOBS";
SELECT pg_temp.refused('a running job is not dropped', 'ORA-27478: %', $$CALL "DBMS_SCHEDULER"."DROP_JOB"('A')$$);
SELECT pg_temp.refused('nor disabled', 'ORA-27478: %', $$CALL "DBMS_SCHEDULER"."DISABLE"('A')$$);
SELECT "TEST"."JOB_ENDS"('A', true);
SELECT pg_temp.expect('runs are counted', "RUN_COUNT" = 1 AND "FAILURE_COUNT" = 1 AND "STATE" = 'SCHEDULED'
    AND "NEXT_RUN_DATE" = "LAST_START_DATE" + interval '2 s') FROM "SYS"."USER_SCHEDULER_JOBS";
CALL "DBMS_SCHEDULER"."DROP_JOB"('A', true);
SELECT pg_temp.refused('a text without its quotes', 'ORA-00922: %', $$SELECT "DBMS_SESSION"."SET_NLS"('NLS_DATE_FORMAT', 'YYYY-MM-DD')$$);
SELECT pg_temp.refused('a setting that is none', 'ORA-02248: %', $$SELECT "DBMS_SESSION"."SET_NLS"('NLS_COLOUR', 'RED')$$);
