//! Loading and following: the shard has the rows of the source.

use anyhow::Result;

use super::Scenario;
use crate::bed::{Bed, Tables};
use crate::compare::Pair;

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "follow/changes_after_the_load_arrive",
        shards: 1,
        tables: Tables::None,
        run: changes_after_the_load_arrive,
    },
    Scenario {
        name: "follow/an_immediate_stop_loses_nothing",
        shards: 1,
        tables: Tables::None,
        run: an_immediate_stop_loses_nothing,
    },
];

const ITEMS: Pair = Pair {
    owner: "APP",
    table: "ITEMS",
    relation: "app.items",
    filter: None,
};

fn changes_after_the_load_arrive(bed: &Bed) -> Result<()> {
    follow_items(bed)?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'changed' WHERE "ID" <= 100;
           DELETE FROM "APP"."ITEMS" WHERE "ID" BETWEEN 200 AND 300;
           UPDATE "APP"."ITEMS" SET "ID" = "ID" + 10000 WHERE "ID" > 900;
           INSERT INTO "APP"."ITEMS" VALUES (5000, 'new')"#,
    )?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 900);
    Ok(())
}

fn an_immediate_stop_loses_nothing(bed: &Bed) -> Result<()> {
    follow_items(bed)?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'before the stop'"#)?;
    bed.publish()?;
    bed.crash_shard(0)?;
    bed.at_source(r#"DELETE FROM "APP"."ITEMS" WHERE "ID" % 2 = 0"#)?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 500);
    Ok(())
}

/// A table of 1,000 rows, loaded and followed.
fn follow_items(bed: &Bed) -> Result<()> {
    bed.at_source(
        r#"CREATE SCHEMA "APP";
           CREATE TABLE "APP"."ITEMS" ("ID" numeric(10) PRIMARY KEY, "NAME" varchar(40));
           SELECT "TEST"."ADD_ROWID"('APP', 'ITEMS');
           INSERT INTO "APP"."ITEMS" SELECT i, 'item ' || i FROM generate_series(1, 1000) AS i;
           SELECT "TEST"."CAPTURE"('APP', 'ITEMS')"#,
    )?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 1000);
    Ok(())
}
