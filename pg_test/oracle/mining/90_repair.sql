-- The extra pass for LOBs that a seam cuts (M18), by rule S.
CREATE FUNCTION pg_temp.repair(p_step text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scan CONSTANT numeric := (SELECT scan FROM job);
BEGIN
    IF p_step = 'READ' THEN
        PERFORM pg_temp.repair_in_root(l_scan);
    END IF;
    PERFORM pg_temp.same('the step that is due', "REPAIRS"."NEXT_STEP"(l_scan), p_step);
    EXECUTE format('CALL "REPAIRS".%I(%s)', p_step, l_scan);
END
$$;
\set repair 'SELECT pg_temp.repair(''CHOOSE''); SELECT pg_temp.repair(''READ''); SELECT pg_temp.repair(''FINISH'');'
-- What publication of the first scan leaves behind.
CREATE FUNCTION pg_temp.carried() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scan CONSTANT numeric := (SELECT scan FROM job);
BEGIN
    INSERT INTO "ORAPULL"."TX" ("CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "START_SCN", "HAS_START", "HAS_LOB") VALUES (0, 1, 1, 1, 285, 'Y', 'Y');
    INSERT INTO "ORAPULL"."CARRY" ("SCAN_ID", "CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "SCN", "SEQ", "OP", "TABLE_ID", "KIND")
    VALUES (1, 0, 1, 1, 1, 286, 1, 10, 2, 'L'), (1, 0, 2, 1, 2, 287, 2, 10, 2, 'L'), (1, 0, 1, 1, 1, 286, 3, 3, 2, 'U');
    PERFORM pg_temp.published(285);
END
$$;

SELECT pg_temp.cut_lob('S');
:scan
SELECT pg_temp.expect('nothing to repair: it has not committed', "REPAIRS"."NEXT_STEP"(1) IS NULL);
SELECT pg_temp.carried();
SELECT "TEST"."FLUSH"(401);
:scan
SELECT pg_temp.same('the seam hides the LOB', pg_temp.staged(), '333:9 L=2, 336:0 R=2 ROW2, 340:10 L=2, 341:1 R=1 ROW9 9');
SELECT pg_temp.expect('from the start of the transaction', "REPAIRS"."READ_FROM"(2) = 285);
SELECT pg_temp.refused('a step before its time', 'ORA-20824: the repair of scan 2 is not %', 'CALL "REPAIRS"."READ"(2)');
:repair
SELECT pg_temp.expect('repaired, once', "REPAIRS"."NEXT_STEP"(2) IS NULL AND (SELECT "REPAIR" = 'DONE' AND "REPAIR_FROM" = 285 AND "REPAIR_TO" = 350
    AND "ROWS_STAGED" = (SELECT count(*) FROM "ORAPULL"."STAGED_V" WHERE "SCAN_ID" = 2) FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
SELECT pg_temp.same('the LOB is there; what named no row before is not; only tables with LOBs, only what spans the seam', pg_temp.staged(),
    '336:0 R=2 ROW2, 341:1 R=1 ROW9 9, 288:1 R=1 1, 310:9 R=1 1, 310:10 L=1, 332:10 L=1, 332:3 R=1 1, 333:9 L=2, 336:0 R=2 ROW2, 340:10 L=2');
SELECT pg_temp.same('nor in CARRY', (SELECT string_agg("XIDUSN" || "KIND", ' ' ORDER BY "SEQ") FROM "ORAPULL"."CARRY"), '2L 1U');
SELECT pg_temp.expect('one more pass', "TEST"."SCANS"() = 3);

-- A margin shows the START of what began before the seam; it spans the seam nevertheless.
SELECT pg_temp.cut_lob('S');
UPDATE "ORAPULL"."SETTING" SET "SEAM_SCN" = 100;
:scan
SELECT pg_temp.carried();
SELECT "TEST"."FLUSH"(401);
:scan
SELECT pg_temp.expect('with a margin', pg_temp.ends() LIKE '285:6:1, %' AND "REPAIRS"."READ_FROM"(2) = 285);

-- Only transactions that began before the range and committed in it; only when a table with LOBs is registered; not by rule W.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}', 'Y');
SELECT "TEST"."TX"(1, 50), "TEST"."TX"(2, 60), "TEST"."ADVANCE"(101);
:scan
SELECT pg_temp.published(50);
SELECT "TEST"."INSERT"(3, 'T', '{"ID": 3}', 110, 'ROW3'), "TEST"."COMMIT"(3, 120), "TEST"."ROLLBACK"(1, 130), "TEST"."ADVANCE"(201);
:scan
SELECT pg_temp.expect('none spans the seam and commits', "REPAIRS"."NEXT_STEP"(2) IS NULL);
SELECT pg_temp.published(60);
SELECT "TEST"."COMMIT"(2, 210), "TEST"."ADVANCE"(301);
:scan
SELECT pg_temp.expect('unknown to TX: from where redo is known', "REPAIRS"."READ_FROM"(3) = 60);
INSERT INTO "ORAPULL"."TX" ("CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "START_SCN", "HAS_START", "HAS_LOB") VALUES (0, 2, 1, 2, 61, 'Y', 'N');
SELECT pg_temp.expect('known to TX', "REPAIRS"."READ_FROM"(3) = 61);
UPDATE "ORAPULL"."SOURCE_TABLE" SET "HAS_LOB" = 'N';
SELECT pg_temp.expect('no LOB is registered', "REPAIRS"."NEXT_STEP"(3) IS NULL);
UPDATE "ORAPULL"."SOURCE_TABLE" SET "HAS_LOB" = 'Y';
UPDATE "ORAPULL"."SCAN" SET "MINING_RULE" = 'W' WHERE "SCAN_ID" = 3;
SELECT pg_temp.expect('rule W sees it whole', "REPAIRS"."NEXT_STEP"(3) IS NULL);

-- Rule W: halves that were carried go, those of other transactions stay.
SELECT pg_temp.cut_lob('W');
:scan
SELECT pg_temp.carried();
SELECT "TEST"."FLUSH"(401);
:scan
SELECT pg_temp.repair('FINISH');
SELECT pg_temp.same('no half is left', (SELECT string_agg("XIDUSN" || "KIND", ' ' ORDER BY "SEQ") FROM "ORAPULL"."CARRY"), '2L 1U');
SELECT pg_temp.expect('nothing was read again', "TEST"."SCANS"() = 2 AND "REPAIRS"."NEXT_STEP"(2) IS NULL AND pg_temp.staged() LIKE '%333:9 L=2, 336:0 R=2 ROW2, 340:10 L=2%');

-- A repair that fails: the logs are gone, an online log is overwritten, the session dies between two steps.
SELECT pg_temp.cut_lob('S');
:scan
SELECT pg_temp.carried();
SELECT "TEST"."FLUSH"(401), "TEST"."SWITCH_LOG"(1, 410), "TEST"."SWITCH_LOG"(1, 420), "TEST"."SWITCH_LOG"(1, 430);
:scan
SELECT pg_temp.repair('CHOOSE');
SELECT "TEST"."DELETE_LOG"(1, 1, 'FILE');
SELECT pg_temp.refused('the file is gone', pg_temp.gone_file(), 'SELECT pg_temp.repair(''READ'')');
CALL "MINER"."FAIL"(2, NULL, -20821, 'GAP: /arch1/1_1_1.arc');
SELECT pg_temp.expect('GAP; what was scanned stays', pg_temp.state() = 'GAP' AND (SELECT "STATUS" = 'SCANNED' AND "REPAIR" IS NULL FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
SELECT "TEST"."WRITE_FILE"('/arch1/1_1_1.arc', (SELECT "LOG_NO" FROM "SYS"."LOG" WHERE "SEQUENCE#" = 1));
SELECT pg_temp.repair('CHOOSE');
CALL "MINER"."FAIL"(2, NULL, -4030, 'ORA-04030: out of process memory');
SELECT pg_temp.expect('the range of a repair is what it is', (SELECT "DETAIL" LIKE '%cannot be made smaller: raise PGA_AGGREGATE_LIMIT%' AND "DETAIL" NOT LIKE '%scan_max_bytes%'
    FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
SELECT pg_temp.repair('CHOOSE');
SELECT pg_temp.repair('READ');
SELECT pg_temp.expect('after a restart of the coordinator', "REPAIRS"."NEXT_STEP"(2) = 'FINISH');
SELECT pg_temp.repair('FINISH');
SELECT pg_temp.expect('OK again', pg_temp.state() = 'OK');

SELECT pg_temp.cut_lob('S');
:scan
SELECT pg_temp.carried();
SELECT "TEST"."FLUSH"(401);
:scan
SELECT "TEST"."DURING"('SCAN', 'SELECT "TEST"."SWITCH_LOG"(1, 410), "TEST"."SWITCH_LOG"(1, 420), "TEST"."SWITCH_LOG"(1, 430)');
SELECT pg_temp.repair('CHOOSE');
SELECT pg_temp.repair('READ');
SELECT pg_temp.refused('overwritten', 'ORA-20825: %', 'SELECT pg_temp.repair(''FINISH'')');
CALL "MINER"."FAIL"(2, NULL, -20825, 'overwritten');
SELECT pg_temp.expect('scanned anew as a whole', (SELECT "STATUS" = 'NEW' AND "REPAIR" IS NULL AND "STAGE_SLOT" IS NULL FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
:again
:repair
SELECT pg_temp.expect('repaired from the archive', pg_temp.staged() LIKE '%288:1 R=1 1, 310:9 R=1 1%');
