-- Ranges that are too large: they are cut in half by themselves, and planned smaller from then on.
CREATE FUNCTION pg_temp.chain() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat("SCAN_ID", ':', "SCN_FROM", '-', "SCN_TO", ' ', "STATUS", coalesce('/' || "STAGE_SLOT", '')), ', ' ORDER BY "SCN_FROM") FROM "ORAPULL"."SCAN" WHERE "PURPOSE" = 'MINE'
$$;
CREATE FUNCTION pg_temp.events(p_what text) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM "ORAPULL"."EVENT" WHERE "WHAT" = p_what $$;
CREATE FUNCTION pg_temp.pass(p_seconds int) RETURNS void LANGUAGE sql AS $$
UPDATE "ORAPULL"."SCAN" SET "STARTED_AT" = "STARTED_AT" - make_interval(secs => p_seconds) WHERE "STATUS" = 'RUNNING'
$$;
-- Three ranges of two logs; the first is being read, the second is done.
CREATE FUNCTION pg_temp.three_ranges() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.four_logs(), pg_temp.register(1, 'T', '{ID}');
    PERFORM "TEST"."INSERT"(1, 'T', '{"ID": 1}', 310, 'ROW1'), "TEST"."COMMIT"(1, 340), "TEST"."ADVANCE"(400);
    UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 1;
    INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1);
END
$$;

-- One that takes too long.
SELECT pg_temp.three_ranges();
:plan
:plan
:plan
SELECT pg_temp.take('1001,1,1');
:again
SELECT pg_temp.same('before', pg_temp.chain(), '1:1-99 RUNNING/1, 2:99-199 SCANNED/2, 3:199-299 NEW');
SELECT pg_temp.pass(590);
SELECT pg_temp.take();
SELECT pg_temp.same('not yet', pg_temp.chain(), '1:1-99 RUNNING/1, 2:99-199 SCANNED/2, 3:199-299 RUNNING/3');
SELECT pg_temp.pass(11);
UPDATE "ORAPULL"."SCAN" SET "STARTED_AT" = LOCALTIMESTAMP WHERE "SCAN_ID" = 3;
SELECT pg_temp.same('the first half is taken', pg_temp.take()::text, '1');
SELECT pg_temp.same('what was behind is cut anew', pg_temp.chain(), '1:1-50 RUNNING/4');
SELECT pg_temp.expect('its slots are given back', (SELECT string_agg("STATUS", ' ' ORDER BY "SLOT_NO") = 'DIRTY DIRTY DIRTY USED' FROM "ORAPULL"."STAGE_SLOT"));
SELECT pg_temp.same('the operator is told', (SELECT "DETAIL" FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'SCAN_CUT'),
    'scan 1 of SCN 1 to 99 now ends at 50, what is behind is cut anew: session 1001,1,1 takes too long');
CALL "MINER"."FAIL"(3, pg_temp.me(), -20824, 'the job of a range that was dropped ends');
CALL "STAGES"."CLEAR"(1);
CALL "STAGES"."CLEAR"(2);
CALL "STAGES"."CLEAR"(3);
SELECT pg_temp.mine();
SELECT pg_temp.finish();
SELECT pg_temp.published();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 4294967296;
:scan
SELECT pg_temp.same('they touch again, numbers go on in their order', pg_temp.chain(), '1:1-50 PUBLISHED, 4:50-399 SCANNED/1');
SELECT pg_temp.same('nothing is lost', pg_temp.staged(), '310:1 R=1 ROW1 1');

-- Not below twice SCAN_MIN_SCN: then it has more and more time.
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "SCAN_MIN_SCN" = 40;
SELECT "TEST"."ADVANCE"(101);
INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (1001, 1);
:plan
SELECT pg_temp.take('1001,1,1');
SELECT pg_temp.pass(601);
SELECT pg_temp.take('1001,1,1');
SELECT pg_temp.same('cut once', pg_temp.chain(), '1:1-50 RUNNING/2');
SELECT pg_temp.pass(601);
SELECT pg_temp.take('1001,1,1');
SELECT pg_temp.same('but not again', pg_temp.chain(), '1:1-50 RUNNING/3');
SELECT pg_temp.pass(1190);
SELECT pg_temp.expect('twice the time', pg_temp.take('1001,1,1') IS NULL);
SELECT pg_temp.pass(11);
SELECT pg_temp.expect('but not more', (SELECT "MINER"."TAKE_SCAN"('1001,1,1') = 1));
SELECT pg_temp.expect('given up three times, cut once', pg_temp.events('SCAN_CUT') = 1 AND (SELECT "FAILURES" = 2 FROM "ORAPULL"."SCAN"));
SELECT pg_temp.pass(2401);
SELECT pg_temp.expect('no slot is left', pg_temp.take() IS NULL);
SELECT pg_temp.same('four times the time is over too', pg_temp.chain(), '1:1-50 NEW');

-- Nor one of which the most is read again for old transactions, nor one that rebuilds a slot.
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "MINING_RULE" = 'W';
SELECT "TEST"."ADVANCE"(101);
:scan
SELECT pg_temp.published(20);
SELECT "TEST"."ADVANCE"(151);
:plan
SELECT pg_temp.take();
CALL "MINER"."FAIL"(2, pg_temp.me(), -4030, 'ORA-04030: out of process memory');
SELECT pg_temp.same('old transactions', pg_temp.chain(), '1:1-100 PUBLISHED, 2:100-150 NEW');
UPDATE "ORAPULL"."SCAN" SET "PURPOSE" = 'REBUILD', "READ_FROM" = 100 WHERE "SCAN_ID" = 2;
SELECT pg_temp.take();
CALL "MINER"."FAIL"(2, pg_temp.me(), -4030, 'ORA-04030: out of process memory');
SELECT pg_temp.expect('a slot that is rebuilt', (SELECT "SCN_TO" = 150 AND "STATUS" = 'NEW' FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2) AND pg_temp.events('SCAN_CUT') = 0
    AND (SELECT "DETAIL" LIKE '%cannot be made smaller%' FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));

-- Without memory at once; with COMMITTED_DATA_ONLY first without that. An internal error the second time, and a session that is gone.
SELECT pg_temp.start();
SELECT "TEST"."ADVANCE"(401);
:plan
SELECT pg_temp.take();
SELECT "TEST"."FAIL_AT"('SCAN', 4036, 'PGA memory used by the instance exceeds PGA_AGGREGATE_LIMIT');
SELECT pg_temp.fails('no memory', '%ORA-04036: %', 'mine');
SELECT pg_temp.same('cut', pg_temp.chain(), '1:1-200 NEW');
SELECT "TEST"."MEND"(), "TEST"."FAIL_AT"('SCAN', 600, 'internal error code, arguments: [krvrdccs10]');
SELECT pg_temp.take();
SELECT pg_temp.fails('an internal error', '%ORA-00600: %', 'mine');
SELECT pg_temp.same('may pass', pg_temp.chain(), '1:1-200 NEW');
SELECT pg_temp.take();
SELECT pg_temp.fails('again', '%ORA-00600: %', 'mine');
SELECT pg_temp.same('cut', pg_temp.chain(), '1:1-100 NEW');
SELECT "TEST"."MEND"();
CALL "STAGES"."CLEAR"(1);
CALL "STAGES"."CLEAR"(2);
SELECT pg_temp.take('999999,1,1');
SELECT pg_temp.take('999999,1,1');
SELECT pg_temp.same('a job that is killed is just taken again', pg_temp.chain(), '1:1-100 RUNNING/2');
SELECT pg_temp.take('999999,1,1');
SELECT pg_temp.same('but not for ever (ORA-07445)', pg_temp.chain(), '1:1-50 RUNNING/4');
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "MINING_RULE" = 'W', "COMMITTED_DATA_ONLY" = 'Y';
SELECT "TEST"."ADVANCE"(101);
:plan
SELECT pg_temp.take();
CALL "MINER"."FAIL"(1, pg_temp.me(), -4030, 'ORA-04030: out of process memory');
SELECT pg_temp.expect('without COMMITTED_DATA_ONLY', pg_temp.chain() = '1:1-100 NEW' AND (SELECT "MINING_RULE" = 'W' FROM "ORAPULL"."SCAN"));
SELECT pg_temp.take();
CALL "MINER"."FAIL"(1, pg_temp.me(), -4030, 'ORA-04030: out of process memory');
SELECT pg_temp.same('and then smaller', pg_temp.chain(), '1:1-50 NEW');
-- What was known of open transactions when it was cut still is, for its end and behind it.
SELECT pg_temp.start();
UPDATE "ORAPULL"."SETTING" SET "MINING_RULE" = 'W', "COMMITTED_DATA_ONLY" = 'Y';
SELECT "TEST"."TX"(1, 60), "TEST"."ADVANCE"(101);
:plan
CREATE TEMPORARY TABLE looked AS SELECT "SAMPLED_SCN" AS at, "OPEN_FROM" AS open_from FROM "ORAPULL"."SCAN";
CALL "RANGES"."SHORTEN"(1, 'ordered by the test');
:again
:scan
SELECT pg_temp.expect('the next range keeps the rule', (SELECT "MINING_RULE" = 'C' AND "SCN_FROM" = 50 FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = 2));
SELECT pg_temp.expect('what was looked at', "RANGES"."OPEN_FROM"(at) = open_from AND open_from = 60) FROM looked;

-- Ranges are planned to take a quarter of SCAN_MAX_SECONDS, as fast as the slowest of the last scans was.
CREATE FUNCTION pg_temp.measured(p_bytes numeric, p_seconds int, p_ago int DEFAULT 0) RETURNS void LANGUAGE sql AS $$
INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "REDO_BYTES", "STARTED_AT", "ENDED_AT")
SELECT -n, -n, -n, 'PUBLISHED', 'S', p_bytes, LOCALTIMESTAMP - make_interval(secs => p_ago + p_seconds), LOCALTIMESTAMP - make_interval(secs => p_ago)
FROM (SELECT count(*) + 1 AS n FROM "ORAPULL"."SCAN") x
$$;
SELECT pg_temp.four_logs();
SELECT pg_temp.same('redo of a part of a log is a part of its bytes', concat_ws(' ', "PACE"."REDO_BETWEEN"(100, 199), "PACE"."REDO_BETWEEN"(100, 149), "PACE"."REDO_BETWEEN"(150, 249),
    "PACE"."REDO_BETWEEN"(350, 399)), '1048576 524288 1048576 524288');
SELECT pg_temp.same('nothing is known yet', "RANGES"."PLAN_END"()::text, '399');
UPDATE "ORAPULL"."SETTING" SET "SCAN_MAX_BYTES" = 5000000;
SELECT pg_temp.measured(49000, 59, 100);
SELECT pg_temp.same('what LogMiner needs for next to nothing is not how fast it reads', "RANGES"."PLAN_END"()::text, '399');
SELECT pg_temp.measured(209715, 30);
SELECT pg_temp.same('a log takes 150 seconds', "RANGES"."PLAN_END"()::text, '100');
SELECT pg_temp.measured(1, 5), pg_temp.measured(1048576, 5, 10);
SELECT pg_temp.same('what took no time says nothing', "RANGES"."PLAN_END"()::text, '100');
SELECT pg_temp.measured(419430, 120, 10);
SELECT pg_temp.same('half as fast', "RANGES"."PLAN_END"()::text, '50');
SELECT pg_temp.measured(1048576, 10, 1) FROM generate_series(1, 9);
SELECT pg_temp.same('that was long ago', "RANGES"."PLAN_END"()::text, '100');
SELECT pg_temp.measured(1048576, 1) FROM generate_series(1, 10);
SELECT pg_temp.same('all of that was', "RANGES"."PLAN_END"()::text, '399');
SELECT pg_temp.measured(4194304, 100000000);
SELECT pg_temp.same('never less than a quarter of what took too long', "RANGES"."PLAN_END"()::text, '100');
SELECT pg_temp.measured(1, 600);
SELECT pg_temp.same('however slow, two SCNs', "RANGES"."PLAN_END"()::text, '3');
UPDATE "ORAPULL"."SETTING" SET "SCAN_MIN_SCN" = 10;
SELECT pg_temp.same('or SCAN_MIN_SCN', "RANGES"."PLAN_END"()::text, '11');

-- The seam margin: SCNs of a minute in the log where the range begins, unless SETTING says how many.
SELECT pg_temp.four_logs();
UPDATE "SYS"."V$ARCHIVED_LOG" SET "FIRST_TIME" = timestamp '2026-01-01', "NEXT_TIME" = timestamp '2026-01-01' + "SEQUENCE#" * interval '100 s';
UPDATE "SYS"."V$LOG" SET "FIRST_TIME" = "SYS"."NOW"() - interval '200 s' WHERE "STATUS" = 'CURRENT';
SELECT pg_temp.same('as the operator says', "PACE"."SEAM"(150)::text, '0');
UPDATE "ORAPULL"."SETTING" SET "SEAM_SCN" = NULL;
SELECT pg_temp.same('100 SCNs in 200 seconds, and in 300', concat_ws(' ', "PACE"."SEAM"(150), "PACE"."SEAM"(199), "PACE"."SEAM"(200)), '30 30 20');
SELECT pg_temp.expect('the current log, up to now', "PACE"."SEAM"(350) BETWEEN 28 AND 30);
SELECT "TEST"."ADD_THREAD"(2, 120), "TEST"."SWITCH_LOG"(2, 160);
UPDATE "SYS"."V$ARCHIVED_LOG" SET "FIRST_TIME" = timestamp '2026-01-01', "NEXT_TIME" = timestamp '2026-01-01' + interval '30 s' WHERE "THREAD#" = 2;
SELECT pg_temp.same('of several threads the fastest', "PACE"."SEAM"(150)::text, '80');
UPDATE "SYS"."V$ARCHIVED_LOG" SET "NEXT_TIME" = "FIRST_TIME";
SELECT pg_temp.same('a log that was full in no time', "PACE"."SEAM"(199)::text, '6000');
SELECT pg_temp.same('no log', "PACE"."SEAM"(0)::text, '10000');
