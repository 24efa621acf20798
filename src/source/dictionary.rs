//! What the source says of its tables: the views that are asked now and then, over calls and not
//! over foreign tables, so that an answer is never older than the registration before it.

use crate::error::{Error, Kind};
use crate::source::contract::Column;
use crate::source::control::{Argument, Control, TextRow};

/// A row of CANDIDATE_V.
#[derive(Debug)]
pub struct Candidate {
    pub owner: String,
    pub table: String,
    /// Why it cannot be registered.
    pub reason: Option<String>,
}

/// Tables whose owner and name match LIKE patterns.
pub fn candidates(control: &Control, owner: &str, table: &str) -> Result<Vec<Candidate>, Error> {
    let rows = control.rows(
        r#"SELECT "OWNER", "TABLE_NAME", "REASON" FROM {}."CANDIDATE_V"
           WHERE "OWNER" LIKE :1 AND "TABLE_NAME" LIKE :2 ORDER BY "OWNER", "TABLE_NAME""#,
        vec![
            Argument::Text(owner.to_owned()),
            Argument::Text(table.to_owned()),
        ],
    )?;
    rows.iter()
        .map(|row| {
            Ok(Candidate {
                owner: text(row, 0)?,
                table: text(row, 1)?,
                reason: row.get(2).cloned().flatten(),
            })
        })
        .collect()
}

/// A registered table: its rows of TABLE_V and COLUMN_V.
#[derive(Debug)]
pub struct Registered {
    pub table_id: i64,
    pub identity: String,
    pub shape: String,
    pub state: String,
    pub detail: Option<String>,
    pub columns: Vec<Column>,
}

pub fn registered(control: &Control, table_id: i64) -> Result<Registered, Error> {
    let tables = control.rows(
        r#"SELECT "IDENTITY", "SHAPE", "STATE", "STATE_DETAIL" FROM {}."TABLE_V" WHERE "TABLE_ID" = :1"#,
        vec![Argument::Number(Some(table_id))],
    )?;
    let table = tables.first().ok_or_else(|| {
        Error::new(
            Kind::TableRefused,
            format!("the source does not know table {table_id}"),
        )
    })?;
    let columns = control.rows(
        r#"SELECT "COLUMN_NAME", "DATA_TYPE", "DATA_LENGTH", "CHAR_LENGTH", "DATA_PRECISION", "DATA_SCALE",
                  "NULLABLE", "KEY_POSITION" FROM {}."COLUMN_V" WHERE "TABLE_ID" = :1 ORDER BY "POSITION""#,
        vec![Argument::Number(Some(table_id))],
    )?;
    Ok(Registered {
        table_id,
        identity: text(table, 0)?,
        shape: text(table, 1)?,
        state: text(table, 2)?,
        detail: table.get(3).cloned().flatten(),
        columns: columns.iter().map(column).collect::<Result<_, _>>()?,
    })
}

/// How many rows a registered table has, as the statistics of the source say; 0 when unknown.
pub fn rows(control: &Control, table_id: i64) -> Result<i64, Error> {
    let tables = control.rows(
        r#"SELECT "NUM_ROWS" FROM {}."TABLE_V" WHERE "TABLE_ID" = :1"#,
        vec![Argument::Number(Some(table_id))],
    )?;
    match tables.first() {
        Some(row) => Ok(number(row, 0)?.unwrap_or(0)),
        None => Ok(0),
    }
}

fn column(row: &TextRow) -> Result<Column, Error> {
    Ok(Column {
        name: text(row, 0)?,
        data_type: text(row, 1)?,
        data_length: number(row, 2)?.unwrap_or(0),
        char_length: number(row, 3)?.unwrap_or(0),
        precision: number(row, 4)?,
        scale: number(row, 5)?,
        nullable: text(row, 6)? != "N",
        key_position: number(row, 7)?,
    })
}

fn text(row: &TextRow, at: usize) -> Result<String, Error> {
    row.get(at)
        .cloned()
        .flatten()
        .ok_or_else(|| Error::new(Kind::Contract, "a view of the source returned NULL"))
}

fn number<T: std::str::FromStr>(row: &TextRow, at: usize) -> Result<Option<T>, Error> {
    match row.get(at).cloned().flatten() {
        None => Ok(None),
        Some(text) => text.trim().parse().map(Some).map_err(|_| {
            Error::new(
                Kind::Contract,
                format!("a view of the source returned {text:?} for a number"),
            )
        }),
    }
}
