-- The application: how its transactions end, and what it does next.

CREATE FUNCTION history.forget_locks(p_tx int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.locked k WHERE k.tx = p_tx;
    DELETE FROM history.exclusive e WHERE e.tx = p_tx;
    DELETE FROM history.before b WHERE b.tx = p_tx;
    DELETE FROM history.tx t WHERE t.tx = p_tx;
END
$$;
COMMENT ON FUNCTION history.forget_locks(int) IS 'The transaction has ended';

CREATE FUNCTION history.note_commit(p_tx int, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE history.change c
    SET commit_scn = p_scn, after_portion = (SELECT s."LAST_PORTION" FROM "ORAPULL"."SOURCE_STATE" s),
        due = EXISTS (SELECT FROM "ORAPULL"."SOURCE_TABLE" t WHERE t."OWNER" = 'APP' AND t."TABLE_NAME" = c.tab AND t."STATE" = 'READY')
    WHERE c.tx = p_tx;
    INSERT INTO history.commit VALUES (p_scn);
    INSERT INTO history.place SELECT i.tab, i.row_id, i.part FROM history.image i WHERE i.tx = p_tx AND i.gone;
    DELETE FROM history.image i WHERE i.tx = p_tx AND i.gone;
    UPDATE history.image i SET tx = NULL WHERE i.tx = p_tx;
    PERFORM history.forget_locks(p_tx);
END
$$;
COMMENT ON FUNCTION history.note_commit(int, numeric) IS 'What a commit means for what the history knows';

-- Children may have ends of their own, which are not the end.
CREATE FUNCTION history.end_children(p_tx history.tx, p_op int, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_tx.parallel AND history.dice(2) = 0 THEN
        PERFORM "TEST"."REDO"(p_tx.tx, p_op, NULL, p_scn, p_more => history.child(p_tx.tx, n)) FROM generate_series(0, 1) n;
    END IF;
END
$$;
COMMENT ON FUNCTION history.end_children(history.tx, int, numeric) IS 'The children of a parallel transaction end with it';

CREATE FUNCTION history.commit_tx(p_tx history.tx, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.end_children(p_tx, 7, p_scn);
    PERFORM "TEST"."COMMIT"(p_tx.tx, p_scn), history.note_commit(p_tx.tx, p_scn),
            history.tell(format('@%s tx %s commits', p_scn, p_tx.tx));
END
$$;
COMMENT ON FUNCTION history.commit_tx(history.tx, numeric) IS 'A transaction commits';

-- What the transaction had seen is what the tables have.
CREATE FUNCTION history.see_again(p_tab text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO history.image (tab, row_id, key, part)
        SELECT %1$L, t."ROWID$", jsonb_build_object(%2$s), %3$s FROM "APP".%1$I t ON CONFLICT DO NOTHING',
        p_tab, (SELECT string_agg(format('%1$L, t.%1$I', k), ', ') FROM history.source s CROSS JOIN unnest(s.key) k WHERE s.tab = p_tab),
        CASE p_tab WHEN 'PARTED' THEN 't."P"' ELSE 'NULL' END);
END
$$;
COMMENT ON FUNCTION history.see_again(text) IS 'Rows that nobody has changed are seen as they are';

CREATE FUNCTION history.forget_tx(p_tx int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.change c WHERE c.tx = p_tx;
    DELETE FROM history.image i WHERE i.tx = p_tx;
    PERFORM history.see_again(s.tab) FROM history.source s WHERE s.used;
    PERFORM history.forget_locks(p_tx);
END
$$;
COMMENT ON FUNCTION history.forget_tx(int) IS 'What a rollback means for what the history knows';

CREATE FUNCTION history.roll_back(p_tx history.tx, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.end_children(p_tx, 36, p_scn);
    PERFORM "TEST"."ROLLBACK"(p_tx.tx, p_scn), history.forget_tx(p_tx.tx), history.tell(format('@%s tx %s rolls back', p_scn, p_tx.tx));
END
$$;
COMMENT ON FUNCTION history.roll_back(history.tx, numeric) IS 'A transaction rolls back';

-- One that is killed has no end in the redo that tells its number.
CREATE FUNCTION history.vanish(p_tx history.tx) RETURNS void LANGUAGE sql AS $$
DELETE FROM "TEST"."PENDING" WHERE "TX" = p_tx.tx;
DELETE FROM "SYS"."TRANSACTION" WHERE "XIDUSN" = p_tx.tx;
SELECT history.forget_tx(p_tx.tx), history.tell(format('tx %s vanishes', p_tx.tx));
$$;
COMMENT ON FUNCTION history.vanish(history.tx) IS 'A transaction is gone, and no record says so';

-- One at a time: no table becomes READY meanwhile.
CREATE FUNCTION history.prepare_tx(p_tx history.tx) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM history.tx t WHERE t.in_doubt) THEN
        RETURN;
    END IF;
    PERFORM "TEST"."PREPARE"(p_tx.tx), history.tell(format('tx %s is in doubt', p_tx.tx));
    UPDATE history.tx t SET in_doubt = true WHERE t.tx = p_tx.tx;
END
$$;
COMMENT ON FUNCTION history.prepare_tx(history.tx) IS 'A distributed transaction is prepared, and its coordinator does not answer';

-- Some wait for long.
CREATE FUNCTION history.resolve_doubt(p_tx history.tx, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CASE history.dice(24)
        WHEN 0, 1, 2 THEN PERFORM history.commit_tx(p_tx, p_scn);
        WHEN 3 THEN PERFORM history.roll_back(p_tx, p_scn);
        ELSE NULL;
    END CASE;
END
$$;
COMMENT ON FUNCTION history.resolve_doubt(history.tx, numeric) IS 'The end of an in-doubt transaction, perhaps';

CREATE FUNCTION history.change_some(p_tx int, p_thread int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_tx  history.tx;
    l_scn numeric;
BEGIN
    FOR i IN 1 .. 1 + history.dice(4) LOOP
        SELECT * INTO l_tx FROM history.tx t WHERE t.tx = p_tx;
        l_scn := history.time_of(p_thread);
        EXIT WHEN l_scn < l_tx.busy_until;
        PERFORM history.change_something(l_tx, l_scn);
    END LOOP;
END
$$;
COMMENT ON FUNCTION history.change_some(int, int) IS 'A few changes';

CREATE FUNCTION history.work(p_next_tx int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    l_open int := (SELECT count(*) FROM history.tx);
    l_tx   history.tx;
    l_scn  numeric;
BEGIN
    IF l_open = 0 OR (l_open < 5 AND history.dice(6) = 0) THEN
        PERFORM history.open_tx(p_next_tx, history.any_thread());
        RETURN p_next_tx + 1;
    END IF;
    SELECT * INTO l_tx FROM history.tx t ORDER BY t.tx OFFSET history.dice(l_open) LIMIT 1;
    l_scn := history.time_of(l_tx.thread);
    IF l_tx.in_doubt THEN
        PERFORM history.resolve_doubt(l_tx, l_scn);
    ELSIF l_scn >= l_tx.busy_until THEN
        CASE history.dice(40)
            WHEN 0, 1, 2, 3, 4, 5, 6, 7 THEN PERFORM history.commit_tx(l_tx, l_scn);
            WHEN 8, 9 THEN PERFORM history.roll_back(l_tx, l_scn);
            WHEN 10 THEN PERFORM history.vanish(l_tx);
            WHEN 11, 12 THEN PERFORM history.prepare_tx(l_tx);
            ELSE PERFORM history.change_some(l_tx.tx, l_tx.thread);
        END CASE;
    END IF;
    RETURN p_next_tx;
END
$$;
COMMENT ON FUNCTION history.work(int) IS 'The application does something; returns the number of the next transaction';
