-- Used by 15_crash.sql, after the crash: what redo tells of the transaction that was open then.
SELECT TO_CHAR(MAX(scn)) AS orapull_from FROM crash;
@@mine.sql &orapull_from - 0
VARIABLE usn NUMBER
VARIABLE slt NUMBER
VARIABLE sqn NUMBER
BEGIN
  SELECT xidusn, xidslt, xidsqn INTO :usn, :slt, :sqn
  FROM v$logmnr_contents
  WHERE seg_owner = 'ORAPULL_TRY' AND table_name = 'PLAIN' AND rollback = 0 AND DBMS_LOGMNR.MINE_VALUE(redo_value, 'ORAPULL_TRY.PLAIN.ID') = '777'
    AND ROWNUM = 1;
END;
/
PROMPT found, of the transaction:
SELECT operation_code, operation, rollback, scn, xidusn, xidslt, xidsqn, row_id
FROM v$logmnr_contents
WHERE xidusn = :usn AND xidslt = :slt AND xidsqn IN (:sqn, 4294967295)
ORDER BY scn;
PROMPT found, its ends:
SELECT
  COUNT(CASE operation_code WHEN 7 THEN 1 END) AS commits,
  COUNT(CASE WHEN operation_code = 36 AND xidsqn = :sqn THEN 1 END) AS rollbacks,
  COUNT(CASE WHEN operation_code = 36 AND xidsqn = 4294967295 THEN 1 END) AS rollbacks_without_xid
FROM v$logmnr_contents
WHERE xidusn = :usn AND xidslt = :slt AND xidsqn IN (:sqn, 4294967295);
@@finish.sql
PROMPT found, in GV$TRANSACTION, and its row in the table:
SELECT
  (SELECT COUNT(*) FROM gv$transaction WHERE xidusn = :usn AND xidslot = :slt AND xidsqn = :sqn) AS still_known,
  (SELECT COUNT(*) FROM plain WHERE id = 777) AS rows_there
FROM dual;
DELETE FROM crash;
COMMIT;
