//! Code of the tables runs as their owner, strangers may do nothing, passwords are nowhere.

use std::fs;

use anyhow::{Context, Result};
use postgres::error::SqlState;

use super::{Scenario, scenario};
use super::{items, resyncs};
use crate::bed::{self, Bed, OWNER};
use crate::cluster::SUPERUSER;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "owner/code_of_tables_never_runs_as_superuser",
        code_of_tables_never_runs_as_superuser,
    ),
    scenario(
        "owner/nothing_of_the_owner_is_found_by_name",
        nothing_of_the_owner_is_found_by_name,
    ),
    scenario(
        "owner/ordinary_triggers_and_foreign_keys_do_not_fire",
        ordinary_triggers_and_foreign_keys_do_not_fire,
    ),
    scenario("owner/strangers_may_do_nothing", strangers_may_do_nothing),
    scenario("owner/passwords_are_nowhere", passwords_are_nowhere),
];

/// Code that the tables, filters and views of a source bring along, of every kind. It tries to become superuser, now or
/// when the worker goes on or commits, and notes as whom it ran.
const CODE: &str = r#"
    CREATE TABLE app.ran (what text, who text, superuser text);
    CREATE FUNCTION app.ran_as(what text) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
    BEGIN
        INSERT INTO app.ran
        SELECT what, current_user, rolsuper FROM pg_roles WHERE rolname = current_user;
        RETURN true;
    END $$;
    CREATE TABLE app.queue (what text);
    CREATE FUNCTION app.on_queue() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM app.ran_as(new.what);
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER queued AFTER INSERT ON app.queue
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.on_queue();
    ALTER TABLE app.queue ENABLE ALWAYS TRIGGER queued;
    CREATE FUNCTION app.note(what text) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
    DECLARE
        attempt text;
    BEGIN
        FOREACH attempt IN ARRAY ARRAY[
            'RESET ROLE',
            'RESET SESSION AUTHORIZATION',
            'SET SESSION AUTHORIZATION postgres',
            'SELECT set_config(''role'', ''none'', true)',
            'DECLARE held CURSOR WITH HOLD FOR SELECT app.ran_as(''cursor'')',
            'INSERT INTO app.queue VALUES (''queue'')',
            'SET CONSTRAINTS app.queued DEFERRED; INSERT INTO app.queue VALUES (''deferred queue'')',
            'PREPARE later AS SELECT app.ran_as(''prepared'')',
            'CREATE TEMP TABLE seen AS SELECT app.ran_as(''temporary'')',
            'CREATE RULE seen AS ON INSERT TO pg_temp.seen DO ALSO SELECT app.ran_as(''rule'')'
        ] LOOP
            BEGIN
                EXECUTE attempt;
            EXCEPTION WHEN OTHERS THEN NULL;
            END;
        END LOOP;
        RETURN app.ran_as(what);
    END $$;
    CREATE FUNCTION app.on_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM app.note(tg_name);
        RETURN NULL;
    END $$;
    CREATE FUNCTION app.noted(what text, value text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM app.note(what);
        RETURN value;
    END $$;
    CREATE FUNCTION app.good(id numeric) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$
    BEGIN
        RETURN app.note('filter');
    END $$;
    CREATE DOMAIN app.checked AS varchar(40) CHECK (app.note('domain'));
    CREATE TYPE app.label AS (word text);
    CREATE FUNCTION app.to_label(word text) RETURNS app.label LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM app.note('cast');
        RETURN ROW (word);
    END $$;
    CREATE CAST (text AS app.label) WITH FUNCTION app.to_label(text);
    CREATE TABLE app.items (
        id numeric(10) PRIMARY KEY,
        name app.checked CHECK (app.note('check')),
        label app.label,
        seen boolean DEFAULT app.note('default'),
        made text GENERATED ALWAYS AS (app.noted('generated', name)) STORED
    );
    CREATE INDEX ON app.items (app.noted('index', name));
    CREATE TRIGGER at_once AFTER INSERT OR UPDATE OR DELETE ON app.items FOR EACH ROW EXECUTE FUNCTION app.on_row();
    CREATE CONSTRAINT TRIGGER deferred AFTER INSERT OR UPDATE OR DELETE ON app.items
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.on_row();
    ALTER TABLE app.items ENABLE ALWAYS TRIGGER at_once;
    ALTER TABLE app.items ENABLE ALWAYS TRIGGER deferred;
    DO $$
    DECLARE
        name text;
    BEGIN
        FOREACH name IN ARRAY ARRAY['source_v', 'portion_v', 'pointer_v', 'table_v', 'plan_v'] LOOP
            EXECUTE format('ALTER FOREIGN TABLE orapull_main.%I SET SCHEMA app', name);
            EXECUTE format('CREATE VIEW orapull_main.%1$I AS SELECT * FROM app.%1$I WHERE app.note(''view'')', name);
        END LOOP;
    END $$;"#;

/// What PostgreSQL must not find by name: functions, operators and a type of the owner that are named like its own, and
/// a trigger that puts them first for the rest of the session.
const SHADOWS: &str = r#"
    CREATE FUNCTION app.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM app.ran_as('function');
        RETURN pg_catalog.clock_timestamp();
    END $$;
    CREATE FUNCTION app.same(a integer, b integer) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM app.ran_as('operator');
        RETURN a OPERATOR(pg_catalog.=) b;
    END $$;
    CREATE OPERATOR app.= (LEFTARG = integer, RIGHTARG = integer, FUNCTION = app.same);
    CREATE DOMAIN app.text AS pg_catalog.text CHECK (app.ran_as('type'));
    CREATE FUNCTION app.mislead() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM set_config('search_path', 'app, pg_catalog, pg_temp', false);
        PERFORM app.ran_as('mislead');
        RETURN NULL;
    END $$;
    CREATE TRIGGER zz_mislead AFTER INSERT OR DELETE ON app.items EXECUTE FUNCTION app.mislead();
    ALTER TABLE app.items ENABLE ALWAYS TRIGGER zz_mislead;"#;

/// The superuser calls what can be called: neither a worker nor a caller lends its rights. It may log in at the source,
/// or the read would fail before any code ran as the superuser.
fn code_of_tables_never_runs_as_superuser(bed: &Bed) -> Result<()> {
    const WRITTEN: &str =
        "at_once cast check default deferred domain filter generated index queue view";
    items::create(bed, 50)?;
    bed.at_source(r#"ALTER TABLE "APP"."ITEMS" ADD COLUMN "LABEL" varchar(40) DEFAULT 'label'"#)?;
    bed.create_source(0)?;
    items::call(bed, CODE)?;
    let mut superuser = bed.shard(0)?;
    superuser.batch_execute(&format!(
        "CREATE USER MAPPING FOR {SUPERUSER} SERVER ora OPTIONS (user 'shard1', password '{}')",
        bed::PASSWORD
    ))?;
    superuser.batch_execute(
        "SELECT orapull.add_table('main', 'APP.ITEMS', relation => 'app.items', filter => 'app.good(id)')",
    )?;
    is_equal_in_its_columns(bed)?;
    ran_as_owner(bed, "the load", WRITTEN)?;
    items::change(bed)?;
    is_equal_in_its_columns(bed)?;
    ran_as_owner(bed, "the stream", WRITTEN)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    is_equal_in_its_columns(bed)?;
    ran_as_owner(bed, "a request", WRITTEN)?;
    items::call(
        bed,
        "INSERT INTO app.items (id, name) VALUES (777777, 'only here');
         UPDATE app.items SET name = 'only here' WHERE id = 1",
    )?;
    items::call(bed, "TRUNCATE app.ran; SELECT orapull.resync('app.items')")?;
    resyncs::resynced(bed, 2)?;
    is_equal_in_its_columns(bed)?;
    ran_as_owner(bed, "a resync", WRITTEN)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    superuser.batch_execute("TRUNCATE app.ran; SELECT orapull.compare('app.items')")?;
    ran_as_owner(bed, "a comparison", "cast filter view")
}

fn nothing_of_the_owner_is_found_by_name(bed: &Bed) -> Result<()> {
    items::create(bed, 50)?;
    bed.create_source(0)?;
    items::call(bed, CODE)?;
    items::call(bed, SHADOWS)?;
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items'")?;
    for _ in 0..2 {
        items::change(bed)?;
        bed.catch_up(0)?;
    }
    let mut client = bed.shard(0)?;
    let ran = "SELECT string_agg(DISTINCT what, ' ' ORDER BY what) FROM app.ran
               WHERE what IN ('function', 'operator', 'type', 'mislead')";
    assert_eq!(items::text(&mut client, ran)?, "mislead");
    let who = "SELECT string_agg(DISTINCT superuser, ' ') FROM app.ran";
    assert_eq!(items::text(&mut client, who)?, "false");
    Ok(())
}

/// The local table has a column of its own, which the comparison of beds does not leave out.
fn is_equal_in_its_columns(bed: &Bed) -> Result<()> {
    bed.catch_up(0)?;
    let here =
        "SELECT string_agg(concat_ws(' ', id, name, (label).word), ',' ORDER BY id) FROM app.items";
    let there = r#"SELECT string_agg(concat_ws(' ', "ID", "NAME", "LABEL"), ',' ORDER BY "ID") FROM "APP"."ITEMS""#;
    assert_eq!(
        items::text(&mut bed.shard(0)?, here)?,
        items::text(&mut bed.source()?, there)?
    );
    Ok(())
}

/// All code ran since the last look, and as the owner.
fn ran_as_owner(bed: &Bed, during: &str, expected: &str) -> Result<()> {
    let mut client = bed.shard(0)?;
    let kinds = items::text(
        &mut client,
        "SELECT string_agg(DISTINCT what, ' ' ORDER BY what) FROM app.ran",
    )?;
    let who = items::text(
        &mut client,
        "SELECT string_agg(DISTINCT who || ' ' || superuser, ', ') FROM app.ran",
    )?;
    assert_eq!(who, format!("{OWNER} false"), "during {during}");
    assert_eq!(kinds, expected, "during {during}");
    client.batch_execute("TRUNCATE app.ran")?;
    Ok(())
}

fn ordinary_triggers_and_foreign_keys_do_not_fire(bed: &Bed) -> Result<()> {
    items::create(bed, 100)?;
    bed.create_source(0)?;
    items::call(
        bed,
        "CREATE TABLE app.parents (id numeric(10) PRIMARY KEY);
         CREATE TABLE app.fired (what text);
         CREATE TABLE app.items (id numeric(10) PRIMARY KEY REFERENCES app.parents, name varchar(40));
         CREATE FUNCTION app.fire() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO app.fired VALUES (tg_op); RETURN NULL; END $$;
         CREATE TRIGGER fire AFTER INSERT OR UPDATE OR DELETE ON app.items FOR EACH ROW EXECUTE FUNCTION app.fire()",
    )?;
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items'")?;
    items::is_equal_and_acked(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    let fired = "SELECT count(*) FROM app.fired";
    assert_eq!(items::number(&mut bed.shard(0)?, fired)?, 0);
    Ok(())
}

fn strangers_may_do_nothing(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.shard(0)?.batch_execute(
        "CREATE ROLE stranger LOGIN;
         GRANT USAGE ON SCHEMA orapull, app TO stranger;
         GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA orapull TO stranger;
         CREATE ROLE watcher LOGIN IN ROLE pg_monitor",
    )?;
    let cluster = &bed.shards[0].cluster;
    let database = &bed.shards[0].database;
    let mut stranger = cluster.connect(database, "stranger")?;
    for call in [
        "drop_source('main')",
        "drop_source('main', true)",
        "adopt('main')",
        "adopt('main', true)",
        "pause('main')",
        "resume('main')",
        "pause('main', 'app.items')",
        "resume('main', 'app.items')",
        "resync('app.items')",
        "retry_parked('app.items')",
        "drop_table('app.items')",
        "compare('app.items')",
        "check_source('main')",
        "pull_now('main')",
        "wait_for('main', 1)",
        "add_table('main', 'APP.ITEMS')",
        "add_tables('main', 'APP.%')",
        "stop_workers(current_database())",
        "start_workers(current_database())",
        "create_source('other', 'ora', 'shard9')",
    ] {
        let error = match stranger.simple_query(&format!("SELECT orapull.{call}")) {
            Ok(_) => anyhow::bail!("a stranger may call {call}"),
            Err(error) => error,
        };
        assert_eq!(
            error.code(),
            Some(&SqlState::INSUFFICIENT_PRIVILEGE),
            "{call}: {error}"
        );
    }
    let mut watcher = cluster.connect(database, "watcher")?;
    for view in ["status", "tables", "events", "parked", "batches"] {
        let sql = format!("SELECT count(*) FROM orapull.{view}");
        items::number(&mut watcher, &sql).with_context(|| format!("pg_monitor reads {view}"))?;
        assert!(
            items::number(&mut stranger, &sql).is_err(),
            "a stranger reads {view}"
        );
    }
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

fn passwords_are_nowhere(bed: &Bed) -> Result<()> {
    const PASSWORD: &str = "Sesam-4711-xyz";
    bed.at_source(&format!("ALTER ROLE shard1 PASSWORD '{PASSWORD}'"))?;
    let mapping =
        format!("ALTER USER MAPPING FOR {OWNER} SERVER ora OPTIONS (SET password '{PASSWORD}')");
    bed.shard(0)?.batch_execute(&mapping)?;
    items::follow(bed)?;
    let mut told = what_a_client_is_told(bed)?;
    // Failures of every kind that carry a login.
    bed.fault(0, r#""API"."ACK" 1 cut_before"#)?;
    bed.fault(0, "connect 1 refuse")?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    bed.at_source(
        "ALTER ROLE shard1 PASSWORD 'other';
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shard1'",
    )?;
    items::source_becomes(bed, "CREDENTIALS")?;
    told.extend(what_a_client_is_told(bed)?);
    bed.shard(0)?
        .batch_execute("ALTER SERVER ora OPTIONS (SET port '1')")?;
    told.extend(what_a_client_is_told(bed)?);
    bed.shard(0)?.batch_execute(&format!(
        "ALTER USER MAPPING FOR {OWNER} SERVER ora OPTIONS (DROP user)"
    ))?;
    told.extend(what_a_client_is_told(bed)?);
    assert!(
        told.iter()
            .filter(|text| text.contains("password authentication failed"))
            .count()
            >= 2
    );
    for text in told {
        assert!(!text.contains(PASSWORD), "a client is told {text}");
    }

    let cluster = &bed.shards[0].cluster;
    for file in [cluster.log_file(), cluster.folder.join("oci/calls.log")] {
        let text = fs::read_to_string(&file)?;
        assert!(
            !text.contains(PASSWORD),
            "{} has the password",
            file.display()
        );
    }
    let mut admin = cluster.connect(&bed.shards[0].database, SUPERUSER)?;
    let tables = admin.query(
        "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'orapull'::regnamespace
         UNION ALL SELECT 'pg_stat_activity'",
        &[],
    )?;
    assert!(tables.len() > 10);
    for table in tables {
        let table: String = table.get(0);
        // Put together, so that pg_stat_activity does not show it because of this very query.
        let sql = format!("SELECT count(*) FROM {table} t WHERE t::text LIKE '%' || $1 || '%'");
        let found: i64 = admin.query_one(&sql, &[&PASSWORD])?.get(0);
        assert_eq!(found, 0, "{table} has the password");
    }
    Ok(())
}

/// Rows, errors and notices of all that logs in at the source.
fn what_a_client_is_told(bed: &Bed) -> Result<Vec<String>> {
    let (cluster, database) = (&bed.shards[0].cluster, &bed.shards[0].database);
    let mut told = Vec::new();
    for query in [
        "SELECT c::text FROM orapull.check_source('main') c",
        "SELECT orapull.add_table('main', 'APP.MISSING')::text",
        "SELECT a::text FROM orapull.add_tables('main', 'APP.%') a",
        "SELECT c::text FROM orapull.compare('app.items') c",
        "SELECT p::text FROM orapull.pull_now('main', '2 s') p",
        "SELECT orapull.wait_for('main', 1000000000, '1 s')::text",
        "SELECT orapull.create_source('again', 'ora', 'shard9')::text",
        "SELECT orapull.drop_source('again', true)::text",
        "SELECT count(*)::text FROM orapull_main.source_v",
    ] {
        let output = cluster
            .psql(database)
            .args(["-U", OWNER, "-v", "VERBOSITY=verbose", "-c", query])
            .output()?;
        told.push(format!(
            "{query}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(told)
}
