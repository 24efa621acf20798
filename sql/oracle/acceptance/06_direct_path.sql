-- Direct-path inserts.
@@begin.sql
PROMPT ==== 6 direct-path inserts
PROMPT expected: LOGGING: 10 INSERT rows with ROW_IDs. NOLOGGING: none, and UNRECOVERABLE_CHANGE# of the data file moves. FORCE LOGGING: 10 rows again
INSERT /*+ APPEND */ INTO plain SELECT 100000 + LEVEL, 'logged' FROM dual CONNECT BY LEVEL <= 10;
COMMIT;
ALTER TABLE plain NOLOGGING;
INSERT /*+ APPEND */ INTO plain SELECT 200000 + LEVEL, 'unlogged' FROM dual CONNECT BY LEVEL <= 10;
COMMIT;
ALTER DATABASE FORCE LOGGING;
INSERT /*+ APPEND */ INTO plain SELECT 300000 + LEVEL, 'forced' FROM dual CONNECT BY LEVEL <= 10;
COMMIT;
ALTER TABLE plain LOGGING;
PROMPT (the database stays in FORCE LOGGING; ALTER DATABASE NO FORCE LOGGING undoes that)
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.PLAIN.V') AS v, COUNT(DISTINCT row_id)
FROM v$logmnr_contents
WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'PLAIN' AND operation_code = 1
GROUP BY DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.PLAIN.V');
@@finish.sql
SELECT file#, unrecoverable_change#, unrecoverable_time FROM v$datafile WHERE unrecoverable_change# > &orapull_from;
DELETE FROM plain;
COMMIT;
