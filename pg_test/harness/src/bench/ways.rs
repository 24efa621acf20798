//! Five ways to bring changed rows into a table.

use std::error::Error;

use anyhow::Result;
use bytes::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type};
use postgres::{Client, Row, Statement};

use super::field::{Field, assignments, wait_for_subscriber};
use super::ground;
use crate::compare::quoted;
use crate::memory::Watch;

pub struct Way {
    pub name: &'static str,
    pub about: &'static str,
    pub apply: fn(&mut Field) -> Result<()>,
}

/// The extension first; the others in the order of the closing line.
pub const WAYS: [Way; 5] = [
    Way {
        name: "orapull",
        about: "this extension: fetch, apply and ack",
        apply: orapull,
    },
    Way {
        name: "limit",
        about: "one sorted INSERT ... SELECT ... ON CONFLICT from a local table",
        apply: limit,
    },
    Way {
        name: "logical",
        about: "PostgreSQL's logical replication of the same changes",
        apply: logical,
    },
    Way {
        name: "batch",
        about: "a client, upserts of 500 rows, a transaction each",
        apply: batch,
    },
    Way {
        name: "row",
        about: "a client, prepared upserts of one row, 500 in a transaction",
        apply: row,
    },
];

/// Rows of a transaction of the two clients.
const BATCH: usize = 500;

fn orapull(field: &mut Field) -> Result<()> {
    let watch = Watch::start(&field.bed.shards[0].cluster)?;
    ground::resume_and_pull(&field.bed)?;
    watch.end(&mut field.memory)?;
    println!("  orapull      {}", where_time_went(field)?);
    Ok(())
}

/// Where the time of the newest batches went.
fn where_time_went(field: &Field) -> Result<String> {
    Ok(field
        .bed
        .shard(0)?
        .query_one(
            "SELECT format('%s batches, %s by the second hand: fetch %s s, apply %s s', count(*), count(*) FILTER (WHERE ahead),
                           round(sum(fetch_ms)::numeric / 1000, 1), round(sum(apply_ms)::numeric / 1000, 1))
             FROM orapull.batches WHERE at > now() - interval '15 minutes' AND upserted > 0
               AND batch_id > coalesce((SELECT max(batch_id) FROM orapull.batches WHERE upserted = 0 AND pointers > 0), 0)",
            &[],
        )?
        .get(0))
}

fn limit(field: &mut Field) -> Result<()> {
    let sql = format!(
        "INSERT INTO app.bench_limit SELECT * FROM app.stage ORDER BY id ON CONFLICT (id) DO UPDATE SET {}",
        assignments(&field.columns, "excluded")
    );
    field.bed.shard(0)?.execute(&sql, &[])?;
    Ok(())
}

fn logical(field: &mut Field) -> Result<()> {
    field
        .subscriber()?
        .batch_execute("ALTER SUBSCRIPTION bench ENABLE")?;
    wait_for_subscriber(&mut field.publisher()?)
}

fn batch(field: &mut Field) -> Result<()> {
    let mut statement = Prepared::new("app.bench_batch", &field.columns);
    client(field, move |shard, rows| {
        let statement = statement.for_rows(shard, rows)?;
        run(shard, &statement, rows)
    })
}

fn row(field: &mut Field) -> Result<()> {
    let mut statement = Prepared::new("app.bench_row", &field.columns);
    client(field, move |shard, rows| {
        let statement = statement.for_rows(shard, &rows[..1])?;
        shard.batch_execute("BEGIN")?;
        rows.iter()
            .try_for_each(|row| run(shard, &statement, std::slice::from_ref(row)))?;
        Ok(shard.batch_execute("COMMIT")?)
    })
}

/// The upsert of so many rows, prepared once: only the last batch has fewer.
struct Prepared {
    table: &'static str,
    columns: Vec<String>,
    last: Option<(usize, Statement)>,
}

impl Prepared {
    fn new(table: &'static str, columns: &[String]) -> Self {
        Self {
            table,
            columns: columns.to_vec(),
            last: None,
        }
    }

    fn for_rows(&mut self, client: &mut Client, rows: &[Row]) -> Result<Statement> {
        if let Some((count, statement)) = &self.last
            && *count == rows.len()
        {
            return Ok(statement.clone());
        }
        let statement =
            client.prepare_typed(&upsert(self.table, &self.columns, rows.len()), &types(rows))?;
        self.last = Some((rows.len(), statement.clone()));
        Ok(statement)
    }
}

/// Reads the changed rows through a cursor and hands them on, `BATCH` at a time. They are read elsewhere: a snapshot that
/// is held at the shard would keep it from using the space of dead rows again.
fn client(field: &Field, mut write: impl FnMut(&mut Client, &[Row]) -> Result<()>) -> Result<()> {
    let mut reader = field.publisher()?;
    let mut writer = field.bed.shard(0)?;
    let mut transaction = reader.transaction()?;
    let columns: Vec<String> = field.columns.iter().map(|name| quoted(name)).collect();
    let rows = format!("SELECT {} FROM app.stage", columns.join(", "));
    let cursor = transaction.bind(rows.as_str(), &[])?;
    loop {
        let rows = transaction.query_portal(&cursor, i32::try_from(BATCH)?)?;
        if rows.is_empty() {
            return Ok(());
        }
        write(&mut writer, &rows)?;
    }
}

fn upsert(table: &str, columns: &[String], rows: usize) -> String {
    let width = columns.len();
    let values: Vec<String> = (0..rows)
        .map(|row| {
            let places: Vec<String> = (1..=width)
                .map(|column| format!("${}", row * width + column))
                .collect();
            format!("({})", places.join(", "))
        })
        .collect();
    format!(
        "INSERT INTO {table} ({}) VALUES {} ON CONFLICT (id) DO UPDATE SET {}",
        columns
            .iter()
            .map(|name| quoted(name))
            .collect::<Vec<_>>()
            .join(", "),
        values.join(", "),
        assignments(columns, "excluded")
    )
}

fn types(rows: &[Row]) -> Vec<Type> {
    rows.iter()
        .flat_map(|row| row.columns().iter().map(|column| column.type_().clone()))
        .collect()
}

fn run(client: &mut Client, statement: &Statement, rows: &[Row]) -> Result<()> {
    let values: Vec<Image> = rows
        .iter()
        .flat_map(|row| (0..row.len()).map(|column| row.try_get(column)))
        .collect::<Result<_, _>>()?;
    let parameters: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
    client.execute(statement, &parameters)?;
    Ok(())
}

/// A value as it came over the wire, to be sent as it is.
#[derive(Debug)]
struct Image(Option<Vec<u8>>);

impl<'a> FromSql<'a> for Image {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(Some(raw.to_vec())))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

impl ToSql for Image {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match &self.0 {
            Some(bytes) => {
                out.extend_from_slice(bytes);
                Ok(IsNull::No)
            }
            None => Ok(IsNull::Yes),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    postgres::types::to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::upsert;

    #[test]
    fn places_are_numbered_through_all_rows() {
        let columns = ["id".to_owned(), "a".to_owned()];
        let sql = upsert("t", &columns, 2);
        let wanted = "INSERT INTO t (\"id\", \"a\") VALUES ($1, $2), ($3, $4) \
                      ON CONFLICT (id) DO UPDATE SET \"a\" = excluded.\"a\"";
        assert_eq!(sql, wanted);
    }
}
