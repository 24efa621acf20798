//! What happens to the source.

use std::time::Duration;

use anyhow::Result;

use super::publisher::again;
use super::run::{Cause, End, Run};
use super::tables::TABLES;
use super::work;

/// A commit is seen and then taken back by a crash: nothing is mined meanwhile, and what is not released is published
/// again.
pub fn take_back(run: &mut Run) -> Result<()> {
    let among = run.free_tables();
    let table = &TABLES[among[run.dice.index(among.len())]];
    let name = table.remote();
    let rows = work::some(table, 30, &mut run.dice);
    let change = table.change(&mut run.dice);
    let new = table.row(run.work.number(), &mut run.dice);
    let seen = run.at_source(&format!(
        r#"BEGIN;
           SET LOCAL session_replication_role = replica;
           DROP TABLE IF EXISTS "TEST".before;
           CREATE TABLE "TEST".before AS SELECT * FROM {name} WHERE "ROWID$" IN (
               SELECT "ROWID$" FROM {name} WHERE {rows} FOR UPDATE SKIP LOCKED);
           DELETE FROM {name} WHERE "ROWID$" IN (SELECT "ROWID$" FROM "TEST".before WHERE "REGION" % 3 = 0);
           UPDATE {name} SET {change} WHERE "ROWID$" IN (SELECT "ROWID$" FROM "TEST".before);
           INSERT INTO {name} ({columns}, "ROWID$") VALUES ({new}, 'taken back');
           COMMIT"#,
        columns = table.inserted,
    ))?;
    if !seen {
        return Ok(());
    }
    let ms = run.dice.between(10, 400);
    std::thread::sleep(Duration::from_millis(ms));
    let again = again("");
    let undone = format!(
        r#"BEGIN;
           SET LOCAL session_replication_role = replica;
           SET LOCAL lock_timeout = '20s';
           DELETE FROM {name} WHERE "ROWID$" = 'taken back' OR "ROWID$" IN (SELECT "ROWID$" FROM "TEST".before);
           INSERT INTO {name} SELECT * FROM "TEST".before;
           SELECT "TEST"."RESTART"();
           {again};
           SELECT "TEST"."PUBLISH"();
           COMMIT"#
    );
    anyhow::ensure!(run.at_source(&undone)?, "a commit could not be taken back");
    Ok(())
}

/// The instance ends and starts again.
pub fn stop(run: &mut Run) -> Result<()> {
    if run.stops_left == 0 {
        return Ok(());
    }
    run.stops_left -= 1;
    run.source_was_stopped();
    run.note("source: stops and starts")?;
    run.bed.source.crash()?;
    run.at_source(r#"SELECT "TEST"."RESTART"()"#)?;
    Ok(())
}

pub fn forget_plans(run: &mut Run) -> Result<()> {
    run.at_source(r#"DELETE FROM "ORAPULL"."PLAN""#)?;
    Ok(())
}

/// As another ATTACH does.
pub fn drop_requests(run: &mut Run) -> Result<()> {
    run.at_source(
        r#"DELETE FROM "ORAPULL"."REQUEST"; DELETE FROM "ORAPULL"."POINTER" WHERE "P$SLOT" = 0"#,
    )?;
    Ok(())
}

/// The sessions of the shards end, calls and scans alike.
pub fn cut_sessions(run: &mut Run) -> Result<()> {
    run.at_source(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'shard_'",
    )?;
    Ok(())
}

/// Reading a table has to wait, between the scans of a batch or in the middle of them, while everything else goes on.
pub fn keep_from_reading(run: &mut Run) -> Result<()> {
    let among = run.free_tables();
    if among.len() < 5 {
        return Ok(());
    }
    let table = among[run.dice.index(among.len())];
    let name = TABLES[table].remote();
    let statements = run.work.transaction(&mut run.dice, &[table]);
    let mut client = run.new_session()?;
    match client.batch_execute(&format!("BEGIN; LOCK TABLE {name};\n{statements}")) {
        Ok(()) => {
            run.note(&format!("source: {name} cannot be read; {statements}"))?;
            run.later(End::LetRead(table, client));
            Ok(())
        }
        Err(error) => run.note(&format!("source: {name} is not locked: {error}")),
    }
}

pub fn reshape(run: &mut Run) -> Result<()> {
    let table = TABLES[run.dice.index(TABLES.len())].name;
    run.at_source(&format!(r#"SELECT "TEST"."RESHAPE"('APP', '{table}')"#))?;
    Ok(())
}

/// The source says that it cannot read its pointers, and later that it can.
pub fn lose_transport(run: &mut Run) -> Result<()> {
    if run.at_source(r#"SELECT "TEST"."SET"('STATE', 'TRANSPORT_LOST')"#)? {
        for shard in &mut run.shards {
            shard.causes.insert(Cause::TransportLost);
        }
        run.later(End::FindTransport);
    }
    Ok(())
}
