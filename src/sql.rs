//! One way to run SQL over SPI: arguments in, rows out, errors as [`Error`].

use std::cell::RefCell;
use std::collections::HashMap;

use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::spi::{OwnedPreparedStatement, SpiHeapTupleData};

use crate::error::{Error, Kind};

pub type Arg<'a> = DatumWithOid<'a>;

thread_local! {
    /// Plans that a worker runs again and again, by their text.
    static PLANS: RefCell<HashMap<String, OwnedPreparedStatement>> = RefCell::default();
}

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
    Spi::connect_mut(|client| Ok(client.update(sql, None, args)?.len() as u64))
}

/// Runs one query and maps its rows.
pub fn query<T>(
    sql: &str,
    args: &[Arg],
    map: impl Fn(&Row) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    Spi::connect_mut(|client| {
        let table = client.update(sql, None, args)?;
        table.map(|tuple| map(&Row(tuple))).collect()
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
    Spi::connect_mut(|client| {
        let saved = PLANS.with_borrow(|plans| plans.contains_key(sql));
        if !saved {
            let types: Vec<PgOid> = args.iter().map(|arg| PgOid::from(arg.oid())).collect();
            let plan = client.prepare_mut(sql, &types)?.keep();
            PLANS.with_borrow_mut(|plans| plans.insert(sql.to_owned(), plan));
        }
        PLANS.with_borrow(|plans| match plans.get(sql) {
            Some(plan) => Ok(client.update(plan, None, args)?.len() as u64),
            None => Err(Error::new(Kind::Bug, "a saved plan vanished")),
        })
    })
}

/// Forgets all saved plans, after the tables they name were dropped or changed.
pub fn forget_plans() {
    PLANS.with_borrow_mut(HashMap::clear);
}
