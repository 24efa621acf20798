//! orapull.source and orapull.progress.

use pgrx::prelude::*;

use crate::catalog::CASCADE;
use crate::error::{Error, Kind};
use crate::sql::{self, Row};
use crate::state::SourceState;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Run,
    Pause,
    Resume,
    Drop,
}

impl Wish {
    pub fn parse(text: &str) -> Result<Self, Error> {
        match text {
            "run" => Ok(Wish::Run),
            "pause" => Ok(Wish::Pause),
            "resume" => Ok(Wish::Resume),
            "drop" => Ok(Wish::Drop),
            _ => Err(Error::new(Kind::Bug, format!("unknown wish {text}"))),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Source {
    pub id: i32,
    pub name: String,
    pub server: String,
    pub shard: String,
    pub remote_schema: String,
    pub local_schema: String,
    pub owner: pg_sys::Oid,
    pub wished: Wish,
}

const SOURCE: &str = r#"SELECT "source_id", "name", "server", "shard", "remote_schema", "local_schema",
    "owner"::oid, "wished" FROM "orapull"."source""#;

fn source(row: &Row) -> Result<Source, Error> {
    Ok(Source {
        id: row.get(1)?,
        name: row.get(2)?,
        server: row.get(3)?,
        shard: row.get(4)?,
        remote_schema: row.get(5)?,
        local_schema: row.get(6)?,
        owner: row.get(7)?,
        wished: Wish::parse(&row.get::<String>(8)?)?,
    })
}

pub fn by_id(id: i32) -> Result<Option<Source>, Error> {
    sql::first(
        &format!(r#"{SOURCE} WHERE "source_id" = $1"#),
        &[id.into()],
        source,
    )
}

pub fn by_name(name: &str) -> Result<Source, Error> {
    sql::first(
        &format!(r#"{SOURCE} WHERE "name" = $1"#),
        &[name.into()],
        source,
    )?
    .ok_or_else(|| {
        Error::new(Kind::NotFound, format!("there is no source {name:?}"))
            .hint("SELECT * FROM orapull.status shows the sources of this database.")
    })
}

/// What adopt() asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adopt {
    Lease,
    Force,
}

#[derive(Debug, Clone)]
pub struct Progress {
    pub state: SourceState,
    pub applied: Option<i64>,
    pub acked: Option<i64>,
    pub install_id: Option<String>,
    pub dbid: Option<i64>,
    pub incarnation: Option<i64>,
    pub token: Option<i64>,
    pub epoch: i64,
    pub holder: Option<String>,
    pub adopt: Option<Adopt>,
}

/// The progress of a source; `None` in a restored dump.
pub fn progress(source: i32) -> Result<Option<Progress>, Error> {
    read_progress(source, "")
}

/// The same, locked: the writer of data proves that it is still entitled.
pub fn lock_progress(source: i32) -> Result<Option<Progress>, Error> {
    read_progress(source, " FOR UPDATE")
}

fn read_progress(source: i32, lock: &str) -> Result<Option<Progress>, Error> {
    sql::first(
        &format!(
            r#"SELECT "state", "applied_portion", "acked_portion", "install_id", "dbid", "incarnation",
                      "token", "epoch", "holder", "adopt_wish"
               FROM "orapull"."progress" WHERE "source_id" = $1{lock}"#
        ),
        &[source.into()],
        |row| {
            Ok(Progress {
                state: SourceState::parse(&row.get::<String>(1)?)?,
                applied: row.optional(2)?,
                acked: row.optional(3)?,
                install_id: row.optional(4)?,
                dbid: row.optional(5)?,
                incarnation: row.optional(6)?,
                token: row.optional(7)?,
                epoch: row.get(8)?,
                holder: row.optional(9)?,
                adopt: match row.optional::<String>(10)?.as_deref() {
                    None => None,
                    Some("force") => Some(Adopt::Force),
                    Some(_) => Some(Adopt::Lease),
                },
            })
        },
    )
}

/// Gives a source its progress row, if it has none.
pub fn create_progress(source: i32, state: SourceState) -> Result<(), Error> {
    sql::execute(
        r#"INSERT INTO "orapull"."progress" ("source_id", "state") VALUES ($1, $2)
           ON CONFLICT ("source_id") DO NOTHING"#,
        &[source.into(), state.as_str().into()],
    )?;
    Ok(())
}

/// Takes the source over from an earlier puller, which from then on cannot write.
pub fn next_epoch(source: i32) -> Result<i64, Error> {
    sql::first(
        r#"UPDATE "orapull"."progress" SET "epoch" = "epoch" + 1 WHERE "source_id" = $1 RETURNING "epoch""#,
        &[source.into()],
        |row| row.get(1),
    )?
    .ok_or_else(|| Error::new(Kind::Bug, "the progress of the source vanished"))
}

/// The same, by the puller of `epoch` itself: what it handed out before is void. A commit that waits
/// for a synchronous standby, and with it for every commit before it. `None`: another puller has
/// taken over.
pub fn renew_epoch(source: i32, epoch: i64) -> Result<Option<i64>, Error> {
    sql::first(
        r#"UPDATE "orapull"."progress" SET "epoch" = "epoch" + 1
           WHERE "source_id" = $1 AND "epoch" = $2 RETURNING "epoch""#,
        &[source.into(), epoch.into()],
        |row| row.get(1),
    )
}

/// Sets the state, with the error that led to it. Writes nothing when nothing changes.
pub fn set_state(source: i32, state: SourceState, error: Option<&Error>) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."progress" SET "state" = $2, "sqlstate" = $3, "message" = $4, "hint" = $5,
               "state_since" = CASE WHEN "state" = $2 THEN "state_since" ELSE clock_timestamp() END
           WHERE "source_id" = $1
             AND ("state", "sqlstate", "message", "hint") IS DISTINCT FROM ($2, $3, $4, $5)"#,
        &[
            source.into(),
            state.as_str().into(),
            error.map(|e| e.sqlstate().to_owned()).into(),
            error.map(|e| e.to_string()).into(),
            error.map(Error::advice).into(),
        ],
    )?;
    Ok(())
}

/// Sets the state after a turn that went well, with what keeps the source itself from publishing. False: that is known.
pub fn runs(source: i32, trouble: Option<&str>) -> Result<bool, Error> {
    let changed = sql::execute(
        r#"UPDATE "orapull"."progress" SET "state" = $2, "sqlstate" = NULL, "message" = $3, "hint" = $4,
               "state_since" = CASE WHEN "state" = $2 THEN "state_since" ELSE pg_catalog.clock_timestamp() END
           WHERE "source_id" = $1
             AND ("state", "sqlstate", "message", "hint") IS DISTINCT FROM ($2, NULL, $3, $4)"#,
        &[
            source.into(),
            SourceState::Running.as_str().into(),
            trouble.into(),
            trouble
                .map(|_| "Mend it at the source; what it has published is applied meanwhile.")
                .into(),
        ],
    )?;
    Ok(changed > 0)
}

/// Whether tables of the source may be loaded: an operator wants it to be followed, and it is.
pub fn is_followed(source: i32) -> Result<bool, Error> {
    let found = sql::first(
        r#"SELECT FROM "orapull"."source" JOIN "orapull"."progress" USING ("source_id")
           WHERE "source_id" = $1 AND "wished" IN ('run', 'resume') AND "adopt_wish" IS NULL AND "state" = $2"#,
        &[source.into(), SourceState::Running.as_str().into()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Who the source is, as SOURCE_V says.
pub struct SourceIdentity<'a> {
    pub install_id: &'a str,
    pub dbid: i64,
    pub incarnation: i64,
}

/// Notes that this server has attached.
pub fn attached(
    source: i32,
    token: i64,
    applied: i64,
    holder: &str,
    identity: &SourceIdentity,
) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."progress" SET "token" = $2, "applied_portion" = $3, "acked_portion" = $3,
               "holder" = $4, "install_id" = $5, "dbid" = $6, "incarnation" = $7, "adopt_wish" = NULL
           WHERE "source_id" = $1"#,
        &[
            source.into(),
            token.into(),
            applied.into(),
            holder.into(),
            identity.install_id.into(),
            identity.dbid.into(),
            identity.incarnation.into(),
        ],
    )?;
    Ok(())
}

/// Written last but for the batch row, in the transaction of the data.
pub fn advance(source: i32, portion: i64, scn: i64, acked: Option<i64>) -> Result<(), Error> {
    sql::execute_saved(
        r#"UPDATE "orapull"."progress" SET "applied_portion" = $2, "applied_scn" = $3,
               "applied_at" = clock_timestamp(), "acked_portion" = coalesce($4, "acked_portion")
           WHERE "source_id" = $1"#,
        &[source.into(), portion.into(), scn.into(), acked.into()],
    )?;
    Ok(())
}

/// For people only: what counts is what the source knows.
pub fn acked(source: i32, portion: i64) -> Result<(), Error> {
    sql::execute_saved(
        r#"UPDATE "orapull"."progress" SET "acked_portion" = $2 WHERE "source_id" = $1"#,
        &[source.into(), portion.into()],
    )?;
    Ok(())
}

/// A wish that was carried out.
pub fn wish_done(source: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."source" SET "wished" = 'run' WHERE "source_id" = $1 AND "wished" = 'resume'"#,
        &[source.into()],
    )?;
    Ok(())
}

/// Forgets a source, with everything that refers to it.
pub fn delete(source: i32) -> Result<(), Error> {
    sql::execute(CASCADE, &[])?;
    sql::execute(
        r#"DELETE FROM "orapull"."target" WHERE "source_id" = $1"#,
        &[source.into()],
    )?;
    sql::execute(
        r#"DELETE FROM "orapull"."source" WHERE "source_id" = $1"#,
        &[source.into()],
    )?;
    Ok(())
}

/// What tells this server from a copy of it, and a source from another one of the same shard: system identifier,
/// database, timeline, host, data directory, number of the source.
pub fn holder(source: i32) -> Result<String, Error> {
    sql::first(
        r#"SELECT format('%s/%s/%s/%s/%s/%s', s.system_identifier, d.oid, c.timeline_id,
                         coalesce(pg_read_file('/proc/sys/kernel/hostname', 0, 256, true), ''),
                         current_setting('data_directory'), $1)
           FROM pg_control_system() s, pg_control_checkpoint() c, pg_database d
           WHERE d.datname = current_database()"#,
        &[source.into()],
        |row| row.get::<String>(1),
    )?
    .map(|text| text.replace('\n', ""))
    .ok_or_else(|| Error::new(Kind::Bug, "this database is not in pg_database"))
}

/// Whether somebody else attached and this database is a copy: its token is not its own.
pub fn is_copy(source: i32, progress: &Progress) -> Result<bool, Error> {
    match &progress.holder {
        Some(holder) => Ok(*holder != self::holder(source)?),
        None => Ok(progress.state == SourceState::Copied),
    }
}

/// Asks the puller to attach. Its state is left for STARTING, so that it looks.
pub fn wish_adopt(source: i32, adopt: Adopt) -> Result<(), Error> {
    let wish = match adopt {
        Adopt::Lease => "adopt",
        Adopt::Force => "force",
    };
    sql::execute(
        r#"UPDATE "orapull"."progress" SET "adopt_wish" = $2 WHERE "source_id" = $1"#,
        &[source.into(), wish.into()],
    )?;
    set_state(source, SourceState::Starting, None)
}
