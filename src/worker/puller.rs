//! The process of a puller: turns until its source is gone, and what to do when one fails.

use std::time::Duration;

use pgrx::prelude::*;

use crate::catalog::source::{self, Wish};
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::pull::puller::Puller;
use crate::pull::turn::Outcome;
use crate::pull::{attach, tx};
use crate::settings;
use crate::source::control;
use crate::state::{SourceState, TargetState};
use crate::worker::process::{self, Role, Seat};
use crate::worker::shared;

const LONGEST_BACKOFF: Duration = Duration::from_secs(60);

/// Entry point; `argument` is the puller's place in shared memory.
#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn orapull_puller_main(argument: pg_sys::Datum) {
    control::install_exit_guard();
    let Some(seat) = process::start(Role::Puller, argument) else {
        return;
    };
    match begin(&seat) {
        Ok(Some(puller)) => run(puller, &seat),
        Ok(None) => leave(&seat),
        // The launcher starts it again, after a backoff.
        Err(error) => {
            log!("orapull: source {}: {error}", seat.source);
            end(1);
        }
    }
}

fn end(code: i32) {
    // SAFETY: ends this process as PostgreSQL's own workers do.
    unsafe { pg_sys::proc_exit(code) };
}

fn begin(seat: &Seat) -> Result<Option<Puller>, Error> {
    if !has_extension()? {
        return Ok(None);
    }
    let Some((source, epoch)) = attach::begin(seat.source)? else {
        return Ok(None);
    };
    Ok(Some(Puller::new(source, epoch, seat.slot)))
}

fn has_extension() -> Result<bool, Error> {
    tx::run("looking for the extension", || {
        // SAFETY: a name that ends with a zero byte; missing is allowed.
        let oid = unsafe { pg_sys::get_extension_oid(c"orapull".as_ptr(), true) };
        Ok(oid != pg_sys::InvalidOid)
    })
}

fn leave(seat: &Seat) {
    if let Err(error) = shared::leave(seat.slot) {
        log!("orapull: {error}");
    }
}

fn run(mut puller: Puller, seat: &Seat) {
    let mut failures = 0u32;
    // Why loaders could not be started: said once.
    let mut complaint: Option<String> = None;
    loop {
        if failures > 0 && !has_extension().unwrap_or(true) {
            return leave(seat);
        }
        let pause = match puller.turn() {
            Ok(Outcome::Gone) => return leave(seat),
            Ok(Outcome::Replaced) => {
                log!(
                    "orapull: source {}: another puller has taken over",
                    puller.source.name
                );
                // If it does not sit here, the launcher starts one that takes over in turn.
                return end(1);
            }
            Ok(outcome) => {
                failures = 0;
                let trouble = start_loaders(&puller, seat).err().map(|e| e.to_string());
                if let Some(error) = trouble.as_ref().filter(|_| trouble != complaint) {
                    log!("orapull: source {}: {error}", puller.source.name);
                }
                complaint = trouble;
                match outcome {
                    Outcome::Busy => Duration::ZERO,
                    _ => settings::poll_interval(),
                }
            }
            Err(error) => {
                failures += 1;
                // Only a call that outlived its time can be stuck: the thread of any other one has
                // answered, and may just not have got round to saying that it is free. Asked before the
                // connection is given up, which is a piece of work for the library too.
                let stuck = error.kind == Kind::Timeout && control::call_running();
                let pause = failed(&mut puller, &error, failures);
                if stuck {
                    // The client library is of no use to this process any more. The launcher starts
                    // another one.
                    end(1);
                }
                pause
            }
        };
        process::signals_but_term();
        if process::nap(pause) {
            puller.disconnect();
        }
    }
}

/// Notes why a turn failed and says how long to wait.
fn failed(puller: &mut Puller, error: &Error, failures: u32) -> Duration {
    use Kind::{Changed, Forgotten};
    // The turn was dropped and begins again at the same portion: that is how it should be.
    if matches!(error.kind, Changed | Forgotten) && failures < 5 {
        return Duration::from_millis(10);
    }
    puller.disconnect();
    let state = match (puller.source.wished, error.kind) {
        (Wish::Drop, kind) if kind != Kind::Credentials => SourceState::Dropping,
        (_, kind) => SourceState::after(kind),
    };
    if let Err(second) = puller.stopped(state, error) {
        log!(
            "orapull: source {}: {error}; and: {second}",
            puller.source.name
        );
    }
    (Duration::from_secs(1) * (1 << (failures - 1).min(6))).min(LONGEST_BACKOFF)
}

/// Starts loaders while tables are loading and the setting allows more.
fn start_loaders(puller: &Puller, seat: &Seat) -> Result<(), Error> {
    let followed = tx::run("reading the catalog", || {
        source::is_followed(puller.source.id)
    })?;
    if !followed {
        return Ok(());
    }
    let mut loading = puller.targets()?;
    loading.retain(|target| target.state == TargetState::Loading && target.plan_id.is_some());
    if loading.is_empty() {
        return Ok(());
    }
    let chunks = puller.open_chunks()?;
    let running = shared::loaders(seat.database, seat.source)?;
    for number in running..settings::load_workers().min(chunks) {
        if let Err(error) = process::start_loader(seat) {
            if number == 0 {
                nobody_loads(&loading, &error)?;
            }
            return Err(error);
        }
    }
    Ok(())
}

fn nobody_loads(loading: &[Target], error: &Error) -> Result<(), Error> {
    tx::run("noting a stall", || {
        for target in loading {
            target::stall(target, &error.to_string())?;
        }
        Ok(())
    })
}
