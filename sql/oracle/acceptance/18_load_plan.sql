-- As 17_pull_plan.sql. &1 owner of orapull
SET DEFINE ON VERIFY OFF FEEDBACK OFF LINESIZE 200 PAGESIZE 500 SERVEROUTPUT ON SIZE UNLIMITED
ALTER SESSION SET CURRENT_SCHEMA = &1;
PROMPT ==== 18 plans of LOAD_n, and whether its ranges hold every row once
PROMPT expected: TABLE ACCESS BY ROWID RANGE in NESTED LOOPS, no full scan; of an index-organized table INDEX RANGE SCAN
PROMPT expected: as many rows as the table has, and as many different ones; in each partition, and in a bigfile tablespace too
INSERT INTO orapull_try.plain SELECT 500000 + LEVEL, RPAD('x', 90, 'x') FROM dual CONNECT BY LEVEL <= 100000;
COMMIT;
DECLARE
  l_plan NUMBER;
  l_chunks NUMBER;
  l_read NUMBER;
  l_different NUMBER;
  l_is NUMBER;
BEGIN
  FOR r IN (
    SELECT t.table_id, t.table_name, h.shard, h.token
    FROM source_table t
    JOIN subscription s ON s.table_id = t.table_id
    JOIN shard h ON h.shard = s.shard
    WHERE t.owner = 'ORAPULL_TRY' AND h.token IS NOT NULL
  ) LOOP
    api.plan_ranges(r.shard, r.token, r.table_id, 8, l_plan, l_chunks);
    EXECUTE IMMEDIATE 'SELECT COUNT(*), COUNT(DISTINCT id) FROM load_' || r.table_id || ' WHERE p$plan = :plan' INTO l_read, l_different USING l_plan;
    EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM orapull_try.' || r.table_name INTO l_is;
    DBMS_OUTPUT.PUT_LINE('found, ' || r.table_name || ': ' || l_chunks || ' chunks, ' || l_read || ' rows of ' || l_is || ', ' || l_different || ' different');
    EXECUTE IMMEDIATE 'EXPLAIN PLAN FOR SELECT * FROM load_' || r.table_id || ' WHERE p$plan = :plan AND p$chunk = :chunk';
    FOR l IN (SELECT plan_table_output AS line FROM TABLE(DBMS_XPLAN.DISPLAY(format => 'BASIC +PREDICATE'))) LOOP
      DBMS_OUTPUT.PUT_LINE(l.line);
    END LOOP;
  END LOOP;
END;
/
DELETE FROM orapull_try.plain WHERE id > 500000;
COMMIT;
