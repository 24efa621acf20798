//! Code of the tables runs as their owner, strangers may do nothing, passwords are nowhere.

use std::fs;

use anyhow::{Context, Result};
use postgres::error::SqlState;

use super::items;
use super::{Scenario, scenario};
use crate::bed::{Bed, OWNER};
use crate::cluster::SUPERUSER;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "owner/code_of_tables_never_runs_as_superuser",
        code_of_tables_never_runs_as_superuser,
    ),
    scenario(
        "owner/ordinary_triggers_and_foreign_keys_do_not_fire",
        ordinary_triggers_and_foreign_keys_do_not_fire,
    ),
    scenario("owner/strangers_may_do_nothing", strangers_may_do_nothing),
    scenario("owner/passwords_are_nowhere", passwords_are_nowhere),
];

/// Code that the tables of a source bring along, of every kind: it tries to become superuser, and notes as whom it ran.
const CODE: &str = "
    CREATE TABLE app.ran (what text, who text, superuser text);
    CREATE FUNCTION app.note(what text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
        BEGIN
            RESET ROLE;
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
        BEGIN
            RESET SESSION AUTHORIZATION;
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
        BEGIN
            PERFORM set_config('role', 'none', true);
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
        INSERT INTO app.ran
        SELECT what, current_user, rolsuper FROM pg_roles WHERE rolname = current_user;
        RETURN true;
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
    ALTER TABLE app.items ENABLE ALWAYS TRIGGER deferred;";

fn code_of_tables_never_runs_as_superuser(bed: &Bed) -> Result<()> {
    items::create(bed, 50)?;
    bed.at_source(r#"ALTER TABLE "APP"."ITEMS" ADD COLUMN "LABEL" varchar(40) DEFAULT 'label'"#)?;
    bed.create_source(0)?;
    items::call(bed, CODE)?;
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items'")?;
    is_equal_in_its_columns(bed)?;
    ran_as_owner(bed, "the load")?;
    items::change(bed)?;
    is_equal_in_its_columns(bed)?;
    ran_as_owner(bed, "the stream")?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    is_equal_in_its_columns(bed)?;
    ran_as_owner(bed, "a request")
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
fn ran_as_owner(bed: &Bed, during: &str) -> Result<()> {
    let mut client = bed.shard(0)?;
    let kinds = items::text(
        &mut client,
        "SELECT string_agg(DISTINCT what, ' ' ORDER BY what) FROM app.ran",
    )?;
    assert_eq!(
        kinds, "at_once cast check default deferred domain generated index",
        "during {during}"
    );
    let who = items::text(
        &mut client,
        "SELECT string_agg(DISTINCT who || ' ' || superuser, ', ') FROM app.ran",
    )?;
    assert_eq!(who, format!("{OWNER} false"), "during {during}");
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
    let mut owner = bed.owner(0)?;
    owner.execute("SELECT orapull.check_source('main')", &[])?;
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
    owner.execute("SELECT orapull.check_source('main')", &[])?;

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
