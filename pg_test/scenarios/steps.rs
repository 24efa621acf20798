//! Steps that scenarios of several themes begin or end with.

use anyhow::{Context, Result, bail};

use crate::bed::Bed;
use crate::compare::Pair;

/// A table "APP"."NAME" of the source with the given columns and rows (each as SQL). Its changes are not captured: the
/// test says which pointers are published.
pub fn table(bed: &Bed, name: &str, columns: &str, rows: &str) -> Result<()> {
    let rows = if rows.is_empty() {
        String::new()
    } else {
        format!(r#"INSERT INTO "APP"."{name}" {rows};"#)
    };
    bed.at_source(&format!(
        r#"CREATE SCHEMA IF NOT EXISTS "APP";
           CREATE TABLE "APP"."{name}" ({columns});
           SELECT "TEST"."ADD_ROWID"('APP', '{name}');
           {rows}"#
    ))
}

/// The same, with a pointer for each change from now on.
pub fn captured_table(bed: &Bed, name: &str, columns: &str, rows: &str) -> Result<()> {
    table(bed, name, columns, rows)?;
    bed.at_source(&format!(r#"SELECT "TEST"."CAPTURE"('APP', '{name}')"#))
}

/// A column of a source table whose Oracle type has no PostgreSQL type of its own.
pub fn oracle_type(bed: &Bed, table: &str, column: &str, data_type: &str) -> Result<()> {
    bed.at_source(&format!(
        r#"INSERT INTO "ORAPULL"."TYPE_OVERRIDE" ("OWNER", "TABLE_NAME", "COLUMN_NAME", "DATA_TYPE", "DATA_LENGTH", "CHAR_LENGTH")
           VALUES ('APP', '{table}', '{column}', '{data_type}', 2000, 0)"#
    ))
}

/// Runs statements on shard 1 as the owner of its source.
pub fn at_shard(bed: &Bed, statements: &str) -> Result<()> {
    bed.owner(0)?
        .batch_execute(statements)
        .with_context(|| format!("at the shard: {statements}"))
}

/// The pair of a table "APP"."NAME" and a relation of a shard.
pub fn pair<'a>(table: &'a str, relation: &'a str) -> Pair<'a> {
    Pair {
        owner: "APP",
        table,
        relation,
        filter: None,
    }
}

/// Publishes pointers as one portion. Each is a table and the further arguments of POINT, as SQL.
pub fn publish(bed: &Bed, pointers: &[(&str, &str)]) -> Result<()> {
    let points: String = pointers
        .iter()
        .map(|(table, arguments)| {
            format!(r#"SELECT "TEST"."POINT"('APP', '{table}', {arguments});"#)
        })
        .collect();
    // One transaction: a pointer that was listed and not published would join the next portion.
    bed.at_source(&format!(
        r#"BEGIN; {points} SELECT "TEST"."PUBLISH"(); COMMIT"#
    ))
}

/// What pulling did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    pub upserted: i64,
    pub deleted: i64,
    pub unchanged: i64,
    pub parked: i64,
}

/// Publishes pointers as one portion, and waits until shard 1 has applied it.
pub fn publish_and_pull(bed: &Bed, pointers: &[(&str, &str)]) -> Result<Done> {
    let last = applied(bed)?;
    publish(bed, pointers)?;
    pull(bed)?;
    let row = bed.shard(0)?.query_one(
        "SELECT sum(upserted)::bigint, sum(deleted)::bigint, sum(unchanged)::bigint, sum(parked)::bigint
         FROM orapull.batch WHERE portion_from > $1",
        &[&last],
    )?;
    Ok(Done {
        upserted: row.get(0),
        deleted: row.get(1),
        unchanged: row.get(2),
        parked: row.get(3),
    })
}

/// Waits until shard 1 has applied all that is published.
pub fn pull(bed: &Bed) -> Result<()> {
    bed.owner(0)?
        .execute("SELECT orapull.pull_now('main')", &[])
        .context("pull_now failed")?;
    Ok(())
}

/// The last portion that shard 1 has applied.
pub fn applied(bed: &Bed) -> Result<i64> {
    let sql = "SELECT applied_portion FROM orapull.status";
    Ok(bed.shard(0)?.query_one(sql, &[])?.get(0))
}

/// A single value that shard 1 answers with.
pub fn value<T>(bed: &Bed, sql: &str) -> Result<T>
where
    T: for<'a> postgres::types::FromSql<'a>,
{
    let row = bed.shard(0)?.query_one(sql, &[]);
    Ok(row.with_context(|| sql.to_owned())?.get(0))
}

/// SQLSTATE and text with which shard 1 refuses a statement; fails if it does not.
pub fn refusal(bed: &Bed, statement: &str) -> Result<(String, String)> {
    match bed.owner(0)?.batch_execute(statement) {
        Ok(()) => bail!("not refused: {statement}"),
        Err(error) => match error.as_db_error() {
            Some(refused) => Ok((
                refused.code().code().to_owned(),
                refused.message().to_owned(),
            )),
            None => Err(error.into()),
        },
    }
}
