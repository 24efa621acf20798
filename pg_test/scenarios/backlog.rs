//! A backlog that the puller and its second hand work off side by side.

use anyhow::Result;
use postgres::Client;

use super::items::{self, ITEMS, SOON};
use super::steps;
use crate::bed::Bed;

pub const PULLER: &str = "orapull puller";
pub const HAND: &str = "orapull second hand";

/// Follows APP.ITEMS and APP.OTHERS, each portion a batch of its own, and pauses the source. With tables that
/// alternate, the puller takes those of the one and the second hand those of the other.
pub fn lag(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    steps::captured_table(
        bed,
        "OTHERS",
        r#""ID" numeric(10) PRIMARY KEY, "NAME" varchar(40)"#,
        "SELECT i, 'other ' || i FROM generate_series(1, 1000) AS i",
    )?;
    bed.create_source(0)?;
    steps::at_shard(
        bed,
        "CREATE TABLE app.others (id bigint PRIMARY KEY, name varchar(20))",
    )?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.add_table(0, "APP.OTHERS", "relation => 'app.others'")?;
    bed.catch_up(0)?;
    items::set(bed, "orapull.batch_pointers", Some("1"))?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")
}

pub fn resume(bed: &Bed) -> Result<()> {
    items::call(bed, "SELECT orapull.resume('main')")
}

/// Changes some rows of a table and publishes that as one portion.
pub fn portion(bed: &Bed, table: &str, name: &str) -> Result<()> {
    bed.at_source(&format!(
        r#"UPDATE "APP"."{table}" SET "NAME" = '{name}' WHERE "ID" BETWEEN 1 AND 20"#
    ))?;
    bed.publish()?;
    Ok(())
}

/// A portion of ITEMS that the puller cannot apply until the lock is given back, and one of OTHERS, which the second
/// hand has read meanwhile.
pub fn held_up(bed: &Bed) -> Result<Client> {
    let lock = items::hold(bed, "LOCK TABLE app.items IN EXCLUSIVE MODE")?;
    resume(bed)?;
    hand_waits(bed)?;
    Ok(lock)
}

pub fn hand_waits(bed: &Bed) -> Result<()> {
    let sql = "SELECT count(*) FROM pg_stat_activity
               WHERE backend_type = 'orapull second hand' AND query LIKE '%waiting for the batch before%'";
    bed.eventually("the second hand waits for its turn", SOON, || {
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })
}

pub fn ends(bed: &Bed, process: &str) -> Result<()> {
    let sql =
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE backend_type = $1";
    assert_eq!(bed.shard(0)?.query(sql, &[&process])?.len(), 1, "{process}");
    Ok(())
}

pub fn equal(bed: &Bed) -> Result<()> {
    bed.catch_up(0)?;
    same(bed)?;
    assert_eq!(
        items::acked(bed)?,
        items::last_portion(bed)?,
        "the last ack arrived"
    );
    let gaps = "SELECT count(*) FROM (SELECT portion_from, lag(portion_to) OVER (ORDER BY batch_id) AS before
                                      FROM orapull.batch WHERE request IS NULL) b WHERE portion_from <> before + 1";
    assert_eq!(
        items::number(&mut bed.shard(0)?, gaps)?,
        0,
        "each portion once, in order"
    );
    Ok(())
}

pub fn same(bed: &Bed) -> Result<()> {
    bed.identical(0, &ITEMS)?;
    bed.identical(0, &steps::pair("OTHERS", "app.others"))?;
    Ok(())
}

pub fn read_ahead(bed: &Bed) -> Result<i64> {
    items::number(
        &mut bed.shard(0)?,
        "SELECT count(*) FROM orapull.batches WHERE ahead",
    )
}

pub fn waits(bed: &Bed, process: &str, event: &str) -> Result<bool> {
    let sql = "SELECT FROM pg_stat_activity WHERE backend_type = $1 AND wait_event = $2";
    Ok(bed.shard(0)?.query_opt(sql, &[&process, &event])?.is_some())
}
