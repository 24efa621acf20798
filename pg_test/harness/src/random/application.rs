//! What the application does at the source.

use anyhow::Result;

use super::run::{Cause, End, Run};
use super::tables::{ITEMS, TABLES};
use super::work;

/// Changes rows in one transaction, which now and then is rolled back.
pub fn change(run: &mut Run) -> Result<()> {
    let among = run.free_tables();
    let statements = run.work.transaction(&mut run.dice, &among);
    let end = if run.dice.percent(90) {
        "COMMIT"
    } else {
        "ROLLBACK"
    };
    run.at_source(&format!("BEGIN;\n{statements};\n{end}"))?;
    Ok(())
}

/// Changes rows in a transaction that stays open for a while.
pub fn change_and_wait(run: &mut Run) -> Result<()> {
    let among = run.free_tables();
    let statements = run.work.transaction(&mut run.dice, &among);
    let mut client = run.new_session()?;
    match client.batch_execute(&format!("BEGIN;\n{statements}")) {
        Ok(()) => {
            run.note(&format!("source, left open: {statements}"))?;
            let commits = run.dice.percent(70);
            run.later(End::Transaction(client, commits));
            Ok(())
        }
        Err(error) => run.note(&format!("source, refused: {statements}\n  {error}")),
    }
}

/// TRUNCATE, and rows that come after it in the same transaction.
pub fn truncate(run: &mut Run) -> Result<()> {
    let among = run.free_tables();
    let table = among[run.dice.index(among.len())];
    let after = if run.dice.percent(60) {
        run.work.transaction(&mut run.dice, &[table])
    } else {
        String::new()
    };
    let name = TABLES[table].remote();
    if run.at_source(&format!("BEGIN;\nTRUNCATE {name};\n{after};\nCOMMIT"))? {
        for shard in &mut run.shards {
            shard.causes.insert(Cause::Truncated(table));
        }
    }
    Ok(())
}

/// ALTER TABLE of ITEMS: a column comes, goes or gets wider, here before there or there before here.
pub fn alter(run: &mut Run) -> Result<()> {
    if !run.free_tables().contains(&ITEMS) {
        return Ok(());
    }
    match run.dice.below(4) {
        0 | 1 => add_column(run),
        2 => drop_column(run),
        _ => widen(run),
    }
}

fn add_column(run: &mut Run) -> Result<()> {
    let name = format!("X{}", run.work.number());
    let local = format!(
        "ALTER TABLE IF EXISTS app.items ADD COLUMN IF NOT EXISTS {} numeric(9)",
        name.to_lowercase()
    );
    let mut before = Vec::new();
    for shard in 0..run.shards.len() {
        if run.dice.percent(60) && run.call(shard, &format!("SET lock_timeout = '1s'; {local}"))? {
            before.push(shard);
        }
    }
    if !alter_items(run, &format!(r#"ADD COLUMN "{name}" numeric(9)"#))? {
        return Ok(());
    }
    for shard in 0..run.shards.len() {
        if !before.contains(&shard) {
            // What changes until the column is here as well does not bring its value.
            run.shards[shard].behind.insert(ITEMS);
            run.later(End::Alter(shard, local.clone()));
        }
    }
    let rows = work::some(&TABLES[ITEMS], 50, &mut run.dice);
    run.at_source(&format!(
        r#"UPDATE "APP"."ITEMS" SET "{name}" = 5 WHERE {rows}"#
    ))?;
    run.added.push(name);
    Ok(())
}

fn drop_column(run: &mut Run) -> Result<()> {
    let Some(name) = run.added.pop() else {
        return Ok(());
    };
    if !alter_items(run, &format!(r#"DROP COLUMN "{name}""#))? {
        run.added.push(name);
        return Ok(());
    }
    let local = format!(
        "ALTER TABLE IF EXISTS app.items DROP COLUMN IF EXISTS {}",
        name.to_lowercase()
    );
    for shard in 0..run.shards.len() {
        run.later(End::Alter(shard, local.clone()));
    }
    Ok(())
}

fn widen(run: &mut Run) -> Result<()> {
    let (there, here) = if run.dice.percent(50) {
        (
            r#"ALTER COLUMN "NAME" TYPE varchar(60)"#,
            "ALTER TABLE IF EXISTS app.items ALTER name TYPE varchar(60)",
        )
    } else {
        (
            r#"ALTER COLUMN "N" TYPE numeric(12)"#,
            "ALTER TABLE IF EXISTS app.items ALTER n TYPE bigint",
        )
    };
    if alter_items(run, there)? {
        for shard in 0..run.shards.len() {
            run.later(End::Alter(shard, here.to_owned()));
        }
    }
    Ok(())
}

/// The change and the D pointer that tells of it.
fn alter_items(run: &mut Run, change: &str) -> Result<bool> {
    let done = run.at_source(&format!(
        r#"BEGIN;
           SELECT "TEST"."ALTER"('APP', 'ITEMS', '{change}');
           INSERT INTO "ORAPULL"."STAGED" ("RELATION", "KIND") VALUES ('"APP"."ITEMS"'::regclass, 'D');
           COMMIT"#
    ))?;
    if done {
        for shard in &mut run.shards {
            shard.causes.insert(Cause::Altered);
        }
    }
    Ok(done)
}

/// Rows change without pointers; a U pointer says that something did.
pub fn change_unseen(run: &mut Run) -> Result<()> {
    let among = run.free_tables();
    let table = among[run.dice.index(among.len())];
    let statements = run.work.transaction(&mut run.dice, &[table]);
    let name = TABLES[table].remote();
    let done = run.at_source(&format!(
        r#"BEGIN;
           SET LOCAL session_replication_role = replica;
           {statements};
           INSERT INTO "ORAPULL"."STAGED" ("RELATION", "KIND") VALUES ('{name}'::regclass, 'U');
           COMMIT"#
    ))?;
    if done {
        for shard in &mut run.shards {
            shard.causes.insert(Cause::Unlocatable(table));
        }
    }
    Ok(())
}
