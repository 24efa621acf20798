-- PULL_n returns the live rows of pointers. Requests are what it is tried with: their pointers are those of slot 0.
TRUNCATE "APP"."UNIQUE_KEY", "APP"."PLAIN", "APP"."KEYED";
INSERT INTO "APP"."UNIQUE_KEY" ("A") VALUES (1), (2), (3);
INSERT INTO "APP"."PLAIN" ("A") VALUES (1), (2);
INSERT INTO "APP"."KEYED" VALUES
    (1.50, 'v', 'ab', '2024-02-29 13:14:15', '2024-02-29 13:14:15.120', '\x00ff', 'found'), (-100, 'w', 'abcd', '2024-01-01', '2024-01-01', '\x', 'plain');

CREATE FUNCTION pg_temp.rowid(p_table text, p_a numeric) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_rowid text;
BEGIN
    EXECUTE format('SELECT "ROWID$" FROM "APP".%I WHERE "A" = $1', p_table) INTO l_rowid USING p_a;
    RETURN l_rowid;
END
$$;

-- Asks for identities (ROWID, keys), in this order, and returns the request.
CREATE FUNCTION pg_temp.ask(p_table text, VARIADIC p_identities text[]) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    l_request numeric;
    l_table   numeric := pg_temp.table_id(p_table);
BEGIN
    INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6")
    SELECT l_table, i[1], i[2], i[3], i[4], i[5], i[6], i[7]
    FROM (SELECT string_to_array(p, '|', '') FROM unnest(p_identities) WITH ORDINALITY u (p, n) ORDER BY n) l (i);
    CALL "API"."ASK"('one', pg_temp.token('one'), l_table, l_request);
    RETURN l_request;
END
$$;
CREATE FUNCTION pg_temp.pulled(p_table text, p_column text, p_request numeric) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_rows text;
BEGIN
    EXECUTE format('SELECT coalesce(string_agg(%I::text, '' '' ORDER BY 1), '''') FROM (
                        SELECT * FROM "ORAPULL"."PULL_%s" WHERE "P$SLOT" = 0 AND "P$PORTION" = $1 AND "P$PREV" < $1 ORDER BY %1$I) p', p_column, pg_temp.table_id(p_table))
    INTO l_rows USING p_request;
    RETURN l_rows;
END
$$;
-- One identity, asked and resolved: what came of it.
CREATE FUNCTION pg_temp.resolved(p_table text, p_column text, p_identity text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN pg_temp.pulled(p_table, p_column, pg_temp.ask(p_table, p_identity));
END
$$;

SELECT pg_temp.expect('views say whose rows they have', obj_description(format('"ORAPULL"."%s_%s"', v, pg_temp.table_id('UNIQUE_KEY'))::regclass) LIKE 'Rows of "APP"."UNIQUE\_KEY" %')
FROM unnest('{PULL,LOAD}'::text[]) v \g /dev/null
SELECT pg_temp.expect('by key', pg_temp.resolved('UNIQUE_KEY', 'A', '|1') = '1') \g /dev/null
SELECT pg_temp.expect('a key that is gone', pg_temp.resolved('UNIQUE_KEY', 'A', '|9') = '') \g /dev/null
SELECT pg_temp.expect('a key that is gone, else by ROWID whatever the key', pg_temp.resolved('UNIQUE_KEY', 'A', pg_temp.rowid('UNIQUE_KEY', 3) || '|9') = '3') \g /dev/null
SELECT pg_temp.expect('the key before the ROWID', pg_temp.resolved('UNIQUE_KEY', 'A', pg_temp.rowid('UNIQUE_KEY', 1) || '|2') = '2') \g /dev/null
SELECT pg_temp.expect('a ROWID alone', pg_temp.resolved('UNIQUE_KEY', 'A', pg_temp.rowid('UNIQUE_KEY', 2)) = '2') \g /dev/null
SELECT pg_temp.expect('nothing at all', pg_temp.resolved('UNIQUE_KEY', 'A', '|') = '') \g /dev/null
SELECT pg_temp.expect('P$ROWID is that of the row', pg_temp.resolved('UNIQUE_KEY', 'P$ROWID', '|2') = pg_temp.rowid('UNIQUE_KEY', 2)) \g /dev/null
SELECT pg_temp.expect('one row a pointer', pg_temp.pulled('UNIQUE_KEY', 'A', pg_temp.ask('UNIQUE_KEY', '|1', '|2', '|1', '|9')) = '1 1 2') \g /dev/null
SELECT pg_temp.expect('a table without key by ROWID', pg_temp.resolved('PLAIN', 'A', pg_temp.rowid('PLAIN', 2)) = '2') \g /dev/null
SELECT pg_temp.expect('a ROWID that is free', pg_temp.resolved('PLAIN', 'A', left(pg_temp.rowid('PLAIN', 2), 15) || 'zzz') = '') \g /dev/null

-- The canonical forms of all key types, and others that mean the same.
SELECT pg_temp.expect('keys of all types: ' || i, pg_temp.resolved('KEYED', 'X', i) = 'found') FROM unnest(ARRAY[
    '|1.5|v|ab  |2024-02-29 13:14:15|2024-02-29 13:14:15.120|00FF', '|1.50|v|ab|2024-02-29 13:14:15|2024-02-29 13:14:15.120000000|00ff',
    '|15E-1|v|ab  |2024-02-29 13:14:15|2024-02-29 13:14:15.12|00FF']) i \g /dev/null
SELECT pg_temp.expect('all parts count: ' || i, pg_temp.resolved('KEYED', 'X', i) = '') FROM unnest(ARRAY[
    '|1.51|v|ab  |2024-02-29 13:14:15|2024-02-29 13:14:15.120|00FF', '|1.5|V|ab  |2024-02-29 13:14:15|2024-02-29 13:14:15.120|00FF',
    '|1.5|v|abc |2024-02-29 13:14:15|2024-02-29 13:14:15.120|00FF', '|1.5|v|ab  |2024-02-29 13:14:16|2024-02-29 13:14:15.120|00FF',
    '|1.5|v|ab  |2024-02-29 13:14:15|2024-02-29 13:14:15.121|00FF', '|1.5|v|ab  |2024-02-29 13:14:15|2024-02-29 13:14:15.120|00FE']) i \g /dev/null
-- A conversion that fails must not look like a row that is gone.
SELECT pg_temp.refused('a text that is no value: ' || i, '%', format('SELECT pg_temp.resolved(''KEYED'', ''X'', %L)', i)) FROM unnest(ARRAY[
    '|one|v|ab|2024-02-29 13:14:15|2024-02-29 13:14:15.120|00FF', '|1.5|v|ab|29.02.2024|2024-02-29 13:14:15.120|00FF',
    '|1.5|v|ab|2023-02-29 13:14:15|2024-02-29 13:14:15.120|00FF', '|1.5|v|ab|2024-02-29 13:14:15|noon|00FF', '|1.5|v|ab|2024-02-29 13:14:15|2024-02-29 13:14:15.120|xx']) i \g /dev/null

-- A ROWID whose data object is no live segment of the table would raise ORA-01410 there; it resolves to nothing.
SELECT pg_temp.rowid('PLAIN', 2) AS plain_row, pg_temp.rowid('UNIQUE_KEY', 2) AS key_row \gset
SELECT pg_temp.expect('of another table', pg_temp.resolved('PLAIN', 'A', :'key_row') = '') \g /dev/null
TRUNCATE "APP"."PLAIN", "APP"."UNIQUE_KEY";
INSERT INTO "APP"."PLAIN" ("A", "ROWID$") VALUES (2, :'plain_row');
INSERT INTO "APP"."UNIQUE_KEY" ("A", "ROWID$") VALUES (7, :'key_row');
SELECT pg_temp.expect('of a truncated segment', pg_temp.resolved('PLAIN', 'A', :'plain_row') = ''),
       pg_temp.expect('of a truncated segment with a key', pg_temp.resolved('UNIQUE_KEY', 'A', :'key_row' || '|9') = ''),
       pg_temp.expect('the key is looked up all the same', pg_temp.resolved('UNIQUE_KEY', 'A', :'key_row' || '|7') = '7') \g /dev/null
CREATE TABLE "APP"."PARTED" ("ID" numeric(10), "X" varchar(10)) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."PARTED_1" PARTITION OF "APP"."PARTED" FOR VALUES FROM (1) TO (100);
CREATE TABLE "APP"."PARTED_2" PARTITION OF "APP"."PARTED" FOR VALUES FROM (100) TO (200);
SELECT "TEST"."ADD_ROWID"('APP', 'PARTED') \g /dev/null
INSERT INTO "APP"."PARTED" VALUES (1, 'one'), (150, 'two');
SELECT pg_temp.register('PARTED') \g /dev/null
SELECT pg_temp.expect('a row of each partition: ' || "ID", pg_temp.resolved('PARTED', 'ID', "ROWID$") = "ID"::text) FROM "APP"."PARTED" \g /dev/null
SELECT "ROWID$" AS moved FROM "APP"."PARTED" WHERE "ID" = 150 \gset
-- A segment that was exchanged: ROWIDs of before are of rows that another table has now, those of its new rows resolve.
CREATE TABLE "APP"."EXCHANGED" ("A" numeric(5));
CREATE TABLE "APP"."PARTNER" ("A" numeric(5));
SELECT "TEST"."ADD_ROWID"('APP', 'EXCHANGED'), "TEST"."ADD_ROWID"('APP', 'PARTNER') \g /dev/null
INSERT INTO "APP"."EXCHANGED" ("A") VALUES (1);
INSERT INTO "APP"."PARTNER" ("A") VALUES (2);
SELECT pg_temp.register('EXCHANGED') \g /dev/null
SELECT pg_temp.rowid('EXCHANGED', 1) AS before, pg_temp.rowid('PARTNER', 2) AS after \gset
SELECT "TEST"."EXCHANGE"('"APP"."EXCHANGED"', '"APP"."PARTNER"') \g /dev/null
SELECT pg_temp.expect('a row that was there', pg_temp.resolved('EXCHANGED', 'A', :'before') = ''),
       pg_temp.expect('a row that came', pg_temp.resolved('EXCHANGED', 'A', :'after') = '2') \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('EXCHANGED'));

TRUNCATE "APP"."PARTED_2";
INSERT INTO "APP"."PARTED" ("ID", "ROWID$") VALUES (151, :'moved');
SELECT pg_temp.expect('not of a truncated partition', pg_temp.resolved('PARTED', 'ID', :'moved') = '') \g /dev/null

-- Index-organized: by key alone, no ROWID.
SELECT pg_temp.register('IOT') \g /dev/null
INSERT INTO "APP"."IOT" VALUES (1, 'one'), (2, 'two');
SELECT pg_temp.expect('a row of an index-organized table', pg_temp.resolved('IOT', 'X', '|2') = 'two'),
       pg_temp.expect('has no ROWID', pg_temp.resolved('IOT', 'P$ROWID', '|2') = ''),
       pg_temp.expect('and none finds it', pg_temp.resolved('IOT', 'X', (SELECT "ROWID$" FROM "APP"."IOT" WHERE "ID" = 2)) = '') \g /dev/null

-- Requests.
SELECT pg_temp.ask('IOT', '|1', '|1', '|8') AS request \gset
SELECT pg_temp.expect('as many pointers as were asked, in slot 0', array_agg("P$PTR" ORDER BY "P$PTR") = '{1,2,3}' AND max("P$PREV") = 0 AND bool_and("KIND" = 'R'))
FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0 AND "P$PORTION" = :request \g /dev/null
SELECT pg_temp.expect('ASK_V is empty again', NOT EXISTS (SELECT FROM "ORAPULL"."ASK_V")) \g /dev/null
SELECT pg_temp.refused('identities of another table: ' || coalesce(i, 'NULL'), 'ORA-20807: ASK_V has identities of table%', format(
    'INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID") VALUES (%s); SELECT pg_temp.ask(''IOT'', ''|1'')', coalesce(i, 'NULL'))) FROM unnest('{1,NULL}'::text[]) i \g /dev/null
CALL "API"."DONE"('one', pg_temp.token('one'), :request);
SELECT pg_temp.expect('DONE drops them', NOT EXISTS (SELECT FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0 AND "P$PORTION" = :request)) \g /dev/null
SELECT pg_temp.refused('DONE again', 'ORA-20809:%', format('CALL "API"."DONE"(''one'', %s, %s)', pg_temp.token('one'), :request)) \g /dev/null
SELECT pg_temp.attach('one', 'check', NULL, 0) \g /dev/null
SELECT pg_temp.expect('ATTACH drops open requests', NOT EXISTS (SELECT FROM "ORAPULL"."POINTER_V" WHERE "P$SLOT" = 0)) \g /dev/null
