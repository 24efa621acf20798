-- What a test says of a table against its looks. NULL: as it looks.

CREATE TABLE "SYS"."TABLE_OVERRIDE" (
    "OWNER"           text NOT NULL,
    "TABLE_NAME"      text NOT NULL,
    "TABLESPACE_NAME" text,
    "CLUSTER_NAME"    text,
    "IOT_NAME"        text,
    "IOT_TYPE"        text,
    "LOGGING"         text,
    "TEMPORARY"       text,
    "SECONDARY"       text,
    "NESTED"          text,
    "EXTERNAL"        text,
    "DROPPED"         text,
    "READ_ONLY"       text,
    "ROW_MOVEMENT"    text,
    "COMPRESSION"     text,
    "NUM_ROWS"        numeric,
    "SUPPLEMENTAL"    text CHECK ("SUPPLEMENTAL" IN ('NONE', 'PRIMARY KEY', 'UNIQUE', 'ALL')),
    PRIMARY KEY ("OWNER", "TABLE_NAME")
);
COMMENT ON TABLE "SYS"."TABLE_OVERRIDE" IS 'Columns of DBA_TABLES, and which keys are logged; LOGGING also under the name of a partition';
COMMENT ON COLUMN "SYS"."TABLE_OVERRIDE"."SUPPLEMENTAL"
    IS 'NULL: the primary key, and as log groups the unique keys over NOT NULL columns; UNIQUE is conditional, as Oracle''s is';

CREATE TABLE "SYS"."COLUMN_OVERRIDE" (
    "OWNER"           text NOT NULL,
    "TABLE_NAME"      text NOT NULL,
    "COLUMN_NAME"     text NOT NULL,
    "DATA_TYPE"       text,
    "DATA_TYPE_OWNER" text,
    "DATA_LENGTH"     numeric,
    "CHAR_LENGTH"     numeric,
    "DATA_PRECISION"  numeric,
    "DATA_SCALE"      numeric,
    "CHAR_USED"       text,
    "LOGGING"         text,
    "HIDDEN_COLUMN"   text,
    "VIRTUAL_COLUMN"  text,
    PRIMARY KEY ("OWNER", "TABLE_NAME", "COLUMN_NAME")
);
COMMENT ON TABLE "SYS"."COLUMN_OVERRIDE"
    IS 'Types that no PostgreSQL type plays (with DATA_TYPE all of type and length count): RAW, XMLTYPE, BFILE ...; hidden and '
        'virtual columns; LOGGING of LOBs, also under the name of a partition';

CREATE TABLE "SYS"."CONSTRAINT_OVERRIDE" (
    "OWNER"           text NOT NULL,
    "CONSTRAINT_NAME" text NOT NULL,
    "STATUS"          text,
    "VALIDATED"       text,
    "DEFERRABLE"      text,
    "RELY"            text,
    PRIMARY KEY ("OWNER", "CONSTRAINT_NAME")
);
COMMENT ON TABLE "SYS"."CONSTRAINT_OVERRIDE" IS 'Columns of DBA_CONSTRAINTS: keys that are DISABLED, NOT VALIDATED, RELY';

CREATE TABLE "SYS"."LOG_GROUP" (
    "OWNER"          text NOT NULL,
    "LOG_GROUP_NAME" text NOT NULL,
    "TABLE_NAME"     text NOT NULL,
    "ALWAYS"         text NOT NULL DEFAULT 'ALWAYS',
    "COLUMNS"        text[] NOT NULL,
    PRIMARY KEY ("OWNER", "LOG_GROUP_NAME")
);
COMMENT ON TABLE "SYS"."LOG_GROUP" IS 'User log groups beside those that every key has';

CREATE TABLE "SYS"."OBJECT_STATE" (
    "RELATION"       oid PRIMARY KEY,
    "VERSION"        numeric NOT NULL,
    "LAST_DDL_TIME"  timestamp(0) NOT NULL,
    "DATA_OBJECT_ID" numeric
);
COMMENT ON TABLE "SYS"."OBJECT_STATE" IS 'Versions of tables that were altered: what DATA_OBJV# is compared with';
COMMENT ON COLUMN "SYS"."OBJECT_STATE"."DATA_OBJECT_ID" IS 'Number of the segment where a test has given one: the numbers of files are other ones in each run';

-- The views of the contract call it for shards, who see nothing of this schema.
CREATE FUNCTION "SYS"."DATA_OBJECT"(p_relation oid) RETURNS numeric
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN coalesce((SELECT o."DATA_OBJECT_ID" FROM "SYS"."OBJECT_STATE" o WHERE o."RELATION" = p_relation),
                    pg_relation_filenode(p_relation)::bigint);
END
$$;
COMMENT ON FUNCTION "SYS"."DATA_OBJECT"(oid) IS 'Number of a segment, which TRUNCATE and MOVE change';

CREATE FUNCTION "SYS"."OBJECT_VERSION"(p_relation oid) RETURNS numeric
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog
AS $$
BEGIN
    RETURN coalesce((SELECT o."VERSION" FROM "SYS"."OBJECT_STATE" o WHERE o."RELATION" = p_relation), 1);
END
$$;
COMMENT ON FUNCTION "SYS"."OBJECT_VERSION"(oid) IS 'Version of a table, 1 until it is altered';

CREATE TABLE "SYS"."DBA_POLICIES" (
    "OBJECT_OWNER" text NOT NULL,
    "OBJECT_NAME"  text NOT NULL,
    "POLICY_GROUP" text NOT NULL DEFAULT 'SYS_DEFAULT',
    "POLICY_NAME"  text NOT NULL,
    "SEL"          text NOT NULL DEFAULT 'YES',
    "ENABLE"       text NOT NULL DEFAULT 'YES',
    PRIMARY KEY ("OBJECT_OWNER", "OBJECT_NAME", "POLICY_NAME")
);
COMMENT ON TABLE "SYS"."DBA_POLICIES" IS 'Row-level security policies';
CREATE TABLE "SYS"."REDACTION_POLICIES" (
    "OBJECT_OWNER" text NOT NULL,
    "OBJECT_NAME"  text NOT NULL,
    "POLICY_NAME"  text NOT NULL,
    "EXPRESSION"   text NOT NULL DEFAULT '1=1',
    "ENABLE"       text NOT NULL DEFAULT 'YES',
    PRIMARY KEY ("OBJECT_OWNER", "OBJECT_NAME")
);
COMMENT ON TABLE "SYS"."REDACTION_POLICIES" IS 'Redaction policies';

CREATE TABLE "SYS"."DBA_LOGSTDBY_UNSUPPORTED" (
    "OWNER"       text NOT NULL,
    "TABLE_NAME"  text NOT NULL,
    "COLUMN_NAME" text NOT NULL,
    "ATTRIBUTES"  text,
    "DATA_TYPE"   text NOT NULL
);
COMMENT ON TABLE "SYS"."DBA_LOGSTDBY_UNSUPPORTED" IS 'What a logical standby database does not support';

CREATE TABLE "SYS"."GRANTED" (
    "GRANTEE"    text NOT NULL,
    "OWNER"      text NOT NULL,
    "TABLE_NAME" text NOT NULL,
    "GRANTOR"    text NOT NULL DEFAULT 'SYS',
    "PRIVILEGE"  text NOT NULL,
    "GRANTABLE"  text NOT NULL DEFAULT 'NO'
);
COMMENT ON TABLE "SYS"."GRANTED" IS 'Object privileges besides that ORAPULL may read every table and pass that on';
CREATE TABLE "SYS"."REVOKED" (
    "OWNER"      text NOT NULL,
    "TABLE_NAME" text NOT NULL,
    PRIMARY KEY ("OWNER", "TABLE_NAME")
);
COMMENT ON TABLE "SYS"."REVOKED" IS 'Tables that ORAPULL may not read';
CREATE TABLE "SYS"."DBA_SYS_PRIVS" (
    "GRANTEE"      text NOT NULL,
    "PRIVILEGE"    text NOT NULL,
    "ADMIN_OPTION" text NOT NULL DEFAULT 'NO'
);
COMMENT ON TABLE "SYS"."DBA_SYS_PRIVS" IS 'System privileges';
