//! Which conditions the source evaluates: those over integers, so that a batch costs what it has and not what the
//! transport has; and what is right does not depend on it.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};

use super::items;
use super::steps;
use super::{Scenario, scenario};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "pushdown/integers_are_compared_at_the_source",
        integers_are_compared_at_the_source,
    ),
    scenario(
        "pushdown/rows_are_the_same_when_nothing_is",
        rows_are_the_same_when_nothing_is,
    ),
];

/// What the source must be asked with, by the view that is read: with binds, or each turn would be a new statement to Oracle.
const CONDITIONS: [(&str, &[&str]); 5] = [
    (
        "PULL_1",
        &[
            r#""P$SLOT" = $"#,
            r#""P$PORTION" >= $"#,
            r#""P$PORTION" <= $"#,
            r#""P$PREV" < $"#,
            r#""P$PTR" >= $"#,
            r#""P$PTR" <= $"#,
        ],
    ),
    (
        "POINTER_V",
        &[
            r#""P$SLOT" = $"#,
            r#""P$PORTION" >= $"#,
            r#""P$PORTION" <= $"#,
            r#""P$PREV" < $"#,
        ],
    ),
    ("LOAD_1", &[r#""P$PLAN" = $"#, r#""P$CHUNK" = $"#]),
    (
        "PORTION_V",
        &[r#""PORTION_ID" > $"#, r#""PORTION_ID" <= $"#],
    ),
    (
        "PORTION_TABLE_V",
        &[r#""PORTION_ID" > $"#, r#""PORTION_ID" <= $"#],
    ),
];

/// A load, batches, and a request.
fn work(bed: &Bed) -> Result<()> {
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    steps::pull(bed)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)?;
    bed.at_source(r#"TRUNCATE "APP"."ITEMS"; INSERT INTO "APP"."ITEMS" SELECT i, 'again' FROM generate_series(1, 2000) i"#)?;
    items::is_equal_and_acked(bed)?;
    // What is only here is found by the load.
    bed.shard(0)?.batch_execute(
        "INSERT INTO app.items SELECT i, 'only here' FROM generate_series(9001, 9050) i",
    )?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

fn integers_are_compared_at_the_source(bed: &Bed) -> Result<()> {
    bed.source()?
        .batch_execute("ALTER SYSTEM SET log_statement = 'all'")?;
    bed.source()?.batch_execute("SELECT pg_reload_conf()")?;
    items::follow(bed)?;
    work(bed)?;
    let log = fs::read_to_string(bed.source.log_file())?;
    for (view, conditions) in CONDITIONS {
        let from = format!(r#"FROM "ORAPULL"."{view}" "#);
        let reads: BTreeSet<&str> = log
            .lines()
            .filter(|line| line.contains(&from) && line.contains("SELECT "))
            .collect();
        assert!(!reads.is_empty(), "{view} is not read, or in another way");
        for read in reads {
            let asked = read.split_once(&from).context("just found")?.1;
            for condition in conditions {
                assert!(asked.contains(condition), "{condition} is not in {read}");
            }
        }
    }
    Ok(())
}

/// In place of each foreign table stands a view through which no condition gets.
fn rows_are_the_same_when_nothing_is(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let schema: String = steps::value(bed, "SELECT local_schema FROM orapull.source")?;
    for (view, _) in CONDITIONS {
        let name = view.to_lowercase();
        steps::at_shard(
            bed,
            &format!(
                "ALTER FOREIGN TABLE {schema}.{name} RENAME TO {name}_there;
                 CREATE VIEW {schema}.{name} AS SELECT * FROM {schema}.{name}_there OFFSET 0"
            ),
        )?;
    }
    work(bed)
}
