-- orapull must be installed and started, and a shard have registered PLAIN, LOBS, PARTS and IOT of ORAPULL_TRY. &1 owner of orapull
SET DEFINE ON VERIFY OFF FEEDBACK OFF LINESIZE 200 PAGESIZE 500 SERVEROUTPUT ON SIZE UNLIMITED
ALTER SESSION SET CURRENT_SCHEMA = &1;
PROMPT ==== 17 plans of PULL_n
PROMPT expected: of POINTER_V only the branch of the slot is read; the others are under FILTER NULL IS NOT NULL
PROMPT expected: the key by INDEX UNIQUE SCAN for each pointer, the table by TABLE ACCESS BY USER ROWID in NESTED LOOPS, no full scan of it
PROMPT expected: of an index-organized table INDEX UNIQUE SCAN alone
BEGIN
  FOR r IN (SELECT table_id, table_name FROM source_table WHERE owner = 'ORAPULL_TRY' ORDER BY table_name) LOOP
    DBMS_OUTPUT.PUT_LINE('found, ' || r.table_name || ':');
    EXECUTE IMMEDIATE 'EXPLAIN PLAN FOR SELECT * FROM pull_' || r.table_id || ' WHERE p$slot = 1 AND p$portion BETWEEN :a AND :b AND p$prev < :a';
    FOR l IN (SELECT plan_table_output AS line FROM TABLE(DBMS_XPLAN.DISPLAY(format => 'BASIC +PREDICATE'))) LOOP
      DBMS_OUTPUT.PUT_LINE(l.line);
    END LOOP;
  END LOOP;
END;
/
PROMPT ==== 17 pointers to places that are gone
PROMPT expected: 0 rows and no error, never ORA-01410; should the third place (a block behind the end of a live segment) raise it, tell the project
DECLARE
  l_request NUMBER;
  l_rows NUMBER;
BEGIN
  FOR r IN (
    SELECT t.table_id, h.shard, h.token, v.rowid_prefix
    FROM source_table t
    JOIN subscription s ON s.table_id = t.table_id
    JOIN shard h ON h.shard = s.shard
    JOIN live_segment_v v ON v.table_id = t.table_id
    WHERE t.owner = 'ORAPULL_TRY' AND t.table_name = 'PLAIN' AND h.token IS NOT NULL
  ) LOOP
    FOR p IN (
      SELECT 1 AS place_no, 'AAAAAAAAAAAAAAAAAB' AS row_id FROM dual
      UNION ALL
      SELECT 2, '//////AABAAAACAAAA' FROM dual
      UNION ALL
      SELECT 3, r.rowid_prefix || 'AP/AAP///AAA' FROM dual
    ) LOOP
      BEGIN
        INSERT INTO ask_v (table_id, row_id) VALUES (r.table_id, p.row_id);
        api.ask(r.shard, r.token, r.table_id, l_request);
        EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM pull_' || r.table_id || ' WHERE p$slot = 0 AND p$portion = :request' INTO l_rows USING l_request;
        DBMS_OUTPUT.PUT_LINE('found, place ' || p.place_no || ': ' || l_rows || ' rows');
      EXCEPTION
        WHEN OTHERS THEN
          DBMS_OUTPUT.PUT_LINE('found, place ' || p.place_no || ': ' || SQLERRM);
      END;
      api.done(r.shard, r.token, l_request);
    END LOOP;
  END LOOP;
END;
/
