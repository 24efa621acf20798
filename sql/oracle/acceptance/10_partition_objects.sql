-- DATA_OBJ# of rows of a partitioned table.
@@begin.sql
PROMPT ==== 10 DATA_OBJ# of rows of a partitioned table
PROMPT expected: the object number of the partition, not that of the table
INSERT INTO parts VALUES (1, 'p1');
INSERT INTO parts VALUES (200, 'p2');
UPDATE parts SET id = 201 WHERE id = 1;
COMMIT;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT c.operation, c.row_id, c.data_obj#, o.object_type, o.subobject_name
FROM v$logmnr_contents c
LEFT JOIN dba_objects o ON o.object_id = c.data_obj#
WHERE c.seg_owner = 'ORAPULL_TRY' AND c.table_name = 'PARTS';
@@finish.sql
DELETE FROM parts;
COMMIT;
