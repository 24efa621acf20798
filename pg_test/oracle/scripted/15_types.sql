-- What Oracle's dictionary would say of a PostgreSQL table.

\set schema ORAPULL
\ir ../oracle_type.sql

CREATE VIEW "ORAPULL"."DICTIONARY" AS
SELECT c.oid AS "RELATION", n.nspname::text AS "OWNER", c.relname::text AS "TABLE_NAME",
       -- Not row_number(): that would read all tables to show one.
       (SELECT count(*) FROM pg_catalog.pg_attribute b
        WHERE b.attrelid = c.oid AND b.attnum BETWEEN 1 AND a.attnum
          AND NOT b.attisdropped AND b.attname <> 'ROWID$') AS "POSITION",
       a.attname::text AS "COLUMN_NAME", a.attnum AS "ATTNUM", a.atttypid AS "TYPE", a.attcollation AS "COLLATION",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_TYPE" ELSE o."DATA_TYPE" END AS "DATA_TYPE",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_LENGTH" ELSE o."DATA_LENGTH" END AS "DATA_LENGTH",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."CHAR_LENGTH" ELSE o."CHAR_LENGTH" END AS "CHAR_LENGTH",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_PRECISION" ELSE o."DATA_PRECISION" END AS "DATA_PRECISION",
       CASE WHEN o."DATA_TYPE" IS NULL THEN d."DATA_SCALE" ELSE o."DATA_SCALE" END AS "DATA_SCALE",
       CASE WHEN a.attnotnull THEN 'N' ELSE 'Y' END AS "NULLABLE"
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
CROSS JOIN LATERAL "ORAPULL"."ORACLE_TYPE"(a.atttypid, a.atttypmod) d
LEFT JOIN "ORAPULL"."TYPE_OVERRIDE" o
    ON o."OWNER" = n.nspname AND o."TABLE_NAME" = c.relname AND o."COLUMN_NAME" = a.attname
WHERE c.relkind IN ('r', 'p')
  AND n.nspname ~ '^[A-Z]' AND n.nspname NOT IN ('ORAPULL', 'API', 'TEST')
  AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'ROWID$';
COMMENT ON VIEW "ORAPULL"."DICTIONARY" IS 'Columns of all source tables, as ALL_TAB_COLUMNS has them';

CREATE FUNCTION "ORAPULL"."KEY_COLUMNS"(p_relation oid) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path = pg_catalog
AS $$
SELECT k.columns
FROM pg_constraint u
CROSS JOIN LATERAL (
    SELECT array_agg(d."COLUMN_NAME" ORDER BY i.n) AS columns,
           -- A column that is not in the dictionary ("ROWID$") makes this NULL.
           bool_and(d."NULLABLE" = 'N' AND (d."DATA_TYPE" IN ('NUMBER', 'VARCHAR2', 'CHAR', 'DATE', 'RAW')
                                            OR d."DATA_TYPE" ~ '^TIMESTAMP\([0-6]\)$')) AS usable,
           count(d."COLUMN_NAME") = count(*) AS complete
    FROM unnest(u.conkey) WITH ORDINALITY i (attnum, n)
    LEFT JOIN "ORAPULL"."DICTIONARY" d ON d."RELATION" = p_relation AND d."ATTNUM" = i.attnum
) k
WHERE u.conrelid = p_relation AND u.contype IN ('p', 'u') AND cardinality(u.conkey) <= 8 AND k.usable AND k.complete
ORDER BY u.contype, u.conname
LIMIT 1
$$;
COMMENT ON FUNCTION "ORAPULL"."KEY_COLUMNS"(oid) IS 'Columns of the key that can be an identity; NULL if there is none';

CREATE FUNCTION "ORAPULL"."REFUSAL"(p_relation oid) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
SELECT CASE
    WHEN c.columns = 0 THEN 'the table does not exist'
    WHEN NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = p_relation AND a.attname = 'ROWID$')
        THEN 'its rows have no ROWID (column "ROWID$")'
    WHEN c.columns > 990 THEN format('%s columns are more than 990', c.columns)
    WHEN c.reserved IS NOT NULL THEN format('column "%s": names that begin with P$ are reserved', c.reserved)
    WHEN c.unsupported IS NOT NULL THEN c.unsupported
END
FROM (
    SELECT count(*) AS columns,
           min(d."COLUMN_NAME") FILTER (WHERE d."COLUMN_NAME" LIKE 'P$%') AS reserved,
           min(format('column "%s": type %s is not supported', d."COLUMN_NAME", d."DATA_TYPE")) FILTER (
               WHERE d."DATA_TYPE" NOT IN (
                   'NUMBER', 'FLOAT', 'BINARY_FLOAT', 'BINARY_DOUBLE', 'VARCHAR2', 'NVARCHAR2', 'CHAR', 'NCHAR', 'DATE',
                   'RAW', 'LONG', 'LONG RAW', 'CLOB', 'NCLOB', 'BLOB', 'XMLTYPE'
               ) AND d."DATA_TYPE" !~ '^TIMESTAMP\(\d\)( WITH( LOCAL)? TIME ZONE)?$' AND d."DATA_TYPE" !~ '^INTERVAL (DAY|YEAR)'
           ) AS unsupported
    FROM "ORAPULL"."DICTIONARY" d
    WHERE d."RELATION" = p_relation
) c
$$;
COMMENT ON FUNCTION "ORAPULL"."REFUSAL"(oid) IS 'Why a table cannot be registered; NULL if it can';
