//! The foreign tables: their columns, their options, and the statements that make them. Pure.

use crate::quote::{ident, literal, qualified};
use crate::source::contract::{
    Column, LOAD_COLUMNS, PULL_COLUMNS, Type, VIEWS, load_table, load_view, local_name, pull_table,
    pull_view,
};
use crate::source::fdw::Dialect;
use crate::source::types::{LOB_BYTES, Mapped};

/// What the rows of one fetch may take in memory.
const FETCH_BYTES: i64 = 64 << 20;

/// More rows in one fetch gain nothing.
const FETCH_ROWS: i64 = 10_000;

/// oracle_fdw 2.7 takes no more than this.
const ORACLE_FETCH_ROWS: i64 = 1_000;

/// What the technical columns of PULL_n and LOAD_n count.
const TECHNICAL_BYTES: i64 = 256;

/// Rows to fetch at once when a row takes `width` bytes.
fn fetch_size(width: i64) -> i64 {
    (FETCH_BYTES / width.max(1)).clamp(1, FETCH_ROWS)
}

impl Dialect {
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

fn target_tables(target_id: i32, table_id: i64, columns: &[(Column, Mapped)]) -> [Table; 2] {
    let width: i64 = columns.iter().map(|(_, mapped)| mapped.width).sum();
    let table = |name: String, view: String, first: &[(&str, Type)]| Table {
        name,
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
        table(pull_table(target_id), pull_view(table_id), &PULL_COLUMNS),
        table(load_table(target_id), load_view(table_id), &LOAD_COLUMNS),
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

/// Creates the foreign tables that return the rows of one registered table to one local table.
pub fn target_statements(
    dialect: Dialect,
    schema: &str,
    server: &str,
    remote_schema: &str,
    (target_id, table_id): (i32, i64),
    columns: &[(Column, Mapped)],
) -> Vec<String> {
    target_tables(target_id, table_id, columns)
        .iter()
        .map(|table| table.create(dialect, schema, server, remote_schema))
        .collect()
}

/// Drops what [`target_statements`] made, if it is there.
pub fn drop_target_statement(schema: &str, target_id: i32) -> String {
    format!(
        "DROP FOREIGN TABLE IF EXISTS {}, {}",
        qualified(schema, &pull_table(target_id)),
        qualified(schema, &load_table(target_id)),
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
        target_tables(3, 1, columns)[0].create(dialect, "s", "ora", "ORAPULL")
    }

    #[test]
    fn oracle_fdw_gets_a_query_that_names_every_column() {
        let statement = pull(Dialect::Oracle, &[column("ID", "NUMBER")]);
        assert_eq!(
            statement,
            "CREATE FOREIGN TABLE \"s\".\"pull_3\" (\n  \"p$slot\" bigint,\n  \"p$portion\" bigint,\n  \
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
            column("J", "JSON"),
            column("V", "VECTOR"),
            column("B", "BOOLEAN"),
        ];
        let statement = pull(Dialect::Oracle, &columns);
        for part in [
            "XMLSERIALIZE(CONTENT \"X\" AS CLOB) AS \"X\"",
            "\"T\" AT TIME ZONE ''UTC'' AS \"T\"",
            "max_long '1048576'",
            "JSON_SERIALIZE(\"J\" RETURNING CLOB) AS \"J\"",
            "FROM_VECTOR(\"V\" RETURNING CLOB) AS \"V\"",
            "CAST(CASE WHEN \"B\" THEN 1 WHEN NOT \"B\" THEN 0 END AS NUMBER(1)) AS \"B\"",
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

    #[test]
    fn every_view_of_the_contract_gets_a_table() {
        let statements = contract_statements(Dialect::Postgres, "src", "ora", "ORAPULL");
        assert_eq!(statements.len(), VIEWS.len());
        assert!(statements[0].starts_with("CREATE FOREIGN TABLE \"src\".\"source_v\""));
    }
}
