//! Many registered tables of which a portion touches few: what the others cost.

use std::time::Instant;

use anyhow::{Context, Result};

use super::ground::LONG;
use super::{median, order};
use crate::args::BenchArguments;
use crate::bed::{Bed, Settings, Tables};
use crate::statements::{self, Counted, names_of};
use crate::watch::eventually;
use crate::world::World;

/// Tables that a portion touches; all that the first shard follows. The second one follows the others too.
const TOUCHED: usize = 10;
/// Turns of each shard that are measured in a round.
const TURNS: usize = 20;
/// An idle look at the source in the middle of a measurement would count as well.
const NO_POLLS: (&str, &str) = ("orapull.poll_interval", "1h");

pub fn run(options: &BenchArguments) -> Result<bool> {
    let tables = options.tables.max(TOUCHED + 1);
    let rows = (options.rows / 10_000).max(1);
    let world = World::create()?;
    println!("preparing {tables} tables of {rows} rows at the source");
    let bed = start(&world)?;
    make_tables(&bed, tables, rows)?;
    follow(&bed, 0, r"APP.TOUCHED%")?;
    follow(&bed, 1, r"APP.%")?;
    let mut seconds = [Vec::new(), Vec::new()];
    for round in 0..options.rounds.max(1) {
        for _ in 0..TURNS {
            touch(&bed)?;
            for shard in order(2, round) {
                seconds[shard].push(turn(&bed, shard)?);
            }
        }
    }
    let [few, many] = seconds.map(median);
    for (shard, count, median) in [(0, TOUCHED, few), (1, tables, many)] {
        println!(
            "a turn with {count} tables: {:.1} ms ({})",
            median * 1e3,
            fetched_and_applied(&bed, shard)?
        );
    }
    let counted = count(&bed, tables)?;
    println!(
        "bench tables: {} statements for {} other tables, {:.2} times the time of a turn",
        counted.of_others,
        tables - TOUCHED,
        many / few
    );
    Ok(counted.few)
}

struct Count {
    /// Statements that name a table without pointers.
    of_others: usize,
    /// No such statement, and no other that runs once for each registered table.
    few: bool,
}

fn count(bed: &Bed, tables: usize) -> Result<Count> {
    touch(bed)?;
    let [with_few, with_many] = [0, 1].map(|shard| statements::of_turns(bed, shard));
    let calls = |ran: &[Counted]| -> i64 { ran.iter().map(|statement| statement.calls).sum() };
    let (with_few, with_many) = (with_few?, with_many?);
    let grown = calls(&with_many) - calls(&with_few);
    println!(
        "statements of a turn, at source and shard: with {TOUCHED} tables {}, with {tables} tables {}",
        calls(&with_few),
        calls(&with_many)
    );
    let others = names_of(&mut bed.shard(1)?, "remote_table LIKE 'OTHER%'")?;
    let naming = with_many
        .iter()
        .filter(|statement| statement.is_about(&others));
    let of_others = naming
        .inspect(|statement| println!("  without a pointer: {}", statement.text))
        .count();
    Ok(Count {
        of_others,
        few: of_others == 0 && grown < i64::try_from(tables - TOUCHED)? / 10,
    })
}

fn start(world: &World) -> Result<Bed> {
    let settings = Settings {
        source: &[],
        shard: &[("orapull.load_workers", "4".to_owned())],
    };
    let bed = Bed::start_with(world, "tables", 2, Tables::None, settings)?;
    statements::preload(&bed)?;
    for shard in 0..2 {
        bed.create_source(shard)?;
    }
    Ok(bed)
}

fn make_tables(bed: &Bed, tables: usize, rows: i32) -> Result<()> {
    let mut statements = r#"CREATE SCHEMA "APP";"#.to_owned();
    for number in 1..=tables {
        let name = name(number);
        statements += &format!(
            r#"CREATE TABLE "APP"."{name}" ("ID" numeric(10) PRIMARY KEY, "V" varchar(40));
               SELECT "TEST"."ADD_ROWID"('APP', '{name}');
               INSERT INTO "APP"."{name}" SELECT i, 'row ' || i FROM generate_series(1, {rows}) AS i;
               SELECT "TEST"."CAPTURE"('APP', '{name}');"#
        );
    }
    bed.at_source(&statements)
}

fn name(number: usize) -> String {
    if number <= TOUCHED {
        format!("TOUCHED{number}")
    } else {
        format!("OTHER{number}")
    }
}

/// Has a shard follow the tables of a pattern, and waits until all are loaded and nothing is looked at any more.
fn follow(bed: &Bed, shard: usize, pattern: &str) -> Result<()> {
    let began = Instant::now();
    bed.owner(shard)?
        .execute(
            "SELECT count(*) FROM orapull.add_tables('main', $1)",
            &[&pattern],
        )
        .context("add_tables failed")?;
    let mut client = bed.shard(shard)?;
    eventually("the tables are loaded", LONG, || {
        bed.publish()?;
        let sql = "SELECT bool_and(state = 'following') AND count(*) > 0 FROM orapull.target_state";
        Ok(client.query_one(sql, &[])?.get(0))
    })?;
    client.batch_execute(&format!(
        "ALTER SYSTEM SET {} = '{}'",
        NO_POLLS.0, NO_POLLS.1
    ))?;
    client.batch_execute("SELECT pg_reload_conf()")?;
    println!(
        "shard {}: {pattern} is loaded after {:.0} s",
        shard + 1,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Changes all rows of the tables that are touched, in one portion.
fn touch(bed: &Bed) -> Result<()> {
    let updates: String = (1..=TOUCHED)
        .map(|number| {
            format!(
                r#"UPDATE "APP"."{}" SET "V" = 'row ' || random();"#,
                name(number)
            )
        })
        .collect();
    bed.at_source(&format!("BEGIN; {updates} COMMIT"))?;
    bed.publish()?;
    Ok(())
}

/// Seconds until what is published is applied and acked.
fn turn(bed: &Bed, shard: usize) -> Result<f64> {
    let mut owner = bed.owner(shard)?;
    let began = Instant::now();
    owner
        .execute("SELECT orapull.pull_now('main')", &[])
        .context("pull_now failed")?;
    Ok(began.elapsed().as_secs_f64())
}

/// Where the time of the newest turns went.
fn fetched_and_applied(bed: &Bed, shard: usize) -> Result<String> {
    let sql = "SELECT format('fetch %s ms, apply %s ms', round(percentile_cont(0.5) WITHIN GROUP (ORDER BY fetch_ms)::numeric, 1),
                          round(percentile_cont(0.5) WITHIN GROUP (ORDER BY apply_ms)::numeric, 1))
               FROM (SELECT * FROM orapull.batch ORDER BY batch_id DESC LIMIT $1) AS b";
    let row = bed
        .shard(shard)?
        .query_one(sql, &[&i64::try_from(TURNS)?])?;
    Ok(row.get(0))
}
