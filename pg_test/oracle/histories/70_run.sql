-- One history: a new database, things in a random order, then everything comes to rest and is looked at.

CREATE FUNCTION history.slots() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 9;
COMMENT ON FUNCTION history.slots() IS 'So many slots are there when a history begins; one that needs more makes them, and all plans that read pointers void';

CREATE FUNCTION history.forget() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_table text;
BEGIN
    FOREACH l_table IN ARRAY '{thread,tx,image,before,locked,exclusive,place,change,commit,deleted,late,job,published,shard,target,copied,held,prepared,
        backup,backup_target,backup_copied,backup_held,event,looked_at}'::text[] LOOP
        EXECUTE format('DELETE FROM history.%I', l_table);
    END LOOP;
    FOREACH l_table IN ARRAY '{PORTION_TABLE,PORTION,SCAN_LOG,SCAN,CARRY,TX,SUSPICION,REQUEST_POINTER,REQUEST,LOAD_RANGE,LOAD_PLAN,SUBSCRIPTION,
        RELEASE_MARK,FORGOTTEN,SHARD,SOURCE_OBJECT,SOURCE_COLUMN,SOURCE_TABLE,SOURCE_STATE,SETTING,EVENT,CHORE,ENDED,OUTGOING}'::text[] LOOP
        EXECUTE format('DELETE FROM "ORAPULL".%I', l_table);
    END LOOP;
    FOR l_table IN SELECT 'STAGE_' || "SLOT_NO" FROM "ORAPULL"."STAGE_SLOT" UNION ALL SELECT 'TRANSPORT_' || "SLOT_ID" FROM "ORAPULL"."SLOT" LOOP
        -- What was deleted stays in the way of those that read all of it.
        EXECUTE format(CASE WHEN pg_relation_size(format('"ORAPULL".%I', l_table)) > 500000 THEN 'TRUNCATE' ELSE 'DELETE FROM' END
                       || ' "ORAPULL".%I', l_table);
    END LOOP;
    UPDATE "ORAPULL"."STAGE_SLOT" SET "STATUS" = 'FREE';
    UPDATE "ORAPULL"."SLOT" SET "STATUS" = 'FREE', "POINTERS" = 0;
    DELETE FROM "ORAPULL"."SLOT" WHERE "SLOT_ID" > history.slots();
    PERFORM history.forget_root();
    FOR l_table IN SELECT tab FROM history.source LOOP
        EXECUTE format('DELETE FROM "APP".%I', l_table);
    END LOOP;
    UPDATE history.told SET taken = false WHERE taken;
    UPDATE history.view SET dropped = true WHERE NOT dropped;
    PERFORM "TEST"."RESET"(), "TEST"."LIVE"(true), setval('"SYS"."ROW_PLACE"', 1), setval('history.sid', 1000000), setval('history.act', 1),
            setval('"ORAPULL"."PASS_SEQ"', 1), setval('"ORAPULL"."REQUEST_SEQ"', 1), setval('"ORAPULL"."PLAN_SEQ"', 1), history.reset_dictionary();
END
$$;
COMMENT ON FUNCTION history.forget() IS 'Nothing of the history before is left; DELETE, because TRUNCATE makes plans void';

CREATE FUNCTION history.set_up() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_seam CONSTANT int := (ARRAY[0, 5, 30])[1 + history.dice(3)];
BEGIN
    INSERT INTO "ORAPULL"."SETTING" ("SEAM_SCN", "MINING_RULE", "STAGE_SLOTS", "SCAN_MAX_SCN", "PORTION_POINTERS", "PARALLEL_SCANS", "LEASE_SECONDS")
    VALUES (l_seam, (ARRAY['S', 'S', 'W'])[1 + history.dice(3)], 4, 15 + history.dice(60), 3 + history.dice(15), 3, 3600);
    PERFORM history.begin_root();
    UPDATE "ORAPULL"."SETTING" SET "ARCHIVED_ONLY" = 'Y' WHERE history.dice(10) = 0;
    INSERT INTO "ORAPULL"."CHORE" ("NAME", "DONE_AT") VALUES ('WATCH', timestamp '2999-12-31');
    UPDATE history.source s SET used = s.tab IN (SELECT o.tab FROM history.source o ORDER BY hashtext(o.tab || current_setting('history.seed')) LIMIT 4);
    CALL "SOURCE"."START_AT"(1);
    INSERT INTO history.thread VALUES (1, 10);
    IF history.dice(3) = 0 THEN
        PERFORM "TEST"."ADD_THREAD"(2, 10);
        INSERT INTO history.thread VALUES (2, 10);
    END IF;
    INSERT INTO history.shard SELECT chr(64 + n) FROM generate_series(1, 1 + history.dice(3)) n;
    PERFORM history.tell(format('seam %s, archived only %s, %s threads, %s shards; %s', l_seam, s."ARCHIVED_ONLY", (SELECT count(*) FROM history.thread),
        (SELECT count(*) FROM history.shard), (SELECT string_agg(o.tab, ', ' ORDER BY o.tab) FROM history.source o WHERE o.used)))
    FROM "ORAPULL"."SETTING" s;
END
$$;
COMMENT ON FUNCTION history.set_up() IS 'Settings, instances and shards of this history';

-- What takes long and leaves what every history needs.
CREATE PROCEDURE history.prepare() LANGUAGE plpgsql AS $$
DECLARE
    c_numbers CONSTANT int := 3;
    l_number  numeric := 0;
    l_tab     text;
BEGIN
    -- What is planned over the dictionary is planned once. The tables themselves have no statistics, or plans would depend on
    -- when they are made.
    ANALYZE pg_class, pg_namespace, pg_attribute, pg_inherits, pg_type, pg_constraint, pg_index;
    PERFORM set_config('history.seed', '0', false), set_config('history.views', 'made', false), setseed(0);
    PERFORM history.forget();
    COMMIT;
    FOR l_slot IN 1 .. history.slots() LOOP
        CALL "SLOTS"."CREATE_SLOT"(l_slot);
        COMMIT;
    END LOOP;
    PERFORM history.set_up();
    COMMIT;
    FOR l_slot IN 1 .. (SELECT s."STAGE_SLOTS" FROM "ORAPULL"."SETTING" s) LOOP
        CALL "STAGES"."CREATE_SLOT"(l_slot);
        COMMIT;
    END LOOP;
    FOR l_tab IN SELECT s.tab FROM history.source s ORDER BY s.tab LOOP
        FOR i IN 1 .. c_numbers LOOP
            l_number := l_number + 1;
            CALL history.make_views(l_tab, l_number);
        END LOOP;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE history.prepare() IS 'Slots, and tables with their views: to be called once, before the first history';

-- Half of the tables are wanted from the beginning, or histories would be over before they are followed.
CREATE PROCEDURE history.begin_shards() LANGUAGE plpgsql AS $$
DECLARE
    l_shard text;
    l_tab   text;
BEGIN
    FOR l_shard IN SELECT s.shard FROM history.shard s ORDER BY s.shard LOOP
        PERFORM history.attach(s) FROM history.shard s WHERE s.shard = l_shard;
        COMMIT;
        FOR l_tab IN SELECT s.tab FROM history.source s WHERE s.used ORDER BY s.tab LOOP
            IF history.dice(2) = 0 THEN
                PERFORM history.register(s, l_tab) FROM history.shard s WHERE s.shard = l_shard;
            END IF;
            COMMIT;
        END LOOP;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE history.begin_shards() IS 'Every shard attaches and registers some tables';

CREATE PROCEDURE history.step(INOUT p_next_tx int) LANGUAGE plpgsql AS $$
DECLARE
    l_shard history.shard;
    l_idle  boolean;
BEGIN
    CASE history.dice(40)
        WHEN 0, 1, 2, 3, 4, 5, 6, 7 THEN CALL history.coordinate(l_idle);
        WHEN 8, 9, 10, 11, 12, 13 THEN PERFORM history.scan();
        WHEN 14, 15, 16, 17, 18, 19, 20, 21 THEN
            SELECT * INTO l_shard FROM history.shard s ORDER BY s.shard OFFSET history.dice((SELECT count(*)::int FROM history.shard)) LIMIT 1;
            PERFORM history.live(l_shard);
        WHEN 22, 23, 24 THEN
            PERFORM history.pass_time(history.dice(4) = 0);
            PERFORM history.switch_log(history.any_thread()) WHERE history.archived_only();
        WHEN 25 THEN
            p_next_tx := history.happen(p_next_tx);
            PERFORM history.settle_clock();
            COMMIT;
            CALL history.operate();
        WHEN 26 THEN
            CASE history.dice(12)
                WHEN 0, 1, 2 THEN CALL history.surround_ddl(p_next_tx);
                WHEN 3 THEN CALL history.look_at_load(p_next_tx);
                ELSE NULL;
            END CASE;
        ELSE
            p_next_tx := history.work(p_next_tx);
            PERFORM history.settle_clock();
    END CASE;
    COMMIT;
END
$$;
COMMENT ON PROCEDURE history.step(int) IS 'Anything that can happen next; gives the number of the next transaction';

-- Transactions end, and time passes behind the last redo.
CREATE FUNCTION history.end_work() RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    l_tx  history.tx;
    l_scn numeric;
BEGIN
    FOR l_tx IN SELECT * FROM history.tx ORDER BY tx LOOP
        l_scn := greatest(history.time_of(l_tx.thread), l_tx.busy_until);
        UPDATE history.thread t SET scn = greatest(t.scn, l_scn) WHERE t.thread = l_tx.thread;
        PERFORM history.commit_tx(l_tx, l_scn);
    END LOOP;
    -- An incarnation that lies behind what is planned is noticed when it has come so far.
    l_scn := "TEST"."ADVANCE"(10 + greatest((SELECT max("SCN") FROM "SYS"."REDO"), (SELECT max(t.scn) FROM history.thread t),
                                            (SELECT s."PLANNED_SCN" FROM "ORAPULL"."SOURCE_STATE" s)));
    RETURN l_scn;
END
$$;
COMMENT ON FUNCTION history.end_work() IS 'The application comes to an end; returns the SCN of then';

CREATE FUNCTION history.at_rest(p_scn numeric) RETURNS boolean LANGUAGE sql AS $$
SELECT s."PUBLISHED_SCN" >= p_scn - 9 AND s."STATE" = 'OK' AND NOT history.is_other_incarnation()
   AND NOT EXISTS (SELECT FROM history.target t WHERE t.state <> 'following') AND NOT EXISTS (SELECT FROM "ORAPULL"."SUSPICION")
   AND NOT EXISTS (SELECT FROM history.shard h WHERE h.token IS NOT NULL AND h.applied < s."LAST_PORTION")
FROM "ORAPULL"."SOURCE_STATE" s
$$;
COMMENT ON FUNCTION history.at_rest(numeric) IS 'All is published, loaded and applied';

CREATE FUNCTION history.wants_redo() RETURNS boolean LANGUAGE sql AS $$
SELECT EXISTS (SELECT FROM "ORAPULL"."SUSPICION") AND NOT EXISTS (SELECT FROM "ORAPULL"."SCAN" x WHERE x."STATUS" <> 'PUBLISHED')
$$;
COMMENT ON FUNCTION history.wants_redo() IS 'Something is suspected, and what is mined does not go far enough beyond it to tell';

CREATE PROCEDURE history.come_to_rest(p_scn numeric) LANGUAGE plpgsql AS $$
DECLARE
    c_asleep  CONSTANT int := 6;
    l_sleeper CONSTANT text := chr(65 + history.dice(3));
    l_shard   history.shard;
    l_target  history.target;
    l_idle    boolean;
BEGIN
    -- Small logs make many small ranges, each of which takes many steps in CDB$ROOT.
    FOR i IN 1 .. 900 LOOP
        EXIT WHEN history.at_rest(p_scn);
        PERFORM history.pass_time(i IN (1, 3));
        -- What is acked is sure when mining has passed it; what is suspected is told when it has.
        IF i < c_asleep OR history.wants_redo() THEN
            PERFORM "TEST"."ADVANCE"();
            PERFORM history.switch_logs() WHERE history.archived_only() OR EXISTS (SELECT FROM history.late);
        END IF;
        COMMIT;
        CALL history.operate();
        LOOP
            CALL history.coordinate(l_idle);
            EXIT WHEN l_idle;
        END LOOP;
        COMMIT;
        -- More steps with more jobs.
        FOR j IN 1 .. CASE WHEN history.in_root() THEN 5 ELSE 1 END LOOP
            PERFORM history.scan();
            COMMIT;
        END LOOP;
        FOR l_shard IN
            SELECT * FROM history.shard s WHERE s.token IS NOT NULL AND (i >= c_asleep OR s.shard <> l_sleeper) ORDER BY s.shard
        LOOP
            PERFORM history.pull(l_shard);
            COMMIT;
            IF history.dice(2) = 0 THEN
                PERFORM history.ack(s) FROM history.shard s WHERE s.shard = l_shard.shard;
            END IF;
            COMMIT;
            FOR l_target IN SELECT * FROM history.target t WHERE t.shard = l_shard.shard ORDER BY t.tab LOOP
                PERFORM history.care_for(l_shard, l_target);
                COMMIT;
            END LOOP;
        END LOOP;
    END LOOP;
    IF NOT history.at_rest(p_scn) THEN
        PERFORM history.wrong('stuck', format('published up to %s of %s, state %s: %s; %s; applied %s of %s; suspicions %s', s."PUBLISHED_SCN", p_scn, s."STATE", s."STATE_DETAIL",
            (SELECT string_agg(concat_ws(' ', t.shard, t.tab, t.state, 'request ' || t.request), ', ') FROM history.target t WHERE t.state <> 'following'),
            (SELECT min(h.applied) FROM history.shard h WHERE h.token IS NOT NULL), s."LAST_PORTION",
            (SELECT count(*) FROM "ORAPULL"."SUSPICION")))
        FROM "ORAPULL"."SOURCE_STATE" s;
    END IF;
    COMMIT;
END
$$;
COMMENT ON PROCEDURE history.come_to_rest(numeric) IS 'The jobs and shards go on until nothing is left to do';

-- Each step has dice of its own, so that it does the same when others are left out.
CREATE FUNCTION history.throw(p_seed bigint, p_step int) RETURNS void LANGUAGE sql AS $$
SELECT setseed(hashint8extended(p_seed, p_step) / 9223372036854775808.0)
$$;
COMMENT ON FUNCTION history.throw(bigint, int) IS 'The seed and the step decide what dice show from now on';

CREATE PROCEDURE history.run(p_seed bigint, p_steps int[]) LANGUAGE plpgsql AS $$
DECLARE
    l_next_tx int := 1;
    l_step    int;
    l_scn     numeric;
BEGIN
    PERFORM set_config('history.seed', p_seed::text, false), set_config('history.views', 'kept', false), history.throw(p_seed, 0);
    PERFORM history.forget();
    COMMIT;
    PERFORM history.set_up();
    COMMIT;
    IF history.dice(2) = 0 THEN
        CALL history.begin_at_work(l_next_tx);
    ELSE
        CALL history.begin_shards();
    END IF;
    FOREACH l_step IN ARRAY p_steps LOOP
        PERFORM history.throw(p_seed, l_step);
        CALL history.step(l_next_tx);
    END LOOP;
    PERFORM history.throw(p_seed, -1);
    l_scn := history.end_work();
    COMMIT;
    CALL history.come_to_rest(l_scn);
    PERFORM history.restore(s) FROM (SELECT * FROM history.shard ORDER BY shard) s WHERE s.shard IN (SELECT b.shard FROM history.backup b);
    COMMIT;
    CALL history.come_to_rest(l_scn);
    PERFORM history.check_changes(), history.check_shards();
    COMMIT;
END
$$;
COMMENT ON PROCEDURE history.run(bigint, int[]) IS 'The history of this seed, of which these steps are made: what is wrong is in history.verdict, what happened in history.event';
