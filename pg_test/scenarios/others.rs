//! A second table, app.others, which goes on whatever happens to app.items.

use anyhow::{Result, ensure};

use super::items::SOON;
use super::steps;
use crate::bed::Bed;
use crate::compare::Pair;

pub const OTHERS: Pair = Pair {
    owner: "APP",
    table: "OTHERS",
    relation: "app.others",
    filter: None,
};

/// Has it followed.
pub fn follow(bed: &Bed) -> Result<()> {
    steps::captured_table(
        bed,
        "OTHERS",
        r#""ID" numeric(10) PRIMARY KEY, "N" numeric(10)"#,
        "SELECT i, 0 FROM generate_series(1, 100) AS i",
    )?;
    bed.add_table(0, "APP.OTHERS", "")?;
    bed.catch_up(0)
}

/// It is changed and becomes equal, and the source is never in trouble.
pub fn go_on(bed: &Bed) -> Result<()> {
    bed.at_source(r#"UPDATE "APP"."OTHERS" SET "N" = "N" + 1"#)?;
    bed.eventually("the other table goes on", SOON, || {
        bed.publish()?;
        let state: String = steps::value(bed, "SELECT state FROM orapull.status")?;
        ensure!(state == "RUNNING", "the source is {state}");
        Ok(bed.identical(0, &OTHERS)? == 100)
    })
}
