//! What the foreign data wrappers call things: the only folder that knows their option names.
//!
//! Pure: text in, statements out. A wrapper is known by its handler function, so that one created
//! under another name (with another `nls_lang`, say) serves too.

mod server;
mod table;

use std::collections::BTreeMap;

use crate::error::{Error, Kind};

pub use server::credentials;
pub use table::{contract_statements, drop_target_statement, target_statements};

/// Options of a server, mapping or table.
pub type Options = BTreeMap<String, String>;

/// The wrappers that serve, and what each calls things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Oracle,
    Postgres,
}

impl Dialect {
    pub fn of_handler(handler: &str) -> Result<Self, Error> {
        match handler {
            "oracle_fdw_handler" => Ok(Dialect::Oracle),
            "postgres_fdw_handler" => Ok(Dialect::Postgres),
            _ => Err(Error::new(
                Kind::BadArgument,
                "the foreign data wrapper of this server cannot be used to read the source",
            )
            .hint("Use a server of oracle_fdw.")),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Dialect::Oracle => "oracle_fdw",
            Dialect::Postgres => "postgres_fdw",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_wrapper_is_refused() {
        assert!(Dialect::of_handler("mysql_fdw_handler").is_err());
        assert_eq!(
            Dialect::of_handler("oracle_fdw_handler"),
            Ok(Dialect::Oracle)
        );
    }
}
