-- Proves what packages LOGS, RANGES, LOGMINER, MINER, REPAIRS and STAGES promise. Run it in a database with the stand-in of Oracle and
-- the translated packages, as the role that loaded them; the first broken promise ends it with an error:
--   psql -X -q -v ON_ERROR_STOP=1 -d DATABASE -f mining.sql
-- A step of the packages is a transaction of its own, so each statement is one, and what a test does again and again are
-- psql variables with statements: :scan plans a range and scans it.
\o /dev/null
\ir assertions.sql
-- With -v root=1 in topology ROOT, with -v inside=1 in topology PDB: what a scan finds, and what only that topology promises.
\if :{?root}
    \ir root.sql
\elif :{?inside}
    \ir inside.sql
\else
    \ir no_root.sql
\endif

-- This session as a scan job names it.
CREATE FUNCTION pg_temp.me() RETURNS text LANGUAGE sql AS $$
SELECT concat_ws(',', "SID", "SERIAL#", "INST_ID") FROM "SYS"."GV$SESSION" WHERE "SID" = pg_backend_pid()
$$;

-- A new database of which nothing is known but where mining starts. Seams have no margin unless the test gives one.
CREATE FUNCTION pg_temp.start(p_scn numeric DEFAULT 1, p_seam numeric DEFAULT 0) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_table text;
BEGIN
    FOREACH l_table IN ARRAY '{SCAN_LOG,SCAN,CARRY,TX,SOURCE_OBJECT,SOURCE_TABLE,SOURCE_STATE,SETTING,EVENT,ARCHIVE_DEST}'::text[] LOOP
        EXECUTE format('DELETE FROM "ORAPULL".%I', l_table);
    END LOOP;
    FOR l_table IN SELECT "SLOT_NO" FROM "ORAPULL"."STAGE_SLOT" LOOP
        EXECUTE format('DELETE FROM "ORAPULL"."STAGE_%s"', l_table);
    END LOOP;
    UPDATE "ORAPULL"."STAGE_SLOT" SET "STATUS" = 'FREE';
    PERFORM "TEST"."RESET"();
    INSERT INTO "ORAPULL"."SETTING" ("SEAM_SCN") VALUES (p_seam);
    PERFORM pg_temp.start_root();
    CALL "SOURCE"."START_AT"(p_scn);
END
$$;

CREATE FUNCTION pg_temp.register(p_id int, p_table text, p_key text[] DEFAULT '{}', p_has_lob text DEFAULT 'N', p_is_iot text DEFAULT 'N')
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_paths text[] := ARRAY(SELECT concat_ws('.', "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table), k) FROM unnest(p_key) k);
BEGIN
    INSERT INTO "ORAPULL"."SOURCE_TABLE" ("TABLE_ID", "OWNER", "TABLE_NAME", "IDENTITY", "KEY_COUNT", "IS_IOT", "HAS_LOB", "K1_PATH",
        "K2_PATH", "K3_PATH", "K4_PATH", "K5_PATH", "K6_PATH", "K7_PATH", "K8_PATH", "STATE", "REGISTERED_AT")
    VALUES (p_id, "TEST"."OWNER"(p_table), "TEST"."NAME"(p_table), CASE WHEN p_key = '{}' THEN 'ROWID' ELSE 'KEY' END, cardinality(p_key), p_is_iot,
        p_has_lob, l_paths[1], l_paths[2], l_paths[3], l_paths[4], l_paths[5], l_paths[6], l_paths[7], l_paths[8], 'READY', LOCALTIMESTAMP);
    INSERT INTO "ORAPULL"."SOURCE_OBJECT" ("OBJECT_ID", "TABLE_ID", "OBJECT_KIND") VALUES ("TEST"."OBJECT_NUMBER"(p_table), p_id, 'TABLE');
END
$$;

-- Logs of thread 1: 1 from SCN 1, 2 from 100, 3 from 200, 4 from 300 (current).
CREATE FUNCTION pg_temp.four_logs() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.start();
    PERFORM "TEST"."SWITCH_LOG"(1, 100);
    PERFORM "TEST"."SWITCH_LOG"(1, 200);
    PERFORM "TEST"."SWITCH_LOG"(1, 300);
    PERFORM "TEST"."ADVANCE"(400);
END
$$;

CREATE TEMPORARY TABLE job (scan numeric, session text);
INSERT INTO job DEFAULT VALUES;
CREATE FUNCTION pg_temp.take(p_session text DEFAULT pg_temp.me()) RETURNS numeric LANGUAGE sql AS $$
UPDATE job SET scan = "MINER"."TAKE_SCAN"(p_session), session = p_session RETURNING scan
$$;
CREATE FUNCTION pg_temp.mine() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    j job;
BEGIN
    SELECT * INTO j FROM job;
    PERFORM pg_temp.read_in_root(j.scan, j.session);
    CALL "MINER"."MINE"(j.scan, j.session);
END
$$;
CREATE FUNCTION pg_temp.finish() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    j job;
BEGIN
    SELECT * INTO j FROM job;
    CALL "MINER"."FINISH_SCAN"(j.scan, j.session);
END
$$;

-- A step that fails as the job sees it: the error is caught, and told to FAIL.
CREATE FUNCTION pg_temp.fails(p_what text, p_message text, p_step text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    j      job;
    l_code int;
    l_text text;
BEGIN
    BEGIN
        EXECUTE format('SELECT pg_temp.%I()', p_step);
    EXCEPTION WHEN OTHERS THEN
        l_code := ora.sqlcode(sqlstate);
        l_text := sqlerrm;
    END;
    IF l_text IS NULL OR l_text NOT LIKE p_message THEN
        RAISE EXCEPTION 'check failed: %: expected "%", got "%"', p_what, p_message, l_text;
    END IF;
    SELECT * INTO j FROM job;
    CALL "MINER"."FAIL"(CASE WHEN p_step <> 'take' THEN j.scan END, j.session, l_code, l_text);
END
$$;

\set plan 'SELECT "RANGES"."PLAN_SCAN"();'
\set scan 'SELECT "RANGES"."PLAN_SCAN"(); SELECT pg_temp.take(); SELECT pg_temp.mine(); SELECT pg_temp.finish();'
\set again 'SELECT pg_temp.take(); SELECT pg_temp.mine(); SELECT pg_temp.finish();'

-- What publication would do to the state when a scan is done: everything up to its end is published, and open is
-- what began at p_window, or nothing.
CREATE FUNCTION pg_temp.published(p_window numeric DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scan CONSTANT numeric := (SELECT scan FROM job);
BEGIN
    CALL "STAGES"."GIVE_BACK"(l_scan);
    UPDATE "ORAPULL"."SCAN" SET "STATUS" = 'PUBLISHED' WHERE "SCAN_ID" = l_scan;
    UPDATE "ORAPULL"."SOURCE_STATE" s SET "PUBLISHED_SCN" = c."SCN_TO", "WINDOW_SCN" = coalesce(p_window, c."SCN_TO" + 1)
    FROM "ORAPULL"."SCAN" c WHERE c."SCAN_ID" = l_scan;
END
$$;

-- The rows of a scan, in order: SCN:op kind=table rowid key<old key.
CREATE FUNCTION pg_temp.staged(p_scan numeric DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_scan numeric := coalesce(p_scan, (SELECT scan FROM job));
    l_text text;
BEGIN
    EXECUTE format($q$
        SELECT string_agg(concat_ws(' ', concat(s."SCN", ':', s."OP"), s."KIND" || '=' || s."TABLE_ID", s."ROW_ID",
            nullif(concat_ws('/', s."K1", s."K2", s."K3"), '') || coalesce('<' || nullif(concat_ws('/', s."O1", s."O2", s."O3"), ''), '')), ', ' ORDER BY s."SEQ")
        FROM "ORAPULL"."STAGE_%s" s WHERE s."SCAN_ID" = %s AND s."OP" NOT IN (6, 7, 36)$q$,
        (SELECT "STAGE_SLOT" FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = l_scan), l_scan) INTO l_text;
    RETURN l_text;
END
$$;
CREATE FUNCTION pg_temp.ends(p_scan numeric DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_scan numeric := coalesce(p_scan, (SELECT scan FROM job));
    l_text text;
BEGIN
    EXECUTE format('SELECT string_agg(concat(s."SCN", '':'', s."OP", '':'', s."XIDUSN"), '', '' ORDER BY s."SEQ") FROM "ORAPULL"."STAGE_%s" s '
        'WHERE s."SCAN_ID" = %s AND s."OP" IN (6, 7, 36)', (SELECT "STAGE_SLOT" FROM "ORAPULL"."SCAN" WHERE "SCAN_ID" = l_scan), l_scan) INTO l_text;
    RETURN l_text;
END
$$;
CREATE FUNCTION pg_temp.chosen(p_scan numeric) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', concat("THREAD_NO", '/', "SEQ_NO"), "FILE_NAME"), ', ' ORDER BY "THREAD_NO", "SEQ_NO")
FROM "ORAPULL"."SCAN_LOG" WHERE "SCAN_ID" = p_scan
$$;
CREATE FUNCTION pg_temp.state() RETURNS text LANGUAGE sql AS $$ SELECT "STATE" FROM "ORAPULL"."SOURCE_STATE" $$;

-- Four stage slots, each made in its own transaction.
CALL "STAGES"."CREATE_SLOT"(1);
CALL "STAGES"."CREATE_SLOT"(2);
CALL "STAGES"."CREATE_SLOT"(3);
CALL "STAGES"."CREATE_SLOT"(4);

\if :{?root}
    \ir root/10_passes.sql
    \ir root/20_failures.sql
    \ir root/30_jobs.sql
\elif :{?inside}
    \ir inside/10_container.sql
\else
    \ir mining/10_choice.sql
    \ir mining/20_gaps.sql
    \ir mining/30_ranges.sql
    \ir mining/40_steps.sql
    \ir mining/45_smaller.sql
    \ir mining/50_trust.sql
\endif
\ir mining/60_rows.sql
\ir mining/65_ddl.sql
\ir mining/70_lobs.sql
\ir mining/80_rules.sql
\ir mining/90_repair.sql
\o
\echo mining: all checks passed
