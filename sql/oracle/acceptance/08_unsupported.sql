-- Tables with types that LogMiner does not support.
@@begin.sql
PROMPT ==== 8 tables with types that LogMiner does not support
PROMPT expected: no row, or UNSUPPORTED: the whole table is left out, its other columns too
INSERT INTO with_bfile VALUES (1, NULL);
INSERT INTO with_varray VALUES (1, numbers(1, 2));
INSERT INTO with_nested VALUES (1, number_list(1, 2));
COMMIT;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT table_name, operation, status, row_id, info FROM v$logmnr_contents WHERE seg_owner = 'ORAPULL_TRY' AND table_name LIKE 'WITH%';
@@finish.sql
DELETE FROM with_bfile;
DELETE FROM with_varray;
DELETE FROM with_nested;
COMMIT;
