-- What stands behind the views of the contract.

CREATE SCHEMA "ORAPULL";
COMMENT ON SCHEMA "ORAPULL" IS 'Owner of the contract: the views a shard reads and the tables behind them';
CREATE SCHEMA "API";
COMMENT ON SCHEMA "API" IS 'Package ORAPULL.API: what a shard calls';
CREATE SCHEMA "TEST";
COMMENT ON SCHEMA "TEST" IS 'What tests and the demo do to the source; no shard sees it';

-- The one row lock under which portions are numbered, published, attached and released is on this row.
CREATE TABLE "ORAPULL"."SOURCE" (
    "ONLY_ROW"      boolean PRIMARY KEY DEFAULT true CHECK ("ONLY_ROW"),
    "INSTALL_ID"    text NOT NULL DEFAULT pg_catalog.gen_random_uuid(),
    "DBID"          bigint NOT NULL DEFAULT 1,
    "INCARNATION"   bigint NOT NULL DEFAULT 1,
    "STARTED_AT"    timestamp(6) NOT NULL DEFAULT pg_catalog.timezone('UTC', pg_catalog.clock_timestamp()),
    "MINED_SCN"     bigint NOT NULL DEFAULT (pg_catalog.pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint,
    "PUBLISHED_SCN" bigint NOT NULL DEFAULT (pg_catalog.pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint,
    "LAST_PORTION"  bigint NOT NULL DEFAULT 0,
    "SAMPLED_AT"    timestamp(6) NOT NULL DEFAULT pg_catalog.timezone('UTC', pg_catalog.clock_timestamp()),
    "LEASE_SECONDS" bigint NOT NULL DEFAULT 60
);
COMMENT ON TABLE "ORAPULL"."SOURCE" IS 'The source itself, one row';
INSERT INTO "ORAPULL"."SOURCE" DEFAULT VALUES;

CREATE TABLE "ORAPULL"."OVERRIDE" (
    "NAME"  text PRIMARY KEY,
    "VALUE" text
);
COMMENT ON TABLE "ORAPULL"."OVERRIDE"
    IS 'Columns of SOURCE_V (and LEASE_SECONDS) that show what a test wants; see "TEST"."SET"';

CREATE SEQUENCE "ORAPULL"."TOKEN_SEQ";
COMMENT ON SEQUENCE "ORAPULL"."TOKEN_SEQ" IS 'Tokens of leases: never given twice';
CREATE TABLE "ORAPULL"."SHARD" (
    "SHARD"         text PRIMARY KEY,
    "HOLDER"        text,
    "TOKEN"         bigint,
    "LEASE_UNTIL"   timestamp(6),
    "ACKED_PORTION" bigint NOT NULL,
    "ACKED_AT"      timestamp(6) NOT NULL
);
COMMENT ON TABLE "ORAPULL"."SHARD" IS 'Who takes part; TOKEN is NULL while nobody holds the lease';

CREATE SEQUENCE "ORAPULL"."TABLE_SEQ";
COMMENT ON SEQUENCE "ORAPULL"."TABLE_SEQ" IS 'Numbers of registered tables: the n of PULL_n';
CREATE TABLE "ORAPULL"."REGISTERED" (
    "TABLE_ID"       bigint PRIMARY KEY DEFAULT pg_catalog.nextval('"ORAPULL"."TABLE_SEQ"'),
    "OWNER"          text NOT NULL,
    "TABLE_NAME"     text NOT NULL,
    "RELATION"       oid NOT NULL,
    "IDENTITY"       text NOT NULL CHECK ("IDENTITY" IN ('KEY', 'ROWID')),
    "KEY_COLUMNS"    text[] NOT NULL,
    "PULL_COLUMNS"   text[] NOT NULL,
    "SALT"           bigint NOT NULL DEFAULT 0,
    "REGISTERED_XID" xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(),
    "STATE"          text CHECK ("STATE" IN ('WAIT_TX', 'READY', 'REFUSED')),
    "STATE_DETAIL"   text,
    UNIQUE ("OWNER", "TABLE_NAME")
);
COMMENT ON TABLE "ORAPULL"."REGISTERED" IS 'Tables whose pointers are published';
COMMENT ON COLUMN "ORAPULL"."REGISTERED"."PULL_COLUMNS"
    IS 'Columns that PULL_n returns: those of the last registration or refresh';
COMMENT ON COLUMN "ORAPULL"."REGISTERED"."SALT" IS 'Part of SHAPE, so that a test can change it';
COMMENT ON COLUMN "ORAPULL"."REGISTERED"."STATE" IS 'State a test wants to show; NULL: the true one';

CREATE TABLE "ORAPULL"."SUBSCRIPTION" (
    "SHARD"    text NOT NULL REFERENCES "ORAPULL"."SHARD" ON DELETE CASCADE,
    "TABLE_ID" bigint NOT NULL REFERENCES "ORAPULL"."REGISTERED" ON DELETE CASCADE,
    PRIMARY KEY ("SHARD", "TABLE_ID")
);
COMMENT ON TABLE "ORAPULL"."SUBSCRIPTION"
    IS 'Which shard has registered which table; a table nobody wants is forgotten';

CREATE TABLE "ORAPULL"."TYPE_OVERRIDE" (
    "OWNER"          text NOT NULL,
    "TABLE_NAME"     text NOT NULL,
    "COLUMN_NAME"    text NOT NULL,
    "DATA_TYPE"      text NOT NULL,
    "DATA_LENGTH"    bigint,
    "CHAR_LENGTH"    bigint,
    "DATA_PRECISION" bigint,
    "DATA_SCALE"     bigint,
    PRIMARY KEY ("OWNER", "TABLE_NAME", "COLUMN_NAME")
);
COMMENT ON TABLE "ORAPULL"."TYPE_OVERRIDE"
    IS 'Oracle types that no PostgreSQL type stands for: RAW, NCLOB, XMLTYPE, BFILE ...';

CREATE TABLE "ORAPULL"."PORTION" (
    "PORTION_ID"   bigint PRIMARY KEY,
    "SLOT"         bigint NOT NULL,
    "SCN_FROM"     bigint NOT NULL,
    "SCN_TO"       bigint NOT NULL,
    "POINTERS"     bigint NOT NULL,
    "PUBLISHED_AT" timestamp(6) NOT NULL
);
COMMENT ON TABLE "ORAPULL"."PORTION" IS 'Published portions that are still held';

CREATE TABLE "ORAPULL"."PORTION_TABLE" (
    "PORTION_ID" bigint NOT NULL,
    "TABLE_ID"   bigint NOT NULL,
    "POINTERS"   bigint NOT NULL,
    PRIMARY KEY ("PORTION_ID", "TABLE_ID")
);
COMMENT ON TABLE "ORAPULL"."PORTION_TABLE" IS 'Which tables a portion touches';

-- One table plays all slots. Slot 0 holds the requests.
CREATE TABLE "ORAPULL"."POINTER" (
    "P$SLOT"     bigint NOT NULL,
    "P$PORTION"  bigint NOT NULL,
    "P$PTR"      bigint NOT NULL,
    "P$PREV"     bigint NOT NULL,
    "TABLE_ID"   bigint NOT NULL,
    "KIND"       text COLLATE "C" NOT NULL CHECK ("KIND" IN ('R', 'T', 'D', 'U')),
    "ROW_ID"     text COLLATE "C",
    "K1" text COLLATE "C", "K2" text COLLATE "C", "K3" text COLLATE "C", "K4" text COLLATE "C",
    "K5" text COLLATE "C", "K6" text COLLATE "C", "K7" text COLLATE "C", "K8" text COLLATE "C",
    "NOTE"       text,
    "COMMIT_SCN" bigint,
    "DIGEST"     bigint NOT NULL
);
COMMENT ON TABLE "ORAPULL"."POINTER" IS 'The pointers of all portions and requests';
COMMENT ON COLUMN "ORAPULL"."POINTER"."DIGEST"
    IS 'Hash of table and identities; finds the earlier pointer that P$PREV names';
CREATE INDEX "POINTER_SLOT" ON "ORAPULL"."POINTER" ("P$PORTION", "P$SLOT", "P$PTR");
COMMENT ON INDEX "ORAPULL"."POINTER_SLOT" IS 'For whole portions and for slices by P$PTR';
CREATE INDEX "POINTER_TABLE" ON "ORAPULL"."POINTER" ("TABLE_ID", "P$SLOT", "P$PORTION");
COMMENT ON INDEX "ORAPULL"."POINTER_TABLE" IS 'For PULL_n: a portion costs only the tables it touches';
CREATE INDEX "POINTER_DIGEST" ON "ORAPULL"."POINTER" ("DIGEST", "P$PORTION") WHERE "KIND" = 'R' AND "P$SLOT" > 0;
COMMENT ON INDEX "ORAPULL"."POINTER_DIGEST" IS 'For P$PREV';
CREATE INDEX "POINTER_BARRIER" ON "ORAPULL"."POINTER" ("TABLE_ID", "P$PORTION") WHERE "KIND" IN ('T', 'D');
COMMENT ON INDEX "ORAPULL"."POINTER_BARRIER" IS 'For P$PREV, which never goes past a T or D pointer';

-- Plans of loads.
CREATE SEQUENCE "ORAPULL"."PLAN_SEQ";
COMMENT ON SEQUENCE "ORAPULL"."PLAN_SEQ" IS 'Numbers of plans';
CREATE TABLE "ORAPULL"."PLAN" (
    "PLAN_ID"  bigint PRIMARY KEY DEFAULT pg_catalog.nextval('"ORAPULL"."PLAN_SEQ"'),
    "SHARD"    text NOT NULL,
    "TABLE_ID" bigint NOT NULL,
    FOREIGN KEY ("SHARD", "TABLE_ID") REFERENCES "ORAPULL"."SUBSCRIPTION" ON DELETE CASCADE
);
COMMENT ON TABLE "ORAPULL"."PLAN" IS 'Plans of loads; a plan never changes';
CREATE TABLE "ORAPULL"."PLAN_RANGE" (
    "PLAN_ID" bigint NOT NULL REFERENCES "ORAPULL"."PLAN" ON DELETE CASCADE,
    "CHUNK"   bigint NOT NULL,
    "LOW"     text COLLATE "C" NOT NULL,
    "HIGH"    text COLLATE "C" NOT NULL,
    PRIMARY KEY ("PLAN_ID", "CHUNK")
);
COMMENT ON TABLE "ORAPULL"."PLAN_RANGE" IS 'The range LOW <= ROWID < HIGH of each chunk';

-- Requests.
CREATE SEQUENCE "ORAPULL"."REQUEST_SEQ";
COMMENT ON SEQUENCE "ORAPULL"."REQUEST_SEQ" IS 'Numbers of requests';
CREATE TABLE "ORAPULL"."REQUEST" (
    "REQUEST_ID" bigint PRIMARY KEY DEFAULT pg_catalog.nextval('"ORAPULL"."REQUEST_SEQ"'),
    "SHARD"      text NOT NULL,
    "TABLE_ID"   bigint NOT NULL
);
COMMENT ON TABLE "ORAPULL"."REQUEST" IS 'Open requests; their pointers are in slot 0';
-- Like a global temporary table: a row belongs to the transaction that inserted it.
CREATE TABLE "ORAPULL"."ASKED" (
    "TX"       xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(),
    "N"        bigint GENERATED ALWAYS AS IDENTITY,
    "TABLE_ID" bigint,
    "ROW_ID"   text COLLATE "C",
    "K1" text COLLATE "C", "K2" text COLLATE "C", "K3" text COLLATE "C", "K4" text COLLATE "C",
    "K5" text COLLATE "C", "K6" text COLLATE "C", "K7" text COLLATE "C", "K8" text COLLATE "C"
);
COMMENT ON TABLE "ORAPULL"."ASKED" IS 'Identities inserted through ASK_V and not yet asked';
CREATE INDEX "ASKED_TX" ON "ORAPULL"."ASKED" ("TX");
COMMENT ON INDEX "ORAPULL"."ASKED_TX" IS 'Finds the rows of a transaction';

-- Pointers on their way into a portion.
CREATE TABLE "ORAPULL"."STAGED" (
    "N"        bigint GENERATED ALWAYS AS IDENTITY,
    "RELATION" oid NOT NULL,
    "KIND"     text COLLATE "C" NOT NULL,
    "ROW_ID"   text COLLATE "C",
    "K1" text COLLATE "C", "K2" text COLLATE "C", "K3" text COLLATE "C", "K4" text COLLATE "C",
    "K5" text COLLATE "C", "K6" text COLLATE "C", "K7" text COLLATE "C", "K8" text COLLATE "C"
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
COMMENT ON TABLE "ORAPULL"."STAGED" IS 'Changes, staged by triggers in the transaction that makes them';
CREATE TABLE "ORAPULL"."PENDING" (
    "N"        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "TABLE_ID" bigint NOT NULL,
    "KIND"     text COLLATE "C" NOT NULL CHECK ("KIND" IN ('R', 'T', 'D', 'U')),
    "ROW_ID"   text COLLATE "C",
    "K1" text COLLATE "C", "K2" text COLLATE "C", "K3" text COLLATE "C", "K4" text COLLATE "C",
    "K5" text COLLATE "C", "K6" text COLLATE "C", "K7" text COLLATE "C", "K8" text COLLATE "C",
    "NOTE"     text
);
COMMENT ON TABLE "ORAPULL"."PENDING" IS 'Pointers a test has listed for its next portion';
CREATE UNLOGGED TABLE "ORAPULL"."BATCH" (
    "N"        bigint NOT NULL,
    "TABLE_ID" bigint NOT NULL,
    "KIND"     text COLLATE "C" NOT NULL,
    "ROW_ID"   text COLLATE "C",
    "K1" text COLLATE "C", "K2" text COLLATE "C", "K3" text COLLATE "C", "K4" text COLLATE "C",
    "K5" text COLLATE "C", "K6" text COLLATE "C", "K7" text COLLATE "C", "K8" text COLLATE "C",
    "NOTE"     text
) WITH (autovacuum_enabled = off);
COMMENT ON TABLE "ORAPULL"."BATCH" IS 'What is being published; empty between transactions';
