//! Tables that are altered at the source.

use anyhow::Result;

use super::Scenario;
use crate::bed::{Bed, Tables};
use crate::compare::Pair;

pub const SCENARIOS: &[Scenario] = &[Scenario {
    name: "altered/a_dropped_column_pauses_its_table_and_no_other",
    shards: 1,
    tables: Tables::None,
    run: a_dropped_column_pauses_its_table_and_no_other,
}];

const ALTERED: Pair = Pair {
    owner: "APP",
    table: "ALTERED",
    relation: "app.altered",
    filter: None,
};

const OTHER: Pair = Pair {
    owner: "APP",
    table: "OTHER",
    relation: "app.other",
    filter: None,
};

fn a_dropped_column_pauses_its_table_and_no_other(bed: &Bed) -> Result<()> {
    bed.at_source(
        r#"CREATE SCHEMA "APP";
           CREATE TABLE "APP"."ALTERED" ("ID" numeric(10) PRIMARY KEY, "NAME" varchar(40));
           CREATE TABLE "APP"."OTHER" ("ID" numeric(10) PRIMARY KEY, "NAME" varchar(40));
           SELECT "TEST"."ADD_ROWID"('APP', t), "TEST"."CAPTURE"('APP', t) FROM unnest(ARRAY['ALTERED', 'OTHER']) AS t"#,
    )?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.ALTERED", "")?;
    bed.add_table(0, "APP.OTHER", "")?;
    bed.catch_up(0)?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'ALTERED', 'DROP COLUMN "NAME"');
           INSERT INTO "APP"."ALTERED" VALUES (1);
           INSERT INTO "APP"."OTHER" VALUES (1, 'goes on')"#,
    )?;
    bed.publish()?;
    bed.owner(0)?
        .execute("SELECT orapull.pull_now('main')", &[])?;
    assert_eq!(bed.identical(0, &OTHER)?, 1);
    let row = bed.shard(0)?.query_one(
        "SELECT state, reason, held FROM orapull.tables WHERE relation = 'app.altered'::regclass",
        &[],
    )?;
    assert_eq!(row.get::<_, &str>(0), "paused");
    assert_eq!(
        row.get::<_, &str>(1),
        "altered at the source: column name is gone"
    );
    assert_eq!(row.get::<_, i64>(2), 1);
    // Done here as well, it goes on.
    bed.owner(0)?.batch_execute(
        "ALTER TABLE app.altered DROP COLUMN name; SELECT orapull.resume('main', 'app.altered')",
    )?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &ALTERED)?, 1);
    Ok(())
}
