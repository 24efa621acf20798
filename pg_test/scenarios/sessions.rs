//! What a server, a database, a role or a trigger configures does not reach the sessions of workers.

use std::fs;

use anyhow::Result;

use super::backlog;
use super::items::{self, SOON};
use super::{Scenario, scenario};
use super::{steps, stops};
use crate::artifacts;
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "sessions/settings_of_a_database_do_not_count",
        settings_of_a_database_do_not_count,
    ),
    scenario(
        "sessions/what_a_trigger_sets_ends_with_it",
        what_a_trigger_sets_ends_with_it,
    ),
    scenario(
        "sessions/a_trigger_cannot_have_a_commit_acked_that_does_not_last",
        a_trigger_cannot_have_a_commit_acked_that_does_not_last,
    ),
];

/// Names, what a database says, and what holds.
const PINNED: [(&str, &str, &str); 22] = [
    ("synchronous_commit", "off", "on"),
    ("session_replication_role", "origin", "replica"),
    (
        "default_transaction_isolation",
        "serializable",
        "read committed",
    ),
    ("default_transaction_read_only", "on", "off"),
    ("search_path", "app", "pg_catalog, pg_temp"),
    ("statement_timeout", "'1h'", "0"),
    ("idle_in_transaction_session_timeout", "'1h'", "0"),
    ("row_security", "on", "off"),
    ("TimeZone", "'Asia/Tokyo'", "UTC"),
    ("DateStyle", "SQL, DMY", "ISO, DMY"),
    ("extra_float_digits", "-15", "1"),
    ("bytea_output", "escape", "hex"),
    ("IntervalStyle", "sql_standard", "postgres"),
    ("xmloption", "document", "content"),
    ("standard_conforming_strings", "off", "on"),
    ("work_mem", "'64kB'", "65536"),
    ("temp_buffers", "'1MB'", "8192"),
    ("deadlock_timeout", "'1h'", "100"),
    ("plan_cache_mode", "force_custom_plan", "force_generic_plan"),
    ("jit", "on", "off"),
    ("client_min_messages", "debug5", "warning"),
    // As orapull.lock_timeout says.
    ("lock_timeout", "'1h'", "5000"),
];

/// What the code pins and this list does not have.
fn not_listed() -> Result<Vec<String>> {
    let file = artifacts::repository().join("src/worker/process.rs");
    let code = fs::read_to_string(file)?;
    let settings = code
        .split("(c\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let missing = settings.filter(|name| {
        // One is not a setting of all versions, the other is not the same in all processes.
        !["transaction_timeout", "application_name"].contains(name)
            && !PINNED.iter().any(|(pinned, ..)| pinned == name)
    });
    Ok(missing.map(str::to_owned).collect())
}

fn settings_of_a_database_do_not_count(bed: &Bed) -> Result<()> {
    assert_eq!(not_listed()?, Vec::<String>::new());
    items::follow(bed)?;
    steps::at_shard(
        bed,
        "CREATE TABLE app.seen (setting text, value text, isolation text);
         CREATE FUNCTION app.look() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             INSERT INTO app.seen
             SELECT name, setting, current_setting('transaction_isolation') FROM pg_catalog.pg_settings;
             RETURN NULL;
         END $$;
         CREATE TRIGGER look AFTER UPDATE ON app.items EXECUTE FUNCTION app.look();
         ALTER TABLE app.items ENABLE ALWAYS TRIGGER look",
    )?;
    let (mut shard, database) = (bed.shard(0)?, &bed.shards[0].database);
    for (setting, value, _) in PINNED {
        shard.batch_execute(&format!(
            "ALTER DATABASE {database} SET {setting} = {value}"
        ))?;
    }
    backlog::ends(bed, backlog::PULLER)?;
    bed.eventually("the next puller has its session", SOON, || {
        let sql =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'orapull puller%'";
        Ok(items::number(&mut shard, sql)? == 1)
    })?;
    // For the sessions of this test.
    shard.batch_execute(&format!("ALTER DATABASE {database} RESET ALL"))?;
    // One of the server reaches sessions that are there.
    items::set(bed, "synchronous_commit", Some("off"))?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'changed' WHERE "ID" = 1"#)?;
    items::is_equal_and_acked(bed)?;
    for (setting, _, expected) in PINNED {
        let sql = format!(
            "SELECT string_agg(DISTINCT value, '; ') FROM app.seen WHERE setting = '{setting}'"
        );
        assert_eq!(
            items::text(&mut bed.shard(0)?, &sql)?,
            expected,
            "{setting}"
        );
    }
    let isolation = "SELECT string_agg(DISTINCT isolation, '; ') FROM app.seen";
    assert_eq!(
        items::text(&mut bed.shard(0)?, isolation)?,
        "read committed"
    );
    Ok(())
}

/// Has a trigger run statements after each statement on app.items, whatever the session is.
fn after_each_statement(bed: &Bed, statements: &str) -> Result<()> {
    steps::at_shard(
        bed,
        &format!(
            "CREATE FUNCTION app.act() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {statements} RETURN NULL; END $$;
             CREATE TRIGGER act AFTER INSERT OR DELETE ON app.items EXECUTE FUNCTION app.act();
             ALTER TABLE app.items ENABLE ALWAYS TRIGGER act"
        ),
    )
}

fn what_a_trigger_sets_ends_with_it(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    steps::at_shard(
        bed,
        "CREATE TABLE app.seen (at text, setting text, value text);
         CREATE FUNCTION app.look() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             INSERT INTO app.seen SELECT 'before', name, setting FROM pg_catalog.pg_settings;
             RETURN NULL;
         END $$;
         CREATE TRIGGER look BEFORE INSERT OR DELETE ON app.items EXECUTE FUNCTION app.look();
         ALTER TABLE app.items ENABLE ALWAYS TRIGGER look",
    )?;
    let set = PINNED.map(|(setting, value, _)| {
        format!(
            "BEGIN
                 SET {setting} = {value};
             EXCEPTION WHEN OTHERS THEN NULL;
             END;"
        )
    });
    let noted = "INSERT INTO app.seen SELECT 'after', name, setting FROM pg_catalog.pg_settings;";
    after_each_statement(
        bed,
        &format!("{} {noted} SET transaction_read_only = on;", set.join("\n")),
    )?;
    for _ in 0..2 {
        items::change(bed)?;
        items::is_equal_and_acked(bed)?;
    }
    let mut shard = bed.shard(0)?;
    let set = "SELECT count(DISTINCT setting) FROM app.seen b JOIN app.seen a USING (setting)
               WHERE b.at = 'before' AND a.at = 'after' AND b.value <> a.value";
    // All but those that are a superuser's, or that cannot be set any more.
    assert_eq!(items::number(&mut shard, set)?, PINNED.len() as i64 - 3);
    let kept = "SELECT string_agg(DISTINCT setting || ' ' || value, ', ') FROM app.seen WHERE at = 'before' AND setting IN
                (SELECT setting FROM app.seen WHERE at = 'before' GROUP BY setting HAVING count(DISTINCT value) > 1)";
    assert_eq!(items::text(&mut shard, kept)?, "");
    let statements = "SELECT max(n) FROM (SELECT count(*) AS n FROM app.seen WHERE at = 'before' GROUP BY setting) s";
    assert!(items::number(&mut shard, statements)? >= 4);
    Ok(())
}

fn a_trigger_cannot_have_a_commit_acked_that_does_not_last(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    after_each_statement(
        bed,
        "SET LOCAL synchronous_commit = off; SET synchronous_commit = off;",
    )?;
    let acked = items::acked(bed)?;
    let mut lock = stops::stop_before_the_commit(bed)?;
    items::no_standby_answers(bed)?;
    lock.batch_execute("ROLLBACK")?;
    bed.eventually("the puller waits for the standby", SOON, || {
        let sql = "SELECT count(*) FROM pg_stat_activity
                   WHERE backend_type = 'orapull puller' AND query = 'orapull: applying' AND wait_event = 'SyncRep'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })?;
    assert_eq!(items::acked(bed)?, acked);
    items::set(bed, "synchronous_standby_names", None)?;
    items::is_equal_and_acked(bed)
}
