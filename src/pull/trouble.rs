//! An error that is one table's: it is left alone for a while or paused, and the others go on.

use std::time::{Duration, Instant};

use pgrx::prelude::*;

use crate::catalog::source::Source;
use crate::catalog::target::{self, Target};
use crate::error::{Action, Error, Kind};
use crate::pull::apply::Stuck;
use crate::pull::batch::Member;
use crate::pull::puller::Puller;
use crate::pull::unread::PATIENCE;
use crate::pull::{transition, tx};
use crate::source::contract;
use crate::sql;
use crate::state::{Stream, TargetState};

/// How long a table that was blocked by a lock is left alone.
const REST: Duration = Duration::from_secs(10);

const DISK_FULL: &str = "53100";
const OUT_OF_MEMORY: &str = "53200";

impl Puller {
    /// Whether a table that was blocked has been left alone long enough.
    pub fn rested(&self, target: i32) -> bool {
        self.resting
            .get(&target)
            .is_none_or(|since| since.elapsed() > REST)
    }

    /// A table that cannot be applied: it is paused, and the turn begins again with it held.
    pub(super) fn stuck(&mut self, members: &[Member], stuck: Stuck) -> Result<(), Error> {
        let Stuck { target, error } = stuck;
        let Some(member) = members.iter().find(|m| m.target.id == target) else {
            return Err(error);
        };
        // It is held already: nothing is left to do for it.
        let held = member.target.state == TargetState::Paused;
        // Then no table can be written, and none held.
        let full = matches!(error.sqlstate(), DISK_FULL | OUT_OF_MEMORY);
        let passes = matches!(error.kind, Kind::Retry | Kind::Resources);
        if held || full || passes && self.unreadable.one_more(target) < PATIENCE {
            return Err(error.context(&member.target.name));
        }
        let why = self.leave_alone(&member.target, &error)?;
        // Nothing is read of the source here: what looks like an error of it is one of a trigger.
        let by_itself = error.kind == Kind::Blocked
            || member.stream() == Stream::Apply && error.kind.action() == Action::Retry;
        self.pause_table(&member.target, &why, by_itself)?;
        Err(Error::new(
            Kind::Changed,
            format!("{} was paused: {why}", member.target.name),
        ))
    }

    /// The state of a table could not be changed. An error of the source is everybody's.
    pub(super) fn trouble(&mut self, target: &Target, error: Error) -> Result<(), Error> {
        let done = match (error.kind, error.kind.action()) {
            (Kind::Changed, _) => Ok(()),
            (Kind::Blocked, _) => {
                let why = self.leave_alone(target, &error)?;
                self.postpone(target, &why)
            }
            (_, Action::Retry | Action::Stop) => Err(error),
            (Kind::BadTarget | Kind::TableRefused, _) => self.give_up(target, &error),
            _ if self.unreadable.one_more(target.id) < PATIENCE => {
                let why = self.leave_alone(target, &error)?;
                self.postpone(target, &why)
            }
            _ => {
                self.unreadable.forget(target.id);
                self.give_up(target, &error)
            }
        };
        match done {
            // Who has locked the state is changing it; and the table rests.
            Err(error) if matches!(error.kind, Kind::Changed | Kind::Blocked) => Ok(()),
            other => other,
        }
    }

    /// Leaves a table alone for a while; returns why, in words.
    fn leave_alone(&mut self, target: &Target, error: &Error) -> Result<String, Error> {
        self.rest(target.id);
        why(target, error)
    }

    pub(super) fn rest(&mut self, target: i32) {
        self.resting.insert(target, Instant::now());
    }

    /// It is tried again by itself. A table that is applied is held meanwhile.
    fn postpone(&mut self, target: &Target, why: &str) -> Result<(), Error> {
        match target.state {
            TargetState::CatchingUp | TargetState::Following => self.pause_table(target, why, true),
            TargetState::Loading => tx::run("noting a stall", || {
                target::stall(target, why)?;
                Ok(())
            }),
            state => tx::run("noting why a table waits", || {
                target::transition(target, state, Some(why), target.by_itself)
            }),
        }
    }

    /// It waits for an operator.
    fn give_up(&mut self, target: &Target, error: &Error) -> Result<(), Error> {
        let why = self.leave_alone(target, error)?;
        match target.state {
            TargetState::Dropping => self.postpone(target, &why),
            _ if target.needs_load() => transition::give_resync_up(self, target, &why),
            // It skips pointers, and must not be resumed without a load.
            TargetState::NeedsResync | TargetState::Paused => self.postpone(target, &why),
            _ => self.pause_table(target, &why, false),
        }
    }
}

/// An error of one table in words; of a lock, who holds it.
pub fn why(target: &Target, error: &Error) -> Result<String, Error> {
    if error.kind == Kind::Blocked && error.origin.is_some() {
        blocked_by(target)
    } else {
        Ok(error.to_string())
    }
}

/// Who keeps others from writing a target: by a lock of the table, or maybe by locks of its rows.
fn blocked_by(target: &Target) -> Result<String, Error> {
    const OF_TABLE: &[&str] = &[
        "ShareLock",
        "ShareRowExclusiveLock",
        "ExclusiveLock",
        "AccessExclusiveLock",
    ];
    const OF_ROWS: &[&str] = &["RowShareLock", "RowExclusiveLock"];
    tx::run("looking for locks", || {
        let of_table = holders(target.relation, OF_TABLE)?;
        if !of_table.is_empty() {
            return Ok(blocked(&of_table, ""));
        }
        Ok(blocked(&holders(target.relation, OF_ROWS)?, " on its rows"))
    })
}

/// Who holds a lock that foreign tables wait for: whoever reads them.
pub fn of_foreign_tables(source: &Source, target: i32, error: Error) -> Error {
    if error.kind != Kind::Blocked {
        return error;
    }
    let found = tx::run("looking for locks", || readers(source, target));
    match found {
        Ok(found) => Error::new(Kind::Blocked, blocked(&found, " on its foreign tables")),
        Err(_) => error,
    }
}

fn blocked(pids: &[String], on: &str) -> String {
    match pids {
        [] => format!("blocked by a lock{on}"),
        pids => format!("blocked by a lock of process {}{on}", pids.join(", ")),
    }
}

const HOLDERS: &str = "SELECT DISTINCT l.pid FROM pg_locks l
    WHERE l.granted AND l.pid <> pg_backend_pid()
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())";

fn holders(relation: pg_sys::Oid, modes: &[&str]) -> Result<Vec<String>, Error> {
    sql::query(
        &format!(
            "{HOLDERS} AND (l.relation = $1 OR l.relation IN (SELECT relid FROM pg_partition_tree($1)))
               AND l.mode = ANY ($2) ORDER BY 1"
        ),
        &[relation.into(), modes.to_vec().into()],
        |row| Ok(row.get::<i32>(1)?.to_string()),
    )
}

fn readers(source: &Source, target: i32) -> Result<Vec<String>, Error> {
    let names = vec![contract::pull_table(target), contract::load_table(target)];
    sql::query(
        &format!(
            "{HOLDERS} AND l.relation IN (SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                                          WHERE n.nspname = $1 AND c.relname = ANY ($2)) ORDER BY 1"
        ),
        &[
            source.local_schema.as_str().into(),
            names.into(),
        ],
        |row| Ok(row.get::<i32>(1)?.to_string()),
    )
}
