//! A standby that streams from the shard and that commits wait for.

use anyhow::Result;

use super::items::{self, SOON};
use super::lease;
use super::{Scenario, scenario};
use crate::bed::{Bed, OWNER, SOURCE_DATABASE};
use crate::cluster::{Cluster, SUPERUSER, Stop};
use crate::{standby, workload};

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "standbys/nothing_is_acked_before_the_standby_has_it",
        nothing_is_acked_before_the_standby_has_it,
    ),
    scenario(
        "standbys/whatever_was_acked_is_there_after_a_failover",
        whatever_was_acked_is_there_after_a_failover,
    ),
];

/// A standby of the shard, for which its commits wait.
fn synchronous_standby(bed: &Bed) -> Result<Cluster> {
    items::follow(bed)?;
    let standby = lease::files_of_the_shard(bed)?;
    standby::follow(&bed.shards[0].cluster, &standby, "standby")?;
    standby.start()?;
    items::set(bed, "synchronous_standby_names", Some("standby"))?;
    bed.eventually("the standby is synchronous", SOON, || {
        let sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })?;
    Ok(standby)
}

fn puller_waits_for_the_standby(bed: &Bed) -> Result<()> {
    bed.eventually("the puller waits for the standby", SOON, || {
        let sql = "SELECT count(*) FROM pg_stat_activity
                   WHERE backend_type = 'orapull puller' AND wait_event = 'SyncRep'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })
}

fn applied_in(bed: &Bed, standby: &Cluster) -> Result<i64> {
    let sql = "SELECT applied_portion FROM orapull.progress";
    items::number(&mut lease::in_copy(bed, standby, SUPERUSER)?, sql)
}

fn nothing_is_acked_before_the_standby_has_it(bed: &Bed) -> Result<()> {
    let standby = synchronous_standby(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    let acked = items::acked(bed)?;
    standby.stop(Stop::Fast)?;
    items::change(bed)?;
    puller_waits_for_the_standby(bed)?;
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(items::acked(bed)?, acked);
    standby.start()?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(applied_in(bed, &standby)?, items::acked(bed)?);
    Ok(())
}

/// The source releases what is acked: the standby must never need it again.
fn whatever_was_acked_is_there_after_a_failover(bed: &Bed) -> Result<()> {
    let standby = synchronous_standby(bed)?;
    let publisher = workload::publisher(&bed.source, SOURCE_DATABASE)?;
    for _ in 0..10 {
        items::change(bed)?;
        bed.at_source(r#"SELECT "TEST"."RELEASE_ACKED"()"#)?;
    }
    bed.shards[0].cluster.stop(Stop::Immediate)?;
    publisher.stop()?;
    bed.at_source(r#"SELECT "TEST"."RELEASE_ACKED"()"#)?;
    lease::in_copy(bed, &standby, SUPERUSER)?.batch_execute("SELECT pg_promote()")?;
    assert!(applied_in(bed, &standby)? >= items::acked(bed)?);
    lease::copy_becomes(bed, &standby, "COPIED")?;
    lease::in_copy(bed, &standby, OWNER)?.batch_execute("SELECT orapull.adopt('main')")?;
    lease::copy_becomes(bed, &standby, "RUNNING")?;
    items::change(bed)?;
    bed.eventually("the promoted one is equal", SOON, || {
        Ok(lease::rows_of_copy(bed, &standby)?.differences.is_empty())
    })?;
    Ok(())
}
