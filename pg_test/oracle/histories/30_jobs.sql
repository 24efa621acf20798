-- The jobs of the source, one step at a time and in any order that is possible: scans run side by side, ahead, or die.

-- Nothing is due by itself, or a slow machine would write another history.
CREATE FUNCTION history.stop_time(p_step text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- To watch takes its turn after all others, and stays due until then.
    UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = timestamp '2999-12-31'
    WHERE "NAME" <> 'CHECK_SLOTS' AND ("NAME" <> 'WATCH' OR p_step = 'WATCH');
END
$$;
COMMENT ON FUNCTION history.stop_time(text) IS 'What was done was done just now';
-- A log that was waited for just now was waited for long.
CREATE FUNCTION history.pass_time(p_watch boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = timestamp '2000-01-01' WHERE "NAME" <> 'CHECK_SLOTS' AND ("NAME" <> 'WATCH' OR p_watch);
    UPDATE "ORAPULL"."SCAN" SET "WAITS_SINCE" = timestamp '2000-01-01' WHERE "WAITS_SINCE" IS NOT NULL;
END
$$;
COMMENT ON FUNCTION history.pass_time(boolean) IS 'What was done was done long ago; watching the dictionary, too';

-- An error of a step, as its job sees it.
CREATE FUNCTION history.attempt(p_step text, OUT failed boolean, OUT code int, OUT message text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE p_step;
    failed := false;
EXCEPTION WHEN OTHERS THEN
    failed := true;
    code := ora.sqlcode(sqlstate);
    message := sqlerrm;
END
$$;
COMMENT ON FUNCTION history.attempt(text) IS 'Does it; an error is an answer';

-- A waiting log, a scan that another job has taken over, a source that is just restarting: these must be told, and are.
CREATE FUNCTION history.note_failure(p_step text, p_code int, p_message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.tell(format('%s fails: %s', p_step, p_message));
    IF p_code IS NULL OR p_code NOT BETWEEN -20829 AND -20820 AND p_code NOT IN (-1291, -1284, -1013) THEN
        PERFORM history.wrong('failed', format('%s: %s', p_step, p_message));
    END IF;
END
$$;
COMMENT ON FUNCTION history.note_failure(text, int, text) IS 'A step has failed: is that an answer that the packages promise?';

-- A crash may have taken back what shards have read.
CREATE FUNCTION history.check_republished(p_last numeric) RETURNS void LANGUAGE sql AS $$
SELECT history.wrong('lost', format('after a crash portion %s was not published again: %s', p.portion, concat_ws(' ', t.tab, p.row_id, p.k1, p.k2)))
FROM history.published p
JOIN history.told t ON t.table_id = p.table_id
WHERE p.kind = 'R' AND p.portion <= p_last AND p.portion IN (SELECT o."PORTION_ID" FROM "ORAPULL"."PORTION" o)
  AND NOT EXISTS (
      SELECT FROM history.published n
      WHERE n.portion > p_last AND n.table_id = p.table_id
        AND (n.kind = 'U' OR n.kind = 'R' AND (n.row_id, n.k1, n.k2) IS NOT DISTINCT FROM (p.row_id, p.k1, p.k2)))
$$;
COMMENT ON FUNCTION history.check_republished(numeric) IS 'Everything that is held is published again';

-- In no thread: what another instance has not written yet belongs to the range too. (cases.md M5, M7)
CREATE FUNCTION history.check_range() RETURNS void LANGUAGE sql AS $$
SELECT history.wrong('premature', format('the range to SCN %s is planned, thread %s is on disk up to %s', s."PLANNED_SCN", t."THREAD#", t."LAST_REDO_CHANGE#"))
FROM "ORAPULL"."SOURCE_STATE" s
JOIN "SYS"."V$THREAD" t ON t."STATUS" = 'OPEN' AND t."LAST_REDO_CHANGE#" <= s."PLANNED_SCN"
$$;
COMMENT ON FUNCTION history.check_range() IS 'No range that is planned goes beyond what is on disk';

CREATE PROCEDURE history.coordinate(INOUT p_idle boolean DEFAULT false) LANGUAGE plpgsql AS $$
DECLARE
    l_step CONSTANT text := "COORDINATOR"."NEXT_STEP"();
    l_last CONSTANT numeric := (SELECT s."LAST_PORTION" FROM "ORAPULL"."SOURCE_STATE" s);
    a      record;
BEGIN
    p_idle := l_step = 'IDLE';
    IF NOT p_idle THEN
        SELECT * INTO a FROM history.attempt(format('CALL "COORDINATOR"."PERFORM"(%L)', l_step));
        PERFORM history.tell(l_step);
        IF a.failed THEN
            PERFORM history.note_failure(l_step, a.code, a.message);
            CALL "COORDINATOR"."FAILED"(l_step, a.code, a.message);
        END IF;
        COMMIT;
        PERFORM history.look_at_portions(), history.stop_time(l_step);
        PERFORM history.check_range() WHERE l_step = 'PLAN' AND NOT a.failed;
        PERFORM history.check_republished(l_last) WHERE l_step = 'REPUBLISH' AND NOT a.failed AND NOT "SOURCE"."RESTARTED"();
        COMMIT;
    END IF;
END
$$;
COMMENT ON PROCEDURE history.coordinate(boolean) IS 'A step of the coordinator, and a look at what it has published';

CREATE FUNCTION history.take_scan() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    l_sid     CONSTANT bigint := nextval('history.sid');
    l_session CONSTANT text := l_sid || ',1,1';
    l_scan    numeric;
    l_code    int;
    l_message text;
BEGIN
    INSERT INTO "SYS"."SESSION" ("SID", "SERIAL#") VALUES (l_sid, 1);
    BEGIN
        l_scan := "MINER"."TAKE_SCAN"(l_session);
    EXCEPTION WHEN OTHERS THEN
        l_code := ora.sqlcode(sqlstate);
        l_message := sqlerrm;
    END;
    IF l_message IS NOT NULL THEN
        PERFORM history.note_failure('TAKE_SCAN', l_code, l_message);
        CALL "MINER"."FAIL"(NULL, l_session, l_code, l_message);
    ELSIF l_scan IS NOT NULL THEN
        INSERT INTO history.job VALUES (l_session, l_scan, CASE WHEN history.in_root() THEN 'ORDER_READING' ELSE 'MINE' END);
        PERFORM history.tell(format('job %s takes scan %s', l_sid, l_scan));
    END IF;
    RETURN l_scan IS NOT NULL;
END
$$;
COMMENT ON FUNCTION history.take_scan() IS 'A new scan job looks for work; whether it found some';

CREATE FUNCTION history.die(p_job history.job) RETURNS void LANGUAGE sql AS $$
DELETE FROM "SYS"."SESSION" WHERE "SID" = split_part(p_job.session, ',', 1)::numeric;
DELETE FROM history.job j WHERE j.session = p_job.session;
SELECT history.tell(format('the job of scan %s dies before %s', p_job.scan, p_job.step));
$$;
COMMENT ON FUNCTION history.die(history.job) IS 'A scan job is killed';

-- What SKIP_GAP has dropped fails with whatever it likes.
CREATE FUNCTION history.fail_scan(p_job history.job, p_code int, p_message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "ORAPULL"."SCAN" s WHERE s."SCAN_ID" = p_job.scan) THEN
        PERFORM history.note_failure(p_job.step, p_code, p_message);
        CALL "MINER"."FAIL"(p_job.scan, p_job.session, p_code, p_message);
    ELSE
        PERFORM history.tell(format('scan %s is gone', p_job.scan));
    END IF;
END
$$;
COMMENT ON FUNCTION history.fail_scan(history.job, int, text) IS 'The end of a job that has failed';

-- NULL: the same again, CDB$ROOT has not read yet.
CREATE FUNCTION history.after(p_job history.job) RETURNS text LANGUAGE sql AS $$
SELECT CASE
    WHEN p_job.step = 'ORDER_READING' THEN 'IS_READABLE'
    WHEN p_job.step = 'IS_READABLE' THEN CASE WHEN "MINER"."IS_READABLE"(p_job.scan, p_job.session) THEN 'MINE' END
    WHEN p_job.step = 'MINE' THEN 'FINISH_SCAN'
END
$$;
COMMENT ON FUNCTION history.after(history.job) IS 'The step that follows in a scan job';

CREATE FUNCTION history.scan_on(p_job history.job) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a record;
BEGIN
    SELECT * INTO a FROM history.attempt(format(CASE p_job.step WHEN 'IS_READABLE' THEN 'SELECT "MINER".%I(%s, %L)' ELSE 'CALL "MINER".%I(%s, %L)' END,
        p_job.step, p_job.scan, p_job.session));
    PERFORM history.tell(format('%s %s', p_job.step, p_job.scan));
    IF a.failed THEN
        PERFORM history.fail_scan(p_job, a.code, a.message);
    END IF;
    IF a.failed OR p_job.step = 'FINISH_SCAN' THEN
        DELETE FROM history.job j WHERE j.session = p_job.session;
    ELSE
        UPDATE history.job SET step = coalesce(history.after(p_job), step) WHERE session = p_job.session;
    END IF;
END
$$;
COMMENT ON FUNCTION history.scan_on(history.job) IS 'The next step of a scan job';

-- Its job goes on and finds that it is too late.
CREATE FUNCTION history.take_too_long(p_job history.job) RETURNS void LANGUAGE sql AS $$
UPDATE "ORAPULL"."SCAN" SET "STARTED_AT" = "STARTED_AT" - interval '12 hours' WHERE "SCAN_ID" = p_job.scan AND "SESSION_KEY" = p_job.session;
SELECT history.tell(format('scan %s takes too long', p_job.scan));
$$;
COMMENT ON FUNCTION history.take_too_long(history.job) IS 'The next job that looks for work gives the scan up, which becomes smaller';

CREATE FUNCTION history.scan() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    l_jobs CONSTANT int := (SELECT count(*) FROM history.job);
    l_job  history.job;
BEGIN
    IF history.in_root() AND history.dice(3) > 0 THEN
        RETURN history.read_on();
    END IF;
    IF l_jobs = 0 OR (l_jobs < 3 AND history.dice(3) = 0) THEN
        RETURN history.take_scan();
    END IF;
    SELECT * INTO l_job FROM history.job j ORDER BY j.session OFFSET history.dice(l_jobs) LIMIT 1;
    IF history.dice(30) = 0 THEN
        PERFORM history.die(l_job);
    ELSIF history.dice(40) = 0 THEN
        PERFORM history.take_too_long(l_job);
    ELSE
        PERFORM history.scan_on(l_job);
    END IF;
    RETURN true;
END
$$;
COMMENT ON FUNCTION history.scan() IS 'A step of some scan job';
