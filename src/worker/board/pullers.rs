//! The places of pullers: reserved by a scout, filled by the launcher.

use super::{AT_ONCE, Board, NO_SLOT_WAIT, SECOND, backoff, is_due};

/// A process that lived this long did not fail at its start.
const LIVED_LONG: i64 = 60 * SECOND;

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
    pub(super) launching: bool,
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
    /// Pointers in the portions that the poll saw.
    pub waiting_pointers: i64,
    /// When the first of them was published. TimestampTz
    pub waiting_since: Option<i64>,
    /// TimestampTz
    pub polled_at: i64,
}

impl Puller {
    pub(super) const FREE: Puller = Puller {
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

impl Board {
    pub(super) fn reserve_puller(&mut self, database: u32, source: i32) -> bool {
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

    pub fn puller_runs(&self, slot: usize) -> bool {
        self.pullers.get(slot).is_some_and(|p| p.pid != 0)
    }

    /// A new launcher does not know what its predecessor has under way.
    pub fn forget_launches(&mut self) {
        for puller in &mut self.pullers {
            puller.launching = false;
        }
    }

    /// A place whose puller is to be started now.
    pub fn next_launch(&mut self, now: i64) -> Option<usize> {
        let slot = self.pullers.iter().position(|p| {
            p.database != 0 && p.pid == 0 && !p.launching && is_due(p.next_start, now)
        })?;
        self.pullers[slot].launching = true;
        Some(slot)
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
        let Some(&Puller { database, .. }) = self.pullers.get(slot) else {
            return;
        };
        let stopped = self.is_stopped(database);
        let puller = &mut self.pullers[slot];
        if puller.leaving || stopped {
            *puller = Puller::FREE;
            // Another source may have got the same id meanwhile.
            self.look_soon(database);
            return;
        }
        if now - puller.started_at >= LIVED_LONG {
            puller.failures = 0;
        }
        puller.pid = 0;
        puller.back_off(now);
    }
}
