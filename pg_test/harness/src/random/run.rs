//! One run: what it knows, what it has begun and must end, and how it reaches the servers.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context, Result};
use postgres::Client;

use super::acts::{self, Act};
use super::copies::{self, Copy};
use super::dice::Dice;
use super::journal::Journal;
use super::tables::{Slice, TABLES};
use super::work::Work;
use super::{converge, set_up};
use crate::bed::Bed;
use crate::cluster::Cluster;

/// Chaos and convergence come so often in a run.
const ROUNDS: u32 = 2;
const STEPS: u32 = 45;
/// Stops and starts of servers are slow: so many in a run.
const STOPS: u32 = 4;
/// What a session of the run at the source waits for a lock that another one of its sessions may hold.
const LOCK_TIMEOUT: &str = "SET lock_timeout = '300ms'";

pub struct Run<'a> {
    pub bed: &'a Bed,
    pub dice: Dice,
    pub journal: Journal,
    pub work: Work,
    pub shards: Vec<Shard>,
    pub acts: Vec<(Act, u64)>,
    pub stops_left: u32,
    /// Columns that were added to ITEMS at the source.
    pub added: Vec<String>,
    source: Option<Client>,
    /// Of each shard, of the owner and of the superuser.
    owners: Vec<Option<Client>>,
    superusers: Vec<Option<Client>>,
    unfinished: Vec<(u32, End)>,
    step: u32,
}

/// What the run knows of a shard.
pub struct Shard {
    pub up: bool,
    pub slices: [Slice; TABLES.len()],
    /// Why an operator may have to act.
    pub causes: BTreeSet<Cause>,
    /// Tables whose rows an added column has left behind: they need a load.
    pub behind: BTreeSet<usize>,
}

/// What a run has done to a shard that an operator must undo. Tables by their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    SourcePaused,
    Robbed,
    PasswordRefused,
    TransportLost,
    Paused(usize),
    Locked,
    Altered,
    Truncated(usize),
    Unlocatable(usize),
    Dropped(usize),
}

/// What was begun and has to end.
pub enum End {
    StartShard(usize),
    /// A session of a shard with a lock that a user forgot.
    Unlock(Client),
    /// A session of the source with a lock that keeps shards from reading a table.
    LetRead(usize, Client),
    /// An open transaction of the source, and whether it commits.
    Transaction(Client, bool),
    /// Something that the operator of a shard calls.
    Call(usize, String),
    /// A local table is altered, as the one at the source was.
    Alter(usize, String),
    AddTable(usize, usize),
    FindTransport,
    Copy(Copy),
    /// A copy that has taken the place of its shard.
    Stop(Cluster),
}

impl<'a> Run<'a> {
    pub fn new(bed: &'a Bed, seed: u64, journal: Journal) -> Self {
        let mut dice = Dice::new(seed);
        let shards = set_up::shards(bed, &mut dice);
        let acts = acts::weights(&mut dice);
        let sessions = || shards.iter().map(|_| None).collect();
        Self {
            bed,
            dice,
            journal,
            work: Work::new(),
            owners: sessions(),
            superusers: sessions(),
            shards,
            acts,
            stops_left: STOPS,
            added: Vec::new(),
            source: None,
            unfinished: Vec::new(),
            step: 0,
        }
    }

    /// Chaos, then convergence and comparison, and again.
    pub fn go(&mut self) -> Result<()> {
        set_up::begin(self)?;
        if self.dice.percent(50) {
            converge::until_equal(self)?;
        }
        for _ in 0..ROUNDS {
            for shard in 0..self.shards.len() {
                set_up::settings(self, shard)?;
            }
            for _ in 0..STEPS {
                self.step += 1;
                self.finish_what_is_due()?;
                acts::one(self)?;
                let pause = self.dice.below(40);
                std::thread::sleep(Duration::from_millis(pause));
            }
            converge::until_equal(self)?;
        }
        Ok(())
    }

    pub fn note(&mut self, text: &str) -> Result<()> {
        self.journal.note(text)
    }

    /// Runs statements at the source; gives whether it did. A refusal is a rolled back transaction like any other.
    pub fn at_source(&mut self, statements: &str) -> Result<bool> {
        let result = self
            .session()
            .and_then(|client| Ok(client.batch_execute(statements)?));
        match result {
            Ok(()) => {
                self.note(&format!("source: {statements}"))?;
                Ok(true)
            }
            Err(error) => {
                self.note(&format!("source, refused: {statements}\n  {error:#}"))?;
                // Lost, or in a failed transaction.
                self.source = None;
                Ok(false)
            }
        }
    }

    pub fn session(&mut self) -> Result<&mut Client> {
        if self.source.is_none() {
            self.source = Some(self.new_session()?);
        }
        self.source.as_mut().context("just connected")
    }

    /// A session of its own at the source.
    pub fn new_session(&self) -> Result<Client> {
        let mut client = self.bed.source()?;
        client.batch_execute(LOCK_TIMEOUT)?;
        Ok(client)
    }

    /// The sessions are gone with the server, and what they had open was rolled back.
    pub fn source_was_stopped(&mut self) {
        self.source = None;
        self.unfinished
            .retain(|(_, end)| !matches!(end, End::Transaction(..) | End::LetRead(..)));
    }

    /// The operator of a shard calls something; gives whether that worked.
    pub fn call(&mut self, shard: usize, sql: &str) -> Result<bool> {
        let bed = self.bed;
        let result = usable(&mut self.owners[shard], || bed.owner(shard))
            .and_then(|client| Ok(client.batch_execute(sql)?));
        self.told(shard, sql, result)
    }

    /// The superuser of a shard does something; gives whether that worked.
    pub fn as_superuser(&mut self, shard: usize, sql: &str) -> Result<bool> {
        let result = self
            .superuser(shard)
            .and_then(|client| Ok(client.batch_execute(sql)?));
        self.told(shard, sql, result)
    }

    pub fn superuser(&mut self, shard: usize) -> Result<&mut Client> {
        let bed = self.bed;
        usable(&mut self.superusers[shard], || bed.shard(shard))
    }

    fn told(&mut self, shard: usize, what: &str, result: Result<()>) -> Result<bool> {
        let number = shard + 1;
        match result {
            Ok(()) => self.note(&format!("shard {number}: {what}"))?,
            Err(ref error) => {
                self.note(&format!("shard {number}, refused: {what}\n  {error:#}"))?;
            }
        }
        Ok(result.is_ok())
    }

    /// Has something ended some steps later.
    pub fn later(&mut self, end: End) {
        let due = self.step + u32::try_from(self.dice.between(1, 12)).unwrap_or(1);
        self.unfinished.push((due, end));
    }

    /// Tables that no session of the run keeps from being read or changed.
    pub fn free_tables(&self) -> Vec<usize> {
        let blocked: Vec<usize> = self
            .unfinished
            .iter()
            .filter_map(|(_, end)| match end {
                End::LetRead(table, _) => Some(*table),
                _ => None,
            })
            .collect();
        (0..TABLES.len())
            .filter(|table| !blocked.contains(table))
            .collect()
    }

    fn finish_what_is_due(&mut self) -> Result<()> {
        let all = std::mem::take(&mut self.unfinished);
        for (due, end) in all {
            if due > self.step {
                self.unfinished.push((due, end));
            } else {
                self.finish(end)?;
            }
        }
        Ok(())
    }

    /// Ends everything that was begun. What is refused, because a server just came back, is tried again by the caller.
    pub fn finish_all(&mut self) -> Result<bool> {
        let all = std::mem::take(&mut self.unfinished);
        let (starts, others): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(_, end)| matches!(end, End::StartShard(_)));
        for (_, end) in starts.into_iter().chain(others) {
            self.finish(end)?;
        }
        Ok(self.unfinished.is_empty())
    }

    fn finish(&mut self, end: End) -> Result<()> {
        match end {
            End::StartShard(shard) => {
                self.note(&format!("shard {} starts", shard + 1))?;
                self.bed.shards[shard].cluster.start()?;
                self.shards[shard].up = true;
            }
            End::Unlock(client) => {
                self.note("a user's lock is gone")?;
                drop(client);
            }
            End::LetRead(table, mut client) => {
                let ended = client.batch_execute("COMMIT");
                self.note(&format!("{} can be read: {ended:?}", TABLES[table].name))?;
            }
            End::Transaction(mut client, commits) => {
                let how = if commits { "COMMIT" } else { "ROLLBACK" };
                let ended = client.batch_execute(how);
                self.note(&format!(
                    "source: the open transaction ends, {how}: {ended:?}"
                ))?;
            }
            // What is refused is moot: its table was dropped, or the operator finds the state later.
            End::Call(shard, sql) => {
                self.call(shard, &sql)?;
            }
            End::Alter(shard, sql) => {
                if !self.call(shard, &format!("SET lock_timeout = '2s'; {sql}"))? {
                    self.later(End::Alter(shard, sql));
                }
            }
            End::AddTable(shard, table) => {
                if !set_up::add_table(self, shard, table)? {
                    self.later(End::AddTable(shard, table));
                }
            }
            End::FindTransport => {
                self.at_source(r#"SELECT "TEST"."UNSET"('STATE')"#)?;
            }
            End::Copy(copy) => copies::end(self, copy)?,
            End::Stop(server) => {
                self.note(&format!("{} is stopped", server.name))?;
                drop(server);
            }
        }
        Ok(())
    }
}

/// The session that is kept, or another one when its server was stopped meanwhile.
fn usable(
    kept: &mut Option<Client>,
    connect: impl FnOnce() -> Result<Client>,
) -> Result<&mut Client> {
    if kept.as_ref().is_none_or(Client::is_closed) {
        *kept = Some(connect()?);
    }
    kept.as_mut().context("just connected")
}
