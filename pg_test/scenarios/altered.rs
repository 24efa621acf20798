//! Tables that are altered at the source.

use anyhow::Result;

use super::items::{self, SOON};
use super::{Scenario, scenario};
use super::{loads, second_look, steps};
use crate::bed::Bed;
use crate::compare::Pair;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "altered/a_dropped_column_pauses_its_table_and_no_other",
        a_dropped_column_pauses_its_table_and_no_other,
    ),
    scenario(
        "altered/a_new_shape_does_not_stop_a_load",
        a_new_shape_does_not_stop_a_load,
    ),
    scenario(
        "altered/a_load_of_an_altered_table_is_left_to_the_puller",
        a_load_of_an_altered_table_is_left_to_the_puller,
    ),
    scenario(
        "altered/a_new_shape_does_not_stop_a_request",
        a_new_shape_does_not_stop_a_request,
    ),
    scenario(
        "altered/a_table_with_another_number_is_loaded",
        a_table_with_another_number_is_loaded,
    ),
    scenario(
        "altered/views_made_for_other_columns_are_made_anew",
        views_made_for_other_columns_are_made_anew,
    ),
    scenario(
        "altered/two_local_tables_take_up_a_column_each_by_itself",
        two_local_tables_take_up_a_column_each_by_itself,
    ),
    scenario(
        "altered/a_column_added_while_another_is_taken_up",
        a_column_added_while_another_is_taken_up,
    ),
    scenario(
        "altered/foreign_tables_of_other_columns_are_made_anew",
        foreign_tables_of_other_columns_are_made_anew,
    ),
];

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

/// As after a change of policies: no D pointer tells of it.
const RESHAPE: &str = r#"SELECT "TEST"."RESHAPE"('APP', 'ITEMS')"#;

fn a_new_shape_does_not_stop_a_load(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    bed.at_source(RESHAPE)?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    items::is_equal_and_acked(bed)
}

/// While the puller is busy with a batch, its loader meets views that are gone with the old shape: more often than would
/// pause a table that cannot be read.
fn a_load_of_an_altered_table_is_left_to_the_puller(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    steps::captured_table(
        bed,
        "OTHER",
        r#""ID" numeric(10) PRIMARY KEY, "NAME" varchar(40)"#,
        "SELECT i, 'other ' || i FROM generate_series(1, 10000) AS i",
    )?;
    bed.at_source(r#"ANALYZE "APP"."OTHER""#)?;
    items::set(bed, "orapull.load_chunk_rows", Some("1000"))?;
    items::set(bed, "orapull.load_rows_per_second", Some("300"))?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.add_table(0, "APP.OTHER", "")?;
    bed.eventually("a chunk is in", SOON, || {
        bed.publish()?;
        let sql = "SELECT coalesce(chunks_loaded, 0) FROM orapull.tables WHERE relation = 'app.other'::regclass";
        Ok(items::number(&mut bed.shard(0)?, sql)? > 0)
    })?;
    let mut lock = second_look::stop_before_rows(bed)?;
    bed.at_source(
        r#"SELECT "TEST"."RESHAPE"('APP', 'OTHER');
           SELECT "ORAPULL"."DROP_RESOLVERS"("TEST"."TABLE_ID"('APP', 'OTHER'))"#,
    )?;
    loads::loaders_become(bed, 0)?;
    let state = "SELECT concat_ws(': ', state, reason) FROM orapull.tables WHERE relation = 'app.other'::regclass";
    assert_eq!(
        items::text(&mut bed.shard(0)?, state)?,
        "loading: first load"
    );
    items::set(bed, "orapull.load_rows_per_second", None)?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    bed.identical(0, &OTHER)?;
    Ok(())
}

fn a_new_shape_does_not_stop_a_request(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    bed.eventually("identities are held", SOON, || {
        let sql = "SELECT held FROM orapull.tables";
        Ok(items::number(&mut bed.shard(0)?, sql)? > 0)
    })?;
    // No pointer to this table comes any more.
    bed.at_source(RESHAPE)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)
}

/// The source hears a drop_table after the add_table that followed it.
fn a_table_with_another_number_is_loaded(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.create_source(0)?;
    items::source_becomes(bed, "RUNNING")?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.at_source(
        r#"SELECT "API"."DROP_TABLE"("SHARD", "TOKEN", "TEST"."TABLE_ID"('APP', 'ITEMS')) FROM "ORAPULL"."SHARD""#,
    )?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::is_equal_and_acked(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

/// A column was added, another shard took it up, and it was dropped again: this shard knows the table as it is.
fn views_made_for_other_columns_are_made_anew(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.at_source(r#"SELECT "ORAPULL"."DROP_RESOLVERS"(1)"#)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    items::table_becomes(bed, "following")
}

const TOO: Pair = Pair {
    owner: "APP",
    table: "ITEMS",
    relation: "app.items_too",
    filter: None,
};

/// The second is added when the column is there and nothing of it has been published yet.
fn two_local_tables_take_up_a_column_each_by_itself(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'ITEMS', 'ADD COLUMN "EXTRA" numeric(5)');
           UPDATE "APP"."ITEMS" SET "EXTRA" = "ID" % 7"#,
    )?;
    items::call(
        bed,
        "ALTER TABLE app.items ADD COLUMN extra numeric(5);
         CREATE TABLE app.items_too (LIKE app.items INCLUDING ALL)",
    )?;
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items_too'")?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::is_equal_and_acked(bed)?;
    bed.identical(0, &TOO)?;
    bed.at_source(
        r#"SELECT "TEST"."POINT"('APP', 'ITEMS', 'D', p_note => 'ALTER TABLE'); SELECT "TEST"."PUBLISH"()"#,
    )?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    bed.identical(0, &TOO)?;

    // What one of them leaves, the other goes on with.
    items::call(bed, "SELECT orapull.drop_table('app.items_too')")?;
    bed.eventually("it is not followed any more", SOON, || {
        let sql = "SELECT count(*) FROM orapull.tables";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

/// The shape is that of both columns when the foreign tables are made.
fn a_column_added_while_another_is_taken_up(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(
        bed,
        "ALTER TABLE app.items ADD COLUMN extra numeric(5), ADD COLUMN more numeric(5)",
    )?;
    bed.fault(0, r#""API"."REFRESH_TABLE" 1 delay 3"#)?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'ITEMS', 'ADD COLUMN "EXTRA" numeric(5)');
           SELECT "TEST"."POINT"('APP', 'ITEMS', 'D', p_note => 'ALTER TABLE');
           SELECT "TEST"."PUBLISH"()"#,
    )?;
    bed.eventually("the column is taken up", SOON, || {
        Ok(bed.faults_left(0)? == 0)
    })?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'ITEMS', 'ADD COLUMN "MORE" numeric(5)');
           UPDATE "APP"."ITEMS" SET "EXTRA" = "ID" % 7, "MORE" = "ID" % 5"#,
    )?;
    items::is_equal_and_acked(bed)
}

/// As those that another version of orapull has made, or somebody has altered.
fn foreign_tables_of_other_columns_are_made_anew(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(
        bed,
        "ALTER FOREIGN TABLE orapull_main.pull_1 DROP COLUMN name;
         ALTER FOREIGN TABLE orapull_main.load_1 DROP COLUMN name",
    )?;
    items::change(bed)?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::is_equal_and_acked(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}
