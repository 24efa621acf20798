//! The end of chaos: faults stop, an operator does what is due and only that, and then all rows must be equal.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::operator::attend;
use super::run::{End, Run};
use super::set_up;
use super::tables::TABLES;
use crate::compare::Pair;

/// How long a shard may take, with its pauses after failures.
const PATIENCE: Duration = Duration::from_secs(90);
/// Between two looks.
const REST: Duration = Duration::from_millis(30);

pub fn until_equal(run: &mut Run) -> Result<()> {
    run.note("faults end")?;
    for shard in 0..run.shards.len() {
        run.bed.clear_faults(shard)?;
    }
    let until = Instant::now() + PATIENCE;
    let mut prepared = Prepared {
        fast: vec![false; run.shards.len()],
        roomy: false,
        shorter: run.dice.percent(70),
    };
    while !at_rest(run, &mut prepared)? {
        if Instant::now() > until {
            bail!(
                "no rest within {PATIENCE:?}\n{}",
                run.bed.as_operators_see_it()
            );
        }
        std::thread::sleep(REST);
    }
    compare(run)?;
    for shard in &mut run.shards {
        shard.causes.clear();
    }
    run.note("all rows are equal")
}

/// What is done once, as soon as it can be.
struct Prepared {
    /// Shards with fast settings.
    fast: Vec<bool>,
    /// No value is too long any more.
    roomy: bool,
    /// Values that are too long here become shorter at the source; else the column gets wider here.
    shorter: bool,
}

fn make_room(run: &mut Run, shorter: bool) -> Result<bool> {
    if shorter {
        return run.at_source(
            r#"UPDATE "APP"."NOTES" SET "NOTE" = left("NOTE", 20) WHERE length("NOTE") > 20"#,
        );
    }
    for shard in 0..run.shards.len() {
        let wider = "ALTER TABLE IF EXISTS app.notes ALTER note TYPE varchar(60)";
        run.later(End::Alter(shard, wider.to_owned()));
    }
    Ok(true)
}

/// Publishes, has operators act, and says whether there is nothing left to do.
fn at_rest(run: &mut Run, prepared: &mut Prepared) -> Result<bool> {
    let mut calm = run.finish_all()?;
    for (shard, fast) in prepared.fast.iter_mut().enumerate() {
        if !*fast {
            *fast = set_up::fast_settings(run, shard).is_ok();
        }
    }
    if calm && !prepared.roomy {
        prepared.roomy = make_room(run, prepared.shorter)?;
        calm = false;
    }
    // Not noted: it comes again and again.
    run.session()?
        .batch_execute(r#"SELECT "TEST"."PUBLISH_COMMITTED"()"#)
        .context("cannot publish")?;
    for shard in 0..run.shards.len() {
        calm &= attend(run, shard)?;
    }
    Ok(calm)
}

pub fn last_portion(run: &mut Run) -> Result<i64> {
    let row = run
        .session()?
        .query_one(r#"SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE""#, &[])?;
    Ok(row.get(0))
}

fn compare(run: &mut Run) -> Result<()> {
    let mut found = Vec::new();
    let mut source = run.bed.source()?;
    for shard in 0..run.shards.len() {
        for (number, table) in TABLES.iter().enumerate() {
            let filter = run.shards[shard].slices[number].condition(r#""REGION""#);
            let relation = table.relation();
            let pair = Pair {
                owner: "APP",
                table: table.name,
                relation: &relation,
                filter: filter.as_deref(),
            };
            let compared = pair.compare(&mut source, run.superuser(shard)?)?;
            let differences = compared.differences.into_iter();
            found.extend(differences.map(|text| format!("shard {}: {text}", shard + 1)));
        }
    }
    if !found.is_empty() {
        bail!("{}", found.join("\n"));
    }
    Ok(())
}
