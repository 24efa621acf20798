//! Connections, disk and worker slots are used up: a sentence says so, nothing spins, and it is over by itself.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::items::{self, SOON};
use super::loads;
use super::steps;
use super::{Scenario, scenario};
use crate::bed::{Bed, OWNER, SOURCE_DATABASE};
use crate::cluster::SUPERUSER;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "exhausted/the_source_lets_nobody_in",
        the_source_lets_nobody_in,
    ),
    scenario(
        "exhausted/the_source_has_one_connection_where_two_are_needed",
        the_source_has_one_connection_where_two_are_needed,
    ),
    scenario(
        "exhausted/a_shard_without_connections_goes_on",
        a_shard_without_connections_goes_on,
    ),
    scenario(
        "exhausted/a_database_that_takes_no_connections_is_left_alone",
        a_database_that_takes_no_connections_is_left_alone,
    ),
    scenario(
        "exhausted/a_full_disk_stops_batches",
        a_full_disk_stops_batches,
    ),
    scenario(
        "exhausted/a_full_disk_stops_a_load",
        a_full_disk_stops_a_load,
    ),
    scenario(
        "exhausted/without_a_slot_for_a_loader_its_table_says_so",
        without_a_slot_for_a_loader_its_table_says_so,
    ),
];

/// Long enough for a loop to show.
const A_WHILE: Duration = Duration::from_secs(4);
/// Tries and lines of the log in a while, when the pauses between tries grow: 1 s, 2 s, 4 s.
const FEW: usize = 5;

/// What status says is wrong, and what to do.
fn told(bed: &Bed) -> Result<String> {
    let sql = "SELECT concat_ws(' | ', state, message, hint) FROM orapull.status";
    items::text(&mut bed.shard(0)?, sql)
}

/// Waits until status tells all of this.
fn says(bed: &Bed, words: &[&str]) -> Result<()> {
    bed.eventually("status says so", SOON, || {
        let told = told(bed)?;
        Ok(words.iter().all(|word| told.contains(word)))
    })
    .with_context(|| told(bed).unwrap_or_default())
}

/// What tables says of APP.ITEMS.
fn told_of_items(bed: &Bed) -> Result<String> {
    let sql = "SELECT concat_ws(' | ', state, reason, hint) FROM orapull.tables WHERE remote = 'APP.ITEMS'";
    items::text(&mut bed.shard(0)?, sql)
}

fn lines_of_log(bed: &Bed) -> Result<usize> {
    let log = fs::read(bed.shards[0].cluster.log_file())?;
    Ok(String::from_utf8_lossy(&log).lines().count())
}

fn connects(bed: &Bed) -> usize {
    let calls = bed.calls(0).into_iter();
    calls.filter(|call| call.what == "connect").count()
}

/// Waits for a while in which nothing may spin.
fn nothing_spins(bed: &Bed) -> Result<()> {
    let before = (connects(bed), lines_of_log(bed)?);
    std::thread::sleep(A_WHILE);
    let tries = connects(bed) - before.0;
    let lines = lines_of_log(bed)? - before.1;
    ensure!(
        tries <= FEW && lines <= FEW,
        "{tries} connects and {lines} lines of the log in {A_WHILE:?}\n{}",
        bed.shards[0].cluster.log_tail(10)
    );
    Ok(())
}

/// Ends the sessions that the shard has at the source.
fn end_sessions(bed: &Bed) -> Result<()> {
    bed.at_source("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shard1'")
}

fn the_source_lets_nobody_in(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    // As many sessions as a user may have.
    bed.at_source("ALTER ROLE shard1 CONNECTION LIMIT 0")?;
    end_sessions(bed)?;
    items::change(bed)?;
    items::source_becomes(bed, "UNREACHABLE")?;
    says(bed, &["ORA-02391", "Raise what the message names"])?;
    nothing_spins(bed)?;
    bed.at_source("ALTER ROLE shard1 CONNECTION LIMIT -1")?;
    items::is_equal_and_acked(bed)?;

    // As many processes as an instance may have.
    let mut taken = Vec::new();
    let mut take = || {
        while let Ok(client) = bed.source.connect(SOURCE_DATABASE, "shard2") {
            taken.push(client);
        }
    };
    take();
    end_sessions(bed)?;
    bed.eventually("status says so", SOON, || {
        take();
        let told = told(bed)?;
        Ok(told.contains("ORA-12520") && told.contains("Raise what the message names"))
    })
    .with_context(|| told(bed).unwrap_or_default())?;
    nothing_spins(bed)?;
    drop(taken);
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    items::source_becomes(bed, "RUNNING")
}

/// One of the session that calls and the one that reads is let in.
fn the_source_has_one_connection_where_two_are_needed(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.at_source("ALTER ROLE shard1 CONNECTION LIMIT 1")?;
    end_sessions(bed)?;
    items::change(bed)?;
    items::source_becomes(bed, "UNREACHABLE")?;
    bed.eventually("status says so", SOON, || {
        let told = told(bed)?;
        Ok(told.contains("ORA-02391") || told.contains("too many connections for role"))
    })
    .with_context(|| told(bed).unwrap_or_default())?;
    nothing_spins(bed)?;
    bed.at_source("ALTER ROLE shard1 CONNECTION LIMIT -1")?;
    items::is_equal_and_acked(bed)?;
    items::source_becomes(bed, "RUNNING")
}

/// Workers take none of the connections that clients fight for.
fn a_shard_without_connections_goes_on(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let database = &bed.shards[0].database;
    bed.shard(0)?.batch_execute(&format!(
        "ALTER DATABASE {database} CONNECTION LIMIT 0;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type LIKE 'orapull %'"
    ))?;
    let mut taken = Vec::new();
    while let Ok(client) = bed.shards[0].cluster.connect("postgres", OWNER) {
        taken.push(client);
    }
    ensure!(taken.len() > 20, "only {} connections", taken.len());
    // What is left to superusers.
    items::change(bed)?;
    bed.eventually("everything is applied", SOON, || {
        Ok(items::applied(bed)? == items::last_portion(bed)?)
    })?;
    bed.identical(0, &items::ITEMS)?;
    drop(taken);
    bed.shard(0)?
        .batch_execute(&format!("ALTER DATABASE {database} CONNECTION LIMIT -1"))?;
    items::is_equal_and_acked(bed)
}

fn a_database_that_takes_no_connections_is_left_alone(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let shard = &bed.shards[0];
    let mut admin = shard.cluster.connect("postgres", SUPERUSER)?;
    let allow = |allow: bool| {
        format!(
            "ALTER DATABASE {} ALLOW_CONNECTIONS {allow}",
            shard.database
        )
    };
    admin.batch_execute(&allow(false))?;
    admin.batch_execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE backend_type LIKE 'orapull %'",
    )?;
    nothing_spins(bed)?;
    let workers = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'orapull puller'";
    assert_eq!(items::number(&mut admin, workers)?, 0);
    let log = fs::read(shard.cluster.log_file())?;
    assert!(
        !String::from_utf8_lossy(&log).contains("not currently accepting connections"),
        "nobody tries"
    );
    admin.batch_execute(&allow(true))?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

/// APP.ITEMS goes into a partitioned table here. Rows above 5000 belong to a partition that is empty, and whose file
/// cannot grow: the kernel says of each write to it that no space is left.
fn full_partition(bed: &Bed) -> Result<()> {
    steps::at_shard(
        bed,
        "CREATE TABLE app.items (id bigint PRIMARY KEY, name varchar(40)) PARTITION BY RANGE (id);
         CREATE TABLE app.items_first PARTITION OF app.items FOR VALUES FROM (MINVALUE) TO (5001);
         CREATE TABLE app.items_last PARTITION OF app.items FOR VALUES FROM (5001) TO (MAXVALUE);",
    )?;
    let file = file_of(bed, "app.items_last")?;
    ensure!(fs::metadata(&file)?.len() == 0, "the partition is empty");
    fs::remove_file(&file)?;
    symlink("/dev/full", &file)?;
    Ok(())
}

fn file_of(bed: &Bed, relation: &str) -> Result<PathBuf> {
    let sql = format!("SELECT pg_relation_filepath('{relation}')");
    let path = items::text(&mut bed.shard(0)?, &sql)?;
    Ok(Path::new(&bed.shards[0].cluster.data).join(path))
}

/// The administrator moves the partition to another disk.
fn move_to_another_disk(bed: &Bed) -> Result<()> {
    let shard = &bed.shards[0].cluster;
    let disk = shard
        .server
        .scratch
        .folder(&format!("{}-disk", shard.name))?;
    let mut admin = bed.shard(0)?;
    admin.batch_execute(&format!(
        "CREATE TABLESPACE other LOCATION '{}'",
        disk.display()
    ))?;
    admin.batch_execute("ALTER TABLE app.items_last SET TABLESPACE other")?;
    Ok(())
}

fn a_full_disk_stops_batches(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    full_partition(bed)?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items'")?;
    bed.catch_up(0)?;
    let applied = items::applied(bed)?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'fits' WHERE "ID" <= 100;
           INSERT INTO "APP"."ITEMS" VALUES (6000, 'does not fit')"#,
    )?;
    bed.publish()?;
    items::source_becomes(bed, "UNREACHABLE")?;
    let told = told(bed)?;
    assert!(told.contains("No space left on device"), "{told}");
    assert!(told.contains("Check free disk space"), "{told}");
    nothing_spins(bed)?;
    let half = "SELECT count(*) FROM app.items WHERE name = 'fits'";
    assert_eq!(items::number(&mut bed.shard(0)?, half)?, 0);
    assert_eq!(
        (items::applied(bed)?, items::acked(bed)?),
        (applied, applied)
    );
    move_to_another_disk(bed)?;
    items::is_equal_and_acked(bed)?;
    items::source_becomes(bed, "RUNNING")
}

fn a_full_disk_stops_a_load(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 8000)?;
    full_partition(bed)?;
    steps::captured_table(bed, "OTHERS", r#""ID" numeric(9) PRIMARY KEY"#, "SELECT 1")?;
    bed.add_table(0, "APP.OTHERS", "")?;
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items'")?;
    loads::planned(bed)?;
    items::set(bed, "orapull.load_workers", Some("3"))?;
    bed.eventually("tables says so", SOON, || {
        let told = told_of_items(bed)?;
        Ok(told.starts_with("loading")
            && told.contains("No space left on device")
            && told.contains("goes on by itself"))
    })
    .with_context(|| told_of_items(bed).unwrap_or_default())?;
    nothing_spins(bed)?;
    let others = steps::pair("OTHERS", "app.others");
    bed.at_source(r#"INSERT INTO "APP"."OTHERS" VALUES (2)"#)?;
    bed.publish()?;
    bed.eventually("the other table is followed", SOON, || {
        Ok(bed.identical(0, &others)? == 2)
    })?;
    // Slowly, so that it can be seen to go on.
    items::set(bed, "orapull.load_rows_per_second", Some("1000"))?;
    move_to_another_disk(bed)?;
    bed.eventually("it goes on", SOON, || {
        let told = told_of_items(bed)?;
        Ok(told.starts_with("loading") && !told.contains("No space left on device"))
    })?;
    items::set(bed, "orapull.load_rows_per_second", None)?;
    items::is_equal_and_acked(bed)?;
    let told = told_of_items(bed)?;
    assert_eq!(told, "following", "it is over");
    Ok(())
}

/// The launcher and the one of logical replication take two of three, the puller the last.
fn without_a_slot_for_a_loader_its_table_says_so(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    items::set(bed, "max_worker_processes", Some("3"))?;
    bed.crash_shard(0)?;
    let puller = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'orapull puller'";
    bed.eventually("the puller is back", SOON, || {
        Ok(items::number(&mut bed.shard(0)?, puller)? == 1)
    })?;
    items::set(bed, "orapull.load_workers", Some("3"))?;
    bed.eventually("tables says so", SOON, || {
        let told = told_of_items(bed)?;
        Ok(told.contains("no background worker slot is free for a loader"))
    })?;
    nothing_spins(bed)?;
    items::set(bed, "max_worker_processes", None)?;
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(told_of_items(bed)?, "following", "it is over");
    Ok(())
}
