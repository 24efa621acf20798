-- Used by 15_crash.sql, the first time: leaves a transaction open, whose redo is on disk.
INSERT INTO crash SELECT current_scn FROM v$database;
COMMIT;
INSERT INTO plain VALUES (777, 'lost');
ALTER SYSTEM ARCHIVE LOG CURRENT;
PROMPT now, in a second session: SHUTDOWN ABORT and STARTUP; then run this script again, in a new session
PAUSE
