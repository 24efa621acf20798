-- The application: what transactions change, in the redo at once and in the tables at their commit.

-- The time of an instance: it may lag behind the other one, and stand still.
CREATE FUNCTION history.time_of(p_thread int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    l_scn numeric;
BEGIN
    UPDATE history.thread t
    SET scn = greatest(t.scn, (SELECT max(o.scn) FROM history.thread o) - history.dice(15)) + history.dice(4)
    WHERE t.thread = p_thread
    RETURNING scn INTO l_scn;
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION history.time_of(int) IS 'The SCN of the next event of an instance';

-- Records of a LOB lie in the future: they are not on disk yet, and the clock has not come to them.
CREATE FUNCTION history.settle_clock() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST"."FLUSH"(t.scn, t.thread) FROM history.thread t WHERE t.is_open;
    PERFORM setval('"SYS"."SCN"', max(t.scn)::bigint) FROM history.thread t;
END
$$;
COMMENT ON FUNCTION history.settle_clock() IS 'Redo is on disk as far as each instance is';

CREATE FUNCTION history.any_thread() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT t.thread FROM history.thread t WHERE t.is_open ORDER BY t.thread
            OFFSET history.dice((SELECT count(*)::int FROM history.thread o WHERE o.is_open)) LIMIT 1);
END
$$;
COMMENT ON FUNCTION history.any_thread() IS 'An open instance';

CREATE FUNCTION history.open_tx(p_tx int, p_thread int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_scn      CONSTANT numeric := history.time_of(p_thread);
    l_parallel CONSTANT boolean := history.dice(8) = 0;
BEGIN
    PERFORM "TEST"."TX"(p_tx, l_scn, p_thread);
    INSERT INTO history.tx (tx, thread, parallel) VALUES (p_tx, p_thread, l_parallel);
    IF l_parallel THEN
        PERFORM "TEST"."REDO"(p_tx, 6, NULL, l_scn, p_more => history.child(p_tx, n)) FROM generate_series(0, 1) n;
    END IF;
    PERFORM history.tell(format('@%s tx %s begins in thread %s%s', l_scn, p_tx, p_thread, CASE WHEN l_parallel THEN ', parallel' END));
END
$$;
COMMENT ON FUNCTION history.open_tx(int, int) IS 'A transaction begins';

CREATE FUNCTION history.child(p_tx int, p_n int) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    l_child CONSTANT int := 1000 + 2 * p_tx + p_n;
BEGIN
    RETURN jsonb_build_object('XIDUSN', l_child, 'XIDSQN', l_child, 'PXIDUSN', p_tx, 'PXIDSLT', 1, 'PXIDSQN', p_tx);
END
$$;
COMMENT ON FUNCTION history.child(int, int) IS 'Number of the first or second child of a transaction, and of that, as a record of its redo has them';

-- Whoever of the children comes to it.
CREATE FUNCTION history.worker(p_tx int) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT history.child(p_tx, history.dice(2)) FROM history.tx t WHERE t.tx = p_tx AND t.parallel);
END
$$;
COMMENT ON FUNCTION history.worker(int) IS 'Who makes a change: a child of a parallel transaction, else NULL';

CREATE FUNCTION history.any_table() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT s.tab FROM history.source s WHERE s.used ORDER BY s.tab
            OFFSET history.dice((SELECT count(*)::int FROM history.source o WHERE o.used)) LIMIT 1);
END
$$;
COMMENT ON FUNCTION history.any_table() IS 'A table of this history';

CREATE FUNCTION history.any_part() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT substr(p.name, 6)::int FROM "SYS"."PARTITION" p ORDER BY p.name
            OFFSET history.dice((SELECT count(*)::int FROM "SYS"."PARTITION")) LIMIT 1);
END
$$;
COMMENT ON FUNCTION history.any_part() IS 'A partition that is there';
CREATE FUNCTION history.segment(p_tab text, p_part int) RETURNS regclass LANGUAGE plpgsql AS $$
BEGIN
    RETURN format('"APP".%I', coalesce('PART_' || p_part, p_tab))::regclass;
END
$$;
COMMENT ON FUNCTION history.segment(text, int) IS 'The table, or its partition';

-- A row of an index-organized table has no ROWID; redo of a partition has its number.
CREATE FUNCTION history.record_of(p_tx int, p_tab text, p_part int) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
    RETURN nullif(coalesce(history.worker(p_tx), '{}') || CASE p_tab
        WHEN 'ORGANIZED' THEN jsonb_build_object('ROW_ID', "TEST"."SENTINEL"())
        WHEN 'PARTED' THEN jsonb_build_object('DATA_OBJ#', history.segment(p_tab, p_part)::oid::bigint)
        ELSE '{}'
    END, '{}');
END
$$;
COMMENT ON FUNCTION history.record_of(int, text, int) IS 'What the redo of a change has that is not the same for all tables';

-- Rows with key 1 to 12, so that keys are used again and again.
CREATE FUNCTION history.free_key(p_tx int, p_tab text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    l_columns CONSTANT text[] := (SELECT s.key FROM history.source s WHERE s.tab = p_tab);
    l_key     jsonb := '{}';
    l_column  text;
BEGIN
    FOREACH l_column IN ARRAY l_columns LOOP
        l_key := l_key || jsonb_build_object(l_column, 1 + history.dice(12 / cardinality(l_columns)));
    END LOOP;
    IF l_key <> '{}' AND (
        EXISTS (SELECT FROM history.image i WHERE i.tab = p_tab AND i.key = l_key AND NOT i.gone)
        OR EXISTS (SELECT FROM history.locked k WHERE k.tab = p_tab AND k.key = l_key AND k.tx <> p_tx)
    ) THEN
        RETURN NULL;
    END IF;
    RETURN l_key;
END
$$;
COMMENT ON FUNCTION history.free_key(int, text) IS 'A key that the transaction can give to a row, NULL if luck did not find one';

CREATE FUNCTION history.new_place(p_tab text, p_part int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_row_id text;
BEGIN
    IF history.dice(2) = 0 THEN
        DELETE FROM history.place p
        WHERE p.tab = p_tab AND p.row_id = (SELECT max(q.row_id) FROM history.place q WHERE q.tab = p_tab AND q.part IS NOT DISTINCT FROM p_part)
        RETURNING p.row_id INTO l_row_id;
    END IF;
    RETURN coalesce(l_row_id, "SYS"."NEW_ROWID"(history.segment(p_tab, p_part)));
END
$$;
COMMENT ON FUNCTION history.new_place(text, int) IS 'Place for a new row, perhaps that of a deleted one';

CREATE FUNCTION history.note_change(p_tx int, p_tab text, p_row_id text, p_key jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_key CONSTANT text[] := (SELECT s.key FROM history.source s WHERE s.tab = p_tab);
BEGIN
    INSERT INTO history.change (tx, tab, row_id, k1, k2)
    VALUES (p_tx, p_tab, p_row_id, p_key ->> l_key[1], p_key ->> l_key[2]);
    INSERT INTO history.locked SELECT p_tab, p_key, p_tx WHERE p_key <> '{}';
END
$$;
COMMENT ON FUNCTION history.note_change(int, text, text, jsonb) IS 'The transaction has changed what has this identity';

CREATE FUNCTION history.see(p_tx int, p_tab text, p_row_id text, p_key jsonb, p_gone boolean, p_part int DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO history.before (tx, tab, row_id, image)
    SELECT p_tx, p_tab, p_row_id, i FROM (VALUES (1)) v LEFT JOIN history.image i ON i.tab = p_tab AND i.row_id = p_row_id;
    INSERT INTO history.image AS i (tab, row_id, key, gone, tx, part) VALUES (p_tab, p_row_id, p_key, p_gone, p_tx, p_part)
    ON CONFLICT (tab, row_id) DO UPDATE SET key = excluded.key, gone = excluded.gone, tx = excluded.tx, part = coalesce(excluded.part, i.part);
END
$$;
COMMENT ON FUNCTION history.see(int, text, text, jsonb, boolean, int) IS 'The transaction sees the row so from now on; how it was before is kept for its savepoint';

CREATE FUNCTION history.insert_row(p_tx int, p_tab text, p_scn numeric, p_lob text DEFAULT NULL, p_to numeric DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    l_key    CONSTANT jsonb := history.free_key(p_tx, p_tab);
    l_part   CONSTANT int := CASE p_tab WHEN 'PARTED' THEN history.any_part() END;
    l_row    CONSTANT jsonb := l_key || jsonb_strip_nulls(jsonb_build_object('P', l_part));
    l_row_id text;
BEGIN
    IF l_key IS NULL THEN
        RETURN;
    END IF;
    l_row_id := history.new_place(p_tab, l_part);
    IF p_lob IS NULL THEN
        PERFORM "TEST"."INSERT"(p_tx, p_tab, l_row || jsonb_build_object('V', history.dice(1000)), p_scn, l_row_id,
                                history.record_of(p_tx, p_tab, l_part));
    ELSE
        PERFORM "TEST"."LOB"(p_tx, p_lob, p_tab, l_row_id, l_key || jsonb_build_object('V', 0), p_scn, p_to,
                             jsonb_build_object('L', p_scn::text));
    END IF;
    PERFORM history.see(p_tx, p_tab, l_row_id, l_key, false, l_part), history.note_change(p_tx, p_tab, l_row_id, l_key),
            history.tell(format('@%s tx %s inserts %s %s at %s %s', p_scn, p_tx, p_tab, l_row, l_row_id, p_lob));
END
$$;
COMMENT ON FUNCTION history.insert_row(int, text, numeric, text, numeric) IS 'Inserts a row, with a LOB perhaps';

CREATE FUNCTION history.any_row(p_tx int, p_tab text) RETURNS history.image LANGUAGE plpgsql AS $$
DECLARE
    l_row  history.image;
    l_rows int;
BEGIN
    SELECT count(*) INTO l_rows FROM history.image i WHERE i.tab = p_tab AND NOT i.gone AND (i.tx IS NULL OR i.tx = p_tx);
    SELECT * INTO l_row FROM history.image i WHERE i.tab = p_tab AND NOT i.gone AND (i.tx IS NULL OR i.tx = p_tx)
    ORDER BY i.key, i.row_id OFFSET history.dice(l_rows) LIMIT 1;
    RETURN l_row;
END
$$;
COMMENT ON FUNCTION history.any_row(int, text) IS 'A row that the transaction can change, NULL if there is none';

CREATE FUNCTION history.update_row(p_tx int, p_tab text, p_scn numeric, p_new_key boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_row     CONSTANT history.image := history.any_row(p_tx, p_tab);
    l_new_key CONSTANT jsonb := CASE WHEN p_new_key THEN history.free_key(p_tx, p_tab) END;
BEGIN
    IF l_row.row_id IS NULL THEN
        RETURN;
    END IF;
    PERFORM "TEST"."UPDATE"(p_tx, p_tab, l_row.row_id, l_row.key || '{"V": 0}',
                            coalesce(l_new_key, '{}') || jsonb_build_object('V', history.dice(1000)), p_scn,
                            history.record_of(p_tx, p_tab, l_row.part)),
            history.tell(format('@%s tx %s updates %s %s at %s%s', p_scn, p_tx, p_tab, l_row.key, l_row.row_id, ' to ' || l_new_key::text)),
            history.see(p_tx, p_tab, l_row.row_id, coalesce(l_new_key, l_row.key), false);
    PERFORM history.note_change(p_tx, p_tab, l_row.row_id, k) FROM unnest(ARRAY[l_row.key, l_new_key]) k WHERE k IS NOT NULL;
END
$$;
COMMENT ON FUNCTION history.update_row(int, text, numeric, boolean) IS 'Updates a row, its key perhaps';

-- A row of several pieces: LogMiner tells of it when it has seen all records.
CREATE FUNCTION history.update_pieces(p_tx int, p_tab text, p_scn numeric, p_to numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_row   CONSTANT history.image := history.any_row(p_tx, p_tab);
    l_new   CONSTANT jsonb := jsonb_build_object('V', history.dice(1000));
    l_more  jsonb := coalesce(history.record_of(p_tx, p_tab, l_row.part), '{}');
BEGIN
    IF l_row.row_id IS NULL THEN
        RETURN;
    END IF;
    UPDATE "TEST"."SETTING" SET "NEXT_LOB" = "NEXT_LOB" + 1 RETURNING l_more || jsonb_build_object('LOB_GROUP', "NEXT_LOB") INTO l_more;
    PERFORM "TEST"."REDO"(p_tx, 0, p_tab, p_scn, NULL, NULL, NULL, l_more),
            "TEST"."REDO"(p_tx, 3, p_tab, p_to, l_row.row_id, l_new, l_row.key || '{"V": 0}', l_more),
            "TEST"."LATER"(p_tx, "TEST"."UPDATE_STATEMENT"(p_tab, l_row.row_id, l_new)),
            history.see(p_tx, p_tab, l_row.row_id, l_row.key, false), history.note_change(p_tx, p_tab, l_row.row_id, l_row.key),
            history.tell(format('@%s..%s tx %s updates pieces of %s %s at %s', p_scn, p_to, p_tx, p_tab, l_row.key, l_row.row_id));
END
$$;
COMMENT ON FUNCTION history.update_pieces(int, text, numeric, numeric) IS 'Updates a row, in redo records apart';

-- Row movement: a delete here and an insert there.
CREATE FUNCTION history.move_row(p_tx int, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_row  CONSTANT history.image := history.any_row(p_tx, 'PARTED');
    l_part CONSTANT int := history.any_part();
    l_new  text;
BEGIN
    IF l_row.row_id IS NULL OR l_row.part = l_part THEN
        RETURN;
    END IF;
    l_new := history.new_place('PARTED', l_part);
    PERFORM "TEST"."DELETE"(p_tx, 'PARTED', l_row.row_id, '{"V": 0}', p_scn, history.record_of(p_tx, 'PARTED', l_row.part)),
            history.see(p_tx, 'PARTED', l_row.row_id, '{}', true), history.note_change(p_tx, 'PARTED', l_row.row_id, '{}'),
            "TEST"."INSERT"(p_tx, 'PARTED', jsonb_build_object('P', l_part, 'V', history.dice(1000)), p_scn, l_new,
                            history.record_of(p_tx, 'PARTED', l_part)),
            history.see(p_tx, 'PARTED', l_new, '{}', false, l_part), history.note_change(p_tx, 'PARTED', l_new, '{}'),
            history.tell(format('@%s tx %s moves a row of PARTED from %s to %s in partition %s', p_scn, p_tx, l_row.row_id, l_new, l_part));
END
$$;
COMMENT ON FUNCTION history.move_row(int, numeric) IS 'A row of the partitioned table comes to another partition';

-- INSERT APPEND into a NOLOGGING segment: only the file knows. The table is locked until the transaction ends.
CREATE FUNCTION history.load_directly(p_tx int, p_tab text, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_key    CONSTANT jsonb := history.free_key(p_tx, p_tab);
    l_part   CONSTANT int := CASE p_tab WHEN 'PARTED' THEN history.any_part() END;
    l_row_id text;
BEGIN
    IF l_key IS NULL OR NOT history.is_quiet(p_tab) THEN
        RETURN;
    END IF;
    l_row_id := "SYS"."NEW_ROWID"(history.segment(p_tab, l_part));
    PERFORM "TEST"."LATER"(p_tx, "TEST"."INSERT_STATEMENT"(p_tab,
                l_key || jsonb_strip_nulls(jsonb_build_object('P', l_part, 'V', history.dice(1000))), l_row_id)),
            history.see(p_tx, p_tab, l_row_id, l_key, false, l_part),
            history.tell(format('@%s tx %s loads %s directly: %s at %s', p_scn, p_tx, p_tab, l_key, l_row_id));
    INSERT INTO history.exclusive VALUES (p_tab, p_tx);
    INSERT INTO history.locked SELECT p_tab, l_key, p_tx;
    INSERT INTO history.change (tx, tab, kind) VALUES (p_tx, p_tab, 'U');
    -- After RESETLOGS it may be less than before.
    UPDATE "SYS"."V$DATAFILE" f
    SET "UNRECOVERABLE_CHANGE#" = CASE
        WHEN f."UNRECOVERABLE_CHANGE#" > (SELECT max(t.scn) FROM history.thread t) THEN p_scn ELSE greatest(f."UNRECOVERABLE_CHANGE#" + 1, p_scn)
    END
    WHERE f."NAME" = p_tab || '.dbf';
    UPDATE history.tx t SET saved_at = NULL WHERE t.tx = p_tx;
END
$$;
COMMENT ON FUNCTION history.load_directly(int, text, numeric) IS 'Rows come without redo';

CREATE FUNCTION history.write_lob(p_tx int, p_tab text, p_shape text, p_scn numeric, p_to numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_row CONSTANT history.image := history.any_row(p_tx, p_tab);
BEGIN
    IF l_row.row_id IS NULL THEN
        RETURN;
    END IF;
    PERFORM "TEST"."LOB"(p_tx, p_shape, p_tab, l_row.row_id, l_row.key, p_scn, p_to, jsonb_build_object('L', p_scn::text));
    PERFORM history.note_change(p_tx, p_tab, l_row.row_id, l_row.key),
            history.see(p_tx, p_tab, l_row.row_id, l_row.key, false),
            history.tell(format('@%s..%s tx %s writes a LOB of %s %s at %s: %s', p_scn, p_to, p_tx, p_tab, l_row.key, l_row.row_id, p_shape));
END
$$;
COMMENT ON FUNCTION history.write_lob(int, text, text, numeric, numeric) IS 'Writes the LOB of a row, in redo records far apart';

CREATE FUNCTION history.delete_rows(p_tx int, p_tab text, p_scn numeric, p_most int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_row  history.image;
    l_more jsonb;
    l_rows jsonb := '{}';
BEGIN
    FOR i IN 1 .. p_most LOOP
        l_row := history.any_row(p_tx, p_tab);
        EXIT WHEN l_row.row_id IS NULL;
        l_more := history.record_of(p_tx, p_tab, l_row.part);
        IF l_more IS NULL THEN
            l_rows := l_rows || jsonb_build_object(l_row.row_id, l_row.key || '{"V": 0}');
        ELSE
            PERFORM "TEST"."DELETE"(p_tx, p_tab, l_row.row_id, l_row.key || '{"V": 0}', p_scn, l_more),
                    history.tell(format('@%s tx %s deletes %s %s at %s', p_scn, p_tx, p_tab, l_row.key, l_row.row_id));
        END IF;
        PERFORM history.see(p_tx, p_tab, l_row.row_id, l_row.key, true), history.note_change(p_tx, p_tab, l_row.row_id, l_row.key);
    END LOOP;
    IF l_rows <> '{}' THEN
        PERFORM "TEST"."DELETE_MANY"(p_tx, p_tab, l_rows, p_scn),
                history.tell(format('@%s tx %s deletes %s %s', p_scn, p_tx, p_tab, l_rows));
    END IF;
END
$$;
COMMENT ON FUNCTION history.delete_rows(int, text, numeric, int) IS 'Deletes up to so many rows by one statement';

CREATE FUNCTION history.save(p_tx int, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE history.tx t
    SET saved_at = nextval('history.act'), saved_redo = (SELECT coalesce(max(r."ID"), 0) FROM "SYS"."REDO" r),
        saved_work = (SELECT coalesce(max(p."N"), 0) FROM "TEST"."PENDING" p)
    WHERE t.tx = p_tx;
    PERFORM history.tell(format('@%s tx %s has a savepoint', p_scn, p_tx));
END
$$;
COMMENT ON FUNCTION history.save(int, numeric) IS 'A transaction sets a savepoint';

-- Redo of an undo knows the ROWID and nothing else. The savepoint stays.
CREATE FUNCTION history.go_back(p_tx history.tx, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    b history.before;
BEGIN
    PERFORM "TEST"."REDO"(p_tx.tx, CASE r."OPERATION_CODE" WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE 3 END, r."TABLE_NAME", p_scn, r."ROW_ID", NULL, NULL,
                          jsonb_build_object('ROLLBACK', 1, 'DATA_OBJ#', r."DATA_OBJ#"))
    FROM (SELECT * FROM "SYS"."REDO" o
          WHERE o."XIDUSN" = p_tx.tx AND o."ID" > p_tx.saved_redo AND o."OPERATION_CODE" IN (1, 2, 3) ORDER BY o."ID" DESC) r;
    DELETE FROM "TEST"."PENDING" w WHERE w."TX" = p_tx.tx AND w."N" > p_tx.saved_work;
    FOR b IN SELECT * FROM history.before o WHERE o.tx = p_tx.tx AND o.n > p_tx.saved_at ORDER BY o.n DESC LOOP
        DELETE FROM history.image i WHERE i.tab = b.tab AND i.row_id = b.row_id;
        INSERT INTO history.image SELECT (b.image).* WHERE (b.image).tab IS NOT NULL;
    END LOOP;
    DELETE FROM history.before o WHERE o.tx = p_tx.tx AND o.n > p_tx.saved_at;
    DELETE FROM history.change c WHERE c.tx = p_tx.tx AND c.n > p_tx.saved_at;
    DELETE FROM history.locked k WHERE k.tx = p_tx.tx AND k.n > p_tx.saved_at;
    PERFORM history.tell(format('@%s tx %s goes back to its savepoint', p_scn, p_tx.tx)), history.save(p_tx.tx, p_scn);
END
$$;
COMMENT ON FUNCTION history.go_back(history.tx, numeric) IS 'A transaction rolls back to its savepoint';

CREATE FUNCTION history.write_something(p_tx int, p_tab text, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_to CONSTANT numeric := p_scn + 1 + history.dice(25);
BEGIN
    UPDATE history.tx t SET busy_until = l_to WHERE t.tx = p_tx;
    IF history.dice(2) = 0 THEN
        PERFORM history.insert_row(p_tx, p_tab, p_scn, CASE p_tab WHEN 'PLACED' THEN 'INLINE' ELSE 'INSERT' END, l_to);
    ELSE
        PERFORM history.write_lob(p_tx, p_tab, CASE p_tab
            WHEN 'PLACED' THEN (ARRAY['WRITE', 'BASICFILE'])[1 + history.dice(2)]
            ELSE (ARRAY['UPDATE', 'UPDATE', 'XML', '32K', 'WRITE', 'LOST'])[1 + history.dice(6)]
        END, p_scn, l_to);
    END IF;
END
$$;
COMMENT ON FUNCTION history.write_something(int, text, numeric) IS 'A LOB is written';

-- A margin at the seam of fewer SCNs than a change is long cannot bring it back.
CREATE FUNCTION history.update_something(p_tx history.tx, p_tab text, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c_longest CONSTANT int := 20;
    l_to      CONSTANT numeric := p_scn + 1 + history.dice(c_longest);
BEGIN
    IF history.dice(2) = 0 AND NOT p_tx.parallel AND p_tab NOT IN ('PLACED', 'WITH_LOB')
       AND (SELECT s."SEAM_SCN" > c_longest FROM "ORAPULL"."SETTING" s) THEN
        UPDATE history.tx t SET busy_until = l_to WHERE t.tx = p_tx.tx;
        PERFORM history.update_pieces(p_tx.tx, p_tab, p_scn, l_to);
    ELSIF p_tab = 'PARTED' AND history.dice(3) = 0 THEN
        PERFORM history.move_row(p_tx.tx, p_scn);
    ELSE
        PERFORM history.update_row(p_tx.tx, p_tab, p_scn, history.dice(2) = 0);
    END IF;
END
$$;
COMMENT ON FUNCTION history.update_something(history.tx, text, numeric) IS 'An update, of any kind';

CREATE FUNCTION history.change_something(p_tx history.tx, p_scn numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_tab CONSTANT text := history.any_table();
BEGIN
    IF EXISTS (SELECT FROM history.exclusive e WHERE e.tab = l_tab AND e.tx <> p_tx.tx) THEN
        RETURN;
    ELSIF l_tab IN ('PLACED', 'WITH_LOB') AND NOT p_tx.parallel AND history.dice(3) = 0 THEN
        PERFORM history.write_something(p_tx.tx, l_tab, p_scn);
        RETURN;
    END IF;
    CASE history.dice(10)
        WHEN 0, 1, 2, 3 THEN PERFORM history.insert_row(p_tx.tx, l_tab, p_scn);
        WHEN 4, 5, 6 THEN PERFORM history.update_something(p_tx, l_tab, p_scn);
        WHEN 7, 8 THEN PERFORM history.delete_rows(p_tx.tx, l_tab, p_scn, 1 + history.dice(3));
        ELSE
            IF history.dice(15) = 0 THEN
                PERFORM history.load_directly(p_tx.tx, l_tab, p_scn);
            ELSIF p_tx.saved_at IS NOT NULL THEN
                PERFORM history.go_back(p_tx, p_scn);
            ELSIF NOT p_tx.parallel AND NOT EXISTS (SELECT FROM history.exclusive e WHERE e.tx = p_tx.tx) THEN
                PERFORM history.save(p_tx.tx, p_scn);
            END IF;
    END CASE;
END
$$;
COMMENT ON FUNCTION history.change_something(history.tx, numeric) IS 'One change, of any kind';
