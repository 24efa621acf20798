//! The SQL functions: check arguments, call one thing. Signatures, defaults and comments are in
//! sql/03_functions.sql.
//!
//! They run as their caller. What touches the catalog of orapull runs as the superuser, by
//! [`as_superuser`], and contains no text of the caller; what touches tables of a source runs as the
//! owner of the source, of which the caller must be a member.

#![allow(clippy::result_large_err)] // pgrx's ErrorReport; anything else loses SQLSTATE and hint

use pgrx::datum::Interval;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use crate::catalog::source::{self, Adopt, Source};
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::register::{self, Load, Wanted, Wish};
use crate::state::SourceState;
use crate::worker::{shared, stop};
use crate::{compare, manage, sql, wait};

pub use crate::pull::tx::as_superuser;

pub fn caller() -> pg_sys::Oid {
    // SAFETY: reads a variable of the session.
    unsafe { pg_sys::GetUserId() }
}

fn database() -> pg_sys::Oid {
    // SAFETY: set when the session connected.
    unsafe { pg_sys::MyDatabaseId }
}

/// Only members of the owner may do something with a source.
pub fn require_member(source: &Source) -> Result<(), Error> {
    // SAFETY: both are oids of roles.
    if unsafe { pg_sys::has_privs_of_role(caller(), source.owner) } {
        return Ok(());
    }
    Err(Error::new(
        Kind::Forbidden,
        format!("source {} belongs to another role", source.name),
    )
    .hint("Become a member of its owner, which orapull.status shows."))
}

/// A source that the caller may work with.
fn own_source(name: &str) -> Result<Source, Error> {
    let source = as_superuser(|| source::by_name(name))?;
    require_member(&source)?;
    Ok(source)
}

/// A followed table that the caller may work with.
fn own_target(relation: pg_sys::Oid) -> Result<(Source, Target), Error> {
    let found = as_superuser(|| {
        let Some((source, target)) = target::by_relation(relation)? else {
            return Ok(None);
        };
        Ok(source::by_id(source)?.map(|source| (source, target)))
    })?;
    let Some((source, target)) = found else {
        let name = sql::first("SELECT $1::regclass::text", &[relation.into()], |row| {
            row.get::<String>(1)
        })?;
        return Err(Error::new(
            Kind::NotFound,
            format!(
                "{} does not follow a table of a source",
                name.unwrap_or_default()
            ),
        )
        .hint("SELECT * FROM orapull.tables shows what does."));
    };
    require_member(&source)?;
    Ok((source, target))
}

/// An argument that must be given. None of the functions is STRICT: one that did nothing would look like one that did it.
fn given<T>(name: &str, value: Option<T>) -> Result<T, Error> {
    value.ok_or_else(|| Error {
        origin: Some("22004".to_owned()),
        ..Error::new(Kind::BadArgument, format!("{name} must not be NULL"))
            .hint("Give it a value, or leave it out if it has a default.")
    })
}

fn look_now(source: i32) -> Result<(), Error> {
    shared::wake_at_commit(database(), source)
}

#[pg_extern(sql = false)]
fn create_source(
    name: Option<&str>,
    server: Option<&str>,
    shard: Option<&str>,
    remote_schema: Option<&str>,
) -> Result<(), ErrorReport> {
    manage::create_source(
        given("name", name)?,
        given("server", server)?,
        given("shard", shard)?,
        given("remote_schema", remote_schema)?,
    )?;
    Ok(shared::scan_at_commit(database())?)
}

#[pg_extern(sql = false)]
fn drop_source(name: Option<&str>, force: Option<bool>) -> Result<(), ErrorReport> {
    let force = given("force", force)?;
    let source = own_source(given("name", name)?)?;
    as_superuser(|| manage::drop_source(&source, force))?;
    Ok(look_now(source.id)?)
}

#[pg_extern(sql = false)]
fn advice(state: &str) -> Option<&'static str> {
    crate::state::advice(state)
}

#[pg_extern(sql = false)]
fn adopt(name: Option<&str>, force: Option<bool>) -> Result<(), ErrorReport> {
    let force = given("force", force)?;
    let source = own_source(given("name", name)?)?;
    let wish = if force { Adopt::Force } else { Adopt::Lease };
    as_superuser(|| {
        source::create_progress(source.id, SourceState::Starting)?;
        source::wish_adopt(source.id, wish)
    })?;
    Ok(look_now(source.id)?)
}

#[pg_extern(sql = false)]
#[allow(clippy::type_complexity)] // the columns of the function's result
fn check_source(
    name: Option<&str>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(check, String),
            name!(ok, bool),
            name!(found, String),
            name!(advice, Option<String>),
        ),
    >,
    ErrorReport,
> {
    let source = own_source(given("name", name)?)?;
    let rows: Vec<_> = crate::check::all(&source)
        .into_iter()
        .map(|c| {
            (
                c.check,
                c.ok,
                c.found,
                Some(c.advice).filter(|a| !a.is_empty()),
            )
        })
        .collect();
    Ok(TableIterator::new(rows))
}

#[pg_extern(sql = false)]
fn add_table(
    source: Option<&str>,
    remote: Option<&str>,
    relation: Option<pg_sys::Oid>,
    identity: Option<&str>,
    filter: Option<&str>,
    load: Option<&str>,
) -> Result<pg_sys::Oid, ErrorReport> {
    let source = given("source", source)?;
    let (owner, table) = register::split_name(given("remote", remote)?)?;
    let wanted = Wanted {
        owner,
        table,
        relation,
        identity: Wish::parse(given("identity", identity)?)?,
        filter,
        load: Load::parse(given("load", load)?)?,
    };
    let line = register::line(source)?;
    let prepared = register::prepare(&line, &wanted)?;
    let relation = register::follow(&line, &wanted, &prepared)?;
    look_now(line.source.id)?;
    Ok(relation)
}

#[pg_extern(sql = false)]
#[allow(clippy::type_complexity)] // the columns of the function's result
fn add_tables(
    source: Option<&str>,
    pattern: Option<&str>,
    identity: Option<&str>,
    filter: Option<&str>,
    load: Option<&str>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(remote, String),
            name!(relation, Option<pg_sys::Oid>),
            name!(added, bool),
            name!(reason, Option<String>),
        ),
    >,
    ErrorReport,
> {
    let (source, pattern) = (given("source", source)?, given("pattern", pattern)?);
    let identity = Wish::parse(given("identity", identity)?)?;
    let load = Load::parse(given("load", load)?)?;
    let line = register::line(source)?;
    let rows = register::add_matching(&line, pattern, identity, filter, load)?;
    look_now(line.source.id)?;
    Ok(TableIterator::new(rows.into_iter().map(|row| {
        (row.remote, row.relation, row.relation.is_some(), row.reason)
    })))
}

#[pg_extern(sql = false)]
fn drop_table(relation: Option<pg_sys::Oid>) -> Result<(), ErrorReport> {
    let (source, target) = own_target(given("relation", relation)?)?;
    as_superuser(|| manage::drop_table(&source, &target))?;
    Ok(look_now(source.id)?)
}

#[pg_extern(sql = false)]
fn pause(source: Option<&str>, relation: Option<pg_sys::Oid>) -> Result<(), ErrorReport> {
    wish(source, relation, "pause")
}

#[pg_extern(sql = false)]
fn resume(source: Option<&str>, relation: Option<pg_sys::Oid>) -> Result<(), ErrorReport> {
    wish(source, relation, "resume")
}

fn wish(
    source: Option<&str>,
    relation: Option<pg_sys::Oid>,
    wish: &str,
) -> Result<(), ErrorReport> {
    let source = own_source(given("source", source)?)?;
    as_superuser(|| manage::wish(&source, relation, wish))?;
    Ok(look_now(source.id)?)
}

#[pg_extern(sql = false)]
fn resync(relation: Option<pg_sys::Oid>) -> Result<(), ErrorReport> {
    let (source, target) = own_target(given("relation", relation)?)?;
    as_superuser(|| manage::resync(&target))?;
    Ok(look_now(source.id)?)
}

#[pg_extern(sql = false)]
fn retry_parked(relation: Option<pg_sys::Oid>) -> Result<i64, ErrorReport> {
    let (source, target) = own_target(given("relation", relation)?)?;
    let rows = as_superuser(|| manage::retry_parked(&target))?;
    look_now(source.id)?;
    Ok(rows)
}

#[pg_extern(sql = false)]
#[allow(clippy::type_complexity)] // the columns of the function's result
fn compare(
    relation: Option<pg_sys::Oid>,
    sample: Option<f64>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(difference, String),
            name!(identity, pgrx::JsonB),
            name!(detail, Option<pgrx::JsonB>),
        ),
    >,
    ErrorReport,
> {
    let (source, target) = own_target(given("relation", relation)?)?;
    let line = register::line(&source.name)?;
    let rows = compare::compare(&line, &target, given("sample", sample)?)?;
    Ok(TableIterator::new(rows.into_iter().map(|row| {
        (
            row.difference,
            pgrx::JsonB(row.identity),
            row.detail.map(pgrx::JsonB),
        )
    })))
}

#[pg_extern(sql = false)]
fn stop_workers(database: Option<&str>) -> Result<(), ErrorReport> {
    let database = manage::database(given("database", database)?)?;
    Ok(stop::stop_workers(database)?)
}

#[pg_extern(sql = false)]
fn start_workers(database: Option<&str>) -> Result<(), ErrorReport> {
    let database = manage::database(given("database", database)?)?;
    Ok(stop::start_workers(database)?)
}

/// Called by the install script: has the launcher look at this database.
#[pg_extern(sql = false)]
fn rescan() -> Result<(), ErrorReport> {
    Ok(shared::scan_at_commit(database())?)
}

#[pg_extern(sql = false)]
#[allow(clippy::type_complexity)] // the columns of the function's result
fn pull_now(
    source: Option<&str>,
    timeout: Option<Interval>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(portion_from, Option<i64>),
            name!(portion_to, Option<i64>),
            name!(pointers, i64),
            name!(upserted, i64),
            name!(deleted, i64),
            name!(unchanged, i64),
            name!(held, i64),
            name!(parked, i64),
        ),
    >,
    ErrorReport,
> {
    let timeout = wait::duration(&given("timeout", timeout)?)?;
    let source = own_source(given("source", source)?)?;
    let done = wait::pull_now(database(), &source, timeout)?;
    Ok(TableIterator::once((
        done.from,
        done.to,
        done.pointers,
        done.upserted,
        done.deleted,
        done.unchanged,
        done.held,
        done.parked,
    )))
}

#[pg_extern(sql = false)]
fn wait_for(
    source: Option<&str>,
    scn: Option<i64>,
    timeout: Option<Interval>,
) -> Result<(), ErrorReport> {
    let scn = given("scn", scn)?;
    let timeout = wait::duration(&given("timeout", timeout)?)?;
    let source = own_source(given("source", source)?)?;
    Ok(wait::wait_for(database(), &source, scn, timeout)?)
}

/// What shared memory knows of the pullers of this database; read by the view status.
#[pg_extern(sql = false)]
#[allow(clippy::type_complexity)] // the columns of the function's result
fn pullers() -> Result<
    TableIterator<
        'static,
        (
            name!(source_id, i32),
            name!(pid, Option<i32>),
            name!(failures, i32),
            name!(next_start, Option<TimestampWithTimeZone>),
            name!(no_worker_slot, bool),
            name!(last_portion, Option<i64>),
            name!(published_scn, Option<i64>),
            name!(mined_scn, Option<i64>),
            name!(current_scn, Option<i64>),
            name!(waiting_pointers, Option<i64>),
            name!(waiting_since, Option<TimestampWithTimeZone>),
            name!(polled_at, Option<TimestampWithTimeZone>),
        ),
    >,
    ErrorReport,
> {
    let ids = as_superuser(|| {
        sql::query(
            r#"SELECT "source_id" FROM "orapull"."source""#,
            &[],
            |row| row.get::<i32>(1),
        )
    })?;
    let mut rows = Vec::new();
    for id in ids {
        let puller = shared::puller(database(), id)?;
        let live = puller.and_then(|p| p.live);
        let no_worker_slot = match puller {
            Some(p) => p.no_worker_slot,
            None => shared::lacks_worker_slot(database())?,
        };
        rows.push((
            id,
            puller.map(|p| p.pid).filter(|pid| *pid != 0),
            puller.map_or(0, |p| p.failures as i32),
            puller
                .and_then(|p| TimestampWithTimeZone::try_from(p.next_start).ok())
                .filter(|t| t.is_finite()),
            no_worker_slot,
            live.map(|l| l.last_portion),
            live.map(|l| l.published_scn),
            live.map(|l| l.mined_scn),
            live.map(|l| l.current_scn),
            live.map(|l| l.waiting_pointers),
            live.and_then(|l| TimestampWithTimeZone::try_from(l.waiting_since?).ok()),
            live.and_then(|l| TimestampWithTimeZone::try_from(l.polled_at).ok()),
        ));
    }
    Ok(TableIterator::new(rows))
}
