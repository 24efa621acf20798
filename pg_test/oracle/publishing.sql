-- Proves what packages SOURCE, TRANSACTIONS, POINTERS, PUBLISHER, RELEASES, REBUILDS, SLOTS and COORDINATOR promise. Run it in a database with the stand-in of Oracle and
-- the translated packages, as the role that loaded them; the first broken promise ends it with an error:
--   psql -X -q -v ON_ERROR_STOP=1 -d DATABASE -f publishing.sql
-- A step of the packages is a transaction of its own, so each statement is one. Scans are written by hand where only the
-- publisher is looked at (:publish publishes the next), and mined from scripted redo where a scan is part of what is proven.
\o /dev/null
\ir assertions.sql
-- With -v root=1 in topology ROOT, with -v inside=1 in topology PDB.
\if :{?root}
    \ir root.sql
\elif :{?inside}
    \ir inside.sql
\else
    \ir no_root.sql
\endif

-- Slots exist from here on; each test leaves them and begins with empty ones.
SELECT count(*) = 0 AS is_first FROM "ORAPULL"."SLOT" \gset
\if :is_first
    INSERT INTO "ORAPULL"."SETTING" DEFAULT VALUES ON CONFLICT DO NOTHING;
    CALL "SLOTS"."CREATE_SLOT"(1);
    CALL "SLOTS"."CREATE_SLOT"(2);
    CALL "SLOTS"."CREATE_SLOT"(3);
    CALL "STAGES"."CREATE_SLOT"(1);
    CALL "STAGES"."CREATE_SLOT"(2);
    CALL "STAGES"."CREATE_SLOT"(3);
\endif

-- A new database, mined from an SCN on, with nothing registered and no shard. Nobody watches the dictionary: the tables need not exist.
CREATE FUNCTION pg_temp.start(p_scn numeric DEFAULT 100, p_portion_pointers numeric DEFAULT 100000) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_name text;
BEGIN
    FOREACH l_name IN ARRAY '{PORTION_TABLE,PORTION,SCAN_LOG,SCAN,CARRY,TX,SUSPICION,PUBLISHED_DDL,REQUEST,SHARD,SOURCE_OBJECT,SOURCE_TABLE,SOURCE_STATE,
        SETTING,EVENT,CHORE,ENDED,OUTGOING}'::text[] LOOP
        EXECUTE format('DELETE FROM "ORAPULL".%I', l_name);
    END LOOP;
    FOR l_name IN SELECT 'STAGE_' || "SLOT_NO" FROM "ORAPULL"."STAGE_SLOT" UNION ALL SELECT 'TRANSPORT_' || "SLOT_ID" FROM "ORAPULL"."SLOT" LOOP
        EXECUTE format('DELETE FROM "ORAPULL".%I', l_name);
    END LOOP;
    UPDATE "ORAPULL"."STAGE_SLOT" SET "STATUS" = 'FREE';
    DELETE FROM "ORAPULL"."SLOT" WHERE "SLOT_ID" > 3;
    UPDATE "ORAPULL"."SLOT" SET "STATUS" = 'FREE', "POINTERS" = 0;
    PERFORM "TEST"."RESET"();
    INSERT INTO "ORAPULL"."SETTING" ("PORTION_POINTERS", "STAGE_SLOTS", "SEAM_SCN") VALUES (p_portion_pointers, 3, 0);
    PERFORM pg_temp.start_root();
    INSERT INTO "ORAPULL"."CHORE" ("NAME", "DONE_AT") VALUES ('WATCH', LOCALTIMESTAMP + interval '1 day');
    CALL "SOURCE"."START_AT"(p_scn);
END
$$;

-- A registered table; with the name of its key columns when it has any.
CREATE FUNCTION pg_temp.register(p_id int, p_table text, p_key text[] DEFAULT '{ID}', p_has_lob text DEFAULT 'N') RETURNS void LANGUAGE sql AS $$
INSERT INTO "ORAPULL"."SOURCE_TABLE" ("TABLE_ID", "OWNER", "TABLE_NAME", "IDENTITY", "KEY_COUNT", "HAS_LOB", "K1_PATH", "K2_PATH", "STATE", "REGISTERED_SCN", "REGISTERED_AT")
SELECT p_id, 'APP', p_table, CASE WHEN p_key = '{}' THEN 'ROWID' ELSE 'KEY' END, cardinality(p_key), p_has_lob,
       'APP.' || p_table || '.' || p_key[1], 'APP.' || p_table || '.' || p_key[2], 'READY', 0, LOCALTIMESTAMP
$$;

-- A row of a scan as text: transaction, what, then in any order: a number is the table, k the key (k1, after / k2), o the key before,
-- r the ROWID, op the operation, x the note, @ the SCN. What is start, commit, rollback or the kind of a pointer.
--   '7 R 1 k5 rA @120'   transaction 7 changed the row with key 5 at ROWID rA of table 1 at SCN 120
CREATE FUNCTION pg_temp.stage_row(p_slot numeric, p_scan numeric, p_seq numeric, p_row text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l_word text[] := string_to_array(p_row, ' ');
    l_op   numeric := CASE l_word[2] WHEN 'start' THEN 6 WHEN 'commit' THEN 7 WHEN 'rollback' THEN 36 WHEN 'T' THEN 5 WHEN 'D' THEN 5 ELSE 3 END;
BEGIN
    EXECUTE format('INSERT INTO "ORAPULL"."STAGE_%s" ("SCAN_ID", "CON_UID", "XIDUSN", "XIDSLT", "XIDSQN", "SCN", "SEQ", "OP", "TABLE_ID", "KIND",
        "ROW_ID", "K1", "K2", "O1", "NOTE") VALUES ($1, 0, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)', p_slot)
    USING p_scan, l_word[1]::numeric % 1000, l_word[1]::numeric,
        substr((SELECT w FROM unnest(l_word) w WHERE w LIKE '@%'), 2)::numeric, p_seq,
        coalesce(substr((SELECT w FROM unnest(l_word) w WHERE w ~ '^op\d'), 3)::numeric, l_op),
        (SELECT w::numeric FROM unnest(l_word[3:]) w WHERE w ~ '^\d+$'),
        CASE WHEN length(l_word[2]) = 1 THEN l_word[2] END,
        substr((SELECT w FROM unnest(l_word[3:]) w WHERE w LIKE 'r%'), 2),
        split_part(substr((SELECT w FROM unnest(l_word[3:]) w WHERE w LIKE 'k%'), 2), '/', 1),
        nullif(split_part(substr((SELECT w FROM unnest(l_word[3:]) w WHERE w LIKE 'k%'), 2), '/', 2), ''),
        substr((SELECT w FROM unnest(l_word[3:]) w WHERE w ~ '^o[^p]'), 2),
        substr((SELECT w FROM unnest(l_word[3:]) w WHERE w LIKE 'x%'), 2);
END
$$;

-- The next scan, up to an SCN, as if it had just been mined.
CREATE FUNCTION pg_temp.scan(p_to numeric, VARIADIC p_rows text[]) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    l_state "ORAPULL"."SOURCE_STATE"%ROWTYPE;
    l_slot  numeric := "STAGES"."ASSIGN"();
BEGIN
    SELECT * INTO l_state FROM "ORAPULL"."SOURCE_STATE";
    INSERT INTO "ORAPULL"."SCAN" ("SCAN_ID", "SCN_FROM", "SCN_TO", "STATUS", "MINING_RULE", "PURPOSE", "STAGE_SLOT", "ROWS_STAGED", "REPAIR", "READ_FROM")
    VALUES (l_state."LAST_SCAN" + 1, l_state."PLANNED_SCN", p_to, 'SCANNED', 'S', 'MINE', l_slot, cardinality(p_rows), 'DONE', l_state."PLANNED_SCN" + 1);
    PERFORM pg_temp.stage_row(l_slot, l_state."LAST_SCAN" + 1, i, p_rows[i]) FROM generate_subscripts(p_rows, 1) i;
    UPDATE "ORAPULL"."SOURCE_STATE" SET "LAST_SCAN" = "LAST_SCAN" + 1, "PLANNED_SCN" = p_to;
    RETURN l_state."LAST_SCAN" + 1;
END
$$;
CREATE FUNCTION pg_temp.scan(p_to numeric) RETURNS numeric LANGUAGE sql AS $$ SELECT pg_temp.scan(p_to, VARIADIC '{}'::text[]) $$;

-- Publishes the next scan and makes its stage slot free.
CREATE PROCEDURE pg_temp.publish() LANGUAGE plpgsql AS $$
BEGIN
    CALL "PUBLISHER"."PUBLISH"("PUBLISHER"."NEXT_TO_PUBLISH"());
    COMMIT;
    WHILE "STAGES"."NEXT_TO_CLEAR"() IS NOT NULL LOOP
        CALL "STAGES"."CLEAR"("STAGES"."NEXT_TO_CLEAR"());
        COMMIT;
    END LOOP;
END
$$;
\set publish 'CALL pg_temp.publish();'

-- Steps of the coordinator, and scans when it has nothing to do, until nothing is left. Returns by itself only then.
CREATE PROCEDURE pg_temp.run() LANGUAGE plpgsql AS $$
DECLARE
    l_session text := (SELECT concat_ws(',', "SID", "SERIAL#", "INST_ID") FROM "SYS"."GV$SESSION" WHERE "SID" = pg_backend_pid());
    l_step    text;
    l_scan    numeric;
BEGIN
    FOR i IN 1 .. 200 LOOP
        PERFORM pg_temp.run_reader();
        l_step := "COORDINATOR"."NEXT_STEP"();
        COMMIT;
        IF l_step <> 'IDLE' THEN
            CALL "COORDINATOR"."PERFORM"(l_step);
            COMMIT;
        ELSE
            l_scan := "MINER"."TAKE_SCAN"(l_session);
            COMMIT;
            EXIT WHEN l_scan IS NULL;
            PERFORM pg_temp.read_in_root(l_scan, l_session);
            COMMIT;
            CALL "MINER"."MINE"(l_scan, l_session);
            COMMIT;
            CALL "MINER"."FINISH_SCAN"(l_scan, l_session);
            COMMIT;
        END IF;
        IF i = 200 THEN
            RAISE EXCEPTION 'check failed: the coordinator does not come to rest: %', l_step;
        END IF;
    END LOOP;
END
$$;

-- Pointers of a portion as text: kind, table, key, old form of it, ROWID and P$PREV when there is one, in order.
CREATE FUNCTION pg_temp.portion(p_portion numeric) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', p."KIND" || p."TABLE_ID", 'k' || p.k, 'r' || p."ROW_ID", '<' || nullif(p."P$PREV", 0)), '; ' ORDER BY p."P$PTR")
FROM "ORAPULL"."PORTION" v
JOIN (
    SELECT *, nullif(concat_ws('/', "K1", "K2"), '') AS k FROM "ORAPULL"."POINTER_V"
) p ON p."P$SLOT" = v."SLOT_ID" AND p."P$PORTION" = v."PORTION_ID"
WHERE v."PORTION_ID" = p_portion
$$;

-- All portions held: "1: pointers | 2: pointers".
CREATE FUNCTION pg_temp.portions() RETURNS text LANGUAGE sql AS $$
SELECT string_agg("PORTION_ID" || ': ' || coalesce(pg_temp.portion("PORTION_ID"), 'nothing'), ' | ' ORDER BY "PORTION_ID") FROM "ORAPULL"."PORTION"
$$;

CREATE FUNCTION pg_temp.state() RETURNS "ORAPULL"."SOURCE_STATE" LANGUAGE sql AS $$ SELECT * FROM "ORAPULL"."SOURCE_STATE" $$;

CREATE FUNCTION pg_temp.shard(p_shard text, p_acked numeric, p_acked_scn numeric, p_token numeric DEFAULT 1) RETURNS void LANGUAGE sql AS $$
INSERT INTO "ORAPULL"."SHARD" ("SHARD", "TOKEN", "ACKED_PORTION", "ACKED_AT", "ACKED_SCN") VALUES (p_shard, p_token, p_acked, LOCALTIMESTAMP, p_acked_scn)
ON CONFLICT ("SHARD") DO UPDATE SET "TOKEN" = p_token, "ACKED_PORTION" = p_acked, "ACKED_SCN" = p_acked_scn
$$;

\ir publishing/10_order.sql
\ir publishing/20_carry.sql
\ir publishing/30_identity.sql
\ir publishing/35_rolled_back.sql
\ir publishing/40_prev.sql
\ir publishing/50_cut.sql
\ir publishing/60_dead.sql
\ir publishing/65_segments.sql
\ir publishing/70_release.sql
\ir publishing/80_lost.sql
\ir publishing/90_restart.sql
\ir publishing/95_coordinator.sql
\o
\echo publishing: all checks passed
