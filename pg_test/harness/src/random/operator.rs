//! The operator of a shard: what they see, and what they do about causes that the run knows.

use anyhow::{Context, Result, bail};
use postgres::Client;

use super::converge::last_portion;
use super::near_side;
use super::run::{Cause, Run};
use super::tables::{ITEMS, NOTES, SEATS, TABLES};

/// What the operator of a shard sees and does; whether all is well.
pub fn attend(run: &mut Run, shard: usize) -> Result<bool> {
    // A server that has just been killed begins again meanwhile.
    let Ok(seen) = run.superuser(shard).and_then(look) else {
        return Ok(false);
    };
    let mut calm = source(run, shard, &seen)?;
    calm &= seen.tables.len() == TABLES.len();
    for table in &seen.tables {
        calm &= one_table(run, shard, table)?;
    }
    for parked in &seen.parked {
        try_again(run, shard, parked)?;
    }
    let last = last_portion(run)?;
    if calm && seen.waiting == 0 && (seen.acked, seen.applied) == (last, last) {
        return Ok(true);
    }
    near_side::wake_puller(run, shard);
    Ok(false)
}

/// What a shard shows its operator.
struct Seen {
    state: String,
    message: String,
    acked: i64,
    applied: i64,
    tables: Vec<SeenTable>,
    parked: Vec<Parked>,
    /// Rows that are parked, held or asked.
    waiting: i64,
}

struct SeenTable {
    number: usize,
    state: String,
    reason: String,
    wished: String,
    incomplete: bool,
}

/// Rows of one table that were parked for one kind of error.
struct Parked {
    relation: String,
    sqlstate: String,
    message: String,
    rests: bool,
}

fn look(client: &mut Client) -> Result<Seen> {
    let row = client.query_one(
        "SELECT state, coalesce(message, ''), coalesce(acked_portion, -1), coalesce(applied_portion, -1),
                (SELECT count(*) FROM orapull.parked_row)
         FROM orapull.status",
        &[],
    )?;
    Ok(Seen {
        state: row.get(0),
        message: row.get(1),
        acked: row.get(2),
        applied: row.get(3),
        waiting: row.get(4),
        tables: tables(client)?,
        parked: parked(client)?,
    })
}

fn tables(client: &mut Client) -> Result<Vec<SeenTable>> {
    let rows = client.query(
        "SELECT relation::text, state, coalesce(reason, ''), wished, incomplete IS NOT NULL FROM orapull.tables",
        &[],
    )?;
    rows.iter()
        .map(|row| {
            let relation: String = row.get(0);
            let number = TABLES
                .iter()
                .position(|table| table.relation() == relation)
                .with_context(|| format!("what is {relation}?"))?;
            Ok(SeenTable {
                number,
                state: row.get(1),
                reason: row.get(2),
                wished: row.get(3),
                incomplete: row.get(4),
            })
        })
        .collect()
}

fn parked(client: &mut Client) -> Result<Vec<Parked>> {
    let rows = client.query(
        "SELECT relation::text, coalesce(sqlstate, ''), coalesce(min(message), ''), bool_or(next_attempt > clock_timestamp())
         FROM orapull.parked WHERE reason = 'parked' GROUP BY 1, 2",
        &[],
    )?;
    let parked = rows.iter().map(|row| Parked {
        relation: row.get(0),
        sqlstate: row.get(1),
        message: row.get(2),
        rests: row.get(3),
    });
    Ok(parked.collect())
}

/// Leads a source out of a state that the run knows the cause of; whether it runs.
fn source(run: &mut Run, shard: usize, seen: &Seen) -> Result<bool> {
    let (state, message) = (seen.state.as_str(), &seen.message);
    let (cause, remedy) = match state {
        "RUNNING" => return Ok(true),
        "STARTING" | "UNREACHABLE" => return Ok(false),
        "PAUSED" => (Cause::SourcePaused, "SELECT orapull.resume('main')"),
        "LEASE_LOST" => (Cause::Robbed, "SELECT orapull.adopt('main')"),
        "NEEDS_RESYNC" => (Cause::Robbed, "SELECT orapull.adopt('main', force => true)"),
        "CREDENTIALS" => (Cause::PasswordRefused, "SELECT orapull.resume('main')"),
        "TRANSPORT_LOST" => (Cause::TransportLost, "SELECT orapull.resume('main')"),
        _ => bail!("shard {} is {state}: {message}", shard + 1),
    };
    if !run.shards[shard].causes.contains(&cause) {
        bail!(
            "shard {} is {state} ({message}), and nothing in this run leads there",
            shard + 1
        );
    }
    run.call(shard, remedy)?;
    Ok(false)
}

/// Leads a table out of a state that the run knows the cause of; whether it is followed and wants nothing.
fn one_table(run: &mut Run, shard: usize, table: &SeenTable) -> Result<bool> {
    let relation = TABLES[table.number].relation();
    if table.wished != "run" {
        return paused_and_wished(run, shard, table, &relation);
    }
    match table.state.as_str() {
        "following" if run.shards[shard].behind.remove(&table.number) => {
            run.call(shard, &format!("SELECT orapull.resync('{relation}')"))?;
            Ok(false)
        }
        "following" if table.incomplete => {
            known(run, shard, table, Cause::Unlocatable(table.number))?;
            run.call(shard, &format!("SELECT orapull.resync('{relation}')"))?;
            Ok(false)
        }
        "following" => Ok(true),
        "paused" => {
            leave_pause(run, shard, table, &relation)?;
            Ok(false)
        }
        "needs_resync" => {
            let cause = if table.reason.starts_with("truncated") {
                Cause::Truncated(table.number)
            } else if table.reason.starts_with("altered at the source") {
                Cause::Altered
            } else {
                Cause::Robbed
            };
            known(run, shard, table, cause)?;
            run.call(shard, &format!("SELECT orapull.resync('{relation}')"))?;
            Ok(false)
        }
        _ => Ok(false),
    }
}

/// The puller has not come to a wish yet; but one to pause is there until the operator takes it back.
fn paused_and_wished(
    run: &mut Run,
    shard: usize,
    table: &SeenTable,
    relation: &str,
) -> Result<bool> {
    if table.wished == "pause" {
        known(run, shard, table, Cause::Paused(table.number))?;
        run.call(
            shard,
            &format!("SELECT orapull.resume('main', '{relation}')"),
        )?;
    }
    Ok(false)
}

fn leave_pause(run: &mut Run, shard: usize, table: &SeenTable, relation: &str) -> Result<()> {
    let reason = &table.reason;
    let cause = if reason.starts_with("pause()") {
        Cause::Paused(table.number)
    } else if reason.starts_with("blocked by a lock") {
        Cause::Locked
    } else if reason.starts_with("altered at the source") {
        Cause::Altered
    } else {
        bail!("shard {}: {relation} is paused: {reason}", shard + 1);
    };
    known(run, shard, table, cause)?;
    run.call(
        shard,
        &format!("SELECT orapull.resume('main', '{relation}')"),
    )?;
    Ok(())
}

fn known(run: &Run, shard: usize, table: &SeenTable, cause: Cause) -> Result<()> {
    if run.shards[shard].causes.contains(&cause) {
        return Ok(());
    }
    bail!(
        "shard {}: {} is {} ({}), and nothing in this run leads there",
        shard + 1,
        TABLES[table.number].name,
        table.state,
        table.reason
    )
}

/// Has parked rows tried again, if they may be parked at all.
fn try_again(run: &mut Run, shard: usize, parked: &Parked) -> Result<()> {
    let Parked {
        relation,
        sqlstate,
        message,
        rests,
    } = parked;
    let has_narrow_columns = [ITEMS, NOTES].map(|table| TABLES[table].relation());
    let too_long = sqlstate == "22001" && has_narrow_columns.contains(relation);
    let unique = sqlstate == "23505" && *relation == TABLES[SEATS].relation();
    if !(too_long || unique) {
        bail!(
            "shard {}: rows of {relation} are parked: {sqlstate} {message}",
            shard + 1
        );
    }
    if *rests {
        run.call(shard, &format!("SELECT orapull.retry_parked('{relation}')"))?;
    }
    Ok(())
}
