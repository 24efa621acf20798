-- Release (cases.md T8).
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T');
CREATE PROCEDURE pg_temp.to(p_scn numeric) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.scan(p_scn, format('%s R 1 k%s @%s', p_scn, p_scn, p_scn - 9), format('%s commit @%s', p_scn, p_scn - 5));
    COMMIT;
    CALL pg_temp.publish();
END
$$;
CREATE FUNCTION pg_temp.held() RETURNS text LANGUAGE sql AS $$ SELECT concat_ws(' ', min("PORTION_ID"), max("PORTION_ID")) FROM "ORAPULL"."PORTION" $$;
CREATE PROCEDURE pg_temp.release() LANGUAGE plpgsql AS $$
BEGIN
    WHILE "RELEASES"."IS_DUE"() LOOP
        CALL "RELEASES"."RELEASE_PORTIONS"();
        COMMIT;
    END LOOP;
END
$$;
CALL pg_temp.to(200);
SELECT pg_temp.expect('without a shard a portion goes at once', "RELEASES"."IS_DUE"());
CALL pg_temp.release();
SELECT pg_temp.expect('and numbers go on', pg_temp.held() = '' AND s."LAST_PORTION" = 1) FROM pg_temp.state() s;
SELECT pg_temp.shard('one', 1, 200);
SELECT pg_temp.shard('two', 1, 200);
CALL pg_temp.to(300);
CALL pg_temp.to(400);
CALL pg_temp.release();
SELECT pg_temp.expect('every shard must have it', pg_temp.held() = '2 3');
SELECT pg_temp.shard('one', 3, 450);
CALL pg_temp.release();
SELECT pg_temp.expect('one is not all', pg_temp.held() = '2 3');
SELECT pg_temp.shard('two', 2, 450);
CALL pg_temp.release();
CALL "RELEASES"."RELEASE_PORTIONS"();
CALL "RELEASES"."RELEASE_PORTIONS"();
SELECT pg_temp.expect('mining must have passed the acks', pg_temp.held() = '2 3');
CALL pg_temp.to(449);
CALL pg_temp.release();
SELECT pg_temp.expect('not quite', pg_temp.held() = '2 4');
CALL pg_temp.to(450);
CALL pg_temp.release();
SELECT pg_temp.expect('now', pg_temp.held() = '3 4');
SELECT pg_temp.expect('what can be mined again is what is held', "RESUME_SCN" = 301) FROM "ORAPULL"."SOURCE_STATE";

-- Acks that keep coming: each is above what is mined, still portions are released.
DO $$
BEGIN
    FOR i IN 4 .. 19 LOOP
        PERFORM pg_temp.shard('one', i, i * 100 + 50), pg_temp.shard('two', i, i * 100 + 60);
        COMMIT;
        CALL pg_temp.release();
        CALL pg_temp.to((i + 1) * 100 - 40);
        CALL pg_temp.release();
    END LOOP;
END
$$;
SELECT pg_temp.expect('all but the last acked ones are gone: ' || pg_temp.held(), pg_temp.held() = '20 20');

-- A shard that was put back (ATTACH gives a new token): what it has acked before does not count, though it acks as high again.
SELECT pg_temp.shard('two', 20, 3000), pg_temp.shard('one', 20, 3000);
CALL pg_temp.to(2500);
CALL pg_temp.release();
SELECT pg_temp.shard('two', 19, 3010, 2);
SELECT pg_temp.shard('two', 20, 3020, 2);
CALL pg_temp.to(3005);
CALL pg_temp.release();
SELECT pg_temp.expect('a restored shard reads again: ' || pg_temp.held(), pg_temp.held() = '20 22');
CALL pg_temp.to(3030);
CALL pg_temp.release();
SELECT pg_temp.expect('and is waited for again: ' || pg_temp.held(), pg_temp.held() = '21 23');

-- A shard that never acks: storage grows, mining goes on; a dropped shard frees it.
CALL pg_temp.to(3100);
CALL pg_temp.to(3200);
SELECT pg_temp.shard('one', 25, 3110);
CALL pg_temp.release();
SELECT pg_temp.expect('held for one shard', pg_temp.held() = '21 25');
DELETE FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'two';
CALL pg_temp.release();
SELECT pg_temp.expect('freed', pg_temp.held() = '');
SELECT pg_temp.expect('PORTION_TABLE goes with it', NOT EXISTS (SELECT FROM "ORAPULL"."PORTION_TABLE"));

-- ATTACH and release: under the same lock, one after the other.
SELECT pg_temp.second_session(:'second');
BEGIN;
CALL "RELEASES"."RELEASE_PORTIONS"();
SELECT "TEST".dblink_exec('second', 'SET lock_timeout = 200');
SELECT pg_temp.refused('ATTACH waits for a release', '%lock timeout%', $q$SELECT "TEST".dblink_exec('second', 'CALL "SOURCE"."LOCK_STATE"()')$q$);
ROLLBACK;
SELECT "TEST".dblink_disconnect('second');

-- Old scans are forgotten, the last one and those of held portions are not.
UPDATE "ORAPULL"."SCAN" SET "SCAN_ID" = "SCAN_ID" - 2000 WHERE "SCN_TO" < 3000;
CALL pg_temp.to(3300);
CALL "RELEASES"."RELEASE_PORTIONS"();
SELECT pg_temp.expect('scans of long ago', min("SCAN_ID") > 0) FROM "ORAPULL"."SCAN";
