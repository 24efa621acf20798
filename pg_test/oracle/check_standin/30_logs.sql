-- Logs: which files hold what, gaps, threads, restarts, incarnations.
SELECT "TEST"."RESET"();
SELECT "TEST"."COMMIT"(n, n * 100 + 50), "TEST"."SWITCH_LOG"(1, (n + 1) * 100) FROM generate_series(1, 5) n;
SELECT "TEST"."ADVANCE"(1000);
SELECT pg_temp.same('archived logs', (SELECT string_agg(concat_ws('/', "SEQUENCE#", "FIRST_CHANGE#", "NEXT_CHANGE#"), ' '
    ORDER BY "RECID") FROM "SYS"."V$ARCHIVED_LOG"),
    '1/1/200 2/200/300 3/300/400 4/400/500 5/500/600');
SELECT pg_temp.same('online logs', (SELECT string_agg(concat_ws('/', "SEQUENCE#", "STATUS", "ARCHIVED", "NEXT_CHANGE#"), ' '
    ORDER BY "SEQUENCE#") FROM "SYS"."V$LOG"),
    '4/INACTIVE/YES/500 5/INACTIVE/YES/600 6/CURRENT/NO/18446744073709551615');

SELECT pg_temp.list('{/arch1/1_2_1.arc,/arch1/1_3_1.arc,/arch1/1_4_1.arc}');
SELECT pg_temp.start(200, 450);
SELECT pg_temp.same('rows only of listed logs', pg_temp.rows(), '6@250 7@250 6@350 7@350 6@450 7@450');
SELECT pg_temp.refused('redo before the list', 'ORA-01291: %', 'SELECT pg_temp.start(199, 450)');
SELECT pg_temp.refused('redo behind the list', 'ORA-01291: %', 'SELECT pg_temp.start(200, 500)');
SELECT pg_temp.list('{/arch1/1_2_1.arc,/arch1/1_4_1.arc}');
SELECT pg_temp.start(200, 450);
SELECT pg_temp.same('a hole in the list is no error but a row',
    pg_temp.rows($q$concat_ws('@', "OPERATION_CODE", "SCN", "STATUS" || coalesce("INFO", ''))$q$),
    '6@250@0 7@250@0 34@300@1291Missing log file(s) for thread number 1, sequence number(s) 3 to 3 6@450@0 7@450@0');
SELECT pg_temp.same('and a row of V$LOGMNR_LOGS',
    (SELECT string_agg(concat_ws('/', "FILENAME", "THREAD_SQN", "STATUS"), ' ' ORDER BY "THREAD_SQN") FROM "SYS"."V$LOGMNR_LOGS"),
    '/arch1/1_2_1.arc/2/0 MISSING_LOGFILE/3/4 /arch1/1_4_1.arc/4/0');
SELECT pg_temp.list('{/arch1/1_2_1.arc,/arch1/1_4_1.arc,/arch1/1_5_1.arc}');
SELECT pg_temp.start(410, 550);
SELECT pg_temp.same('a hole before the range is none', pg_temp.rows(), '6@450 7@450 6@550 7@550');
SELECT pg_temp.same('the log before it is not read',
    (SELECT string_agg("THREAD_SQN" || '/' || "STATUS", ' ' ORDER BY "THREAD_SQN") FROM "SYS"."V$LOGMNR_LOGS"), '2/2 4/0 5/0');

-- An online log that is overwritten between its listing and its reading shows nothing, without an error.
SELECT "TEST"."COMMIT"(7, 1100), "TEST"."ADVANCE"(1200);
SELECT pg_temp.list(ARRAY(SELECT min(f."MEMBER") FROM "SYS"."V$LOG" g JOIN "SYS"."V$LOGFILE" f ON f."GROUP#" = g."GROUP#"
    WHERE g."STATUS" = 'CURRENT'));
SELECT "TEST"."DURING"('SCAN', 'SELECT "TEST"."SWITCH_LOG"() FROM generate_series(1, 3)');
SELECT pg_temp.start(1050, 1150);
SELECT pg_temp.same('a log overwritten under the scan', pg_temp.rows(), NULL);
SELECT pg_temp.same('it is told as it was listed', (SELECT "THREAD_SQN"::text FROM "SYS"."V$LOGMNR_LOGS"), '6');
SELECT pg_temp.same('V$LOG does not have it any more', (SELECT count(*)::text FROM "SYS"."V$LOG" WHERE "SEQUENCE#" = 6), '0');
SELECT pg_temp.same('the order was for one time', (SELECT count(*)::text FROM "SYS"."HOOK"), '0');

-- Ways to be gone.
SELECT "TEST"."DELETE_LOG"(1, 2, 'RMAN'), "TEST"."DELETE_LOG"(1, 3, 'FILE'), "TEST"."DELETE_LOG"(1, 4, 'FORGOTTEN'),
    "TEST"."DELETE_LOG"(1, 5, 'AGED');
SELECT pg_temp.same('what the control file says', (
    SELECT string_agg(concat_ws('/', "SEQUENCE#", "STATUS", "DELETED", "NAME"), ' ' ORDER BY "SEQUENCE#")
        FROM "SYS"."V$ARCHIVED_LOG" WHERE "SEQUENCE#" IN (2, 3, 4, 5)),
    '2/D/YES 3/A/NO//arch1/1_3_1.arc');
SELECT pg_temp.refused('a file that only the control file has', 'ORA-01284: %', $q$SELECT pg_temp.list('{/arch1/1_3_1.arc}')$q$);
SELECT pg_temp.list('{/arch1/1_5_1.arc}');
SELECT "TEST"."ARCHIVE"(1, 2), "TEST"."ARCHIVE"(1, 2, 2);
SELECT pg_temp.list('{/arch1/1_2_1.arc}');
SELECT pg_temp.refused('two copies of one log', 'ORA-01289: %', $q$SELECT "DBMS_LOGMNR"."ADD_LOGFILE"('/arch2/1_2_1.arc')$q$);

-- A log that is not archived cannot be overwritten.
SELECT "TEST"."RESET"();
SELECT "TEST"."SWITCH_LOG"(1, 100, false), "TEST"."SWITCH_LOG"(1, 200, false);
SELECT pg_temp.same('logs that wait to be archived',
    (SELECT string_agg("STATUS" || '/' || "ARCHIVED", ' ' ORDER BY "SEQUENCE#") FROM "SYS"."V$LOG"), 'ACTIVE/NO ACTIVE/NO CURRENT/NO');
SELECT pg_temp.refused('no group is free', 'thread 1 cannot switch: %', 'SELECT "TEST"."SWITCH_LOG"(1, 300, false)');

-- Two threads.
SELECT "TEST"."RESET"();
SELECT "TEST"."ADD_THREAD"(2, 50);
SELECT "TEST"."TX"(1, 100), "TEST"."TX"(2, 110, 2);
SELECT "TEST"."COMMIT"(2, 120), "TEST"."COMMIT"(1, 120);
SELECT "TEST"."ADVANCE"(500, 1);
SELECT pg_temp.same('an idle thread stands still',
    (SELECT string_agg("THREAD#" || '/' || "LAST_REDO_CHANGE#", ' ' ORDER BY "THREAD#") FROM "SYS"."V$THREAD"), '1/500 2/120');
SELECT pg_temp.list('{/redo/group_1_a.log,/redo/group_4_a.log}');
SELECT pg_temp.refused('beyond what the idle thread has on disk', 'ORA-01291: %', 'SELECT pg_temp.start(90, 400)');
SELECT "TEST"."ADVANCE"(500);
SELECT pg_temp.start(90, 400);
SELECT pg_temp.same('both threads', pg_temp.rows($q$concat_ws('/', "THREAD#", "XIDUSN", "OPERATION_CODE", "SCN")$q$),
    '1/1/6/100 2/2/6/110 2/2/7/120 1/1/7/120');
SELECT pg_temp.list('{/redo/group_1_a.log}');
SELECT pg_temp.start(90, 400);
SELECT pg_temp.same('a thread that is not listed is missing silently', pg_temp.rows('"XIDUSN"::text'), '1 1');
SELECT "TEST"."TX"(3, 510), "TEST"."TX"(4, 520, 2), "TEST"."CLOSE_THREAD"(2, 600);
SELECT pg_temp.same('a closed thread', (SELECT concat_ws('/', "STATUS", "CHECKPOINT_CHANGE#",
    (SELECT count(*) FROM "SYS"."GV$INSTANCE")) FROM "SYS"."V$THREAD" WHERE "THREAD#" = 2), 'CLOSED/600/1');
SELECT pg_temp.same('transactions of the others go on', (SELECT string_agg("XIDUSN"::text, ' ') FROM "SYS"."GV$TRANSACTION"), '3');
SELECT "TEST"."OPEN_THREAD"(2, 900);
SELECT pg_temp.same('opened again: no SCN between, the sequence goes on', (
    SELECT string_agg(concat_ws('/', "SEQUENCE#", "FIRST_CHANGE#", coalesce("NEXT_CHANGE#"::text, '-')), ' '
        ORDER BY "SEQUENCE#") FROM "SYS"."LOG" WHERE "THREAD#" = 2), '1/50/600 2/900/-');

-- A restart leaves a hole of SCNs between consecutive sequences; resetlogs begins anew.
SELECT "TEST"."RESET"();
SELECT "TEST"."COMMIT"(1, 100);
CREATE TEMPORARY TABLE before AS SELECT "STARTUP_TIME" AS started FROM "SYS"."V$INSTANCE";
SELECT setval('"SYS"."SCN"', 1);
SELECT "TEST"."RESTART"(NULL, 300);
SELECT pg_temp.same('the clock does not go back',
    (SELECT string_agg("FIRST_CHANGE#" || '/' || coalesce("NEXT_CHANGE#"::text, '-'), ' ' ORDER BY "SEQUENCE#")
        FROM "SYS"."LOG"), '1/101 401/-');
SELECT pg_temp.expect('another STARTUP_TIME', (SELECT "STARTUP_TIME" > started FROM "SYS"."V$INSTANCE", before));
SELECT pg_temp.refused('no redo in the hole', 'no log of thread 1 covers SCN 250', 'SELECT "TEST"."COMMIT"(2, 250)');
SELECT "TEST"."COMMIT"(2, 550), "TEST"."ADVANCE"(600);
SELECT pg_temp.list(ARRAY(SELECT '/arch1/1_1_1.arc' UNION ALL SELECT min(f."MEMBER") FROM "SYS"."V$LOG" g
    JOIN "SYS"."V$LOGFILE" f ON f."GROUP#" = g."GROUP#" WHERE g."STATUS" = 'CURRENT'));
SELECT pg_temp.start(90, 590);
SELECT pg_temp.same('which is no gap', pg_temp.rows(), '6@100 7@100 6@550 7@550');
SELECT pg_temp.list(ARRAY(SELECT min(f."MEMBER") FROM "SYS"."V$LOG" g JOIN "SYS"."V$LOGFILE" f ON f."GROUP#" = g."GROUP#"
    WHERE g."STATUS" = 'CURRENT'));
SELECT pg_temp.refused('a range may perhaps not begin in it', 'ORA-01291: missing log file', 'SELECT pg_temp.start(250, 590)');
SELECT pg_temp.start(401, 590);
SELECT pg_temp.same('but behind it', pg_temp.rows(), '6@550 7@550');
SELECT "TEST"."TX"(3, 610), "TEST"."RESETLOGS"(560);
SELECT pg_temp.same('another incarnation', (SELECT concat_ws('/', d."RESETLOGS_CHANGE#", i."INCARNATION#", i."STATUS",
    t."SEQUENCE#", t."LAST_REDO_CHANGE#", (SELECT count(*) FROM "SYS"."V$TRANSACTION"))
    FROM "SYS"."DATABASE" d, "SYS"."V$DATABASE_INCARNATION" i, "SYS"."V$THREAD" t WHERE i."RESETLOGS_CHANGE#" = 560),
        '560/2/CURRENT/1/560/0');
SELECT pg_temp.same('the same SCNs again', "TEST"."COMMIT"(4)::text, '561');
SELECT "TEST"."SWITCH_LOG"();
SELECT pg_temp.same('sequence 1 of two incarnations',
    (SELECT string_agg("SEQUENCE#" || '/' || "RESETLOGS_CHANGE#", ' ' ORDER BY "RECID") FROM "SYS"."V$ARCHIVED_LOG"), '1/1 1/560');
SELECT "DBMS_LOGMNR"."END_LOGMNR"();
