-- Lease, token, acks.
SELECT pg_temp.refused('before the source is started', 'ORA-20828:%', $q$SELECT pg_temp.attach('one', 'check', NULL, 0)$q$) \g /dev/null
CALL "SOURCE"."START_AT"(NULL);
SELECT pg_temp.publish(5) \g /dev/null

SELECT pg_temp.expect('a shard without progress starts at the end', applied_now = 5 AND first_portion = 6)
FROM pg_temp.attach('two', 'holder a', NULL, 0) \g /dev/null
SELECT pg_temp.refused('no name', 'ORA-20801:%', $q$SELECT pg_temp.attach(NULL, 'holder a', NULL, 0)$q$),
       pg_temp.refused('a lease that is fresh', 'ORA-20803: shard "two" is held by "holder a" until ____-__-__ __:__:__ UTC',
                       $q$SELECT pg_temp.attach('two', 'holder b', 5, 0)$q$) \g /dev/null
SELECT pg_temp.token('two') AS stale \gset
SELECT pg_temp.attach('two', 'holder b', 3, 1) \g /dev/null
SELECT pg_temp.expect('force takes it and acked goes down', "ACKED_PORTION" = 3 AND "HOLDER" = 'holder b')
FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'two' \g /dev/null
SELECT pg_temp.refused('a stale token: ' || c, 'ORA-20802:%', format(c, :stale)) FROM unnest(ARRAY[
    'CALL "API"."ACK"(''two'', %s, 4)', 'CALL "API"."DETACH"(''two'', %s)', 'CALL "API"."DROP_SHARD"(''two'', %s)',
    'CALL "API"."REGISTER_TABLE"(''two'', %s, ''APP'', ''T'', ''AUTO'', NULL)', 'CALL "API"."DROP_TABLE"(''two'', %s, 1)',
    'CALL "API"."REFRESH_TABLE"(''two'', %s, 1)', 'CALL "API"."PLAN_RANGES"(''two'', %s, 1, 4, NULL, NULL)',
    'CALL "API"."ASK"(''two'', %s, 1, NULL)', 'CALL "API"."DONE"(''two'', %s, 1)']) c \g /dev/null
SELECT pg_temp.refused('an unknown shard: ' || c, 'ORA-20801:%', c) FROM unnest(ARRAY[
    'CALL "API"."ACK"(''three'', 1, 1)', 'CALL "API"."REGISTER_TABLE"(''three'', 1, ''APP'', ''T'', ''AUTO'', NULL)']) c \g /dev/null
SELECT pg_temp.refused('no token', 'ORA-20802:%', 'CALL "API"."ACK"(''two'', NULL, 4)') \g /dev/null

CALL "API"."ACK"('two', pg_temp.token('two'), 4);
UPDATE "ORAPULL"."SHARD" SET "LEASE_UNTIL" = "SOURCE"."UTC_NOW"() WHERE "SHARD" = 'two';
SELECT "ACKED_AT" AS at, "ACKED_SCN" AS scn FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'two' \gset
CALL "API"."ACK"('two', pg_temp.token('two'), 2);
CALL "API"."ACK"('two', pg_temp.token('two'), 4);
SELECT pg_temp.expect('an ack repeated or lower changes nothing but renews the lease', "ACKED_PORTION" = 4
    AND "LEASE_UNTIL" > "SOURCE"."UTC_NOW"() + interval '50 s' AND "ACKED_AT" = :'at' AND "ACKED_SCN" = :scn)
FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'two' \g /dev/null
SELECT pg_temp.refused('the ack of a future portion', 'ORA-20808:%', format('CALL "API"."ACK"(''two'', %s, 6)', pg_temp.token('two'))),
       pg_temp.refused('of none', 'ORA-20808:%', format('CALL "API"."ACK"(''two'', %s, NULL)', pg_temp.token('two'))),
       pg_temp.refused('of a negative one', 'ORA-20808:%', format('CALL "API"."ACK"(''two'', %s, -1)', pg_temp.token('two'))) \g /dev/null

DELETE FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" <= 4;
SELECT pg_temp.token('two') AS token \gset
SELECT pg_temp.refused('portions that are gone', 'ORA-20804: PORTIONS_GONE:%', $q$SELECT pg_temp.attach('two', 'holder b', 3, 0)$q$),
       pg_temp.refused('progress beyond the end', 'ORA-20805: SOURCE_CHANGED:%', $q$SELECT pg_temp.attach('two', 'holder b', 6, 0)$q$),
       pg_temp.expect('a refused ATTACH takes no lease', pg_temp.token('two') = :token) \g /dev/null
SELECT pg_temp.attach('two', 'holder b', 4, 0) \g /dev/null
SELECT pg_temp.expect('tokens are never given twice', pg_temp.token('two') > :token) \g /dev/null
DELETE FROM "ORAPULL"."PORTION";
SELECT pg_temp.expect('FIRST_PORTION is LAST_PORTION + 1 when none is held', "FIRST_PORTION" = 6 AND "LAST_PORTION" = 5)
FROM "ORAPULL"."SOURCE_V" \g /dev/null
SELECT pg_temp.expect('all applied is a start', first_portion = 6) FROM pg_temp.attach('two', 'holder b', 5, 0) \g /dev/null
UPDATE "ORAPULL"."SETTING" SET "LEASE_SECONDS" = 0;
CALL "API"."ACK"('two', pg_temp.token('two'), 5);
SELECT pg_temp.attach('two', 'holder c', 5, 0) \g /dev/null
UPDATE "ORAPULL"."SETTING" SET "LEASE_SECONDS" = 60;
CALL "API"."DETACH"('two', pg_temp.token('two'));
SELECT pg_temp.refused('a call after DETACH', 'ORA-20802:%', $q$CALL "API"."ACK"('two', 5, 5)$q$) \g /dev/null
SELECT pg_temp.attach('two', 'holder d', 5, 0) \g /dev/null
CALL "API"."DROP_SHARD"('two', pg_temp.token('two'));
SELECT pg_temp.expect('a shard that left is gone', NOT EXISTS (SELECT FROM "ORAPULL"."SHARD_V")) \g /dev/null
SELECT pg_temp.attach('one', 'check', NULL, 0) \g /dev/null
