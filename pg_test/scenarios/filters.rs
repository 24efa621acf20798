//! Filters: which rows belong to a shard, and which texts are no filter.

use anyhow::{Context, Result, ensure};
use postgres::Client;

use super::Scenario;
use super::{items, steps};
use crate::bed::{Bed, Tables};
use crate::compare::Pair;
use crate::random::dice::Dice;

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "filters/rows_enter_leave_and_change_shards",
        shards: 2,
        tables: Tables::None,
        run: rows_enter_leave_and_change_shards,
    },
    Scenario {
        name: "filters/what_is_no_immutable_condition_is_refused",
        shards: 1,
        tables: Tables::None,
        run: what_is_no_immutable_condition_is_refused,
    },
    Scenario {
        name: "filters/random_texts_are_refused_or_kept_as_what_they_mean",
        shards: 1,
        tables: Tables::None,
        run: random_texts_are_refused_or_kept_as_what_they_mean,
    },
];

/// The two halves of a table, as each shard's filter and as the source puts it.
const HALVES: [(&str, &str); 2] = [
    (
        r#"lower(region) = 'eu' AND "order" < 5000"#,
        r#"lower("REGION") = 'eu' AND "ORDER" < 5000"#,
    ),
    (
        r#"NOT (lower(region) = 'eu' AND "order" < 5000)"#,
        r#"NOT (lower("REGION") = 'eu' AND "ORDER" < 5000)"#,
    ),
];

fn rows_enter_leave_and_change_shards(bed: &Bed) -> Result<()> {
    steps::captured_table(
        bed,
        "CLIENTS",
        r#""ID" numeric(9) PRIMARY KEY, "REGION" varchar(10), "ORDER" numeric(9)"#,
        "SELECT i, CASE i % 3 WHEN 0 THEN 'EU' WHEN 1 THEN 'us' END, i FROM generate_series(1, 90) AS i",
    )?;
    for (shard, (filter, _)) in HALVES.iter().enumerate() {
        bed.create_source(shard)?;
        let more = format!("filter => $${filter}$$");
        bed.add_table(shard, "APP.CLIENTS", &more)?;
        bed.catch_up(shard)?;
    }
    assert_eq!(identical_halves(bed)?, [30, 30]);
    // Neither shard has the rows without a region; some get one, some lose theirs, some change sides.
    bed.at_source(
        r#"UPDATE "APP"."CLIENTS" SET "REGION" = 'eu' WHERE "ID" IN (1, 2, 4, 5);
           UPDATE "APP"."CLIENTS" SET "REGION" = 'us' WHERE "ID" IN (3, 6, 8);
           UPDATE "APP"."CLIENTS" SET "REGION" = NULL WHERE "ID" IN (7, 9);
           UPDATE "APP"."CLIENTS" SET "ORDER" = 9000 WHERE "ID" = 12"#,
    )?;
    catch_up_both(bed)?;
    assert_eq!(identical_halves(bed)?, [30, 31]);
    // A new key on the other side of the filter: the old one is in the one shard, the new one in the other.
    bed.at_source(
        r#"UPDATE "APP"."CLIENTS" SET "ID" = "ID" + 1000, "REGION" = 'us' WHERE "ID" = 15;
           UPDATE "APP"."CLIENTS" SET "ID" = "ID" + 1000, "REGION" = 'EU' WHERE "ID" = 10;
           UPDATE "APP"."CLIENTS" SET "ID" = 15, "REGION" = 'eu' WHERE "ID" = 13;
           DELETE FROM "APP"."CLIENTS" WHERE "ID" IN (16, 18)"#,
    )?;
    catch_up_both(bed)?;
    assert_eq!(identical_halves(bed)?, [30, 29]);
    Ok(())
}

fn catch_up_both(bed: &Bed) -> Result<()> {
    bed.catch_up(0)?;
    bed.catch_up(1)
}

fn identical_halves(bed: &Bed) -> Result<[u64; 2]> {
    let mut rows = [0; 2];
    for (shard, (_, at_source)) in HALVES.iter().enumerate() {
        rows[shard] = bed.identical(
            shard,
            &Pair {
                filter: Some(at_source),
                ..steps::pair("CLIENTS", "app.clients")
            },
        )?;
    }
    Ok(rows)
}

fn what_is_no_immutable_condition_is_refused(bed: &Bed) -> Result<()> {
    let columns = r#""ID" numeric(9) PRIMARY KEY, "CREATED" timestamp(0)"#;
    steps::table(bed, "CLIENTS", columns, "")?;
    bed.create_source(0)?;
    steps::at_shard(bed, "CREATE TABLE app.precious ()")?;
    let refused = [
        ("id", "42804", "must be type boolean"),
        ("id > 0, id < 5", "42804", "must be type boolean"),
        ("id IN (SELECT 1)", "0A000", "subquery"),
        ("count(*) > 0", "42803", "aggregate"),
        ("random() < 0.5", "42P17", "IMMUTABLE"),
        ("created < now()", "42P17", "IMMUTABLE"),
        ("created::timestamptz < '2024-01-01'", "42P17", "IMMUTABLE"),
        ("region = 'EU'", "42703", "does not exist"),
        ("ctid = '(0,1)'", "0A000", "system columns"),
        ("$1 = id", "42P02", "no parameter"),
        (
            "true); DROP TABLE app.precious; --",
            "42601",
            "syntax error",
        ),
        (
            "true); DROP TABLE app.precious; SELECT (1",
            "22023",
            "one boolean expression",
        ),
        ("true) UNION SELECT 1 WHERE (true", "42601", "syntax error"),
        ("", "42601", "syntax error"),
    ];
    for (filter, sqlstate, message) in refused {
        let statement =
            format!("SELECT orapull.add_table('main', 'APP.CLIENTS', filter => $f${filter}$f$)");
        let (code, text) = steps::refusal(bed, &statement)?;
        assert!(
            code == sqlstate && text.contains(message),
            "{filter}: {code} {text}"
        );
    }
    assert!(steps::value::<bool>(
        bed,
        "SELECT to_regclass('app.precious') IS NOT NULL"
    )?);
    assert_eq!(
        steps::value::<i64>(bed, "SELECT count(*) FROM orapull.tables")?,
        0
    );
    // A refusal leaves nothing that is in the way of the next attempt.
    bed.add_table(0, "APP.CLIENTS", "filter => 'id > 0'")
}

const CONDITIONS: [&str; 9] = [
    "id = 7",
    "region IS NULL",
    "lower(region) = 'eu'",
    "(\"order\" < 5 OR id IN (1, 2))",
    "NOT region LIKE 'it''%'",
    r"region = E'\''",
    "region <> $$eu$$",
    "true",
    "length(region) > 2",
];

/// What could end a condition and begin something else.
const BREAKS: [&str; 22] = [
    "'",
    "''",
    "\"",
    "(",
    ")",
    ") OR (",
    ";",
    "; DROP TABLE app.canary; --",
    "--",
    "/*",
    "*/",
    "/* */",
    "\n",
    "$$",
    "E'\\'",
    " AND ",
    " NOT ",
    " = now()",
    " UNION SELECT 1",
    ", 1",
    "::text",
    "\\",
];
const TEXTS: u32 = 60;
/// Rows of the table, as the filter sees them.
const ROWS: &str = "(VALUES (1, 'eu', 7), (7, 'EU', 1), (2, NULL, NULL), (3, 'it''s', 7)) AS r (id, region, \"order\")";

fn random_texts_are_refused_or_kept_as_what_they_mean(bed: &Bed) -> Result<()> {
    steps::table(
        bed,
        "CLIENTS",
        r#""ID" numeric(9) PRIMARY KEY, "REGION" varchar(10), "ORDER" numeric(9)"#,
        "",
    )?;
    steps::at_shard(bed, "CREATE TABLE app.canary ()")?;
    bed.create_source(0)?;
    items::source_becomes(bed, "RUNNING")?;
    let mut client = bed.shard(0)?;
    let mut dice = Dice::new(1);
    let mut kept = 0;
    for _ in 0..TEXTS {
        let text = random_text(&mut dice);
        client.batch_execute("BEGIN")?;
        let told = one_filter(&mut client, &text).with_context(|| format!("filter {text:?}"));
        client.batch_execute("ROLLBACK")?;
        kept += u32::from(told?);
    }
    // Both ways were gone.
    ensure!(
        kept > 0 && kept < TEXTS,
        "{kept} of {TEXTS} texts were kept"
    );
    client.batch_execute("SELECT FROM app.canary")?;
    Ok(())
}

/// Conditions, and more often than not something that does not belong there.
fn random_text(dice: &mut Dice) -> String {
    let mut words = vec![dice.pick(&CONDITIONS)];
    for _ in 0..dice.below(3) {
        words.extend([dice.pick(&[" AND ", " OR "]), dice.pick(&CONDITIONS)]);
    }
    if dice.percent(60) {
        words.insert(dice.index(words.len() + 1), dice.pick(&BREAKS));
    }
    words.concat()
}

/// Whether the text is taken for a filter; it must then choose the rows that it chooses by itself.
fn one_filter(client: &mut Client, text: &str) -> Result<bool> {
    let add = "SELECT orapull.add_table('main', 'APP.CLIENTS', filter => $1)";
    if let Err(error) = client.execute(add, &[&text]) {
        let code = error
            .code()
            .context("the session is lost")?
            .code()
            .to_owned();
        ensure!(
            !code.starts_with("XX") && !code.starts_with("57"),
            "{error:?}"
        );
        return Ok(false);
    }
    let filter: String = client
        .query_one("SELECT filter FROM orapull.target", &[])?
        .get(0);
    let mut chosen = |condition: &str| -> Result<String> {
        let sql = format!(
            "SELECT coalesce(string_agg(id::text, ',' ORDER BY id), '') FROM {ROWS} WHERE (\n{condition}\n)"
        );
        Ok(client.query_one(&sql, &[]).context(sql)?.get(0))
    };
    let (meant, is) = (chosen(text)?, chosen(&filter)?);
    ensure!(meant == is, "kept as {filter}: chooses {is}, not {meant}");
    Ok(true)
}
