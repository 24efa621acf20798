-- Used by 01_lob_seam.sql: what LogMiner shows of the table and its LOB segment.
SELECT operation_code, operation, row_id, data_obj#, COUNT(*)
FROM v$logmnr_contents
WHERE seg_owner = 'ORAPULL_TRY' OR operation_code = 0 AND data_obj# IN (SELECT object_id FROM dba_objects WHERE owner = 'ORAPULL_TRY')
GROUP BY operation_code, operation, row_id, data_obj#
ORDER BY operation_code, row_id;
@@finish.sql
