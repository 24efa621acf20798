//! The beginning of a run: tables of the source, and which shard follows which part of them.

use anyhow::Result;

use super::dice::Dice;
use super::run::{Cause, End, Run, Shard};
use super::tables::{Slice, TABLES, Table};
use crate::bed::Bed;

/// What the source says of the size of a table: many chunks, although there are few rows.
const SAID_ROWS: u32 = 3500;

/// One or two shards, and their parts of each table.
pub fn shards(bed: &Bed, dice: &mut Dice) -> Vec<Shard> {
    let count = dice.between(1, bed.shards.len() as u64) as usize;
    let mut shards: Vec<Shard> = (0..count)
        .map(|_| Shard {
            up: true,
            slices: [Slice::All; TABLES.len()],
            causes: Default::default(),
            behind: Default::default(),
        })
        .collect();
    for table in 0..TABLES.len() {
        if dice.percent(75) {
            let limit = dice.between(5, 15);
            shards[0].slices[table] = Slice::Upto(limit);
            if let Some(second) = shards.get_mut(1) {
                second.slices[table] = Slice::Above(limit);
            }
        }
    }
    shards
}

/// Makes tables and sources; the tables are followed from the beginning or from some step on.
pub fn begin(run: &mut Run) -> Result<()> {
    run.at_source(r#"CREATE SCHEMA "APP""#)?;
    for table in &TABLES {
        let rows = run.dice.between(0, 200);
        let sql = definition(table, rows, &mut run.dice);
        run.bed.at_source(&sql)?;
        run.note(&format!("source: {} rows of {}", rows, table.name))?;
    }
    for shard in 0..run.shards.len() {
        run.bed.create_source(shard)?;
        for table in 0..TABLES.len() {
            if run.dice.percent(80) && add_table(run, shard, table)? {
                continue;
            }
            run.later(End::AddTable(shard, table));
        }
    }
    Ok(())
}

fn definition(table: &Table, rows: u64, dice: &mut Dice) -> String {
    let name = table.remote();
    let inserts: String = (1..=rows)
        .map(|number| {
            format!(
                "INSERT INTO {name} ({}) VALUES ({});\n",
                table.inserted,
                table.row(number * 10, dice)
            )
        })
        .collect();
    format!(
        r#"BEGIN;
           CREATE TABLE {name} ({columns}) WITH (autovacuum_enabled = off);
           SELECT "TEST"."ADD_ROWID"('APP', '{table}');
           {inserts}
           SELECT "TEST"."CAPTURE"('APP', '{table}');
           UPDATE pg_class SET reltuples = {SAID_ROWS} WHERE oid = '{name}'::regclass;
           COMMIT"#,
        columns = table.columns,
        table = table.name,
    )
}

/// Small batches or large ones, impatient or not.
pub fn settings(run: &mut Run, shard: usize) -> Result<()> {
    let dice = &mut run.dice;
    let settings = [
        ("poll_interval", dice.pick(&["10ms", "50ms"])),
        ("batch_pointers", dice.pick(&["5", "50", "100000"])),
        ("request_rows", dice.pick(&["3", "50", "10000"])),
        ("load_workers", dice.pick(&["1", "2", "3"])),
        ("load_chunk_rows", dice.pick(&["1000", "100000"])),
        ("lock_timeout", dice.pick(&["100ms", "1s", "5s"])),
        ("call_timeout", dice.pick(&["400ms", "5s", "60s"])),
        ("auto_resync", if dice.percent(10) { "on" } else { "off" }),
    ];
    set(run, shard, &settings)
}

/// Settings with which a shard comes to rest soon.
pub fn fast_settings(run: &mut Run, shard: usize) -> Result<()> {
    let settings = [
        ("batch_pointers", "100000"),
        ("request_rows", "10000"),
        ("load_workers", "2"),
        ("call_timeout", "60s"),
    ];
    set(run, shard, &settings)
}

fn set(run: &mut Run, shard: usize, settings: &[(&str, &str)]) -> Result<()> {
    // Stopped: it keeps the settings that it has.
    let Ok(client) = run.superuser(shard) else {
        return Ok(());
    };
    let set = settings
        .iter()
        .map(|(name, value)| format!("ALTER SYSTEM SET orapull.{name} = '{value}'"));
    for statement in set.chain(["SELECT pg_reload_conf()".to_owned()]) {
        // It may have been killed a moment ago.
        if client.batch_execute(&statement).is_err() {
            return Ok(());
        }
    }
    run.note(&format!("shard {}: settings {settings:?}", shard + 1))
}

/// Follows a table; false when that was refused for now.
pub fn add_table(run: &mut Run, shard: usize, number: usize) -> Result<bool> {
    let table = &TABLES[number];
    let relation = table.relation();
    let found = run.superuser(shard).and_then(|client| {
        let sql = "SELECT to_regclass($1) IS NOT NULL,
                          EXISTS (SELECT FROM orapull.target WHERE relation = to_regclass($1) AND wished <> 'drop')";
        let row = client.query_one(sql, &[&relation])?;
        Ok((row.get::<_, bool>(0), row.get::<_, bool>(1)))
    });
    let Ok((mut there, followed)) = found else {
        return Ok(false);
    };
    if followed {
        return Ok(true);
    }
    if let Some(local) = table.local
        && !there
    {
        if !run.call(shard, local)? {
            return Ok(false);
        }
        there = true;
    }
    let mut arguments = format!("'main', 'APP.{}'", table.name);
    if there {
        arguments += &format!(", relation => '{relation}', load => 'replace'");
    }
    if let Some(filter) = run.shards[shard].slices[number].condition("region") {
        arguments += &format!(", filter => '{filter}'");
    }
    let added = run.call(shard, &format!("SELECT orapull.add_table({arguments})"))?;
    if added {
        run.shards[shard].causes.remove(&Cause::Dropped(number));
        run.shards[shard].behind.remove(&number);
    }
    Ok(added)
}
