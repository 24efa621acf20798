//! Another server with the data of a shard: a copy that is started beside it, or a standby that is promoted. It does
//! nothing until somebody adopts the source there; then the shard has lost its lease.

use std::time::Duration;

use anyhow::{Context, Result};

use super::run::{Cause, End, Run};
use crate::cluster::{self, Cluster, SUPERUSER, Stop};
use crate::{standby, watch};

/// How long a copy may take to see what it is: its recovery, and the pauses of its launcher.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Copy {
    shard: usize,
    server: Cluster,
    standby: bool,
}

/// Takes the files of a shard that was stopped as by a power cut, and starts both.
pub fn begin(run: &mut Run, shard: usize) -> Result<()> {
    if run.stops_left == 0 || !run.shards[shard].up || !has_attached(run, shard) {
        return Ok(());
    }
    run.stops_left -= 1;
    let original = &run.bed.shards[shard].cluster;
    let follows = run.dice.percent(50);
    original.stop(Stop::Immediate)?;
    let name = format!("{}-{}", original.name, run.journal.lines());
    let server = cluster::create(&original.server, &original.data, &name, &[])?;
    original.start()?;
    if follows {
        standby::follow(original, &server, "standby")?;
    }
    server.start()?;
    run.note(&format!("shard {}: a copy, standby: {follows}", shard + 1))?;
    run.later(End::Copy(Copy {
        shard,
        server,
        standby: follows,
    }));
    Ok(())
}

/// Before that, nothing tells the two apart.
fn has_attached(run: &mut Run, shard: usize) -> bool {
    let sql = "SELECT FROM orapull.progress WHERE holder IS NOT NULL";
    let found = run
        .superuser(shard)
        .and_then(|client| Ok(client.query_opt(sql, &[])?));
    matches!(found, Ok(Some(_)))
}

/// The copy has noticed what it is. It goes, or takes the place of the shard for a while.
pub fn end(run: &mut Run, copy: Copy) -> Result<()> {
    let (shard, database) = (copy.shard, &run.bed.shards[copy.shard].database);
    let connect = |user| copy.server.connect(database, user);
    if copy.standby {
        connect(SUPERUSER)?.batch_execute("SELECT pg_promote()")?;
    }
    watch::eventually("the copy knows what it is", PATIENCE, || {
        let sql = "SELECT state FROM orapull.status";
        let state: String = connect(SUPERUSER)?.query_one(sql, &[])?.get(0);
        Ok(state == "COPIED")
    })
    .with_context(|| copy.server.log_tail(100))?;
    if run.dice.percent(50) {
        return run.note(&format!("shard {}: the copy goes", shard + 1));
    }
    connect(crate::bed::OWNER)?.batch_execute("SELECT orapull.adopt('main')")?;
    run.shards[shard].causes.insert(Cause::Robbed);
    run.note(&format!("shard {}: the copy adopts the source", shard + 1))?;
    run.later(End::Stop(copy.server));
    Ok(())
}
