//! What the publisher does at the source.

use anyhow::Result;

use super::run::Run;
use super::tables::TABLES;
use super::work;

/// Publishes what is committed, in portions of any size.
pub fn publish(run: &mut Run) -> Result<()> {
    let size = run.dice.pick(&[1, 3, 10, 100, 100_000, 100_000]);
    run.at_source(&format!(r#"SELECT "TEST"."PUBLISH_COMMITTED"({size})"#))?;
    Ok(())
}

/// Pointers to rows that have not changed, that do not exist, or that have the key of one row and the place of another.
pub fn point_wrongly(run: &mut Run) -> Result<()> {
    let table = &TABLES[run.dice.index(TABLES.len())];
    let name = table.remote();
    let keys: Vec<String> = (1..=table.key.len())
        .map(|n| format!(r#", "K{n}""#))
        .collect();
    let texts: Vec<String> = table
        .key
        .iter()
        .map(|key| format!(r#", "{key}"::text"#))
        .collect();
    let others: Vec<String> = table.key.iter().map(|_| ", '999999'".to_owned()).collect();
    let (row_id, texts) = match run.dice.below(4) {
        0 => (r#""ROWID$""#, texts),
        1 => ("NULL", texts),
        2 => (r#""ROWID$""#, others),
        _ => (r#""ORAPULL"."NEW_ROWID"()"#, others),
    };
    let rows = work::some(table, 8, &mut run.dice);
    run.at_source(&format!(
        r#"INSERT INTO "ORAPULL"."STAGED" ("RELATION", "KIND", "ROW_ID"{keys})
           SELECT '{name}'::regclass, 'R', {row_id}{texts} FROM {name} WHERE {rows}"#,
        keys = keys.concat(),
        texts = texts.concat(),
    ))?;
    Ok(())
}

/// Pointers of held portions once more, each twice in one portion, with or without P$PREV.
pub fn publish_again(run: &mut Run) -> Result<()> {
    let count = run.dice.between(1, 30);
    let prev = run.dice.percent(70);
    let again = again(&format!(
        r#"ORDER BY p."P$PORTION" DESC, p."P$PTR" LIMIT {count}"#
    ));
    run.at_source(&format!(
        r#"BEGIN; SELECT "TEST"."PUBLISH_COMMITTED"(); {again}; {again}; SELECT "TEST"."PUBLISH"({prev}); COMMIT"#
    ))?;
    Ok(())
}

/// Lists pointers to rows that are still held.
pub fn again(which: &str) -> String {
    format!(
        r#"INSERT INTO "ORAPULL"."PENDING" ("TABLE_ID", "KIND", "ROW_ID", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "NOTE")
           SELECT p."TABLE_ID", p."KIND", p."ROW_ID", p."K1", p."K2", p."K3", p."K4", p."K5", p."K6", p."K7", p."K8", p."NOTE"
           FROM "ORAPULL"."POINTER" p JOIN "ORAPULL"."REGISTERED" USING ("TABLE_ID")
           WHERE p."P$SLOT" > 0 AND p."KIND" = 'R' {which}"#
    )
}

pub fn release(run: &mut Run) -> Result<()> {
    run.at_source(r#"SELECT "TEST"."RELEASE_ACKED"()"#)?;
    Ok(())
}

/// The slot of the last or of a random portion is lost and rebuilt.
pub fn move_slot(run: &mut Run) -> Result<()> {
    let which = run.dice.below(20);
    run.at_source(&format!(
        r#"SELECT "TEST"."MOVE_SLOT"("PORTION_ID") FROM "ORAPULL"."PORTION" ORDER BY "PORTION_ID" DESC LIMIT 1 OFFSET {which}"#
    ))?;
    Ok(())
}
