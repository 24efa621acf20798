//! One way to run SQL over SPI: arguments in, rows out, errors as [`Error`].
//!
//! pgrx's own `update` gives every transaction an id, also one that only reads, and its `select`
//! keeps the snapshot of the caller. A puller polls every second and must see what was committed
//! a moment ago, so statements are executed here: with a snapshot of their own, and with a
//! transaction id only where something is written.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;

use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use crate::error::{Error, Kind};

pub type Arg<'a> = DatumWithOid<'a>;

thread_local! {
    /// Plans that a worker runs again and again, by their text.
    static PLANS: RefCell<HashMap<String, Plan>> = RefCell::default();
}

/// A plan that outlives transactions.
#[derive(Clone, Copy)]
struct Plan(pg_sys::SPIPlanPtr);

/// One row of a result.
pub struct Row<'a>(SpiHeapTupleData<'a>);

impl Row<'_> {
    /// A column that may be NULL; `n` counts from 1.
    pub fn optional<T: FromDatum + IntoDatum>(&self, n: usize) -> Result<Option<T>, Error> {
        Ok(self.0.get::<T>(n)?)
    }

    /// A column that is never NULL.
    pub fn get<T: FromDatum + IntoDatum>(&self, n: usize) -> Result<T, Error> {
        self.optional(n)?
            .ok_or_else(|| Error::new(Kind::Bug, format!("column {n} of a catalog query is NULL")))
    }
}

/// Runs one statement; returns how many rows it processed.
pub fn execute(sql: &str, args: &[Arg]) -> Result<u64, Error> {
    Spi::connect(|_| run(sql, args))
}

/// Runs one query and maps its rows.
pub fn query<T>(
    sql: &str,
    args: &[Arg],
    map: impl Fn(&Row) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    Spi::connect(|_| {
        run(sql, args)?;
        rows(map)
    })
}

/// The first row of a query, if there is one.
pub fn first<T>(
    sql: &str,
    args: &[Arg],
    map: impl Fn(&Row) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    Ok(query(sql, args, map)?.into_iter().next())
}

/// Like [`execute`], with a plan that is kept for the life of the process.
pub fn execute_saved(sql: &str, args: &[Arg]) -> Result<u64, Error> {
    Spi::connect(|_| run_saved(sql, args))
}

/// Like [`query`], with a plan that is kept: what differs from call to call reaches a source as binds, and the text of its
/// statement stays the same.
pub fn query_saved<T>(
    sql: &str,
    args: &[Arg],
    map: impl Fn(&Row) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    Spi::connect(|_| {
        run_saved(sql, args)?;
        rows(map)
    })
}

/// Forgets all saved plans, after the tables they name were dropped or changed.
pub fn forget_plans() {
    PLANS.with_borrow_mut(|plans| {
        for (_, plan) in plans.drain() {
            // SAFETY: saved by `prepare`, and no longer known to anybody.
            unsafe { pg_sys::SPI_freeplan(plan.0) };
        }
    });
}

/// Arguments as SPI takes them.
struct Values {
    types: Vec<pg_sys::Oid>,
    datums: Vec<pg_sys::Datum>,
    nulls: Vec<std::ffi::c_char>,
}

impl Values {
    fn of(args: &[Arg]) -> Self {
        let mut values = Values {
            types: Vec::new(),
            datums: Vec::new(),
            nulls: Vec::new(),
        };
        for arg in args {
            values.types.push(arg.oid());
            match arg.datum() {
                Some(datum) => {
                    values.datums.push(datum.sans_lifetime());
                    values.nulls.push(b' ' as std::ffi::c_char);
                }
                None => {
                    values.datums.push(pg_sys::Datum::null());
                    values.nulls.push(b'n' as std::ffi::c_char);
                }
            }
        }
        values
    }
}

fn text(sql: &str) -> Result<CString, Error> {
    CString::new(sql).map_err(|_| Error::new(Kind::BadArgument, "a statement contains a zero byte"))
}

/// Called between SPI_connect and SPI_finish.
fn run(sql: &str, args: &[Arg]) -> Result<u64, Error> {
    let sql = text(sql)?;
    let mut values = Values::of(args);
    // SAFETY: as many types, values and null marks as are counted; all live through the call.
    let status = unsafe {
        pg_sys::SPI_execute_with_args(
            sql.as_ptr(),
            args.len() as i32,
            values.types.as_mut_ptr(),
            values.datums.as_mut_ptr(),
            values.nulls.as_ptr(),
            false,
            0,
        )
    };
    processed(status)
}

/// The same, with a plan that is kept.
fn run_saved(sql: &str, args: &[Arg]) -> Result<u64, Error> {
    let plan = match PLANS.with_borrow(|plans| plans.get(sql).copied()) {
        Some(plan) => plan,
        None => prepare(sql, args)?,
    };
    let mut values = Values::of(args);
    // SAFETY: the plan was saved with as many parameters of the same types.
    let status = unsafe {
        pg_sys::SPI_execute_plan(
            plan.0,
            values.datums.as_mut_ptr(),
            values.nulls.as_ptr(),
            false,
            0,
        )
    };
    processed(status)
}

fn processed(status: i32) -> Result<u64, Error> {
    if status < 0 {
        return Err(Error::new(
            Kind::Bug,
            format!("SPI refuses a statement with status {status}"),
        ));
    }
    // SAFETY: set by the statement that was just run.
    Ok(unsafe { pg_sys::SPI_processed })
}

/// Rows of the statement that was just run.
fn rows<T>(map: impl Fn(&Row) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    // SAFETY: SPI keeps the table until SPI_finish; it has `numvals` tuples of its descriptor.
    let (tuples, descriptor) = unsafe {
        let table = pg_sys::SPI_tuptable;
        if table.is_null() {
            return Ok(Vec::new());
        }
        let tuples = match (*table).numvals as usize {
            0 => &[],
            n => std::slice::from_raw_parts((*table).vals, n),
        };
        (tuples, (*table).tupdesc)
    };
    let mut mapped = Vec::with_capacity(tuples.len());
    for tuple in tuples {
        // SAFETY: a tuple of this descriptor.
        if let Some(row) = unsafe { SpiHeapTupleData::new(descriptor, *tuple)? } {
            mapped.push(map(&Row(row))?);
        }
    }
    Ok(mapped)
}

fn prepare(sql: &str, args: &[Arg]) -> Result<Plan, Error> {
    let statement = text(sql)?;
    let mut values = Values::of(args);
    // SAFETY: as many types as are counted. NULL means that SPI refuses the statement; a syntax
    // error is raised as such.
    let plan = unsafe {
        let plan = pg_sys::SPI_prepare(
            statement.as_ptr(),
            args.len() as i32,
            values.types.as_mut_ptr(),
        );
        if plan.is_null() || pg_sys::SPI_keepplan(plan) != 0 {
            return Err(Error::new(Kind::Bug, "SPI refuses to keep a plan"));
        }
        Plan(plan)
    };
    PLANS.with_borrow_mut(|plans| plans.insert(sql.to_owned(), plan));
    Ok(plan)
}
