//! Ends a running call from another thread, or at its deadline.

use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::error::{OraError, Result};
use crate::libpq::Cancel;

/// Lets another thread end the running call.
pub struct Breaker {
    state: Mutex<BreakState>,
    changed: Condvar,
}

struct BreakState {
    cancel: Option<Cancel>,
    running: bool,
    broken: bool,
}

impl Breaker {
    pub fn new(cancel: Option<Cancel>) -> Self {
        Self {
            state: Mutex::new(BreakState {
                cancel,
                running: false,
                broken: false,
            }),
            changed: Condvar::new(),
        }
    }

    pub fn begin(&self) {
        let mut state = self.state.lock();
        state.running = true;
        state.broken = false;
    }

    /// Waits for a break that is on its way, so that it does not hit the next call.
    pub fn end(&self) {
        self.state.lock().running = false;
    }

    pub fn forget(&self) {
        self.state.lock().cancel = None;
    }

    pub fn interrupt(&self) {
        let mut state = self.state.lock();
        if state.running {
            state.broken = true;
            if let Some(cancel) = &state.cancel {
                cancel.send();
            }
            self.changed.notify_all();
        }
    }

    /// Fails when the call was broken or its deadline has passed.
    pub fn check(&self, deadline: Option<Instant>) -> Result<()> {
        if self.state.lock().broken {
            return Err(OraError::known(1013));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(OraError::known(3136));
        }
        Ok(())
    }

    /// Waits, until a break or the deadline ends it with an error.
    pub fn wait(&self, time: Duration, deadline: Option<Instant>) -> Result<()> {
        let end = Instant::now() + time;
        let mut state = self.state.lock();
        while !state.broken {
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Err(OraError::known(3136));
            }
            if now >= end {
                return Ok(());
            }
            let until = deadline.map_or(end, |deadline| deadline.min(end));
            self.changed.wait_until(&mut state, until);
        }
        Err(OraError::known(1013))
    }
}
