-- What happens to a database: log switches, DDL, crashes, storage that is lost, settings that are turned.

CREATE FUNCTION history.after_all(p_thread int) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
    RETURN 1 + greatest(history.time_of(p_thread), (SELECT max(r."SCN") FROM "SYS"."REDO" r JOIN "SYS"."LOG" g ON g."LOG_NO" = r."LOG_NO" AND g."NEXT_CHANGE#" IS NULL
                         WHERE r."THREAD#" = p_thread));
END
$$;
COMMENT ON FUNCTION history.after_all(int) IS 'An SCN behind all redo of an instance';

CREATE FUNCTION history.archive_late(p_thread int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST"."ARCHIVE"(l.thread, l.seq), history.tell(format('thread %s sequence %s is archived at last', l.thread, l.seq))
    FROM history.late l WHERE l.thread = p_thread;
    DELETE FROM history.late l WHERE l.thread = p_thread;
END
$$;
COMMENT ON FUNCTION history.archive_late(int) IS 'A log that is late arrives';

CREATE FUNCTION history.switch_log(p_thread int, p_late boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scn  CONSTANT numeric := history.after_all(p_thread);
    l_late CONSTANT boolean := p_late AND NOT EXISTS (SELECT FROM history.late l WHERE l.thread = p_thread);
    l_seq  numeric;
BEGIN
    UPDATE history.thread t SET scn = l_scn WHERE t.thread = p_thread;
    l_seq := "TEST"."SWITCH_LOG"(p_thread, l_scn, NOT l_late);
    INSERT INTO history.late SELECT p_thread, l_seq - 1 WHERE l_late;
    PERFORM history.tell(format('@%s thread %s switches its log%s', l_scn, p_thread, CASE WHEN l_late THEN ', which is not archived yet' END));
END
$$;
COMMENT ON FUNCTION history.switch_log(int, boolean) IS 'A thread goes on in another log; late: the archiver does not come to the one before';

CREATE FUNCTION history.switch_logs() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_thread int;
BEGIN
    UPDATE history.thread SET scn = (SELECT last_value FROM "SYS"."SCN") WHERE is_open;
    FOR l_thread IN SELECT t.thread FROM history.thread t WHERE t.is_open ORDER BY t.thread LOOP
        PERFORM history.archive_late(l_thread), history.switch_log(l_thread);
    END LOOP;
END
$$;
COMMENT ON FUNCTION history.switch_logs() IS 'ARCHIVE_LAG_TARGET: all threads go on in another log';

CREATE FUNCTION history.archived_only() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT s."ARCHIVED_ONLY" = 'Y' FROM "ORAPULL"."SETTING" s $$;
COMMENT ON FUNCTION history.archived_only() IS 'Online logs are never read in this history';

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

CREATE FUNCTION history.move_segment(p_tab text, p_part int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_segment CONSTANT regclass := history.segment(p_tab, p_part);
BEGIN
    RETURN format('SELECT "TEST"."ANOTHER_SEGMENT"(%2$s);
                   UPDATE %1$s t SET "ROWID$" = n.place
                   FROM (SELECT o."ROWID$", "SYS"."NEW_ROWID"(%2$s) AS place FROM (SELECT "ROWID$" FROM %1$s ORDER BY 1) o) n
                   WHERE t."ROWID$" = n."ROWID$"', l_segment, l_segment::oid);
END
$$;
COMMENT ON FUNCTION history.move_segment(text, int) IS 'Statements that move a partition';

-- Whatever may move or remove rows is told as U: a pointer cannot say which.
CREATE FUNCTION history.alter_partition(p_tx int, p_scn numeric) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    c_new  CONSTANT int := 3;
    l_new  CONSTANT boolean := EXISTS (SELECT FROM history.hidden);
    l_verb CONSTANT text := (ARRAY['TRUNCATE', 'MOVE', CASE WHEN l_new THEN 'ADD' ELSE 'DROP' END, CASE WHEN l_new THEN 'ADD' ELSE 'MOVE' END])[1 + history.dice(4)];
    l_part CONSTANT int := CASE WHEN l_verb IN ('ADD', 'DROP') THEN c_new ELSE history.any_part() END;
BEGIN
    PERFORM "TEST"."DDL"(p_tx, 'PARTED', format('ALTER TABLE "APP"."PARTED" %s PARTITION "PART_%s"', l_verb, l_part) || CASE l_verb WHEN 'ADD' THEN format(' VALUES (%s)', l_part) ELSE '' END,
                         p_scn, NULL, CASE l_verb
        WHEN 'MOVE' THEN history.move_segment('PARTED', l_part)
        ELSE format('SELECT "TEST"."ANOTHER_SEGMENT"(%s); DELETE FROM %s', history.segment('PARTED', l_part)::oid, history.segment('PARTED', l_part))
    END);
    IF l_verb = 'ADD' THEN
        DELETE FROM history.hidden;
    ELSIF l_verb = 'DROP' THEN
        INSERT INTO history.hidden VALUES ('PART_' || l_part);
    END IF;
    PERFORM history.tell(format('@%s PARTED: %s partition %s', p_scn, l_verb, l_part));
    RETURN CASE l_verb WHEN 'ADD' THEN 'D' ELSE 'U' END;
END
$$;
COMMENT ON FUNCTION history.alter_partition(int, numeric) IS 'A partition comes, goes, is emptied or moved; returns how that must be told';

CREATE FUNCTION history.truncate_table(p_tx int, p_tab text, p_scn numeric) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST"."TRUNCATE"(p_tx, p_tab, p_scn), history.tell(format('@%s %s is truncated', p_scn, p_tab));
    PERFORM "TEST"."ANOTHER_SEGMENT"(p.relation) FROM history.part p WHERE p.table_name = p_tab;
    RETURN 'T';
END
$$;
COMMENT ON FUNCTION history.truncate_table(int, text, numeric) IS 'A table is emptied; returns how that must be told';

-- Every ROWID is another one, and no pointer can say which. An old one proves nothing of a row with a key.
CREATE FUNCTION history.move_table(p_tx int, p_tab text, p_scn numeric) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF p_tab = 'PARTED' THEN
        RETURN history.alter_partition(p_tx, p_scn);
    END IF;
    PERFORM "TEST"."MOVE"(p_tx, p_tab, p_scn), history.tell(format('@%s %s is moved', p_scn, p_tab));
    UPDATE history.change c SET row_id = NULL WHERE c.tab = p_tab AND c.k1 IS NOT NULL;
    RETURN CASE WHEN p_tab IN ('PLACED', 'WITH_LOB') THEN 'U' ELSE 'D' END;
END
$$;
COMMENT ON FUNCTION history.move_table(int, text, numeric) IS 'A table is moved, or a partition altered; returns how that must be told';

CREATE FUNCTION history.ddl(p_tx int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_tab  CONSTANT text := history.any_table();
    l_scn  numeric;
    l_kind text;
BEGIN
    IF NOT history.is_quiet(l_tab) THEN
        RETURN;
    END IF;
    l_scn := history.time_of(1);
    DELETE FROM history.place p WHERE p.tab = l_tab;
    CASE history.dice(5)
        WHEN 0, 1 THEN l_kind := history.truncate_table(p_tx, l_tab, l_scn);
        WHEN 2, 3 THEN l_kind := history.move_table(p_tx, l_tab, l_scn);
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
    PERFORM history.archive_late(l.thread) FROM history.late l;
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
    PERFORM history.archive_late(p_thread), "TEST"."CLOSE_THREAD"(p_thread, l_scn), history.tell(format('@%s instance %s is shut down', l_scn, p_thread));
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
    IF history.dice(8) = 0 THEN
        UPDATE "ORAPULL"."SETTING" SET "ARCHIVED_ONLY" = CASE "ARCHIVED_ONLY" WHEN 'Y' THEN 'N' ELSE 'Y' END;
    END IF;
    PERFORM history.tell(format('rule %s, COMMITTED_DATA_ONLY %s, ARCHIVED_ONLY %s', s."MINING_RULE", s."COMMITTED_DATA_ONLY", s."ARCHIVED_ONLY"))
    FROM "ORAPULL"."SETTING" s;
END
$$;
COMMENT ON FUNCTION history.turn_settings() IS 'An operator turns settings while everything runs';

CREATE FUNCTION history.happen(p_next_tx int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    CASE history.dice(13)
        WHEN 0, 1 THEN PERFORM history.switch_log(history.any_thread(), history.dice(3) = 0);
        WHEN 2 THEN PERFORM history.archive_late(history.any_thread());
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
