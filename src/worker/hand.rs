//! The process of a second hand: batches that its puller gives it, until there are none for a while.

use std::time::{Duration, Instant};

use pgrx::prelude::*;

use crate::error::Error;
use crate::pull::hand::Hand;
use crate::worker::process::{self, Role, Seat};
use crate::worker::shared;

/// How long it stays with nothing to do.
const IDLE: Duration = Duration::from_secs(10);

/// Entry point; `argument` is the place of its puller in shared memory.
#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn orapull_hand_main(argument: pg_sys::Datum) {
    let Some(seat) = process::start(Role::Hand, argument) else {
        return;
    };
    if let Err(error) = serve(&seat) {
        log!("orapull: source {}: second hand: {error}", seat.source);
    }
}

fn serve(seat: &Seat) -> Result<(), Error> {
    let mut hand = Hand::new(seat.source, seat.slot);
    let mut idle_since = Instant::now();
    loop {
        if let Some(errand) = shared::take_errand(seat.slot)? {
            let outcome = hand.run(errand);
            // The puller meets the same error and reports it.
            if let Err(error) = &outcome {
                debug1!("orapull: source {}: {error}", seat.source);
            }
            shared::end_errand(seat, outcome.is_ok())?;
            hand.renew_staging()?;
            idle_since = Instant::now();
        } else if idle_since.elapsed() < IDLE {
            process::nap(IDLE);
        } else if shared::retire(seat.slot)? {
            return Ok(());
        }
    }
}
