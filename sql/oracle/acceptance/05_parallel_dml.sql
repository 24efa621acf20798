-- XID and PXID of parallel DML.
@@begin.sql
PROMPT ==== 5 XID and PXID of parallel DML
PROMPT expected: rows have XIDs of their own and one PXID; the commit has the XID of that PXID. More commits, one for each XID, would be harmless
INSERT INTO plain SELECT LEVEL, 'x' FROM dual CONNECT BY LEVEL <= 50000;
COMMIT;
@@begin.sql
ALTER SESSION ENABLE PARALLEL DML;
UPDATE /*+ PARALLEL(plain 4) */ plain SET v = 'y';
COMMIT;
ALTER SESSION DISABLE PARALLEL DML;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT operation, xidusn, xidslt, xidsqn, pxidusn, pxidslt, pxidsqn, COUNT(*)
FROM v$logmnr_contents
WHERE operation_code IN (6, 7) OR seg_owner = 'ORAPULL_TRY' AND table_name = 'PLAIN'
GROUP BY operation, xidusn, xidslt, xidsqn, pxidusn, pxidslt, pxidsqn
ORDER BY pxidusn, pxidslt, pxidsqn, xidusn, xidslt, xidsqn, operation;
@@finish.sql
DELETE FROM plain;
COMMIT;
