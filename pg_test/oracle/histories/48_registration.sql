-- A shard registers tables, in two halves as the product does, and drops them.

-- Reads through PULL_n and LOAD_n, planned once: the views are many dictionary views deep.
CREATE FUNCTION history.make_readers(p_table_id numeric, p_tab text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_key    CONSTANT text[] := (SELECT s.key FROM history.source s WHERE s.tab = p_tab);
    l_insert CONSTANT text := format('INSERT INTO history.fetched SELECT history.identity(%L, v."P$ROWID", v.d ->> %L, v.d ->> %L), v.d',
                                     p_tab, l_key[1], l_key[2]);
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION history.pull_%1$s(p_before numeric) RETURNS void LANGUAGE plpgsql AS $f$ BEGIN
        %2$s FROM (SELECT v."P$ROWID", to_jsonb(v) - ''{P$SLOT,P$PORTION,P$PTR,P$PREV,P$ROWID}''::text[] AS d
                   FROM "ORAPULL"."PULL_%1$s" v JOIN history.batch b ON b.slot = v."P$SLOT" AND b.portion = v."P$PORTION"
                   WHERE v."P$PREV" < p_before) v; END $f$', p_table_id, l_insert);
    EXECUTE format('CREATE OR REPLACE FUNCTION history.load_%1$s(p_plan numeric, p_chunk numeric) RETURNS void LANGUAGE plpgsql AS $f$ BEGIN
        %2$s FROM (SELECT v."P$ROWID", to_jsonb(v) - ''{P$PLAN,P$CHUNK,P$ROWID}''::text[] AS d
                   FROM "ORAPULL"."LOAD_%1$s" v WHERE v."P$PLAN" = p_plan AND v."P$CHUNK" = p_chunk) v; END $f$', p_table_id, l_insert);
END
$$;
COMMENT ON FUNCTION history.make_readers(numeric, text) IS 'Functions pull_n and load_n, which fill history.fetched';

-- Each of the numbers means views, which are made once. None comes twice in a history.
CREATE FUNCTION history.next_number(p_tab text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    l_number CONSTANT numeric := (SELECT min(t.table_id) FROM history.told t WHERE t.tab = p_tab AND NOT t.taken);
BEGIN
    PERFORM setval('"ORAPULL"."TABLE_SEQ"', l_number::bigint, false) WHERE l_number IS NOT NULL;
    RETURN l_number;
END
$$;
COMMENT ON FUNCTION history.next_number(text) IS 'The number that a registration of the table would get; NULL when there is none left';

CREATE FUNCTION history.take_number(p_number numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE history.told t SET taken = true WHERE t.table_id = p_number;
END
$$;
COMMENT ON FUNCTION history.take_number(numeric) IS 'A registration has got this number';

-- Once that they are made, once that it is known how.
CREATE PROCEDURE history.make_views(p_tab text, p_number numeric) LANGUAGE plpgsql AS $$
DECLARE
    l_how text;
BEGIN
    INSERT INTO history.told VALUES (p_number, p_tab);
    FOREACH l_how IN ARRAY '{made,noted}'::text[] LOOP
        PERFORM set_config('history.views', l_how, false), setval('"ORAPULL"."TABLE_SEQ"', p_number::bigint, false);
        COMMIT;
        PERFORM "REGISTRY"."PREPARE"('APP', p_tab, 'AUTO');
        COMMIT;
    END LOOP;
    PERFORM history.make_readers(p_number, p_tab);
    COMMIT;
END
$$;
COMMENT ON PROCEDURE history.make_views(text, numeric) IS 'What registrations of a table with this number need, once for all histories';

CREATE FUNCTION history.is_registered(p_tab text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN EXISTS (SELECT FROM "ORAPULL"."SOURCE_TABLE" t WHERE t."OWNER" = 'APP' AND t."TABLE_NAME" = p_tab);
END
$$;
COMMENT ON FUNCTION history.is_registered(text) IS 'Some shard has registered the table';

CREATE FUNCTION history.want(p_shard text, p_tab text, p_table_id numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO history.target (shard, tab, table_id, state) VALUES (p_shard, p_tab, p_table_id, 'waiting');
    PERFORM history.tell(format('shard %s registers %s, number %s', p_shard, p_tab, p_table_id));
END
$$;
COMMENT ON FUNCTION history.want(text, text, numeric) IS 'The shard has the table from now on';

-- The first half makes views, and DDL commits: whatever happens may happen before the second.
CREATE FUNCTION history.prepare_table(p_shard history.shard, p_tab text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_number numeric;
BEGIN
    CALL "SHARDS"."LOOK_AT_TOKEN"(p_shard.shard, p_shard.token);
    l_number := "REGISTRY"."PREPARE"('APP', p_tab, 'AUTO');
    INSERT INTO history.prepared VALUES (p_shard.shard, p_tab, l_number);
    PERFORM history.take_number(l_number),
            history.tell(format('shard %s prepares %s%s', p_shard.shard, p_tab, ', number ' || l_number));
END
$$;
COMMENT ON FUNCTION history.prepare_table(history.shard, text) IS 'The first half of API.REGISTER_TABLE';

CREATE FUNCTION history.register_prepared(p_shard history.shard, p_prepared history.prepared) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
    CALL "SOURCE"."LOCK_STATE"();
    CALL "SHARDS"."CHECK_TOKEN"(p_shard.shard, p_shard.token);
    RETURN "REGISTRY"."REGISTER"(p_shard.shard, p_prepared.table_id, 'APP', p_prepared.tab, 'AUTO');
EXCEPTION WHEN SQLSTATE 'O514B' THEN
    PERFORM history.tell(format('shard %s: %s', p_shard.shard, sqlerrm));
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION history.register_prepared(history.shard, history.prepared) IS 'The second half of API.REGISTER_TABLE; NULL: ORA-20811';

CREATE FUNCTION history.register(p_shard history.shard, p_tab text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_table_id numeric;
    l_prepared history.prepared;
BEGIN
    DELETE FROM history.prepared p WHERE p.shard = p_shard.shard AND p.tab = p_tab RETURNING * INTO l_prepared;
    IF l_prepared.tab IS NOT NULL THEN
        l_table_id := history.register_prepared(p_shard, l_prepared);
    ELSIF history.next_number(p_tab) IS NULL AND NOT history.is_registered(p_tab) THEN
        RETURN;
    ELSIF history.dice(3) = 0 THEN
        PERFORM history.prepare_table(p_shard, p_tab);
    ELSE
        CALL "API"."REGISTER_TABLE"(p_shard.shard, p_shard.token, 'APP', p_tab, 'AUTO', l_table_id);
        PERFORM history.take_number(l_table_id);
    END IF;
    PERFORM history.want(p_shard.shard, p_tab, l_table_id) WHERE l_table_id IS NOT NULL;
END
$$;
COMMENT ON FUNCTION history.register(history.shard, text) IS 'The shard wants a table: at once, or in two halves between which something else may come';

CREATE FUNCTION history.forget_target(p_shard text, p_tab text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM history.target t WHERE t.shard = p_shard AND t.tab = p_tab;
    DELETE FROM history.copied c WHERE c.shard = p_shard AND c.tab = p_tab;
    DELETE FROM history.held h WHERE h.shard = p_shard AND h.tab = p_tab;
    UPDATE history.change c SET due = false WHERE NOT history.is_registered(c.tab);
END
$$;
COMMENT ON FUNCTION history.forget_target(text, text) IS 'The shard does not have the table any more';

CREATE FUNCTION history.drop_table(p_shard history.shard, p_target history.target) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CALL "API"."DROP_TABLE"(p_shard.shard, p_shard.token, p_target.table_id);
    PERFORM history.tell(format('shard %s drops %s, number %s', p_shard.shard, p_target.tab, p_target.table_id)),
            history.forget_target(p_shard.shard, p_target.tab);
END
$$;
COMMENT ON FUNCTION history.drop_table(history.shard, history.target) IS 'The shard does not want the table any more';
