-- A shard that never acks: what it needs is kept and grows, everybody sees it, mining goes on. Dropped, it frees all of it.
UPDATE "ORAPULL"."SETTING" SET "PORTION_POINTERS" = 3;
CALL "ORAPULL"."RUN_COORDINATOR"();
CALL "API"."ATTACH"('slow', 'check', NULL, 0, NULL, NULL, NULL);
CALL "API"."ATTACH"('fast', 'check', NULL, 0, NULL, NULL, NULL);
INSERT INTO "ORAPULL"."SOURCE_TABLE" ("TABLE_ID", "OWNER", "TABLE_NAME", "IDENTITY", "KEY_COUNT", "K1_PATH", "STATE", "REGISTERED_AT")
VALUES (2, 'APP', 'T', 'KEY', 1, 'APP.T.ID', 'READY', LOCALTIMESTAMP);
INSERT INTO "ORAPULL"."SUBSCRIPTION" ("SHARD", "TABLE_ID") VALUES ('slow', 2), ('fast', 2);
CREATE FUNCTION pg_temp.seen() RETURNS TABLE (portions numeric, pointers numeric, published numeric, slots bigint, stored bigint, keep numeric) LANGUAGE sql SET search_path = pg_catalog AS $$
SELECT m."PORTIONS_HELD", m."POINTERS_HELD", m."PUBLISHED_SCN", (SELECT count(*) FROM "ORAPULL"."SLOT" WHERE "STATUS" <> 'FREE'),
    (SELECT count(*) FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" > 0), m."KEEP_LOG_FROM" FROM "ORAPULL"."MINING_STATUS_V" m
$$;
CREATE TEMPORARY TABLE growth (n int, portions numeric, pointers numeric, published numeric, slots bigint, stored bigint, keep numeric);
INSERT INTO growth SELECT 3, * FROM pg_temp.seen();
-- Each round is a portion that fills a slot (the first one goes into that of the test before); the other shard acks it, and mining passes the ack.
CREATE PROCEDURE pg_temp.round(p_n int) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.work(p_n);
    COMMIT;
    CALL "ORAPULL"."RUN_COORDINATOR"();
    CALL "ORAPULL"."RUN_SCAN"();
    CALL "ORAPULL"."RUN_COORDINATOR"();
    CALL "API"."ACK"('fast', pg_temp.token('fast'), "TEST"."LAST_PORTION"());
    COMMIT;
    INSERT INTO growth SELECT p_n, * FROM pg_temp.seen();
    COMMIT;
END
$$;
CALL pg_temp.round(4);
CALL pg_temp.round(5);
CALL pg_temp.round(6);
CALL pg_temp.round(7);
CALL pg_temp.round(8);
SELECT pg_temp.same('what is held grows by a portion, and fills a slot, each time, and mining goes on: ' || (SELECT string_agg(g::text, ' ' ORDER BY n) FROM growth g),
    (SELECT string_agg(concat_ws(' ', g.n, g.portions - f.portions, g.pointers - f.pointers, g.slots - f.slots, g.stored - f.stored, g.published), '; ' ORDER BY g.n)
     FROM growth g JOIN growth f ON f.n = 3 WHERE g.n > 3),
    '4 1 3 0 3 4100; 5 2 6 1 6 5100; 6 3 9 2 9 6100; 7 4 12 3 12 7100; 8 5 15 4 15 8100');
SELECT pg_temp.expect('who holds it is seen', "ACKED_PORTION" < (SELECT min("PORTION_ID") FROM "ORAPULL"."PORTION_V")) FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'slow';
SELECT pg_temp.expect('and who does not', "ACKED_PORTION" = (SELECT max("PORTION_ID") FROM "ORAPULL"."PORTION_V")) FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'fast';
SELECT pg_temp.expect('logs from its first portion on must be kept', max(keep) < 4000) FROM growth;
CALL "API"."DROP_SHARD"('slow', pg_temp.token('slow'));
CALL pg_temp.round(9);
CALL "ORAPULL"."RUN_COORDINATOR"();
SELECT pg_temp.expect('dropped: all is freed that the other one has: ' || s::text, s.portions = 1 AND s.pointers = 3 AND s.stored = 3 AND s.slots = 1 AND s.published = 9100) FROM pg_temp.seen() s;
CALL "API"."DROP_SHARD"('fast', pg_temp.token('fast'));
