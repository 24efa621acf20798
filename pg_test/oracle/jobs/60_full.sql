-- No room, in the middle of a step: ORA-01653 (a table), ORA-01654 (an index), ORA-30036 (undo). What has begun leaves nothing, it is said,
-- and goes on by itself when there is room.
CREATE TEMPORARY TABLE no_room (relation text, code int, message text, after int);
GRANT SELECT ON no_room TO PUBLIC;
CREATE SEQUENCE pg_temp.written;
CREATE FUNCTION pg_temp.check_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "SYS"."RAISE"(n.code, n.message) FROM no_room n WHERE TG_TABLE_NAME LIKE n.relation AND pg_catalog.nextval('pg_temp.written') > n.after;
    RETURN NEW;
END
$$;
CREATE PROCEDURE pg_temp.fill_up(p_relation text, p_code int, p_message text, p_after int DEFAULT 1) LANGUAGE plpgsql AS $$
DECLARE
    l_name name;
BEGIN
    PERFORM pg_catalog.setval('pg_temp.written', 1, false);
    INSERT INTO no_room VALUES (p_relation, p_code, p_message, p_after);
    FOR l_name IN SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relnamespace = '"ORAPULL"'::regnamespace AND c.relkind = 'r' AND c.relname LIKE p_relation LOOP
        EXECUTE pg_catalog.format('CREATE TRIGGER check_room BEFORE INSERT OR UPDATE ON "ORAPULL".%I FOR EACH ROW EXECUTE FUNCTION pg_temp.check_room()', l_name);
    END LOOP;
END
$$;
CREATE PROCEDURE pg_temp.make_room() LANGUAGE plpgsql AS $$
DECLARE
    l_table regclass;
BEGIN
    DELETE FROM no_room;
    FOR l_table IN SELECT t.tgrelid FROM pg_catalog.pg_trigger t WHERE t.tgname = 'check_room' LOOP
        EXECUTE pg_catalog.format('DROP TRIGGER check_room ON %s', l_table);
    END LOOP;
    -- The pause after a failed step is over.
    UPDATE "ORAPULL"."CHORE" SET "DONE_AT" = "DONE_AT" - pg_catalog.make_interval(secs => 11) WHERE "NAME" LIKE 'FAILED %';
END
$$;
-- Transaction n, whose rows are n1, n2 and n3, between SCNs 1000 * n and 1000 * n + 101.
CREATE FUNCTION pg_temp.work(p_n int, p_commit boolean DEFAULT true) RETURNS void LANGUAGE sql AS $$
SELECT "TEST"."TX"(p_n, p_n * 1000);
SELECT "TEST"."INSERT"(p_n, 'APP.T', jsonb_build_object('ID', p_n * 10 + i), p_n * 1000 + i) FROM generate_series(1, 3) i;
SELECT "TEST"."COMMIT"(p_n, p_n * 1000 + 50) WHERE p_commit;
SELECT "TEST"."ADVANCE"(p_n * 1000 + 101);
$$;
CREATE FUNCTION pg_temp.last_portion() RETURNS text LANGUAGE sql SET search_path = pg_catalog AS $$
SELECT string_agg(concat_ws(' ', "KIND", "K1"), ', ' ORDER BY "K1") FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" > 0 AND "P$PORTION" = (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE_STATE")
$$;
-- What there is: SCN published, last portion, transactions and rows carried, pointers in the slots.
CREATE FUNCTION pg_temp.there() RETURNS text LANGUAGE sql SET search_path = pg_catalog AS $$
SELECT concat_ws(' ', s."PUBLISHED_SCN", s."LAST_PORTION", (SELECT count(*) FROM "ORAPULL"."TX"), (SELECT count(*) FROM "ORAPULL"."CARRY"), (SELECT count(*) FROM "ORAPULL"."POINTER_V"),
    (SELECT count(*) FROM "ORAPULL"."PORTION"), (SELECT count(*) FROM "ORAPULL"."OUTGOING"))
FROM "ORAPULL"."SOURCE_STATE" s
$$;
CALL "API"."ATTACH"('full', 'check', NULL, 0, NULL, NULL, NULL);
CREATE FUNCTION pg_temp.token(p_shard text) RETURNS numeric LANGUAGE sql SET search_path = pg_catalog AS $$ SELECT "TOKEN" FROM "ORAPULL"."SHARD" WHERE "SHARD" = p_shard $$;

-- A stage.
SELECT pg_temp.work(1);
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL pg_temp.fill_up('STAGE\__', 1653, 'unable to extend table ORAPULL.STAGE_1 by 8 in tablespace SMALL');
SELECT pg_temp.there() AS before \gset
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.same('a full stage: nothing is changed', pg_temp.there(), :'before');
SELECT pg_temp.expect('the scan waits and says why: ' || "DETAIL", "DETAIL" LIKE 'ORA-01653: unable to extend table ORAPULL.STAGE_1 %' AND "STATUS" = 'NEW' AND "STAGE_SLOT" IS NULL)
FROM "ORAPULL"."SCAN_STATUS_V" ORDER BY "SCAN_ID" DESC LIMIT 1;
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.expect('when it goes on, the operator is told', count(*) = 1) FROM "ORAPULL"."EVENT" WHERE "WHAT" = 'SCAN_FAILS' AND "SEVERITY" = 'ERROR' AND "DETAIL" LIKE '%ORA-01653%';
CALL pg_temp.make_room();
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.same('with room it is scanned and published, whole', pg_temp.last_portion(), 'R 11, R 12, R 13');

-- A slot, with a transaction open before and one that is open after it.
SELECT pg_temp.work(2, false);
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('three rows are carried', count(*) = 3) FROM "ORAPULL"."CARRY";
SELECT pg_temp.work(3, false);
SELECT "TEST"."COMMIT"(2, 3200), "TEST"."ADVANCE"(3300);
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "ORAPULL"."RUN_SCAN"();
SELECT pg_temp.there() AS before \gset
CALL pg_temp.fill_up('TRANSPORT\__', 1653, 'unable to extend table ORAPULL.TRANSPORT_1 by 8 in tablespace SMALL');
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.same('a full slot: nothing is changed', pg_temp.there(), :'before');
SELECT pg_temp.expect('the state says why: ' || s."STATE_DETAIL", s."STATE" = 'OK' AND s."STATE_DETAIL" LIKE 'step PUBLISH % fails and is tried again: ORA-01653: unable to extend table ORAPULL.TRANSPORT_1 %') FROM pg_temp.state() s;
CALL pg_temp.make_room();
-- Undo, when the rows of a transaction that is still open are to be carried over.
CALL pg_temp.fill_up('CARRY', 30036, 'unable to extend segment by 8 in undo tablespace UNDO', 0);
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.same('full undo: nothing is changed', pg_temp.there(), :'before');
SELECT pg_temp.expect('the state says why: ' || s."STATE_DETAIL", s."STATE_DETAIL" LIKE 'step PUBLISH % ORA-30036: %') FROM pg_temp.state() s;
CALL pg_temp.make_room();
-- No room even for what is to be told: the run fails, as the scheduler's log says.
CALL pg_temp.fill_up('PORTION', 1654, 'unable to extend index ORAPULL.PORTION_PK by 8 in tablespace SMALL', 0);
CALL pg_temp.fill_up('EVENT', 1653, 'unable to extend table ORAPULL.EVENT by 8 in tablespace SMALL', 0);
\set ON_ERROR_STOP off
CALL "ORAPULL"."RUN_COORDINATOR"();
\set ON_ERROR_STOP on
SELECT pg_temp.same('no room for the event', :'LAST_ERROR_MESSAGE', 'ORA-01653: unable to extend table ORAPULL.EVENT by 8 in tablespace SMALL');
SELECT pg_temp.same('nothing is changed', pg_temp.there(), :'before');
CALL pg_temp.make_room();
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.same('with room it is published, whole', pg_temp.last_portion(), 'R 21, R 22, R 23');
SELECT pg_temp.expect('the open one is carried, and nothing is said any more', s."STATE_DETAIL" IS NULL AND (SELECT count(*) = 3 FROM "ORAPULL"."CARRY")) FROM pg_temp.state() s;

-- A shard: its call fails, and is as if it had not been made.
SELECT "LAST_PORTION" AS last FROM "ORAPULL"."SOURCE_STATE" \gset
SELECT "ACKED_PORTION" AS acked FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'full' \gset
CALL pg_temp.fill_up('SHARD', 30036, 'unable to extend segment by 8 in undo tablespace UNDO', 0);
SELECT pg_temp.refused('an ack', 'ORA-30036: unable to extend segment %', format('CALL "API"."ACK"(''full'', %s, %s)', pg_temp.token('full'), :last));
SELECT pg_temp.refused('a second shard', 'ORA-30036: unable to extend segment %', $$CALL "API"."ATTACH"('more', 'check', NULL, 0, NULL, NULL, NULL)$$);
SELECT pg_temp.expect('nothing is acked, nobody has come', "ACKED_PORTION" = :acked AND NOT EXISTS (SELECT FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'more')) FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'full';
CALL pg_temp.make_room();
CALL "API"."ACK"('full', pg_temp.token('full'), :last);
SELECT pg_temp.expect('with room it is acked', "ACKED_PORTION" = :last) FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'full';
CALL "API"."DROP_SHARD"('full', pg_temp.token('full'));
