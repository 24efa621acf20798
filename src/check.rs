//! check_source: what is wrong, and what to do.

use crate::api::as_superuser;
use crate::catalog::source::{self, Source};
use crate::error::{Error, Kind};
use crate::settings;
use crate::source::checks::{Check, Item};
use crate::source::contract::{CONTRACT_VERSION, VIEWS};
use crate::source::control::{Argument, Control, Identity};
use crate::source::foreign;

/// One row per check, in the order in which they are worth mending.
///
/// The views are asked over calls: an error of a foreign scan would end the function, and a
/// subtransaction around one can take the cluster down. What the foreign tables say, the puller
/// knows: its state is the last row.
pub fn all(source: &Source) -> Vec<Check> {
    let mut checks = foreign::check_server(&source.server, source.owner);
    match connect(source) {
        Err(error) => checks.push(Check::failed(Item::Connection, error)),
        Ok((control, connect)) => {
            checks.push(Check::passed(Item::Connection, &connect));
            checks.push(Check::of(Item::Version, version(&control)));
            for view in VIEWS {
                let read = control.rows(
                    &format!(r#"SELECT 1 FROM {{}}."{}" WHERE 1 = 0"#, view.name),
                    Vec::new(),
                );
                checks.push(Check::of(
                    Item::View(view.name),
                    granted(read.map(|_| "readable".to_owned())),
                ));
            }
            checks.push(Check::of(Item::Package, package(source, &control)));
            checks.push(Check::of(Item::Questions, questions(source, &control)));
            checks.push(Check::of(Item::Lease, lease(source, &control)));
        }
    }
    checks.push(Check::of(Item::Puller, puller(source)));
    checks
}

/// What there is to grant, the check says better than an error of that kind does.
fn granted(outcome: Result<String, Error>) -> Result<String, Error> {
    outcome.map_err(|error| match error.kind {
        Kind::Contract => Error {
            hint: None,
            ..error
        },
        _ => error,
    })
}

/// A token that no source gives: whatever is called with it changes nothing.
const NO_TOKEN: i64 = -1;

fn package(source: &Source, control: &Control) -> Result<String, Error> {
    refused_as_it_should(control.done(&source.shard, NO_TOKEN, 0))
}

fn questions(source: &Source, control: &Control) -> Result<String, Error> {
    let nothing = Identity::default();
    refused_as_it_should(
        control
            .ask(&source.shard, NO_TOKEN, 0, &[nothing])
            .map(|_| ()),
    )
}

/// Who may not call at all gets another error than who calls with a wrong token.
fn refused_as_it_should(outcome: Result<(), Error>) -> Result<String, Error> {
    match outcome {
        Err(error) if error.kind == Kind::LeaseLost => Ok("granted".to_owned()),
        Err(error) => granted(Err(error)),
        Ok(()) => Err(Error::new(
            Kind::Contract,
            "the source took a token that it never gave",
        )),
    }
}

fn lease(source: &Source, control: &Control) -> Result<String, Error> {
    let rows = control.rows(
        r#"SELECT "HOLDER", TO_CHAR("LEASE_UNTIL", 'YYYY-MM-DD HH24:MI:SS') FROM {}."SHARD_V" WHERE "SHARD" = :1"#,
        vec![Argument::Text(source.shard.clone())],
    )?;
    let said = |at: usize| rows.first().and_then(|row| row.get(at).cloned().flatten());
    let until = said(1).unwrap_or_else(|| "an unknown time".to_owned());
    let (here, progress) =
        as_superuser(|| Ok((source::holder(source.id)?, source::progress(source.id)?)))?;
    match said(0) {
        Some(holder) if holder == here => Ok(format!("this source, until {until} UTC")),
        Some(holder) => Err(Error::new(
            Kind::LeaseHeld,
            format!(
                "shard {} is held by {holder} until {until} UTC",
                source.shard
            ),
        )),
        None if progress.is_some_and(|progress| progress.token.is_some()) => Err(Error::new(
            Kind::LeaseLost,
            format!("the source does not know shard {} any more", source.shard),
        )),
        None => Ok("nobody yet".to_owned()),
    }
}

fn connect(source: &Source) -> Result<(Control, String), Error> {
    let login = foreign::login(&source.server, source.owner)?;
    let connect = format!("{} as {}", login.connect, login.user);
    let control = Control::new(
        login,
        &source.remote_schema,
        settings::client_library_dir(),
        settings::call_timeout(),
    );
    control.ping()?;
    Ok((control, connect))
}

fn version(control: &Control) -> Result<String, Error> {
    let rows = control.rows(
        r#"SELECT "CONTRACT_VERSION" FROM {}."SOURCE_V""#,
        Vec::new(),
    )?;
    let found = rows.first().and_then(|row| row.first().cloned().flatten());
    match found {
        Some(version) if version == CONTRACT_VERSION.to_string() => Ok(version),
        other => Err(Error::new(
            Kind::Contract,
            format!(
                "the source speaks version {}, this shard speaks {CONTRACT_VERSION}",
                other.as_deref().unwrap_or("none")
            ),
        )
        .hint("Install the same version of orapull on both sides.")),
    }
}

fn puller(source: &Source) -> Result<String, Error> {
    let progress = as_superuser(|| source::progress(source.id))?.ok_or_else(|| {
        Error::new(
            Kind::Copied,
            "no progress: this database is a restored dump",
        )
        .hint("SELECT orapull.adopt(source) takes it over.")
    })?;
    let state = progress.state.as_str();
    if progress.state.waits_for_operator() {
        return Err(
            Error::new(Kind::WrongState, format!("the source is in state {state}"))
                .hint("SELECT message, hint FROM orapull.status tells why and what to do."),
        );
    }
    let token = progress
        .token
        .map_or("none".to_owned(), |token| token.to_string());
    Ok(format!("{state}, token {token}"))
}
