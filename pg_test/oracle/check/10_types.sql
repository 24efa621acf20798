-- COLUMN_V says of a table what Oracle's dictionary would say; CANDIDATE_V says what cannot be registered.
CREATE SCHEMA "APP";
CREATE TABLE "APP"."TYPES" (
    "A" numeric(10) PRIMARY KEY, "B" numeric(8, -2), "C" numeric, "D" varchar(30), "E" char(5), "F" text, "G" bytea,
    "H" timestamp(0), "I" timestamp(3), "J" timestamp, "K" timestamptz(2), "L" real, "M" double precision,
    "N" interval day to second (3), "O" interval year to month, "P" bytea NOT NULL, "Q" text
);
INSERT INTO "ORAPULL"."TYPE_OVERRIDE" VALUES
    ('APP', 'TYPES', 'P', 'RAW', 16, 0, NULL, NULL), ('APP', 'TYPES', 'Q', 'XMLTYPE', 2000, 0, NULL, NULL),
    ('APP', 'FILES', 'F', 'BFILE', 530, 0, NULL, NULL);
CREATE TABLE "APP"."FILES" ("A" numeric, "F" text);
CREATE TABLE "APP"."RESERVED" ("A" numeric, "P$A" numeric);
CREATE TABLE "APP"."NO_ROWID" ("A" numeric);
CREATE TABLE "APP"."INTEGERS" ("A" integer);
SELECT "TEST"."ADD_ROWID"('APP', t) FROM unnest('{TYPES,FILES,RESERVED,INTEGERS}'::text[]) t \g /dev/null
SELECT format('CREATE TABLE "APP"."HUGE" (%s)', string_agg(format('"C%s" numeric', i), ', ')) FROM generate_series(1, 991) i \gexec
SELECT "TEST"."ADD_ROWID"('APP', 'HUGE') \g /dev/null

DO $$
DECLARE
    l_expected text[] := '{
        A NUMBER 22 0 10 0 N 1, B NUMBER 22 0 8 -2 Y -, C NUMBER 22 0 - - Y -, D VARCHAR2 120 30 - - Y -, E CHAR 20 5 - - Y -,
        F CLOB 4000 0 - - Y -, G BLOB 4000 0 - - Y -, H DATE 7 0 - - Y -, I TIMESTAMP(3) 11 0 - 3 Y -, J TIMESTAMP(6) 11 0 - 6 Y -,
        K TIMESTAMP(2) WITH TIME ZONE 13 0 - 2 Y -, L BINARY_FLOAT 4 0 - - Y -, M BINARY_DOUBLE 8 0 - - Y -,
        N INTERVAL DAY(9) TO SECOND(3) 11 0 9 3 Y -, O INTERVAL YEAR(9) TO MONTH 5 0 9 0 Y -, P RAW 16 0 - - N -, Q XMLTYPE 2000 0 - - Y -
    }';
    l_found text[];
    l_table bigint;
BEGIN
    PERFORM "API"."ATTACH"('one', 'check', NULL, 0);
    l_table := pg_temp.register('TYPES', 'AUTO');
    SELECT array_agg(concat_ws(' ', "COLUMN_NAME", "DATA_TYPE", "DATA_LENGTH", "CHAR_LENGTH", coalesce("DATA_PRECISION"::text, '-'),
                               coalesce("DATA_SCALE"::text, '-'), "NULLABLE", coalesce("KEY_POSITION"::text, '-')) ORDER BY "POSITION")
    INTO l_found FROM "ORAPULL"."COLUMN_V" WHERE "TABLE_ID" = l_table;
    PERFORM pg_temp.expect(format('types are Oracle''s: %s', l_found), l_found = l_expected);
    PERFORM pg_temp.expect('ROWID$ is only P$ROWID', (
        SELECT array_agg(attname::text ORDER BY attnum) FILTER (WHERE attnum <= 6) = '{P$SLOT,P$PORTION,P$PTR,P$PREV,P$ROWID,A}'
           AND count(*) = 22
        FROM pg_attribute WHERE attrelid = format('"ORAPULL".%I', 'PULL_' || l_table)::regclass));
    PERFORM pg_temp.expect('ROWIDs look like Oracle''s', "ORAPULL"."NEW_ROWID"() ~ '^[A-Za-z0-9+/]{18}$'
        AND "ORAPULL"."NEW_ROWID"() <> "ORAPULL"."NEW_ROWID"());
END
$$;

DO $$
DECLARE
    r record;
BEGIN
    PERFORM pg_temp.expect('a good candidate has no reason',
        (SELECT "REASON" IS NULL FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'TYPES'));
    FOR r IN SELECT * FROM (VALUES ('FILES', '%"F": type BFILE is not supported'), ('RESERVED', '%"P$A"%reserved'),
                            ('NO_ROWID', '%no ROWID%'), ('INTEGERS', '%type INTEGER is not supported'), ('HUGE', '%991 columns%'))
                    AS v (name, reason) LOOP
        PERFORM pg_temp.expect(r.name || ' is no candidate',
            (SELECT "REASON" LIKE r.reason FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = r.name));
        PERFORM pg_temp.refused(r.name || ' is refused', 'ORA-20806: table "APP"."' || r.name || r.reason,
            format('SELECT pg_temp.register(%L, %L)', r.name, 'AUTO'));
    END LOOP;
    PERFORM pg_temp.refused('an unknown table', 'ORA-20806: % does not exist', $q$SELECT pg_temp.register('NOTHING', 'AUTO')$q$);
END
$$;

DROP TABLE "APP"."FILES", "APP"."RESERVED", "APP"."NO_ROWID", "APP"."INTEGERS", "APP"."HUGE";
