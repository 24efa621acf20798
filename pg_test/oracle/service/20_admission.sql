-- What cannot be registered, each with its reason and what mends it. CANDIDATE_V says the same as REGISTER_TABLE.
CREATE TABLE "APP"."GOOD" ("ID" numeric(10) PRIMARY KEY, "X" varchar(10));
CREATE TABLE "APP"."FILES" ("ID" numeric PRIMARY KEY, "F" text);
CREATE TABLE "APP"."RESERVED" ("ID" numeric PRIMARY KEY, "P$A" numeric);
CREATE TABLE "APP"."INTEGERS" ("ID" numeric PRIMARY KEY, "A" integer);
CREATE TABLE "APP"."A_TABLE_WITH_A_NAME_OF_31_BYTES" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."LONG_COLUMN" ("ID" numeric PRIMARY KEY, "A_COLUMN_WITH_A_NAME_OF_31_BYTE" numeric);
CREATE TABLE "APP"."POINT.ED" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."TEMPORARY" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."CLUSTERED" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."EXTERNAL" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."UNLOGGED" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."KEY_NOT_LOGGED" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."UNIQUE_NOT_LOGGED" ("B" numeric NOT NULL, "A" numeric NOT NULL, CONSTRAINT "AB" UNIQUE ("A", "B"));
CREATE TABLE "APP"."KEY_DISABLED" ("ID" numeric, CONSTRAINT "OFF_PK" PRIMARY KEY ("ID"));
CREATE TABLE "APP"."POLICED" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."REDACTED" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."ARCHIVAL" ("ID" numeric PRIMARY KEY, "ORA_ARCHIVE_STATE" varchar(10));
CREATE TABLE "APP"."UNREADABLE" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."IOT_WITHOUT_KEY" ("ID" double precision PRIMARY KEY);
CREATE TABLE "APP"."MLOG$_GOOD" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."STORES_NESTED" ("ID" numeric PRIMARY KEY);
CREATE TABLE "APP"."POINT_KEY" ("ID" numeric(5) NOT NULL, "A.B" numeric(5), PRIMARY KEY ("ID", "A.B"));
CREATE TABLE "APP"."QUOTE_KEY" ("A""B" numeric PRIMARY KEY);
CREATE TABLE "APP"."OBJECTS" ("ID" numeric PRIMARY KEY, "O" text);
CREATE TABLE "APP"."VARRAYS" ("ID" numeric PRIMARY KEY, "O" text);
CREATE TABLE "APP"."NESTED" ("ID" numeric PRIMARY KEY, "O" text);
CREATE TABLE "APP"."TYPE_OF_A_USER" ("ID" numeric PRIMARY KEY, "O" text);
CREATE TABLE "APP"."INVISIBLE_FILES" ("ID" numeric PRIMARY KEY, "F" text);
CREATE TABLE "APP"."INVISIBLE_NAME" ("ID" numeric PRIMARY KEY, "A_COLUMN_WITH_A_NAME_OF_31_BYTE" numeric);
CREATE TABLE "APP"."LOB_UNLOGGED" ("ID" numeric PRIMARY KEY, "L" text);
CREATE TABLE "APP"."PART_UNLOGGED" ("ID" numeric PRIMARY KEY) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."PART_ONE" PARTITION OF "APP"."PART_UNLOGGED" FOR VALUES FROM (0) TO (9);
CREATE TABLE "APP"."SUB_UNLOGGED" ("ID" numeric PRIMARY KEY) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."SUB_PART" PARTITION OF "APP"."SUB_UNLOGGED" FOR VALUES FROM (0) TO (9) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."SUB_ONE" PARTITION OF "APP"."SUB_PART" FOR VALUES FROM (0) TO (5);
CREATE TABLE "APP"."LOB_PART_UNLOGGED" ("ID" numeric PRIMARY KEY, "L" text) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."LOB_PART" PARTITION OF "APP"."LOB_PART_UNLOGGED" FOR VALUES FROM (0) TO (9);
CREATE TABLE "APP"."LOB_SUB_UNLOGGED" ("ID" numeric PRIMARY KEY, "L" text) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."LOB_SUB_PART" PARTITION OF "APP"."LOB_SUB_UNLOGGED" FOR VALUES FROM (0) TO (9) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."LOB_SUB" PARTITION OF "APP"."LOB_SUB_PART" FOR VALUES FROM (0) TO (5);
SELECT format('CREATE TABLE "APP"."HUGE" (%s)', string_agg(format('"C%s" numeric', i), ', ')) FROM generate_series(1, 991) i \gexec
SELECT "TEST"."ADD_ROWID"('APP', relname) FROM pg_class WHERE relnamespace = '"APP"'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition \g /dev/null
SELECT "TEST"."SAY"('FILES', 'F', '{"DATA_TYPE": "BFILE", "DATA_LENGTH": 530, "CHAR_LENGTH": 0}'), "TEST"."SAY"('TEMPORARY', '{"TEMPORARY": "Y"}'),
       "TEST"."SAY"('CLUSTERED', '{"CLUSTER_NAME": "C"}'), "TEST"."SAY"('EXTERNAL', '{"EXTERNAL": "YES"}'), "TEST"."SAY"('UNLOGGED', '{"LOGGING": "NO"}'),
       "TEST"."SAY"('KEY_NOT_LOGGED', '{"SUPPLEMENTAL": "NONE"}'), "TEST"."SAY"('UNIQUE_NOT_LOGGED', '{"SUPPLEMENTAL": "UNIQUE"}'),
       "TEST"."SAY"('ARCHIVAL', 'ORA_ARCHIVE_STATE', '{"HIDDEN_COLUMN": "YES"}'), "TEST"."SAY"('IOT_WITHOUT_KEY', '{"IOT_TYPE": "IOT"}'),
       "TEST"."SAY"('STORES_NESTED', '{"NESTED": "YES"}'), "TEST"."SAY"('OBJECTS', 'O', '{"DATA_TYPE": "ADDRESS", "DATA_TYPE_OWNER": "APP"}'),
       "TEST"."SAY"('VARRAYS', 'O', '{"DATA_TYPE": "NUMBERS", "DATA_TYPE_OWNER": "APP"}'), "TEST"."SAY"('NESTED', 'O', '{"DATA_TYPE": "NUMBER_LIST", "DATA_TYPE_OWNER": "APP"}'),
       "TEST"."SAY"('TYPE_OF_A_USER', 'O', '{"DATA_TYPE": "JSON", "DATA_TYPE_OWNER": "APP"}'),
       "TEST"."SAY"('INVISIBLE_FILES', 'F', '{"DATA_TYPE": "BFILE", "DATA_LENGTH": 530, "HIDDEN_COLUMN": "YES"}'),
       "TEST"."SAY"('INVISIBLE_NAME', 'A_COLUMN_WITH_A_NAME_OF_31_BYTE', '{"HIDDEN_COLUMN": "YES"}'),
       "TEST"."SAY"('LOB_UNLOGGED', 'L', '{"LOGGING": "NO"}'), "TEST"."SAY"('PART_ONE', '{"LOGGING": "NO"}'), "TEST"."SAY"('SUB_ONE', '{"LOGGING": "NO"}'),
       "TEST"."SAY"('LOB_PART', 'L', '{"LOGGING": "NO"}'), "TEST"."SAY"('LOB_SUB', 'L', '{"LOGGING": "NO"}') \g /dev/null
INSERT INTO "SYS"."CONSTRAINT_OVERRIDE" ("OWNER", "CONSTRAINT_NAME", "STATUS", "VALIDATED") VALUES ('APP', 'OFF_PK', 'DISABLED', 'NOT VALIDATED');
INSERT INTO "SYS"."DBA_POLICIES" ("OBJECT_OWNER", "OBJECT_NAME", "POLICY_NAME") VALUES ('APP', 'POLICED', 'HIDES');
INSERT INTO "SYS"."REDACTION_POLICIES" ("OBJECT_OWNER", "OBJECT_NAME", "POLICY_NAME") VALUES ('APP', 'REDACTED', 'MASKS');
INSERT INTO "SYS"."REVOKED" VALUES ('APP', 'UNREADABLE');

CREATE TEMP TABLE reason (name text, reason text, still_rowid boolean DEFAULT false);
INSERT INTO reason VALUES
    ('FILES', 'column "F": type BFILE is not supported'), ('RESERVED', 'column "P$A": %reserved'), ('INTEGERS', 'column "A": type INTEGER is not supported'),
    ('A_TABLE_WITH_A_NAME_OF_31_BYTES', '%more than 30 bytes%'), ('LONG_COLUMN', 'column "A_COLUMN%more than 30 bytes%'),
    ('OBJECTS', 'column "O": type "APP"."ADDRESS" is not supported'), ('VARRAYS', 'column "O": type "APP"."NUMBERS" is not supported'),
    ('NESTED', 'column "O": type "APP"."NUMBER_LIST" is not supported'), ('TYPE_OF_A_USER', 'column "O": type "APP"."JSON" is not supported'),
    ('INVISIBLE_FILES', 'column "F": type BFILE is not supported'), ('INVISIBLE_NAME', 'column "A_COLUMN%more than 30 bytes%'),
    ('LOB_UNLOGGED', 'LOB column "L" is NOLOGGING: ALTER TABLE "APP"."LOB_UNLOGGED" MODIFY LOB ("L") (CACHE)%'),
    ('PART_UNLOGGED', 'partition "PART_ONE" is NOLOGGING: ALTER TABLE "APP"."PART_UNLOGGED" MODIFY PARTITION "PART_ONE" LOGGING%'),
    ('SUB_UNLOGGED', 'subpartition "SUB_ONE" is NOLOGGING: ALTER TABLE "APP"."SUB_UNLOGGED" MODIFY SUBPARTITION "SUB_ONE" LOGGING%'),
    ('LOB_PART_UNLOGGED', 'LOB column "L" in partition "LOB_PART" is NOLOGGING: %MODIFY PARTITION "LOB_PART" LOB ("L") (CACHE)%'),
    ('LOB_SUB_UNLOGGED', 'LOB column "L" in subpartition "LOB_SUB" is NOLOGGING: %MODIFY SUBPARTITION "LOB_SUB" LOB ("L") (CACHE)%'),
    ('TEMPORARY', 'it is temporary%'), ('CLUSTERED', 'it is in cluster "C"%'), ('EXTERNAL', 'it is external%'),
    ('UNLOGGED', 'it is NOLOGGING: ALTER TABLE "APP"."UNLOGGED" LOGGING%'), ('HUGE', 'it has 991 columns%'),
    ('POLICED', 'policy "HIDES" hides rows: GRANT EXEMPT ACCESS POLICY TO "ORAPULL"%'), ('REDACTED', 'redaction policy "MASKS" %'),
    ('ARCHIVAL', 'row archival%NO ROW ARCHIVAL'), ('UNREADABLE', '%GRANT SELECT ON "APP"."UNREADABLE" TO "ORAPULL" WITH GRANT OPTION'),
    ('IOT_WITHOUT_KEY', 'its rows have no ROWID%');
INSERT INTO reason VALUES
    ('KEY_NOT_LOGGED', 'the primary key is not logged: ALTER TABLE "APP"."KEY_NOT_LOGGED" ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY) COLUMNS', true),
    ('UNIQUE_NOT_LOGGED', 'the unique key "AB" is not logged: ALTER TABLE "APP"."UNIQUE_NOT_LOGGED" ADD SUPPLEMENTAL LOG GROUP "UNIQUE_NOT_LOGGED_ORAPULL" ("A", "B") ALWAYS', true),
    ('POINT.ED', 'the name of its owner, its own, or that of a column of its key has a point%register the table with identity ROWID', true),
    ('POINT_KEY', 'the name of its owner, its own, or that of a column of its key has a point%register the table with identity ROWID', true),
    ('KEY_DISABLED', 'the primary key "OFF_PK" is disabled, not validated: ALTER TABLE "APP"."KEY_DISABLED" ENABLE VALIDATE CONSTRAINT "OFF_PK"%', true);

SELECT pg_temp.expect(format('%s: "%s" is no reason like "%s"', r.name, c."REASON", r.reason), c."REASON" LIKE r.reason)
FROM reason r LEFT JOIN "ORAPULL"."CANDIDATE_V" c ON c."OWNER" = 'APP' AND c."TABLE_NAME" = r.name \g /dev/null
SELECT pg_temp.refused(name || ' is refused', format('ORA-20806: table "APP"."%s": %s', name, reason), format('SELECT pg_temp.register(%L)', name)) FROM reason \g /dev/null
SELECT pg_temp.expect('a good candidate has no reason', "REASON" IS NULL) FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'GOOD' \g /dev/null
SELECT pg_temp.expect('candidates are tables of users that can be meant', NOT EXISTS (
    SELECT FROM "ORAPULL"."CANDIDATE_V" WHERE "OWNER" <> 'APP' OR "TABLE_NAME" IN ('MLOG$_GOOD', 'STORES_NESTED', 'PART_ONE'))) \g /dev/null
SELECT pg_temp.refused('a table that is not there: ' || t, 'ORA-20806: %does not exist%', format('SELECT pg_temp.register(%L)', t)) FROM unnest('{NOTHING,MLOG$_GOOD,good}'::text[]) t \g /dev/null
SELECT pg_temp.refused('a table of orapull', 'ORA-20806: %orapull itself%', 'CALL "API"."REGISTER_TABLE"(''one'', pg_temp.token(''one''), ''ORAPULL'', ''SHARD'', ''AUTO'', NULL)') \g /dev/null
SELECT pg_temp.refused('no name', 'ORA-20806: %', format('CALL "API"."REGISTER_TABLE"(''one'', pg_temp.token(''one''), %s, ''AUTO'', NULL)', n))
FROM unnest(ARRAY['NULL, NULL', '''APP'', NULL', '''APP'', ''"''']) n \g /dev/null
SELECT pg_temp.refused('no identity: ' || i, 'ORA-20806: %none of AUTO, KEY, ROWID', format('SELECT pg_temp.register(''GOOD'', %L)', i)) FROM unnest('{key,NONE}'::text[]) i \g /dev/null
SELECT pg_temp.expect('nothing was registered', NOT EXISTS (SELECT FROM "ORAPULL"."TABLE_V")) \g /dev/null

-- A quote in a name cannot be in Oracle either.
SELECT pg_temp.expect('a quote is refused', "REASON" LIKE '%a point or a quote%') FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'QUOTE_KEY' \g /dev/null
-- The owner's name.
CREATE SCHEMA "AN_OWNER_WITH_NAME_OF_31_BYTES_";
CREATE TABLE "AN_OWNER_WITH_NAME_OF_31_BYTES_"."T" ("ID" numeric PRIMARY KEY);
CREATE SCHEMA "POINT.ED";
CREATE TABLE "POINT.ED"."T" ("ID" numeric PRIMARY KEY);
SELECT pg_temp.expect('an owner of 31 bytes', "REASON" LIKE 'the name of its owner or its own has more than 30 bytes%') FROM "ORAPULL"."CANDIDATE_V" WHERE "OWNER" LIKE 'AN_OWNER%' \g /dev/null
SELECT pg_temp.expect('an owner with a point', "REASON" LIKE '%has a point%') FROM "ORAPULL"."CANDIDATE_V" WHERE "OWNER" = 'POINT.ED' \g /dev/null
SELECT pg_temp.refused('of ' || o, 'ORA-20806: table "' || o || '"."T": the name of its owner%', format('CALL "API"."REGISTER_TABLE"(''one'', %s, %L, ''T'', ''AUTO'', NULL)', pg_temp.token('one'), o))
FROM unnest('{AN_OWNER_WITH_NAME_OF_31_BYTES_,POINT.ED}'::text[]) o \g /dev/null
SELECT pg_temp.refused('by ROWID too', 'ORA-20806: %more than 30 bytes%', format('CALL "API"."REGISTER_TABLE"(''one'', %s, ''AN_OWNER_WITH_NAME_OF_31_BYTES_'', ''T'', ''ROWID'', NULL)', pg_temp.token('one'))) \g /dev/null
DROP SCHEMA "AN_OWNER_WITH_NAME_OF_31_BYTES_" CASCADE;
DROP SCHEMA "POINT.ED" CASCADE;

-- What concerns the key is no reason against ROWID; an index-organized table has none.
SELECT pg_temp.register(name, 'ROWID') FROM reason WHERE name = 'KEY_NOT_LOGGED' \g /dev/null
SELECT pg_temp.register(name, 'ROWID') FROM reason WHERE name = 'KEY_DISABLED' \g /dev/null
SELECT pg_temp.register(name, 'ROWID') FROM reason WHERE name = 'POINT.ED' \g /dev/null
SELECT pg_temp.register(name, 'ROWID') FROM reason WHERE name = 'POINT_KEY' \g /dev/null
SELECT pg_temp.refused('by ROWID, what is no matter of the key: ' || name, 'ORA-20806: %', format('SELECT pg_temp.register(%L, ''ROWID'')', name)) FROM reason WHERE name IN ('OBJECTS', 'PART_UNLOGGED') \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('POINT.ED'));
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('POINT_KEY'));
SELECT pg_temp.expect('two of them by ROWID', count(*) = 2) FROM "ORAPULL"."TABLE_V" WHERE "IDENTITY" = 'ROWID' \g /dev/null
SELECT pg_temp.refused('KEY_DISABLED by key', 'ORA-20810:%', $q$SELECT pg_temp.register('KEY_DISABLED', 'KEY')$q$) \g /dev/null
CREATE TABLE "APP"."IOT" ("ID" numeric(10) PRIMARY KEY, "X" varchar(10));
SELECT "TEST"."ADD_ROWID"('APP', 'IOT'), "TEST"."SAY"('IOT', '{"IOT_TYPE": "IOT"}') \g /dev/null
SELECT pg_temp.refused('an index-organized table by ROWID', 'ORA-20806: %no ROWID%', $q$SELECT pg_temp.register('IOT', 'ROWID')$q$) \g /dev/null

-- The way out of each of the others.
INSERT INTO "SYS"."DBA_SYS_PRIVS" ("GRANTEE", "PRIVILEGE") VALUES ('ORAPULL', 'EXEMPT ACCESS POLICY'), ('ORAPULL', 'EXEMPT REDACTION POLICY');
UPDATE "SYS"."DATABASE" SET "FORCE_LOGGING" = 'YES';
SELECT pg_temp.expect('exempt, and forced logging', bool_and("REASON" IS NULL)) FROM "ORAPULL"."CANDIDATE_V"
WHERE "TABLE_NAME" IN ('POLICED', 'REDACTED', 'UNLOGGED', 'LOB_UNLOGGED', 'PART_UNLOGGED', 'SUB_UNLOGGED', 'LOB_PART_UNLOGGED', 'LOB_SUB_UNLOGGED') \g /dev/null
UPDATE "SYS"."DATABASE" SET "SUPPLEMENTAL_LOG_DATA_PK" = 'YES';
SELECT pg_temp.expect('primary keys logged by the database', bool_and(("REASON" IS NULL) = ("TABLE_NAME" = 'KEY_NOT_LOGGED')))
FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" IN ('KEY_NOT_LOGGED', 'UNIQUE_NOT_LOGGED') \g /dev/null
UPDATE "SYS"."DATABASE" SET "SUPPLEMENTAL_LOG_DATA_PK" = 'NO';
INSERT INTO "SYS"."LOG_GROUP" ("OWNER", "LOG_GROUP_NAME", "TABLE_NAME", "COLUMNS") VALUES ('APP', 'G', 'UNIQUE_NOT_LOGGED', '{A}');
SELECT pg_temp.expect('half a key logged is not enough', "REASON" IS NOT NULL) FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'UNIQUE_NOT_LOGGED' \g /dev/null
UPDATE "SYS"."LOG_GROUP" SET "COLUMNS" = '{A,B}';
SELECT pg_temp.expect('all of it is', "REASON" IS NULL) FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'UNIQUE_NOT_LOGGED' \g /dev/null
UPDATE "SYS"."LOG_GROUP" SET "ALWAYS" = 'CONDITIONAL';
SELECT pg_temp.expect('now and then is not', "REASON" IS NOT NULL) FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'UNIQUE_NOT_LOGGED' \g /dev/null
UPDATE "SYS"."DATABASE" SET "SUPPLEMENTAL_LOG_DATA_MIN" = 'NO';
SELECT pg_temp.expect('no supplemental log at all', "REASON" LIKE 'the database writes no supplemental log: ALTER DATABASE%') FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'GOOD' \g /dev/null
UPDATE "SYS"."DBA_SUPPLEMENTAL_LOGGING" SET "MINIMAL" = 'YES';
SELECT pg_temp.expect('but in this container', "REASON" IS NULL) FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'GOOD' \g /dev/null
UPDATE "SYS"."DBA_SUPPLEMENTAL_LOGGING" SET "MINIMAL" = 'NO';
UPDATE "SYS"."DATABASE" SET "SUPPLEMENTAL_LOG_DATA_MIN" = 'YES', "FORCE_LOGGING" = 'NO';
DELETE FROM "SYS"."DBA_SYS_PRIVS";

-- PREFLIGHT tells everything at once.
ALTER TABLE "APP"."UNLOGGED" ADD COLUMN "B" text;
SELECT "TEST"."SAY"('UNLOGGED', '{"LOGGING": "NO", "SUPPLEMENTAL": "NONE", "ROW_MOVEMENT": "ENABLED"}') \g /dev/null
SELECT pg_temp.expect('all findings: ' || f, f LIKE 'REFUSED: it is NOLOGGING%REFUSED: the primary key is not logged%WARNING: it has LOB%'
    AND array_length(string_to_array(f, E'\n'), 1) = 4) FROM "API"."PREFLIGHT"('APP', 'UNLOGGED') f \g /dev/null
INSERT INTO "SYS"."DBA_LOGSTDBY_UNSUPPORTED" ("OWNER", "TABLE_NAME", "COLUMN_NAME", "ATTRIBUTES", "DATA_TYPE")
VALUES ('APP', 'IOT', 'ID', 'IOT with Overflow', 'NUMBER'), ('APP', 'IOT', 'X', 'IOT with Overflow', 'VARCHAR2');
SELECT pg_temp.expect('what SQL Apply does not support: ' || f, f LIKE 'WARNING: Oracle counts it among%(DBA_LOGSTDBY_UNSUPPORTED: column "ID", NUMBER, IOT with Overflow)%'
    AND f NOT LIKE '%' || E'\n' || '%') FROM "API"."PREFLIGHT"('APP', 'IOT') f \g /dev/null
SELECT pg_temp.expect('is no reason', "REASON" IS NULL) FROM "ORAPULL"."CANDIDATE_V" WHERE "TABLE_NAME" = 'IOT' \g /dev/null
SELECT pg_temp.expect('none', "API"."PREFLIGHT"('APP', 'GOOD') IS NULL),
       pg_temp.expect('of nothing', "API"."PREFLIGHT"('APP', 'NOTHING') LIKE 'REFUSED: the table does not exist%') \g /dev/null
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('KEY_NOT_LOGGED'));
CALL "API"."DROP_TABLE"('one', pg_temp.token('one'), pg_temp.table_id('KEY_DISABLED'));
-- The fewer tables there are, the faster the dictionary answers.
DROP TABLE "APP"."POINT_KEY", "APP"."QUOTE_KEY", "APP"."OBJECTS", "APP"."VARRAYS", "APP"."NESTED", "APP"."TYPE_OF_A_USER", "APP"."INVISIBLE_FILES",
    "APP"."INVISIBLE_NAME", "APP"."LOB_UNLOGGED", "APP"."PART_UNLOGGED", "APP"."SUB_UNLOGGED", "APP"."LOB_PART_UNLOGGED", "APP"."LOB_SUB_UNLOGGED", "APP"."HUGE" CASCADE;
