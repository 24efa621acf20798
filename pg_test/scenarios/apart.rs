//! Reading and calling the source stays apart from what is locked here, and from subtransactions: a connection that
//! breaks in one of those takes more down than itself.

use std::fs;

use anyhow::{Context, Result, bail, ensure};

use super::items::{self, SOON};
use super::{Scenario, scenario};
use super::{loads, poison, second_look, steps};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "apart/nothing_is_locked_while_the_source_is_read",
        nothing_is_locked_while_the_source_is_read,
    ),
    scenario(
        "apart/a_worker_has_no_transaction_during_a_call",
        a_worker_has_no_transaction_during_a_call,
    ),
    scenario(
        "apart/add_tables_has_locked_nothing_during_a_call",
        add_tables_has_locked_nothing_during_a_call,
    ),
    scenario(
        "apart/the_source_is_not_read_in_a_subtransaction",
        the_source_is_not_read_in_a_subtransaction,
    ),
];

/// Locks of other sessions, stronger than those of reading, on followed tables and on the catalog of the extension.
const LOCKED: &str = "
    SELECT string_agg(concat_ws(' ', a.backend_type, l.relation::regclass, l.mode), ', ')
    FROM pg_locks l
    JOIN pg_stat_activity a USING (pid)
    JOIN pg_class c ON c.oid = l.relation
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND n.nspname IN ('app', 'orapull') AND l.mode <> 'AccessShareLock' AND l.pid <> pg_backend_pid()";

/// Who reads waits at the source, with all it has locked; what another worker does meanwhile is over in a moment.
fn nothing_is_locked(bed: &Bed, during: &str) -> Result<()> {
    bed.eventually(&format!("nothing is locked during {during}"), SOON, || {
        let locked = items::text(&mut bed.shard(0)?, LOCKED)?;
        ensure!(locked.is_empty(), "{locked}");
        Ok(true)
    })
}

fn nothing_is_locked_while_the_source_is_read(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut lock = second_look::stop_before_rows(bed)?;
    nothing_is_locked(bed, "a batch")?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;

    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    steps::pull(bed)?;
    lock.batch_execute(r#"BEGIN; LOCK TABLE "APP"."ITEMS""#)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::reading_waits_at_the_source(bed)?;
    assert_eq!(items::calls_of(bed, "ASK"), 1);
    nothing_is_locked(bed, "a request")?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;

    items::set(bed, "orapull.load_workers", Some("0"))?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    bed.eventually("the load is planned", SOON, || {
        Ok(loads::chunks(bed, "generation = 2")? > 0)
    })?;
    lock.batch_execute(r#"BEGIN; LOCK TABLE "APP"."ITEMS""#)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    items::reading_waits_at_the_source(bed)?;
    nothing_is_locked(bed, "a chunk")?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)
}

/// How long a call takes that is to be looked at.
const SECONDS: &str = "1.5";

/// Looks at the shard during the nth call of a procedure, which the work leads to.
fn during_call(
    bed: &Bed,
    (procedure, nth): (&str, u32),
    work: impl FnOnce() -> Result<()>,
    look: impl FnOnce() -> Result<()>,
) -> Result<()> {
    bed.fault(0, &format!(r#""API"."{procedure}" {nth} delay {SECONDS}"#))?;
    work()?;
    bed.eventually(&format!("{procedure} is being called"), SOON, || {
        Ok(bed.faults_left(0)? == 0)
    })?;
    let before = items::calls_of(bed, procedure);
    look().with_context(|| format!("during {procedure}"))?;
    if items::calls_of(bed, procedure) != before {
        bail!("{procedure} was over before it was looked at");
    }
    Ok(())
}

fn a_worker_has_no_transaction_during_a_call(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let during = |procedure: &str, work: &dyn Fn() -> Result<()>| {
        during_call(bed, (procedure, 1), work, || no_transaction(bed))
    };
    let call = |statement: &'static str| move || items::call(bed, statement);
    // What an earlier step leads to as well.
    let nothing_more = || Ok(());
    during("ACK", &|| items::change(bed))?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    steps::pull(bed)?;
    during("ASK", &call("SELECT orapull.resume('main', 'app.items')"))?;
    during("DONE", &nothing_more)?;
    items::is_equal_and_acked(bed)?;
    during(
        "REGISTER_TABLE",
        &call("SELECT orapull.resync('app.items')"),
    )?;
    during("PLAN_RANGES", &nothing_more)?;
    items::is_equal_and_acked(bed)?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'ITEMS', 'ADD COLUMN "MORE" numeric(5)');
           SELECT "TEST"."POINT"('APP', 'ITEMS', 'D', p_note => 'ALTER TABLE')"#,
    )?;
    during("REFRESH_TABLE", &|| {
        bed.at_source(r#"SELECT "TEST"."PUBLISH"()"#)
    })?;
    bed.catch_up(0)?;
    during("ATTACH", &call("SELECT orapull.adopt('main')"))?;
    items::source_becomes(bed, "RUNNING")?;
    during(
        "DROP_TABLE",
        &call("SELECT orapull.drop_table('app.items')"),
    )?;
    during("DROP_SHARD", &call("SELECT orapull.drop_source('main')"))
}

/// No worker of the shard that waits is in a transaction.
fn no_transaction(bed: &Bed) -> Result<()> {
    let open = "SELECT string_agg(concat_ws(' ', backend_type, query), ', ') FROM pg_stat_activity
                WHERE backend_type LIKE 'orapull %' AND xact_start IS NOT NULL";
    assert_eq!(items::text(&mut bed.shard(0)?, open)?, "");
    Ok(())
}

fn add_tables_has_locked_nothing_during_a_call(bed: &Bed) -> Result<()> {
    for table in ["ONE", "TWO"] {
        steps::table(bed, table, r#""ID" numeric(9) PRIMARY KEY"#, "")?;
    }
    bed.create_source(0)?;
    items::source_becomes(bed, "RUNNING")?;
    let mut owner = bed.owner(0)?;
    let mut adding = None;
    let work = || {
        let add = "SELECT FROM orapull.add_tables('main', 'APP.%')";
        adding = Some(std::thread::spawn(move || owner.execute(add, &[])));
        Ok(())
    };
    let locked = || nothing_is_locked(bed, "the second table");
    during_call(bed, ("REGISTER_TABLE", 2), work, locked)?;
    let added = adding.context("nothing was added")?.join();
    assert_eq!(added.expect("the session did not panic")?, 2);
    bed.catch_up(0)
}

fn the_source_is_not_read_in_a_subtransaction(bed: &Bed) -> Result<()> {
    let columns = r#""ID" numeric(9) PRIMARY KEY, "N" numeric"#;
    let rows = "SELECT i, i FROM generate_series(1, 500) AS i";
    steps::captured_table(bed, "ITEMS", columns, rows)?;
    steps::table(bed, "TAKEN", columns, "")?;
    bed.source()?
        .batch_execute("ALTER SYSTEM SET log_statement = 'all'")?;
    bed.source()?.batch_execute("SELECT pg_reload_conf()")?;
    bed.create_source(0)?;
    // Each of these works with subtransactions here: a refused table among others, slices of rows that do not fit, and
    // slices of rows that cannot be read.
    steps::at_shard(bed, "CREATE TABLE app.taken ()")?;
    let add = "SELECT remote FROM orapull.add_tables('main', 'APP.%') WHERE added";
    let added: String = bed.owner(0)?.query_one(add, &[])?.get(0);
    assert_eq!(added, "APP.ITEMS");
    bed.catch_up(0)?;
    poison::read_as(bed, "ITEMS", "n", "smallint")?;
    steps::at_shard(bed, "ALTER TABLE app.items ADD CHECK (n < 1000)")?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "N" = CASE "ID" WHEN 7 THEN 1000 WHEN 300 THEN 100000 ELSE "N" + 1 END"#,
    )?;
    bed.publish()?;
    steps::pull(bed)?;
    let parked = "SELECT string_agg(key::text, ' ' ORDER BY key) FROM orapull.parked";
    assert_eq!(steps::value::<String>(bed, parked)?, "{300} {7}");
    steps::at_shard(bed, "SELECT orapull.retry_parked('app.items')")?;
    bed.eventually("they were asked again", SOON, || {
        steps::value::<bool>(bed, "SELECT bool_and(attempts > 1) FROM orapull.parked_row")
    })?;
    let log = fs::read_to_string(bed.source.log_file())?;
    assert!(
        log.contains("START TRANSACTION ISOLATION LEVEL"),
        "the log does not show how the source is read"
    );
    // A foreign scan in a subtransaction opens one there too, called s2 and so on.
    let opened = log.lines().find(|line| {
        let name = line.split_once("SAVEPOINT s").map(|(_, name)| name);
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_digit()))
    });
    assert_eq!(opened, None);
    Ok(())
}
