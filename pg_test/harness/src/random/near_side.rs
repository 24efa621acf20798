//! What happens to a shard, and what its operator does.

use anyhow::Result;

use super::run::{Cause, End, Run};
use super::tables::TABLES;

/// A power cut; the server comes back some steps later.
pub fn stop(run: &mut Run, shard: usize) -> Result<()> {
    if run.stops_left == 0 || !run.shards[shard].up {
        return Ok(());
    }
    run.stops_left -= 1;
    run.note(&format!("shard {} stops", shard + 1))?;
    run.bed.shards[shard]
        .cluster
        .stop(crate::cluster::Stop::Immediate)?;
    run.shards[shard].up = false;
    run.later(End::StartShard(shard));
    Ok(())
}

/// SIGKILL: the server restarts all its processes.
pub fn kill_worker(run: &mut Run, shard: usize) -> Result<()> {
    if run.stops_left == 0 {
        return Ok(());
    }
    let Some(pid) = worker(run, shard) else {
        return Ok(());
    };
    run.stops_left -= 1;
    run.note(&format!("shard {}: kill -9 {pid}", shard + 1))?;
    let server = &run.bed.shards[shard].cluster.server;
    // It may have ended meanwhile.
    let _ = server
        .account()
        .command("kill")
        .args(["-9", &pid.to_string()])
        .output()?;
    Ok(())
}

/// SIGTERM: only this process ends.
pub fn end_worker(run: &mut Run, shard: usize) -> Result<()> {
    if let Some(pid) = worker(run, shard) {
        run.as_superuser(shard, &format!("SELECT pg_terminate_backend({pid})"))?;
    }
    Ok(())
}

/// One of the pullers and loaders.
fn worker(run: &mut Run, shard: usize) -> Option<i32> {
    let sql = "SELECT pid FROM pg_stat_activity WHERE backend_type IN ('orapull puller', 'orapull loader') ORDER BY pid";
    let rows = run.superuser(shard).ok()?.query(sql, &[]).ok()?;
    let pids: Vec<i32> = rows.iter().map(|row| row.get(0)).collect();
    let chosen = run.dice.below(100) as usize;
    pids.get(chosen % pids.len().max(1)).copied()
}

/// Calls that are refused, slow, or cut before or after they were executed.
pub fn break_calls(run: &mut Run, shard: usize) -> Result<()> {
    const CALLS: [&str; 13] = [
        r#""API"."ACK""#,
        r#""API"."ACK""#,
        r#""API"."ASK""#,
        r#""API"."DONE""#,
        r#""API"."ATTACH""#,
        r#""API"."PLAN_RANGES""#,
        r#""API"."REGISTER_TABLE""#,
        r#""API"."REFRESH_TABLE""#,
        r#""API"."DROP_TABLE""#,
        "ASK_V",
        "execute",
        "connect",
        "ping",
    ];
    const ACTIONS: [&str; 8] = [
        "cut_before",
        "cut_after",
        "cut_after",
        "code 1555",
        "code 3113",
        "code 12541",
        "delay 0.3",
        "hang 0.7",
    ];
    let count = run.dice.between(1, 3);
    let rule = format!(
        "{} {count} {}",
        run.dice.pick(&CALLS),
        run.dice.pick(&ACTIONS)
    );
    run.note(&format!("shard {}: fault {rule}", shard + 1))?;
    run.bed.fault(shard, &rule)
}

pub fn refuse_password(run: &mut Run, shard: usize) -> Result<()> {
    run.shards[shard].causes.insert(Cause::PasswordRefused);
    run.note(&format!("shard {}: a password is refused", shard + 1))?;
    run.bed.fault(shard, "connect 1 code 1017")
}

/// A user locks a table, or rows of it, and forgets about it for a while.
pub fn lock_target(run: &mut Run, shard: usize) -> Result<()> {
    let relation = TABLES[run.dice.index(TABLES.len())].relation();
    let statement = if run.dice.percent(50) {
        format!("LOCK TABLE {relation} IN SHARE MODE")
    } else {
        format!("SELECT FROM {relation} FOR UPDATE")
    };
    let locked = run.bed.owner(shard).and_then(|mut client| {
        client.batch_execute(&format!("SET lock_timeout = '1s'; BEGIN; {statement}"))?;
        Ok(client)
    });
    if let Ok(client) = locked {
        run.shards[shard].causes.insert(Cause::Locked);
        run.note(&format!("shard {}: a user: {statement}", shard + 1))?;
        run.later(End::Unlock(client));
    }
    Ok(())
}

/// Another server attaches as this shard. One without progress lets the source release what this one has not applied.
pub fn rob(run: &mut Run, shard: usize) -> Result<()> {
    let applied = if run.dice.percent(30) {
        "NULL".to_owned()
    } else {
        format!(
            r#"(SELECT "ACKED_PORTION" FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'shard{}')"#,
            shard + 1
        )
    };
    let robbed = run.at_source(&format!(
        r#"SELECT "API"."ATTACH"('shard{}', 'another server', {applied}, 1)"#,
        shard + 1
    ))?;
    if robbed {
        run.shards[shard].causes.insert(Cause::Robbed);
        run.later(End::Call(shard, "SELECT orapull.adopt('main')".to_owned()));
    }
    Ok(())
}

/// A random table of the shard, and its relation.
fn a_table(run: &mut Run) -> (usize, String) {
    let table = run.dice.index(TABLES.len());
    (table, TABLES[table].relation())
}

pub fn pause_table(run: &mut Run, shard: usize) -> Result<()> {
    let (table, relation) = a_table(run);
    if run.call(
        shard,
        &format!("SELECT orapull.pause('main', '{relation}')"),
    )? {
        run.shards[shard].causes.insert(Cause::Paused(table));
        let resume = format!("SELECT orapull.resume('main', '{relation}')");
        run.later(End::Call(shard, resume));
    }
    Ok(())
}

pub fn pause_source(run: &mut Run, shard: usize) -> Result<()> {
    if run.call(shard, "SELECT orapull.pause('main')")? {
        run.shards[shard].causes.insert(Cause::SourcePaused);
        run.later(End::Call(shard, "SELECT orapull.resume('main')".to_owned()));
    }
    Ok(())
}

pub fn resync(run: &mut Run, shard: usize) -> Result<()> {
    let (_, relation) = a_table(run);
    run.call(shard, &format!("SELECT orapull.resync('{relation}')"))?;
    Ok(())
}

/// The table is given up, and added again later: into the table that is there, or into a new one.
pub fn drop_table(run: &mut Run, shard: usize) -> Result<()> {
    let (table, relation) = a_table(run);
    if run.call(shard, &format!("SELECT orapull.drop_table('{relation}')"))? {
        run.shards[shard].causes.insert(Cause::Dropped(table));
        run.later(End::AddTable(shard, table));
    }
    Ok(())
}

pub fn pull_now(run: &mut Run, shard: usize) -> Result<()> {
    wake_puller(run, shard);
    run.note(&format!("shard {}: pull_now", shard + 1))
}

/// Ends a pause of the puller. That nothing has come in a millisecond is no error to tell of, in no log either.
pub fn wake_puller(run: &mut Run, shard: usize) {
    let _ = run.superuser(shard).and_then(|client| {
        let sql = "SET log_min_messages = panic; SELECT orapull.pull_now('main', '1ms')";
        Ok(client.batch_execute(sql)?)
    });
}
