//! From the source into staging tables: rows, then pointers, then a second look that all of it was
//! still there. Each in a transaction of its own; nothing local is locked; no subtransaction.

use crate::catalog::source::Source;
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::plan::Portion;
use crate::pull::poll::{self, SourceNow};
use crate::pull::slice::{Range, Slice};
use crate::pull::statement;
use crate::pull::table::Table;
use crate::pull::tx;
use crate::quote::ident;
use crate::settings;
use crate::sql;

/// A pointer whose row cannot be read.
#[derive(Debug, Clone)]
pub struct Bad {
    pub remote_id: i64,
    pub target: i32,
    pub portion: i64,
    pub ptr: i64,
    pub error: Error,
}

/// Stages the rows of a table. A value that cannot be read is found by halving; its pointer goes
/// to `bad` and the others are staged.
pub fn rows(
    source: &Source,
    table: &Table,
    range: &Range,
    bad: &mut Vec<Bad>,
) -> Result<u64, Error> {
    let whole = tx::run(&format!("fetching rows of {}", table.relation), || {
        sql::execute(&statement::truncate_rows(table), &[])?;
        tx::as_owner(source.owner, || {
            let mut rows = 0;
            for slot in &range.slots {
                rows += fetch(table, range, &Slice::whole(*slot, range))?;
            }
            Ok(rows)
        })
    });
    match whole {
        Err(error) if error.kind == Kind::Value => rows_in_slices(source, table, range, bad),
        other => other,
    }
}

fn fetch(table: &Table, range: &Range, slice: &Slice) -> Result<u64, Error> {
    sql::execute_saved(
        &statement::fetch_rows(table),
        &[
            slice.slot.into(),
            slice.portions.0.into(),
            slice.portions.1.into(),
            range.prev_below().into(),
            slice.pointers.0.into(),
            slice.pointers.1.into(),
        ],
    )
}

fn rows_in_slices(
    source: &Source,
    table: &Table,
    range: &Range,
    bad: &mut Vec<Bad>,
) -> Result<u64, Error> {
    let mut todo = pointer_numbers(source, table.remote_id, range)?;
    tx::run("emptying a staging table", || {
        sql::execute(&statement::truncate_rows(table), &[])
    })?;
    let mut rows = 0;
    // Each table has its own.
    let mut found = Vec::new();
    while let Some(slice) = todo.pop() {
        let fetched = tx::run(
            &format!("fetching rows of {} in slices", table.relation),
            || tx::as_owner(source.owner, || fetch(table, range, &slice)),
        );
        match (fetched, slice.halves()) {
            (Ok(n), _) => rows += n,
            (Err(error), Some(halves)) if error.kind == Kind::Value => todo.extend(halves),
            (Err(error), None) if error.kind == Kind::Value => found.push(Bad {
                remote_id: table.remote_id,
                target: table.target_id,
                portion: slice.portions.0,
                ptr: slice.pointers.0,
                error,
            }),
            (Err(error), _) => return Err(error),
        }
        if found.len() as i64 > settings::max_parked_rows() {
            return Err(Error::new(
                Kind::BadTarget,
                format!(
                    "more than {} rows cannot be read",
                    settings::max_parked_rows()
                ),
            )
            .hint("Look at orapull.parked; mend the types, then resume the table."));
        }
    }
    bad.append(&mut found);
    Ok(rows)
}

/// The slots of a range, each with the span of the pointer numbers of a table.
fn pointer_numbers(source: &Source, remote_id: i64, range: &Range) -> Result<Vec<Slice>, Error> {
    let statement = format!(
        r#"SELECT min("p$ptr"), max("p$ptr") FROM {}."pointer_v"
           WHERE "p$slot" = $1 AND "p$portion" >= $2 AND "p$portion" <= $3 AND "p$prev" < $4 AND "table_id" = $5"#,
        ident(&source.local_schema)
    );
    let mut slices = Vec::new();
    for slot in &range.slots {
        let span = tx::run("counting pointers", || {
            tx::as_owner(source.owner, || {
                sql::first(
                    &statement,
                    &[
                        (*slot).into(),
                        range.from.into(),
                        range.to.into(),
                        range.prev_below().into(),
                        remote_id.into(),
                    ],
                    |row| Ok((row.optional::<i64>(1)?, row.optional::<i64>(2)?)),
                )
            })
        })?;
        if let Some((Some(first), Some(last))) = span {
            slices.push(Slice {
                pointers: (first, last),
                ..Slice::whole(*slot, range)
            });
        }
    }
    Ok(slices)
}

/// Stages the pointers to `remote_ids` with the first `keys` of K1..K8, by the predicate of the rows. A key
/// that cannot be read is found by halving; then which row it is remains unknown.
pub fn pointers(
    source: &Source,
    range: &Range,
    remote_ids: &[i64],
    keys: usize,
    bad: &[Bad],
) -> Result<u64, Error> {
    let pointers = match all_pointers(source, range, remote_ids, keys) {
        Err(error) if error.kind == Kind::Value && !range.is_request() => {
            tx::run("emptying a staging table", || {
                sql::execute("TRUNCATE pg_temp.\"pointers\"", &[])
            })?;
            let mut pointers = 0;
            for id in remote_ids {
                pointers += pointers_in_slices(source, range, *id, keys)?;
            }
            pointers
        }
        other => other.map_err(Error::of_contract)?,
    };
    mark(bad)?;
    Ok(pointers)
}

fn all_pointers(
    source: &Source,
    range: &Range,
    remote_ids: &[i64],
    keys: usize,
) -> Result<u64, Error> {
    tx::run("fetching pointers", || {
        sql::execute("TRUNCATE pg_temp.\"pointers\"", &[])?;
        tx::as_owner(source.owner, || {
            let mut pointers = 0;
            for slot in &range.slots {
                pointers += sql::execute_saved(
                    &statement::fetch_pointers(&source.local_schema, keys),
                    &[
                        (*slot).into(),
                        range.from.into(),
                        range.to.into(),
                        range.prev_below().into(),
                        remote_ids.to_vec().into(),
                    ],
                )?;
            }
            Ok(pointers)
        })
    })
}

/// What the targets cannot read.
fn mark(bad: &[Bad]) -> Result<(), Error> {
    if bad.is_empty() {
        return Ok(());
    }
    tx::run("marking what cannot be read", || {
        for bad in bad {
            sql::execute(
                r#"UPDATE pg_temp."pointers" SET "bad" = "bad" || $4
                   WHERE "table_id" = $1 AND "portion" = $2 AND "ptr" = $3"#,
                &[
                    bad.remote_id.into(),
                    bad.portion.into(),
                    bad.ptr.into(),
                    bad.target.into(),
                ],
            )?;
        }
        Ok(())
    })
}

/// Pointers of a table whose keys cannot be read are looked for one by one up to so many.
const UNREADABLE_KEYS: usize = 100;

fn pointers_in_slices(
    source: &Source,
    range: &Range,
    remote_id: i64,
    keys: usize,
) -> Result<u64, Error> {
    let mut todo = pointer_numbers(source, remote_id, range)?;
    let mut pointers = 0;
    let mut unreadable = 0;
    while let Some(slice) = todo.pop() {
        let statement = statement::fetch_pointers_between(&source.local_schema, keys);
        let halves = slice.halves().filter(|_| unreadable < UNREADABLE_KEYS);
        match (
            pointers_between(source, range, &slice, remote_id, &statement),
            halves,
        ) {
            (Ok(n), _) => pointers += n,
            (Err(error), Some(halves)) if error.kind == Kind::Value => todo.extend(halves),
            (Err(error), None) if error.kind == Kind::Value => {
                unreadable += 1;
                pointers += nameless(source, range, &slice, remote_id, &error)?;
            }
            (Err(error), _) => return Err(error),
        }
    }
    Ok(pointers)
}

fn pointers_between(
    source: &Source,
    range: &Range,
    slice: &Slice,
    remote_id: i64,
    statement: &str,
) -> Result<u64, Error> {
    tx::run("fetching pointers in slices", || {
        tx::as_owner(source.owner, || {
            sql::execute_saved(
                statement,
                &[
                    slice.slot.into(),
                    slice.portions.0.into(),
                    slice.portions.1.into(),
                    range.prev_below().into(),
                    remote_id.into(),
                    slice.pointers.0.into(),
                    slice.pointers.1.into(),
                ],
            )
        })
    })
}

/// Pointers whose keys cannot be read, as U: rows changed that cannot be located.
fn nameless(
    source: &Source,
    range: &Range,
    slice: &Slice,
    remote_id: i64,
    error: &Error,
) -> Result<u64, Error> {
    let statement = statement::fetch_pointers_without_key(&source.local_schema);
    let pointers = pointers_between(source, range, slice, remote_id, &statement)?;
    tx::run("marking what cannot be read", || {
        sql::execute(
            r#"UPDATE pg_temp."pointers" SET "note" = $1
               WHERE "table_id" = $2 AND "kind" = 'U' AND "note" IS NULL"#,
            &[
                format!("the key of a row that was changed cannot be read: {error}").into(),
                remote_id.into(),
            ],
        )
    })?;
    Ok(pointers)
}

/// Looks again, after the rows and pointers: were the portions there all the time, and do the
/// tables still have the shape that the foreign tables were made for? Otherwise rows may be missing,
/// and a missing row would be deleted here.
pub fn second_look(
    source: &Source,
    range: &Range,
    expected: &[Portion],
    before: &SourceNow,
    targets: &[&Target],
) -> Result<SourceNow, Error> {
    tx::run("looking again", || {
        if !expected.is_empty() {
            let (portions, _) = poll::portions(source, range.from - 1)?;
            let still = expected
                .iter()
                .zip(&portions)
                .filter(|(a, b)| a.id == b.id && a.slot == b.slot)
                .count();
            if still != expected.len() {
                return Err(dropped(format!(
                    "portions {} to {} were moved or released while they were read",
                    range.from, range.to
                )));
            }
        }
        check_shapes(source, targets)?;
        let now = poll::source_now(source)?;
        before.same_instance(&now)?;
        Ok(now)
    })
    .map_err(Error::of_contract)
}

/// Whether the Oracle tables are as they were when the foreign tables were made.
pub fn check_shapes(source: &Source, targets: &[&Target]) -> Result<(), Error> {
    let ids: Vec<i64> = targets.iter().map(|target| target.remote_id).collect();
    let remote = poll::remote_tables(source, &ids)?;
    for target in targets {
        match remote.get(&target.remote_id) {
            Some(table) if table.is_as_read(target) => {}
            _ => {
                return Err(dropped(format!(
                    "{}.{} changed its shape while it was read",
                    target.remote_owner, target.remote_table
                )));
            }
        }
    }
    Ok(())
}

fn dropped(message: String) -> Error {
    Error::new(Kind::Changed, message)
}

/// Whether `pointers` holds as many pointers as were asked.
pub fn complete(staged: u64, asked: usize) -> Result<(), Error> {
    if staged == asked as u64 {
        return Ok(());
    }
    Err(Error::new(
        Kind::Forgotten,
        format!(
            "the source answered {staged} of {asked} asked rows: another server attached meanwhile"
        ),
    ))
}
