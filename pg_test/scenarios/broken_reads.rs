//! Reading breaks off after some rows, as Oracle and oracle_fdw have it: nothing of it is applied, and it is tried
//! again.

use anyhow::{Context, Result, ensure};

use super::items::{self, SOON};
use super::{Scenario, scenario};
use super::{loads, steps};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario("broken_reads/of_rows", of_rows),
    scenario("broken_reads/of_pointers", of_pointers),
    scenario("broken_reads/of_a_request", of_a_request),
    scenario("broken_reads/of_chunks", of_chunks),
    scenario(
        "broken_reads/of_one_table_stop_that_table_alone",
        of_one_table_stop_that_table_alone,
    ),
    scenario(
        "broken_reads/of_blocks_stop_until_an_operator_says_so",
        of_blocks_stop_until_an_operator_says_so,
    ),
];

/// SQLSTATE that oracle_fdw raises, what it says, and what Oracle says.
type Broken = (&'static str, &'static str, &'static str);

const FETCH: &str = "error fetching result: OCIStmtFetch2 failed to fetch next result row";
const CONNECT: &str = "connection for foreign table \"items\" cannot be established";

const TOO_OLD: Broken = ("HV00L", FETCH, "ORA-01555: snapshot too old");
const OUT_OF_SEQUENCE: Broken = ("HV00L", FETCH, "ORA-01002: fetch out of sequence");
const CORRUPTED: Broken = ("HV00L", FETCH, "ORA-01578: ORACLE data block corrupted");

/// What passes.
const PASSING: [Broken; 7] = [
    TOO_OLD,
    ("HV00L", FETCH, "ORA-08103: object no longer exists"),
    ("HV00L", FETCH, "ORA-01410: invalid ROWID"),
    ("HV00L", FETCH, "ORA-00942: table or view does not exist"),
    (
        "HV00L",
        FETCH,
        "ORA-03113: end-of-file on communication channel",
    ),
    ("HV00N", CONNECT, "ORA-12537: TNS:connection closed"),
    (
        "40001",
        FETCH,
        "ORA-08177: can't serialize access for this transaction",
    ),
];

/// Each read of APP.ITEMS, of its chunks or of pointers goes through a function, by which it can be broken.
fn breakable(bed: &Bed, view: &str, row: &str) -> Result<()> {
    heal(bed)?;
    let sql = format!(r#"SELECT pg_get_viewdef('"ORAPULL"."{view}"'::regclass)"#);
    let definition = items::text(&mut bed.source()?, &sql)?;
    let definition = definition.trim_end_matches(';');
    let joint = if definition.contains(" WHERE ") {
        "AND"
    } else {
        "WHERE"
    };
    bed.at_source(&format!(
        r#"CREATE OR REPLACE VIEW "ORAPULL"."{view}" AS {definition} {joint} "TEST"."IS_READ"({row}::text);
           -- Made anew, it would be whole.
           CREATE OR REPLACE FUNCTION "ORAPULL"."REFRESH"(p_table_id bigint) RETURNS void LANGUAGE sql AS 'SELECT'"#
    ))?;
    // Rows arrive in several parts.
    let foreign = "SELECT format('ALTER FOREIGN TABLE %s OPTIONS (SET fetch_size ''50'')', ftrelid::regclass)
                   FROM pg_foreign_table JOIN pg_class c ON c.oid = ftrelid WHERE relname = lower($1)";
    let alter: String = bed.shard(0)?.query_one(foreign, &[&view])?.get(0);
    steps::at_shard(bed, &alter)
}

pub fn is_read(bed: &Bed, statements: &str) -> Result<()> {
    bed.at_source(&format!(
        r#"CREATE SEQUENCE IF NOT EXISTS "TEST"."READ";
           CREATE OR REPLACE FUNCTION "TEST"."IS_READ"(text) RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER
           AS $f$ BEGIN {statements} RETURN true; END $f$;
           GRANT USAGE ON SCHEMA "TEST" TO orapull_shard"#
    ))
}

/// Every hundredth row cannot be read.
fn break_off(bed: &Bed, (sqlstate, message, detail): Broken) -> Result<()> {
    is_read(
        bed,
        &format!(
            "IF nextval('\"TEST\".\"READ\"') % 100 = 0 THEN
                 RAISE EXCEPTION USING ERRCODE = '{sqlstate}', MESSAGE = '{message}', DETAIL = '{}';
             END IF;",
            detail.replace('\'', "''")
        ),
    )
}

/// As [`break_off`], by the end of the session.
fn cut_off(bed: &Bed) -> Result<()> {
    is_read(
        bed,
        "IF nextval('\"TEST\".\"READ\"') % 100 = 0 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;",
    )
}

fn heal(bed: &Bed) -> Result<()> {
    is_read(bed, "")
}

fn told(bed: &Bed) -> Result<String> {
    items::text(
        &mut bed.shard(0)?,
        "SELECT concat_ws(' | ', state, message, hint) FROM orapull.status",
    )
}

/// Waits until status tells this.
fn is_told(bed: &Bed, state: &str, what: &str) -> Result<()> {
    bed.eventually(&format!("{state}: {what}"), SOON, || {
        let told = told(bed)?;
        Ok(told.starts_with(state) && told.contains(what))
    })
    .with_context(|| told(bed).unwrap_or_default())
}

/// All that the shard has of the table, and how far it is.
fn image(bed: &Bed) -> Result<String> {
    let sql = "SELECT concat_ws(' ', applied_portion, acked_portion,
                                (SELECT md5(string_agg(i::text, '|' ORDER BY id)) FROM app.items i),
                                (SELECT count(*) FROM orapull.parked_row))
               FROM orapull.progress";
    items::text(&mut bed.shard(0)?, sql)
}

/// Publishes changes whose reading breaks off, and heals it once that was seen.
fn broken(bed: &Bed, how: Broken, words: &str) -> Result<()> {
    let before = image(bed)?;
    break_off(bed, how)?;
    items::change(bed)?;
    is_told(bed, "UNREACHABLE", how.2)?;
    ensure!(told(bed)?.contains(words), "{}", told(bed)?);
    assert_eq!(image(bed)?, before, "after {}", how.2);
    heal(bed)?;
    items::is_equal_and_acked(bed).with_context(|| how.2)?;
    items::source_becomes(bed, "RUNNING")
}

fn of_rows(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    breakable(bed, "PULL_1", r#"t."ROWID$""#)?;
    for how in PASSING {
        broken(bed, how, "app.items")?;
    }
    let before = image(bed)?;
    cut_off(bed)?;
    items::change(bed)?;
    is_told(bed, "UNREACHABLE", "app.items")?;
    assert_eq!(image(bed)?, before);
    heal(bed)?;
    items::is_equal_and_acked(bed)?;
    let paused = "SELECT count(*) FROM orapull.events WHERE what LIKE '%is paused%'";
    assert_eq!(items::number(&mut bed.shard(0)?, paused)?, 0);
    Ok(())
}

fn of_pointers(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    breakable(bed, "POINTER_V", r#""POINTER"."P$PTR""#)?;
    for how in PASSING.into_iter().chain([OUT_OF_SEQUENCE]) {
        broken(bed, how, "ORA-")?;
    }
    Ok(())
}

fn of_a_request(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    breakable(bed, "PULL_1", r#"t."ROWID$""#)?;
    for how in PASSING {
        items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
        items::table_becomes(bed, "paused")?;
        items::change(bed)?;
        steps::pull(bed)?;
        let held = image(bed)?;
        break_off(bed, how)?;
        items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
        is_told(bed, "UNREACHABLE", how.2)?;
        assert_eq!(image(bed)?, held, "after {}", how.2);
        heal(bed)?;
        items::is_equal_and_acked(bed).with_context(|| how.2)?;
    }
    Ok(())
}

fn of_chunks(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    breakable(bed, "LOAD_1", r#"t."ROWID$""#)?;
    let sql = "SELECT concat_ws(' | ', state, reason) FROM orapull.tables";
    for how in PASSING.into_iter().chain([OUT_OF_SEQUENCE]) {
        break_off(bed, how)?;
        items::call(bed, "SELECT orapull.resync('app.items')")?;
        bed.eventually("tables says so", SOON, || {
            Ok(items::text(&mut bed.shard(0)?, sql)?.contains(how.2))
        })
        .with_context(|| how.2)?;
        assert_eq!(loads::chunks(bed, loads::IN)?, 0, "after {}", how.2);
        items::source_becomes(bed, "RUNNING")?;
        if how == OUT_OF_SEQUENCE {
            items::table_becomes(bed, "paused")?;
        }
        heal(bed)?;
        if how == OUT_OF_SEQUENCE {
            items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
        }
        items::is_equal_and_acked(bed).with_context(|| how.2)?;
    }
    Ok(())
}

fn of_one_table_stop_that_table_alone(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    steps::captured_table(bed, "OTHERS", r#""ID" numeric(9) PRIMARY KEY"#, "SELECT 1")?;
    bed.add_table(0, "APP.OTHERS", "")?;
    bed.catch_up(0)?;
    breakable(bed, "PULL_1", r#"t."ROWID$""#)?;
    break_off(bed, OUT_OF_SEQUENCE)?;
    items::change(bed)?;
    items::table_becomes(bed, "paused")?;
    let reason = items::text(
        &mut bed.shard(0)?,
        "SELECT reason FROM orapull.tables WHERE relation = 'app.items'::regclass",
    )?;
    assert!(reason.contains(OUT_OF_SEQUENCE.2), "{reason}");
    bed.at_source(r#"INSERT INTO "APP"."OTHERS" VALUES (2)"#)?;
    bed.publish()?;
    bed.eventually("the other table goes on", SOON, || {
        Ok(bed.identical(0, &steps::pair("OTHERS", "app.others"))? == 2)
    })?;
    heal(bed)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)
}

fn of_blocks_stop_until_an_operator_says_so(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    breakable(bed, "POINTER_V", r#""POINTER"."P$PTR""#)?;
    let before = image(bed)?;
    break_off(bed, CORRUPTED)?;
    items::change(bed)?;
    is_told(bed, "TRANSPORT_LOST", CORRUPTED.2)?;
    heal(bed)?;
    std::thread::sleep(std::time::Duration::from_secs(2));
    is_told(bed, "TRANSPORT_LOST", CORRUPTED.2)?;
    assert_eq!(image(bed)?, before);
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::is_equal_and_acked(bed)
}
