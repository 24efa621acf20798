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

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::catalog::chunk;
use crate::catalog::relation;
use crate::catalog::source::{self, Progress, Source, Wish};
use crate::catalog::target::{self, Target};
use crate::catalog::{event, event::Severity};
use crate::error::{Error, Kind};
use crate::pull::apply::{Applied, Member, Stuck, What};
use crate::pull::fetch::{self, Staging};
use crate::pull::made_way::MadeWay;
use crate::pull::plan::{self, Batch, Limits, Portion, Touched};
use crate::pull::poll::{self, SourceNow};
use crate::pull::slice::Range;
use crate::pull::table::Table;
use crate::pull::{attach, leave, request, transition, tx};
use crate::settings;
use crate::source::control::{Control, Identity};
use crate::source::foreign;
use crate::state::{SourceState, Stream, TargetState};
use crate::worker::shared::{self, Live};

/// Declared bytes that one batch stages at most.
const BATCH_BYTES: i64 = 4 << 30;
/// How often an idle puller renews its lease.
const RENEW: Duration = Duration::from_secs(10);
/// How long a table that was blocked by a lock is left alone.
const REST: Duration = Duration::from_secs(10);
/// How often held rows are counted.
const COUNT: Duration = Duration::from_secs(30);
/// How old staging tables may grow: they pin the transaction-id horizon of the database.
const STAGING_AGE: Duration = Duration::from_secs(600);

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

/// A puller: one per source, alone in reading and applying it.
pub struct Puller {
    pub source: Source,
    pub epoch: i64,
    pub slot: usize,
    control: Option<Control>,
    pub staging: Staging,
    pub made_way: MadeWay<(i32, Identity)>,
    pub asked_last: i32,
    token: i64,
    acked: Option<i64>,
    renewed: Instant,
    staged_since: Instant,
    blocked: HashMap<i32, Instant>,
    counted: HashMap<i32, Instant>,
}

/// What a poll showed.
struct Poll {
    now: SourceNow,
    applied: i64,
    portions: Vec<Portion>,
    touched: Vec<Touched>,
}

impl Puller {
    pub fn new(source: Source, epoch: i64, slot: usize) -> Self {
        Puller {
            source,
            epoch,
            slot,
            control: None,
            staging: Staging::default(),
            made_way: MadeWay::default(),
            asked_last: 0,
            token: 0,
            acked: None,
            renewed: Instant::now(),
            staged_since: Instant::now(),
            blocked: HashMap::new(),
            counted: HashMap::new(),
        }
    }

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

    pub fn targets(&self) -> Result<Vec<Target>, Error> {
        tx::run("reading the catalog", || target::of_source(self.source.id))
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
        let pointers = fetch::pointers(&self.source, &range, &batch.tables, &bad)?;
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

    /// Rows of a table that could not be read: too many bad ones pause it, a table that was altered
    /// is looked at; else the turn is tried again.
    pub fn unread(&mut self, target: &Target, error: Error) -> Result<(), Error> {
        match error.kind {
            Kind::BadTarget => {
                self.pause_table(target, &error.to_string(), false)?;
                return Err(Error::new(
                    Kind::Changed,
                    format!("{} was paused: {error}", target.name),
                ));
            }
            Kind::Other | Kind::Contract | Kind::TableRefused => {
                transition::altered(self, std::slice::from_ref(target))?;
            }
            _ => {}
        }
        Err(error.context(&target.name))
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

    /// After the commit of a batch or request.
    pub(super) fn applied(&mut self, members: &[Member], applied: Applied) -> Result<(), Error> {
        self.made_way.note(applied.displaced);
        for target in applied.reshaped {
            self.staging.forget(target);
        }
        let altered: Vec<Target> = members
            .iter()
            .map(|m| &m.target)
            .filter(|t| applied.altered.contains(&t.id))
            .cloned()
            .collect();
        transition::altered(self, &altered)
    }

    /// A table that cannot be applied: it is paused, and the turn begins again with it held.
    pub(super) fn stuck(&mut self, members: &[Member], stuck: Stuck) -> Result<(), Error> {
        let Some(member) = members.iter().find(|m| m.target.id == stuck.target) else {
            return Err(stuck.error);
        };
        let blocked = stuck.error.kind == Kind::Blocked;
        let reason = if blocked {
            self.blocked.insert(stuck.target, Instant::now());
            leave::blocked_by(&member.target)?
        } else {
            stuck.error.to_string()
        };
        self.pause_table(&member.target, &reason, blocked)?;
        Err(Error::new(
            Kind::Changed,
            format!("{} was paused: {reason}", member.target.name),
        ))
    }

    pub fn pause_table(&self, target: &Target, reason: &str, by_itself: bool) -> Result<(), Error> {
        tx::run("pausing a table", || {
            target::transition(target, TargetState::Paused, Some(reason), by_itself)?;
            event::note(
                self.source.id,
                Some(target.id),
                Severity::Warning,
                &format!("{} is paused: {reason}", target.name),
                serde_json::json!({ "resumes by itself": by_itself }),
            )
        })
    }

    /// Whether a table that was blocked has been left alone long enough.
    pub fn rested(&self, target: i32) -> bool {
        self.blocked
            .get(&target)
            .is_none_or(|since| since.elapsed() > REST)
    }

    /// Whether the held rows of a table are to be counted again.
    pub fn time_to_count(&mut self, target: i32) -> bool {
        let due = self
            .counted
            .get(&target)
            .is_none_or(|last| last.elapsed() > COUNT);
        if due {
            self.counted.insert(target, Instant::now());
        }
        due
    }

    /// Step 5, after the commit is durable. A lost ack means a repeat.
    fn ack(&mut self, portion: i64) -> Result<(), Error> {
        self.call(|control, shard, token| control.ack(shard, token, portion))?;
        self.acked = Some(portion);
        self.renewed = Instant::now();
        tx::run("noting the ack", || {
            // For people: losing it in a crash costs nothing, waiting for the disk would.
            crate::sql::execute("SET LOCAL synchronous_commit = off", &[])?;
            source::acked(self.source.id, portion)
        })
    }

    fn renew_lease(&mut self, applied: i64) -> Result<(), Error> {
        if self.acked == Some(applied) && self.renewed.elapsed() < RENEW {
            return Ok(());
        }
        self.ack(applied)
    }

    /// Makes sure that there is a way to call the source, with the login as it is now.
    fn connect(&mut self) -> Result<(), Error> {
        if self.control.is_none() {
            let login = tx::run("reading the user mapping", || {
                foreign::login(&self.source.server, self.source.owner)
            })?;
            let control = Control::new(
                login,
                &self.source.remote_schema,
                settings::client_library_dir(),
                settings::call_timeout(),
            );
            // A call tells a refused password from a dead network, which a foreign table may not.
            control.ping()?;
            self.control = Some(control);
        }
        Ok(())
    }

    /// After a failure, or when settings changed: the next turn reads login and settings again.
    pub fn disconnect(&mut self) {
        self.control = None;
    }

    pub fn control(&self) -> Result<&Control, Error> {
        self.control
            .as_ref()
            .ok_or_else(|| Error::new(Kind::Bug, "a call before the puller has connected"))
    }

    /// A call with the shard's name and token.
    pub fn call<R>(
        &self,
        call: impl FnOnce(&Control, &str, i64) -> Result<R, Error>,
    ) -> Result<R, Error> {
        call(self.control()?, &self.source.shard, self.token)
    }

    pub fn set_state(&self, state: SourceState, error: Option<&Error>) -> Result<(), Error> {
        tx::run("noting the state", || {
            source::set_state(self.source.id, state, error)
        })
    }

    /// Notes the state after a failed turn; one that only an operator can end is an event.
    pub fn stopped(&self, state: SourceState, error: &Error) -> Result<(), Error> {
        self.set_state(state, Some(error))?;
        if !state.waits_for_operator() {
            return Ok(());
        }
        tx::run("noting an event", || {
            event::note(
                self.source.id,
                None,
                Severity::Error,
                &format!("{}: {error}", state.as_str()),
                serde_json::json!({ "do": error.hint }),
            )
        })
    }

    fn healthy(&self) -> Result<(), Error> {
        self.set_state(SourceState::Running, None)
    }

    /// The local table of a target as it is now: an operator may have mended it since the last batch.
    pub fn table(&self, target: &Target) -> Result<Table, Error> {
        tx::run("describing a table", || {
            relation::describe(&self.source, target)
        })
    }

    /// The same; a table that cannot be used is paused, and `None` comes back.
    pub fn usable_table(&mut self, target: &Target) -> Result<Option<Table>, Error> {
        match self.table(target) {
            Ok(table) => Ok(Some(table)),
            Err(error) if error.kind == Kind::BadTarget => {
                self.pause_table(target, &error.to_string(), false)?;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    pub fn forget(&mut self, target: i32) {
        self.staging.forget(target);
    }

    /// Registers a table again: idempotent, and its first registration may have been rolled back at
    /// the source's side of an interrupted add_table.
    pub fn register(&self, target: &Target) -> Result<i64, Error> {
        self.call(|control, shard, token| {
            control.register_table(
                shard,
                token,
                &target.remote_owner,
                &target.remote_table,
                &target.identity.to_uppercase(),
            )
        })
    }

    /// Whether another target of this source follows the same Oracle table.
    pub fn shared_remote(&self, target: &Target) -> Result<bool, Error> {
        Ok(self
            .targets()?
            .iter()
            .any(|other| other.id != target.id && other.remote_id == target.remote_id))
    }

    /// Chunks of all loading tables that are still to be read.
    pub fn open_chunks(&self) -> Result<usize, Error> {
        tx::run("counting chunks", || chunk::open_of_source(self.source.id))
    }

    fn renew_staging(&mut self) -> Result<(), Error> {
        if self.staged_since.elapsed() < STAGING_AGE {
            return Ok(());
        }
        self.staged_since = Instant::now();
        tx::run("cleaning up", event::clean_up)?;
        self.staging.drop_all()
    }
}
