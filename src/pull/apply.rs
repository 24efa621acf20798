//! From staging tables into the targets: one purely local transaction for the data of all tables
//! and the progress. What fails is applied again with more care.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::catalog::parked::{self, Reason};
use crate::catalog::source::{self, Source};
use crate::catalog::{target, tree};
use crate::error::{Error, Kind};
use crate::pull::batch::{Member, Staged};
use crate::pull::marks::{self, Mark};
use crate::pull::misfit;
use crate::pull::statement;
use crate::pull::table::Table;
use crate::pull::tx;
use crate::settings;
use crate::source::control::Identity;
use crate::sql;
use crate::state::{SourceState, Stream};

/// What is being applied: portions, which move the progress, or the answer to a request.
pub enum What<'a> {
    Portions {
        from: i64,
        to: i64,
        scn: i64,
    },
    Request {
        id: i64,
        target: i32,
        asked: &'a [(Vec<u8>, i64)],
    },
}

/// Everything one apply needs; read only.
pub struct Job<'a> {
    pub source: &'a Source,
    pub epoch: i64,
    pub what: What<'a>,
    pub staged: &'a Staged,
    /// The last portion that was acked, to be noted with the progress.
    pub acked: Option<i64>,
    /// By the second hand.
    pub ahead: bool,
}

#[derive(Debug, Default, Clone, Copy)]
pub struct Counts {
    pub upserted: u64,
    pub deleted: u64,
    pub unchanged: u64,
    pub held: u64,
    pub parked: u64,
}

/// What was done, and what has to be looked at next.
#[derive(Default)]
pub struct Applied {
    pub counts: Counts,
    /// Targets whose table was altered at the source (D).
    pub altered: Vec<i32>,
    /// Targets whose staging table must be made anew.
    pub reshaped: Vec<i32>,
    /// Rows that made way for a unique value and will be asked.
    pub displaced: Vec<(i32, Identity)>,
}

/// How a table is applied; an error makes it more careful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Care {
    #[default]
    Plain,
    /// Rows that hold a unique value which another row wants make way first.
    MakeWay,
    /// Slices in subtransactions, halved around each bad row.
    Slices,
}

/// A table that cannot go on; the caller sees to it and drops the turn.
pub struct Stuck {
    pub target: i32,
    pub error: Error,
}

/// Applies a job. `tired` are rows that made way too often: they are parked instead.
pub fn apply(job: &Job, tired: &HashSet<(i32, Identity)>) -> Result<Result<Applied, Stuck>, Error> {
    let mut care: HashMap<i32, Care> = HashMap::new();
    loop {
        let at = Cell::new(None);
        let error = match tx::run("applying", || transaction(job, &care, tired, &at)) {
            Ok(applied) => return Ok(Ok(applied)),
            Err(error) => error,
        };
        let Some(target) = at.get() else {
            return Err(error);
        };
        let before = care.get(&target).copied().unwrap_or_default();
        let next = match (error.kind, before) {
            (Kind::Unique, Care::Plain) => Care::MakeWay,
            (Kind::Unique, Care::MakeWay) | (Kind::Value, Care::Plain | Care::MakeWay) => {
                Care::Slices
            }
            (Kind::Changed, _) => return Err(error),
            _ => return Ok(Err(Stuck { target, error })),
        };
        care.insert(target, next);
    }
}

/// Applies a job of pointers to rows that all fit; anything else fails, and nothing is written.
pub fn apply_plain(job: &Job) -> Result<(), Error> {
    tx::run("applying", || {
        transaction(job, &HashMap::new(), &HashSet::new(), &Cell::new(None))
    })?;
    Ok(())
}

fn transaction(
    job: &Job,
    care: &HashMap<i32, Care>,
    tired: &HashSet<(i32, Identity)>,
    at: &Cell<Option<i32>>,
) -> Result<Applied, Error> {
    let started = Instant::now();
    prove_entitled(job)?;
    for member in &job.staged.members {
        target::confirm(&member.target)?;
    }
    let marks = marks::staged()?;
    let mut applied = Applied::default();
    for member in &job.staged.members {
        at.set(Some(member.target.id));
        let how = care.get(&member.target.id).copied().unwrap_or_default();
        let counts = one_table(job, member, how, tired, &marks, &mut applied)?;
        applied.counts.add(counts);
    }
    at.set(None);
    progress(job)?;
    record(job, &applied.counts, started)?;
    Ok(applied)
}

/// A puller that was given up for dead, or that read with an older progress, must not write.
fn prove_entitled(job: &Job) -> Result<(), Error> {
    let progress = source::lock_progress(job.source.id)?;
    let entitled = progress.as_ref().is_some_and(|progress| {
        progress.epoch == job.epoch
            && match job.what {
                What::Portions { from, .. } => progress.applied == Some(from - 1),
                What::Request { .. } => true,
            }
    });
    if entitled {
        Ok(())
    } else {
        Err(Error::new(
            Kind::Changed,
            format!(
                "the progress of source {} changed meanwhile",
                job.source.name
            ),
        ))
    }
}

fn one_table(
    job: &Job,
    member: &Member,
    care: Care,
    tired: &HashSet<(i32, Identity)>,
    marks: &[Mark],
    applied: &mut Applied,
) -> Result<Counts, Error> {
    let target = &member.target;
    let mut truncated = false;
    for mark in marks
        .iter()
        .filter(|mark| mark.remote_id == target.remote_id)
    {
        match mark.kind.as_str() {
            "T" => truncated = true,
            "D" => applied.altered.push(target.id),
            _ => marks::incomplete(job.source, target, mark.note.as_deref())?,
        }
    }
    match (member.stream(), &member.table) {
        (Stream::Apply, Some(table)) => {
            let mut counts = Counts::default();
            if truncated {
                marks::empty(job.source, table)?;
            }
            if matches!(job.what, What::Portions { .. }) {
                // Before the rows are applied: one that does not fit is parked anew, and must stay.
                parked::unpark(target.id, target.remote_id)?;
            }
            make_equal(job, member, table, care, tired, &mut counts, applied)?;
            tree::check(target.relation)?;
            counts.parked += misfit::park_bad(&job.staged.bad, target)?;
            if counts.parked as i64 > settings::max_parked_rows() {
                return Err(misfit::too_many(counts.parked));
            }
            if counts.upserted + counts.deleted > 0 || truncated {
                target::count(target.id, counts.upserted, counts.deleted)?;
            }
            Ok(counts)
        }
        (Stream::Hold, _) => {
            if truncated {
                marks::truncated_while_held(job.source, target, member.table.as_ref())?;
            }
            let held = parked::hold(target.id, target.remote_id, Reason::Held)?;
            Ok(Counts {
                held,
                ..Counts::default()
            })
        }
        _ => Ok(Counts::default()),
    }
}

/// Deletes what is gone and upserts what is there.
fn make_equal(
    job: &Job,
    member: &Member,
    table: &Table,
    care: Care,
    tired: &HashSet<(i32, Identity)>,
    counts: &mut Counts,
    applied: &mut Applied,
) -> Result<(), Error> {
    counts.deleted += tx::as_owner(job.source.owner, || {
        sql::execute_saved(&statement::delete_gone(table), &[table.remote_id.into()])
    })?;
    if care != Care::Plain {
        let (displaced, parked) = misfit::make_way(job.source, table, tired)?;
        counts.deleted += displaced.len() as u64;
        counts.parked += parked;
        applied.displaced.extend(displaced);
    }
    let (written, failed) = if care == Care::Slices {
        applied.reshaped.push(table.target_id);
        misfit::upsert_in_slices(job.source, table)?
    } else {
        let written = tx::as_owner(job.source.owner, || {
            sql::execute_saved(&statement::upsert(table, false), &[])
        })?;
        (written, 0)
    };
    counts.upserted += written;
    counts.unchanged += member.fetched.saturating_sub(written + failed);
    counts.parked += failed;
    Ok(())
}

fn progress(job: &Job) -> Result<(), Error> {
    match job.what {
        What::Portions { to, scn, .. } => {
            source::advance(job.source.id, to, scn, job.acked)?;
            if job.ahead {
                return Ok(());
            }
            // Not after the commit: then the second hand may have locked the row.
            source::set_state(job.source.id, SourceState::Running, None)
        }
        What::Request { target, asked, .. } => parked::asked(
            target,
            asked,
            job.staged.now.current_scn,
            &job.staged.now.started_at,
        ),
    }
}

/// The last statement of the transaction: a lock on orapull.batch stops a turn just before its
/// progress is committed.
fn record(job: &Job, counts: &Counts, started: Instant) -> Result<(), Error> {
    let (from, to, request) = match job.what {
        What::Portions { from, to, .. } => (Some(from), Some(to), None),
        What::Request { id, .. } => (None, None, Some(id)),
    };
    let fetched: u64 = job.staged.members.iter().map(|member| member.fetched).sum();
    sql::execute_saved(
        r#"INSERT INTO "orapull"."batch" ("source_id", "portion_from", "portion_to", "request", "pointers", "fetched",
               "upserted", "deleted", "unchanged", "held", "parked", "fetch_ms", "apply_ms", "ahead")
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"#,
        &[
            job.source.id.into(),
            from.into(),
            to.into(),
            request.into(),
            (job.staged.pointers as i64).into(),
            (fetched as i64).into(),
            (counts.upserted as i64).into(),
            (counts.deleted as i64).into(),
            (counts.unchanged as i64).into(),
            (counts.held as i64).into(),
            (counts.parked as i64).into(),
            milliseconds(job.staged.took),
            milliseconds(started.elapsed()),
            job.ahead.into(),
        ],
    )?;
    Ok(())
}

fn milliseconds(time: Duration) -> sql::Arg<'static> {
    (time.as_secs_f64() * 1000.0).into()
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.upserted += other.upserted;
        self.deleted += other.deleted;
        self.unchanged += other.unchanged;
        self.held += other.held;
        self.parked += other.parked;
    }
}
