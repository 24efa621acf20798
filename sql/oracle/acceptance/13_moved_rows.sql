-- Operations that move rows.
@@begin.sql
PROMPT ==== 13 operations that move rows
PROMPT expected: DDL rows (operation 5); SHRINK: DELETE and INSERT pairs, or INTERNAL rows; MOVE, SPLIT, EXCHANGE: no row operations, later ROWIDs begin otherwise
INSERT INTO parts SELECT LEVEL, RPAD('x', 90, 'x') FROM dual CONNECT BY LEVEL <= 500;
INSERT INTO swap SELECT LEVEL, 'x' FROM dual CONNECT BY LEVEL <= 50;
COMMIT;
DELETE FROM parts WHERE MOD(id, 2) = 0;
COMMIT;
PROMPT found, numbers of segments before:
SELECT object_name, subobject_name, object_id, data_object_id FROM dba_objects
WHERE owner = 'ORAPULL_TRY' AND object_name IN ('PARTS', 'SWAP') AND object_type LIKE 'TABLE%' ORDER BY object_id;
@@begin.sql
ALTER TABLE parts SHRINK SPACE;
ALTER TABLE parts MOVE PARTITION p1 UPDATE INDEXES;
ALTER TABLE parts MOVE PARTITION p2 ONLINE UPDATE INDEXES;
ALTER TABLE parts SPLIT PARTITION p2 AT (300) INTO (PARTITION p2, PARTITION p3) UPDATE INDEXES;
ALTER TABLE parts EXCHANGE PARTITION p1 WITH TABLE swap WITHOUT VALIDATION UPDATE INDEXES;
UPDATE parts SET v = 'later' WHERE id IN (1, 101, 301);
COMMIT;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT operation_code, operation, status, SUBSTR(row_id, 1, 6) AS data_object, COUNT(*), MIN(SUBSTR(info, 1, 40)) AS info
FROM v$logmnr_contents
WHERE seg_owner = 'ORAPULL_TRY' OR data_obj# IN (SELECT object_id FROM dba_objects WHERE owner = 'ORAPULL_TRY')
GROUP BY operation_code, operation, status, SUBSTR(row_id, 1, 6)
ORDER BY operation_code, data_object;
PROMPT expected: each MOVE and SPLIT gave a DATA_OBJECT_ID above all before; EXCHANGE swapped that of P1 and of SWAP, OBJECT_IDs are the same
PROMPT found, numbers of segments after:
SELECT object_name, subobject_name, object_id, data_object_id FROM dba_objects
WHERE owner = 'ORAPULL_TRY' AND object_name IN ('PARTS', 'SWAP') AND object_type LIKE 'TABLE%' ORDER BY object_id;
PROMPT expected: the commit of each DDL is not before its change of the dictionary was seen, so it lies between two looks around it
PROMPT found, DDL and its commit:
SELECT d.scn, c.scn AS commit_scn, d.seg_owner, d.table_name, SUBSTR(d.sql_redo, 1, 60) AS ddl
FROM v$logmnr_contents d
JOIN v$logmnr_contents c ON c.xidusn = d.xidusn AND c.xidslt = d.xidslt AND c.xidsqn = d.xidsqn AND c.operation_code = 7
WHERE d.operation_code = 5 AND d.sql_redo LIKE '%parts%' ORDER BY d.scn;
@@finish.sql
PROMPT (teardown.sql and setup.sql before this is run again)
