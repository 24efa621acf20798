-- What dice alone bring about too seldom: a course of events, in the middle of whatever else goes on.

CREATE PROCEDURE history.mine(p_rounds int) LANGUAGE plpgsql AS $$
DECLARE
    l_idle boolean;
BEGIN
    FOR i IN 1 .. p_rounds LOOP
        CALL history.coordinate(l_idle);
        COMMIT;
        PERFORM history.scan();
        COMMIT;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE history.mine(int) IS 'The jobs are ahead of the application, mostly';

CREATE FUNCTION history.touch(p_tx int, p_row history.image) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_tx history.tx;
BEGIN
    PERFORM history.open_tx(p_tx, 1);
    SELECT * INTO l_tx FROM history.tx t WHERE t.tx = p_tx;
    PERFORM "TEST"."UPDATE"(p_tx, p_row.tab, p_row.row_id, p_row.key || '{"V": 0}', jsonb_build_object('V', history.dice(1000)),
                            history.time_of(1), history.record_of(p_tx, p_row.tab, p_row.part)),
            history.see(p_tx, p_row.tab, p_row.row_id, p_row.key, false), history.note_change(p_tx, p_row.tab, p_row.row_id, p_row.key),
            history.tell(format('tx %s touches %s %s at %s', p_tx, p_row.tab, p_row.key, p_row.row_id)),
            history.commit_tx(l_tx, history.time_of(1));
END
$$;
COMMENT ON FUNCTION history.touch(int, history.image) IS 'A short transaction updates a row';

-- Three portions: of the third, P$PREV must not look past the second.
CREATE PROCEDURE history.surround_ddl(INOUT p_next_tx int) LANGUAGE plpgsql AS $$
DECLARE
    l_tab CONSTANT text := history.any_table();
    l_row history.image;
BEGIN
    FOR i IN 1 .. 3 LOOP
        SELECT * INTO l_row FROM history.image m WHERE m.tab = l_tab AND NOT m.gone ORDER BY m.key, m.row_id LIMIT 1;
        EXIT WHEN l_row.row_id IS NULL OR NOT history.is_quiet(l_tab);
        IF i = 2 THEN
            PERFORM history.alter_table(p_next_tx, l_tab, history.time_of(1));
        ELSE
            PERFORM history.touch(p_next_tx, l_row);
        END IF;
        p_next_tx := p_next_tx + 1;
        PERFORM history.settle_clock();
        COMMIT;
        CALL history.mine(12);
    END LOOP;
END
$$;
COMMENT ON PROCEDURE history.surround_ddl(int) IS 'DDL between two changes of the same row; gives the number of the next transaction';

-- What is suspected may still be open.
CREATE PROCEDURE history.look_at_load(INOUT p_next_tx int) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.open_tx(p_next_tx, 1);
    PERFORM history.load_directly(p_next_tx, history.any_table(), history.time_of(1));
    p_next_tx := p_next_tx + 1;
    PERFORM history.settle_clock(), history.pass_time(true);
    COMMIT;
    CALL history.mine(10);
END
$$;
COMMENT ON PROCEDURE history.look_at_load(int) IS 'The dictionary is watched while a direct load is open; gives the number of the next transaction';

-- Transactions that are open when tables are registered, of which something is mined by then, and nothing happens to them
-- until the tables are READY, unless that waits for them.
CREATE PROCEDURE history.begin_at_work(INOUT p_next_tx int) LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1 .. 25 LOOP
        p_next_tx := history.work(p_next_tx);
        PERFORM history.settle_clock();
        COMMIT;
    END LOOP;
    PERFORM CASE history.dice(2)
        WHEN 0 THEN history.insert_row(t.tx, history.any_table(), history.time_of(t.thread))
        ELSE history.update_row(t.tx, history.any_table(), history.time_of(t.thread), true)
    END
    FROM (SELECT * FROM history.tx CROSS JOIN generate_series(1, 3) ORDER BY tx) t
    WHERE NOT t.in_doubt AND t.busy_until <= (SELECT min(o.scn) FROM history.thread o) AND NOT EXISTS (SELECT FROM history.exclusive);
    UPDATE history.thread SET scn = 5 + (SELECT max(o.scn) FROM history.thread o);
    PERFORM history.settle_clock();
    COMMIT;
    CALL history.mine(8);
    CALL history.begin_shards();
    FOR i IN 1 .. 2 LOOP
        PERFORM history.pass_time();
        COMMIT;
        CALL history.mine(3);
    END LOOP;
END
$$;
COMMENT ON PROCEDURE history.begin_at_work(int) IS 'The application is at work before there are shards; gives the number of the next transaction';
