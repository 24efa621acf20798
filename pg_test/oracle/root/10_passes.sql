-- A scan whose redo is read in CDB$ROOT, step by step.
CREATE FUNCTION pg_temp.pass() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', "SCAN_ID", 'into', "STAGE_NO", "READ_FROM", 'to', "READ_TO", "COMMITTED_ONLY" || "LOBS_ONLY", "STATUS", "ROWS_READ"), ', ' ORDER BY "SCAN_ID")
FROM "C##ORAPULL"."PASS"
$$;
CREATE FUNCTION pg_temp.order_scan() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    j job;
BEGIN
    SELECT * INTO j FROM job;
    CALL "MINER"."ORDER_READING"(j.scan, j.session);
END
$$;
CREATE FUNCTION pg_temp.readable() RETURNS boolean LANGUAGE sql AS $$ SELECT "MINER"."IS_READABLE"(scan, session) FROM job $$;
-- MINE alone: what comes before it is done already.
CREATE FUNCTION pg_temp.copy() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    j job;
BEGIN
    SELECT * INTO j FROM job;
    CALL "MINER"."MINE"(j.scan, j.session);
END
$$;

SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100);
:plan
-- In a container LogMiner cannot be used: here it must not even be tried.
SELECT "TEST"."FAIL_AT"('ADD', 65040, 'operation not allowed from within a pluggable database');
SELECT pg_temp.take();
SELECT pg_temp.refused('an order by another session', 'ORA-20824: scan 1 is not run by session 9,9,9', 'CALL "MINER"."ORDER_READING"(1, ''9,9,9'')');
SELECT pg_temp.order_scan();
SELECT pg_temp.same('ordered', pg_temp.pass(), '1 into 1 1 to 99 NN ORDERED');
SELECT pg_temp.same('with its logs', (SELECT string_agg("FILE_NAME", ', ') FROM "C##ORAPULL"."SCAN_LOG" WHERE "SCAN_ID" = 1),
    (SELECT string_agg("FILE_NAME", ', ') FROM "ORAPULL"."SCAN_LOG" WHERE "SCAN_ID" = 1));
SELECT pg_temp.same('and the registry', (SELECT string_agg(concat_ws(' ', "TABLE_ID", "OWNER", "TABLE_NAME", "K1_PATH", "K2_PATH"), ', ')
    FROM "C##ORAPULL"."SOURCE_TABLE"), '1 APP T APP.T.ID');
SELECT pg_temp.expect('nothing is there yet', NOT pg_temp.readable());
SELECT "TEST"."MEND"();

-- CDB$ROOT does not see the container: not even its schema has to be there.
ALTER SCHEMA "ORAPULL" RENAME TO hidden;
DO $d$
BEGIN
    PERFORM pg_temp.run_reader();
EXCEPTION WHEN OTHERS THEN
    RAISE EXCEPTION 'check failed: CDB$ROOT needs the container: %', sqlerrm;
END
$d$;
ALTER SCHEMA hidden RENAME TO "ORAPULL";
SELECT pg_temp.same('read', pg_temp.pass(), '1 into 1 1 to 99 NN READ 3');
SELECT "TEST"."FAIL_AT"('ADD', 65040, 'operation not allowed from within a pluggable database');
SELECT pg_temp.expect('it is there', pg_temp.readable());
SELECT pg_temp.copy();
SELECT pg_temp.finish();
SELECT "TEST"."MEND"();
SELECT pg_temp.same('copied', concat_ws('; ', pg_temp.staged(), pg_temp.ends()), '50:1 R=1 ROW1 1; 50:6:1, 60:7:1');
SELECT pg_temp.expect('done; the memory is that of CDB$ROOT', (SELECT "STATUS" = 'SCANNED' AND "ROWS_STAGED" = 3
    AND "PGA_MAX" = (SELECT "PGA_MAX" FROM "C##ORAPULL"."PASS") FROM "ORAPULL"."SCAN") AND "TEST"."SCANS"() = 1);

-- A table that is registered while the scan waits for its turn is in it; one whose key is another one has new names.
SELECT pg_temp.published();
SELECT "TEST"."INSERT"(2, 'U', '{"A": 7, "B": 8}', 150, 'ROW2'), "TEST"."INSERT"(2, 'T', '{"ID": 2}', 151, 'ROW3'), "TEST"."COMMIT"(2, 160), "TEST"."ADVANCE"(200);
:plan
SELECT pg_temp.take();
SELECT pg_temp.register(2, 'U', '{A}');
SELECT pg_temp.mine();
SELECT pg_temp.finish();
SELECT pg_temp.same('registered meanwhile', pg_temp.staged(), '150:1 R=2 ROW2 7, 151:1 R=1 ROW3 2');
SELECT pg_temp.published();
UPDATE "ORAPULL"."SOURCE_TABLE" SET "K1_PATH" = 'APP.U.B' WHERE "TABLE_ID" = 2;
DELETE FROM "ORAPULL"."SOURCE_OBJECT" WHERE "TABLE_ID" = 1;
DELETE FROM "ORAPULL"."SOURCE_TABLE" WHERE "TABLE_ID" = 1;
SELECT "TEST"."INSERT"(3, 'U', '{"A": 7, "B": 8}', 250, 'ROW2'), "TEST"."INSERT"(3, 'T', '{"ID": 2}', 251, 'ROW3'), "TEST"."COMMIT"(3, 260), "TEST"."ADVANCE"(300);
:scan
SELECT pg_temp.same('the registry as it is now', pg_temp.staged(), '250:1 R=2 ROW2 8');
SELECT pg_temp.published();
CREATE TEMPORARY TABLE versions AS SELECT xmin AS version FROM "C##ORAPULL"."SOURCE_TABLE";
SELECT "TEST"."ADVANCE"(400);
:scan
SELECT pg_temp.expect('what has not changed is not written again', EXISTS (SELECT FROM versions v JOIN "C##ORAPULL"."SOURCE_TABLE" t ON t.xmin = v.version));

-- The same transaction, table and key in another container.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."TX"(1, 50);
SELECT "TEST"."REDO"(1, op, tab, 60 + n, 'ROW' || n, '{"ID": 1}', p_more => format('{"SRC_CON_NAME": "HR", "SRC_CON_UID": 7, "XIDSQN": 1}')::jsonb)
FROM (VALUES (1, 6, NULL), (2, 1, 'T'), (3, 7, NULL), (4, 36, NULL)) v (n, op, tab);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 2}', 70, 'ROW9'), "TEST"."COMMIT"(1, 80), "TEST"."ADVANCE"(100);
:scan
SELECT pg_temp.same('only ours', concat_ws('; ', pg_temp.staged(), pg_temp.ends()), '70:1 R=1 ROW9 2; 50:6:1, 80:7:1');

-- Scans side by side: each order has its own stage, a job of CDB$ROOT takes the oldest.
SELECT pg_temp.four_logs();
SELECT pg_temp.register(1, 'T', '{ID}');
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 1, "PARALLEL_SCANS" = 2;
:plan
:plan
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1), (1002, 1);
SELECT pg_temp.take('1001,1,1');
SELECT pg_temp.order_scan();
SELECT pg_temp.take('1002,1,1');
SELECT pg_temp.order_scan();
SELECT pg_temp.run_reader();
SELECT pg_temp.expect('the first is read', pg_temp.pass() LIKE '1 into 1 % READ 0, 2 into 2 % ORDERED');
SELECT pg_temp.run_reader();
SELECT pg_temp.expect('both are read', pg_temp.pass() LIKE '1 into 1 % READ 0, 2 into 2 % READ 0');
SELECT pg_temp.run_reader();
SELECT pg_temp.expect('nothing to do', pg_temp.pass() LIKE '1 into 1 % READ 0, 2 into 2 % READ 0');

-- What Oracle does not do in a transaction that has inserted by direct path.
SELECT pg_temp.refused('the link after the copy', 'ORA-12840: %', 'DO $d$ BEGIN PERFORM pg_temp.copy(); PERFORM pg_temp.readable(); END $d$');
SELECT pg_temp.refused('the copy after the link', 'ORA-12855: %', 'DO $d$ BEGIN PERFORM pg_temp.readable(); PERFORM pg_temp.copy(); END $d$');
UPDATE "ORAPULL"."SETTING" SET "DIRECT_COPY" = 'N';
DO $d$ BEGIN PERFORM pg_temp.readable(); PERFORM pg_temp.copy(); END $d$;
SELECT pg_temp.finish();
SELECT pg_temp.expect('without direct path it may', (SELECT "STATUS" = 'SCANNED' FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
