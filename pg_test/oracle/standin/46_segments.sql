-- Segments: partitions, LOBs, object numbers, extents. OBJECT_ID is the oid; DATA_OBJECT_ID is the number of the file,
-- which TRUNCATE and a rewrite change as TRUNCATE and MOVE do in Oracle.

CREATE VIEW "SYS"."PARTITION" AS
SELECT r.owner, r.name AS table_name, c.oid AS relation, c.relname::text AS name, 1 AS level, NULL::text AS partition_name,
       pg_catalog.row_number() OVER (PARTITION BY r.relation ORDER BY c.oid) AS position, c.reltuples
FROM "SYS"."RELATION" r
JOIN pg_catalog.pg_inherits i ON i.inhparent = r.relation
JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
WHERE r.partitioned
UNION ALL
SELECT r.owner, r.name, c.oid, c.relname::text, 2, p.relname::text,
    pg_catalog.row_number() OVER (PARTITION BY p.oid ORDER BY c.oid), c.reltuples
FROM "SYS"."RELATION" r
JOIN pg_catalog.pg_inherits i ON i.inhparent = r.relation
JOIN pg_catalog.pg_class p ON p.oid = i.inhrelid AND p.relkind = 'p'
JOIN pg_catalog.pg_inherits s ON s.inhparent = p.oid
JOIN pg_catalog.pg_class c ON c.oid = s.inhrelid
WHERE r.partitioned;
COMMENT ON VIEW "SYS"."PARTITION" IS 'Partitions (level 1) and subpartitions (level 2) of tables';

CREATE VIEW "SYS"."DBA_TAB_PARTITIONS" AS
SELECT p.owner AS "TABLE_OWNER", p.table_name AS "TABLE_NAME", p.name AS "PARTITION_NAME", p.position::numeric AS "PARTITION_POSITION",
       (SELECT count(*) FROM pg_catalog.pg_inherits i WHERE i.inhparent = p.relation)::numeric AS "SUBPARTITION_COUNT",
       coalesce(o."LOGGING", 'YES') AS "LOGGING", 'USERS'::text AS "TABLESPACE_NAME",
       CASE WHEN p.reltuples >= 0 THEN p.reltuples::numeric END AS "NUM_ROWS"
FROM "SYS"."PARTITION" p
LEFT JOIN "SYS"."TABLE_OVERRIDE" o ON o."OWNER" = p.owner AND o."TABLE_NAME" = p.name
WHERE p.level = 1;
COMMENT ON VIEW "SYS"."DBA_TAB_PARTITIONS" IS 'Partitions';
CREATE VIEW "SYS"."DBA_TAB_SUBPARTITIONS" AS
SELECT p.owner AS "TABLE_OWNER", p.table_name AS "TABLE_NAME", p.partition_name AS "PARTITION_NAME", p.name AS "SUBPARTITION_NAME",
       p.position::numeric AS "SUBPARTITION_POSITION", coalesce(o."LOGGING", 'YES') AS "LOGGING", 'USERS'::text AS "TABLESPACE_NAME"
FROM "SYS"."PARTITION" p
LEFT JOIN "SYS"."TABLE_OVERRIDE" o ON o."OWNER" = p.owner AND o."TABLE_NAME" = p.name
WHERE p.level = 2;
COMMENT ON VIEW "SYS"."DBA_TAB_SUBPARTITIONS" IS 'Subpartitions';

CREATE FUNCTION "SYS"."LOB_OBJECT"(p_relation oid, p_column numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE
RETURN 1000000000000 + p_relation::bigint::numeric * 10000 + p_column;
COMMENT ON FUNCTION "SYS"."LOB_OBJECT"(oid, numeric) IS 'Object number of the LOB segment of a column';

CREATE VIEW "SYS"."DBA_LOBS" AS
SELECT c."OWNER", c."TABLE_NAME", c."COLUMN_NAME",
       pg_catalog.format('SYS_LOB%s$$', "SYS"."LOB_OBJECT"(r.relation, c."INTERNAL_COLUMN_ID")) AS "SEGMENT_NAME",
           'USERS'::text AS "TABLESPACE_NAME",
       'YES'::text AS "IN_ROW", 'YES'::text AS "SECUREFILE", coalesce(o."LOGGING", 'YES') AS "LOGGING",
       CASE WHEN r.partitioned THEN 'YES' ELSE 'NO' END AS "PARTITIONED"
FROM "SYS"."RELATION" r
JOIN "SYS"."DBA_TAB_COLS" c ON c."OWNER" = r.owner AND c."TABLE_NAME" = r.name
LEFT JOIN "SYS"."COLUMN_OVERRIDE" o ON o."OWNER" = r.owner AND o."TABLE_NAME" = r.name AND o."COLUMN_NAME" = c."COLUMN_NAME"
WHERE c."DATA_TYPE" IN ('CLOB', 'NCLOB', 'BLOB', 'XMLTYPE', 'JSON');
COMMENT ON VIEW "SYS"."DBA_LOBS" IS 'LOB columns and their segments';
CREATE VIEW "SYS"."DBA_LOB_PARTITIONS" AS
SELECT l."OWNER" AS "TABLE_OWNER", l."TABLE_NAME", l."COLUMN_NAME", l."SEGMENT_NAME" AS "LOB_NAME", p.name AS "PARTITION_NAME",
       coalesce(o."LOGGING", 'YES') AS "LOGGING"
FROM "SYS"."DBA_LOBS" l
JOIN "SYS"."PARTITION" p ON p.owner = l."OWNER" AND p.table_name = l."TABLE_NAME" AND p.level = 1
LEFT JOIN "SYS"."COLUMN_OVERRIDE" o ON o."OWNER" = p.owner AND o."TABLE_NAME" = p.name AND o."COLUMN_NAME" = l."COLUMN_NAME";
COMMENT ON VIEW "SYS"."DBA_LOB_PARTITIONS" IS 'LOB columns in partitions';
CREATE VIEW "SYS"."DBA_LOB_SUBPARTITIONS" AS
SELECT l."OWNER" AS "TABLE_OWNER", l."TABLE_NAME", l."COLUMN_NAME", l."SEGMENT_NAME" AS "LOB_NAME", p.name AS "SUBPARTITION_NAME",
       coalesce(o."LOGGING", 'YES') AS "LOGGING"
FROM "SYS"."DBA_LOBS" l
JOIN "SYS"."PARTITION" p ON p.owner = l."OWNER" AND p.table_name = l."TABLE_NAME" AND p.level = 2
LEFT JOIN "SYS"."COLUMN_OVERRIDE" o ON o."OWNER" = p.owner AND o."TABLE_NAME" = p.name AND o."COLUMN_NAME" = l."COLUMN_NAME";
COMMENT ON VIEW "SYS"."DBA_LOB_SUBPARTITIONS" IS 'LOB columns in subpartitions';

CREATE VIEW "SYS"."OBJECT" AS
SELECT r.owner, r.name, NULL::text AS subname, r.relation::bigint::numeric AS object_id,
       CASE WHEN NOT r.partitioned THEN "SYS"."DATA_OBJECT"(r.relation) END AS data_object_id,
       'TABLE'::text AS type, r.relation
FROM "SYS"."RELATION" r
UNION ALL
SELECT p.owner, p.table_name, p.name, p.relation::bigint::numeric, "SYS"."DATA_OBJECT"(p.relation),
       CASE p.level WHEN 1 THEN 'TABLE PARTITION' ELSE 'TABLE SUBPARTITION' END, p.relation
FROM "SYS"."PARTITION" p
UNION ALL
SELECT r.owner, pg_catalog.format('SYS_LOB%s$$', o.number), NULL, o.number, o.number, 'LOB', r.relation
FROM "SYS"."RELATION" r
JOIN "SYS"."DBA_TAB_COLS" c ON c."OWNER" = r.owner AND c."TABLE_NAME" = r.name
CROSS JOIN LATERAL "SYS"."LOB_OBJECT"(r.relation, c."INTERNAL_COLUMN_ID") o (number)
WHERE c."DATA_TYPE" IN ('CLOB', 'NCLOB', 'BLOB', 'XMLTYPE', 'JSON')
UNION ALL
SELECT n.nspname, c.relname, NULL, c.oid::bigint, CASE c.relkind WHEN 'i' THEN pg_catalog.pg_relation_filenode(c.oid)::bigint END,
       CASE c.relkind WHEN 'i' THEN 'INDEX' WHEN 'S' THEN 'SEQUENCE' ELSE 'VIEW' END, c.oid
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('i', 'S', 'v') AND n.nspname ~ '^(?!C##)[A-Z][A-Z0-9_$#.]*$' AND n.nspname NOT IN ('SYS', 'TEST');
COMMENT ON VIEW "SYS"."OBJECT" IS 'Everything that has an object number';

CREATE VIEW "SYS"."DBA_OBJECTS" AS
SELECT o.owner AS "OWNER", o.name AS "OBJECT_NAME", o.subname AS "SUBOBJECT_NAME", o.object_id AS "OBJECT_ID",
       o.data_object_id AS "DATA_OBJECT_ID", o.type AS "OBJECT_TYPE", timestamp(0) '2020-01-01' AS "CREATED",
       coalesce(s."LAST_DDL_TIME", timestamp(0) '2020-01-01') AS "LAST_DDL_TIME", 'VALID'::text AS "STATUS", 'N'::text AS "TEMPORARY",
       'N'::text AS "GENERATED", 'N'::text AS "SECONDARY"
FROM "SYS"."OBJECT" o
LEFT JOIN "SYS"."OBJECT_STATE" s ON s."RELATION" = o.relation;
COMMENT ON VIEW "SYS"."DBA_OBJECTS" IS 'Objects with their numbers';
