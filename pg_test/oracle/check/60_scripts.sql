-- What a test can do to the source.
DO $$
DECLARE
    a         record;
    b         record;
    l_portion bigint;
    l_slot    bigint;
BEGIN
    SELECT * INTO a FROM "ORAPULL"."SOURCE_V";
    PERFORM "TEST"."SET"('STATE', 'GAP');
    PERFORM "TEST"."SET"('DBID', '77');
    PERFORM "TEST"."SET"('KEEP_LOG_FROM', NULL);
    SELECT * INTO b FROM "ORAPULL"."SOURCE_V";
    PERFORM pg_temp.expect('any column can lie', b."STATE" = 'GAP' AND b."DBID" = 77 AND b."KEEP_LOG_FROM" IS NULL AND b."INSTALL_ID" = a."INSTALL_ID");
    PERFORM "TEST"."UNSET"('DBID');
    PERFORM "TEST"."UNSET"();
    SELECT * INTO b FROM "ORAPULL"."SOURCE_V";
    PERFORM pg_temp.expect('and tell the truth again', b."STATE" = 'OK' AND b."DBID" = a."DBID" AND b."KEEP_LOG_FROM" IS NOT NULL);
    PERFORM pg_temp.refused('no such column', '%neither a column%', $q$SELECT "TEST"."SET"('NONE', '1')$q$);
    PERFORM "TEST"."RESTART"();
    PERFORM pg_temp.expect('a restart changes STARTED_AT', (SELECT "STARTED_AT" > a."STARTED_AT" FROM "ORAPULL"."SOURCE_V"));

    PERFORM "TEST"."POINT"('APP', 'PLAIN', p_row_id => 'AAAAAAAAAAAAAAAAA2');
    l_portion := "TEST"."PUBLISH"();
    SELECT "SLOT" INTO l_slot FROM "ORAPULL"."PORTION_V" WHERE "PORTION_ID" = l_portion;
    PERFORM pg_temp.expect('a lost slot is rebuilt in another one', "TEST"."MOVE_SLOT"(l_portion) <> l_slot);
    PERFORM pg_temp.expect('with its portion', (
        SELECT p."P$SLOT" = v."SLOT" AND v."SLOT" <> l_slot FROM "ORAPULL"."PORTION_V" v JOIN "ORAPULL"."POINTER_V" p ON p."P$PORTION" = v."PORTION_ID"
        WHERE v."PORTION_ID" = l_portion AND p."P$SLOT" > 0));

    INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "ROW_ID") VALUES ("TEST"."TABLE_ID"('APP', 'PLAIN'), 'AAAAAAAAAAAAAAAAA2');
    PERFORM "API"."ASK"('one', pg_temp.token('one'), "TEST"."TABLE_ID"('APP', 'PLAIN'));
    PERFORM "TEST"."RELEASE"(l_portion);
    PERFORM pg_temp.expect('RELEASE leaves no portion, no pointer, but the requests',
        (SELECT count(*) = 0 FROM "ORAPULL"."PORTION_V") AND (SELECT count(*) = 0 FROM "ORAPULL"."PORTION_TABLE_V")
        AND (SELECT count(*) = 1 FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0) AND (SELECT count(*) = 1 FROM "ORAPULL"."POINTER_V"));

    PERFORM "TEST"."REINSTALL"();
    SELECT * INTO b FROM "ORAPULL"."SOURCE_V";
    PERFORM pg_temp.expect('a new installation knows nobody', b."INSTALL_ID" <> a."INSTALL_ID" AND b."LAST_PORTION" = 0 AND b."FIRST_PORTION" = 1
        AND NOT EXISTS (SELECT FROM "ORAPULL"."SHARD_V") AND NOT EXISTS (SELECT FROM "ORAPULL"."TABLE_V"));
    PERFORM "API"."ATTACH"('one', 'check', NULL, 0);
    PERFORM pg_temp.expect('and numbers start again', pg_temp.register('PLAIN', 'AUTO') = 1 AND "TEST"."PUBLISH"() = 1);
END
$$;
