//! check_source: what is wrong, and what to do.

use crate::api::as_superuser;
use crate::catalog::source::{self, Source};
use crate::error::{Error, Kind};
use crate::settings;
use crate::source::checks::{Check, Item};
use crate::source::contract::{CONTRACT_VERSION, VIEWS};
use crate::source::control::Control;
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
                    read.map(|_| "readable".to_owned()),
                ));
            }
        }
    }
    checks.push(Check::of(Item::Puller, puller(source)));
    checks
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
