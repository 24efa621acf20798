//! Rows that do not fit.

use anyhow::Result;

use super::Scenario;
use crate::bed::{Bed, Tables};
use crate::compare::Pair;
use crate::watch::eventually;

pub const SCENARIOS: &[Scenario] = &[Scenario {
    name: "parked/a_row_that_does_not_fit_is_parked_until_the_table_is_mended",
    shards: 1,
    tables: Tables::None,
    run: a_row_that_does_not_fit_is_parked_until_the_table_is_mended,
}];

const INVOICES: Pair = Pair {
    owner: "APP",
    table: "INVOICES",
    relation: "app.invoices",
    filter: None,
};

fn a_row_that_does_not_fit_is_parked_until_the_table_is_mended(bed: &Bed) -> Result<()> {
    bed.at_source(
        r#"CREATE SCHEMA "APP";
           CREATE TABLE "APP"."INVOICES" ("ID" numeric(10) PRIMARY KEY, "CUSTOMER" varchar(40));
           SELECT "TEST"."ADD_ROWID"('APP', 'INVOICES'), "TEST"."CAPTURE"('APP', 'INVOICES');
           INSERT INTO "APP"."INVOICES" SELECT i, 'customer ' || i FROM generate_series(1, 100) AS i"#,
    )?;
    let mut owner = bed.owner(0)?;
    owner
        .batch_execute("CREATE TABLE app.invoices (id bigint PRIMARY KEY, customer varchar(20))")?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.INVOICES", "'app.invoices'")?;
    bed.catch_up(0)?;
    bed.at_source(
        r#"UPDATE "APP"."INVOICES" SET "CUSTOMER" = 'a name of more than twenty letters' WHERE "ID" = 7;
           DELETE FROM "APP"."INVOICES" WHERE "ID" > 90"#,
    )?;
    bed.catch_up(0)?;
    let parked = "SELECT string_agg(concat_ws(' ', key, reason, sqlstate, attempts), ', ') FROM orapull.parked";
    let row = bed.shard(0)?.query_one(parked, &[])?;
    assert_eq!(row.get::<_, Option<&str>>(0), Some("{7} parked 22001 1"));
    // All others are here.
    let count = owner.query_one("SELECT count(*) FROM app.invoices", &[])?;
    assert_eq!(count.get::<_, i64>(0), 90);
    owner.batch_execute(
        "ALTER TABLE app.invoices ALTER customer TYPE varchar(40);
         SELECT orapull.retry_parked('app.invoices')",
    )?;
    eventually(
        "the row is applied",
        std::time::Duration::from_secs(20),
        || {
            let left = bed
                .shard(0)?
                .query_one("SELECT count(*) FROM orapull.parked", &[])?;
            Ok(left.get::<_, i64>(0) == 0)
        },
    )?;
    assert_eq!(bed.identical(0, &INVOICES)?, 90);
    Ok(())
}
