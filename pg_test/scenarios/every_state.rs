//! What is not a change of a row, in every state of a table: it was truncated (T), it has a column more (D), rows
//! changed that nobody can name (U), it has a column less and no pointer says so.

use anyhow::{Context, Result};

use super::items::{self, SOON};
use super::steps;
use super::{Scenario, scenario};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario("every_state/waiting", waiting),
    scenario(
        "every_state/waiting_for_an_operator",
        waiting_for_an_operator,
    ),
    scenario("every_state/loading", loading),
    scenario("every_state/catching_up", catching_up),
    scenario("every_state/following", following),
    scenario("every_state/paused", paused),
    scenario("every_state/needs_resync", needs_resync),
    scenario("every_state/dropping", dropping),
];

const EMPTIED: &str = "emptied";
const NARROWED: &str = "narrowed";
const UNLOCATED: &str = "unlocated";
const WIDENED: &str = "widened";
const TABLES: [&str; 4] = [EMPTIED, NARROWED, UNLOCATED, WIDENED];

/// The tables with 100 rows each, and a source that nothing is followed of yet.
fn create(bed: &Bed) -> Result<()> {
    for table in TABLES {
        steps::captured_table(
            bed,
            &table.to_uppercase(),
            r#""ID" numeric(10) PRIMARY KEY, "NAME" varchar(40), "NOTE" varchar(40)"#,
            "SELECT i, 'name ' || i, 'note ' || i FROM generate_series(1, 100) AS i",
        )?;
    }
    bed.create_source(0)
}

fn add(bed: &Bed, more: &str) -> Result<()> {
    for table in TABLES {
        bed.add_table(0, &format!("APP.{}", table.to_uppercase()), more)?;
    }
    // What is read of a column that is added there needs a place here.
    steps::at_shard(bed, "ALTER TABLE app.widened ADD COLUMN extra varchar(40)")
}

fn follow(bed: &Bed) -> Result<()> {
    create(bed)?;
    add(bed, "")?;
    bed.catch_up(0)
}

/// All that can happen to them, in portions of their own and among changes of rows.
fn happen(bed: &Bed) -> Result<()> {
    bed.at_source(
        r#"UPDATE "APP"."EMPTIED" SET "NAME" = 'before' WHERE "ID" < 50;
           TRUNCATE "APP"."EMPTIED";
           INSERT INTO "APP"."EMPTIED" SELECT i, 'after', 'after' FROM generate_series(91, 110) AS i"#,
    )?;
    bed.publish()?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'WIDENED', 'ADD COLUMN "EXTRA" varchar(40)');
           SELECT "TEST"."POINT"('APP', 'WIDENED', 'D', p_note => 'ALTER TABLE');
           SELECT "TEST"."PUBLISH"()"#,
    )?;
    bed.at_source(
        r#"SET session_replication_role = replica;
           UPDATE "APP"."UNLOCATED" SET "NAME" = 'unseen' WHERE "ID" % 2 = 0;
           SELECT "TEST"."POINT"('APP', 'UNLOCATED', 'U', p_note => 'somewhere');
           SELECT "TEST"."PUBLISH"()"#,
    )?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'NARROWED', 'DROP COLUMN "NOTE"');
           DELETE FROM "APP"."NARROWED" WHERE "ID" <= 10;
           UPDATE "APP"."NARROWED" SET "NAME" = 'after' WHERE "ID" > 50;
           UPDATE "APP"."WIDENED" SET "EXTRA" = 'extra', "NAME" = 'after' WHERE "ID" % 2 = 0;
           DELETE FROM "APP"."UNLOCATED" WHERE "ID" % 10 = 1"#,
    )?;
    bed.publish()?;
    Ok(())
}

/// States and marks of all four, in the order of their names.
fn states(bed: &Bed) -> Result<String> {
    let sql = "SELECT string_agg(state || coalesce(': ' || incomplete, ''), ', ' ORDER BY relation::text) FROM orapull.tables";
    items::text(&mut bed.shard(0)?, sql)
}

fn become_all(bed: &Bed, state: &str) -> Result<()> {
    bed.eventually(&format!("all are {state}"), SOON, || {
        Ok(states(bed)? == [state; 4].join(", "))
    })
}

/// The same, once all that is published is applied; the source mines on meanwhile.
fn come_to(bed: &Bed, expected: [&str; 4]) -> Result<()> {
    steps::pull(bed)?;
    let mut shown = String::new();
    bed.eventually(&format!("they are {}", expected.join(", ")), SOON, || {
        bed.publish()?;
        shown = states(bed)?;
        Ok(shown == expected.join(", "))
    })
    .with_context(|| shown)
}

fn of_each(bed: &Bed, tables: &[&str], function: &str) -> Result<()> {
    for table in tables {
        let arguments = match function {
            "resync" | "drop_table" => format!("'app.{table}'"),
            _ => format!("'main', 'app.{table}'"),
        };
        items::call(bed, &format!("SELECT orapull.{function}({arguments})"))?;
    }
    Ok(())
}

/// The operator does here what was done there, and calls a function.
fn narrow(bed: &Bed, function: &str) -> Result<()> {
    let reason = "SELECT reason FROM orapull.tables WHERE relation = 'app.narrowed'::regclass";
    let reason = items::text(&mut bed.shard(0)?, reason)?;
    assert_eq!(reason, "altered at the source: column note is gone");
    steps::at_shard(bed, "ALTER TABLE app.narrowed DROP COLUMN note")?;
    of_each(bed, &[NARROWED], function)
}

fn equal(bed: &Bed, tables: &[&str]) -> Result<()> {
    bed.catch_up(0)?;
    for table in tables {
        let (there, here) = (table.to_uppercase(), format!("app.{table}"));
        bed.identical(0, &steps::pair(&there, &here))?;
    }
    Ok(())
}

/// All is equal but for what nobody can name, which a resync mends.
fn equal_but_for_unlocated(bed: &Bed) -> Result<()> {
    equal(bed, &[EMPTIED, NARROWED, WIDENED])?;
    of_each(bed, &[UNLOCATED], "resync")?;
    bed.eventually("a load has begun", SOON, || {
        let sql = "SELECT count(*) FROM orapull.tables WHERE incomplete IS NOT NULL";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 0)
    })?;
    equal(bed, &TABLES)
}

/// A transaction of the source for which tables wait that are added now.
fn open_transaction(bed: &Bed) -> Result<postgres::Client> {
    let mut open = bed.source()?;
    open.batch_execute("BEGIN; SELECT pg_current_xact_id()")?;
    Ok(open)
}

fn waiting(bed: &Bed) -> Result<()> {
    create(bed)?;
    let mut open = open_transaction(bed)?;
    add(bed, "")?;
    happen(bed)?;
    come_to(bed, ["waiting"; 4])?;
    open.batch_execute("COMMIT")?;
    come_to(bed, ["following", "paused", "following", "following"])?;
    narrow(bed, "resume")?;
    equal(bed, &TABLES)
}

fn waiting_for_an_operator(bed: &Bed) -> Result<()> {
    create(bed)?;
    let mut open = open_transaction(bed)?;
    add(bed, "load => 'none'")?;
    for table in TABLES {
        steps::at_shard(
            bed,
            &format!(
                "INSERT INTO app.{table} (id, name, note)
                 SELECT i, 'name ' || i, 'note ' || i FROM generate_series(1, 100) AS i"
            ),
        )?;
    }
    happen(bed)?;
    come_to(
        bed,
        ["needs_resync", "waiting", "waiting: somewhere", "waiting"],
    )?;
    open.batch_execute("COMMIT")?;
    come_to(
        bed,
        ["needs_resync", "paused", "paused: somewhere", "paused"],
    )?;
    of_each(bed, &[UNLOCATED, WIDENED], "resume")?;
    of_each(bed, &[EMPTIED], "resync")?;
    narrow(bed, "resume")?;
    equal_but_for_unlocated(bed)
}

fn loading(bed: &Bed) -> Result<()> {
    create(bed)?;
    items::set(bed, "orapull.load_workers", Some("0"))?;
    add(bed, "")?;
    let planned = "SELECT count(*) FROM orapull.target_state WHERE plan_id IS NOT NULL";
    bed.eventually("the loads are planned", SOON, || {
        bed.publish()?;
        Ok(items::number(&mut bed.shard(0)?, planned)? == 4)
    })?;
    happen(bed)?;
    come_to(bed, ["loading", "paused", "loading: somewhere", "loading"])?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    come_to(
        bed,
        ["following", "paused", "following: somewhere", "following"],
    )?;
    narrow(bed, "resume")?;
    equal(bed, &TABLES)
}

fn catching_up(bed: &Bed) -> Result<()> {
    follow(bed)?;
    of_each(bed, &TABLES, "pause")?;
    become_all(bed, "paused")?;
    for table in TABLES {
        let table = table.to_uppercase();
        bed.at_source(&format!(
            r#"UPDATE "APP"."{table}" SET "NAME" = 'held' WHERE "ID" BETWEEN 20 AND 70"#
        ))?;
    }
    bed.publish()?;
    steps::pull(bed)?;
    // They have caught up when the source has mined past what was asked.
    bed.at_source(
        r#"SELECT "TEST"."SET"('MINED_SCN', (SELECT "MINED_SCN"::text FROM "ORAPULL"."SOURCE"))"#,
    )?;
    of_each(bed, &TABLES, "resume")?;
    become_all(bed, "catching_up")?;
    happen(bed)?;
    come_to(
        bed,
        [
            "catching_up",
            "paused",
            "catching_up: somewhere",
            "catching_up",
        ],
    )?;
    bed.at_source(r#"SELECT "TEST"."UNSET"('MINED_SCN')"#)?;
    narrow(bed, "resume")?;
    come_to(
        bed,
        [
            "following",
            "following",
            "following: somewhere",
            "following",
        ],
    )?;
    equal_but_for_unlocated(bed)
}

fn following(bed: &Bed) -> Result<()> {
    follow(bed)?;
    happen(bed)?;
    come_to(
        bed,
        ["following", "paused", "following: somewhere", "following"],
    )?;
    narrow(bed, "resume")?;
    equal_but_for_unlocated(bed)
}

fn paused(bed: &Bed) -> Result<()> {
    follow(bed)?;
    of_each(bed, &TABLES, "pause")?;
    become_all(bed, "paused")?;
    happen(bed)?;
    come_to(
        bed,
        ["needs_resync", "paused", "paused: somewhere", "paused"],
    )?;
    of_each(bed, &TABLES, "resume")?;
    // Nobody has looked at it while it was paused.
    come_to(
        bed,
        [
            "needs_resync",
            "paused",
            "following: somewhere",
            "following",
        ],
    )?;
    of_each(bed, &[EMPTIED], "resync")?;
    narrow(bed, "resume")?;
    equal_but_for_unlocated(bed)
}

fn needs_resync(bed: &Bed) -> Result<()> {
    follow(bed)?;
    items::call(bed, "SELECT orapull.adopt('main', force => true)")?;
    become_all(bed, "needs_resync")?;
    happen(bed)?;
    come_to(bed, ["needs_resync"; 4])?;
    of_each(bed, &TABLES, "resync")?;
    come_to(bed, ["following", "needs_resync", "following", "following"])?;
    narrow(bed, "resync")?;
    equal(bed, &TABLES)
}

fn dropping(bed: &Bed) -> Result<()> {
    follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    happen(bed)?;
    of_each(bed, &TABLES, "drop_table")?;
    // The source agrees at the second time.
    bed.fault(0, r#""API"."DROP_TABLE" 1 cut_before"#)?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    bed.eventually("they are forgotten", SOON, || {
        Ok(items::kept_of_tables(bed)? == 0)
    })?;
    steps::at_shard(bed, "ALTER TABLE app.narrowed DROP COLUMN note")?;
    for table in TABLES {
        bed.add_table(
            0,
            &format!("APP.{}", table.to_uppercase()),
            &format!("relation => 'app.{table}', load => 'replace'"),
        )?;
    }
    equal(bed, &TABLES)
}
