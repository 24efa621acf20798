//! Functions that wait for the puller.

use std::time::{Duration, Instant};

use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::api::as_superuser;
use crate::catalog::source::{self, Progress, Source};
use crate::error::{Error, Kind};
use crate::pull::poll;
use crate::sql;
use crate::state::SourceState;
use crate::worker::shared;

/// Between two looks at the progress.
const REST_MS: i64 = 10;

/// Rests a moment; serves interrupts.
pub fn rest() {
    // SAFETY: the latch of this session.
    unsafe {
        pg_sys::WaitLatch(
            pg_sys::MyLatch,
            (pg_sys::WL_LATCH_SET | pg_sys::WL_TIMEOUT | pg_sys::WL_EXIT_ON_PM_DEATH) as i32,
            REST_MS,
            pg_sys::PG_WAIT_EXTENSION,
        );
        pg_sys::ResetLatch(pg_sys::MyLatch);
    }
    pg_sys::check_for_interrupts!();
}

pub fn duration(interval: &Interval) -> Result<Duration, Error> {
    u64::try_from(interval.as_micros())
        .map(Duration::from_micros)
        .map_err(|_| Error::new(Kind::BadArgument, "the timeout must not be negative"))
}

/// A wait in a transaction that has written, or that sees an old snapshot, would wait for what can
/// never be seen.
fn may_wait() -> Result<(), Error> {
    // SAFETY: both read variables of the session.
    let (written, isolation) = unsafe {
        (
            pg_sys::GetTopTransactionIdIfAny() != pg_sys::InvalidTransactionId,
            pg_sys::XactIsoLevel,
        )
    };
    if written {
        return Err(Error::new(
            Kind::WrongState,
            "this transaction has already written: it would wait for a puller that may wait for it",
        )
        .hint("Commit first, then wait in a transaction of its own."));
    }
    if isolation > pg_sys::XACT_READ_COMMITTED as i32 {
        return Err(Error::new(
            Kind::WrongState,
            "waiting needs a READ COMMITTED transaction: others never see what is applied meanwhile",
        )
        .hint("Wait outside of this transaction, or begin one with ISOLATION LEVEL READ COMMITTED."));
    }
    Ok(())
}

/// Sums over the batches that were applied while waiting.
#[derive(Debug, Default)]
pub struct Done {
    pub from: Option<i64>,
    pub to: Option<i64>,
    pub pointers: i64,
    pub upserted: i64,
    pub deleted: i64,
    pub unchanged: i64,
    pub held: i64,
    pub parked: i64,
}

/// Waits until everything published now is applied and acked.
pub fn pull_now(database: pg_sys::Oid, source: &Source, timeout: Duration) -> Result<Done, Error> {
    may_wait()?;
    let before = progress(source)?.applied.unwrap_or(0);
    let last_batch = last_batch()?;
    let last = poll::source_now(source)?.last_portion;
    let until = Instant::now() + timeout;
    until_reached(
        database,
        source,
        until,
        &format!("portion {last}"),
        |progress| progress.acked.is_some_and(|acked| acked >= last),
    )?;
    done(source, before, last_batch)
}

/// Waits until this shard is equal to the source as of `scn`.
pub fn wait_for(
    database: pg_sys::Oid,
    source: &Source,
    scn: i64,
    timeout: Duration,
) -> Result<(), Error> {
    may_wait()?;
    let until = Instant::now() + timeout;
    until_reached(database, source, until, &format!("SCN {scn}"), |_| {
        reached_scn(database, source).is_ok_and(|reached| reached >= scn)
    })
}

/// The SCN up to which this shard is equal to the source.
fn reached_scn(database: pg_sys::Oid, source: &Source) -> Result<i64, Error> {
    let live = shared::live(database, source.id)?;
    let applied = as_superuser(|| {
        sql::first(
            r#"SELECT "applied_portion", "applied_scn" FROM "orapull"."progress" WHERE "source_id" = $1"#,
            &[source.id.into()],
            |row| Ok((row.optional::<i64>(1)?, row.optional::<i64>(2)?)),
        )
    })?;
    let (portion, scn) = applied.unwrap_or((None, None));
    Ok(match live {
        // All portions are in: nothing was committed up to what the source has published.
        Some(live) if portion.is_some_and(|p| p >= live.last_portion) => {
            live.published_scn.max(scn.unwrap_or(0))
        }
        _ => scn.unwrap_or(0),
    })
}

fn until_reached(
    database: pg_sys::Oid,
    source: &Source,
    until: Instant,
    what: &str,
    reached: impl Fn(&Progress) -> bool,
) -> Result<(), Error> {
    let mut woken = false;
    loop {
        let progress = progress(source)?;
        if reached(&progress) {
            return Ok(());
        }
        if progress.state.waits_for_operator() || progress.state == SourceState::Paused {
            return Err(Error::new(
                Kind::WrongState,
                format!(
                    "source {} is in state {}",
                    source.name,
                    progress.state.as_str()
                ),
            )
            .hint("SELECT message, hint FROM orapull.status tells why and what to do."));
        }
        if Instant::now() >= until {
            return Err(Error::new(
                Kind::Timeout,
                format!("source {} has not reached {what} in time", source.name),
            )
            .detail(format!(
                "Its state is {}, applied is portion {}.",
                progress.state.as_str(),
                progress
                    .applied
                    .map_or("none".to_owned(), |p| p.to_string())
            ))
            .hint("SELECT * FROM orapull.status shows how far it is."));
        }
        // One that cannot reach its source tries again after a pause that grows; a wait cuts it short once.
        if !woken || progress.state != SourceState::Unreachable {
            woken = shared::wake_puller(database, source.id)?;
        }
        rest();
    }
}

fn progress(source: &Source) -> Result<Progress, Error> {
    as_superuser(|| source::progress(source.id))?.ok_or_else(|| {
        Error::new(
            Kind::Copied,
            format!("source {} came with a restored dump", source.name),
        )
        .hint("SELECT orapull.adopt(source) takes it over.")
    })
}

fn last_batch() -> Result<i64, Error> {
    let last = as_superuser(|| {
        sql::first(
            r#"SELECT max("batch_id") FROM "orapull"."batch""#,
            &[],
            |row| row.optional::<i64>(1),
        )
    })?;
    Ok(last.flatten().unwrap_or(0))
}

fn done(source: &Source, before: i64, last_batch: i64) -> Result<Done, Error> {
    let done = as_superuser(|| {
        sql::first(
            r#"SELECT min("portion_from") FILTER (WHERE "portion_from" > $2), max("portion_to"),
                      coalesce(sum("pointers"), 0)::bigint, coalesce(sum("upserted"), 0)::bigint,
                      coalesce(sum("deleted"), 0)::bigint, coalesce(sum("unchanged"), 0)::bigint,
                      coalesce(sum("held"), 0)::bigint, coalesce(sum("parked"), 0)::bigint
               FROM "orapull"."batch" WHERE "source_id" = $1 AND "batch_id" > $3"#,
            &[source.id.into(), before.into(), last_batch.into()],
            |row| {
                Ok(Done {
                    from: row.optional(1)?,
                    to: row.optional(2)?,
                    pointers: row.get(3)?,
                    upserted: row.get(4)?,
                    deleted: row.get(5)?,
                    unchanged: row.get(6)?,
                    held: row.get(7)?,
                    parked: row.get(8)?,
                })
            },
        )
    })?;
    Ok(done.unwrap_or_default())
}
