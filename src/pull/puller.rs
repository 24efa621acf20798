//! The puller: what it knows from one turn to the next, and what its steps share.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use pgrx::prelude::*;

use crate::catalog::chunk;
use crate::catalog::event;
use crate::catalog::relation;
use crate::catalog::source::{self, Source};
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::event::Event;
use crate::pull::ahead::Ahead;
use crate::pull::apply::Applied;
use crate::pull::batch::Member;
use crate::pull::forgotten::Doubt;
use crate::pull::made_way::MadeWay;
use crate::pull::poll::SourceNow;
use crate::pull::staging::Staging;
use crate::pull::table::Table;
use crate::pull::unread::Failures;
use crate::pull::{transition, tx};
use crate::settings;
use crate::source::control::{Control, Identity};
use crate::source::foreign;
use crate::state::{SourceState, Stream, TargetState};

/// How often held rows are counted.
const COUNT: Duration = Duration::from_secs(30);
/// How often old batches and events are deleted.
const CLEAN: Duration = Duration::from_secs(600);

/// A puller: one per source, alone in reading and applying it.
pub struct Puller {
    pub source: Source,
    pub epoch: i64,
    pub slot: usize,
    control: Option<Control>,
    pub staging: Staging,
    pub made_way: MadeWay<(i32, Identity)>,
    pub asked_last: i32,
    pub(super) unreadable: Failures,
    /// Tables whose load has stalled, and whose views were made anew since.
    pub(super) mended: HashSet<i32>,
    pub(super) doubt: Doubt,
    pub(super) token: i64,
    pub(super) acked: Option<i64>,
    /// What orapull.progress says of it, for people.
    pub(super) noted: Option<i64>,
    pub(super) renewed: Instant,
    pub(super) ahead: Ahead,
    cleaned: Instant,
    /// Tables that are left alone for a while, and since when.
    pub(super) resting: HashMap<i32, Instant>,
    counted: HashMap<i32, Instant>,
    /// Why tables were paused that resume by themselves, until something of theirs is applied.
    told: HashMap<i32, String>,
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
            unreadable: Failures::default(),
            mended: HashSet::new(),
            doubt: Doubt::Known,
            token: 0,
            acked: None,
            noted: None,
            renewed: Instant::now(),
            ahead: Ahead::default(),
            cleaned: Instant::now(),
            resting: HashMap::new(),
            counted: HashMap::new(),
            told: HashMap::new(),
        }
    }

    pub fn targets(&self) -> Result<Vec<Target>, Error> {
        tx::run("reading the catalog", || target::of_source(self.source.id))
    }

    /// After the commit of a batch or request.
    pub(super) fn applied(&mut self, members: &[Member], applied: Applied) -> Result<(), Error> {
        self.made_way.note(applied.displaced);
        for member in members {
            self.unreadable.forget(member.target.id);
            if member.stream() == Stream::Apply {
                self.told.remove(&member.target.id);
            }
        }
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

    /// Pauses a table, with an event; but for the same reason as when it resumed by itself, in vain, that is known.
    pub fn pause_table(
        &mut self,
        target: &Target,
        reason: &str,
        by_itself: bool,
    ) -> Result<(), Error> {
        let known = by_itself && self.told.get(&target.id).is_some_and(|told| told == reason);
        tx::run("pausing a table", || {
            target::transition(target, TargetState::Paused, Some(reason), by_itself)?;
            if known {
                return Ok(());
            }
            event::note(
                self.source.id,
                Some(target.id),
                Event::Paused(&target.name, reason),
                serde_json::json!({ "resumes by itself": by_itself }),
            )
        })
        // A loader or the second hand is writing: the next turn pauses it.
        .map_err(|error| match error.kind {
            Kind::Blocked => Error::new(
                Kind::Changed,
                format!(
                    "{} is being written, and is to be paused: {reason}",
                    target.name
                ),
            ),
            _ => error,
        })?;
        if by_itself {
            self.told.insert(target.id, reason.to_owned());
        }
        Ok(())
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

    /// Makes sure that there is a way to call the source, with the login as it is now.
    pub(super) fn connect(&mut self) -> Result<(), Error> {
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
                Event::Stopped(state, &error.to_string()),
                serde_json::json!({ "do": error.advice() }),
            )
        })
    }

    /// Notes that a turn went well; and, where the source publishes nothing new, why.
    pub(super) fn healthy(&self, now: &SourceNow) -> Result<(), Error> {
        let trouble = now.trouble();
        let news = tx::run("noting the state", || {
            source::runs(self.source.id, trouble.as_deref())
        })?;
        if let Some(trouble) = trouble.filter(|_| news) {
            log!("orapull: source {}: {trouble}", self.source.name);
        }
        Ok(())
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

    pub(super) fn clean_up(&mut self) -> Result<(), Error> {
        if self.cleaned.elapsed() > CLEAN {
            self.cleaned = Instant::now();
            tx::run("cleaning up", event::clean_up)?;
        }
        self.staging.renew()?;
        Ok(())
    }
}
