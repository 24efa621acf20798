-- RS_ID and SSN of a DELETE of 1000 rows.
@@begin.sql
PROMPT ==== 3 RS_ID and SSN of a DELETE of 1000 rows
PROMPT expected: 1000 rows, 1000 ROW_IDs, but only 8 or 9 pairs of RS_ID and SSN
INSERT INTO plain SELECT 1000 + LEVEL, 'x' FROM dual CONNECT BY LEVEL <= 1000;
COMMIT;
@@begin.sql
DELETE FROM plain WHERE id > 1000;
COMMIT;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT COUNT(*) AS all_rows, COUNT(DISTINCT row_id) AS row_ids, COUNT(DISTINCT rs_id || '/' || ssn) AS pairs
FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'PLAIN' AND operation_code = 2;
@@finish.sql
