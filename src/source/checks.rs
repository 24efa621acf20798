//! What check_source looks at, and what a failed check means. Pure.
//!
//! The reference lists the checks from here.

use crate::error::Error;

/// In the order in which they are worth mending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    ForeignServer,
    Wrapper,
    ConnectString,
    Isolation,
    ServerRight,
    Mapping,
    Connection,
    Version,
    View(&'static str),
    Package,
    Questions,
    Lease,
    Puller,
}

impl Item {
    /// One of each.
    #[allow(dead_code)] // for the reference
    pub const ALL: [Item; 13] = [
        Item::ForeignServer,
        Item::Wrapper,
        Item::ConnectString,
        Item::Isolation,
        Item::ServerRight,
        Item::Mapping,
        Item::Connection,
        Item::Version,
        Item::View("NAME"),
        Item::Package,
        Item::Questions,
        Item::Lease,
        Item::Puller,
    ];

    pub fn name(self) -> String {
        match self {
            Item::ForeignServer => "foreign server".into(),
            Item::Wrapper => "foreign data wrapper".into(),
            Item::ConnectString => "connect string".into(),
            Item::Isolation => "isolation level".into(),
            Item::ServerRight => "right to use the server".into(),
            Item::Mapping => "user mapping".into(),
            Item::Connection => "client library and connection".into(),
            Item::Version => "contract version".into(),
            Item::View(view) => format!("view {view}"),
            Item::Package => "package API".into(),
            Item::Questions => "insert into ASK_V".into(),
            Item::Lease => "lease".into(),
            Item::Puller => "puller".into(),
        }
    }

    /// What passes.
    #[allow(dead_code)] // for the reference
    pub fn meaning(self) -> &'static str {
        match self {
            Item::ForeignServer => "The foreign server of the source exists.",
            Item::Wrapper => "It is one of a wrapper that orapull can read through.",
            Item::ConnectString => "Its options tell where to connect.",
            Item::Isolation => "Each read sees what is committed when it begins.",
            Item::ServerRight => "The owner of the source has USAGE on the server.",
            Item::Mapping => "There is a user mapping for the owner, with user and password.",
            Item::Connection => "The client library loads, and the source takes the login.",
            Item::Version => "Both sides speak the same version.",
            Item::View(_) => "The user of the mapping can read this view of the source.",
            Item::Package => {
                "The user may call the package: a call with a token that nobody has is refused by it."
            }
            Item::Questions => {
                "The user may ask for rows: the same, with a row in ASK_V that is rolled back."
            }
            Item::Lease => {
                "This source holds the lease of its shard, or nobody does yet; else who does, and until when."
            }
            Item::Puller => "The puller waits for no operator.",
        }
    }

    /// What to do when it fails and the error has no advice of its own.
    pub fn advice(self) -> &'static str {
        match self {
            Item::ForeignServer => "CREATE SERVER ... FOREIGN DATA WRAPPER oracle_fdw.",
            Item::Wrapper => "Use a server of oracle_fdw.",
            Item::ConnectString | Item::Isolation => {
                "ALTER SERVER with the option that the error names."
            }
            Item::ServerRight => "GRANT USAGE ON FOREIGN SERVER ... TO the owner.",
            Item::Mapping => {
                "CREATE USER MAPPING for the owner, with the options that the error names."
            }
            Item::Connection => {
                "The error tells a library that is missing, a network and a password apart: see Errors."
            }
            Item::Version => "Install the same version of orapull on both sides.",
            Item::View(_) => {
                "GRANT orapull_shard to the user of the mapping; remote_schema of create_source must be the owner of the views."
            }
            Item::Package | Item::Questions => {
                "GRANT orapull_shard to the user of the mapping; remote_schema of create_source must be the owner of the package."
            }
            Item::Lease => {
                "Stop that server, or SELECT orapull.adopt(source) if this one takes its place."
            }
            Item::Puller => "SELECT message, hint FROM orapull.status tells why and what to do.",
        }
    }
}

/// One line of `check_source`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub check: String,
    pub ok: bool,
    pub found: String,
    /// What to do; empty when nothing is wrong.
    pub advice: String,
}

impl Check {
    pub fn passed(item: Item, found: impl Into<String>) -> Self {
        Check {
            check: item.name(),
            ok: true,
            found: found.into(),
            advice: String::new(),
        }
    }

    pub fn failed(item: Item, error: Error) -> Self {
        Check {
            check: item.name(),
            ok: false,
            found: error.to_string(),
            advice: error.hint.unwrap_or_else(|| item.advice().to_owned()),
        }
    }

    pub fn of(item: Item, outcome: Result<String, Error>) -> Self {
        outcome.map_or_else(
            |error| Check::failed(item, error),
            |found| Check::passed(item, found),
        )
    }
}
