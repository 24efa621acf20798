-- The SQL functions; their code is in src/api.rs. They run as the caller.

CREATE FUNCTION "orapull"."create_source"(
    "name" text,
    "server" text,
    "shard" text,
    "remote_schema" text DEFAULT 'ORAPULL'
) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'create_source_wrapper';

COMMENT ON FUNCTION "orapull"."create_source"(text, text, text, text) IS
    'Makes an Oracle database a source of this shard. name: for the other functions, 1 to 55 bytes. server: a foreign server (oracle_fdw) of which the caller has USAGE and a user mapping with user and password. shard: name of this shard at the source, 1 to 30 bytes. remote_schema: Oracle schema that owns orapull. The caller becomes the owner: filters, casts and triggers run as that role. Errors: 42704 no such server, 28000 no usable user mapping, 42710 the name is taken, or another source is this shard, 22023 a name that is too long, 55000 orapull is not in shared_preload_libraries.';

CREATE FUNCTION "orapull"."drop_source"(
    "name" text,
    "force" boolean DEFAULT false
) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'drop_source_wrapper';

COMMENT ON FUNCTION "orapull"."drop_source"(text, boolean) IS
    'Leaves a source for good: the puller drops the shard there, then forgets the source here; local tables stay. Until the source has agreed its state is DROPPING, or CREDENTIALS when the login is refused: resume() tries again. force: forget it here at once and leave Oracle alone (then API.DROP_SHARD must be called there, or it keeps portions for ever). Errors: 42704, 42501 not a member of the owner.';

CREATE FUNCTION "orapull"."adopt"(
    "name" text,
    "force" boolean DEFAULT false
) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'adopt_wrapper';

COMMENT ON FUNCTION "orapull"."adopt"(text, boolean) IS
    'Takes the lease of the shard on this server: after a restore, a failover, a copy, or LEASE_LOST. The applied portion of this server is sent to the source; when portions after it are gone, the state becomes NEEDS_RESYNC. force: attach without progress, also to another or a set back database; every table becomes needs_resync. Errors: 42704, 42501.';

CREATE FUNCTION "orapull"."check_source"("name" text) RETURNS TABLE ("check" text, "ok" boolean, "found" text, "advice" text)
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'check_source_wrapper';

COMMENT ON FUNCTION "orapull"."check_source"(text) IS
    'Checks what a source needs: server, isolation level, right to use it, user mapping, client library, connection, contract version, each view, lease. Returns one row per check: ok, what was found or is wrong, what to do. Errors: 42704, 42501.';

CREATE FUNCTION "orapull"."add_table"(
    "source" text,
    "remote" text,
    "relation" regclass DEFAULT NULL,
    "identity" text DEFAULT 'auto',
    "filter" text DEFAULT NULL,
    "load" text DEFAULT 'auto'
) RETURNS regclass
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'add_table_wrapper';

COMMENT ON FUNCTION "orapull"."add_table"(text, text, regclass, text, text, text) IS
    'Follows an Oracle table. remote: OWNER.TABLE, names that are not upper case in double quotes. relation: local table; NULL creates lower(owner).lower(table) in an existing schema. identity: auto, key or rowid. filter: immutable boolean expression over the columns, but for LOBs unless identity is rowid; rows that do not pass are not here. load: auto (the table must be empty), replace (make it equal, rows that the source does not have are deleted), none (you bring the rows, then resume). Returns the local table. Calls Oracle, and waits up to 30 s for a new source to attach. Errors: HV00R the source refuses the table, 42809 a local table, type or column that cannot be used, 42704 no such source or schema, 42710 the table exists or is followed already, 42501, 22023, 55000 not attached, 0A000 this server is a copy.';

CREATE FUNCTION "orapull"."add_tables"(
    "source" text,
    "pattern" text,
    "identity" text DEFAULT 'auto',
    "filter" text DEFAULT NULL,
    "load" text DEFAULT 'auto'
) RETURNS TABLE ("remote" text, "relation" regclass, "added" boolean, "reason" text)
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'add_tables_wrapper';

COMMENT ON FUNCTION "orapull"."add_tables"(text, text, text, text, text) IS
    'Follows all Oracle tables that match OWNER.PATTERN (LIKE patterns, as in the catalog of Oracle), each as add_table does. Returns one row per table: the local table, or why it was refused. Errors: 42704, 42501, 22023, 08001 when the source cannot be reached, 0A000 this server is a copy.';

CREATE FUNCTION "orapull"."drop_table"("relation" regclass) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'drop_table_wrapper';

COMMENT ON FUNCTION "orapull"."drop_table"(regclass) IS
    'Stops following into a local table, which stays as it is. Its parked rows are forgotten. Takes effect when the source has agreed; until then its state is dropping. Errors: 42704, 42501.';

CREATE FUNCTION "orapull"."pause"(
    "source" text,
    "relation" regclass DEFAULT NULL
) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'pause_wrapper';

COMMENT ON FUNCTION "orapull"."pause"(text, regclass) IS
    'Pauses a table: its pointers are held until resume(). Without relation: the source, whose portions then wait at the source. Errors: 42704, 42501.';

CREATE FUNCTION "orapull"."resume"(
    "source" text,
    "relation" regclass DEFAULT NULL
) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'resume_wrapper';

COMMENT ON FUNCTION "orapull"."resume"(text, regclass) IS
    'Resumes a table or a source: after pause(), after a cause that needed an operator (CREDENTIALS, also of a source that is being dropped; TRANSPORT_LOST, drift), and after load => none once the rows are there. Errors: 42704, 42501.';

CREATE FUNCTION "orapull"."resync"("relation" regclass) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'resync_wrapper';

COMMENT ON FUNCTION "orapull"."resync"(regclass) IS
    'Loads a table again and makes it equal: rows that the source does not have are asked for and deleted. It goes on being followed. Errors: 42704, 42501.';

CREATE FUNCTION "orapull"."retry_parked"("relation" regclass) RETURNS bigint
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'retry_parked_wrapper';

COMMENT ON FUNCTION "orapull"."retry_parked"(regclass) IS
    'Tries the parked rows of a table now. Returns how many. Errors: 42704, 42501.';

CREATE FUNCTION "orapull"."compare"(
    "relation" regclass,
    "sample" double precision DEFAULT 1.0
) RETURNS TABLE ("difference" text, "identity" jsonb, "detail" jsonb)
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'compare_wrapper';

COMMENT ON FUNCTION "orapull"."compare"(regclass, double precision) IS
    'Compares a table with the source, row by row. sample: share of the table to read, above 0 to 1; rows that are only here are found with 1 alone. Returns up to 1000 differences: missing (here), extra (here) or different (with both values of each column that differs); none: identical. Rows that change meanwhile can show as different. Errors: 42704, 42501, 22023, HV010 the plan was forgotten, 0A000 this server is a copy.';

CREATE FUNCTION "orapull"."pull_now"(
    "source" text,
    "timeout" interval DEFAULT '1 minute'
) RETURNS TABLE (
    "portion_from" bigint, "portion_to" bigint, "pointers" bigint, "upserted" bigint, "deleted" bigint, "unchanged" bigint,
    "held" bigint, "parked" bigint
)
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'pull_now_wrapper';

COMMENT ON FUNCTION "orapull"."pull_now"(text, interval) IS
    'Wakes the puller and waits until everything that is published at the time of the call is applied and acked. Returns what was done meanwhile. While it waits its snapshot keeps the server from using the space of dead rows again, as that of any long statement does. Errors: 57014 not in time, 55000 the source waits for an operator or the transaction may not wait (it has written, or is not READ COMMITTED), 42704, 42501.';

CREATE FUNCTION "orapull"."wait_for"(
    "source" text,
    "scn" bigint,
    "timeout" interval DEFAULT '1 minute'
) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'wait_for_wrapper';

COMMENT ON FUNCTION "orapull"."wait_for"(text, bigint, interval) IS
    'Waits until this shard is equal to the source as of an SCN. Errors: as pull_now.';

CREATE FUNCTION "orapull"."stop_workers"("database" text) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'stop_workers_wrapper';

COMMENT ON FUNCTION "orapull"."stop_workers"(text) IS
    'Stops all workers of orapull in a database and starts none until start_workers() or a restart of the server, so that it can be dropped, renamed or copied. Waits up to 10 s. Takes effect at once. Errors: 42704, 42501 not the owner of the database, 55000.';

CREATE FUNCTION "orapull"."start_workers"("database" text) RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'start_workers_wrapper';

COMMENT ON FUNCTION "orapull"."start_workers"(text) IS
    'Undoes stop_workers(). Errors: as stop_workers.';

CREATE FUNCTION "orapull"."rescan"() RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'rescan_wrapper';

COMMENT ON FUNCTION "orapull"."rescan"() IS
    'Has the launcher look at this database once the transaction has committed. Called by the install script. Errors: 55000 orapull is not in shared_preload_libraries.';

CREATE FUNCTION "orapull"."advice"("state" text) RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'advice_wrapper';

COMMENT ON FUNCTION "orapull"."advice"(text) IS
    'What to do about a state of a source or a table, as the views show it; NULL: nothing.';

CREATE FUNCTION "orapull"."pullers"() RETURNS TABLE (
    "source_id" integer, "pid" integer, "failures" integer, "next_start" timestamp with time zone, "no_worker_slot" boolean,
    "last_portion" bigint, "published_scn" bigint, "mined_scn" bigint, "current_scn" bigint, "waiting_pointers" bigint,
    "waiting_since" timestamp with time zone, "polled_at" timestamp with time zone
)
LANGUAGE c VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME', 'pullers_wrapper';

COMMENT ON FUNCTION "orapull"."pullers"() IS
    'What shared memory knows of the pullers of this database; the view status shows it. Errors: 55000.';
