//! A source that is away, hangs or refuses; workers that are killed or not wanted any more.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::items::{self, SOON};
use super::{Scenario, scenario, second_look};
use crate::bed::{Bed, OWNER};
use crate::cluster::{SUPERUSER, Stop};

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "away/a_source_that_comes_back_is_followed_on",
        a_source_that_comes_back_is_followed_on,
    ),
    scenario(
        "away/a_source_may_be_down_at_the_start",
        a_source_may_be_down_at_the_start,
    ),
    scenario("away/tries_get_rarer", tries_get_rarer),
    scenario(
        "away/who_waits_does_not_make_tries_more",
        who_waits_does_not_make_tries_more,
    ),
    scenario(
        "away/a_view_of_the_contract_that_is_gone",
        a_view_of_the_contract_that_is_gone,
    ),
    scenario(
        "away/a_wrong_password_is_tried_once",
        a_wrong_password_is_tried_once,
    ),
    scenario(
        "away/dropping_with_a_wrong_password_is_tried_once",
        dropping_with_a_wrong_password_is_tried_once,
    ),
    scenario(
        "away/without_client_library_a_sentence_says_so",
        without_client_library_a_sentence_says_so,
    ),
    scenario(
        "away/a_hung_call_does_not_stop_a_shutdown",
        a_hung_call_does_not_stop_a_shutdown,
    ),
    scenario(
        "away/a_hung_read_does_not_stop_a_shutdown",
        a_hung_read_does_not_stop_a_shutdown,
    ),
    scenario(
        "away/a_hung_call_costs_one_process",
        a_hung_call_costs_one_process,
    ),
    scenario(
        "away/workers_come_back_after_kill_and_restart",
        workers_come_back_after_kill_and_restart,
    ),
    scenario(
        "away/without_worker_slots_a_sentence_says_so",
        without_worker_slots_a_sentence_says_so,
    ),
    scenario(
        "away/a_database_without_workers_can_be_dropped",
        a_database_without_workers_can_be_dropped,
    ),
    scenario(
        "away/the_launcher_needs_no_database_of_its_own",
        the_launcher_needs_no_database_of_its_own,
    ),
    scenario(
        "away/dropping_the_extension_ends_its_workers",
        dropping_the_extension_ends_its_workers,
    ),
];

const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// The failed checks of check_source, with what was found and the advice.
fn failed_checks(bed: &Bed) -> Result<String> {
    let sql = "SELECT string_agg(concat_ws(' | ', \"check\", found, advice), E'\\n')
               FROM orapull.check_source('main') WHERE NOT ok";
    items::text(&mut bed.owner(0)?, sql)
}

fn message(bed: &Bed) -> Result<String> {
    items::text(&mut bed.shard(0)?, "SELECT message FROM orapull.status")
}

fn a_source_that_comes_back_is_followed_on(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    assert_eq!(failed_checks(bed)?, "");
    items::change(bed)?;
    bed.source.stop(Stop::Immediate)?;
    items::source_becomes(bed, "UNREACHABLE")?;
    assert!(message(bed)?.contains("connect"), "{}", message(bed)?);
    let failed = failed_checks(bed)?;
    assert!(failed.contains("connection"), "{failed}");
    bed.source.start()?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    items::source_becomes(bed, "RUNNING")
}

fn a_source_may_be_down_at_the_start(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.source.stop(Stop::Fast)?;
    bed.create_source(0)?;
    items::source_becomes(bed, "UNREACHABLE")?;
    bed.source.start()?;
    items::source_becomes(bed, "RUNNING")?;
    bed.add_table(0, "APP.ITEMS", "")?;
    items::is_equal_and_acked(bed)
}

fn tries_get_rarer(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.fault(0, "connect * refuse")?;
    bed.fault(0, r#""API"."ACK" 1 cut_before"#)?;
    items::change(bed)?;
    let refused = || -> Vec<u64> {
        let calls = bed.calls(0).into_iter();
        calls
            .filter(|call| call.what == "connect" && call.outcome != "ok")
            .map(|call| call.unix_ms)
            .collect()
    };
    bed.eventually(
        "three tries were refused",
        SOON,
        || Ok(refused().len() >= 3),
    )?;
    items::source_becomes(bed, "UNREACHABLE")?;
    let times = refused();
    assert!(
        times[1] - times[0] >= 900 && times[2] - times[1] >= 1800,
        "{times:?}"
    );
    bed.clear_faults(0)?;
    items::is_equal_and_acked(bed)
}

fn who_waits_does_not_make_tries_more(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.fault(0, "connect * refuse")?;
    bed.fault(0, r#""API"."ACK" 1 cut_before"#)?;
    items::change(bed)?;
    items::source_becomes(bed, "UNREACHABLE")?;
    let connects = || {
        let calls = bed.calls(0).into_iter();
        calls.filter(|call| call.what == "connect").count()
    };
    let before = connects();
    let waited = bed.owner(0)?.execute(
        "SELECT orapull.wait_for('main', 1::bigint << 60, '5 seconds')",
        &[],
    );
    assert!(waited.is_err(), "nothing comes meanwhile");
    let tries = connects() - before;
    assert!(tries <= 5, "{tries} connects in five seconds");
    bed.clear_faults(0)?;
    items::is_equal_and_acked(bed)
}

fn a_view_of_the_contract_that_is_gone(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let sql = "SELECT concat_ws(' | ', state, message, hint) FROM orapull.status";
    // Not granted any more, and then not there.
    for (lose, mend, word) in [
        (
            r#"REVOKE SELECT ON "ORAPULL"."PORTION_V" FROM orapull_shard"#,
            r#"GRANT SELECT ON "ORAPULL"."PORTION_V" TO orapull_shard"#,
            "PORTION_V",
        ),
        (
            r#"ALTER VIEW "ORAPULL"."POINTER_V" RENAME TO "ELSEWHERE""#,
            r#"ALTER VIEW "ORAPULL"."ELSEWHERE" RENAME TO "POINTER_V""#,
            "POINTER_V",
        ),
    ] {
        bed.at_source(lose)?;
        items::change(bed)?;
        bed.eventually("status tells what to do", SOON, || {
            let told = items::text(&mut bed.shard(0)?, sql)?;
            Ok(told.starts_with("UNREACHABLE | ")
                && told.contains(word)
                && told.contains("granted to the user of the user mapping"))
        })
        .with_context(|| bed.as_operators_see_it())?;
        bed.at_source(mend)?;
        items::is_equal_and_acked(bed)?;
    }
    Ok(())
}

/// How often the source has refused a password.
pub fn refused(bed: &Bed) -> Result<usize> {
    let log = fs::read_to_string(bed.source.log_file())?;
    Ok(log.matches("password authentication failed").count())
}

/// Another password, and no session that was let in with the old one.
pub fn change_password_at_source(bed: &Bed) -> Result<()> {
    bed.at_source(
        "ALTER ROLE shard1 PASSWORD 'other';
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shard1'",
    )
}

pub fn change_password_here(bed: &Bed) -> Result<()> {
    Ok(bed.shard(0)?.batch_execute(&format!(
        "ALTER USER MAPPING FOR {OWNER} SERVER ora OPTIONS (SET password 'other')"
    ))?)
}

fn a_wrong_password_is_tried_once(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    change_password_at_source(bed)?;
    items::source_becomes(bed, "CREDENTIALS")?;
    let tries = refused(bed)?;
    // Each wakes the puller; a try would lock an account of Oracle.
    for _ in 0..5 {
        items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
        let waited = bed
            .owner(0)?
            .execute("SELECT orapull.wait_for('main', 1::bigint << 60)", &[]);
        assert!(waited.is_err(), "it waits for an operator");
        std::thread::sleep(Duration::from_millis(200));
    }
    items::source_becomes(bed, "CREDENTIALS")?;
    assert_eq!(refused(bed)?, tries, "it was tried again");
    assert!(failed_checks(bed)?.contains("CREDENTIALS"));

    change_password_here(bed)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::source_becomes(bed, "RUNNING")?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

fn dropping_with_a_wrong_password_is_tried_once(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    change_password_at_source(bed)?;
    items::call(bed, "SELECT orapull.drop_source('main')")?;
    items::source_becomes(bed, "CREDENTIALS")?;
    let tries = refused(bed)?;
    // Longer than the first pauses between tries; a puller that starts anew does not try either.
    std::thread::sleep(Duration::from_secs(3));
    bed.crash_shard(0)?;
    bed.eventually("the puller is back", SOON, || Ok(puller(bed)? != 0))?;
    std::thread::sleep(Duration::from_secs(1));
    items::source_becomes(bed, "CREDENTIALS")?;
    assert_eq!(refused(bed)?, tries, "it was tried again");

    // Each resume() is one try.
    items::call(bed, "SELECT orapull.resume('main')")?;
    bed.eventually("it was tried once more", SOON, || Ok(refused(bed)? > tries))?;
    items::source_becomes(bed, "CREDENTIALS")?;
    change_password_here(bed)?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    bed.eventually("the source has agreed", SOON, || {
        let sources = "SELECT count(*) FROM orapull.source";
        Ok(items::number(&mut bed.shard(0)?, sources)? == 0)
    })?;
    let shards = r#"SELECT count(*) FROM "ORAPULL"."SHARD""#;
    assert_eq!(items::number(&mut bed.source()?, shards)?, 0);
    Ok(())
}

fn without_client_library_a_sentence_says_so(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let library = items::text(&mut bed.shard(0)?, "SHOW orapull.client_library_dir")?;
    items::set(bed, "orapull.client_library_dir", Some("/no/such/folder"))?;
    bed.crash_shard(0)?;
    items::source_becomes(bed, "UNREACHABLE")?;
    assert!(
        message(bed)?.contains("/no/such/folder"),
        "{}",
        message(bed)?
    );
    let failed = failed_checks(bed)?;
    assert!(failed.contains("client library"), "{failed}");
    items::set(bed, "orapull.client_library_dir", Some(&library))?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

/// Publishes changes whose ack hangs, like a network that swallows everything.
fn hang(bed: &Bed) -> Result<i64> {
    bed.fault(0, r#""API"."ACK" * hang 120"#)?;
    items::change(bed)?;
    bed.eventually("the ack hangs", SOON, || {
        Ok(items::applied(bed)? == items::last_portion(bed)?)
    })?;
    puller(bed)
}

/// Process id of the puller, 0 when none runs.
fn puller(bed: &Bed) -> Result<i64> {
    let sql = "SELECT coalesce(max(pid), 0)::bigint FROM pg_stat_activity WHERE backend_type = 'orapull puller'";
    items::number(&mut bed.shard(0)?, sql)
}

fn a_hung_call_does_not_stop_a_shutdown(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let hung = hang(bed)?;
    bed.shard(0)?
        .batch_execute(&format!("SELECT pg_terminate_backend({hung})"))?;
    bed.eventually("the hung puller has ended", ANSWERED_WITHIN, || {
        Ok(puller(bed)? != hung)
    })?;
    bed.clear_faults(0)?;
    items::is_equal_and_acked(bed)?;

    hang(bed)?;
    let asked = Instant::now();
    bed.shards[0].cluster.stop(Stop::Fast)?;
    assert!(asked.elapsed() < ANSWERED_WITHIN, "{:?}", asked.elapsed());
    bed.clear_faults(0)?;
    bed.shards[0].cluster.start()?;
    items::is_equal_and_acked(bed)
}

fn a_hung_read_does_not_stop_a_shutdown(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut hung = second_look::stop_before_rows(bed)?;
    let reading = puller(bed)?;
    bed.shard(0)?
        .batch_execute(&format!("SELECT pg_terminate_backend({reading})"))?;
    bed.eventually("the puller that reads has ended", ANSWERED_WITHIN, || {
        Ok(puller(bed)? != reading)
    })?;
    items::reading_waits_at_the_source(bed)?;
    let shown = "SELECT count(*) FROM orapull.status
                 WHERE activity LIKE '%fetching rows of \"app\".\"items\"%' AND activity_since < clock_timestamp()";
    bed.eventually("status shows what it reads", SOON, || {
        Ok(items::number(&mut bed.shard(0)?, shown)? == 1)
    })?;
    let asked = Instant::now();
    bed.shards[0].cluster.stop(Stop::Fast)?;
    assert!(asked.elapsed() < ANSWERED_WITHIN, "{:?}", asked.elapsed());
    hung.batch_execute("COMMIT")?;
    bed.shards[0].cluster.start()?;
    items::is_equal_and_acked(bed)
}

fn a_hung_call_costs_one_process(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.call_timeout", Some("500ms"))?;
    let hung = hang(bed)?;
    bed.eventually("the hung puller has given up", SOON, || {
        Ok(puller(bed)? != hung)
    })?;
    bed.clear_faults(0)?;
    items::is_equal_and_acked(bed)
}

fn workers_come_back_after_kill_and_restart(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    for worker in ["orapull puller", "orapull launcher"] {
        items::change(bed)?;
        let killed = puller(bed)?;
        let kill = format!(
            "DO $$ BEGIN EXECUTE (
                 SELECT format('COPY (SELECT) TO PROGRAM %L', 'kill -9 ' || pid)
                 FROM pg_stat_activity WHERE backend_type = '{worker}') ; END $$"
        );
        // The server ends this session too, as after any crash of a process.
        let _ = bed.shard(0)?.batch_execute(&kill);
        bed.eventually("the server is back", SOON, || {
            Ok(![0, killed].contains(&puller(bed)?))
        })?;
        items::change(bed)?;
        items::is_equal_and_acked(bed).with_context(|| format!("after kill -9 of the {worker}"))?;
    }
    bed.shards[0].cluster.stop(Stop::Fast)?;
    items::change(bed)?;
    bed.shards[0].cluster.start()?;
    items::is_equal_and_acked(bed)
}

/// The launcher and the one of logical replication take the two that are left.
fn without_worker_slots_a_sentence_says_so(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "max_worker_processes", Some("2"))?;
    let restart = || -> Result<()> {
        let cluster = &bed.shards[0].cluster;
        cluster.stop(Stop::Fast)?;
        cluster.start()
    };
    restart()?;
    let sql = "SELECT concat_ws('; ', message, hint) FROM orapull.status";
    bed.eventually("status says so", SOON, || {
        let told = items::text(&mut bed.shard(0)?, sql)?;
        Ok(told.contains("worker slot") && told.contains("max_worker_processes"))
    })?;
    items::set(bed, "max_worker_processes", None)?;
    restart()?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    let told = items::text(&mut bed.shard(0)?, sql)?;
    assert_eq!(told, "", "it is over");
    Ok(())
}

/// How many workers are in the database of the shard.
fn workers(bed: &Bed) -> Result<i64> {
    let mut admin = bed.shards[0].cluster.connect("postgres", SUPERUSER)?;
    let sql = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type LIKE 'orapull %' AND datname = '{}'",
        bed.shards[0].database
    );
    items::number(&mut admin, &sql)
}

fn a_database_without_workers_can_be_dropped(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let database = &bed.shards[0].database;
    bed.shard(0)?
        .batch_execute(&format!("SELECT orapull.stop_workers('{database}')"))?;
    assert_eq!(workers(bed)?, 0);
    items::change(bed)?;
    bed.shard(0)?
        .batch_execute(&format!("SELECT orapull.start_workers('{database}')"))?;
    items::is_equal_and_acked(bed)?;

    bed.shard(0)?
        .batch_execute(&format!("SELECT orapull.stop_workers('{database}')"))?;
    let mut admin = bed.shards[0].cluster.connect("postgres", SUPERUSER)?;
    admin.batch_execute(&format!("DROP DATABASE {database}"))?;
    Ok(())
}

fn the_launcher_needs_no_database_of_its_own(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.shard(0)?.batch_execute("DROP DATABASE postgres")?;
    bed.crash_shard(0)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

fn dropping_the_extension_ends_its_workers(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    assert!(workers(bed)? > 0);
    bed.shard(0)?
        .batch_execute("SET lock_timeout = '20s'; DROP EXTENSION orapull CASCADE")?;
    bed.eventually("the workers have ended", SOON, || Ok(workers(bed)? == 0))?;
    let rows = "SELECT count(*) FROM app.items";
    assert_eq!(items::number(&mut bed.shard(0)?, rows)?, 1000);
    Ok(())
}
