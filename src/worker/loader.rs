//! The process of a loader: chunks until there are none.

use std::time::Duration;

use pgrx::prelude::*;

use crate::error::{Action, Kind};
use crate::pull::load::{self, Found, Loader};
use crate::settings;
use crate::worker::process::{self, Role, Seat};
use crate::worker::shared;

/// A loader that fails this often in a row leaves; the puller starts another one.
const PATIENCE: u32 = 5;

/// Entry point; `argument` is the loader's place in shared memory.
#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn orapull_loader_main(argument: pg_sys::Datum) {
    let Some(seat) = process::start(Role::Loader, argument) else {
        return;
    };
    let mut loader = Loader::new(seat.source, seat.slot);
    let mut failures = 0;
    while failures < PATIENCE && !too_many(&seat) {
        let pause = match loader.work() {
            Ok(Found::Nothing) => break,
            Ok(Found::Chunk { rows, took }) => {
                failures = 0;
                if let Err(error) = shared::wake_puller(seat.database, seat.source) {
                    log!("orapull: {error}");
                }
                load::rest(rows, took, settings::load_workers())
            }
            Ok(Found::Stalled) => {
                failures += 1;
                Duration::from_secs(1) * failures
            }
            Err(error) if matches!(error.kind, Kind::Changed | Kind::Forgotten) => {
                failures += 1;
                Duration::from_millis(100)
            }
            Err(error) => {
                log!("orapull: source {}: loading {error}", seat.source);
                failures += 1;
                if error.kind.action() == Action::Stop {
                    break;
                }
                Duration::from_secs(1) * failures
            }
        };
        process::nap(pause);
    }
    if let Err(error) = loader.finish() {
        log!("orapull: {error}");
    }
}

/// Whether `orapull.load_workers` was lowered: then this loader leaves after its chunk.
fn too_many(seat: &Seat) -> bool {
    shared::loaders(seat.database, seat.source)
        .is_ok_and(|loaders| loaders > settings::load_workers())
}
