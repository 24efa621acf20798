-- LOB operations that the end of a range cuts.
@@begin.sql
PROMPT ==== 1 LOB operations that the end of a range cuts
PROMPT expected: whole, as a repair reads it: the row (LOB_WRITE, INSERT or UPDATE of LOBS with its ROW_ID). Cut in the middle: neither half may show all of it
PROMPT expected: with a margin, as rule S reads: the row, when all of its operation lies behind the margin
PROMPT expected: INTERNAL rows (operation 0) with the object number of the table or of its LOB segment stand on both sides
DEFINE orapull_margin = 10000
VARIABLE orapull_mid NUMBER
VARIABLE orapull_operation NUMBER
INSERT INTO lobs (id, v, doc) VALUES (1, 'a', EMPTY_CLOB());
DECLARE
  l_doc CLOB;
BEGIN
  SELECT doc INTO l_doc FROM lobs WHERE id = 1 FOR UPDATE;
  SELECT current_scn INTO :orapull_operation FROM v$database;
  FOR i IN 1 .. 20 LOOP
    DBMS_LOB.WRITEAPPEND(l_doc, 30000, RPAD('x', 30000, 'x'));
    IF i = 10 THEN
      SELECT current_scn INTO :orapull_mid FROM v$database;
    END IF;
  END LOOP;
END;
/
UPDATE lobs SET v = 'b' WHERE id = 1;
COMMIT;
COLUMN orapull_seam NEW_VALUE orapull_seam NOPRINT
COLUMN orapull_near NEW_VALUE orapull_near NOPRINT
COLUMN orapull_before NEW_VALUE orapull_before NOPRINT
SELECT
  TO_CHAR(:orapull_mid) AS orapull_seam, TO_CHAR(GREATEST(:orapull_operation, :orapull_mid - 5)) AS orapull_near,
  TO_CHAR(GREATEST(TO_NUMBER('&orapull_from'), :orapull_mid - &orapull_margin)) AS orapull_before
FROM dual;
PROMPT found, whole (from the start of the transaction on, as a repair reads it):
@@mine.sql &orapull_from - 0
@@lob_rows.sql
PROMPT found, up to the seam, which is in the middle of a LOB that is written:
@@mine.sql &orapull_from &orapull_seam 0
@@lob_rows.sql
PROMPT found, from the seam on:
@@mine.sql &orapull_seam - 0
@@lob_rows.sql
PROMPT found, from a few SCNs before the seam on, inside the operation (a margin that is too small):
@@mine.sql &orapull_near - 0
@@lob_rows.sql
PROMPT found, from &orapull_margin SCNs before the seam on (the margin of rule S, SETTING.SEAM_SCN):
@@mine.sql &orapull_before - 0
@@lob_rows.sql
DELETE FROM lobs;
COMMIT;
