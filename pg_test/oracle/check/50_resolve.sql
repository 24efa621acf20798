-- PULL_n returns the live rows of pointers; requests are portions of their own.
CREATE FUNCTION pg_temp.pulled(p_table text, p_column text, p_portion bigint, p_request boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    l_rows text;
BEGIN
    EXECUTE format('SELECT coalesce(string_agg("P$PTR" || '':'' || %I, '' '' ORDER BY "P$PTR"), '''') FROM "ORAPULL".%I
                    WHERE ("P$SLOT" = 0) = $1 AND "P$PORTION" = $2', p_column, 'PULL_' || "TEST"."TABLE_ID"('APP', p_table))
    INTO l_rows USING p_request, p_portion;
    RETURN l_rows;
END
$$;

TRUNCATE "APP"."UNIQUE_KEY", "APP"."PLAIN", "APP"."KEYED";
INSERT INTO "APP"."UNIQUE_KEY" ("A", "ROWID$") VALUES (1, 'AAAAAAAAAAAAAAAAA1'), (2, 'AAAAAAAAAAAAAAAAA2'), (3, 'AAAAAAAAAAAAAAAAA3');
INSERT INTO "APP"."PLAIN" ("A", "ROWID$") VALUES (1, 'AAAAAAAAAAAAAAAAA1'), (2, 'AAAAAAAAAAAAAAAAA2');
INSERT INTO "APP"."KEYED" VALUES (1.50, 'v', 'ab', '2024-02-29 13:14:15', '2024-02-29 13:14:15.120', '\x00ff', 'found');

DO $$
DECLARE
    l_portion bigint;
BEGIN
    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_k1 => '1');
    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_k1 => '9');
    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_k1 => '9', p_row_id => 'AAAAAAAAAAAAAAAAA3');
    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_k1 => '2', p_row_id => 'AAAAAAAAAAAAAAAAA1');
    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_row_id => 'AAAAAAAAAAAAAAAAA2');
    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_kind => 'U', p_row_id => 'AAAAAAAAAAAAAAAAA2', p_note => 'no R');
    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_k1 => '1');
    PERFORM "TEST"."POINT"('APP', 'PLAIN', p_row_id => 'AAAAAAAAAAAAAAAAA2');
    PERFORM "TEST"."POINT"('APP', 'PLAIN', p_row_id => 'AAAAAAAAAAAAAAAAA9');
    l_portion := "TEST"."PUBLISH"();
    PERFORM pg_temp.expect('by key, else by ROWID whatever the key, duplicates kept: ' || pg_temp.pulled('UNIQUE_KEY', 'A', l_portion),
        pg_temp.pulled('UNIQUE_KEY', 'A', l_portion) = '1:1 3:3 4:2 5:2 7:1');
    PERFORM pg_temp.expect('P$ROWID is that of the row', pg_temp.pulled('UNIQUE_KEY', 'P$ROWID', l_portion) LIKE '%4:AAAAAAAAAAAAAAAAA2%');
    PERFORM pg_temp.expect('a table without key by ROWID', pg_temp.pulled('PLAIN', 'A', l_portion) = '8:2');
    PERFORM pg_temp.expect('NOTE and KIND arrive', (
        SELECT "NOTE" = 'no R' FROM "ORAPULL"."POINTER_V" WHERE "P$PORTION" = l_portion AND "KIND" = 'U' AND "P$PREV" = 0));

    PERFORM "TEST"."POINT"('APP', 'KEYED', 'R', NULL, '1.5', 'v', 'ab  ', '2024-02-29 13:14:15', '2024-02-29 13:14:15.120', '00FF');
    PERFORM pg_temp.expect('canonical keys of all types find the row', pg_temp.pulled('KEYED', 'X', "TEST"."PUBLISH"()) = '1:found');

    PERFORM "TEST"."POINT"('APP', 'UNIQUE_KEY', p_k1 => 'one');
    l_portion := "TEST"."PUBLISH"();
    PERFORM pg_temp.refused('a wrong key raises', 'invalid input syntax%', format('SELECT pg_temp.pulled(''UNIQUE_KEY'', ''A'', %s)', l_portion));
    PERFORM "TEST"."POINT"('APP', 'KEYED', 'R', NULL, '1.5', 'v', 'ab  ', '2024-02-29 13:14:15', '2024-02-29 13:14:15.120', '0');
    l_portion := "TEST"."PUBLISH"();
    PERFORM pg_temp.refused('so does odd hex', 'invalid hexadecimal%', format('SELECT pg_temp.pulled(''KEYED'', ''X'', %s)', l_portion));

    PERFORM "TEST"."POINT"('APP', 'PLAIN', p_row_id => 'AAAAAAAAAAAAAAAAA2');
    PERFORM "TEST"."PUBLISH"(false);
    PERFORM pg_temp.expect('PUBLISH(false) looks for no P$PREV', pg_temp.last_portion() = 'R rowid 0');
END
$$;

-- Requests.
DO $$
DECLARE
    l_token   bigint := pg_temp.token('one');
    l_table   bigint := "TEST"."TABLE_ID"('APP', 'UNIQUE_KEY');
    l_request bigint;
BEGIN
    INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "ROW_ID", "K1") VALUES (l_table, NULL, '3'), (l_table, NULL, '3'), (l_table, NULL, '8');
    l_request := "API"."ASK"('one', l_token, l_table);
    PERFORM pg_temp.expect('as many pointers as were asked, in slot 0', (
        SELECT array_agg("P$PTR" ORDER BY "P$PTR") = '{1,2,3}' AND max("P$PREV") = 0 AND bool_and("KIND" = 'R')
        FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0 AND "P$PORTION" = l_request));
    PERFORM pg_temp.expect('and their rows', pg_temp.pulled('UNIQUE_KEY', 'A', l_request, true) = '1:3 2:3');
    PERFORM pg_temp.expect('ASK_V is empty again', NOT EXISTS (SELECT FROM "ORAPULL"."ASK_V"));
    PERFORM pg_temp.refused('identities of another table', 'ORA-20807:%', format(
        'WITH i AS (INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID") VALUES (%s)) SELECT 1', l_table + 1)
        || format('; SELECT "API"."ASK"(''one'', %s, %s)', l_token, l_table));
    PERFORM "API"."DONE"('one', l_token, l_request);
    PERFORM pg_temp.expect('DONE drops them', NOT EXISTS (SELECT FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0));
    PERFORM pg_temp.refused('DONE again', 'ORA-20809:%', format('SELECT "API"."DONE"(''one'', %s, %s)', l_token, l_request));
    PERFORM pg_temp.refused('ASK for a table of nobody', 'ORA-20807:%', format('SELECT "API"."ASK"(''one'', %s, 999)', l_token));

    INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "K1") VALUES (l_table, '3');
    PERFORM "API"."ASK"('one', l_token, l_table);
    PERFORM "API"."ATTACH"('one', 'check', NULL, 0);
    PERFORM pg_temp.expect('ATTACH drops open requests', NOT EXISTS (SELECT FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0));
END
$$;
SELECT "TEST".dblink_exec('second', 'BEGIN'),
       "TEST".dblink_exec('second', 'INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "K1") VALUES (1, ''1'')') \g /dev/null
SELECT "TEST".dblink_exec('second', 'COMMIT') \g /dev/null
SELECT pg_temp.expect('ASK_V is private to its transaction', count(*) = 0) FROM "ORAPULL"."ASK_V" \g /dev/null

-- A pointer table of 100,000 and more is joined in one go; few pointers use the indexes.
CREATE TABLE "APP"."MANY" ("ID" numeric(10) PRIMARY KEY, "X" varchar(40));
SELECT "TEST"."ADD_ROWID"('APP', 'MANY') \g /dev/null
INSERT INTO "APP"."MANY" SELECT i, md5(i::text) FROM generate_series(1, 100000) i;
ANALYZE "APP"."MANY";
SELECT pg_temp.register('MANY', 'AUTO') AS many \gset
SELECT "TEST"."CAPTURE"('APP', 'MANY') \g /dev/null
UPDATE "APP"."MANY" SET "X" = 'all';
SELECT "TEST"."PUBLISH_COMMITTED"(20000) \g /dev/null
DO $$
DECLARE
    l_view  text := 'PULL_' || "TEST"."TABLE_ID"('APP', 'MANY');
    l_last  bigint := (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE_V");
    l_slot  bigint := (SELECT "SLOT" FROM "ORAPULL"."PORTION_V" WHERE "PORTION_ID" = l_last);
    l_line  text;
    l_plan  text := '';
    l_few   text := '';
BEGIN
    FOR l_line IN EXECUTE format(
        'EXPLAIN SELECT * FROM "ORAPULL".%I WHERE "P$SLOT" > 0 AND "P$PORTION" BETWEEN %s AND %s AND "P$PREV" < %2$s',
        l_view, l_last - 4, l_last
    ) LOOP
        l_plan := l_plan || l_line || E'\n';
    END LOOP;
    PERFORM pg_temp.expect('many pointers are hashed: ' || l_plan, l_plan LIKE '%Hash%');
    FOR l_line IN EXECUTE format(
        'EXPLAIN SELECT * FROM "ORAPULL".%I
         WHERE "P$SLOT" = %s AND "P$PORTION" = %s AND "P$PTR" BETWEEN 1 AND 10 AND "P$PREV" < %3$s', l_view, l_slot, l_last
    ) LOOP
        l_few := l_few || l_line || E'\n';
    END LOOP;
    PERFORM pg_temp.expect('few pointers use the indexes: ' || l_few, l_few NOT LIKE '%Seq Scan%');
END
$$;
