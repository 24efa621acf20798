-- The dictionary, as tables look and as a test says.
SELECT "TEST"."RESET"();
CREATE TABLE "APP"."TYPES" (
    "A" numeric(10) PRIMARY KEY, "B" numeric(8, -2), "C" numeric, "D" varchar(30) NOT NULL UNIQUE, "E" char(5), "F" text, "G" bytea,
    "H" timestamp(0), "I" timestamp(3), "J" timestamptz(2), "K" real, "L" bytea, "M" numeric,
        "N" numeric GENERATED ALWAYS AS ("A" + 1) STORED,
    "O" text, "P" numeric UNIQUE
);
CREATE TABLE "APP"."CHILD" ("A" numeric(10) REFERENCES "APP"."TYPES" ON DELETE CASCADE, "LITTLE" integer);
SELECT "TEST"."ADD_ROWID"('APP', t) FROM unnest('{TYPES,CHILD}'::text[]) t;
SELECT "TEST"."SAY"('TYPES', 'L', '{"DATA_TYPE": "RAW", "DATA_LENGTH": 16}'), "TEST"."SAY"('TYPES', 'M', '{"HIDDEN_COLUMN": "YES"}'),
       "TEST"."SAY"('TYPES', 'O', '{"DATA_TYPE": "T_ADDRESS", "DATA_TYPE_OWNER": "APP"}');

SELECT pg_temp.same('columns', (
    SELECT string_agg(concat_ws(' ', coalesce("COLUMN_ID"::text, '-'), "COLUMN_NAME", "DATA_TYPE",
        coalesce("DATA_TYPE_OWNER", '-'), "DATA_LENGTH", "CHAR_LENGTH", coalesce("CHAR_USED", '-'),
        coalesce("DATA_PRECISION"::text, '-'), coalesce("DATA_SCALE"::text, '-'), "NULLABLE", "HIDDEN_COLUMN",
            "VIRTUAL_COLUMN"), ', ' ORDER BY "INTERNAL_COLUMN_ID")
    FROM "SYS"."DBA_TAB_COLS" WHERE "OWNER" = 'APP' AND "TABLE_NAME" = 'TYPES'),
    '1 A NUMBER - 22 0 - 10 0 N NO NO, 2 B NUMBER - 22 0 - 8 -2 Y NO NO, 3 C NUMBER - 22 0 - - - Y NO NO, 4 D VARCHAR2 - 120 30 C - - N NO NO, '
    '5 E CHAR - 20 5 C - - Y NO NO, 6 F CLOB - 4000 0 - - - Y NO NO, 7 G BLOB - 4000 0 - - - Y NO NO, 8 H DATE - 7 0 - - - Y NO NO, '
    '9 I TIMESTAMP(3) - 11 0 - - 3 Y NO NO, 10 J TIMESTAMP(2) WITH TIME ZONE - 13 0 - - 2 Y NO NO, 11 K BINARY_FLOAT - 4 0 - - - Y NO NO, '
    '12 L RAW - 16 0 - - - Y NO NO, - M NUMBER - 22 0 - - - Y YES NO, 13 N NUMBER - 22 0 - - - Y NO YES, 14 O T_ADDRESS APP 0 0 - - - Y NO NO, '
    '15 P NUMBER - 22 0 - - - Y NO NO');
SELECT pg_temp.same('columns that are not hidden',
    (SELECT count(*)::text FROM "SYS"."DBA_TAB_COLUMNS" WHERE "OWNER" = 'APP' AND "TABLE_NAME" = 'TYPES'), '15');
SELECT pg_temp.same('a type nobody knows', (SELECT "DATA_TYPE" FROM "SYS"."DBA_TAB_COLUMNS" WHERE "COLUMN_NAME" = 'LITTLE'), 'INTEGER');

SELECT pg_temp.same('keys', (
    SELECT string_agg(concat_ws(' ', "TABLE_NAME", "CONSTRAINT_TYPE", "STATUS", "VALIDATED", "DEFERRABLE",
        coalesce("R_CONSTRAINT_NAME", '-')), ', ' ORDER BY "TABLE_NAME" DESC, "CONSTRAINT_NAME")
    FROM "SYS"."DBA_CONSTRAINTS" WHERE "OWNER" = 'APP'),
    'TYPES U ENABLED VALIDATED NOT DEFERRABLE -, TYPES U ENABLED VALIDATED NOT DEFERRABLE -, TYPES P ENABLED VALIDATED NOT DEFERRABLE -, CHILD R ENABLED VALIDATED NOT DEFERRABLE TYPES_pkey');
SELECT pg_temp.same('their columns', (SELECT string_agg(concat_ws(' ', "CONSTRAINT_NAME", "COLUMN_NAME", "POSITION"), ', '
    ORDER BY "CONSTRAINT_NAME") FROM "SYS"."DBA_CONS_COLUMNS" WHERE "OWNER" = 'APP'),
    'CHILD_A_fkey A 1, TYPES_D_key D 1, TYPES_P_key P 1, TYPES_pkey A 1');
SELECT pg_temp.same('their indexes', (SELECT string_agg(concat_ws(' ', "INDEX_NAME", "UNIQUENESS", "INDEX_TYPE"), ', ' ORDER BY "INDEX_NAME")
    FROM "SYS"."DBA_INDEXES" WHERE "OWNER" = 'APP'),
    'TYPES_D_key UNIQUE NORMAL, TYPES_P_key UNIQUE NORMAL, TYPES_pkey UNIQUE NORMAL');
INSERT INTO "SYS"."CONSTRAINT_OVERRIDE" VALUES ('APP', 'TYPES_pkey', 'DISABLED', 'NOT VALIDATED', NULL, 'RELY');
SELECT pg_temp.same('a key as told', (SELECT concat_ws(' ', "STATUS", "VALIDATED", "DEFERRABLE", "RELY")
    FROM "SYS"."DBA_CONSTRAINTS" WHERE "CONSTRAINT_NAME" = 'TYPES_pkey'),
    'DISABLED NOT VALIDATED NOT DEFERRABLE RELY');

-- Keys are logged unless a test says otherwise; of a unique key all columns must be NOT NULL.
CREATE FUNCTION pg_temp.logged() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws(' ', g."LOG_GROUP_TYPE", g."ALWAYS", c."COLUMN_NAME"), ', '
    ORDER BY concat_ws(' ', g."LOG_GROUP_TYPE", c."COLUMN_NAME"))
FROM "SYS"."DBA_LOG_GROUPS" g LEFT JOIN "SYS"."DBA_LOG_GROUP_COLUMNS" c ON c."OWNER" = g."OWNER" AND c."LOG_GROUP_NAME" = g."LOG_GROUP_NAME"
WHERE g."OWNER" = 'APP' AND g."TABLE_NAME" = 'TYPES'
$$;
SELECT pg_temp.same('both keys are logged', pg_temp.logged(), 'PRIMARY KEY LOGGING ALWAYS, USER LOG GROUP ALWAYS D');
SELECT "TEST"."SAY"('TYPES', '{"SUPPLEMENTAL": "NONE", "LOGGING": "NO", "NUM_ROWS": 12, "IOT_TYPE": "IOT", "CLUSTER_NAME": "C", "TEMPORARY": "Y"}');
SELECT pg_temp.same('nothing is logged', pg_temp.logged(), NULL);
SELECT pg_temp.same('a table as told', (SELECT concat_ws(' ', "LOGGING", "NUM_ROWS", "IOT_TYPE", "CLUSTER_NAME", "TEMPORARY",
    "PARTITIONED") FROM "SYS"."DBA_TABLES" WHERE "TABLE_NAME" = 'TYPES'),
    'NO 12 IOT C Y NO');
SELECT pg_temp.same('its key is the table', (SELECT "INDEX_TYPE" FROM "SYS"."DBA_INDEXES" WHERE "INDEX_NAME" = 'TYPES_pkey'), 'IOT - TOP');
SELECT "TEST"."SAY"('TYPES', '{"SUPPLEMENTAL": "UNIQUE"}');
SELECT pg_temp.same('conditionally', pg_temp.logged(), 'UNIQUE KEY LOGGING CONDITIONAL');
SELECT "TEST"."SAY"('TYPES', '{"SUPPLEMENTAL": "ALL"}');
INSERT INTO "SYS"."LOG_GROUP" ("OWNER", "LOG_GROUP_NAME", "TABLE_NAME", "COLUMNS") VALUES ('APP', 'G', 'TYPES', '{B,C}');
SELECT pg_temp.same('everything, and a group', pg_temp.logged(),
    'ALL COLUMN LOGGING ALWAYS, USER LOG GROUP ALWAYS B, USER LOG GROUP ALWAYS C');

SELECT pg_temp.same('LOBs', (SELECT string_agg(l."COLUMN_NAME" || ' ' || (l."SEGMENT_NAME" = o."OBJECT_NAME") || ' ' || o."OBJECT_TYPE", ', ' ORDER BY l."COLUMN_NAME")
    FROM "SYS"."DBA_LOBS" l JOIN "SYS"."DBA_OBJECTS" o ON o."OWNER" = l."OWNER" AND o."OBJECT_NAME" = l."SEGMENT_NAME"
        WHERE l."TABLE_NAME" = 'TYPES'), 'F true LOB, G true LOB');

-- Partitions and subpartitions belong to their table; each has numbers of its own.
CREATE TABLE "APP"."PARTED" ("ID" numeric PRIMARY KEY, "V" text) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."PARTED_1" PARTITION OF "APP"."PARTED" FOR VALUES FROM (0) TO (10);
CREATE TABLE "APP"."PARTED_2" PARTITION OF "APP"."PARTED" FOR VALUES FROM (10) TO (20) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."PARTED_2A" PARTITION OF "APP"."PARTED_2" FOR VALUES FROM (10) TO (15);
SELECT "TEST"."ADD_ROWID"('APP', 'PARTED');
SELECT pg_temp.same('a partitioned table', (SELECT concat_ws(' ', "PARTITIONED", coalesce("LOGGING", '-'))
    FROM "SYS"."DBA_TABLES" WHERE "TABLE_NAME" = 'PARTED'), 'YES -');
SELECT pg_temp.same('its partitions are no tables',
    (SELECT count(*)::text FROM "SYS"."DBA_TABLES" WHERE "TABLE_NAME" LIKE 'PARTED%'), '1');
SELECT pg_temp.same('its partitions', (SELECT string_agg("PARTITION_NAME" || ' ' || "SUBPARTITION_COUNT", ', '
    ORDER BY "PARTITION_POSITION") FROM "SYS"."DBA_TAB_PARTITIONS"), 'PARTED_1 0, PARTED_2 1');
SELECT pg_temp.same('its subpartitions', (SELECT string_agg("PARTITION_NAME" || ' ' || "SUBPARTITION_NAME", ', ')
    FROM "SYS"."DBA_TAB_SUBPARTITIONS"), 'PARTED_2 PARTED_2A');
SELECT pg_temp.same('its objects', (SELECT string_agg(concat_ws(' ', "OBJECT_TYPE", "SUBOBJECT_NAME",
    "DATA_OBJECT_ID" IS NULL), ', ' ORDER BY "SUBOBJECT_NAME" NULLS FIRST)
    FROM "SYS"."DBA_OBJECTS" WHERE "OBJECT_NAME" = 'PARTED'),
        'TABLE t, TABLE PARTITION PARTED_1 f, TABLE PARTITION PARTED_2 t, TABLE SUBPARTITION PARTED_2A f');

-- Redo of a table that is altered or dropped since.
SELECT "TEST"."INSERT"(1, 'TYPES', '{"A": 1}', 100, 'AAAAAAAAAAAAAAAAAB'),
    "TEST"."INSERT"(1, 'CHILD', '{"A": 1}', 110, 'AAAAAAAAAAAAAAAAAC');
SELECT "TEST"."COMMIT"(1, 120), "TEST"."DDL"(2, 'TYPES', 'ALTER TABLE types ADD q NUMBER', 130,
    p_live => 'ALTER TABLE "APP"."TYPES" ADD "Q" numeric');
SELECT "TEST"."INSERT"(3, 'TYPES', '{"A": 2}', 140), "TEST"."COMMIT"(3, 150), "TEST"."ADVANCE"(200);
SELECT pg_temp.same('a change of the dictionary is seen',
    (SELECT string_agg("OBJECT_NAME", ' ') FROM "SYS"."DBA_OBJECTS" WHERE "OBJECT_TYPE" = 'TABLE'
        AND "LAST_DDL_TIME" > timestamp '2021-01-01'), 'TYPES');
CREATE TEMPORARY TABLE child_number AS SELECT '"APP"."CHILD"'::regclass::oid::bigint AS number;
DROP TABLE "APP"."CHILD";
SELECT pg_temp.same('rows of another version, of a dropped table, of now', pg_temp.mined(100, 160, 16, $q$CASE "OPERATION_CODE" WHEN 1 THEN
    concat_ws('/', "SEG_OWNER", replace("TABLE_NAME", (SELECT number::text FROM child_number), 'n'), "STATUS",
        right("ROW_ID", 1), coalesce("REDO_VALUE"::text, '-'),
              CASE WHEN "DATA_OBJ#" = (SELECT number FROM child_number) THEN 'n' END) END$q$),
    'APP/TYPES/2/B/- UNKNOWN/OBJ# n/2/C/-/n APP/TYPES/0/' || right((SELECT "ROW_ID" FROM "SYS"."REDO" WHERE "SCN" = 140
        AND "OPERATION_CODE" = 1), 1) || '/{"APP.TYPES.A": 2}');
SELECT pg_temp.same('DDL has a text', pg_temp.mined(130, 131, 16, '"SQL_REDO" || ''/'' || "INFO" || ''/'' || "TABLE_NAME"'),
    'ALTER TABLE types ADD q NUMBER/USER DDL (PlSql=0 RecDep=0)/TYPES');

-- A reset forgets what tests said.
SELECT "TEST"."RESET"();
SELECT pg_temp.same('nothing is told any more', (SELECT concat_ws(' ', "LOGGING", coalesce("IOT_TYPE", '-'),
    (SELECT "HIDDEN_COLUMN" FROM "SYS"."DBA_TAB_COLS" WHERE "TABLE_NAME" = 'TYPES' AND "COLUMN_NAME" = 'M'))
    FROM "SYS"."DBA_TABLES" WHERE "TABLE_NAME" = 'TYPES'), 'YES - NO');
DROP TABLE "APP"."TYPES", "APP"."PARTED";
