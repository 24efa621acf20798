-- What happens to a database: log switches, DDL, crashes, storage that is lost, settings that are turned.

CREATE FUNCTION history.after_all(p_thread int) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
    RETURN 1 + greatest(history.time_of(p_thread), (SELECT max(r."SCN") FROM "SYS"."REDO" r JOIN "SYS"."LOG" g ON g."LOG_NO" = r."LOG_NO" AND g."NEXT_CHANGE#" IS NULL
                         WHERE r."THREAD#" = p_thread));
END
$$;
COMMENT ON FUNCTION history.after_all(int) IS 'An SCN behind all redo of an instance';

CREATE FUNCTION history.switch_log(p_thread int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scn CONSTANT numeric := history.after_all(p_thread);
BEGIN
    UPDATE history.thread t SET scn = l_scn WHERE t.thread = p_thread;
    PERFORM "TEST"."SWITCH_LOG"(p_thread, l_scn), history.tell(format('@%s thread %s switches its log', l_scn, p_thread));
END
$$;
COMMENT ON FUNCTION history.switch_log(int) IS 'A thread goes on in another log';

CREATE FUNCTION history.is_quiet(p_tab text) RETURNS boolean LANGUAGE sql STABLE AS $$
SELECT NOT EXISTS (SELECT FROM history.image i WHERE i.tab = p_tab AND i.tx IS NOT NULL)
   AND NOT EXISTS (SELECT FROM history.locked k WHERE k.tab = p_tab)
$$;
COMMENT ON FUNCTION history.is_quiet(text) IS 'No transaction has changed the table: DDL would have to wait';

CREATE FUNCTION history.alter_table(p_tx int, p_tab text, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST"."DDL"(p_tx, p_tab, format('ALTER TABLE "APP"."%s" MODIFY ("V" NUMBER(20))', p_tab), p_scn),
            history.tell(format('@%s %s is altered', p_scn, p_tab));
    INSERT INTO history.change (tx, tab, kind) VALUES (p_tx, p_tab, 'D');
    PERFORM history.note_commit(p_tx, p_scn);
END
$$;
COMMENT ON FUNCTION history.alter_table(int, text, numeric) IS 'A table is altered: no row is another one, and none moves';

CREATE FUNCTION history.ddl(p_tx int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_tab  CONSTANT text := (ARRAY['KEYED', 'PAIRED', 'PLACED', 'WITH_LOB'])[1 + history.dice(4)];
    l_scn  numeric;
    l_kind text;
BEGIN
    IF NOT history.is_quiet(l_tab) THEN
        RETURN;
    END IF;
    l_scn := history.time_of(1);
    DELETE FROM history.place p WHERE p.tab = l_tab;
    CASE history.dice(5)
        WHEN 0, 1 THEN
            PERFORM "TEST"."TRUNCATE"(p_tx, l_tab, l_scn), history.tell(format('@%s %s is truncated', l_scn, l_tab));
            l_kind := 'T';
        WHEN 2, 3 THEN
            PERFORM "TEST"."MOVE"(p_tx, l_tab, l_scn), history.tell(format('@%s %s is moved', l_scn, l_tab));
            -- Every ROWID is another one, and no pointer can say which. An old one proves nothing of a row with a key.
            UPDATE history.change c SET row_id = NULL WHERE c.tab = l_tab AND c.k1 IS NOT NULL;
            l_kind := CASE WHEN l_tab IN ('PLACED', 'WITH_LOB') THEN 'U' ELSE 'D' END;
        ELSE
            PERFORM history.alter_table(p_tx, l_tab, l_scn);
            RETURN;
    END CASE;
    INSERT INTO history.change (tx, tab, kind) VALUES (p_tx, l_tab, l_kind);
    DELETE FROM history.image i WHERE i.tab = l_tab;
    PERFORM history.see_again(l_tab), history.note_commit(p_tx, l_scn);
END
$$;
COMMENT ON FUNCTION history.ddl(int) IS 'A table is truncated, moved or altered';

CREATE FUNCTION history.crash() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scn CONSTANT numeric := (SELECT max(history.after_all(t.thread)) FROM (SELECT * FROM history.thread o WHERE o.is_open ORDER BY o.thread) t);
BEGIN
    PERFORM "TEST"."RESTART"(l_scn), history.tell(format('@%s all instances crash and start again', l_scn));
    UPDATE history.thread SET scn = l_scn;
    PERFORM history.forget_tx(t.tx) FROM history.tx t WHERE NOT t.in_doubt;
    PERFORM history.die(j) FROM (SELECT * FROM history.job ORDER BY session) j;
    PERFORM history.reader_dies(r) FROM (SELECT * FROM history.reader ORDER BY session) r;
END
$$;
COMMENT ON FUNCTION history.crash() IS 'All instances crash and start again, all jobs die, in-doubt transactions stay';

CREATE FUNCTION history.shut_down(p_thread int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scn CONSTANT numeric := history.after_all(p_thread);
BEGIN
    PERFORM "TEST"."CLOSE_THREAD"(p_thread, l_scn), history.tell(format('@%s instance %s is shut down', l_scn, p_thread));
    UPDATE history.thread t SET scn = l_scn, is_open = false WHERE t.thread = p_thread;
    PERFORM history.forget_tx(t.tx) FROM history.tx t WHERE t.thread = p_thread AND NOT t.in_doubt;
    -- Another instance finds them.
    UPDATE "SYS"."TRANSACTION" SET "INST_ID" = 1 WHERE "INST_ID" = p_thread;
    UPDATE history.tx SET thread = 1 WHERE thread = p_thread;
END
$$;
COMMENT ON FUNCTION history.shut_down(int) IS 'An instance is shut down: its transactions are gone, its thread is closed';

CREATE FUNCTION history.start_up(p_thread int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scn CONSTANT numeric := 1 + (SELECT max(t.scn) FROM history.thread t);
BEGIN
    PERFORM "TEST"."OPEN_THREAD"(p_thread, l_scn), history.tell(format('@%s instance %s starts again', l_scn, p_thread));
    UPDATE history.thread t SET scn = l_scn, is_open = true WHERE t.thread = p_thread;
END
$$;
COMMENT ON FUNCTION history.start_up(int) IS 'An instance starts again: in its thread there is nothing between';

CREATE FUNCTION history.new_instance(p_thread int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scn CONSTANT numeric := 1 + (SELECT max(t.scn) FROM history.thread t);
BEGIN
    PERFORM "TEST"."ADD_THREAD"(p_thread, l_scn), history.tell(format('@%s instance %s is new', l_scn, p_thread));
    INSERT INTO history.thread VALUES (p_thread, l_scn);
END
$$;
COMMENT ON FUNCTION history.new_instance(int) IS 'A thread is enabled';

CREATE FUNCTION history.second_instance() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_open CONSTANT boolean := (SELECT t.is_open FROM history.thread t WHERE t.thread = 2);
BEGIN
    CASE l_open
        WHEN true THEN PERFORM history.shut_down(2);
        WHEN false THEN PERFORM history.start_up(2);
        ELSE PERFORM history.new_instance(2);
    END CASE;
END
$$;
COMMENT ON FUNCTION history.second_instance() IS 'The second instance comes and goes';

-- A slot of NOLOGGING tables after a recovery: its blocks cannot be read.
CREATE FUNCTION history.lose_slot() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_slot numeric;
BEGIN
    SELECT p."SLOT_ID" INTO l_slot FROM "ORAPULL"."PORTION" p ORDER BY p."PORTION_ID" LIMIT 1;
    IF l_slot IS NOT NULL THEN
        EXECUTE format('DELETE FROM "ORAPULL"."TRANSPORT_%s"', l_slot);
        CALL "REBUILDS"."CHECK_SLOTS"();
        PERFORM history.tell(format('slot %s is lost', l_slot));
    END IF;
END
$$;
COMMENT ON FUNCTION history.lose_slot() IS 'The slot of the first portion is lost';

CREATE FUNCTION history.lose_stage() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scan numeric;
BEGIN
    SELECT s."SCAN_ID" INTO l_scan FROM "ORAPULL"."SCAN" s WHERE s."STATUS" = 'SCANNED' AND s."PURPOSE" = 'MINE' ORDER BY s."SCAN_ID" LIMIT 1;
    IF l_scan IS NOT NULL THEN
        CALL "MINER"."SCAN_AGAIN"(l_scan, 'ORA-26040: the stage is lost');
        PERFORM history.tell(format('the stage of scan %s is lost', l_scan));
    END IF;
END
$$;
COMMENT ON FUNCTION history.lose_stage() IS 'The stage of a finished scan cannot be read';

CREATE FUNCTION history.turn_settings() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "ORAPULL"."SETTING" SET "MINING_RULE" = (ARRAY['S', 'S', 'W'])[1 + history.dice(3)],
        "COMMITTED_DATA_ONLY" = (ARRAY['N', 'N', 'Y'])[1 + history.dice(3)], "PREV_PORTIONS" = (ARRAY[0, 5, 1000])[1 + history.dice(3)];
    PERFORM history.tell(format('rule %s, COMMITTED_DATA_ONLY %s', s."MINING_RULE", s."COMMITTED_DATA_ONLY")) FROM "ORAPULL"."SETTING" s;
END
$$;
COMMENT ON FUNCTION history.turn_settings() IS 'An operator turns settings while everything runs';

CREATE FUNCTION history.happen(p_next_tx int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    CASE history.dice(13)
        WHEN 0, 1, 2 THEN PERFORM history.switch_log(history.any_thread());
        WHEN 3, 4 THEN PERFORM history.ddl(p_next_tx);
        WHEN 5 THEN PERFORM history.turn_settings();
        WHEN 6 THEN PERFORM history.lose_stage();
        WHEN 7, 8 THEN PERFORM history.lose_slot();
        WHEN 9, 10 THEN PERFORM history.second_instance();
        -- Seldom: what was lost before is no loss any more when everything is loaded again.
        WHEN 11 THEN
            CASE history.dice(6)
                WHEN 0, 1 THEN PERFORM history.lose_log();
                WHEN 2 THEN PERFORM history.reset_logs();
                ELSE NULL;
            END CASE;
        ELSE PERFORM history.crash();
    END CASE;
    RETURN p_next_tx + 1;
END
$$;
COMMENT ON FUNCTION history.happen(int) IS 'Something happens to the database; returns the number of the next transaction';
