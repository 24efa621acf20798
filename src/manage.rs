//! What the SQL functions write: sources, wishes, counters.

use pgrx::prelude::*;

use crate::api::{as_superuser, caller};
use crate::catalog::parked;
use crate::catalog::source::{self, Source, Wish};
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::pull::leave;
use crate::quote::ident;
use crate::source::foreign;
use crate::sql;
use crate::state::SourceState;
use crate::worker::shared;

/// With the prefix `orapull_` it must be a name of PostgreSQL (63 bytes).
const NAME_BYTES: usize = 55;
/// Shard names are VARCHAR2(30) at the source.
const SHARD_BYTES: usize = 30;

pub fn create_source(
    name: &str,
    server: &str,
    shard: &str,
    remote_schema: &str,
) -> Result<(), Error> {
    shared::require_preload()?;
    length("name", name, NAME_BYTES)?;
    length("shard", shard, SHARD_BYTES)?;
    length("remote_schema", remote_schema, 128)?;
    // Fails with a sentence when the server, the right to use it or the user mapping is missing.
    foreign::login(server, caller())?;
    let schema = format!("orapull_{name}");
    let owner = caller();
    let id = as_superuser(|| {
        let taken = sql::first(
            r#"SELECT 1 FROM "orapull"."source" WHERE "name" = $1"#,
            &[name.into()],
            |row| row.get::<i32>(1),
        )?;
        if taken.is_some() {
            return Err(
                Error::new(Kind::Exists, format!("there is a source {name:?} already")).hint(
                    "Choose another name, or drop that source: SELECT orapull.drop_source(name).",
                ),
            );
        }
        shard_is_free(server, shard, remote_schema)?;
        create_schema(&schema, owner)?;
        let id = sql::first(
            r#"INSERT INTO "orapull"."source" ("name", "server", "shard", "remote_schema", "local_schema", "owner")
               VALUES ($1, $2, $3, $4, $5, $6::regrole) RETURNING "source_id""#,
            &[
                name.into(),
                server.into(),
                shard.into(),
                remote_schema.into(),
                schema.as_str().into(),
                owner.into(),
            ],
            |row| row.get::<i32>(1),
        )?;
        id.ok_or_else(|| Error::new(Kind::Bug, "INSERT RETURNING returned nothing"))
    })?;
    foreign::create_contract_tables(&schema, server, remote_schema)?;
    as_superuser(|| source::create_progress(id, SourceState::Starting))
}

/// Two sources of one shard at one database would take its portions and tables from each other, and whoever is dropped first
/// drops both. That they come by different servers does not help; a server that hides it is found out by the lease.
fn shard_is_free(server: &str, shard: &str, remote_schema: &str) -> Result<(), Error> {
    let others = sql::query(
        r#"SELECT "name", "server" FROM "orapull"."source" WHERE "shard" = $1 AND "remote_schema" = $2"#,
        &[shard.into(), remote_schema.into()],
        |row| Ok((row.get::<String>(1)?, row.get::<String>(2)?)),
    )?;
    let here = foreign::connect_string(server)?;
    for (name, other) in others {
        // The server of the other may have been dropped.
        if other == server || foreign::connect_string(&other).is_ok_and(|there| there == here) {
            return Err(Error::new(
                Kind::Exists,
                format!("source {name:?} is shard {shard:?} of that database already"),
            )
            .hint("One source follows all tables that a shard takes from a database. For another one, choose another shard name."));
        }
    }
    Ok(())
}

fn length(what: &str, text: &str, bytes: usize) -> Result<(), Error> {
    if text.is_empty() || text.len() > bytes {
        return Err(Error::new(
            Kind::BadArgument,
            format!(
                "{what} must have 1 to {bytes} bytes, {text:?} has {}",
                text.len()
            ),
        ));
    }
    Ok(())
}

fn create_schema(schema: &str, owner: pg_sys::Oid) -> Result<(), Error> {
    let role = sql::first(
        "SELECT rolname::text FROM pg_roles WHERE oid = $1",
        &[owner.into()],
        |row| row.get::<String>(1),
    )?
    .ok_or_else(|| Error::new(Kind::Bug, "the caller is not in pg_roles"))?;
    sql::execute(
        &format!(
            "CREATE SCHEMA {} AUTHORIZATION {}",
            ident(schema),
            ident(&role)
        ),
        &[],
    )?;
    sql::execute(
        &format!(
            "COMMENT ON SCHEMA {} IS 'Foreign tables of orapull; made and dropped by it.'",
            ident(schema)
        ),
        &[],
    )?;
    Ok(())
}

/// The puller leaves the source, then deletes it. With `force`, and in a copy, only this side does.
pub fn drop_source(source: &Source, force: bool) -> Result<(), Error> {
    let copied = source::progress(source.id)?.is_none_or(|p| p.state == SourceState::Copied);
    if force || copied {
        notice!(
            "source {} is forgotten here only; shard {} stays at the source until API.DROP_SHARD is called there",
            source.name,
            source.shard
        );
        return leave::forget(source);
    }
    sql::execute(
        r#"UPDATE "orapull"."source" SET "wished" = 'drop' WHERE "source_id" = $1"#,
        &[source.id.into()],
    )?;
    source::set_state(source.id, SourceState::Dropping, None)
}

pub fn drop_table(source: &Source, target: &Target) -> Result<(), Error> {
    let copied = source::progress(source.id)?.is_none_or(|p| p.state == SourceState::Copied);
    if copied {
        notice!(
            "{} is forgotten here only; it stays registered at the source",
            target.name
        );
        foreign::drop_target_tables(source, target.id)?;
        return target::delete(target.id);
    }
    sql::execute(
        r#"UPDATE "orapull"."target" SET "wished" = 'drop' WHERE "target_id" = $1"#,
        &[target.id.into()],
    )?;
    Ok(())
}

/// Has the puller load a table again.
pub fn resync(target: &Target) -> Result<(), Error> {
    if target.wished == Wish::Drop {
        return Err(Error::new(
            Kind::WrongState,
            format!("{} is being dropped", target.name),
        )
        .hint("Once it is not followed any more, add it again: orapull.add_table(..., load => 'replace')."));
    }
    target::wish_resync(target.id)
}

/// pause or resume, of a table or of the source.
pub fn wish(source: &Source, relation: Option<pg_sys::Oid>, wish: &str) -> Result<(), Error> {
    let changed = match relation {
        Some(relation) => sql::execute(
            r#"UPDATE "orapull"."target" SET "wished" = $3
               WHERE "source_id" = $1 AND "relation" = $2::regclass AND "wished" <> 'drop'"#,
            &[source.id.into(), relation.into(), wish.into()],
        )?,
        None if wish == "resume" && source.wished == Wish::Drop => drop_again(source)?,
        None => sql::execute(
            r#"UPDATE "orapull"."source" SET "wished" = $2 WHERE "source_id" = $1 AND "wished" <> 'drop'"#,
            &[source.id.into(), wish.into()],
        )?,
    };
    if changed == 1 {
        return Ok(());
    }
    Err(Error::new(
        Kind::NotFound,
        format!(
            "there is nothing of source {} to {wish}, or it is being dropped",
            source.name
        ),
    )
    .hint("SELECT * FROM orapull.tables shows the tables of a source."))
}

/// Has the puller try again to drop a source that stopped because its login was refused.
fn drop_again(source: &Source) -> Result<u64, Error> {
    let stopped = source::progress(source.id)?.is_some_and(|p| p.state == SourceState::Credentials);
    if stopped {
        source::set_state(source.id, SourceState::Dropping, None)?;
    }
    Ok(stopped.into())
}

/// The rows themselves are the puller's: it would wait for a transaction that has locked them.
pub fn retry_parked(target: &Target) -> Result<i64, Error> {
    target::wish_retry(target.id)?;
    parked::parked(target.id)
}

/// A database by name; only its owner may stop what works in it.
pub fn database(name: &str) -> Result<pg_sys::Oid, Error> {
    let found = sql::first(
        "SELECT oid, pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = $1",
        &[name.into()],
        |row| Ok((row.get::<pg_sys::Oid>(1)?, row.get::<bool>(2)?)),
    )?;
    match found {
        None => Err(
            Error::new(Kind::NotFound, format!("there is no database {name:?}"))
                .hint("SELECT datname FROM pg_database shows them."),
        ),
        Some((_, false)) => Err(Error::new(
            Kind::Forbidden,
            format!("only the owner of database {name} may stop or start its workers"),
        )
        .hint("Do it as a member of the owner of the database.")),
        Some((oid, true)) => Ok(oid),
    }
}
