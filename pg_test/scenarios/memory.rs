//! How much memory the workers take.

use std::time::Duration;

use anyhow::Result;

use super::{Scenario, items, steps};
use crate::bed::{Bed, Tables};
use crate::memory::{Peaks, Watch};

pub const SCENARIOS: &[Scenario] = &[Scenario {
    name: "memory/a_batch_of_wide_rows_is_not_kept_in_memory",
    shards: 1,
    tables: Tables::None,
    run: a_batch_of_wide_rows_is_not_kept_in_memory,
}];

/// Each has 100 kB, so that a chunk or batch of all of them has more than a worker may take.
const ROWS: i64 = 3500;
const MOST_KB: u64 = 300 * 1024;
const LONG: Duration = Duration::from_secs(180);

fn a_batch_of_wide_rows_is_not_kept_in_memory(bed: &Bed) -> Result<()> {
    steps::captured_table(
        bed,
        "WIDE",
        r#""ID" numeric(9) PRIMARY KEY, "N" numeric(9), "C" text, "B" bytea"#,
        &format!(
            "SELECT i, 0, repeat(md5(i::text), 1600), convert_to(repeat(md5(i::text), 1600), 'UTF8') FROM generate_series(1, {ROWS}) AS i"
        ),
    )?;
    let mut peaks = Peaks::new();
    let watch = Watch::start(&bed.shards[0].cluster)?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.WIDE", "")?;
    follows_all(bed)?;
    change_and_pull(bed)?;
    watch.end(&mut peaks)?;

    let ahead = "SELECT count(*) FROM orapull.batch WHERE ahead";
    assert!(
        steps::value::<i64>(bed, ahead)? > 0,
        "the second hand has read a batch"
    );
    for worker in ["puller", "second hand", "loader"] {
        let peak = peaks
            .get(&format!("orapull {worker}"))
            .copied()
            .unwrap_or_default();
        assert!(peak.own > 0, "the {worker} was seen");
        assert!(peak.all < MOST_KB, "the {worker} took {peak}");
    }
    Ok(())
}

fn follows_all(bed: &Bed) -> Result<()> {
    bed.eventually("the table is loaded", LONG, || {
        bed.publish()?;
        steps::value::<bool>(
            bed,
            "SELECT bool_and(state = 'following') FROM orapull.tables",
        )
    })
}

/// Changes every row twice, in two portions. Each is a batch; the second one is read by the second hand.
fn change_and_pull(bed: &Bed) -> Result<()> {
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    for _ in 0..2 {
        bed.at_source(r#"UPDATE "APP"."WIDE" SET "N" = "N" + 1"#)?;
        bed.publish()?;
    }
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::call(bed, "SELECT orapull.pull_now('main', interval '3 minutes')")?;
    let rows = bed.identical(0, &steps::pair("WIDE", "app.wide"))?;
    assert_eq!(i64::try_from(rows)?, ROWS);
    Ok(())
}
