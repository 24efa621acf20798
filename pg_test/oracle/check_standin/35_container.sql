-- LogMiner inside a container (19.10 and later): it takes the files itself, and shows the container's redo only.
SELECT "TEST"."RESET"(), "TEST"."CONTAINER"('PDB1', true);
SELECT "TEST"."ADD_THREAD"(2, 50);
SELECT "TEST"."TX"(1, 100), "TEST"."COMMIT"(1, 120), "TEST"."SWITCH_LOG"(1, 200), "TEST"."SWITCH_LOG"(1, 300), "TEST"."SWITCH_LOG"(1, 400);
SELECT "TEST"."TX"(2, 410, 2), "TEST"."ADVANCE"(1000);
SELECT "TEST"."REDO"(3, 6, NULL, 420, p_more => '{"SRC_CON_NAME": "HR"}');
SELECT pg_temp.refused('files cannot be given', 'ORA-65040: %', $q$SELECT pg_temp.list('{/redo/group_1_a.log}')$q$);
SELECT pg_temp.start(90, 500);
SELECT pg_temp.same('only this container', pg_temp.rows(), '6@100 7@120 6@410');
SELECT pg_temp.same('the archived copy first, of all threads', (SELECT string_agg("FILENAME", ' ' ORDER BY "THREAD_ID", "THREAD_SQN") FROM "SYS"."V$LOGMNR_LOGS"),
    '/arch1/1_1_1.arc /arch1/1_2_1.arc /arch1/1_3_1.arc /redo/group_1_a.log /redo/group_4_a.log');
SELECT pg_temp.start(350, 390);
SELECT pg_temp.same('a list for each range', (SELECT string_agg("THREAD_ID" || '/' || "THREAD_SQN", ' ' ORDER BY "THREAD_ID") FROM "SYS"."V$LOGMNR_LOGS"), '1/3 2/1');
SELECT "TEST"."SWITCH_LOG"(1, 1100), "TEST"."DELETE_LOG"(1, 2, 'FILE');
SELECT pg_temp.start(90, 500);
SELECT pg_temp.same('one that has no file is missing', (SELECT concat("THREAD_ID", '/', "THREAD_SQN", ' ', "INFO") FROM "SYS"."V$LOGMNR_LOGS" WHERE "STATUS" = 4),
    '1/2 Missing log file(s) for thread number 1, sequence number(s) 2 to 2');
UPDATE "SYS"."GV$INSTANCE" SET "VERSION_FULL" = '19.9.0.0.0';
SELECT pg_temp.refused('not before 19.10', 'ORA-65040: %', 'SELECT pg_temp.start(90, 500)');
SELECT "DBMS_LOGMNR"."END_LOGMNR"();
SELECT "TEST"."RESET"();
