//! Runs a translated statement in a session.

use std::ops::Range;

use crate::bind::Binds;
use crate::block;
use crate::error::{OraError, Result};
use crate::libpq::{Oid, Rows};
use crate::session::{Refusal, Running};
use crate::value::Source;
use dialect::{Body, Fragment};

/// A statement with its binds and how it is to be executed.
pub struct Job<'a> {
    pub binds: Binds<'a>,
    /// Elements of the bind arrays, one execution each.
    pub iterations: Range<usize>,
    pub describe_only: bool,
    pub commit: bool,
}

#[derive(Default)]
pub struct Outcome {
    /// Of a query.
    pub rows: Option<Rows>,
    /// Rows that DML changed.
    pub row_count: u64,
}

impl Job<'_> {
    pub fn run(&self, running: &mut Running) -> Result<Outcome> {
        let outcome = match &self.binds.translation.body {
            Body::Nothing => return Ok(Outcome::default()),
            Body::Commit => return running.commit().map(|()| Outcome::default()),
            Body::Rollback => return running.rollback().map(|()| Outcome::default()),
            Body::Savepoint(text) => {
                // Not inside the savepoint of a statement, whose end would end this one as well.
                running.begin_transaction()?;
                running.run(&text.render(&mut Vec::new()))?;
                return Ok(Outcome::default());
            }
            Body::Ddl(text) => return run_ddl(running, text),
            Body::Sql { text, returning } => {
                running.begin_statement()?;
                let outcome = self.run_sql(running, text, returning)?;
                running.end_statement()?;
                outcome
            }
            Body::Block(steps) => {
                running.begin_statement()?;
                for iteration in self.iterations.clone() {
                    block::run(running, steps, &self.binds, iteration)?;
                }
                let commits = block::asks_for_commit(running)?;
                running.end_statement()?;
                if commits {
                    running.commit()?;
                }
                Outcome {
                    rows: None,
                    row_count: 1,
                }
            }
        };
        if self.commit {
            running.commit()?;
        }
        Ok(outcome)
    }

    fn run_sql(
        &self,
        running: &mut Running,
        text: &Fragment,
        returning: &[usize],
    ) -> Result<Outcome> {
        let mut parameters = Vec::new();
        let sql = text.render(&mut parameters);
        prepare(running, &sql, &parameters, &self.binds)?;
        if self.describe_only {
            let rows = Some(running.describe_prepared()?);
            return Ok(Outcome { rows, row_count: 0 });
        }
        let mut outcome = Outcome::default();
        for iteration in self.iterations.clone() {
            let values = self.binds.inputs(&parameters, iteration)?;
            let rows = running.run_prepared(&values)?;
            if returning.is_empty() && rows.column_count() > 0 {
                outcome.rows = Some(rows);
                break;
            }
            outcome.row_count += rows.affected();
            write_returned(&self.binds, returning, &rows, iteration)?;
        }
        Ok(outcome)
    }
}

/// DDL commits what came before it and itself.
fn run_ddl(running: &mut Running, text: &Fragment) -> Result<Outcome> {
    let mut parameters = Vec::new();
    let sql = text.render(&mut parameters);
    if !parameters.is_empty() {
        return Err(OraError::new(
            1027,
            "bind variables not allowed for data definition operations",
        ));
    }
    running.commit()?;
    running.begin_statement()?;
    running.run(&sql)?;
    running.commit()?;
    Ok(Outcome::default())
}

/// Prepares a statement; where the server cannot find the types of the parameters, those of the
/// binds are used.
pub fn prepare(
    running: &mut Running,
    sql: &str,
    parameters: &[usize],
    binds: &Binds,
) -> Result<()> {
    let refusal = match running.prepare(sql, &[]) {
        Ok(()) => return Ok(()),
        Err(Refusal::Error(error)) => return Err(error),
        Err(Refusal::UnknownTypes(error)) => error,
    };
    if parameters.is_empty() {
        return Err(refusal);
    }
    running.restart_statement()?;
    let types: Result<Vec<Oid>> = parameters
        .iter()
        .map(|bind| binds.parameter_type(*bind))
        .collect();
    running.prepare(sql, &types?).map_err(|_| refusal)
}

/// Writes the columns that RETURNING gave to the binds of its INTO.
pub fn write_returned(
    binds: &Binds,
    returning: &[usize],
    rows: &Rows,
    iteration: usize,
) -> Result<()> {
    for (column, bind) in returning.iter().enumerate() {
        let values: Vec<Option<Source>> = (0..rows.row_count())
            .map(|row| Source::new(rows.value(row, column), rows.column_type(column)))
            .collect();
        binds.output(*bind, iteration, &values)?;
    }
    Ok(())
}
