-- The dictionary: tables, columns, keys, as pg_catalog has them. "ROWID$" plays the pseudo column and is never shown.

CREATE VIEW "SYS"."RELATION" AS
SELECT c.oid AS relation, n.nspname::text AS owner, c.relname::text AS name, c.relkind = 'p' AS partitioned, c.reltuples
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND n.nspname ~ '^(?!C##)[A-Z][A-Z0-9_$#.]*$' AND n.nspname NOT IN ('SYS', 'TEST');
COMMENT ON VIEW "SYS"."RELATION" IS 'Tables of the source, and those of orapull';

CREATE VIEW "SYS"."DBA_TABLES" AS
SELECT r.owner AS "OWNER", r.name AS "TABLE_NAME",
    coalesce(o."TABLESPACE_NAME", CASE WHEN NOT r.partitioned THEN 'USERS' END) AS "TABLESPACE_NAME",
       o."CLUSTER_NAME", o."IOT_NAME", 'VALID'::text AS "STATUS",
       coalesce(o."LOGGING", CASE WHEN NOT r.partitioned THEN 'YES' END) AS "LOGGING",
       coalesce(o."NUM_ROWS", CASE WHEN r.reltuples >= 0 THEN r.reltuples::numeric END) AS "NUM_ROWS",
       CASE WHEN r.partitioned THEN 'YES' ELSE 'NO' END AS "PARTITIONED", o."IOT_TYPE",
       coalesce(o."TEMPORARY", 'N') AS "TEMPORARY", coalesce(o."SECONDARY", 'N') AS "SECONDARY", coalesce(o."NESTED", 'NO') AS "NESTED",
       coalesce(o."ROW_MOVEMENT", 'DISABLED') AS "ROW_MOVEMENT", coalesce(o."COMPRESSION", 'DISABLED') AS "COMPRESSION",
       coalesce(o."DROPPED", 'NO') AS "DROPPED", coalesce(o."READ_ONLY", 'NO') AS "READ_ONLY", coalesce(o."EXTERNAL", 'NO') AS "EXTERNAL"
FROM "SYS"."RELATION" r
LEFT JOIN "SYS"."TABLE_OVERRIDE" o ON o."OWNER" = r.owner AND o."TABLE_NAME" = r.name;
COMMENT ON VIEW "SYS"."DBA_TABLES" IS 'Tables';

CREATE VIEW "SYS"."DBA_TAB_COLS" AS
SELECT r.owner AS "OWNER", r.name AS "TABLE_NAME", a.attname::text AS "COLUMN_NAME",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_TYPE" ELSE o."DATA_TYPE" END AS "DATA_TYPE", o."DATA_TYPE_OWNER",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_LENGTH" ELSE coalesce(o."DATA_LENGTH", 0) END::numeric AS "DATA_LENGTH",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_PRECISION" ELSE o."DATA_PRECISION" END::numeric AS "DATA_PRECISION",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_SCALE" ELSE o."DATA_SCALE" END::numeric AS "DATA_SCALE",
       CASE WHEN a.attnotnull THEN 'N' ELSE 'Y' END AS "NULLABLE",
       CASE WHEN coalesce(o."HIDDEN_COLUMN", 'NO') = 'NO' THEN (
           SELECT count(*) FROM pg_catalog.pg_attribute b
           LEFT JOIN "SYS"."COLUMN_OVERRIDE" h ON h."OWNER" = r.owner AND h."TABLE_NAME" = r.name AND h."COLUMN_NAME" = b.attname
           WHERE b.attrelid = r.relation AND b.attnum BETWEEN 1 AND a.attnum AND NOT b.attisdropped AND b.attname <> 'ROWID$'
             AND coalesce(h."HIDDEN_COLUMN", 'NO') = 'NO'
       ) END::numeric AS "COLUMN_ID",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."CHAR_LENGTH" ELSE coalesce(o."CHAR_LENGTH", 0) END::numeric AS "CHAR_LENGTH",
       coalesce(o."CHAR_USED", CASE WHEN o."DATA_TYPE" IS NULL AND d."CHAR_LENGTH" > 0 THEN 'C' END) AS "CHAR_USED",
       coalesce(o."HIDDEN_COLUMN", 'NO') AS "HIDDEN_COLUMN",
       coalesce(o."VIRTUAL_COLUMN", CASE a.attgenerated WHEN '' THEN 'NO' ELSE 'YES' END) AS "VIRTUAL_COLUMN",
       a.attnum::numeric AS "INTERNAL_COLUMN_ID", a.attnum::numeric AS "SEGMENT_COLUMN_ID", 'YES'::text AS "USER_GENERATED",
       CASE a.attidentity WHEN '' THEN 'NO' ELSE 'YES' END AS "IDENTITY_COLUMN"
FROM "SYS"."RELATION" r
JOIN pg_catalog.pg_attribute a ON a.attrelid = r.relation
CROSS JOIN LATERAL "SYS"."ORACLE_TYPE"(a.atttypid, a.atttypmod) d
LEFT JOIN "SYS"."COLUMN_OVERRIDE" o ON o."OWNER" = r.owner AND o."TABLE_NAME" = r.name AND o."COLUMN_NAME" = a.attname
WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'ROWID$';
COMMENT ON VIEW "SYS"."DBA_TAB_COLS" IS 'Columns, hidden ones too';

CREATE VIEW "SYS"."DBA_TAB_COLUMNS" AS
SELECT "OWNER", "TABLE_NAME", "COLUMN_NAME", "DATA_TYPE", "DATA_TYPE_OWNER", "DATA_LENGTH", "DATA_PRECISION", "DATA_SCALE", "NULLABLE",
       "COLUMN_ID", "CHAR_LENGTH", "CHAR_USED", "IDENTITY_COLUMN"
FROM "SYS"."DBA_TAB_COLS"
WHERE "HIDDEN_COLUMN" = 'NO';
COMMENT ON VIEW "SYS"."DBA_TAB_COLUMNS" IS 'Columns that are not hidden; as in Oracle it does not say which are virtual, DBA_TAB_COLS does';

CREATE VIEW "SYS"."CONSTRAINT_COLUMN" AS
SELECT k.oid AS constraint_oid, r.relation, r.owner, r.name AS table_name, k.conname::text AS name, k.contype AS type,
    k.confrelid, k.conindid,
       k.condeferrable, k.convalidated, i.n AS position, a.attname::text AS column_name, a.attnotnull
FROM "SYS"."RELATION" r
JOIN pg_catalog.pg_constraint k ON k.conrelid = r.relation
CROSS JOIN LATERAL pg_catalog.unnest(k.conkey) WITH ORDINALITY i (attnum, n)
JOIN pg_catalog.pg_attribute a ON a.attrelid = r.relation AND a.attnum = i.attnum
WHERE k.contype IN ('p', 'u', 'f', 'c') AND a.attname <> 'ROWID$';
COMMENT ON VIEW "SYS"."CONSTRAINT_COLUMN" IS 'Constraints column by column';

CREATE VIEW "SYS"."DBA_CONSTRAINTS" AS
SELECT k.owner AS "OWNER", k.name AS "CONSTRAINT_NAME",
       CASE k.type WHEN 'p' THEN 'P' WHEN 'u' THEN 'U' WHEN 'f' THEN 'R' ELSE 'C' END AS "CONSTRAINT_TYPE", k.table_name AS "TABLE_NAME",
       u.owner AS "R_OWNER", u.name AS "R_CONSTRAINT_NAME", coalesce(o."STATUS", 'ENABLED') AS "STATUS",
       coalesce(o."DEFERRABLE", CASE WHEN k.condeferrable THEN 'DEFERRABLE' ELSE 'NOT DEFERRABLE' END) AS "DEFERRABLE",
       coalesce(o."VALIDATED", CASE WHEN k.convalidated THEN 'VALIDATED' ELSE 'NOT VALIDATED' END) AS "VALIDATED",
       'USER NAME'::text AS "GENERATED", o."RELY",
       CASE WHEN k.type IN ('p', 'u') THEN k.owner END AS "INDEX_OWNER",
       CASE WHEN k.type IN ('p', 'u') THEN (SELECT c.relname::text FROM pg_catalog.pg_class c WHERE c.oid = k.conindid) END AS "INDEX_NAME"
FROM (SELECT DISTINCT constraint_oid, owner, table_name, name, type, confrelid, conindid, condeferrable, convalidated
      FROM "SYS"."CONSTRAINT_COLUMN") k
LEFT JOIN (SELECT DISTINCT relation, owner, name, conindid FROM "SYS"."CONSTRAINT_COLUMN" WHERE type IN ('p', 'u')) u
    ON k.type = 'f' AND u.relation = k.confrelid AND u.conindid = k.conindid
LEFT JOIN "SYS"."CONSTRAINT_OVERRIDE" o ON o."OWNER" = k.owner AND o."CONSTRAINT_NAME" = k.name;
COMMENT ON VIEW "SYS"."DBA_CONSTRAINTS" IS 'Constraints; NOT NULL is not among them';

CREATE VIEW "SYS"."DBA_CONS_COLUMNS" AS
SELECT owner AS "OWNER", name AS "CONSTRAINT_NAME", table_name AS "TABLE_NAME", column_name AS "COLUMN_NAME",
    position::numeric AS "POSITION"
FROM "SYS"."CONSTRAINT_COLUMN";
COMMENT ON VIEW "SYS"."DBA_CONS_COLUMNS" IS 'Columns of constraints';

CREATE VIEW "SYS"."DBA_INDEXES" AS
SELECT r.owner AS "OWNER", c.relname::text AS "INDEX_NAME",
       CASE
           WHEN o."IOT_TYPE" = 'IOT' AND i.indisprimary THEN 'IOT - TOP'
           WHEN i.indexprs IS NOT NULL THEN 'FUNCTION-BASED NORMAL'
           ELSE 'NORMAL'
       END AS "INDEX_TYPE",
       r.owner AS "TABLE_OWNER", r.name AS "TABLE_NAME", 'TABLE'::text AS "TABLE_TYPE",
       CASE WHEN i.indisunique THEN 'UNIQUE' ELSE 'NONUNIQUE' END AS "UNIQUENESS", 'VALID'::text AS "STATUS",
           'VISIBLE'::text AS "VISIBILITY",
       CASE WHEN r.partitioned THEN 'YES' ELSE 'NO' END AS "PARTITIONED"
FROM "SYS"."RELATION" r
JOIN pg_catalog.pg_index i ON i.indrelid = r.relation
JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
LEFT JOIN "SYS"."TABLE_OVERRIDE" o ON o."OWNER" = r.owner AND o."TABLE_NAME" = r.name
WHERE NOT EXISTS (
    SELECT FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = r.relation AND a.attname = 'ROWID$' AND a.attnum = ANY (i.indkey::int2[])
);
COMMENT ON VIEW "SYS"."DBA_INDEXES" IS 'Indexes';

CREATE VIEW "SYS"."LOGGED_KEY" AS
SELECT k.owner, k.table_name, k.name, k.type, o."SUPPLEMENTAL" AS wanted,
       pg_catalog.array_agg(k.column_name ORDER BY k.position) AS columns
FROM "SYS"."CONSTRAINT_COLUMN" k
LEFT JOIN "SYS"."TABLE_OVERRIDE" o ON o."OWNER" = k.owner AND o."TABLE_NAME" = k.table_name
WHERE k.type IN ('p', 'u')
GROUP BY k.owner, k.table_name, k.name, k.type, o."SUPPLEMENTAL"
HAVING pg_catalog.bool_and(k.attnotnull);
COMMENT ON VIEW "SYS"."LOGGED_KEY" IS 'Keys, all of which are logged by default';

CREATE VIEW "SYS"."LOG_GROUP_KIND" AS
SELECT owner, 'GROUP_PK_' || table_name AS name, table_name, 'PRIMARY KEY LOGGING' AS kind, 'ALWAYS' AS always, NULL::text[] AS columns
FROM "SYS"."LOGGED_KEY" WHERE type = 'p' AND coalesce(wanted, 'PRIMARY KEY') = 'PRIMARY KEY'
UNION ALL
SELECT owner, 'GROUP_' || name, table_name, 'USER LOG GROUP', 'ALWAYS', columns
FROM "SYS"."LOGGED_KEY" WHERE type = 'u' AND wanted IS NULL
UNION ALL
SELECT "OWNER", 'GROUP_UI_' || "TABLE_NAME", "TABLE_NAME", 'UNIQUE KEY LOGGING', 'CONDITIONAL', NULL
FROM "SYS"."TABLE_OVERRIDE" WHERE "SUPPLEMENTAL" = 'UNIQUE'
UNION ALL
SELECT "OWNER", 'GROUP_ALL_' || "TABLE_NAME", "TABLE_NAME", 'ALL COLUMN LOGGING', 'ALWAYS', NULL
FROM "SYS"."TABLE_OVERRIDE" WHERE "SUPPLEMENTAL" = 'ALL'
UNION ALL
SELECT "OWNER", "LOG_GROUP_NAME", "TABLE_NAME", 'USER LOG GROUP', "ALWAYS", "COLUMNS" FROM "SYS"."LOG_GROUP";
COMMENT ON VIEW "SYS"."LOG_GROUP_KIND" IS 'Supplemental logging of tables';

CREATE VIEW "SYS"."DBA_LOG_GROUPS" AS
SELECT owner AS "OWNER", name AS "LOG_GROUP_NAME", table_name AS "TABLE_NAME", kind AS "LOG_GROUP_TYPE", always AS "ALWAYS",
       CASE WHEN kind = 'USER LOG GROUP' THEN 'USER NAME' ELSE 'GENERATED NAME' END AS "GENERATED"
FROM "SYS"."LOG_GROUP_KIND";
COMMENT ON VIEW "SYS"."DBA_LOG_GROUPS" IS 'Supplemental logging of tables';
CREATE VIEW "SYS"."DBA_LOG_GROUP_COLUMNS" AS
SELECT g.owner AS "OWNER", g.name AS "LOG_GROUP_NAME", g.table_name AS "TABLE_NAME", c.name AS "COLUMN_NAME", c.n::numeric AS "POSITION",
       'LOG'::text AS "LOGGING_PROPERTY"
FROM "SYS"."LOG_GROUP_KIND" g
CROSS JOIN LATERAL pg_catalog.unnest(g.columns) WITH ORDINALITY c (name, n);
COMMENT ON VIEW "SYS"."DBA_LOG_GROUP_COLUMNS" IS 'Columns of user log groups; those of generated ones are not listed, as in Oracle';

CREATE VIEW "SYS"."DBA_USERS" AS
SELECT n.nspname::text AS "USERNAME", n.oid::bigint::numeric AS "USER_ID",
       CASE WHEN n.nspname IN ('SYS', 'DBMS_LOGMNR', 'DBMS_ROWID') THEN 'Y' ELSE 'N' END AS "ORACLE_MAINTAINED",
           'OPEN'::text AS "ACCOUNT_STATUS"
FROM pg_catalog.pg_namespace n
WHERE n.nspname ~ '^(?!C##)[A-Z][A-Z0-9_$#.]*$';
COMMENT ON VIEW "SYS"."DBA_USERS" IS 'Users: schemas in upper case; packages are among them';
