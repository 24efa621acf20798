//! The second hand, as the puller sees it: which batches it was given, and how they ended.
//!
//! While more than one batch waits, a second process reads every other one, applies it when all
//! before it is applied, and knows nothing but that: on any error, any pointer that is not to a row,
//! any table whose state changed, it drops what it read and the puller takes the batch itself.
//!
//! **Why rows may be read before the batch before them is applied.** The rows of a batch are read after
//! it was published, so they are at least as new as its last transaction, whatever is applied in between.
//! If one of them is older than what an earlier batch or a request has meanwhile written here, it was
//! changed after it was read; that change is in a portion later than the batch, which is applied after it
//! and brings the row as it is then. Such a portion cannot be lost: portions are applied in order, and one
//! that finds its table loading or paused is held.
//!
//! What guards it is the lock on the progress: a batch is applied only as the next one, by the epoch that
//! handed it out, with its tables in the states in which they were read. All that is here is about speed,
//! but for one thing: a second hand that vanished may have been stopped while its commit waited for a
//! synchronous standby. It does not report such a commit, and the new epoch is one that waits in its
//! place, before the next ack.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::catalog::source::{self, Wish};
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::plan::Batch;
use crate::pull::puller::Puller;
use crate::pull::tx;
use crate::settings;
use crate::state::TargetState;
use crate::worker::process;
use crate::worker::shared::{self, Errand, Fate};

/// The second hand wakes the puller; this is for the case that it cannot.
const LOOK: Duration = Duration::from_millis(100);
/// How often a waiting puller looks for wishes of the operator.
const WISHES: Duration = Duration::from_secs(1);
/// How long a second hand may take to see that its errand is void, before its process is ended.
const GRACE: Duration = Duration::from_secs(1);
/// And after that, before its foreign tables are touched all the same.
const ENDING: Duration = Duration::from_secs(10);

#[derive(Default)]
pub struct Ahead {
    /// Handed out and not known to have ended, oldest first.
    errands: VecDeque<Errand>,
    trust: Trust,
}

impl Ahead {
    pub fn is_empty(&self) -> bool {
        self.errands.is_empty()
    }

    /// The last portion that was handed out.
    pub fn to(&self) -> Option<i64> {
        self.errands.back().map(|errand| errand.to)
    }
}

/// Whether the second hand is worth another try. Each batch that it gives back was read for nothing.
#[derive(Default)]
struct Trust {
    /// Batches that the puller takes alone before the next try.
    alone: u32,
    /// The same after the last failure.
    last: u32,
}

impl Trust {
    const LONGEST: u32 = 64;

    fn failed(&mut self) {
        self.last = (self.last * 2).clamp(1, Self::LONGEST);
        self.alone = self.last;
    }

    fn succeeded(&mut self) {
        self.last = 0;
    }

    /// Asked once for each batch that could be handed out.
    fn try_again(&mut self) -> bool {
        let now = self.alone == 0;
        self.alone = self.alone.saturating_sub(1);
        now
    }
}

/// A batch of tables that are simply followed: nothing to hold, no transition ahead.
fn plain(batch: &Batch, targets: &[Target]) -> bool {
    let touched = |target: &&Target| batch.tables.contains(&target.remote_id);
    targets.iter().filter(touched).all(followed)
}

/// Whether a table is followed and nobody wishes anything else.
pub fn followed(target: &Target) -> bool {
    target.state == TargetState::Following && target.wished == Wish::Run && !target.needs_load()
}

impl Puller {
    /// Gives a batch to the second hand, if it is of a kind that it can take.
    pub(super) fn hand_out(&mut self, batch: &Batch, targets: &[Target]) -> Result<(), Error> {
        let wanted = settings::read_ahead() && plain(batch, targets);
        if !wanted || !self.ahead.trust.try_again() || !process::hire_hand(self.slot)? {
            return Ok(());
        }
        let errand = Errand {
            epoch: self.epoch,
            from: batch.from,
            to: batch.to,
        };
        if shared::hand_out(self.slot, errand)? {
            self.ahead.errands.push_back(errand);
        }
        Ok(())
    }

    /// Waits until the second hand has committed everything up to `portion`. False: it did not, and
    /// what it gave back is to be taken first.
    pub(super) fn hand_has_reached(&mut self, portion: i64) -> Result<bool, Error> {
        let mut asked = Instant::now();
        while let Some(errand) = self.ahead.errands.front().copied()
            && errand.to <= portion
        {
            match shared::fate(self.slot, errand)? {
                Fate::Done => {
                    self.ahead.errands.pop_front();
                    self.ahead.trust.succeeded();
                }
                Fate::Lost => {
                    self.ahead.trust.failed();
                    self.renew_epoch()?;
                    return Ok(false);
                }
                Fate::Pending => {
                    process::rest(LOOK);
                    if asked.elapsed() > WISHES {
                        asked = Instant::now();
                        self.still_wanted()?;
                    }
                }
            }
        }
        Ok(true)
    }

    /// Waits until nothing is handed out any more.
    pub(super) fn hand_has_finished(&mut self) -> Result<bool, Error> {
        self.hand_has_reached(i64::MAX)
    }

    /// A wish for the source does not wait until the second hand has finished.
    fn still_wanted(&self) -> Result<(), Error> {
        let id = self.source.id;
        let (source, progress) = tx::run("looking for wishes", || {
            Ok((source::by_id(id)?, source::progress(id)?))
        })?;
        let wanted = source.is_some_and(|source| source.wished == Wish::Run)
            && progress.is_some_and(|progress| progress.epoch == self.epoch);
        if wanted {
            return Ok(());
        }
        Err(Error::new(Kind::Changed, "the source was not to go on"))
    }

    /// Takes back what was handed out: nothing of it is applied after this, or still being read.
    pub(super) fn recall(&mut self) -> Result<(), Error> {
        if self.ahead.is_empty() {
            return Ok(());
        }
        self.renew_epoch()?;
        shared::wake_hand(self.slot)?;
        let since = Instant::now();
        while shared::recall(self.slot, since.elapsed() > GRACE)? && since.elapsed() < ENDING {
            process::rest(Duration::from_millis(10));
        }
        Ok(())
    }

    fn renew_epoch(&mut self) -> Result<(), Error> {
        let epoch = tx::run("beginning a new epoch", || {
            source::renew_epoch(self.source.id, self.epoch)
        })
        // The second hand is still writing: it has not failed, and nothing else has.
        .map_err(|error| match error.kind {
            Kind::Blocked => Error::new(Kind::Changed, "a batch is still being applied"),
            _ => error,
        })?;
        // Of none there is no successor but another puller, whom this one will notice.
        self.epoch = epoch.unwrap_or(self.epoch);
        self.ahead.errands.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Trust;

    /// How many batches in a row are taken alone.
    fn alone(trust: &mut Trust) -> u32 {
        (0..).take_while(|_| !trust.try_again()).count() as u32
    }

    #[test]
    fn a_second_hand_that_fails_again_and_again_is_tried_less_and_less() {
        let mut trust = Trust::default();
        assert_eq!(alone(&mut trust), 0);
        for expected in [1, 2, 4, 8, 16, 32, 64, 64] {
            trust.failed();
            assert_eq!(alone(&mut trust), expected);
        }
        trust.succeeded();
        trust.failed();
        assert_eq!(alone(&mut trust), 1);
    }
}
