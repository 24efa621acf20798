//! One turn of the puller. Read this file first.
//!
//! ```text
//! poll ─> settle ─> plan ─> fetch ─> apply + progress ─> ack ─> ask
//! ```
//!
//! A turn takes at most one batch of portions and then at most one request. Reading from the source
//! is over before anything local is locked; data and progress are one transaction; the source hears
//! of it only after that is durable. Whatever happens in between, the next turn begins at the same
//! portion, and a repeat changes nothing.

use std::time::{Duration, Instant};

use pgrx::prelude::*;

use crate::catalog::source::{self, Progress, Wish};
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::ahead::followed;
use crate::pull::apply::What;
use crate::pull::batch::{self, Member};
use crate::pull::forgotten::Doubt;
use crate::pull::plan::{self, Batch, Limits};
use crate::pull::poll::{self, Poll};
use crate::pull::puller::Puller;
use crate::pull::{attach, leave, request, transition, tx};
use crate::settings;
use crate::state::{SourceState, Stream, TargetState};
use crate::worker::shared::{self, Live};

/// Declared bytes that a source stages at most.
const STAGED_BYTES: i64 = 4 << 30;
/// How often an idle puller renews its lease.
const RENEW: Duration = Duration::from_secs(10);

/// What a turn did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Something was applied; there may be more.
    Busy,
    /// Nothing to do until the source publishes or somebody wakes the puller.
    Idle,
    /// The source or the extension is gone: this puller is not needed any more.
    Gone,
    /// Another puller has taken the source over: this one may not write any more.
    Replaced,
}

impl Puller {
    /// One turn. What was handed out does not outlive one that fails.
    pub fn turn(&mut self) -> Result<Outcome, Error> {
        let outcome = self.one_turn();
        if outcome.is_err()
            && let Err(second) = self.recall()
        {
            log!("orapull: source {}: {second}", self.source.name);
        }
        outcome
    }

    fn one_turn(&mut self) -> Result<Outcome, Error> {
        let Some(progress) = self.ready()? else {
            return Ok(self.resting());
        };
        let poll = self.poll(&progress)?;
        let targets = self.targets()?;
        self.look_for_forgotten(&targets)?;
        if self.transitions_meet_the_hand(&targets) {
            self.hand_has_finished()?;
            return Ok(Outcome::Busy);
        }
        transition::all(self, &poll.now, &targets)?;
        // Targets are read after PORTION_V, never from an earlier turn: a portion that was published
        // before a table was added must not be taken for one that has no target here.
        let targets = self.targets()?;
        let mut busy = true;
        match self.next_batch(&poll, &targets, self.ahead.to()) {
            Some(batch) => {
                if let Some(next) = self.next_batch(&poll, &targets, Some(batch.to)) {
                    self.hand_out(&next, &targets)?;
                }
                self.take(&batch, &poll, &targets)?;
            }
            None => match self.ahead.to() {
                Some(last) if self.hand_has_finished()? => self.ack(last)?,
                Some(_) => {}
                None => {
                    busy = false;
                    self.renew_lease(poll.applied)?;
                }
            },
        }
        self.healthy(&poll.now)?;
        busy |= request::take(self, &poll.now, &targets)?;
        self.clean_up()?;
        Ok(if busy { Outcome::Busy } else { Outcome::Idle })
    }

    /// Whether a followed table is to change its state, which the second hand may have locked.
    fn transitions_meet_the_hand(&self, targets: &[Target]) -> bool {
        let mut following = targets
            .iter()
            .filter(|target| target.state == TargetState::Following);
        !self.ahead.is_empty() && !following.all(followed)
    }

    /// Wishes of the operator and the lease; `None`: not now.
    fn ready(&mut self) -> Result<Option<Progress>, Error> {
        let id = self.source.id;
        let found = tx::run("reading the catalog", || {
            Ok((source::by_id(id)?, source::progress(id)?))
        })?;
        let (Some(source), Some(progress)) = found else {
            return Ok(None);
        };
        self.source = source;
        if self.source.wished != Wish::Run || progress.adopt.is_some() {
            self.recall()?;
        }
        if progress.epoch != self.epoch {
            return Ok(None);
        }
        let mut state = progress.state;
        match self.source.wished {
            // Another try may lock the account.
            Wish::Drop if state == SourceState::Credentials => return Ok(None),
            Wish::Drop => {
                self.connect()?;
                leave::leave(self, &progress)?;
                return Ok(None);
            }
            Wish::Pause => {
                // A pause that hid such a state would end, with resume(), in RUNNING.
                if !state.waits_for_operator() {
                    self.set_state(SourceState::Paused, None)?;
                }
                return Ok(None);
            }
            Wish::Resume => {
                state = leave::resumed(&self.source, state)?;
            }
            Wish::Run => {}
        }
        if state.waits_for_operator() && progress.adopt.is_none() {
            return Ok(None);
        }
        self.connect()?;
        let attached = attach::attach(self, &progress)?;
        let progress = if attached {
            tx::run("reading the catalog", || source::progress(id))?
        } else {
            Some(progress)
        };
        let Some(progress) = progress else {
            return Ok(None);
        };
        self.token = progress.token.unwrap_or(0);
        if attached {
            self.doubt = Doubt::Wanted;
            self.acked = progress.applied;
            self.noted = progress.applied;
        }
        Ok(Some(progress))
    }

    fn resting(&self) -> Outcome {
        let id = self.source.id;
        let found = tx::run("reading the catalog", || {
            Ok((source::by_id(id)?, source::progress(id)?))
        });
        match found {
            Ok((None, _)) => Outcome::Gone,
            Ok((_, Some(progress))) if progress.epoch != self.epoch => Outcome::Replaced,
            _ => Outcome::Idle,
        }
    }

    /// Step 1: what the source says, and whether it still is the source that was followed.
    fn poll(&mut self, progress: &Progress) -> Result<Poll, Error> {
        let applied = progress
            .applied
            .ok_or_else(|| Error::new(Kind::Bug, "attached without a portion to begin at"))?;
        let poll = poll::poll(&self.source, progress, applied)?;
        let now = &poll.now;
        shared::publish_live(
            self.slot,
            Live {
                last_portion: now.last_portion,
                published_scn: now.published_scn,
                mined_scn: now.mined_scn,
                current_scn: now.current_scn,
                oldest_tx_scn: now.oldest_tx_scn,
                waiting_pointers: poll.portions.iter().map(|p| p.pointers).sum(),
                waiting_since: poll.portions.first().map(|p| p.published_at),
                polled_at: shared::now(),
            },
        )?;
        Ok(poll)
    }

    /// Step 2: which portions after `last` form a batch, and which tables they touch.
    fn next_batch(&self, poll: &Poll, targets: &[Target], last: Option<i64>) -> Option<Batch> {
        let widths = targets
            .iter()
            .filter(|t| t.state.stream(t.operator_brings_rows()) != Stream::Skip)
            .map(|t| (t.remote_id, t.row_width))
            .collect();
        let hands = if settings::read_ahead() { 2 } else { 1 };
        let limits = Limits {
            pointers: settings::batch_pointers(),
            bytes: STAGED_BYTES / hands,
        };
        let first = poll
            .portions
            .partition_point(|portion| last.is_some_and(|last| portion.id <= last));
        plan::batch(&poll.portions[first..], &poll.touched, &widths, limits)
    }

    /// Steps 3 to 5: fetch, apply, ack.
    fn take(&mut self, batch: &Batch, poll: &Poll, targets: &[Target]) -> Result<(), Error> {
        let members = self.members(batch, targets)?;
        let staged = match batch::stage(&self.source, &mut self.staging, batch, poll, members) {
            Ok(staged) => staged,
            Err(unread) => return self.unread(unread),
        };
        if !self.hand_has_reached(batch.from - 1)? {
            return Ok(());
        }
        let what = What::Portions {
            from: batch.from,
            to: batch.to,
            scn: batch.scn_to,
        };
        self.apply(what, &staged)?;
        shared::wake_hand(self.slot)?;
        self.ack(batch.to)
    }

    /// The tables of this shard that a batch touches and does not skip.
    fn members(&mut self, batch: &Batch, targets: &[Target]) -> Result<Vec<Member>, Error> {
        let mut members = Vec::new();
        for target in targets
            .iter()
            .filter(|t| batch.tables.contains(&t.remote_id))
        {
            let stream = target.state.stream(target.operator_brings_rows());
            let table = match stream {
                Stream::Skip => continue,
                Stream::Apply => match self.usable_table(target)? {
                    Some(table) => Some(table),
                    None => return Err(Error::new(Kind::Changed, "a table was paused")),
                },
                Stream::Hold => self.table(target).ok(),
            };
            members.push(Member {
                target: target.clone(),
                table,
                fetched: 0,
            });
        }
        Ok(members)
    }

    /// Step 5, after the commit is durable. A lost ack means a repeat.
    fn ack(&mut self, portion: i64) -> Result<(), Error> {
        self.call(|control, shard, token| control.ack(shard, token, portion))?;
        self.acked = Some(portion);
        self.renewed = Instant::now();
        // The second hand may have locked the row: then the next batch notes it with the progress.
        if self.ahead.is_empty() {
            // For people: losing it in a crash costs nothing, waiting for the disk would.
            tx::run_lazily("noting the ack", || source::acked(self.source.id, portion))?;
            self.noted = Some(portion);
        }
        Ok(())
    }

    fn renew_lease(&mut self, applied: i64) -> Result<(), Error> {
        let known = self.acked == Some(applied) && self.noted == self.acked;
        if known && self.renewed.elapsed() < RENEW {
            return Ok(());
        }
        self.ack(applied)
    }
}
