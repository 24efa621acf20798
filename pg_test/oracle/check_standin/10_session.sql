-- The LogMiner session: its errors, and that it is no part of a transaction.
SELECT "TEST"."RESET"();
SELECT "TEST"."ADVANCE"(1000);

SELECT pg_temp.refused('reading before the start', 'ORA-01306: %', 'SELECT * FROM "SYS"."V$LOGMNR_CONTENTS"');
SELECT pg_temp.refused('an end without a session', 'ORA-01307: %', 'SELECT "DBMS_LOGMNR"."END_LOGMNR"()');
SELECT pg_temp.refused('a start without a file', 'ORA-01292: %', 'SELECT pg_temp.start(100, 200)');
SELECT pg_temp.refused('a file that is not there', E'ORA-01284: file /redo/x cannot be opened\nORA-00308: %',
                       $q$SELECT "DBMS_LOGMNR"."ADD_LOGFILE"('/redo/x', 1)$q$);
SELECT pg_temp.list('{/redo/group_1_a.log}');
SELECT pg_temp.refused('a file twice', 'ORA-01289: %', $q$SELECT "DBMS_LOGMNR"."ADD_LOGFILE"('/redo/group_1_a.log')$q$);
SELECT pg_temp.refused('another member of the same group', 'ORA-01289: %', $q$SELECT "DBMS_LOGMNR"."ADD_LOGFILE"('/redo/group_1_b.log')$q$);
SELECT pg_temp.refused('a file off the list that is not on it', 'ORA-01290: %',
    $q$SELECT "DBMS_LOGMNR"."REMOVE_LOGFILE"('/redo/group_1_b.log')$q$);
SELECT pg_temp.refused('equal ends of the range', 'ORA-01281: %', 'SELECT pg_temp.start(100, 100)');
SELECT pg_temp.refused('a range that goes back', 'ORA-01281: %', 'SELECT pg_temp.start(200, 100)');
SELECT pg_temp.refused('no range', 'ORA-01281: %', 'SELECT "DBMS_LOGMNR"."START_LOGMNR"("OPTIONS" => 16)');
SELECT pg_temp.refused('no dictionary', 'ORA-44613: %', 'SELECT pg_temp.start(100, 200, 0)');
SELECT pg_temp.refused('CONTINUOUS_MINE', 'ORA-44609: %', 'SELECT pg_temp.start(100, 200, 16 + 1024)');
SELECT pg_temp.refused('reading what is not on disk', 'ORA-01291: %', 'SELECT pg_temp.start(100, 1000)');
SELECT pg_temp.start(100, 999);

DO $$
BEGIN
    BEGIN
        PERFORM "SYS"."RAISE"(1281, 'text');
    EXCEPTION WHEN SQLSTATE 'O0501' THEN
        RETURN;
    END;
END
$$;

-- A new list forgets the range.
SELECT pg_temp.list('{/redo/group_1_b.log}');
SELECT pg_temp.refused('a new list is not started', 'ORA-01306: %', 'SELECT * FROM "SYS"."V$LOGMNR_CONTENTS"');
SELECT "DBMS_LOGMNR"."REMOVE_LOGFILE"('/redo/group_1_b.log');
SELECT pg_temp.refused('an empty list', 'ORA-01292: %', 'SELECT pg_temp.start(100, 200)');

-- Neither list nor range nor end are rolled back.
BEGIN;
SELECT pg_temp.list('{/redo/group_1_a.log}'), pg_temp.start(100, 200);
ROLLBACK;
SELECT pg_temp.same('a rollback keeps the session',
    (SELECT concat_ws(' ', "START_SCN", "END_SCN", "OPTIONS", "FILENAME") FROM "SYS"."V$LOGMNR_PARAMETERS", "SYS"."V$LOGMNR_LOGS"),
    '100 200 16 /redo/group_1_a.log');
SELECT pg_temp.second_session(:'second');
SELECT pg_temp.same('another session has its own', (
    SELECT t.n::text FROM "TEST".dblink('second', 'SELECT count(*) FROM "SYS"."V$LOGMNR_LOGS"') t (n bigint)), '0');
SELECT "TEST".dblink_disconnect('second');
BEGIN;
SELECT "DBMS_LOGMNR"."END_LOGMNR"();
ROLLBACK;
SELECT pg_temp.same('a rollback does not bring it back', (SELECT count(*)::text FROM "SYS"."V$LOGMNR_LOGS"), '0');

-- What it would commit.
SELECT pg_temp.list('{/redo/group_1_a.log}');
BEGIN;
SELECT "CURRENT_SCN" FROM "SYS"."V$DATABASE";
SELECT pg_temp.start(100, 200);
SELECT * FROM "SYS"."V$LOGMNR_CONTENTS";
INSERT INTO "SYS"."V$TABLESPACE" VALUES (5, 'MORE');
SELECT pg_temp.refused('a start after a change', 'the test bed: %', 'SELECT pg_temp.start(100, 200)');
ROLLBACK;

-- Ordered errors, at each place.
SELECT "TEST"."FAIL_AT"('ADD', 310, 'archived log contains sequence 4; sequence 3 required');
SELECT pg_temp.refused('an ordered error of ADD_LOGFILE', 'ORA-00310: %', $q$SELECT pg_temp.list('{/redo/group_1_a.log}')$q$);
SELECT "TEST"."MEND"(), "TEST"."FAIL_AT"('SCAN', 4030);
SELECT pg_temp.list('{/redo/group_1_a.log}');
SELECT pg_temp.start(100, 200);
SELECT pg_temp.refused('an ordered error of the scan', 'ORA-04030: %', 'SELECT * FROM "SYS"."V$LOGMNR_CONTENTS"');
SELECT "TEST"."MEND"();
SELECT * FROM "SYS"."V$LOGMNR_CONTENTS";
SELECT "DBMS_LOGMNR"."END_LOGMNR"();
