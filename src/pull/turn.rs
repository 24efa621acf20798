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

use crate::catalog::source::{self, Progress, Wish};
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::apply::{Member, What};
use crate::pull::fetch;
use crate::pull::plan::{self, Batch, Limits, Portion, Touched};
use crate::pull::poll::{self, SourceNow};
use crate::pull::puller::Puller;
use crate::pull::slice::Range;
use crate::pull::table::Table;
use crate::pull::{attach, leave, request, transition, tx};
use crate::settings;
use crate::sql;
use crate::source::contract::KEY_COLUMNS;
use crate::state::{SourceState, Stream};
use crate::worker::shared::{self, Live};

/// Declared bytes that one batch stages at most.
const BATCH_BYTES: i64 = 4 << 30;
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

/// What a poll showed.
struct Poll {
    now: SourceNow,
    applied: i64,
    portions: Vec<Portion>,
    touched: Vec<Touched>,
}

impl Puller {
    /// One turn.
    pub fn turn(&mut self) -> Result<Outcome, Error> {
        let Some(progress) = self.ready()? else {
            return Ok(self.resting());
        };
        let poll = self.poll(&progress)?;
        transition::all(self, &poll.now, &self.targets()?)?;
        // Targets are read after PORTION_V, never from an earlier turn: a portion that was published
        // before a table was added must not be taken for one that has no target here.
        let targets = self.targets()?;
        let mut busy = false;
        match self.plan(&poll, &targets) {
            Some(batch) => {
                self.take(&batch, &poll, &targets)?;
                busy = true;
            }
            None => self.renew_lease(poll.applied)?,
        }
        self.healthy()?;
        busy |= request::take(self, &poll.now, &targets)?;
        self.renew_staging()?;
        Ok(if busy { Outcome::Busy } else { Outcome::Idle })
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
        if progress.epoch != self.epoch {
            return Ok(None);
        }
        let mut state = progress.state;
        match self.source.wished {
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
            self.acked = progress.applied;
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
        let (now, portions, touched) = tx::run("polling", || {
            let now = poll::source_now(&self.source)?;
            let (portions, touched) = poll::portions(&self.source, applied)?;
            Ok((now, portions, touched))
        })?;
        poll::check_source(&now, progress)?;
        poll::check_portions(&now, &portions, applied)?;
        shared::publish_live(
            self.slot,
            Live {
                last_portion: now.last_portion,
                published_scn: now.published_scn,
                mined_scn: now.mined_scn,
                current_scn: now.current_scn,
                oldest_tx_scn: now.oldest_tx_scn,
                waiting_pointers: portions.iter().map(|p| p.pointers).sum(),
                polled_at: shared::now(),
            },
        )?;
        Ok(Poll {
            now,
            applied,
            portions,
            touched,
        })
    }

    /// Step 2: which portions form this batch, and which tables they touch.
    fn plan(&self, poll: &Poll, targets: &[Target]) -> Option<Batch> {
        let widths = targets
            .iter()
            .filter(|t| t.state.stream(t.operator_brings_rows()) != Stream::Skip)
            .map(|t| (t.remote_id, t.row_width))
            .collect();
        let limits = Limits {
            pointers: settings::batch_pointers(),
            bytes: BATCH_BYTES,
        };
        plan::batch(&poll.portions, &poll.touched, &widths, limits)
    }

    /// Steps 3 to 5: fetch, apply, ack.
    fn take(&mut self, batch: &Batch, poll: &Poll, targets: &[Target]) -> Result<(), Error> {
        let started = Instant::now();
        let range = Range {
            slots: batch.slots.clone(),
            from: batch.from,
            to: batch.to,
        };
        let mut members = self.members(batch, targets)?;
        let tables: Vec<&Table> = members.iter().filter_map(|m| m.table.as_ref()).collect();
        self.staging.prepare(&self.source, &tables)?;
        let mut bad = Vec::new();
        for member in &mut members {
            if member.stream() == Stream::Apply
                && let Some(table) = &member.table
            {
                let rows = fetch::rows(&self.source, table, &range, &mut bad);
                member.fetched = match rows {
                    Ok(rows) => rows,
                    Err(error) => return self.unread(&member.target.clone(), error),
                };
            }
        }
        let keys = widest_key(&members);
        let pointers = fetch::pointers(&self.source, &range, &batch.tables, keys, &bad)?;
        let now = if members.is_empty() {
            poll.now.clone()
        } else {
            let expected: Vec<Portion> = poll
                .portions
                .iter()
                .filter(|p| p.id <= batch.to)
                .cloned()
                .collect();
            let read: Vec<&Target> = members
                .iter()
                .filter(|m| m.stream() == Stream::Apply)
                .map(|m| &m.target)
                .collect();
            self.look_again(&range, &expected, &poll.now, &read)?
        };
        let what = What::Portions {
            from: batch.from,
            to: batch.to,
            scn: batch.scn_to,
        };
        self.apply(what, &members, &bad, pointers, started.elapsed(), &now)?;
        self.ack(batch.to)
    }

    fn look_again(
        &mut self,
        range: &Range,
        expected: &[Portion],
        before: &SourceNow,
        read: &[&Target],
    ) -> Result<SourceNow, Error> {
        match fetch::second_look(&self.source, range, expected, before, read) {
            Err(error) if error.kind == Kind::Changed => {
                let altered: Vec<Target> = read.iter().map(|t| (*t).clone()).collect();
                transition::altered(self, &altered)?;
                Err(error)
            }
            other => other,
        }
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
        tx::run("noting the ack", || {
            // For people: losing it in a crash costs nothing, waiting for the disk would.
            sql::execute("SET LOCAL synchronous_commit = off", &[])?;
            source::acked(self.source.id, portion)
        })
    }

    fn renew_lease(&mut self, applied: i64) -> Result<(), Error> {
        if self.acked == Some(applied) && self.renewed.elapsed() < RENEW {
            return Ok(());
        }
        self.ack(applied)
    }
}

/// How many of K1..K8 the pointers of a batch can have. The second look proves the key of a table
/// that is applied, not of one that is held.
fn widest_key(members: &[Member]) -> usize {
    let keys = members.iter().map(|member| match member.stream() {
        Stream::Apply => member.target.key_columns.len(),
        _ => KEY_COLUMNS,
    });
    keys.max().unwrap_or(0)
}
