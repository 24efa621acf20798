-- The end of a transaction that a crash cut off. Run it, do what it says, and run it again: then it looks.
@@begin.sql
PROMPT ==== 15 the end of a transaction that a crash cut off
PROMPT expected: its START and its row; no rollback record (operation 36), or one with XIDSQN 4294967295; never a commit (operation 7)
PROMPT expected: GV$TRANSACTION does not know it any more (0): that is how it is buried. The row is not there (0)
COLUMN orapull_file NEW_VALUE orapull_file NOPRINT
SELECT CASE COUNT(*) WHEN 0 THEN 'crash_before.sql' ELSE 'crash_after.sql' END AS orapull_file FROM crash;
@@&orapull_file
