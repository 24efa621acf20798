-- &1 owner of orapull, installed in topology ROOT and started; a shard has registered PLAIN of ORAPULL_TRY. In the container; the first
-- query in CDB$ROOT too.
SET DEFINE ON VERIFY OFF FEEDBACK OFF LINESIZE 200 PAGESIZE 500 SERVEROUTPUT ON SIZE UNLIMITED
PROMPT ==== 20 a container whose redo is read in CDB$ROOT
PROMPT expected: the same numbers in the container as in CDB$ROOT
SELECT
  SYS_CONTEXT('USERENV', 'CON_NAME') AS container,
  (SELECT COUNT(*) FROM v$log) AS logs,
  (SELECT COUNT(*) FROM v$logfile) AS log_files,
  (SELECT COUNT(*) FROM v$archived_log) AS archived_logs,
  (SELECT COUNT(*) FROM v$thread WHERE last_redo_change# > 0) AS threads
FROM dual;
ALTER SESSION SET CURRENT_SCHEMA = &1;
PROMPT expected: a pointer R with K1 700001, which is the key that MINE_VALUE has told; no pointer U
PROMPT expected: scans without a DETAIL, above all without ORA-12855; PGA_MAX of the session in CDB$ROOT
INSERT INTO orapull_try.plain VALUES (700001, 'x');
UPDATE orapull_try.plain SET v = 'y' WHERE id = 700001;
COMMIT;
DECLARE
  l_scn NUMBER;
  l_published NUMBER := 0;
BEGIN
  SELECT current_scn INTO l_scn FROM v$database;
  FOR i IN 1 .. 120 LOOP
    SELECT published_scn INTO l_published FROM source_state;
    EXIT WHEN l_published >= l_scn;
    DBMS_LOCK.SLEEP(1);
  END LOOP;
  DBMS_OUTPUT.PUT_LINE('found: published up to ' || l_published || ', wanted ' || l_scn);
END;
/
PROMPT found:
SELECT p.kind, p.table_id, p.row_id, p.k1, p.note
FROM pointer_v p
JOIN source_table t ON t.table_id = p.table_id
WHERE t.owner = 'ORAPULL_TRY' AND t.table_name = 'PLAIN' AND (p.kind <> 'R' OR p.k1 = '700001');
SELECT scan_id, status, attempts, rows_staged, pga_max, detail FROM scan ORDER BY scan_id DESC FETCH FIRST 10 ROWS ONLY;
SELECT severity, what, detail FROM event ORDER BY event_id DESC FETCH FIRST 10 ROWS ONLY;
PROMPT expected: sessions of this container, also when others are connected elsewhere
SELECT con_id, COUNT(*) FROM gv$session WHERE type = 'USER' GROUP BY con_id;
DELETE FROM orapull_try.plain WHERE id = 700001;
COMMIT;
