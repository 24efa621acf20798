//! The staging tables of a session: for pointers, for identities that a load has seen, and for the rows of each target.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::catalog::source::Source;
use crate::error::{Error, Kind};
use crate::pull::statement;
use crate::pull::table::Table;
use crate::pull::tx;
use crate::quote::ident;
use crate::sql;

/// How old staging tables may grow: they pin the transaction-id horizon of the database.
const STAGING_AGE: Duration = Duration::from_secs(600);

/// The session's staging tables.
#[derive(Default)]
pub struct Staging {
    rows: HashMap<i32, Table>,
    common: bool,
    since: Option<Instant>,
}

impl Staging {
    /// Makes sure that the tables for pointers and for the rows of `tables` exist.
    pub fn prepare(&mut self, source: &Source, tables: &[&Table]) -> Result<(), Error> {
        let missing: Vec<&Table> = tables
            .iter()
            .copied()
            .filter(|table| self.rows.get(&table.target_id) != Some(*table))
            .collect();
        if self.common && missing.is_empty() {
            return Ok(());
        }
        tx::run("staging tables", || {
            if !self.common {
                sql::execute(DROP_COMMON, &[])?;
                create(source, "pg_temp.\"pointers\"", statement::CREATE_POINTERS)?;
                create_seen(source)?;
            }
            for table in &missing {
                sql::execute(&statement::drop_rows(table), &[])?;
                create_rows(source, table)?;
            }
            Ok(())
        })?;
        self.common = true;
        self.since.get_or_insert_with(Instant::now);
        for table in missing {
            self.rows.insert(table.target_id, table.clone());
        }
        Ok(())
    }

    /// Has the rows table of a target made anew before it is used again.
    pub fn forget(&mut self, target: i32) {
        self.rows.remove(&target);
    }

    /// Drops staging tables that have grown old; returns whether they had.
    pub fn renew(&mut self) -> Result<bool, Error> {
        let old = self
            .since
            .is_some_and(|since| since.elapsed() > STAGING_AGE);
        if old {
            self.drop_all()?;
        }
        Ok(old)
    }

    pub fn drop_all(&mut self) -> Result<(), Error> {
        tx::run("dropping staging tables", || {
            for table in self.rows.values() {
                sql::execute(&statement::drop_rows(table), &[])?;
            }
            sql::execute(DROP_COMMON, &[])?;
            Ok(())
        })?;
        *self = Staging::default();
        sql::forget_plans();
        Ok(())
    }
}

const DROP_COMMON: &str = r#"DROP TABLE IF EXISTS pg_temp."pointers", pg_temp."seen""#;

/// Makes a staging table. It is the superuser's: the owner of the source reads and fills it, and can put
/// no trigger on it and no view in its place.
fn create(source: &Source, name: &str, create: &str) -> Result<(), Error> {
    let owner = sql::first(
        "SELECT rolname::text FROM pg_roles WHERE oid = $1",
        &[source.owner.into()],
        |row| row.get::<String>(1),
    )?
    .ok_or_else(|| {
        Error::new(
            Kind::NotFound,
            format!("the owner of source {} was dropped", source.name),
        )
        .hint("Drop the source with force => true and create it as another role.")
    })?;
    sql::execute(create, &[])?;
    let grant = format!("GRANT SELECT, INSERT ON {name} TO {}", ident(&owner));
    sql::execute(&grant, &[])?;
    Ok(())
}

pub fn create_seen(source: &Source) -> Result<(), Error> {
    create(source, "pg_temp.\"seen\"", statement::CREATE_SEEN)
}

pub fn create_rows(source: &Source, table: &Table) -> Result<(), Error> {
    let name = statement::rows_table(table);
    create(source, &name, &statement::create_rows(table))
}
