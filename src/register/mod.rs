//! add_table and add_tables: from a table of the source to one that is followed here.
//!
//! The order matters: everything that asks the source comes first, then everything local. So
//! add_tables can undo one refused table in a subtransaction in which the source is not touched.

mod filter;
#[cfg(feature = "pg_test")]
mod inside;
mod local;
mod rules;

use pgrx::prelude::*;

use crate::api::{as_superuser, require_member};
use crate::catalog::source::{self, Source};
use crate::catalog::target::{self, New, Remote};
use crate::error::{Error, Kind};
use crate::pull::drift::{self, Described};
use crate::pull::tx;
use crate::settings;
use crate::source::control::Control;
use crate::source::dictionary::{self, Registered};
use crate::source::foreign;
use crate::sql;
use crate::worker::shared;

/// What the caller of add_table wants.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    pub owner: String,
    pub table: String,
    pub relation: Option<pg_sys::Oid>,
    pub identity: Wish,
    pub filter: Option<&'a str>,
    pub load: Load,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Auto,
    Key,
    Rowid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    Auto,
    Replace,
    None,
}

impl Wish {
    pub fn parse(text: &str) -> Result<Self, Error> {
        match text {
            "auto" => Ok(Wish::Auto),
            "key" => Ok(Wish::Key),
            "rowid" => Ok(Wish::Rowid),
            _ => Err(Error::new(
                Kind::BadArgument,
                format!("identity must be auto, key or rowid, not {text:?}"),
            )),
        }
    }

    fn as_remote(self) -> &'static str {
        match self {
            Wish::Auto => "AUTO",
            Wish::Key => "KEY",
            Wish::Rowid => "ROWID",
        }
    }
}

impl Load {
    pub fn parse(text: &str) -> Result<Self, Error> {
        match text {
            "auto" => Ok(Load::Auto),
            "replace" => Ok(Load::Replace),
            "none" => Ok(Load::None),
            _ => Err(Error::new(
                Kind::BadArgument,
                format!("load must be auto, replace or none, not {text:?}"),
            )),
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Load::Auto => "auto",
            Load::Replace => "replace",
            Load::None => "none",
        }
    }
}

/// `OWNER.TABLE`; names that are not upper case in Oracle are written in double quotes.
pub fn split_name(name: &str) -> Result<(String, String), Error> {
    let parts = sql::first("SELECT parse_ident($1)", &[name.into()], |row| {
        row.get::<Vec<String>>(1)
    })?;
    let mut inside = false;
    let quoted: Vec<bool> = name
        .split(|c| {
            inside ^= c == '"';
            c == '.' && !inside
        })
        .map(|part| part.trim().starts_with('"'))
        .collect();
    match (parts.as_deref(), quoted.as_slice()) {
        (Some([owner, table]), [owner_quoted, table_quoted]) => {
            Ok((folded(owner, *owner_quoted), folded(table, *table_quoted)))
        }
        _ => Err(Error::new(
            Kind::BadArgument,
            format!("{name:?} is not the name of a table"),
        )
        .hint("Write OWNER.TABLE; put names that Oracle keeps in lower case into double quotes.")),
    }
}

fn folded(name: &str, quoted: bool) -> String {
    if quoted {
        name.to_owned()
    } else {
        name.to_uppercase()
    }
}

/// A session's way to the source: the source, its token, and calls.
pub struct Line {
    pub source: Source,
    pub token: i64,
    pub control: Control,
}

/// How long a session waits for the puller of a new source to attach.
const ATTACH_WAIT: std::time::Duration = std::time::Duration::from_secs(30);

/// Opens the line of a source; waits for its puller to attach, as it does just after create_source.
pub fn line(name: &str) -> Result<Line, Error> {
    shared::require_preload()?;
    let source = as_superuser(|| source::by_name(name))?;
    require_member(&source)?;
    let started = std::time::Instant::now();
    let token = loop {
        if let Some(token) = as_superuser(|| own_token(&source))? {
            break token;
        }
        if started.elapsed() > ATTACH_WAIT {
            return Err(not_attached(name));
        }
        crate::wait::rest();
    };
    let login = foreign::login(&source.server, source.owner)?;
    let control = Control::new(
        login,
        &source.remote_schema,
        settings::client_library_dir(),
        settings::call_timeout(),
    );
    Ok(Line {
        source,
        token,
        control,
    })
}

/// The token, once there is one that is not to be changed. That of a copy belongs to the server that attached.
fn own_token(source: &Source) -> Result<Option<i64>, Error> {
    let copied = || {
        Error::new(
            Kind::Copied,
            format!(
                "source {} is a copy, which does nothing at the source",
                source.name
            ),
        )
        .hint("If this server takes the place of the original: SELECT orapull.adopt(source).")
    };
    match source::progress(source.id)? {
        None => Err(copied()),
        Some(progress) if progress.adopt.is_some() => Ok(None),
        Some(progress) if source::is_copy(source.id, &progress)? => Err(copied()),
        Some(progress) => Ok(progress.token),
    }
}

fn not_attached(name: &str) -> Error {
    Error::new(
        Kind::WrongState,
        format!("the puller of source {name} has not attached to the source yet"),
    )
    .hint("SELECT state, message, hint FROM orapull.status tells why. create_source must have been committed before tables are added.")
}

/// A table that is registered at the source, and how its columns are read here.
pub struct Prepared {
    registered: Registered,
    described: Described,
}

/// Everything that asks the source.
pub fn prepare(line: &Line, wanted: &Wanted) -> Result<Prepared, Error> {
    let table_id = line.control.register_table(
        &line.source.shard,
        line.token,
        &wanted.owner,
        &wanted.table,
        wanted.identity.as_remote(),
    )?;
    let registered = dictionary::registered(&line.control, table_id)?;
    if registered.state == "REFUSED" {
        return Err(Error::new(
            Kind::TableRefused,
            format!(
                "the source refuses {}.{}: {}",
                wanted.owner,
                wanted.table,
                registered.detail.as_deref().unwrap_or("no reason given")
            ),
        ));
    }
    let mut described = drift::map_columns(registered.columns.clone())?;
    if registered.identity == "ROWID" {
        described.keys.clear();
    }
    Ok(Prepared {
        registered,
        described,
    })
}

/// Everything local. Returns the relation.
pub fn follow(line: &Line, wanted: &Wanted, prepared: &Prepared) -> Result<pg_sys::Oid, Error> {
    let source = &line.source;
    let Prepared {
        registered,
        described,
    } = prepared;
    let filter = wanted
        .filter
        .map(|text| filter::normalised(source, described, text))
        .transpose()?;
    let relation = match wanted.relation {
        Some(relation) => relation,
        None => local::create(source, wanted, described)?,
    };
    rules::check(source, relation, described, wanted.load)?;
    let identity = if described.keys.is_empty() {
        "rowid"
    } else {
        "key"
    };
    let target = as_superuser(|| {
        target::create(&New {
            source: source.id,
            remote_owner: &wanted.owner,
            remote_table: &wanted.table,
            relation,
            identity,
            filter: filter.as_deref(),
            load: wanted.load.as_str(),
            remote: Remote {
                table_id: registered.table_id,
                shape: &registered.shape,
                key_columns: &described.keys,
                row_width: described.width,
            },
        })
    })?;
    foreign::create_target_tables(source, target, registered.table_id, &described.columns)?;
    Ok(relation)
}

/// What became of one table of add_tables.
pub struct Row {
    pub remote: String,
    pub relation: Option<pg_sys::Oid>,
    pub reason: Option<String>,
}

/// Adds all tables that match `OWNER.PATTERN` (each a LIKE pattern).
pub fn add_matching(
    line: &Line,
    pattern: &str,
    identity: Wish,
    filter: Option<&str>,
    load: Load,
) -> Result<Vec<Row>, Error> {
    let (owner, table) = pattern.split_once('.').ok_or_else(|| {
        Error::new(
            Kind::BadArgument,
            format!("{pattern:?} is not a pattern of tables"),
        )
        .hint("Write OWNER.PATTERN, for example APP.% for all tables of APP.")
    })?;
    let mut prepared = Vec::new();
    for candidate in dictionary::candidates(&line.control, owner, table)? {
        let wanted = Wanted {
            owner: candidate.owner,
            table: candidate.table,
            relation: None,
            identity,
            filter,
            load,
        };
        let ready = match candidate.reason {
            Some(reason) => Err(Error::new(Kind::TableRefused, reason)),
            None => prepare(line, &wanted),
        };
        prepared.push((wanted, ready));
    }
    Ok(prepared
        .into_iter()
        .map(|(wanted, ready)| {
            let followed =
                ready.and_then(|ready| tx::subtransaction(|| follow(line, &wanted, &ready)));
            Row {
                remote: format!("{}.{}", wanted.owner, wanted.table),
                relation: followed.as_ref().ok().copied(),
                reason: followed.err().map(|error| match error.hint.clone() {
                    Some(hint) => format!("{error} {hint}"),
                    None => error.to_string(),
                }),
            }
        })
        .collect())
}
