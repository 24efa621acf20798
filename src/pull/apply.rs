//! From staging tables into the targets: one purely local transaction for the data of all tables
//! and the progress. What fails is narrowed down to rows, which are parked; the rest is applied.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::catalog::parked::{self, Reason};
use crate::catalog::source::{self, Source};
use crate::catalog::target::{self, Target};
use crate::catalog::{event, event::Severity};
use crate::error::{Error, Kind};
use crate::pull::batch::{Member, Staged};
use crate::pull::statement;
use crate::pull::table::Table;
use crate::pull::tx;
use crate::settings;
use crate::source::control::Identity;
use crate::sql;
use crate::state::{SourceState, Stream, TargetState};

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

/// A table that cannot go on; the caller pauses it and drops the turn.
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
            (Kind::Retry | Kind::Resources | Kind::Changed | Kind::Unreachable, _) => {
                return Err(error);
            }
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
    let notes = notes()?;
    let mut applied = Applied::default();
    for member in &job.staged.members {
        at.set(Some(member.target.id));
        let how = care.get(&member.target.id).copied().unwrap_or_default();
        let counts = one_table(job, member, how, tired, &notes, &mut applied)?;
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

/// Pointers that are not to rows: table, kind, note.
fn notes() -> Result<Vec<(i64, String, Option<String>)>, Error> {
    sql::query(
        r#"SELECT "table_id", "kind", min("note") FROM pg_temp."pointers" WHERE "kind" <> 'R'
           GROUP BY "table_id", "kind""#,
        &[],
        |row| Ok((row.get(1)?, row.get(2)?, row.optional(3)?)),
    )
}

fn one_table(
    job: &Job,
    member: &Member,
    care: Care,
    tired: &HashSet<(i32, Identity)>,
    notes: &[(i64, String, Option<String>)],
    applied: &mut Applied,
) -> Result<Counts, Error> {
    let target = &member.target;
    let mut truncated = false;
    for (_, kind, note) in notes.iter().filter(|(id, ..)| *id == target.remote_id) {
        match kind.as_str() {
            "T" => truncated = true,
            "D" => applied.altered.push(target.id),
            _ => incomplete(job.source, target, note.as_deref())?,
        }
    }
    match (member.stream(), &member.table) {
        (Stream::Apply, Some(table)) => {
            let mut counts = Counts::default();
            if truncated {
                as_owner(job.source, || sql::execute(&statement::empty(table), &[]))?;
            }
            if matches!(job.what, What::Portions { .. }) {
                // Before the rows are applied: one that does not fit is parked anew, and must stay.
                parked::unpark(target.id, target.remote_id)?;
            }
            make_equal(job, member, table, care, tired, &mut counts, applied)?;
            counts.parked += park_bad(job, target)?;
            if counts.parked as i64 > settings::max_parked_rows() {
                return Err(too_many(counts.parked));
            }
            if counts.upserted + counts.deleted > 0 || truncated {
                target::count(target.id, counts.upserted, counts.deleted)?;
            }
            Ok(counts)
        }
        (Stream::Hold, _) => {
            if truncated {
                truncated_while_held(job.source, target, member.table.as_ref())?;
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

/// Runs statements as the owner of the source. Deferred triggers fire before the switch back:
/// at the commit they would run as the superuser.
pub fn as_owner<R>(source: &Source, work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    tx::as_role(source.owner, || {
        let result = work()?;
        sql::execute("SET CONSTRAINTS ALL IMMEDIATE", &[])?;
        Ok(result)
    })
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
    counts.deleted += as_owner(job.source, || {
        sql::execute_saved(&statement::delete_gone(table), &[table.remote_id.into()])
    })?;
    if care != Care::Plain {
        make_way(job, table, tired, counts, applied)?;
    }
    let (written, failed) = if care == Care::Slices {
        applied.reshaped.push(table.target_id);
        upsert_in_slices(job.source, table)?
    } else {
        let written = as_owner(job.source, || {
            sql::execute_saved(&statement::upsert(table, false), &[])
        })?;
        (written, 0)
    };
    counts.upserted += written;
    counts.unchanged += member.fetched.saturating_sub(written + failed);
    counts.parked += failed;
    Ok(())
}

/// Upserts the staged rows that fit and parks the others; returns how many of each.
pub fn upsert_in_slices(source: &Source, table: &Table) -> Result<(u64, u64), Error> {
    let (written, failed) = as_owner(source, || slices(table))?;
    for (identity, error) in &failed {
        parked::park(table.target_id, identity, Reason::Parked, Some(error))?;
    }
    Ok((written, failed.len() as u64))
}

/// Rows that hold a value which a staged row wants in a secondary unique index are deleted and
/// asked again: at the source the value has moved, so they have changed as well.
fn make_way(
    job: &Job,
    table: &Table,
    tired: &HashSet<(i32, Identity)>,
    counts: &mut Counts,
    applied: &mut Applied,
) -> Result<(), Error> {
    for index in &table.uniques {
        let displaced = as_owner(job.source, || {
            sql::query(&statement::delete_colliding(table, index), &[], |row| {
                parked::identity(row, 1)
            })
        })?;
        for identity in displaced {
            counts.deleted += 1;
            let key = (table.target_id, identity);
            if tired.contains(&key) {
                let error = no_such_index(&index.name);
                parked::park(table.target_id, &key.1, Reason::Parked, Some(&error))?;
                counts.parked += 1;
                event::note(
                    job.source.id,
                    Some(table.target_id),
                    Severity::Warning,
                    &error.message,
                    serde_json::json!({ "index": index.name }),
                )?;
            } else {
                parked::park(table.target_id, &key.1, Reason::FetchAgain, None)?;
            }
            applied.displaced.push(key);
        }
    }
    Ok(())
}

fn no_such_index(index: &str) -> Error {
    Error::new(
        Kind::Unique,
        format!("rows of the source hold the same value of unique index {index}"),
    )
    .hint("The source has no such unique index, or not in the same form: drop it here and create it at cutover.")
}

/// Rows of one slice.
const SLICE: i64 = 1000;

/// Upserts slice by slice; returns rows written and the rows that cannot be.
fn slices(table: &Table) -> Result<(u64, Vec<(Identity, Error)>), Error> {
    for statement in statement::number_rows(table) {
        sql::execute(&statement, &[])?;
    }
    let rows = sql::first(&statement::count_rows(table), &[], |row| row.get::<i64>(1))?;
    let end = rows.unwrap_or(0) + 1;
    let mut todo: Vec<(i64, i64)> = (1..end)
        .step_by(SLICE as usize)
        .map(|from| (from, (from + SLICE).min(end)))
        .collect();
    let upsert = statement::upsert(table, true);
    let mut written = 0;
    let mut failed = Vec::new();
    while let Some((from, to)) = todo.pop() {
        match tx::subtransaction(|| sql::execute_saved(&upsert, &[from.into(), to.into()])) {
            Ok(n) => written += n,
            Err(error) if !matches!(error.kind, Kind::Value | Kind::Unique) => return Err(error),
            Err(error) if to - from == 1 => {
                failed.push((staged_identity(table, from)?, error));
                if failed.len() as i64 > settings::max_parked_rows() {
                    return Err(too_many(failed.len() as u64));
                }
            }
            Err(_) => {
                let middle = from + (to - from) / 2;
                todo.extend([(from, middle), (middle, to)]);
            }
        }
    }
    Ok((written, failed))
}

fn staged_identity(table: &Table, n: i64) -> Result<Identity, Error> {
    sql::first(&statement::staged_identity(table), &[n.into()], |row| {
        parked::identity(row, 1)
    })?
    .ok_or_else(|| Error::new(Kind::Bug, "a staged row vanished"))
}

fn too_many(parked: u64) -> Error {
    Error::new(
        Kind::BadTarget,
        format!("{parked} rows of one batch do not fit the table"),
    )
    .detail(format!(
        "More than orapull.max_parked_rows = {}.",
        settings::max_parked_rows()
    ))
    .hint("Mend the table (types, constraints), then SELECT orapull.resume(source, relation).")
}

/// Parks the pointers whose rows could not be read.
fn park_bad(job: &Job, target: &Target) -> Result<u64, Error> {
    let mut parked = 0;
    for bad in job.staged.bad.iter().filter(|bad| bad.target == target.id) {
        let identity = sql::first(
            r#"SELECT "row_id", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8" FROM pg_temp."pointers"
               WHERE "table_id" = $1 AND "portion" = $2 AND "ptr" = $3"#,
            &[bad.remote_id.into(), bad.portion.into(), bad.ptr.into()],
            |row| parked::identity(row, 1),
        )?;
        if let Some(identity) = identity {
            parked::park(target.id, &identity, Reason::Parked, Some(&bad.error))?;
            parked += 1;
        }
    }
    Ok(parked)
}

/// T while pointers are held: what was loaded so far is gone at the source.
fn truncated_while_held(
    source: &Source,
    target: &Target,
    table: Option<&Table>,
) -> Result<(), Error> {
    if target.state == TargetState::Loading {
        if let Some(table) = table {
            as_owner(source, || sql::execute(&statement::empty(table), &[]))?;
        }
        // A table that cannot be used now cannot be emptied: what the load does not see is deleted then.
        target::start_load(
            target,
            target.resync || table.is_none(),
            "truncated at the source while it was loading",
        )
    } else {
        target::transition(
            target,
            TargetState::NeedsResync,
            Some("truncated at the source while its pointers were held"),
            false,
        )
    }
}

/// U: rows changed that the source cannot name.
fn incomplete(source: &Source, target: &Target, note: Option<&str>) -> Result<(), Error> {
    let reason = note.unwrap_or("rows changed in a way that the source cannot locate");
    target::mark_incomplete(target.id, reason)?;
    event::note(
        source.id,
        Some(target.id),
        Severity::Warning,
        &format!("{} is incomplete: {reason}", target.name),
        serde_json::json!({ "do": "SELECT orapull.resync(relation)" }),
    )?;
    if settings::auto_resync() {
        sql::execute(
            r#"UPDATE "orapull"."target" SET "resync_wish" = "resync_wish" + 1 WHERE "target_id" = $1"#,
            &[target.id.into()],
        )?;
    }
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
