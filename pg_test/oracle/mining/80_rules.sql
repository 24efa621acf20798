-- Rules S, W and C: what a scan reads and keeps when transactions cross its seams.
CREATE FUNCTION pg_temp.rule(p_rule text, p_committed text DEFAULT 'N') RETURNS void LANGUAGE sql AS $$
UPDATE "ORAPULL"."SETTING" SET "MINING_RULE" = p_rule, "COMMITTED_DATA_ONLY" = p_committed
$$;

-- S: a transaction over two seams is in three scans, each part once (M1, M2).
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 160, 'ROW1'), "TEST"."ADVANCE"(201);
:scan
SELECT pg_temp.same('open', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '160:1 R=1 ROW1 1 | 160:6:1');
SELECT pg_temp.published(160);
SELECT "TEST"."UPDATE"(1, 'T', 'ROW1', '{"ID": 1}', '{"V": 1}', 390), "TEST"."ADVANCE"(401);
:scan
SELECT pg_temp.same('still open', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '390:3 R=1 ROW1 1');
SELECT pg_temp.published(160);
SELECT "TEST"."COMMIT"(1, 550), "TEST"."ADVANCE"(601);
:scan
SELECT pg_temp.same('committed', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '550:7:1');

-- Half-open ranges (K6): a change at the seam is in the scan before it; what begins there is kept by both, what ends there is not.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 100, 'ROW1'), "TEST"."COMMIT"(1, 200), "TEST"."INSERT"(2, 'T', '{"ID": 2}', 200, 'ROW2'), "TEST"."ADVANCE"(201);
:scan
SELECT pg_temp.same('up to the seam', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '100:1 R=1 ROW1 1, 200:1 R=1 ROW2 2 | 100:6:1, 200:7:1, 200:6:2');
SELECT pg_temp.published(200);
SELECT "TEST"."COMMIT"(2, 201), "TEST"."ADVANCE"(301);
:scan
SELECT pg_temp.same('behind the seam', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '200:1 R=1 ROW2 2 | 200:6:2, 201:7:2');
SELECT pg_temp.expect('the commit at the seam is taken out and not counted', (SELECT "ROWS_STAGED" = 3 FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));

-- A change in several redo records that the seam cuts is told by neither scan, without a margin.
CREATE FUNCTION pg_temp.cut_change(p_seam int) RETURNS void LANGUAGE sql AS $$
SELECT pg_temp.start(1, p_seam);
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 170, 'ROW1');
SELECT "TEST"."COMMIT"(1, 180);
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 2}', 190, 'ROW2');
SELECT "TEST"."INSERT"(3, 'T', '{"ID": 3}', 196, 'ROW3');
SELECT "TEST"."REDO"(3, 3, 'T', 198, 'ROW3', '{"V": "chained"}', '{"ID": 3}', '{"LOB_GROUP": 9}');
SELECT "TEST"."REDO"(3, 0, 'X', 204, p_more => '{"LOB_GROUP": 9}');
SELECT "TEST"."COMMIT"(3, 210);
SELECT "TEST"."FLUSH"(201);
$$;
SELECT pg_temp.cut_change(0);
:scan
SELECT pg_temp.same('not whole yet', pg_temp.staged(), '170:1 R=1 ROW1 1, 190:1 R=1 ROW2 2, 196:1 R=1 ROW3 3');
SELECT pg_temp.published(190);
SELECT "TEST"."FLUSH"(301);
:scan
SELECT pg_temp.same('lost without a margin', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '210:7:3');
SELECT pg_temp.cut_change(50);
:scan
SELECT pg_temp.published(190);
SELECT "TEST"."FLUSH"(301);
:scan
SELECT pg_temp.same('seen with a margin, which keeps nothing of what had ended', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()),
    '190:1 R=1 ROW2 2, 196:1 R=1 ROW3 3, 198:3 R=1 ROW3 3 | 190:6:2, 196:6:3, 210:7:3');
SELECT pg_temp.expect('rows that are left are counted', (SELECT "ROWS_STAGED" = 6 AND "READ_FROM" = 190 FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
-- No margin where nothing is open: the log before may be gone.
SELECT pg_temp.start(1, 50);
SELECT "TEST"."SWITCH_LOG"(1, 200), "TEST"."SWITCH_LOG"(1, 300);
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 1;
:scan
SELECT pg_temp.published();
SELECT "TEST"."ADVANCE"(400);
:scan
SELECT pg_temp.expect('nothing is open', (SELECT "READ_FROM" = "SCN_FROM" FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
-- Not published yet: what was open then is open no earlier than what is known.
:scan
SELECT pg_temp.expect('ahead of publication', (SELECT "READ_FROM" = "SCN_FROM" - 50 FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 3));

-- W: from the oldest open transaction on. Kept are transactions that commit in the range, whole, and what others do in the range.
SELECT pg_temp.start();
SELECT pg_temp.rule('W');
SELECT pg_temp.register(1, 'T', '{ID}', 'Y');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'ROW1'), "TEST"."INSERT"(2, 'T', '{"ID": 2}', 120, 'ROW2'), "TEST"."INSERT"(3, 'T', '{"ID": 3}', 130, 'ROW3'),
       "TEST"."INSERT"(4, 'T', '{"ID": 4}', 140, 'ROW4'), "TEST"."COMMIT"(3, 150), "TEST"."ADVANCE"(201);
:scan
SELECT pg_temp.published(110);
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 11}', 210, 'ROW5'), "TEST"."INSERT"(2, 'T', '{"ID": 12}', 220, 'ROW6'), "TEST"."COMMIT"(1, 230),
       "TEST"."ROLLBACK"(4, 240), "TEST"."ADVANCE"(301);
:scan
SELECT pg_temp.same('W', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '110:1 R=1 ROW1 1, 210:1 R=1 ROW5 11, 220:1 R=1 ROW6 12 | 110:6:1, 230:7:1, 240:36:4');
-- A LOB that the seam cuts is whole (M18); without W both scans hide it.
CREATE FUNCTION pg_temp.cut_lob(p_rule text) RETURNS void LANGUAGE sql AS $$
SELECT pg_temp.start();
SELECT pg_temp.rule(p_rule);
SELECT pg_temp.register(1, 'T', '{ID}', 'Y'), pg_temp.register(2, 'P', p_has_lob => 'Y'), pg_temp.register(3, 'S', '{ID}');
SELECT "TEST"."INSERT"(1, 'S', '{"ID": 7}', 285, 'ROW7');
SELECT "TEST"."LOB"(1, 'INSERT', 'T', 'ROW1', '{"ID": 1}', 288, 332);
SELECT "TEST"."LOB"(1, 'WRITE', 'P', 'ROW2', '{"ID": 1}', 333, 340);
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 9}', 341, 'ROW9');
SELECT "TEST"."COMMIT"(2, 342);
SELECT "TEST"."COMMIT"(1, 350);
SELECT "TEST"."FLUSH"(290);
$$;
SELECT pg_temp.cut_lob('W');
:scan
SELECT pg_temp.same('the start of it', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '285:1 R=3 ROW7 7 | 285:6:1');
SELECT pg_temp.published(285);
SELECT "TEST"."FLUSH"(401);
:scan
SELECT pg_temp.expect('the LOB is whole', pg_temp.staged() LIKE '285:1 R=3 ROW7 7, 288:1 R=1 1, 310:9 R=1 1, %332:3 R=1 1, 333:9 L=2, 336:0 R=2 ROW2, 340:10 L=2, 341:1 R=1 ROW9 9');

-- C: whole committed transactions only, in order of commit; DDL by its own SCN.
SELECT pg_temp.start();
SELECT pg_temp.rule('W', 'Y');
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'ROW1'), "TEST"."INSERT"(2, 'T', '{"ID": 2}', 120, 'ROW2'), "TEST"."INSERT"(3, 'T', '{"ID": 3}', 130, 'ROW3'),
       "TEST"."COMMIT"(3, 150), "TEST"."DDL"(9, 'T', 'ALTER TABLE t ADD (c NUMBER)', 160, '{"DATA_OBJV#": 1}'), "TEST"."ADVANCE"(201);
:scan
SELECT pg_temp.expect('rule C', (SELECT "MINING_RULE" = 'C' FROM "ORAPULL"."SCAN"));
SELECT pg_temp.same('C', pg_temp.staged(), '130:1 R=1 ROW3 3, 160:5 D=1');
SELECT pg_temp.same('what is open is not there', pg_temp.ends(), '130:6:3, 150:7:3, 160:6:9, 160:7:9');
SELECT pg_temp.published("RANGES"."OPEN_FROM"(200));
SELECT pg_temp.expect('not known of a seam before the look', "RANGES"."OPEN_FROM"(200) IS NULL);
UPDATE "ORAPULL"."SOURCE_STATE" SET "WINDOW_SCN" = 1;
SELECT "TEST"."COMMIT"(2, 220), "TEST"."ADVANCE"(301);
:scan
SELECT pg_temp.same('in order of commit', concat_ws(' | ', pg_temp.staged(), pg_temp.ends()), '120:1 R=1 ROW2 2 | 120:6:2, 220:7:2');
SELECT pg_temp.expect('what was open when the range was cut', "RANGES"."OPEN_FROM"(300) = 110 OR "RANGES"."OPEN_FROM"(300) IS NULL);

-- The look at open transactions: how far all instances were, then the transactions; NULL when it cannot be trusted.
SELECT pg_temp.start();
SELECT "TEST"."TX"(1, 110), "TEST"."TX"(2, 120), "TEST"."ADVANCE"(150);
SELECT pg_temp.expect('the oldest', "RANGES"."OLDEST_OPEN"(140) = 110);
SELECT pg_temp.expect('nobody has begun before the clock', "RANGES"."OLDEST_OPEN"(105) = 105);
UPDATE "SYS"."TRANSACTION" SET "START_SCN" = 0 WHERE "XIDUSN" = 2;
SELECT pg_temp.expect('START_SCN 0 (M27)', "RANGES"."OLDEST_OPEN"(140) IS NULL);
UPDATE "SYS"."TRANSACTION" SET "START_SCN" = 120 WHERE "XIDUSN" = 2;
SELECT "TEST"."PREPARE"(1);
SELECT pg_temp.expect('in doubt', "RANGES"."OLDEST_OPEN"(140) IS NULL);
SELECT "TEST"."COMMIT"(1, 150), "TEST"."ADD_THREAD"(2, 160);
SELECT pg_temp.expect('two instances', "RANGES"."OLDEST_OPEN"(170) = 120);
DELETE FROM "SYS"."GV$INSTANCE" WHERE "INST_ID" = 2;
SELECT pg_temp.expect('one of them is silent', "RANGES"."OLDEST_OPEN"(170) IS NULL);
SELECT "TEST"."COMMIT"(2, 180);
DELETE FROM "SYS"."V$THREAD" WHERE "THREAD#" = 2;
SELECT pg_temp.expect('nothing is open', "RANGES"."OLDEST_OPEN"(170) = 170);
INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "SAMPLED_SCN", "OPEN_FROM")
VALUES (1, 100, 200, 'SCANNED', 'C', 190, 150), (2, 200, 300, 'SCANNED', 'C', 290, NULL), (3, 300, 400, 'NEW', 'C', 410, 405);
SELECT pg_temp.same('the last look before a seam that is known', concat_ws(' ', "RANGES"."OPEN_FROM"(189), "RANGES"."OPEN_FROM"(200), "RANGES"."OPEN_FROM"(400),
    "RANGES"."OPEN_FROM"(500)), '150 150 405');

-- Another instance lags behind the current SCN: its next transaction may begin before that.
SELECT pg_temp.start();
SELECT pg_temp.rule('W', 'Y');
SELECT "TEST"."ADD_THREAD"(2, 100), "TEST"."ADVANCE"(150, 1), "TEST"."FLUSH"(120, 2);
:plan
SELECT pg_temp.same('behind the slowest thread', concat_ws(' ', (SELECT "SCN_TO" FROM "ORAPULL"."SCAN"), (SELECT "OPEN_FROM" FROM "ORAPULL"."SCAN"),
    (SELECT "SAMPLED_SCN" > 150 FROM "ORAPULL"."SCAN")), '119 119 t');

-- After C the first scan of S is W, and takes up what is open: its rows before the seam are nowhere else.
SELECT pg_temp.start();
SELECT pg_temp.rule('W', 'Y');
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'ROW1'), "TEST"."INSERT"(2, 'T', '{"ID": 2}', 120, 'ROW2'), "TEST"."COMMIT"(2, 130), "TEST"."ADVANCE"(201);
:scan
SELECT pg_temp.published(110);
SELECT pg_temp.rule('S');
SELECT "TEST"."ADVANCE"(301);
:scan
SELECT pg_temp.same('taken up', concat_ws(' | ', (SELECT "MINING_RULE" FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2), pg_temp.staged(), pg_temp.ends()),
    'W | 110:1 R=1 ROW1 1 | 110:6:1');
SELECT pg_temp.published(110);
SELECT "TEST"."COMMIT"(1, 310), "TEST"."ADVANCE"(401);
:scan
SELECT pg_temp.same('then S', concat_ws(' | ', (SELECT "MINING_RULE" FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 3), pg_temp.staged(), pg_temp.ends()), 'S | 310:7:1');

-- A range that is read again for a lost slot comes before others, from where it is told to read.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 110, 'ROW1'), "TEST"."INSERT"(2, 'T', '{"ID": 2}', 120, 'ROW2'), "TEST"."COMMIT"(1, 250), "TEST"."COMMIT"(2, 350), "TEST"."ADVANCE"(501);
:plan
INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "PURPOSE", "READ_FROM") VALUES (9, 200, 300, 'NEW', 'W', 'REBUILD', 105);
:again
SELECT pg_temp.same('rebuild', concat_ws(' | ', (SELECT concat("SCAN_ID", ' ', "READ_FROM") FROM "ORAPULL"."SCAN" WHERE "STATUS" = 'SCANNED'), pg_temp.staged(), pg_temp.ends()),
    '9 105 | 110:1 R=1 ROW1 1 | 110:6:1, 250:7:1');
