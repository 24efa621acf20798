//! The launcher: one process per cluster that starts all others.
//!
//! It works from the board alone, and remembers only which starts are under way. It survives every
//! error; when it is killed the postmaster starts it again within a second.

use std::time::Duration;

use pgrx::bgworkers::{BackgroundWorkerBuilder, BackgroundWorkerStatus, DynamicBackgroundWorker};
use pgrx::prelude::*;

use super::{process, shared};
use crate::error::{Error, Kind};
use crate::pull::tx;

/// The longest time between two looks at the list of databases.
const NAP: Duration = Duration::from_secs(5);
const SHORTEST_NAP: Duration = Duration::from_millis(10);
/// Scouts at the same time, so that a cluster of many databases does not use up the worker slots.
const SCOUTS: usize = 2;

/// Has the postmaster start the launcher; called from `_PG_init` while libraries are preloaded.
pub fn register() {
    BackgroundWorkerBuilder::new("orapull launcher")
        .set_library("orapull")
        .set_function("orapull_launcher_main")
        .set_restart_time(Some(Duration::from_secs(1)))
        .enable_spi_access()
        .load();
}

#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn orapull_launcher_main(_argument: pg_sys::Datum) {
    process::signals();
    // In no database: shared catalogs are all it reads, and it keeps none from being dropped.
    // SAFETY: called once, by a worker registered with database access.
    unsafe {
        pg_sys::BackgroundWorkerInitializeConnection(std::ptr::null(), std::ptr::null(), 0);
    }
    process::session("orapull launcher");
    take_office();
    let mut launcher = Launcher::default();
    loop {
        let time = launcher.pass();
        process::nap(time);
    }
}

fn take_office() {
    process::at_exit(leave_office, 0);
    if let Ok(mut board) = shared::write() {
        // SAFETY: set once, when the process starts.
        board.launcher = unsafe { pg_sys::MyProcPid };
        board.forget_launches();
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn leave_office(_code: i32, _argument: pg_sys::Datum) {
    if let Ok(mut board) = shared::write() {
        board.launcher = 0;
    }
}

#[derive(Default)]
struct Launcher {
    /// Processes that were asked for and have not ended.
    scouts: Vec<DynamicBackgroundWorker>,
    pullers: Vec<(usize, DynamicBackgroundWorker)>,
    /// The last start found no worker slot: said once.
    short_of_slots: bool,
    /// The last error: said once.
    complaint: Option<String>,
}

impl Launcher {
    /// Does what is due; returns how long there is nothing to do.
    fn pass(&mut self) -> Duration {
        let listed = self.list_databases();
        let started = self.start_processes();
        match listed.and(started) {
            Ok(time) => {
                self.complaint = None;
                time
            }
            Err(error) => {
                self.complain(&error);
                NAP
            }
        }
    }

    fn list_databases(&mut self) -> Result<(), Error> {
        let databases = tx::run("listing databases", || Ok(databases()))?;
        if shared::write()?.keep_databases(&databases) {
            return Ok(());
        }
        Err(Error::new(
            Kind::Resources,
            "there are more databases than orapull can keep apart; some are not looked at",
        ))
    }

    fn start_processes(&mut self) -> Result<Duration, Error> {
        self.note_ended()?;
        self.send_scouts()?;
        self.start_pullers()?;
        let next = shared::read()?.next_event(self.scouts.len() < SCOUTS);
        let micros = next.saturating_sub(shared::now()).max(0);
        let time = Duration::from_micros(micros.unsigned_abs());
        Ok(time.clamp(SHORTEST_NAP, NAP))
    }

    fn note_ended(&mut self) -> Result<(), Error> {
        self.scouts.retain(|process| !has_ended(process));
        let (ended, left) = std::mem::take(&mut self.pullers)
            .into_iter()
            .partition::<Vec<_>, _>(|(_, process)| has_ended(process));
        self.pullers = left;
        for (slot, _) in ended {
            if shared::write()?.launch_ended(slot, shared::now()) {
                log!("orapull: a puller ended before it had begun");
            }
        }
        Ok(())
    }

    fn send_scouts(&mut self) -> Result<(), Error> {
        while self.scouts.len() < SCOUTS {
            let due = shared::write()?.next_look(shared::now());
            let Some(database) = due else {
                break;
            };
            let scout = process::worker("orapull scout", "orapull_scout_main", database as usize);
            match self.launch(scout) {
                Some(process) => self.scouts.push(process),
                None => shared::write()?.look_later(database, shared::now()),
            }
        }
        Ok(())
    }

    fn start_pullers(&mut self) -> Result<(), Error> {
        loop {
            let due = shared::write()?.next_launch(shared::now());
            let Some(slot) = due else {
                return Ok(());
            };
            let puller = process::worker("orapull puller", "orapull_puller_main", slot);
            match self.launch(puller) {
                Some(process) => self.pullers.push((slot, process)),
                None => shared::write()?.found_no_slot(slot, shared::now()),
            }
        }
    }

    /// `None`: no worker slot is free.
    fn launch(&mut self, worker: BackgroundWorkerBuilder) -> Option<DynamicBackgroundWorker> {
        let launched = worker.load_dynamic().ok();
        if launched.is_none() && !self.short_of_slots {
            log!(
                "orapull: no background worker slot is free, trying again; raise max_worker_processes"
            );
        }
        self.short_of_slots = launched.is_none();
        launched
    }

    fn complain(&mut self, error: &Error) {
        let text = error.to_string();
        if self.complaint.as_ref() != Some(&text) {
            log!("orapull launcher: {text}");
            self.complaint = Some(text);
        }
    }
}

/// Databases in which the extension can be. Not by SQL, which needs a database of its own.
fn databases() -> Vec<u32> {
    let lock = pg_sys::AccessShareLock as pg_sys::LOCKMODE;
    let mut found = Vec::new();
    // SAFETY: in a transaction; the catalog is open while it is scanned, and a row is read before
    // the next one is asked for.
    unsafe {
        let catalog = pg_sys::table_open(pg_sys::DatabaseRelationId, lock);
        let scan = pg_sys::table_beginscan_catalog(catalog, 0, std::ptr::null_mut());
        loop {
            let row = pg_sys::heap_getnext(scan, pg_sys::ScanDirection::ForwardScanDirection);
            if row.is_null() {
                break;
            }
            let database = pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_database>();
            if (*database).datallowconn && !(*database).datistemplate {
                found.push((*database).oid.to_u32());
            }
        }
        pg_sys::table_endscan(scan);
        pg_sys::table_close(catalog, lock);
    }
    found
}

fn has_ended(process: &DynamicBackgroundWorker) -> bool {
    matches!(process.pid(), Err(BackgroundWorkerStatus::Stopped))
}
