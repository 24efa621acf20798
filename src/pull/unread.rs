//! Tables that could not be read, and what is done about them.

use std::collections::HashMap;

use crate::catalog::target::Target;
use crate::error::{Action, Error, Kind};
use crate::pull::puller::Puller;
use crate::pull::{transition, trouble};

/// An error that nobody knows passes, or it is the table's: this often in a row is enough to tell.
pub const PATIENCE: u32 = 3;
/// Before that, its views are made anew: another shard may have had them made for columns that are gone again.
const RENEW: u32 = 2;

/// Why a batch could not be read, and the tables that this may be because of.
pub struct Unread {
    pub tables: Vec<Target>,
    pub error: Box<Error>,
    /// It was the rows of the only table that could not be read.
    rows: bool,
}

impl Unread {
    pub fn of(tables: Vec<Target>, error: Error) -> Self {
        Unread {
            tables,
            error: Box::new(error),
            rows: false,
        }
    }

    pub fn rows_of(target: &Target, error: Error) -> Self {
        Unread {
            rows: true,
            ..Unread::of(vec![target.clone()], error)
        }
    }
}

impl From<Error> for Unread {
    fn from(error: Error) -> Self {
        Unread::of(Vec::new(), error)
    }
}

/// How often in a row the rows of a table could not be read.
#[derive(Default)]
pub struct Failures(HashMap<i32, u32>);

impl Failures {
    /// Counts another one.
    pub fn one_more(&mut self, target: i32) -> u32 {
        let failures = self.0.entry(target).or_default();
        *failures += 1;
        *failures
    }

    pub fn forget(&mut self, target: i32) {
        self.0.remove(&target);
    }
}

impl Puller {
    /// Too many bad rows pause a table, and so does what fails again and again; tables that were altered are looked at;
    /// else the turn is tried again.
    pub fn unread(&mut self, unread: Unread) -> Result<(), Error> {
        let Unread {
            tables,
            error,
            rows,
        } = unread;
        match error.kind {
            Kind::BadTarget => return self.pause_unread(&tables, &error, false),
            Kind::Blocked if rows => {
                let id = tables.first().map_or(0, |table| table.id);
                let error = trouble::of_foreign_tables(&self.source, id, *error);
                return self.pause_unread(&tables, &error, true);
            }
            Kind::Other | Kind::Contract | Kind::TableRefused | Kind::Changed => {
                transition::altered(self, &tables)?;
            }
            _ => {}
        }
        let [only] = tables.as_slice() else {
            return Err(*error);
        };
        if rows && (error.kind.action() == Action::PauseTable || error.kind == Kind::Contract) {
            let failures = self.unreadable.one_more(only.id);
            if failures == RENEW {
                self.renew_views(only)?;
            } else if failures >= PATIENCE && error.kind != Kind::Contract {
                self.unreadable.forget(only.id);
                return self.pause_unread(&tables, &error, false);
            }
        }
        Err(error.context(&only.name))
    }

    /// Views that a load was stopped by are made anew, once a stop. For another reason that does no harm.
    pub fn mend_load(&mut self, target: &Target) -> Result<(), Error> {
        if !target.stalled {
            self.mended.remove(&target.id);
            return Ok(());
        }
        if !self.mended.insert(target.id) {
            return Ok(());
        }
        match self.renew_views(target) {
            Err(error) if error.kind == Kind::TableRefused => {
                self.pause_table(target, &error.to_string(), false)
            }
            Err(error) => {
                self.mended.remove(&target.id);
                Err(error)
            }
            Ok(()) => Ok(()),
        }
    }

    fn renew_views(&mut self, target: &Target) -> Result<(), Error> {
        let renewed = self
            .call(|control, shard, token| control.refresh_table(shard, token, target.remote_id));
        if renewed.is_err() {
            // Nobody knows yet whether they were at fault.
            self.unreadable.forget(target.id);
        }
        renewed
    }

    fn pause_unread(
        &mut self,
        tables: &[Target],
        error: &Error,
        by_itself: bool,
    ) -> Result<(), Error> {
        // Its transaction may be that of the batch before, in the same tables.
        self.hand_has_finished()?;
        for target in tables {
            if by_itself {
                self.rest(target.id);
            }
            self.pause_table(target, &error.to_string(), by_itself)?;
        }
        Err(Error::new(
            Kind::Changed,
            format!("a table was paused: {error}"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_in_a_row() {
        let mut failures = Failures::default();
        assert_eq!(
            [1, 1, 2, 1].map(|table| failures.one_more(table)),
            [1, 2, 1, 3]
        );
        failures.forget(1);
        assert_eq!(failures.one_more(1), 1, "it was read meanwhile");
    }
}
