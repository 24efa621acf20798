//! orapull.target and orapull.target_state.

use pgrx::JsonB;
use pgrx::prelude::*;
use serde::{Deserialize, Serialize};

use crate::catalog::CASCADE;
use crate::catalog::source::Wish;
use crate::error::{Error, Kind};
use crate::source::keys::KeyKind;
use crate::sql::{self, Row};
use crate::state::TargetState;

/// A table of this shard: what is wished, and its state.
#[derive(Debug, Clone)]
pub struct Target {
    pub id: i32,
    pub relation: pg_sys::Oid,
    /// As text, for messages; a number when the table was dropped.
    pub name: String,
    pub remote_owner: String,
    pub remote_table: String,
    pub identity: String,
    pub filter: Option<String>,
    pub load: String,
    pub wished: Wish,
    pub resync_wish: i64,
    pub retry_wish: i64,
    pub state: TargetState,
    pub by_itself: bool,
    pub remote_id: i64,
    pub shape: String,
    pub generation: i64,
    pub resync: bool,
    pub resync_done: i64,
    pub resync_due: bool,
    pub retry_done: i64,
    pub plan_id: Option<i64>,
    /// Its load did not go on when it was looked at last.
    pub stalled: bool,
    /// Columns of K1 .. K8; empty in ROWID identity.
    pub key_columns: Vec<KeyColumn>,
    /// Declared bytes of a row.
    pub row_width: i64,
}

/// A column of the identity, as kept in `orapull.target_state.key_columns`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyColumn {
    pub name: String,
    pub kind: KeyKind,
    /// See [`crate::source::keys::length`].
    pub length: i64,
}

impl Target {
    /// `load => 'none'` and not loaded since: the operator brings the rows.
    pub fn operator_brings_rows(&self) -> bool {
        self.load == "none" && self.generation == 0
    }

    /// It is to be loaded again: an operator wishes it, or the puller has found it necessary.
    pub fn needs_load(&self) -> bool {
        self.resync_due || self.resync_wish > self.resync_done
    }
}

const TARGET: &str = r#"SELECT t."target_id", t."relation"::oid, t."relation"::text, t."remote_owner", t."remote_table",
    t."identity", t."filter", t."load", t."wished", t."resync_wish", coalesce(s."state", 'needs_resync'),
    coalesce(s."by_itself", false), coalesce(s."remote_id", 0), coalesce(s."shape", ''),
    coalesce(s."generation", 0), coalesce(s."resync", false), coalesce(s."resync_done", 0), s."plan_id",
    s."stalled" IS NOT NULL, coalesce(s."key_columns", '[]')::text, coalesce(s."row_width", 0),
    coalesce(s."resync_due", false), t."retry_wish", coalesce(s."retry_done", 0)
    FROM "orapull"."target" t LEFT JOIN "orapull"."target_state" s USING ("target_id")"#;

fn target(row: &Row) -> Result<Target, Error> {
    Ok(Target {
        id: row.get(1)?,
        relation: row.get(2)?,
        name: row.get(3)?,
        remote_owner: row.get(4)?,
        remote_table: row.get(5)?,
        identity: row.get(6)?,
        filter: row.optional(7)?,
        load: row.get(8)?,
        wished: Wish::parse(&row.get::<String>(9)?)?,
        resync_wish: row.get(10)?,
        state: TargetState::parse(&row.get::<String>(11)?)?,
        by_itself: row.get(12)?,
        remote_id: row.get(13)?,
        shape: row.get(14)?,
        generation: row.get(15)?,
        resync: row.get(16)?,
        resync_done: row.get(17)?,
        plan_id: row.optional(18)?,
        stalled: row.get(19)?,
        key_columns: key_columns(&row.get::<String>(20)?)?,
        row_width: row.get(21)?,
        resync_due: row.get(22)?,
        retry_wish: row.get(23)?,
        retry_done: row.get(24)?,
    })
}

fn key_columns(json: &str) -> Result<Vec<KeyColumn>, Error> {
    serde_json::from_str(json)
        .map_err(|error| Error::new(Kind::Bug, format!("target_state.key_columns: {error}")))
}

/// All tables of a source.
pub fn of_source(source: i32) -> Result<Vec<Target>, Error> {
    sql::query(
        &format!(r#"{TARGET} WHERE t."source_id" = $1 ORDER BY t."target_id""#),
        &[source.into()],
        target,
    )
}

/// The table that follows into `relation`, with the id of its source.
pub fn by_relation(relation: pg_sys::Oid) -> Result<Option<(i32, Target)>, Error> {
    let found = sql::first(
        r#"SELECT "source_id", "target_id" FROM "orapull"."target" WHERE "relation" = $1"#,
        &[relation.into()],
        |row| Ok((row.get::<i32>(1)?, row.get::<i32>(2)?)),
    )?;
    let Some((source, id)) = found else {
        return Ok(None);
    };
    let target = sql::first(
        &format!(r#"{TARGET} WHERE t."target_id" = $1"#),
        &[id.into()],
        target,
    )?;
    Ok(target.map(|target| (source, target)))
}

pub struct New<'a> {
    pub source: i32,
    pub remote_owner: &'a str,
    pub remote_table: &'a str,
    pub relation: pg_sys::Oid,
    pub identity: &'a str,
    pub filter: Option<&'a str>,
    pub load: &'a str,
    pub remote: Remote<'a>,
}

/// A registered table as the source describes it.
#[derive(Clone, Copy)]
pub struct Remote<'a> {
    pub table_id: i64,
    pub shape: &'a str,
    pub key_columns: &'a [KeyColumn],
    pub row_width: i64,
}

/// Adds a table, in state waiting.
pub fn create(new: &New) -> Result<i32, Error> {
    let id = sql::first(
        r#"INSERT INTO "orapull"."target" ("source_id", "remote_owner", "remote_table", "relation", "identity", "filter", "load")
           VALUES ($1, $2, $3, $4::regclass, $5, $6, $7) RETURNING "target_id""#,
        &[
            new.source.into(),
            new.remote_owner.into(),
            new.remote_table.into(),
            new.relation.into(),
            new.identity.into(),
            new.filter.into(),
            new.load.into(),
        ],
        |row| row.get::<i32>(1),
    )?
    .ok_or_else(|| Error::new(Kind::Bug, "INSERT RETURNING returned nothing"))?;
    set_remote(id, new.remote)?;
    Ok(id)
}

/// Notes what the source says of a table; a table without a state is `waiting` from now on.
pub fn set_remote(target: i32, remote: Remote) -> Result<(), Error> {
    let keys = serde_json::to_value(remote.key_columns)
        .map_err(|error| Error::new(Kind::Bug, error.to_string()))?;
    sql::execute(
        r#"INSERT INTO "orapull"."target_state" ("target_id", "state", "remote_id", "shape", "key_columns", "row_width")
           VALUES ($1, 'waiting', $2, $3, $4, $5)
           ON CONFLICT ("target_id") DO UPDATE SET "remote_id" = excluded."remote_id", "shape" = excluded."shape",
               "key_columns" = excluded."key_columns", "row_width" = excluded."row_width""#,
        &[
            target.into(),
            remote.table_id.into(),
            remote.shape.into(),
            JsonB(keys).into(),
            remote.row_width.into(),
        ],
    )?;
    Ok(())
}

/// Locks the state of a target against transitions; fails when it is not the one that was read. The
/// plan belongs to it: what was decided from the chunks of one plan says nothing of another's.
pub fn confirm(seen: &Target) -> Result<(), Error> {
    let now = sql::first(
        r#"SELECT "state", "generation", "shape", "resync", "plan_id"
           FROM "orapull"."target_state" WHERE "target_id" = $1 FOR SHARE"#,
        &[seen.id.into()],
        |row| {
            Ok((
                TargetState::parse(&row.get::<String>(1)?)?,
                row.get::<i64>(2)?,
                row.get::<String>(3)?,
                row.get::<bool>(4)?,
                row.optional::<i64>(5)?,
            ))
        },
    )?;
    let expected = (
        seen.state,
        seen.generation,
        seen.shape.clone(),
        seen.resync,
        seen.plan_id,
    );
    if now == Some(expected) || (now.is_none() && seen.remote_id == 0) {
        return Ok(());
    }
    Err(Error::new(
        Kind::Changed,
        format!("the state of {} changed meanwhile", seen.name),
    ))
}

/// Moves a target to a state, if it still is where `seen` says. All transitions go through here or
/// [`start_load`]; both lock the row against writers, which hold it FOR SHARE.
pub fn transition(
    seen: &Target,
    to: TargetState,
    reason: Option<&str>,
    by_itself: bool,
) -> Result<(), Error> {
    lock_for(seen, to)?;
    // A restored dump has no state of the table yet.
    sql::execute(
        r#"INSERT INTO "orapull"."target_state"
               ("target_id", "state", "reason", "by_itself", "remote_id", "shape", "key_columns", "row_width")
           VALUES ($1, $2, $3, $4, 0, '', '[]', 0)
           ON CONFLICT ("target_id") DO UPDATE SET "state" = excluded."state", "reason" = excluded."reason",
               "by_itself" = excluded."by_itself", "state_since" = clock_timestamp(), "stalled" = NULL"#,
        &[
            seen.id.into(),
            to.as_str().into(),
            reason.into(),
            by_itself.into(),
        ],
    )?;
    Ok(())
}

/// Like [`lock`], for a move to another state. The state is the one that was read, so an illegal move is a mistake of
/// the code, not of a race.
fn lock_for(seen: &Target, to: TargetState) -> Result<(), Error> {
    lock(seen)?;
    if seen.state.may_become(to) {
        return Ok(());
    }
    let (from, to) = (seen.state.as_str(), to.as_str());
    Err(Error::new(
        Kind::Bug,
        format!("{} may not go from {from} to {to}", seen.name),
    ))
}

/// Like [`confirm`], for one who will write the row.
pub fn lock(seen: &Target) -> Result<(), Error> {
    sql::execute(
        r#"SELECT FROM "orapull"."target_state" WHERE "target_id" = $1 FOR UPDATE"#,
        &[seen.id.into()],
    )?;
    confirm(seen)
}

/// Begins a load: a new generation without a plan. Clears the incomplete mark: what comes after
/// sets it again.
pub fn start_load(seen: &Target, resync: bool, reason: &str) -> Result<(), Error> {
    lock_for(seen, TargetState::Loading)?;
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "state" = 'loading', "reason" = $2, "by_itself" = false,
               "state_since" = clock_timestamp(), "generation" = "generation" + 1, "resync" = $3,
               "resync_done" = $4, "resync_due" = false, "plan_id" = NULL, "chunks" = NULL,
               "incomplete" = NULL, "incomplete_since" = NULL, "stalled" = NULL
           WHERE "target_id" = $1"#,
        &[
            seen.id.into(),
            reason.into(),
            resync.into(),
            seen.resync_wish.into(),
        ],
    )?;
    // What an older resync has seen is left to a loader: it may be much.
    sql::execute(
        r#"DELETE FROM "orapull"."load_chunk" WHERE "target_id" = $1"#,
        &[seen.id.into()],
    )?;
    Ok(())
}

/// Has the table loaded again. Not by its wish: an operator's open transaction may have locked that.
pub fn due_for_resync(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "resync_due" = true WHERE "target_id" = $1"#,
        &[target.into()],
    )?;
    Ok(())
}

/// Has the puller load the table again.
pub fn wish_resync(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target" SET "resync_wish" = "resync_wish" + 1 WHERE "target_id" = $1"#,
        &[target.into()],
    )?;
    Ok(())
}

/// A resync that cannot be: the reason is in the state, and an operator wishes it again.
pub fn resync_given_up(seen: &Target) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "resync_done" = $2, "resync_due" = false WHERE "target_id" = $1"#,
        &[seen.id.into(), seen.resync_wish.into()],
    )?;
    Ok(())
}

/// Notes why a load does not go on. False: that is known.
pub fn stall(seen: &Target, why: &str) -> Result<bool, Error> {
    let noted = sql::execute(
        r#"UPDATE "orapull"."target_state" SET "stalled" = $3
           WHERE "target_id" = $1 AND "generation" = $2 AND "state" = 'loading' AND "stalled" IS DISTINCT FROM $3"#,
        &[seen.id.into(), seen.generation.into(), why.into()],
    )?;
    Ok(noted > 0)
}

/// A chunk is in again. In a transaction of its own: loaders that lock the row to read it would wait for each other.
pub fn goes_on(seen: &Target) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "stalled" = NULL WHERE "target_id" = $1 AND "stalled" IS NOT NULL"#,
        &[seen.id.into()],
    )?;
    Ok(())
}

/// Ends a load. What the shard had besides is held now: the load is not a resync any more.
pub fn end_load(seen: &Target) -> Result<(), Error> {
    transition(seen, TargetState::CatchingUp, Some("loaded"), false)?;
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "resync" = false WHERE "target_id" = $1"#,
        &[seen.id.into()],
    )?;
    Ok(())
}

/// U: rows changed in a way that the source cannot locate. An event, whatever the state.
pub fn mark_incomplete(target: i32, reason: &str) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "incomplete" = $2, "incomplete_since" = clock_timestamp()
           WHERE "target_id" = $1"#,
        &[target.into(), reason.into()],
    )?;
    Ok(())
}

/// A wish that was carried out.
pub fn wish_done(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target" SET "wished" = 'run' WHERE "target_id" = $1 AND "wished" = 'resume'"#,
        &[target.into()],
    )?;
    Ok(())
}

/// Forgets a target, with everything that refers to it.
pub fn delete(target: i32) -> Result<(), Error> {
    sql::execute(CASCADE, &[])?;
    sql::execute(
        r#"DELETE FROM "orapull"."target" WHERE "target_id" = $1"#,
        &[target.into()],
    )?;
    Ok(())
}

/// The operator has brought the rows (`load => 'none'`): a load without chunks. Called with the state row locked.
pub fn rows_are_brought(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "generation" = 1, "plan_id" = 0, "chunks" = 0 WHERE "target_id" = $1"#,
        &[target.into()],
    )?;
    Ok(())
}

/// Has parked rows asked now.
pub fn wish_retry(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target" SET "retry_wish" = "retry_wish" + 1 WHERE "target_id" = $1"#,
        &[target.into()],
    )?;
    Ok(())
}

/// They were made due.
pub fn retried(seen: &Target) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "retry_done" = $2 WHERE "target_id" = $1"#,
        &[seen.id.into(), seen.retry_wish.into()],
    )?;
    Ok(())
}

/// Counts for people.
pub fn count(target: i32, upserted: u64, deleted: u64) -> Result<(), Error> {
    sql::execute_saved(
        r#"INSERT INTO "orapull"."target_stats" AS s ("target_id", "upserted", "deleted", "last_change_at")
           VALUES ($1, $2, $3, clock_timestamp())
           ON CONFLICT ("target_id") DO UPDATE SET "upserted" = s."upserted" + excluded."upserted",
               "deleted" = s."deleted" + excluded."deleted", "last_change_at" = excluded."last_change_at""#,
        &[
            target.into(),
            (upserted as i64).into(),
            (deleted as i64).into(),
        ],
    )?;
    Ok(())
}
