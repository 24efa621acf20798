//! Loading: a loader takes chunks of tables that are loading until there are none, and ends resyncs.
//!
//! Read like a batch (rows, second look, one local transaction), but pointers are not involved:
//! those of a loading table are held. A chunk is claimed on the board, where the claim dies with its
//! loader.

use std::time::{Duration, Instant};

use pgrx::prelude::*;

use crate::catalog::chunk;
use crate::catalog::parked::{self, Reason};
use crate::catalog::relation;
use crate::catalog::source::{self, Source};
use crate::catalog::target::{self, Target};
use crate::catalog::tree;
use crate::error::{Action, Error, Kind};
use crate::pull::fetch;
use crate::pull::leftover;
use crate::pull::misfit;
use crate::pull::poll::{self, SourceNow};
use crate::pull::staging::Staging;
use crate::pull::statement;
use crate::pull::table::Table;
use crate::pull::unread::{Failures, PATIENCE};
use crate::pull::{trouble, tx};
use crate::settings;
use crate::sql;
use crate::state::TargetState;
use crate::worker::shared;

pub struct Loader {
    source: i32,
    /// Its place on the board.
    slot: usize,
    staging: Staging,
    unreadable: Failures,
}

/// What a look for work found.
pub enum Found {
    /// A chunk was read and applied; so many rows in so much time.
    Chunk {
        rows: u64,
        took: Duration,
    },
    /// A chunk that cannot be read or applied now; why is noted with its table.
    Stalled,
    Nothing,
}

/// A chunk that this loader has claimed.
struct Claim {
    source: Source,
    target: Target,
    chunk: i32,
}

impl Loader {
    pub fn new(source: i32, slot: usize) -> Self {
        Loader {
            source,
            slot,
            staging: Staging::default(),
            unreadable: Failures::default(),
        }
    }

    /// Reads and applies one chunk, if one is left.
    pub fn work(&mut self) -> Result<Found, Error> {
        let Some(claim) = tx::run("looking for a chunk", || claim(self.source, self.slot))? else {
            return Ok(Found::Nothing);
        };
        let started = Instant::now();
        let loaded = self.load(&claim);
        let paused = match &loaded {
            Err(error) => self.give_up(&claim, error)?,
            Ok(_) => false,
        };
        shared::release_chunk(self.slot)?;
        match loaded {
            Err(error) if !paused && stalls(error.kind) => {
                stall(&claim, &error)?;
                return Ok(Found::Stalled);
            }
            Ok(_) if claim.target.stalled => {
                tx::run("going on with a load", || target::goes_on(&claim.target))?;
            }
            _ => {}
        }
        let rows = loaded.map_err(|error| error.context(&claim.target.name))?;
        self.unreadable.forget(claim.target.id);
        Ok(Found::Chunk {
            rows,
            took: started.elapsed(),
        })
    }

    fn load(&mut self, claim: &Claim) -> Result<u64, Error> {
        let Claim { source, target, .. } = claim;
        if claim.chunk == chunk::LEFTOVER {
            return leftover::hold(source, target, &mut self.staging).map_err(Error::of_local_work);
        }
        let table = tx::run("describing a table", || relation::describe(source, target))?;
        self.staging.prepare(source, &[&table])?;
        let before = tx::run("looking who the source is", || poll::source_now(source))?;
        let rows = match fetch_chunk(claim, &table) {
            Err(error) if error.kind == Kind::Value => return hold_chunk(claim, &table, &before),
            Err(error) => return Err(unread(claim, error)),
            Ok(rows) => rows,
        };
        let now = look_again(claim, &before)?;
        let applied = apply(claim, &table, rows, &now, false);
        match applied {
            Err(error) if matches!(error.kind, Kind::Value | Kind::Unique) => {
                let applied = apply(claim, &table, rows, &now, true);
                self.staging.forget(target.id);
                applied.map_err(Error::of_local_work)?;
            }
            other => other.map_err(Error::of_local_work)?,
        }
        Ok(rows)
    }

    /// A table that cannot be loaded is paused, so that it is seen and the others go on. True: it is.
    fn give_up(&mut self, claim: &Claim, error: &Error) -> Result<bool, Error> {
        let target = &claim.target;
        let hopeless = match (error.kind, error.kind.action()) {
            (Kind::BadTarget | Kind::Bug, _) => true,
            (Kind::Blocked, _) | (_, Action::Retry | Action::Stop) => false,
            (_, Action::PauseTable | Action::Park) => {
                self.unreadable.one_more(target.id) >= PATIENCE
            }
        };
        if hopeless {
            self.unreadable.forget(target.id);
            tx::run("pausing a table", || {
                target::transition(target, TargetState::Paused, Some(&error.to_string()), false)
            })?;
        }
        Ok(hopeless)
    }

    pub fn finish(&mut self) -> Result<(), Error> {
        self.staging.drop_all()
    }
}

/// Whether a load that failed so goes on by itself once the cause is gone.
fn stalls(kind: Kind) -> bool {
    let at_once = matches!(kind, Kind::Changed | Kind::Forgotten);
    kind.action() != Action::Stop && !at_once
}

/// Says once why a load does not go on, however often it is tried.
fn stall(claim: &Claim, error: &Error) -> Result<(), Error> {
    let why = trouble::why(&claim.target, error)?;
    if tx::run("noting a stall", || target::stall(&claim.target, &why))? {
        let (source, table) = (&claim.source.name, &claim.target.name);
        log!("orapull: source {source}: loading {table}: {why}");
    }
    Ok(())
}

fn claim(source: i32, slot: usize) -> Result<Option<Claim>, Error> {
    if !source::is_followed(source)? {
        return Ok(None);
    }
    let Some(source) = source::by_id(source)? else {
        return Ok(None);
    };
    for target in target::of_source(source.id)? {
        if target.state != TargetState::Loading || target.plan_id.is_none() {
            continue;
        }
        let mut open = chunk::open(target.id, target.generation)?;
        if open.is_empty() && chunk::is_at_its_end(target.id)? {
            open.push(chunk::LEFTOVER);
        }
        for chunk in open {
            if shared::claim_chunk(slot, target.id, chunk)? {
                return Ok(Some(Claim {
                    source,
                    target,
                    chunk,
                }));
            }
        }
    }
    Ok(None)
}

fn plan_of(claim: &Claim) -> Result<i64, Error> {
    claim
        .target
        .plan_id
        .ok_or_else(|| Error::new(Kind::Bug, "a claimed chunk without a plan"))
}

fn fetch_chunk(claim: &Claim, table: &Table) -> Result<u64, Error> {
    let plan = plan_of(claim)?;
    let what = format!("reading chunk {} of {}", claim.chunk, claim.target.name);
    tx::run(&what, || {
        sql::execute(&statement::truncate_rows(table), &[])?;
        tx::as_owner(claim.source.owner, || {
            sql::execute_saved(
                &statement::fetch_chunk(table),
                &[plan.into(), i64::from(claim.chunk).into()],
            )
        })
    })
}

/// Why a chunk could not be read. A table that was altered is not at fault: the puller looks at it.
fn unread(claim: &Claim, error: Error) -> Error {
    if error.kind != Kind::Other {
        return error;
    }
    let look = tx::run("looking again", || {
        fetch::check_shapes(&claim.source, &[&claim.target])
    });
    look.err().unwrap_or(error)
}

/// A chunk with a value that cannot be read: its identities are held and asked, request by request,
/// in which the bad rows are found and parked.
fn hold_chunk(claim: &Claim, table: &Table, before: &SourceNow) -> Result<u64, Error> {
    let plan = plan_of(claim)?;
    let rows = tx::run("reading the identities of a chunk", || {
        sql::execute("TRUNCATE pg_temp.\"pointers\"", &[])?;
        tx::as_owner(claim.source.owner, || {
            sql::execute_saved(
                &statement::fetch_chunk_identities(table),
                &[plan.into(), i64::from(claim.chunk).into()],
            )
        })
    })
    .map_err(|error| error.context("reading the keys of a chunk"))?;
    let now = look_again(claim, before)?;
    tx::run("holding a chunk", || {
        parked::hold(claim.target.id, claim.target.remote_id, Reason::Held)?;
        note_chunk(claim, rows, &now)
    })?;
    Ok(rows)
}

/// After the rows: the plan was there, the table has the same shape, the source was not started again;
/// and the SCN up to which it must have mined before the chunk is done.
fn look_again(claim: &Claim, before: &SourceNow) -> Result<SourceNow, Error> {
    let plan = plan_of(claim)?;
    let (known, now, progress) = tx::run("looking again", || {
        let known = poll::plan_known(&claim.source, plan)?;
        if known {
            fetch::check_shapes(&claim.source, &[&claim.target])?;
        }
        let now = poll::source_now(&claim.source)?;
        Ok((known, now, source::progress(claim.source.id)?))
    })?;
    match progress {
        Some(progress) => poll::check_source(&now, &progress)?,
        None => {
            return Err(Error::new(
                Kind::Changed,
                "the source is not followed any more",
            ));
        }
    }
    if !known {
        tx::run("forgetting a plan", || {
            target::lock(&claim.target)?;
            chunk::forget_plan(claim.target.id)
        })?;
        return Err(Error::new(
            Kind::Forgotten,
            format!("the source does not know plan {plan} any more: planning again"),
        ));
    }
    before.same_instance(&now)?;
    Ok(now)
}

fn apply(
    claim: &Claim,
    table: &Table,
    rows: u64,
    now: &SourceNow,
    in_slices: bool,
) -> Result<(), Error> {
    let Claim { source, target, .. } = claim;
    tx::run("applying a chunk", || {
        let written = if in_slices {
            misfit::upsert_in_slices(source, table)?.0
        } else {
            tx::as_owner(source.owner, || {
                sql::execute_saved(&statement::upsert(table, false), &[])
            })?
        };
        tree::check(target.relation)?;
        if target.resync {
            sql::execute("TRUNCATE pg_temp.\"seen\"", &[])?;
            tx::as_owner(source.owner, || {
                sql::execute_saved(&statement::see(table), &[])
            })?;
            chunk::keep_seen(target.id, target.generation)?;
        }
        if written > 0 {
            target::count(target.id, written, 0)?;
        }
        note_chunk(claim, rows, now)
    })
}

/// At the end of the transaction of the rows: whoever changes the state waits from here on, and would wait for all of
/// them. Was this loader taken for dead and replaced, or the table emptied? Then the generation is another one, or the
/// state, or the plan, and nothing is written.
fn note_chunk(claim: &Claim, rows: u64, now: &SourceNow) -> Result<(), Error> {
    target::confirm(&claim.target)?;
    let first = chunk::applied(
        claim.target.id,
        claim.target.generation,
        claim.chunk,
        rows as i64,
        now.current_scn,
        &now.started_at,
    )?;
    if first {
        return Ok(());
    }
    Err(Error::new(
        Kind::Changed,
        "the chunk was applied by another loader",
    ))
}

/// How long to rest after a chunk so that this source is not read faster than allowed.
pub fn rest(rows: u64, took: Duration, loaders: usize) -> Duration {
    match settings::load_rows_per_second() {
        None => Duration::ZERO,
        Some(limit) => {
            let share = (limit as f64 / loaders.max(1) as f64).max(1.0);
            Duration::from_secs_f64(rows as f64 / share).saturating_sub(took)
        }
    }
}
