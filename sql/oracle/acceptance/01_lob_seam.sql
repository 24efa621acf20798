-- LOB operations that the end of a range cuts.
@@begin.sql
PROMPT ==== 1 LOB operations that the end of a range cuts
PROMPT expected: one range shows the row; cut in the middle, neither half may show all of it; the whole transaction (as repair reads it) does
PROMPT expected: INTERNAL rows (operation 0) with the object number of the table or of its LOB segment stand on both sides
INSERT INTO lobs (id, v, doc) VALUES (1, 'a', EMPTY_CLOB());
COLUMN orapull_seam NEW_VALUE orapull_seam NOPRINT
SELECT TO_CHAR(current_scn) AS orapull_seam FROM v$database;
DECLARE
  l_doc CLOB;
BEGIN
  SELECT doc INTO l_doc FROM lobs WHERE id = 1 FOR UPDATE;
  FOR i IN 1 .. 20 LOOP
    DBMS_LOB.WRITEAPPEND(l_doc, 30000, RPAD('x', 30000, 'x'));
  END LOOP;
END;
/
UPDATE lobs SET v = 'b' WHERE id = 1;
COMMIT;
PROMPT found, whole:
@@mine.sql &orapull_from - 0
@@lob_rows.sql
PROMPT found, up to the seam:
@@mine.sql &orapull_from &orapull_seam 0
@@lob_rows.sql
PROMPT found, from the seam on:
@@mine.sql &orapull_seam - 0
@@lob_rows.sql
DELETE FROM lobs;
COMMIT;
