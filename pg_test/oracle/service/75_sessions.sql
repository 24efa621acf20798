-- Two calls at the same time, from two sessions: the first one has not ended when the second one comes.
SELECT pg_temp.second_session(:'second', n) FROM unnest('{first,other}'::text[]) n \g /dev/null
SELECT "TEST".dblink_exec(n, 'SET search_path = pg_catalog; SET statement_timeout = 60000') FROM unnest('{first,other}'::text[]) n \g /dev/null
CREATE TEMPORARY TABLE pid AS SELECT n AS name, p.pid FROM unnest('{first,other}'::text[]) n, LATERAL (SELECT pid FROM "TEST".dblink(n, 'SELECT pg_backend_pid()') t (pid int)) p;
-- The first call, whose transaction stays open until it commits; what it returns.
CREATE FUNCTION pg_temp.begin(p_call text, OUT result text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST".dblink_exec('first', 'BEGIN');
    PERFORM "TEST".dblink_send_query('first', p_call);
    result := pg_temp.ended('first');
END
$$;
-- What a session has returned: its row, else the word of its statement, or its error.
CREATE FUNCTION pg_temp.ended(p_session text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_row text;
BEGIN
    SELECT r INTO l_row FROM "TEST".dblink_get_result(p_session, false) AS t (r text);
    IF "TEST".dblink_error_message(p_session) <> 'OK' THEN
        l_row := substring("TEST".dblink_error_message(p_session) FROM 'ORA[^\n]*');
    END IF;
    PERFORM FROM "TEST".dblink_get_result(p_session, false) AS t (r text);
    RETURN l_row;
END
$$;
-- The second call; whether it waits for the first one, which must be seen for a while.
CREATE FUNCTION pg_temp.waits(p_call text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST".dblink_send_query('other', p_call);
    FOR i IN 1 .. 300 LOOP
        IF "TEST".dblink_is_busy('other') = 0 THEN
            RETURN false;
        ELSIF (SELECT pg_blocking_pids(o.pid) = ARRAY[f.pid] FROM pid o, pid f WHERE o.name = 'other' AND f.name = 'first') THEN
            RETURN true;
        END IF;
        PERFORM pg_sleep(0.02);
    END LOOP;
    RETURN NULL;
END
$$;
-- The first one commits; what the second one then returns.
CREATE FUNCTION pg_temp.then(p_end text DEFAULT 'COMMIT') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "TEST".dblink_exec('first', p_end);
    RETURN pg_temp.ended('other');
END
$$;
CREATE FUNCTION pg_temp.ack(p_shard text, p_portion numeric) RETURNS text LANGUAGE sql AS $$ SELECT format('CALL "API"."ACK"(%L, %s, %s)', p_shard, pg_temp.token(p_shard), p_portion) $$;
CREATE FUNCTION pg_temp.attach_call(p_shard text, p_holder text, p_force int) RETURNS text LANGUAGE sql AS $$
SELECT format('DO $d$ DECLARE t numeric; f numeric; a numeric; BEGIN CALL "API"."ATTACH"(%L, %L, NULL, %s, t, f, a); END $d$', p_shard, p_holder, p_force)
$$;
CREATE FUNCTION pg_temp.register_call(p_shard text, p_table text, p_identity text) RETURNS text LANGUAGE sql AS $$
SELECT format('CALL "API"."REGISTER_TABLE"(%L, %s, ''APP'', %L, %L, NULL)', p_shard, pg_temp.token(p_shard), p_table, p_identity)
$$;

-- ACK twice.
SELECT pg_temp.attach('pair', 'a', NULL, 1) \g /dev/null
SELECT pg_temp.attach('peer', 'p', NULL, 1) \g /dev/null
SELECT "ACKED_PORTION" AS last FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'pair' \gset
SELECT pg_temp.publish(3) \g /dev/null
SELECT pg_temp.begin(pg_temp.ack('pair', :last + 3)) \g /dev/null
SELECT pg_temp.expect('a second ack of the shard waits for the first', pg_temp.waits(pg_temp.ack('pair', :last + 2))) \g /dev/null
SELECT pg_temp.same('and is fine', pg_temp.then(), 'CALL') \g /dev/null
SELECT pg_temp.expect('the higher one counts', "ACKED_PORTION" = :last + 3) FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'pair' \g /dev/null
SELECT pg_temp.begin(pg_temp.ack('pair', :last + 3)) \g /dev/null
SELECT pg_temp.expect('shards do not wait for each other', NOT pg_temp.waits(pg_temp.ack('peer', :last + 1))) \g /dev/null
SELECT pg_temp.same('their acks are apart', pg_temp.then(), 'CALL') \g /dev/null
SELECT pg_temp.begin('CALL "SOURCE"."LOCK_STATE"()') \g /dev/null
SELECT pg_temp.expect('an ack does not wait for the publisher', NOT pg_temp.waits(pg_temp.ack('pair', :last + 3))) \g /dev/null
SELECT pg_temp.same('which holds only its own lock', pg_temp.then(), 'CALL') \g /dev/null

-- ATTACH beside an ACK, and twice.
SELECT pg_temp.begin(pg_temp.attach_call('pair', 'b', 1)) \g /dev/null
SELECT pg_temp.expect('an ack waits for an attach', pg_temp.waits(pg_temp.ack('pair', :last + 3))) \g /dev/null
SELECT pg_temp.expect('and then its token is stale: ' || e, e LIKE 'ORA-20802: %') FROM pg_temp.then() e \g /dev/null
SELECT pg_temp.begin(pg_temp.ack('pair', :last + 3)) \g /dev/null
SELECT pg_temp.expect('an attach waits for an ack', pg_temp.waits(pg_temp.attach_call('pair', 'b', 0))) \g /dev/null
SELECT pg_temp.same('and takes the lease after it', pg_temp.then(), 'DO') \g /dev/null
SELECT pg_temp.begin(pg_temp.attach_call('twin', 'a', 0)) \g /dev/null
SELECT pg_temp.expect('a second attach waits, also of a shard that is new', pg_temp.waits(pg_temp.attach_call('twin', 'b', 0))) \g /dev/null
SELECT pg_temp.expect('and finds the lease taken: ' || e, e LIKE 'ORA-20803: shard "twin" is held by "a" %') FROM pg_temp.then() e \g /dev/null
SELECT pg_temp.begin(pg_temp.attach_call('triplet', 'a', 0)) \g /dev/null
SELECT pg_temp.expect('a second attach waits', pg_temp.waits(pg_temp.attach_call('triplet', 'b', 0))) \g /dev/null
SELECT pg_temp.same('and has the lease when the first one did not come about', pg_temp.then('ROLLBACK'), 'DO') \g /dev/null
SELECT pg_temp.expect('it is its holder''s', "HOLDER" = 'b') FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'triplet' \g /dev/null

-- A registration while one is running.
CREATE TABLE "APP"."SAME" ("ID" numeric(10) PRIMARY KEY);
SELECT "TEST"."ADD_ROWID"('APP', 'SAME') \g /dev/null
SELECT pg_temp.begin(pg_temp.register_call('pair', 'SAME', 'KEY')) AS first_id \gset
SELECT pg_temp.expect('a registration of the same table waits', pg_temp.waits(pg_temp.register_call('peer', 'SAME', 'AUTO'))) \g /dev/null
SELECT pg_temp.same('and is the same one', pg_temp.then(), :'first_id') \g /dev/null
SELECT pg_temp.expect('of both', count(*) = 2) FROM "ORAPULL"."SUBSCRIPTION" WHERE "TABLE_ID" = :first_id \g /dev/null
SELECT pg_temp.expect('views that were made in vain are dropped, those of the table are not', count(*) = 1 AND max("TABLE_ID") > :first_id
    AND to_regclass('"ORAPULL"."PULL_' || :first_id || '"') IS NOT NULL) FROM "ORAPULL"."FORGOTTEN" WHERE "TABLE_ID" >= :first_id \g /dev/null
CALL "API"."DROP_TABLE"('pair', pg_temp.token('pair'), :first_id);
CALL "API"."DROP_TABLE"('peer', pg_temp.token('peer'), :first_id);
SELECT pg_temp.begin(pg_temp.register_call('pair', 'SAME', 'KEY')) AS first_id \gset
SELECT pg_temp.expect('one with another identity waits', pg_temp.waits(pg_temp.register_call('peer', 'SAME', 'ROWID'))) \g /dev/null
SELECT pg_temp.expect('and is refused: ' || e, e LIKE 'ORA-20810: %') FROM pg_temp.then() e \g /dev/null
SELECT pg_temp.begin(format('CALL "API"."DROP_TABLE"(''pair'', %s, %s)', pg_temp.token('pair'), :first_id)) \g /dev/null
SELECT pg_temp.expect('one that comes while the last shard drops the table waits', pg_temp.waits(pg_temp.register_call('peer', 'SAME', 'AUTO'))) \g /dev/null
SELECT pg_temp.expect('and is not under a number that is forgotten: ' || e, e LIKE 'ORA-20811: %') FROM pg_temp.then() e \g /dev/null
SELECT pg_temp.expect('again, it is', NOT pg_temp.waits(pg_temp.register_call('peer', 'SAME', 'ROWID')) AND pg_temp.ended('other')::numeric > :first_id) \g /dev/null
SELECT pg_temp.begin(format('CALL "API"."DROP_SHARD"(''pair'', %s)', pg_temp.token('pair'))) \g /dev/null
SELECT pg_temp.expect('one of a shard that is leaving waits', pg_temp.waits(pg_temp.register_call('pair', 'SAME', 'AUTO'))) \g /dev/null
SELECT pg_temp.expect('and is refused: ' || e, e LIKE 'ORA-20801: %') FROM pg_temp.then() e \g /dev/null
SELECT pg_temp.expect('nothing of it is left', NOT EXISTS (SELECT FROM "ORAPULL"."SUBSCRIPTION" WHERE "SHARD" = 'pair')) \g /dev/null
SELECT pg_temp.begin(pg_temp.register_call('peer', 'SAME', 'AUTO')) \g /dev/null
SELECT pg_temp.expect('the publisher waits for a registration', pg_temp.waits('CALL "SOURCE"."LOCK_STATE"()')) \g /dev/null
SELECT pg_temp.same('and goes on after it', pg_temp.then(), 'CALL') \g /dev/null
SELECT "TEST".dblink_disconnect(n) FROM unnest('{first,other}'::text[]) n \g /dev/null
CALL "API"."DROP_SHARD"('peer', pg_temp.token('peer'));
CALL "API"."DROP_SHARD"('twin', pg_temp.token('twin'));
CALL "API"."DROP_SHARD"('triplet', pg_temp.token('triplet'));
