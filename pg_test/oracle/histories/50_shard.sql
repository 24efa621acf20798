-- A shard, as far as it decides what of the pointers reaches its rows: attach, load, hold, ask, apply, ack (see src/pull).

CREATE FUNCTION history.attach(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_token   numeric;
    l_first   numeric;
    l_applied numeric;
BEGIN
    CALL "API"."ATTACH"(p_shard.shard, 'holder', p_shard.applied, 1, l_token, l_first, l_applied);
    UPDATE history.shard s SET token = l_token, stale = coalesce(s.token, s.stale), applied = l_applied WHERE s.shard = p_shard.shard;
    -- Its requests are gone.
    UPDATE history.target t SET request = NULL WHERE t.shard = p_shard.shard;
    UPDATE history.held h SET asked = false WHERE h.shard = p_shard.shard;
    PERFORM history.tell(format('shard %s attaches at portion %s', p_shard.shard, l_applied));
END
$$;
COMMENT ON FUNCTION history.attach(history.shard) IS 'Takes the lease anew; the token of before is stale';

CREATE FUNCTION history.identity(p_tab text, p_row_id text, p_k1 text, p_k2 text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT CASE WHEN p_tab IN ('PLACED', 'PARTED') THEN p_row_id ELSE p_k1 || coalesce('/' || p_k2, '') END
$$;
COMMENT ON FUNCTION history.identity(text, text, text, text) IS 'What a shard knows a row by';

CREATE FUNCTION history.fetch(p_reader text, p_table_id numeric, VARIADIC p_arguments numeric[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM history.view v WHERE v.name = p_reader || '_' || p_table_id AND v.dropped) THEN
        PERFORM history.wrong('failed', format('view %s_%s is read, and was dropped', p_reader, p_table_id));
    END IF;
    DELETE FROM history.fetched;
    EXECUTE format('SELECT history.%s_%s(%s)', p_reader, p_table_id, array_to_string(p_arguments, ', '));
END
$$;
COMMENT ON FUNCTION history.fetch(text, numeric, numeric[]) IS 'Reads rows through PULL_n or LOAD_n';

CREATE FUNCTION history.fetch_pointers(p_table_id numeric, p_before numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.pointer;
    INSERT INTO history.pointer
    SELECT p."P$PORTION", p."TABLE_ID", p."KIND", p."ROW_ID", p."K1", p."K2", p."P$PREV", p."COMMIT_SCN"
    FROM "ORAPULL"."POINTER_V" p JOIN history.batch b ON b.slot = p."P$SLOT" AND b.portion = p."P$PORTION"
    WHERE p."TABLE_ID" = p_table_id AND p."P$PREV" < p_before;
END
$$;
COMMENT ON FUNCTION history.fetch_pointers(numeric, numeric) IS 'Reads the pointers of the batch, as its rows are read';

CREATE FUNCTION history.upsert(p_shard text, p_tab text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO history.copied AS c
    SELECT DISTINCT ON (f.identity) p_shard, p_tab, f.identity, f.data, true FROM history.fetched f
    ON CONFLICT (shard, tab, identity) DO UPDATE SET data = excluded.data, seen = true;
END
$$;
COMMENT ON FUNCTION history.upsert(text, text) IS 'What was read is what there is';

-- Pointers to rows: what none of the fetched rows has is gone.
CREATE FUNCTION history.apply_pointers(p_shard text, p_tab text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.copied c
    WHERE c.shard = p_shard AND c.tab = p_tab
      AND c.identity IN (SELECT history.identity(p_tab, p.row_id, p.k1, p.k2) FROM history.pointer p)
      AND c.identity NOT IN (SELECT f.identity FROM history.fetched f);
    PERFORM history.upsert(p_shard, p_tab);
END
$$;
COMMENT ON FUNCTION history.apply_pointers(text, text) IS 'Makes the rows that pointers name equal to those of the source';

CREATE FUNCTION history.begin_load(p_shard history.shard, p_target history.target) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_plan   numeric;
    l_chunks numeric;
BEGIN
    CALL "API"."PLAN_RANGES"(p_shard.shard, p_shard.token, p_target.table_id, 1 + history.dice(3), l_plan, l_chunks);
    UPDATE history.target t SET state = 'loading', plan = l_plan, chunks = l_chunks, chunk = 1, request = NULL
    WHERE t.shard = p_shard.shard AND t.tab = p_target.tab;
    UPDATE history.copied c SET seen = false WHERE c.shard = p_shard.shard AND c.tab = p_target.tab;
    PERFORM history.tell(format('shard %s loads %s in %s ranges', p_shard.shard, p_target.tab, l_chunks));
END
$$;
COMMENT ON FUNCTION history.begin_load(history.shard, history.target) IS 'The table is READY: from now on its pointers are held';

CREATE FUNCTION history.end_load(p_shard text, p_tab text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO history.held
    SELECT c.shard, c.tab, CASE WHEN c.tab IN ('PLACED', 'PARTED') THEN c.identity END,
           CASE WHEN c.tab NOT IN ('PLACED', 'PARTED') THEN split_part(c.identity, '/', 1) END,
           CASE WHEN c.tab = 'PAIRED' THEN split_part(c.identity, '/', 2) END
    FROM history.copied c WHERE c.shard = p_shard AND c.tab = p_tab AND NOT c.seen;
    UPDATE history.target t SET state = 'catching up' WHERE t.shard = p_shard AND t.tab = p_tab;
    PERFORM history.tell(format('shard %s has loaded %s', p_shard, p_tab));
END
$$;
COMMENT ON FUNCTION history.end_load(text, text) IS 'What was not seen in the load will be asked for';

-- A plan that is not known any more had no rows there, which does not mean that the table has none.
CREATE FUNCTION history.load_chunk(p_shard history.shard, p_target history.target) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.fetch('load', p_target.table_id, p_target.plan, p_target.chunk);
    IF NOT EXISTS (SELECT FROM "ORAPULL"."PLAN_V" p WHERE p."PLAN_ID" = p_target.plan) THEN
        PERFORM history.tell(format('plan %s of %s is gone', p_target.plan, p_target.tab)), history.begin_load(p_shard, p_target);
        RETURN;
    END IF;
    PERFORM history.upsert(p_shard.shard, p_target.tab), history.tell(format('shard %s reads range %s of %s', p_shard.shard, p_target.chunk, p_target.tab));
    UPDATE history.target t SET chunk = t.chunk + 1 WHERE t.shard = p_shard.shard AND t.tab = p_target.tab;
    IF p_target.chunk >= p_target.chunks THEN
        PERFORM history.end_load(p_shard.shard, p_target.tab);
    END IF;
END
$$;
COMMENT ON FUNCTION history.load_chunk(history.shard, history.target) IS 'Reads a range, and then looks again';

CREATE FUNCTION history.ask(p_shard history.shard, p_target history.target) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c_all     CONSTANT int := 1000;
    l_most    CONSTANT int := CASE history.dice(3) WHEN 0 THEN 1 + history.dice(5) ELSE c_all END;
    l_request numeric;
BEGIN
    UPDATE history.held h SET asked = true
    FROM (SELECT DISTINCT o.row_id, o.k1, o.k2 FROM history.held o WHERE o.shard = p_shard.shard AND o.tab = p_target.tab
          ORDER BY 1, 2, 3 LIMIT l_most) m
    WHERE h.shard = p_shard.shard AND h.tab = p_target.tab AND (h.row_id, h.k1, h.k2) IS NOT DISTINCT FROM (m.row_id, m.k1, m.k2);
    INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "ROW_ID", "K1", "K2")
    SELECT DISTINCT p_target.table_id, h.row_id, h.k1, h.k2 FROM history.held h WHERE h.shard = p_shard.shard AND h.tab = p_target.tab AND h.asked;
    CALL "API"."ASK"(p_shard.shard, p_shard.token, p_target.table_id, l_request);
    UPDATE history.target t SET request = l_request WHERE t.shard = p_shard.shard AND t.tab = p_target.tab;
    PERFORM history.tell(format('shard %s asks for rows of %s: request %s', p_shard.shard, p_target.tab, l_request));
END
$$;
COMMENT ON FUNCTION history.ask(history.shard, history.target) IS 'Asks for what was held, or some of it';

-- What was held since stays held.
CREATE FUNCTION history.apply_request(p_shard history.shard, p_target history.target) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.batch;
    INSERT INTO history.batch VALUES (0, p_target.request);
    PERFORM history.fetch('pull', p_target.table_id, 1), history.fetch_pointers(p_target.table_id, 1);
    PERFORM history.apply_pointers(p_shard.shard, p_target.tab);
    DELETE FROM history.held h WHERE h.shard = p_shard.shard AND h.tab = p_target.tab AND h.asked;
    CALL "API"."DONE"(p_shard.shard, p_shard.token, p_target.request);
    UPDATE history.target t SET request = NULL WHERE t.shard = p_shard.shard AND t.tab = p_target.tab;
    PERFORM history.tell(format('shard %s applies request %s', p_shard.shard, p_target.request));
END
$$;
COMMENT ON FUNCTION history.apply_request(history.shard, history.target) IS 'Applies what was asked for';

CREATE FUNCTION history.catch_up(p_shard history.shard, p_target history.target) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_target.request IS NOT NULL THEN
        PERFORM history.apply_request(p_shard, p_target);
    ELSIF EXISTS (SELECT FROM history.held h WHERE h.shard = p_shard.shard AND h.tab = p_target.tab) THEN
        PERFORM history.ask(p_shard, p_target);
    ELSE
        UPDATE history.target t SET state = 'following' WHERE t.shard = p_shard.shard AND t.tab = p_target.tab;
        PERFORM history.tell(format('shard %s follows %s', p_shard.shard, p_target.tab));
    END IF;
END
$$;
COMMENT ON FUNCTION history.catch_up(history.shard, history.target) IS 'From a load to what others do: asks until nothing is held';

-- The request that is open is not wanted any more.
CREATE FUNCTION history.load_again(p_shard text, p_target history.target) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_token CONSTANT numeric := (SELECT s.token FROM history.shard s WHERE s.shard = p_shard);
BEGIN
    IF p_target.request IS NOT NULL THEN
        CALL "API"."DONE"(p_shard, l_token, p_target.request);
    END IF;
    UPDATE history.target t SET state = 'waiting', request = NULL WHERE t.shard = p_shard AND t.tab = p_target.tab;
    DELETE FROM history.held h WHERE h.shard = p_shard AND h.tab = p_target.tab;
    PERFORM history.tell(format('shard %s has to load %s again', p_shard, p_target.tab));
END
$$;
COMMENT ON FUNCTION history.load_again(text, history.target) IS 'What the shard has of the table is not enough';

-- T first, wherever it stands; rows of U have to be loaded again.
CREATE FUNCTION history.apply_to_target(p_shard text, p_target history.target, p_first numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM history.fetch_pointers(p_target.table_id, p_first);
    IF EXISTS (SELECT FROM history.pointer p WHERE p.kind = 'T') THEN
        DELETE FROM history.copied c WHERE c.shard = p_shard AND c.tab = p_target.tab;
        DELETE FROM history.held h WHERE h.shard = p_shard AND h.tab = p_target.tab;
    END IF;
    IF p_target.state IN ('loading', 'catching up') THEN
        INSERT INTO history.held SELECT p_shard, p_target.tab, p.row_id, p.k1, p.k2, false FROM history.pointer p WHERE p.kind = 'R';
    ELSE
        PERFORM history.fetch('pull', p_target.table_id, p_first), history.apply_pointers(p_shard, p_target.tab);
    END IF;
    IF EXISTS (SELECT FROM history.pointer p WHERE p.kind = 'U' OR (p.kind = 'T' AND p_target.state = 'loading')) THEN
        PERFORM history.load_again(p_shard, p_target);
    END IF;
END
$$;
COMMENT ON FUNCTION history.apply_to_target(text, history.target, numeric) IS 'A batch, for one table';

CREATE FUNCTION history.pull(p_shard history.shard) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    l_first CONSTANT numeric := p_shard.applied + 1;
    l_more  CONSTANT int := history.dice(4);
    l_last  numeric;
BEGIN
    SELECT min(p."PORTION_ID") INTO l_last FROM "ORAPULL"."PORTION_V" p WHERE p."PORTION_ID" >= l_first;
    IF l_last IS NULL THEN
        RETURN false;
    ELSIF l_last > l_first THEN
        PERFORM history.wrong('lost', format('portion %s is gone, shard %s has not applied it', l_first, p_shard.shard));
        UPDATE history.shard s SET applied = l_last - 1 WHERE s.shard = p_shard.shard;
        RETURN true;
    END IF;
    DELETE FROM history.batch;
    INSERT INTO history.batch
    SELECT p."SLOT", p."PORTION_ID" FROM "ORAPULL"."PORTION_V" p WHERE p."PORTION_ID" BETWEEN l_first AND l_first + l_more;
    SELECT max(b.portion) INTO l_last FROM history.batch b;
    -- Oracle would raise: the batch is tried again.
    IF EXISTS (SELECT FROM history.batch b JOIN "ORAPULL"."SLOT" s ON s."SLOT_ID" = b.slot WHERE s."STATUS" = 'LOST') THEN
        RETURN false;
    END IF;
    PERFORM history.apply_to_target(p_shard.shard, t, l_first) FROM (SELECT * FROM history.target o ORDER BY o.tab) t
    WHERE t.shard = p_shard.shard AND t.state <> 'waiting'
      AND t.table_id IN (SELECT x."TABLE_ID" FROM "ORAPULL"."PORTION_TABLE_V" x WHERE x."PORTION_ID" BETWEEN l_first AND l_last);
    UPDATE history.shard s SET applied = l_last WHERE s.shard = p_shard.shard;
    PERFORM history.tell(format('shard %s applies %s to %s', p_shard.shard, l_first, l_last));
    RETURN true;
END
$$;
COMMENT ON FUNCTION history.pull(history.shard) IS 'Applies the next portions; whether there were some';

CREATE FUNCTION history.ack(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CALL "API"."ACK"(p_shard.shard, p_shard.token, p_shard.applied - (CASE WHEN p_shard.applied > 0 THEN history.dice(5) / 4 ELSE 0 END));
    PERFORM history.tell(format('shard %s acks %s', p_shard.shard, p_shard.applied));
END
$$;
COMMENT ON FUNCTION history.ack(history.shard) IS 'Tells what is applied, or what was before';

-- A server that was replaced wakes up and acks what it never applied here.
CREATE FUNCTION history.ack_late(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_last CONSTANT numeric := (SELECT s."LAST_PORTION" FROM "ORAPULL"."SOURCE_V" s);
    a      record;
BEGIN
    SELECT * INTO a FROM history.attempt(format('CALL "API"."ACK"(%L, %s, %s)', p_shard.shard, p_shard.stale, l_last));
    PERFORM history.tell(format('shard %s acks %s with a stale token', p_shard.shard, l_last));
    IF NOT a.failed THEN
        PERFORM history.wrong('order', 'a stale token was taken');
    END IF;
END
$$;
COMMENT ON FUNCTION history.ack_late(history.shard) IS 'An ack with a token that is not valid any more';

CREATE FUNCTION history.leave(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CALL "API"."DROP_SHARD"(p_shard.shard, p_shard.token);
    PERFORM history.forget_target(p_shard.shard, s.tab) FROM history.source s;
    DELETE FROM history.prepared p WHERE p.shard = p_shard.shard;
    PERFORM history.forget_backup(p_shard.shard);
    UPDATE history.shard s SET token = NULL, stale = NULL, applied = NULL WHERE s.shard = p_shard.shard;
    PERFORM history.tell(format('shard %s leaves', p_shard.shard));
END
$$;
COMMENT ON FUNCTION history.leave(history.shard) IS 'A shard leaves; it may come back as a new one';

-- The next thing to do for a table; whether there was something.
CREATE FUNCTION history.care_for(p_shard history.shard, p_target history.target) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    CASE p_target.state
        WHEN 'waiting' THEN
            IF NOT EXISTS (SELECT FROM "ORAPULL"."TABLE_V" t WHERE t."TABLE_ID" = p_target.table_id AND t."STATE" = 'READY') THEN
                RETURN false;
            END IF;
            PERFORM history.begin_load(p_shard, p_target);
        WHEN 'loading' THEN
            PERFORM history.load_chunk(p_shard, p_target);
        WHEN 'catching up' THEN
            PERFORM history.catch_up(p_shard, p_target);
        WHEN 'following' THEN
            RETURN false;
    END CASE;
    RETURN true;
END
$$;
COMMENT ON FUNCTION history.care_for(history.shard, history.target) IS 'Loads a table, step by step';

CREATE FUNCTION history.live(p_shard history.shard) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_target history.target;
    l_tab    CONSTANT text := history.any_table();
BEGIN
    SELECT * INTO l_target FROM history.target t WHERE t.shard = p_shard.shard AND t.tab = l_tab;
    IF p_shard.token IS NULL THEN
        PERFORM history.attach(p_shard);
        RETURN;
    END IF;
    CASE history.dice(13)
        WHEN 0, 1, 2, 3 THEN PERFORM history.pull(p_shard);
        WHEN 4, 5 THEN PERFORM history.ack(p_shard);
        WHEN 6 THEN
            IF history.dice(3) = 0 THEN
                PERFORM history.attach(p_shard);
            ELSIF p_shard.stale IS NOT NULL THEN
                PERFORM history.ack_late(p_shard);
            END IF;
        WHEN 7 THEN
            CASE history.dice(12)
                WHEN 0, 1 THEN PERFORM history.leave(p_shard);
                WHEN 2 THEN PERFORM history.drop_table(p_shard, l_target) WHERE l_target.tab IS NOT NULL;
                ELSE NULL;
            END CASE;
        WHEN 8 THEN PERFORM history.use_backup(p_shard);
        ELSE
            IF l_target.tab IS NULL THEN
                PERFORM history.register(p_shard, l_tab);
            ELSE
                PERFORM history.care_for(p_shard, l_target);
            END IF;
    END CASE;
END
$$;
COMMENT ON FUNCTION history.live(history.shard) IS 'A shard does something';
