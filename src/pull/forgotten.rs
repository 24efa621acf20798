//! Tables that the source has forgotten behind this shard's back: another server dropped them as this shard, or this
//! one was set back to before it dropped them itself.
//!
//! Nothing is published for such a table, and that looks like a table that does not change. A number is never given
//! again, so a number that the source still knows proves that nothing was missed.

use crate::catalog::event;
use crate::catalog::parked;
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::event::Event;
use crate::pull::poll;
use crate::pull::puller::Puller;
use crate::pull::tx;
use crate::state::TargetState;

/// What a puller does not know of the tables that it follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    None,
    /// At its start: whether the source still knows them.
    Known,
    /// After an attach: also whether it knows that this shard wants them, for as long as no other one does.
    Wanted,
}

impl Puller {
    /// Looks, when there is a doubt, which tables have to be loaded again.
    pub(super) fn look_for_forgotten(&mut self, targets: &[Target]) -> Result<(), Error> {
        if self.doubt == Doubt::None {
            return Ok(());
        }
        let followed: Vec<&Target> = targets.iter().filter(|t| misses_pointers(t)).collect();
        let ids: Vec<i64> = followed.iter().map(|target| target.remote_id).collect();
        let known = tx::run("looking for forgotten tables", || {
            poll::remote_tables(&self.source, &ids)
        })?;
        for target in followed {
            if !known.contains_key(&target.remote_id) || !self.is_wanted(target)? {
                self.note_forgotten(target)?;
            }
        }
        self.doubt = Doubt::None;
        Ok(())
    }

    /// Makes sure that the source knows that this shard wants a table; false: it has just got another number.
    fn is_wanted(&self, target: &Target) -> Result<bool, Error> {
        if self.doubt != Doubt::Wanted {
            return Ok(true);
        }
        match self.register(target) {
            Ok(number) => Ok(number == target.remote_id),
            // It is known, as it was just seen; why it cannot be registered now, a look at it will tell.
            Err(error) if error.kind == Kind::TableRefused => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Resumed, it would be followed without a pointer: only a load leads on.
    pub(super) fn note_forgotten(&self, target: &Target) -> Result<(), Error> {
        tx::run("noting a forgotten table", || {
            target::transition(
                target,
                TargetState::NeedsResync,
                Some("forgotten by the source: what changed since was not published"),
                false,
            )?;
            parked::forget(target.id)?;
            event::note(
                self.source.id,
                Some(target.id),
                Event::Forgotten(&target.name),
                serde_json::json!({ "do": "SELECT orapull.resync(relation)" }),
            )
        })
    }
}

/// Whether the table lives on pointers. A load that must still come covers all others.
fn misses_pointers(target: &Target) -> bool {
    use TargetState::*;
    let lives = matches!(target.state, Loading | CatchingUp | Following | Paused);
    lives && target.remote_id != 0
}
