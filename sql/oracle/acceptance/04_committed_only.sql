-- COMMITTED_DATA_ONLY and a transaction that began before the range.
@@begin.sql
PROMPT ==== 4 COMMITTED_DATA_ONLY and a transaction that began before the range
PROMPT expected: no row of it, or some of them with START_SCN NULL: neither may be relied on
INSERT INTO plain VALUES (1, 'before');
COLUMN orapull_inside NEW_VALUE orapull_inside NOPRINT
SELECT TO_CHAR(current_scn) AS orapull_inside FROM v$database;
INSERT INTO plain VALUES (2, 'inside');
COMMIT;
PROMPT found:
@@mine.sql &orapull_inside - 2
SELECT operation, row_id, scn, start_scn, commit_scn
FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'PLAIN';
@@finish.sql
DELETE FROM plain;
COMMIT;
