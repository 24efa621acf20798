//! A shard that is stopped as by a power cut between any two steps goes on where it was.

use anyhow::Result;

use super::items::{self, SOON};
use super::second_look;
use super::{Scenario, scenario};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario("stops/while_it_reads", while_it_reads),
    scenario("stops/before_the_apply", before_the_apply),
    scenario(
        "stops/before_the_commit_of_the_progress",
        before_the_commit_of_the_progress,
    ),
    scenario("stops/no_ack_before_the_commit", no_ack_before_the_commit),
    scenario("stops/between_commit_and_ack", between_commit_and_ack),
    scenario(
        "stops/while_a_synchronous_standby_is_silent",
        while_a_synchronous_standby_is_silent,
    ),
    scenario(
        "stops/a_commit_that_did_not_reach_the_standby_is_not_acked",
        a_commit_that_did_not_reach_the_standby_is_not_acked,
    ),
    scenario(
        "stops/after_the_ack_before_it_is_noted",
        after_the_ack_before_it_is_noted,
    ),
    scenario("stops/in_a_chunk", in_a_chunk),
    scenario("stops/in_a_request", in_a_request),
    scenario(
        "stops/an_ack_that_gets_lost_is_repeated",
        an_ack_that_gets_lost_is_repeated,
    ),
    scenario(
        "stops/a_stale_token_stops_until_adopt",
        a_stale_token_stops_until_adopt,
    ),
    scenario(
        "stops/an_old_puller_cannot_write",
        an_old_puller_cannot_write,
    ),
    scenario(
        "stops/a_batch_of_an_earlier_progress_is_dropped",
        a_batch_of_an_earlier_progress_is_dropped,
    ),
];

fn while_it_reads(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut lock = second_look::stop_before_rows(bed)?;
    bed.crash_shard(0)?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)
}

fn before_the_apply(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    let _lock = items::hold(bed, "LOCK TABLE app.items IN EXCLUSIVE MODE")?;
    items::change(bed)?;
    items::worker_waits_for_a_lock(bed)?;
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)
}

fn before_the_commit_of_the_progress(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let _lock = stop_before_the_commit(bed)?;
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)
}

fn no_ack_before_the_commit(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let (acks, acked) = (items::calls_of(bed, "ACK"), items::acked(bed)?);
    let mut lock = stop_before_the_commit(bed)?;
    assert_eq!(items::acked(bed)?, acked);
    assert_eq!(items::calls_of(bed, "ACK"), acks);
    assert!(items::applied(bed)? < items::last_portion(bed)?);
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    assert!(items::calls_of(bed, "ACK") > acks);
    Ok(())
}

/// The batch row is written last: a lock on its table stops a turn just before the commit.
pub fn stop_before_the_commit(bed: &Bed) -> Result<postgres::Client> {
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    let lock = items::hold(bed, "LOCK TABLE orapull.batch IN SHARE ROW EXCLUSIVE MODE")?;
    items::change(bed)?;
    items::worker_waits_for_a_lock(bed)?;
    Ok(lock)
}

fn between_commit_and_ack(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.fault(0, r#""API"."ACK" * delay 60"#)?;
    let acked = items::acked(bed)?;
    items::change(bed)?;
    applied_all(bed)?;
    assert_eq!(items::acked(bed)?, acked, "the ack is on its way");
    bed.clear_faults(0)?;
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)
}

fn applied_all(bed: &Bed) -> Result<()> {
    bed.eventually("everything is applied", SOON, || {
        Ok(items::applied(bed)? == items::last_portion(bed)?)
    })
}

fn while_a_synchronous_standby_is_silent(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let acked = items::acked(bed)?;
    items::no_standby_answers(bed)?;
    items::change(bed)?;
    bed.eventually("the puller waits for the standby", SOON, || {
        cancel_waiting(bed)
    })?;
    // People cancel such waits; a cancelled one is a commit that a failover takes back.
    for _ in 0..5 {
        assert!(cancel_waiting(bed)?, "the puller still waits");
    }
    assert_eq!(items::acked(bed)?, acked);
    bed.shard(0)?
        .batch_execute("ALTER SYSTEM RESET synchronous_standby_names")?;
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)
}

/// Cancels what waits for a standby; whether something did.
fn cancel_waiting(bed: &Bed) -> Result<bool> {
    let sql = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
               WHERE backend_type = 'orapull puller' AND wait_event = 'SyncRep'";
    Ok(bed.shard(0)?.query_opt(sql, &[])?.is_some())
}

fn a_commit_that_did_not_reach_the_standby_is_not_acked(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let acked = items::acked(bed)?;
    let mut lock = stop_before_the_commit(bed)?;
    items::no_standby_answers(bed)?;
    lock.batch_execute("ROLLBACK")?;
    bed.eventually("the puller waits for the standby", SOON, || {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE backend_type = 'orapull puller' AND query = 'orapull: applying' AND wait_event = 'SyncRep'";
        Ok(bed.shard(0)?.query_opt(sql, &[])?.is_some())
    })?;
    // A failover would take back what is here for all to see.
    applied_all(bed)?;
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(items::acked(bed)?, acked);
    items::set(bed, "synchronous_standby_names", None)?;
    items::is_equal_and_acked(bed)
}

fn after_the_ack_before_it_is_noted(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    bed.fault(0, r#""API"."ACK" 1 delay 3"#)?;
    items::change(bed)?;
    applied_all(bed)?;
    let _lock = items::hold(bed, "SELECT FROM orapull.progress FOR UPDATE")?;
    items::worker_waits_for_a_lock(bed)?;
    assert_eq!(items::acked(bed)?, items::last_portion(bed)?);
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)
}

fn in_a_chunk(bed: &Bed) -> Result<()> {
    items::create(bed, 5000)?;
    bed.create_source(0)?;
    items::set(bed, "orapull.load_chunk_rows", Some("1000"))?;
    items::set(bed, "orapull.load_workers", Some("0"))?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.eventually("the load is planned", SOON, || {
        bed.publish()?;
        let sql = "SELECT count(*) FROM orapull.load_chunk";
        Ok(items::number(&mut bed.shard(0)?, sql)? > 1)
    })?;
    let _lock = items::hold(bed, "LOCK TABLE app.items IN EXCLUSIVE MODE")?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    items::worker_waits_for_a_lock(bed)?;
    items::change(bed)?;
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)
}

fn in_a_request(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    applied_all(bed)?;
    let held = "SELECT held FROM orapull.tables";
    assert!(
        items::number(&mut bed.shard(0)?, held)? > 0,
        "identities are held"
    );
    let _lock = items::hold(bed, "LOCK TABLE orapull.batch IN SHARE ROW EXCLUSIVE MODE")?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::worker_waits_for_a_lock(bed)?;
    assert!(
        items::calls_of(bed, "ASK") > 0,
        "a request is being applied"
    );
    bed.crash_shard(0)?;
    items::is_equal_and_acked(bed)
}

fn an_ack_that_gets_lost_is_repeated(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    for cut in ["cut_before", "cut_after"] {
        bed.fault(0, &format!(r#""API"."ACK" 1 {cut}"#))?;
        let acks = items::calls_of(bed, "ACK");
        items::change(bed)?;
        items::is_equal_and_acked(bed)?;
        assert!(
            items::calls_of(bed, "ACK") >= acks + 2,
            "{cut}: the ack was repeated"
        );
    }
    Ok(())
}

fn a_stale_token_stops_until_adopt(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.at_source(r#"SELECT "API"."ATTACH"('shard1', 'another server', NULL, 1)"#)?;
    items::change(bed)?;
    items::source_becomes(bed, "LEASE_LOST")?;
    let attaches = items::calls_of(bed, "ATTACH");
    let applied = items::applied(bed)?;
    let acked = items::acked(bed)?;
    items::change(bed)?;
    // Neither waiting nor a pause is a way around the operator's decision.
    let waited = bed
        .owner(0)?
        .execute("SELECT orapull.pull_now('main')", &[]);
    assert!(waited.is_err(), "pull_now says that nothing will come");
    items::pause_and_resume(&mut bed.owner(0)?)?;
    bed.eventually("the wishes are read", SOON, || {
        let sql = "SELECT wished FROM orapull.status";
        Ok(items::text(&mut bed.shard(0)?, sql)? == "run")
    })?;
    items::source_becomes(bed, "LEASE_LOST")?;
    assert_eq!(items::applied(bed)?, applied);
    assert_eq!(items::acked(bed)?, acked);
    assert_eq!(items::calls_of(bed, "ATTACH"), attaches);
    items::call(bed, "SELECT orapull.adopt('main')")?;
    items::is_equal_and_acked(bed)
}

fn an_old_puller_cannot_write(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    let before = items::applied(bed)?;
    let pid = "SELECT coalesce(worker_pid, 0)::bigint FROM orapull.status";
    let old = items::number(&mut bed.shard(0)?, pid)?;
    // As another puller does at its start.
    let mut other = items::hold(bed, "UPDATE orapull.progress SET epoch = epoch + 1")?;
    // A puller that went on to write would stay here.
    let mut lock = items::hold(bed, "LOCK TABLE app.items IN EXCLUSIVE MODE")?;
    items::change(bed)?;
    items::worker_waits_for_a_lock(bed)?;
    other.batch_execute("COMMIT")?;
    bed.eventually("the old puller is gone", SOON, || {
        let now = items::number(&mut bed.shard(0)?, pid)?;
        Ok(now != 0 && now != old)
    })?;
    assert_eq!(items::applied(bed)?, before);
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)
}

fn a_batch_of_an_earlier_progress_is_dropped(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    let first = items::applied(bed)? + 1;
    // As if somebody else applied the same portion.
    let mut other = items::hold(
        bed,
        "UPDATE orapull.progress SET applied_portion = applied_portion + 1",
    )?;
    items::change(bed)?;
    bed.eventually("the puller is about to apply", SOON, || {
        let sql = "SELECT FROM pg_stat_activity
                   WHERE backend_type = 'orapull puller' AND query = 'orapull: applying' AND wait_event_type = 'Lock'";
        Ok(bed.shard(0)?.query_opt(sql, &[])?.is_some())
    })?;
    other.batch_execute("COMMIT")?;
    items::change(bed)?;
    bed.owner(0)?
        .execute("SELECT orapull.pull_now('main')", &[])?;
    let applied =
        "SELECT string_agg(portion_from::text, ' ') FROM orapull.batch WHERE portion_to >= $1";
    let portions: String = bed.shard(0)?.query_one(applied, &[&first])?.get(0);
    assert_eq!(portions, (first + 1).to_string());
    Ok(())
}
