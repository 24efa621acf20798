//! What a server and a user mapping say: where to connect, how reads are isolated, as whom. Pure.

use crate::error::{Error, Kind};
use crate::quote::ident;
use crate::source::fdw::{Dialect, Options};
use crate::source::login::Secret;

impl Dialect {
    /// The connect string of the client library.
    pub fn connect(self, server: &str, options: &Options) -> Result<String, Error> {
        let option = |name: &str| {
            options
                .get(name)
                .filter(|value| !value.is_empty())
                .ok_or_else(|| no_option(server, name))
        };
        match self {
            Dialect::Oracle => option("dbserver").cloned(),
            Dialect::Postgres => {
                let port = options.get("port").map_or("5432", String::as_str);
                Ok(format!(
                    "//{}:{port}/{}",
                    option("host")?,
                    option("dbname")?
                ))
            }
        }
    }

    /// The isolation level of reads. oracle_fdw's default fails on DDL at the source, and its
    /// read_only shows the rows of an older moment.
    pub fn isolation(self, server: &str, options: &Options) -> Result<String, Error> {
        let level = options.get("isolation_level").map(String::as_str);
        match (self, level) {
            (Dialect::Postgres, _) => Ok("repeatable read for each transaction".to_owned()),
            (Dialect::Oracle, Some("read_committed")) => Ok("read_committed".to_owned()),
            (Dialect::Oracle, other) => {
                let verb = if other.is_some() { "SET" } else { "ADD" };
                Err(Error::new(
                    Kind::BadArgument,
                    format!(
                        "isolation level is {}",
                        other.unwrap_or("serializable, the default")
                    ),
                )
                .hint(format!(
                    "ALTER SERVER {} OPTIONS ({verb} isolation_level 'read_committed')",
                    ident(server)
                )))
            }
        }
    }
}

/// User and password of a user mapping. External authentication is not supported: the worker has
/// no wallet or ticket of the operator.
pub fn credentials(server: &str, mapping: Option<&Options>) -> Result<(String, Secret), Error> {
    let option = |name| {
        mapping
            .and_then(|found| found.get(name))
            .filter(|v| !v.is_empty())
    };
    let found = match (mapping, option("user"), option("password")) {
        (_, Some(user), Some(password)) => {
            return Ok((user.clone(), Secret::new(password.clone())));
        }
        (None, _, _) => "no user mapping",
        (_, None, _) => "a user mapping without user",
        _ => "a user mapping without password",
    };
    Err(Error::new(
        Kind::Credentials,
        format!("foreign server {server} has {found} for the owner of the source"),
    )
    .hint(format!(
        "CREATE USER MAPPING FOR <owner> SERVER {} OPTIONS (user '...', password '...')",
        ident(server)
    )))
}

fn no_option(server: &str, option: &str) -> Error {
    Error::new(
        Kind::BadArgument,
        format!("foreign server {server} has no option {option}"),
    )
    .hint(format!(
        "ALTER SERVER {} OPTIONS (ADD {option} '...')",
        ident(server)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&str, &str)]) -> Options {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn a_connect_string_is_made_of_what_the_server_says() {
        let connect = |dialect: Dialect, pairs: &[(&str, &str)]| {
            dialect
                .connect("ora", &options(pairs))
                .map_err(|error| error.message)
        };
        assert_eq!(
            connect(Dialect::Oracle, &[("dbserver", "//db:1521/x")]),
            Ok("//db:1521/x".to_owned())
        );
        assert_eq!(
            connect(Dialect::Postgres, &[("host", "h"), ("dbname", "d")]),
            Ok("//h:5432/d".to_owned())
        );
        assert_eq!(
            connect(Dialect::Postgres, &[("host", "h")]),
            Err("foreign server ora has no option dbname".to_owned())
        );
        assert!(connect(Dialect::Oracle, &[("dbserver", "")]).is_err());
    }

    #[test]
    fn oracle_fdw_must_read_committed() {
        let isolation = |pairs: &[(&str, &str)]| Dialect::Oracle.isolation("ora", &options(pairs));
        assert!(isolation(&[("isolation_level", "read_committed")]).is_ok());
        let hint = |pairs| {
            isolation(pairs)
                .err()
                .and_then(|error| error.hint)
                .unwrap_or_default()
        };
        assert!(hint(&[]).contains("ADD isolation_level"));
        assert!(hint(&[("isolation_level", "read_only")]).contains("SET isolation_level"));
    }

    #[test]
    fn a_mapping_needs_user_and_password() {
        let both = options(&[("user", "u"), ("password", "p")]);
        let (user, password) = credentials("ora", Some(&both)).expect("both are there");
        assert_eq!((user.as_str(), password.reveal()), ("u", "p"));
        for (mapping, message) in [
            (None, "no user mapping"),
            (Some(options(&[("password", "p")])), "without user"),
            (Some(options(&[("user", "u")])), "without password"),
        ] {
            let error = credentials("ora", mapping.as_ref()).expect_err(message);
            assert_eq!(error.kind, Kind::Credentials);
            assert!(error.message.contains(message), "{}", error.message);
        }
    }
}
