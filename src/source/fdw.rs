//! What the foreign data wrappers call things: the only file that knows their option names.
//!
//! Pure: text in, statements out. A wrapper is known by its handler function, so that one created
//! under another name (with another `nls_lang`, say) serves too.

use std::collections::BTreeMap;

use crate::error::{Error, Kind};
use crate::quote::{ident, literal, qualified};
use crate::source::contract::{
    Column, LOAD_COLUMNS, PULL_COLUMNS, Type, VIEWS, load_view, local_name, pull_view,
};
use crate::source::login::Secret;
use crate::source::types::{LOB_BYTES, Mapped};

/// What the rows of one fetch may take in memory.
const FETCH_BYTES: i64 = 64 << 20;

/// More rows in one fetch gain nothing.
const FETCH_ROWS: i64 = 10_000;

/// oracle_fdw 2.7 takes no more than this.
const ORACLE_FETCH_ROWS: i64 = 1_000;

/// What the technical columns of PULL_n and LOAD_n count.
const TECHNICAL_BYTES: i64 = 256;

/// Options of a server, mapping or table.
pub type Options = BTreeMap<String, String>;

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
    pub fn passed(check: &str, found: impl Into<String>) -> Self {
        Check {
            check: check.to_owned(),
            ok: true,
            found: found.into(),
            advice: String::new(),
        }
    }

    pub fn failed(check: &str, error: Error) -> Self {
        Check {
            check: check.to_owned(),
            ok: false,
            found: error.to_string(),
            advice: error.hint.unwrap_or_default(),
        }
    }

    pub fn of(check: &str, outcome: Result<String, Error>) -> Self {
        outcome.map_or_else(
            |error| Check::failed(check, error),
            |found| Check::passed(check, found),
        )
    }
}

/// Rows to fetch at once when a row takes `width` bytes.
pub fn fetch_size(width: i64) -> i64 {
    (FETCH_BYTES / width.max(1)).clamp(1, FETCH_ROWS)
}

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

    fn column(self, column: &RemoteColumn) -> String {
        let declared = format!("{} {}", ident(&column.local), column.data_type);
        match self {
            Dialect::Oracle => declared,
            Dialect::Postgres => {
                format!(
                    "{declared} OPTIONS (column_name {})",
                    literal(&column.remote)
                )
            }
        }
    }

    /// Options of a foreign table. oracle_fdw matches columns by position, so it gets a query
    /// that names them: a column that is gone is an error then, not a shift of all others.
    /// `strip_zeros` stays off: it would change values silently.
    fn table_options(self, remote_schema: &str, table: &Table) -> String {
        match self {
            Dialect::Oracle => {
                let columns: Vec<&str> = table
                    .columns
                    .iter()
                    .map(|column| column.selected.as_str())
                    .collect();
                let query = format!(
                    "(SELECT {} FROM {})",
                    columns.join(", "),
                    qualified(remote_schema, &table.view)
                );
                let mut options = format!(
                    "table {}, readonly 'true', prefetch '{}'",
                    literal(&query),
                    table.rows.min(ORACLE_FETCH_ROWS)
                );
                if table.has_long {
                    options.push_str(&format!(", max_long '{LOB_BYTES}'"));
                }
                options
            }
            Dialect::Postgres => format!(
                "schema_name {}, table_name {}, updatable 'false', fetch_size '{}'",
                literal(remote_schema),
                literal(&table.view),
                table.rows
            ),
        }
    }
}

/// A foreign table to create.
struct Table {
    name: String,
    view: String,
    columns: Vec<RemoteColumn>,
    rows: i64,
    has_long: bool,
}

struct RemoteColumn {
    remote: String,
    local: String,
    data_type: String,
    /// How a query at Oracle selects it.
    selected: String,
}

impl Table {
    fn create(&self, dialect: Dialect, schema: &str, server: &str, remote_schema: &str) -> String {
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| dialect.column(column))
            .collect();
        format!(
            "CREATE FOREIGN TABLE {} (\n  {}\n) SERVER {} OPTIONS ({})",
            qualified(schema, &self.name),
            columns.join(",\n  "),
            ident(server),
            dialect.table_options(remote_schema, self)
        )
    }
}

fn target_tables(table_id: i64, columns: &[(Column, Mapped)]) -> [Table; 2] {
    let width: i64 = columns.iter().map(|(_, mapped)| mapped.width).sum();
    let table = |view: String, first: &[(&str, Type)]| Table {
        name: local_name(&view),
        view,
        columns: first
            .iter()
            .map(technical)
            .chain(
                columns
                    .iter()
                    .map(|(column, mapped)| of_table(column, mapped)),
            )
            .collect(),
        rows: fetch_size(width + TECHNICAL_BYTES),
        has_long: columns
            .iter()
            .any(|(column, _)| column.data_type.starts_with("LONG")),
    };
    [
        table(pull_view(table_id), &PULL_COLUMNS),
        table(load_view(table_id), &LOAD_COLUMNS),
    ]
}

fn technical((name, data_type): &(&str, Type)) -> RemoteColumn {
    RemoteColumn {
        remote: (*name).to_owned(),
        local: local_name(name),
        data_type: data_type.local().to_owned(),
        selected: ident(name),
    }
}

fn of_table(column: &Column, mapped: &Mapped) -> RemoteColumn {
    RemoteColumn {
        remote: column.name.clone(),
        local: local_name(&column.name),
        data_type: mapped.foreign.clone(),
        selected: selected(column),
    }
}

/// Types that oracle_fdw cannot read, or not safely, are converted at Oracle.
fn selected(column: &Column) -> String {
    let name = ident(&column.name);
    let converted = match column.data_type.as_str() {
        // As such it would be cut off at `max_long`.
        "XMLTYPE" => format!("XMLSERIALIZE(CONTENT {name} AS CLOB)"),
        "JSON" => format!("JSON_SERIALIZE({name} RETURNING CLOB)"),
        "VECTOR" => format!("FROM_VECTOR({name} RETURNING CLOB)"),
        "BOOLEAN" => {
            format!("CAST(CASE WHEN {name} THEN 1 WHEN NOT {name} THEN 0 END AS NUMBER(1))")
        }
        // As such it would depend on the time zone of the session.
        zoned if zoned.ends_with("WITH LOCAL TIME ZONE") => format!("{name} AT TIME ZONE 'UTC'"),
        _ => return name,
    };
    format!("{converted} AS {name}")
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

/// Creates the foreign tables of the contract's views.
pub fn contract_statements(
    dialect: Dialect,
    schema: &str,
    server: &str,
    remote_schema: &str,
) -> Vec<String> {
    VIEWS
        .iter()
        .map(|view| Table {
            name: local_name(view.name),
            view: view.name.to_owned(),
            columns: view.columns.iter().map(technical).collect(),
            rows: FETCH_ROWS,
            has_long: false,
        })
        .map(|table| table.create(dialect, schema, server, remote_schema))
        .collect()
}

/// Creates the foreign tables that return the rows of one registered table.
pub fn target_statements(
    dialect: Dialect,
    schema: &str,
    server: &str,
    remote_schema: &str,
    table_id: i64,
    columns: &[(Column, Mapped)],
) -> Vec<String> {
    target_tables(table_id, columns)
        .iter()
        .map(|table| table.create(dialect, schema, server, remote_schema))
        .collect()
}

/// Drops what [`target_statements`] made, if it is there.
pub fn drop_target_statement(schema: &str, table_id: i64) -> String {
    format!(
        "DROP FOREIGN TABLE IF EXISTS {}, {}",
        qualified(schema, &local_name(&pull_view(table_id))),
        qualified(schema, &local_name(&load_view(table_id))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::types::map;

    fn column(name: &str, data_type: &str) -> (Column, Mapped) {
        let column = Column {
            name: name.to_owned(),
            data_type: data_type.to_owned(),
            data_length: 22,
            char_length: 0,
            precision: None,
            scale: None,
            nullable: true,
            key_position: None,
        };
        let mapped = map(&column).expect("a supported type");
        (column, mapped)
    }

    fn pull(dialect: Dialect, columns: &[(Column, Mapped)]) -> String {
        target_tables(1, columns)[0].create(dialect, "s", "ora", "ORAPULL")
    }

    #[test]
    fn oracle_fdw_gets_a_query_that_names_every_column() {
        let statement = pull(Dialect::Oracle, &[column("ID", "NUMBER")]);
        assert_eq!(
            statement,
            "CREATE FOREIGN TABLE \"s\".\"pull_1\" (\n  \"p$slot\" bigint,\n  \"p$portion\" bigint,\n  \
             \"p$ptr\" bigint,\n  \"p$prev\" bigint,\n  \"p$rowid\" text,\n  \"id\" numeric\n) \
             SERVER \"ora\" OPTIONS (table '(SELECT \"P$SLOT\", \"P$PORTION\", \"P$PTR\", \
             \"P$PREV\", \"P$ROWID\", \"ID\" FROM \"ORAPULL\".\"PULL_1\")', readonly 'true', \
             prefetch '1000')"
        );
    }

    #[test]
    fn postgres_fdw_gets_the_names_as_options() {
        let statement = pull(Dialect::Postgres, &[column("It's", "DATE")]);
        assert!(
            statement.contains("\"It's\" timestamp(0) OPTIONS (column_name 'It''s')"),
            "{statement}"
        );
        assert!(
            statement.ends_with(
                "OPTIONS (schema_name 'ORAPULL', table_name 'PULL_1', updatable 'false', fetch_size '10000')"
            ),
            "{statement}"
        );
    }

    #[test]
    fn values_that_oracle_fdw_would_cut_or_shift_are_converted_at_the_source() {
        let columns = [
            column("X", "XMLTYPE"),
            column("T", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
            column("L", "LONG"),
        ];
        let statement = pull(Dialect::Oracle, &columns);
        for part in [
            "XMLSERIALIZE(CONTENT \"X\" AS CLOB) AS \"X\"",
            "\"T\" AT TIME ZONE ''UTC'' AS \"T\"",
            "max_long '1048576'",
        ] {
            assert!(statement.contains(part), "{part} in {statement}");
        }
    }

    #[test]
    fn wide_rows_are_fetched_few_at_a_time() {
        assert_eq!(fetch_size(100), 10_000);
        assert_eq!(fetch_size(LOB_BYTES), 64);
        assert_eq!(fetch_size(1 << 40), 1);
        assert_eq!(fetch_size(0), 10_000);
    }

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

    #[test]
    fn every_view_of_the_contract_gets_a_table() {
        let statements = contract_statements(Dialect::Postgres, "src", "ora", "ORAPULL");
        assert_eq!(statements.len(), VIEWS.len());
        assert!(statements[0].starts_with("CREATE FOREIGN TABLE \"src\".\"source_v\""));
    }

    #[test]
    fn an_unknown_wrapper_is_refused() {
        assert!(Dialect::of_handler("mysql_fdw_handler").is_err());
        assert_eq!(
            Dialect::of_handler("oracle_fdw_handler"),
            Ok(Dialect::Oracle)
        );
    }
}
