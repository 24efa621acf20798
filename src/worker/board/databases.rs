//! What is known of each database, and the looks that scouts take at them.

use super::pullers::Puller;
use super::{AT_ONCE, Board, NEVER, NO_SLOT_WAIT, SECOND, backoff, is_due};

/// A restored dump brings sources without a call of create_source.
const LOOK_AGAIN: i64 = 60 * SECOND;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nobody has looked yet.
    Unknown,
    /// Without the extension; looked at again when its installation says so.
    Lacks,
    /// With the extension; looked at again every minute.
    Has,
    /// `stop_workers` was called: nothing is started here.
    Stopped,
}

#[derive(Clone, Copy)]
pub(super) struct Database {
    /// 0: this place is free.
    pub(super) oid: u32,
    pub(super) state: State,
    pub(super) look_at: i64,
    failures: u32,
    pub(super) scout: i32,
    no_worker_slot: bool,
}

impl Database {
    pub(super) const FREE: Database = Database {
        oid: 0,
        state: State::Unknown,
        look_at: AT_ONCE,
        failures: 0,
        scout: 0,
        no_worker_slot: false,
    };
}

impl Board {
    pub(super) fn database(&mut self, oid: u32) -> Option<&mut Database> {
        self.databases.iter_mut().find(|d| d.oid == oid)
    }

    /// The place of a database, a new one if it has none. `None`: all are taken.
    pub(super) fn database_or_new(&mut self, oid: u32) -> Option<&mut Database> {
        let at = |wanted: u32| self.databases.iter().position(|d| d.oid == wanted);
        let place = at(oid).or_else(|| at(0))?;
        let database = &mut self.databases[place];
        database.oid = oid;
        Some(database)
    }

    /// Forgets databases that are gone, with the places of their pullers, and notes new ones.
    /// False: there are more databases than places.
    pub fn keep_databases(&mut self, present: &[u32]) -> bool {
        for database in &mut self.databases {
            if database.scout == 0 && !present.contains(&database.oid) {
                *database = Database::FREE;
            }
        }
        for puller in &mut self.pullers {
            if puller.pid == 0 && !present.contains(&puller.database) {
                *puller = Puller::FREE;
            }
        }
        present
            .iter()
            .all(|&oid| self.database_or_new(oid).is_some())
    }

    /// Something about the extension or its sources was committed in this database.
    pub fn look_soon(&mut self, oid: u32) {
        if let Some(database) = self.database(oid) {
            database.look_at = AT_ONCE;
        }
    }

    /// A database whose time to be looked at has come; its next time is a minute later.
    pub fn next_look(&mut self, now: i64) -> Option<u32> {
        let database = self.databases.iter_mut().find(|d| {
            d.oid != 0 && d.state != State::Stopped && d.scout == 0 && is_due(d.look_at, now)
        })?;
        database.look_at = now + LOOK_AGAIN;
        Some(database.oid)
    }

    /// No worker slot was free for a scout.
    pub fn look_later(&mut self, oid: u32, now: i64) {
        if let Some(database) = self.database(oid) {
            database.look_at = now + NO_SLOT_WAIT;
            database.no_worker_slot = true;
        }
    }

    /// Whether the last look at a database found no free worker slot. Its sources may not be known then.
    pub fn lacks_worker_slot(&self, oid: u32) -> bool {
        self.databases
            .iter()
            .any(|d| d.oid == oid && d.no_worker_slot)
    }

    /// False: the scout is not wanted any more.
    pub fn scout_begins(&mut self, oid: u32, pid: i32) -> bool {
        match self.database(oid) {
            Some(database) if database.state != State::Stopped && database.scout == 0 => {
                database.scout = pid;
                database.no_worker_slot = false;
                true
            }
            _ => false,
        }
    }

    pub fn scout_ends(&mut self, oid: u32, failed: bool, now: i64) {
        if let Some(database) = self.database(oid) {
            database.scout = 0;
            database.failures = if failed { database.failures + 1 } else { 0 };
            if failed {
                database.look_at = now + backoff(database.failures);
            }
        }
    }

    /// What a scout saw: the ids of the sources, or that the extension is missing. Returns how
    /// many sources found no place for a puller.
    pub fn record_look(&mut self, oid: u32, sources: Option<&[i32]>) -> usize {
        let Some(database) = self.database(oid) else {
            return 0;
        };
        if database.state == State::Stopped {
            return 0;
        }
        database.state = match sources {
            Some(_) => State::Has,
            None => State::Lacks,
        };
        // A commit during the look asks for another one.
        if sources.is_none() && database.look_at != AT_ONCE {
            database.look_at = NEVER;
        }
        let sources = sources.unwrap_or_default();
        for puller in &mut self.pullers {
            let vanished = puller.database == oid && !sources.contains(&puller.source);
            if vanished && puller.pid == 0 {
                *puller = Puller::FREE;
            }
        }
        let refused = sources.iter().filter(|&&id| !self.reserve_puller(oid, id));
        refused.count()
    }
}
