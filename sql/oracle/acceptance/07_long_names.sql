-- A name of 31 bytes.
@@begin.sql
PROMPT ==== 7 a name of 31 bytes
PROMPT expected: UNSUPPORTED, or no row at all; perhaps with a ROW_ID
INSERT INTO a_table_with_a_name_of_31_bytes VALUES (1, 'x');
UPDATE a_table_with_a_name_of_31_bytes SET v = 'y';
DELETE FROM a_table_with_a_name_of_31_bytes;
COMMIT;
PROMPT found:
@@mine.sql &orapull_from - 0
SELECT operation, status, row_id, table_name, info
FROM v$logmnr_contents
WHERE data_obj# = (SELECT object_id FROM dba_objects WHERE owner = 'ORAPULL_TRY' AND object_name = 'A_TABLE_WITH_A_NAME_OF_31_BYTES');
@@finish.sql
