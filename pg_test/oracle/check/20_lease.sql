-- Lease, token, acks.
DO $$
DECLARE
    a record;
    b record;
BEGIN
    FOR i IN 1 .. 5 LOOP
        PERFORM "TEST"."PUBLISH"();
    END LOOP;
    a := "API"."ATTACH"('two', 'holder a', NULL, 0);
    PERFORM pg_temp.expect('a shard without progress starts at the end', a."P_APPLIED_NOW" = 5 AND a."P_FIRST_PORTION" = 6);
    PERFORM pg_temp.expect('an API call asks for a commit', current_setting('standin.commit') = 'on');
    PERFORM pg_temp.refused('a lease that is fresh', 'ORA-20803: shard "two" is held by "holder a" until ____-__-__ __:__:__ UTC',
        $q$SELECT "API"."ATTACH"('two', 'holder b', 5, 0)$q$);
    b := "API"."ATTACH"('two', 'holder b', 3, 1);
    PERFORM pg_temp.expect('force takes it and acked goes down',
        (SELECT "ACKED_PORTION" = 3 AND "HOLDER" = 'holder b' FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'two'));
    PERFORM pg_temp.refused('a stale token: ' || c, 'ORA-20802:%', format(c, a."P_TOKEN"))
    FROM unnest(ARRAY[
        'SELECT "API"."ACK"(''two'', %s, 4)', 'SELECT "API"."DETACH"(''two'', %s)', 'SELECT "API"."DROP_SHARD"(''two'', %s)',
        'SELECT "API"."REGISTER_TABLE"(''two'', %s, ''APP'', ''TYPES'', ''AUTO'')', 'SELECT "API"."DROP_TABLE"(''two'', %s, 1)',
        'SELECT "API"."REFRESH_TABLE"(''two'', %s, 1)', 'SELECT "API"."PLAN_RANGES"(''two'', %s, 1, 4)',
        'SELECT "API"."ASK"(''two'', %s, 1)', 'SELECT "API"."DONE"(''two'', %s, 1)']) c;
    PERFORM pg_temp.refused('an unknown shard', 'ORA-20801:%', 'SELECT "API"."ACK"(''three'', 1, 1)');

    PERFORM "API"."ACK"('two', b."P_TOKEN", 4);
    UPDATE "ORAPULL"."SHARD" SET "LEASE_UNTIL" = "ORAPULL"."UTC_NOW"() WHERE "SHARD" = 'two';
    PERFORM "API"."ACK"('two', b."P_TOKEN", 2);
    PERFORM pg_temp.expect('an ack repeated or lower changes nothing but renews the lease',
        (SELECT "ACKED_PORTION" = 4 AND "LEASE_UNTIL" > "ORAPULL"."UTC_NOW"() + interval '50 s'
         FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'two'));
    PERFORM pg_temp.refused('the ack of a future portion', 'ORA-20808:%', format('SELECT "API"."ACK"(''two'', %s, 6)', b."P_TOKEN"));

    PERFORM "TEST"."RELEASE"(4);
    PERFORM pg_temp.refused('portions that are gone', 'ORA-20804: PORTIONS_GONE:%', $q$SELECT "API"."ATTACH"('two', 'holder b', 3, 0)$q$);
    PERFORM pg_temp.refused('progress beyond the end', 'ORA-20805: SOURCE_CHANGED:%', $q$SELECT "API"."ATTACH"('two', 'holder b', 6, 0)$q$);
    PERFORM pg_temp.expect('a refused ATTACH takes no lease', pg_temp.token('two') = b."P_TOKEN");
    PERFORM "API"."ATTACH"('two', 'holder b', 4, 0);
    PERFORM "TEST"."RELEASE"(5);
    PERFORM pg_temp.expect('FIRST_PORTION is LAST_PORTION + 1 when none is held',
        (SELECT "FIRST_PORTION" = 6 AND "LAST_PORTION" = 5 FROM "ORAPULL"."SOURCE_V"));
    PERFORM "API"."ATTACH"('two', 'holder b', 5, 0);
    PERFORM "TEST"."SET"('LEASE_SECONDS', '0');
    PERFORM "API"."ACK"('two', pg_temp.token('two'), 5);
    PERFORM "API"."ATTACH"('two', 'holder c', 5, 0);
    PERFORM "TEST"."UNSET"();
    PERFORM "API"."DETACH"('two', pg_temp.token('two'));
    PERFORM pg_temp.refused('a call after DETACH', 'ORA-20802:%', $q$SELECT "API"."ACK"('two', 5, 5)$q$);
    PERFORM "API"."ATTACH"('two', 'holder d', 5, 0);
END
$$;

DO $$
DECLARE
    l_portion bigint;
BEGIN
    PERFORM "API"."ATTACH"('one', 'check', 5, 1);
    l_portion := "TEST"."PUBLISH"();
    PERFORM "API"."ACK"('one', pg_temp.token('one'), l_portion);
    PERFORM pg_temp.expect('a portion waits for every shard', "TEST"."RELEASE_ACKED"() = 0);
    PERFORM "API"."DROP_SHARD"('two', pg_temp.token('two'));
    PERFORM pg_temp.expect('a shard that left holds nothing', "TEST"."RELEASE_ACKED"() = 1);
    PERFORM pg_temp.expect('and is gone', NOT EXISTS (SELECT FROM "ORAPULL"."SHARD_V" WHERE "SHARD" = 'two'));
END
$$;
