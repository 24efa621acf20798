-- By hand: needs a second session and a restart of the instance.
@@begin.sql
PROMPT ==== 15 the end of a transaction that a crash cut off
PROMPT expected: no rollback record (operation 36), or one with XIDSQN 4294967295; never a commit
PROMPT now, in a second session: INSERT INTO orapull_try.plain VALUES (7, 'lost'); and leave it open. This is SCN &orapull_from
PROMPT then SHUTDOWN ABORT, STARTUP, and with that SCN: @mine.sql SCN - 0
PROMPT SELECT operation_code, operation, xidusn, xidslt, xidsqn, rollback, row_id FROM v$logmnr_contents
PROMPT WHERE operation_code IN (6, 7, 36) OR seg_owner = 'ORAPULL_TRY' ORDER BY scn;
