//! The board: what launcher, scouts, pullers, loaders and sessions know of each other.
//!
//! It has a fixed size because it lies in shared memory. Pure: process ids, database oids and
//! times (microseconds) are numbers here; `shared.rs` puts a lock around it.

pub const DATABASES: usize = 256;
pub const PULLERS: usize = 64;
pub const LOADERS: usize = 128;

const SECOND: i64 = 1_000_000;
/// A restored dump brings sources without a call of create_source.
const LOOK_AGAIN: i64 = 60 * SECOND;
const NO_SLOT_WAIT: i64 = 5 * SECOND;
const LONGEST_BACKOFF: i64 = 60 * SECOND;
/// A process that lived this long did not fail at its start.
const LIVED_LONG: i64 = 60 * SECOND;
/// A loader that has not come by then never will.
const LOADER_COMES: i64 = 60 * SECOND;

const AT_ONCE: i64 = i64::MIN;
const NEVER: i64 = i64::MAX;

#[derive(Clone, Copy)]
pub struct Board {
    /// Process id of the launcher, 0 if it is not running.
    pub launcher: i32,
    databases: [Database; DATABASES],
    pullers: [Puller; PULLERS],
    loaders: [Loader; LOADERS],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
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
struct Database {
    /// 0: this place is free.
    oid: u32,
    state: State,
    look_at: i64,
    failures: u32,
    scout: i32,
}

/// The place of a source's puller; it outlives the process.
#[derive(Clone, Copy, Debug)]
pub struct Puller {
    /// 0: this place is free.
    pub database: u32,
    pub source: i32,
    /// 0: not running.
    pub pid: i32,
    pub started_at: i64,
    /// Ends in a row before the process had lived a minute.
    pub failures: u32,
    pub next_start: i64,
    /// The last start found max_worker_processes used up.
    pub no_worker_slot: bool,
    pub live: Option<Live>,
    launching: bool,
    leaving: bool,
}

/// What the last poll of a source showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Live {
    pub last_portion: i64,
    pub published_scn: i64,
    pub mined_scn: i64,
    pub current_scn: i64,
    pub oldest_tx_scn: i64,
    /// TimestampTz
    pub polled_at: i64,
}

#[derive(Clone, Copy)]
struct Loader {
    /// 0: this place is free.
    database: u32,
    source: i32,
    pid: i32,
    reserved_at: i64,
}

impl Database {
    const FREE: Database = Database {
        oid: 0,
        state: State::Unknown,
        look_at: AT_ONCE,
        failures: 0,
        scout: 0,
    };
}

impl Puller {
    const FREE: Puller = Puller {
        database: 0,
        source: 0,
        pid: 0,
        started_at: 0,
        failures: 0,
        next_start: AT_ONCE,
        no_worker_slot: false,
        live: None,
        launching: false,
        leaving: false,
    };

    fn serves(&self, database: u32, source: i32) -> bool {
        self.database == database && self.source == source
    }

    fn back_off(&mut self, now: i64) {
        self.failures += 1;
        self.next_start = now + backoff(self.failures);
    }
}

impl Loader {
    const FREE: Loader = Loader {
        database: 0,
        source: 0,
        pid: 0,
        reserved_at: 0,
    };

    fn is_free(&self, now: i64) -> bool {
        self.database == 0 || (self.pid == 0 && now - self.reserved_at > LOADER_COMES)
    }
}

/// 1 s, 2 s, 4 s ... 60 s.
fn backoff(failures: u32) -> i64 {
    (SECOND << failures.saturating_sub(1).min(6)).min(LONGEST_BACKOFF)
}

/// Databases: what the launcher and its scouts do.
impl Board {
    pub const EMPTY: Board = Board {
        launcher: 0,
        databases: [Database::FREE; DATABASES],
        pullers: [Puller::FREE; PULLERS],
        loaders: [Loader::FREE; LOADERS],
    };

    fn database(&mut self, oid: u32) -> Option<&mut Database> {
        self.databases.iter_mut().find(|d| d.oid == oid)
    }

    /// The place of a database, a new one if it has none. `None`: all are taken.
    fn database_or_new(&mut self, oid: u32) -> Option<&mut Database> {
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
            d.oid != 0 && d.state != State::Stopped && d.scout == 0 && d.look_at <= now
        })?;
        database.look_at = now + LOOK_AGAIN;
        Some(database.oid)
    }

    /// No worker slot was free for a scout.
    pub fn look_later(&mut self, oid: u32, now: i64) {
        if let Some(database) = self.database(oid) {
            database.look_at = now + NO_SLOT_WAIT;
        }
    }

    /// False: the scout is not wanted any more.
    pub fn scout_begins(&mut self, oid: u32, pid: i32) -> bool {
        match self.database(oid) {
            Some(database) if database.state != State::Stopped && database.scout == 0 => {
                database.scout = pid;
                true
            }
            _ => false,
        }
    }

    pub fn scout_ends(&mut self, oid: u32, failed: bool, now: i64) {
        if let Some(database) = self.database(oid) {
            database.scout = 0;
            database.failures = if failed { database.failures + 1 } else { 0 };
            if failed && database.look_at != AT_ONCE {
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

/// Pullers.
impl Board {
    fn reserve_puller(&mut self, database: u32, source: i32) -> bool {
        if self.puller_of(database, source).is_some() {
            return true;
        }
        let Some(free) = self.pullers.iter_mut().find(|p| p.database == 0) else {
            return false;
        };
        *free = Puller {
            database,
            source,
            ..Puller::FREE
        };
        true
    }

    pub fn puller_of(&self, database: u32, source: i32) -> Option<&Puller> {
        self.pullers.iter().find(|p| p.serves(database, source))
    }

    /// A new launcher does not know what its predecessor has under way.
    pub fn forget_launches(&mut self) {
        for puller in &mut self.pullers {
            puller.launching = false;
        }
    }

    /// A place whose puller is to be started now.
    pub fn next_launch(&mut self, now: i64) -> Option<(usize, i32)> {
        let slot = self
            .pullers
            .iter()
            .position(|p| p.database != 0 && p.pid == 0 && !p.launching && p.next_start <= now)?;
        let puller = &mut self.pullers[slot];
        puller.launching = true;
        Some((slot, puller.source))
    }

    pub fn found_no_slot(&mut self, slot: usize, now: i64) {
        if let Some(puller) = self.pullers.get_mut(slot) {
            puller.launching = false;
            puller.no_worker_slot = true;
            puller.next_start = now + NO_SLOT_WAIT;
        }
    }

    /// The process started for this place has ended. True: without ever taking the place.
    pub fn launch_ended(&mut self, slot: usize, now: i64) -> bool {
        match self.pullers.get_mut(slot) {
            Some(puller) if puller.launching => {
                puller.launching = false;
                puller.back_off(now);
                true
            }
            _ => false,
        }
    }

    /// A puller takes its place. `None`: it is not wanted any more.
    pub fn claim_puller(&mut self, slot: usize, pid: i32, now: i64) -> Option<(u32, i32)> {
        let puller = self.pullers.get_mut(slot)?;
        if puller.database == 0 || puller.pid != 0 {
            return None;
        }
        puller.pid = pid;
        puller.started_at = now;
        puller.launching = false;
        puller.leaving = false;
        puller.no_worker_slot = false;
        Some((puller.database, puller.source))
    }

    pub fn publish_live(&mut self, slot: usize, live: Live) {
        if let Some(puller) = self.pullers.get_mut(slot) {
            puller.live = Some(live);
        }
    }

    /// The source is gone: the place is given up when the process ends.
    pub fn leave(&mut self, slot: usize) {
        if let Some(puller) = self.pullers.get_mut(slot) {
            puller.leaving = true;
        }
    }

    pub fn release_puller(&mut self, slot: usize, now: i64) {
        let stopped = |d: &Database, oid: u32| d.oid == oid && d.state == State::Stopped;
        let Some(puller) = self.pullers.get_mut(slot) else {
            return;
        };
        let oid = puller.database;
        if puller.leaving || self.databases.iter().any(|d| stopped(d, oid)) {
            *puller = Puller::FREE;
            return;
        }
        if now - puller.started_at >= LIVED_LONG {
            puller.failures = 0;
        }
        puller.pid = 0;
        puller.back_off(now);
    }

    /// When the launcher has something to start next.
    pub fn next_event(&self) -> i64 {
        let starts = self.pullers.iter().filter_map(|p| {
            (p.database != 0 && p.pid == 0 && !p.launching).then_some(p.next_start)
        });
        let looks = self.databases.iter().filter_map(|d| {
            (d.oid != 0 && d.state != State::Stopped && d.scout == 0).then_some(d.look_at)
        });
        starts.chain(looks).min().unwrap_or(NEVER)
    }
}

/// Loaders.
impl Board {
    pub fn reserve_loader(&mut self, database: u32, source: i32, now: i64) -> Option<usize> {
        let slot = self.loaders.iter().position(|l| l.is_free(now))?;
        self.loaders[slot] = Loader {
            database,
            source,
            pid: 0,
            reserved_at: now,
        };
        Some(slot)
    }

    pub fn claim_loader(&mut self, slot: usize, pid: i32) -> Option<(u32, i32)> {
        let loader = self.loaders.get_mut(slot)?;
        if loader.database == 0 || loader.pid != 0 {
            return None;
        }
        loader.pid = pid;
        Some((loader.database, loader.source))
    }

    pub fn release_loader(&mut self, slot: usize) {
        if let Some(loader) = self.loaders.get_mut(slot) {
            *loader = Loader::FREE;
        }
    }

    /// Loaders of a source that run or are about to.
    pub fn loaders_of(&self, database: u32, source: i32, now: i64) -> usize {
        let of_source = |l: &&Loader| l.database == database && l.source == source;
        let loaders = self.loaders.iter().filter(of_source);
        loaders.filter(|l| !l.is_free(now)).count()
    }
}

/// Stopping all workers of a database.
impl Board {
    /// From now on nothing starts there. False: there is no place to note it.
    pub fn stop(&mut self, oid: u32) -> bool {
        let Some(database) = self.database_or_new(oid) else {
            return false;
        };
        database.state = State::Stopped;
        for puller in &mut self.pullers {
            if puller.database == oid && puller.pid == 0 {
                *puller = Puller::FREE;
            }
        }
        for loader in &mut self.loaders {
            if loader.database == oid && loader.pid == 0 {
                *loader = Loader::FREE;
            }
        }
        true
    }

    /// Undoes [`Board::stop`].
    pub fn start(&mut self, oid: u32) {
        if let Some(database) = self.database(oid)
            && database.state == State::Stopped
        {
            database.state = State::Unknown;
            database.look_at = AT_ONCE;
        }
    }

    /// Process ids of all workers in a database.
    pub fn pids(&self, oid: u32) -> Vec<i32> {
        let pullers = self.pullers.iter().map(|p| (p.database, p.pid));
        let loaders = self.loaders.iter().map(|l| (l.database, l.pid));
        let scouts = self.databases.iter().map(|d| (d.oid, d.scout));
        let all = pullers.chain(loaders).chain(scouts);
        all.filter(|&(database, pid)| database == oid && pid != 0)
            .map(|(_, pid)| pid)
            .collect()
    }
}
