//! Tables that the source has forgotten behind a shard's back: nothing is published for them, and that must not look
//! like a table that does not change.

use anyhow::Result;

use super::items::{self, SOON};
use super::lease;
use super::second_look;
use super::{Scenario, scenario};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "forgotten/when_another_server_has_dropped_a_table",
        when_another_server_has_dropped_a_table,
    ),
    scenario(
        "forgotten/when_another_server_has_dropped_the_shard",
        when_another_server_has_dropped_the_shard,
    ),
    scenario(
        "forgotten/when_a_server_is_set_back_to_before_a_drop",
        when_a_server_is_set_back_to_before_a_drop,
    ),
    scenario("forgotten/seen_in_a_turn", seen_in_a_turn),
    scenario(
        "forgotten/not_while_another_shard_follows_it",
        not_while_another_shard_follows_it,
    ),
];

/// Another server attaches as this shard, calls something with its token, and goes.
fn another_server(bed: &Bed, call: &str) -> Result<()> {
    let mut source = bed.source()?;
    let attach = r#"SELECT "P_TOKEN" FROM "API"."ATTACH"('shard1', 'another server',
                        (SELECT "ACKED_PORTION" FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'shard1'), 1)"#;
    let token: i64 = source.query_one(attach, &[])?.get(0);
    source.batch_execute(&call.replace("TOKEN", &token.to_string()))?;
    Ok(())
}

const DROP_TABLE: &str = r#"SELECT "API"."DROP_TABLE"('shard1', TOKEN, 1)"#;

/// Nothing is published of what changes now.
fn change_unseen(bed: &Bed) -> Result<()> {
    items::change(bed)?;
    bed.at_source(r#"DELETE FROM "APP"."ITEMS" WHERE "ID" = 42"#)
}

fn needs_a_resync(bed: &Bed) -> Result<()> {
    items::table_becomes(bed, "needs_resync")?;
    let told =
        "SELECT concat_ws(' | ', t.reason, t.hint, e.what) FROM orapull.tables t, orapull.events e
                WHERE e.what LIKE '%forgotten%'";
    let told = items::text(&mut bed.shard(0)?, told)?;
    assert!(told.contains("not published"), "{told}");
    assert!(told.contains("orapull.resync"), "{told}");
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::is_equal_and_acked(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

fn when_another_server_has_dropped_a_table(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    another_server(bed, DROP_TABLE)?;
    change_unseen(bed)?;
    items::source_becomes(bed, "LEASE_LOST")?;
    items::call(bed, "SELECT orapull.adopt('main')")?;
    needs_a_resync(bed)?;
    // Paused, it must not be resumed as if all of it were held.
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    let number = items::number(
        &mut bed.shard(0)?,
        "SELECT remote_id FROM orapull.target_state",
    )?;
    another_server(bed, &DROP_TABLE.replace(", 1)", &format!(", {number})")))?;
    change_unseen(bed)?;
    items::source_becomes(bed, "LEASE_LOST")?;
    items::call(bed, "SELECT orapull.adopt('main')")?;
    items::table_becomes(bed, "needs_resync")?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::is_equal_and_acked(bed)
}

fn when_another_server_has_dropped_the_shard(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    another_server(bed, r#"SELECT "API"."DROP_SHARD"('shard1', TOKEN)"#)?;
    change_unseen(bed)?;
    items::source_becomes(bed, "LEASE_LOST")?;
    items::call(bed, "SELECT orapull.adopt('main')")?;
    needs_a_resync(bed)
}

fn when_a_server_is_set_back_to_before_a_drop(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    lease::set_back(bed, || {
        items::call(bed, "SELECT orapull.drop_table('app.items')")?;
        bed.eventually("the table is forgotten", SOON, || {
            Ok(items::kept_of_tables(bed)? == 0)
        })?;
        change_unseen(bed)?;
        bed.add_table(0, "APP.ITEMS", "relation => 'app.items', load => 'replace'")?;
        items::is_equal_and_acked(bed)
    })?;
    needs_a_resync(bed)
}

/// It is published for the other one; but once that one drops it, nobody would want it.
fn not_while_another_shard_follows_it(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut source = bed.source()?;
    let other = r#"SELECT "P_TOKEN" FROM "API"."ATTACH"('shard2', 'another server', NULL, 1)"#;
    let token: i64 = source.query_one(other, &[])?.get(0);
    source.batch_execute(&format!(
        r#"SELECT "API"."REGISTER_TABLE"('shard2', {token}, 'APP', 'ITEMS', 'AUTO')"#
    ))?;
    another_server(bed, DROP_TABLE)?;
    items::change(bed)?;
    items::source_becomes(bed, "LEASE_LOST")?;
    items::call(bed, "SELECT orapull.adopt('main')")?;
    items::is_equal_and_acked(bed)?;
    let generation = "SELECT generation FROM orapull.target_state";
    assert_eq!(
        items::number(&mut bed.shard(0)?, generation)?,
        1,
        "it was not loaded again"
    );
    source.batch_execute(&format!(
        r#"SELECT "API"."DROP_TABLE"('shard2', {token}, 1)"#
    ))?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

/// By a batch that is being read as the source forgets the table.
fn seen_in_a_turn(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut lock = second_look::stop_before_rows(bed)?;
    bed.at_source(r#"DELETE FROM "ORAPULL"."SUBSCRIPTION"; DELETE FROM "ORAPULL"."REGISTERED""#)?;
    lock.batch_execute(r#"DELETE FROM "APP"."ITEMS" WHERE "ID" = 41; COMMIT"#)?;
    needs_a_resync(bed)
}
