//! Tests that run inside a server: filters, rules for local tables, and how an error reaches the caller.

use pgrx::prelude::*;

#[pg_schema]
mod tests {
    use pgrx::prelude::*;

    use crate::catalog::source::{Source, Wish};
    use crate::error::Error;
    use crate::pull::drift::{self, Described};
    use crate::pull::tx;
    use crate::register::{Load, filter, rules, split_name};
    use crate::source::contract::Column;
    use crate::sql;

    fn run(statement: &str) {
        Spi::run(statement).unwrap();
    }

    fn source() -> Source {
        Source {
            id: 1,
            name: "main".to_owned(),
            server: "none".to_owned(),
            shard: "s".to_owned(),
            remote_schema: "ORAPULL".to_owned(),
            local_schema: "public".to_owned(),
            owner: crate::api::caller(),
            wished: Wish::Run,
        }
    }

    /// ID NUMBER(10) as the key, NAME VARCHAR2(40), MADE_AT DATE.
    fn described() -> Described {
        let column = |name: &str,
                      data_type: &str,
                      precision: Option<i32>,
                      key_position: Option<i32>| Column {
            name: name.to_owned(),
            data_type: data_type.to_owned(),
            data_length: 40,
            char_length: if data_type == "VARCHAR2" { 40 } else { 0 },
            precision,
            scale: precision.map(|_| 0),
            nullable: key_position.is_none(),
            key_position,
        };
        drift::map_columns(vec![
            column("ID", "NUMBER", Some(10), Some(1)),
            column("NAME", "VARCHAR2", None, None),
            column("MADE_AT", "DATE", None, None),
        ])
        .unwrap()
    }

    /// In a subtransaction: an error must not end the test.
    fn filtered(text: &str) -> Result<String, Error> {
        tx::subtransaction(|| filter::normalised(&source(), &described(), text))
    }

    #[pg_test]
    fn a_filter_over_a_lob_wants_rowids() {
        let mut described = described();
        described.columns[1].0.data_type = "CLOB".to_owned();
        let filtered = |described: &Described, text: &str| {
            tx::subtransaction(|| filter::normalised(&source(), described, text))
        };
        let error = filtered(&described, "id > 3 AND length(name) > 10").expect_err("a LOB");
        assert!(
            error.message.contains("column name, a LOB (CLOB)"),
            "{error}"
        );
        filtered(&described, "id > 3").unwrap();
        described.keys.clear();
        filtered(&described, "length(name) > 10").unwrap();
    }

    /// Whether `items`, created so, may be followed into.
    fn rule(statements: &str, load: Load) -> Result<(), Error> {
        run("DROP SCHEMA IF EXISTS lab CASCADE; CREATE SCHEMA lab");
        run(statements);
        let relation = Spi::get_one::<pg_sys::Oid>("SELECT 'lab.items'::regclass::oid");
        let relation = relation.unwrap().unwrap();
        tx::subtransaction(|| rules::check(&source(), relation, &described(), load))
    }

    fn refused(statements: &str, part: &str) {
        let error = rule(statements, Load::Auto).expect_err(statements);
        assert!(error.message.contains(part), "{statements}: {error}");
        assert!(error.hint.is_some(), "{statements}: no hint");
    }

    #[pg_test]
    fn a_filter_is_kept_as_postgresql_prints_it() {
        assert_eq!(
            filtered("ID>5 and name like 'a%'").unwrap(),
            "((id > 5) AND (name ~~ 'a%'::text))"
        );
        // Checking it leaves nothing behind, so that the next table can be added in the same transaction.
        assert_eq!(filtered("\"name\" IS NULL").unwrap(), "(name IS NULL)");
        // To PostgreSQL no predicate of an index, but a filter.
        assert_eq!(filtered("true").unwrap(), "true");
    }

    #[pg_test]
    fn a_filter_is_one_immutable_boolean_expression_over_the_columns() {
        let refused = [
            ("id + 1", "42804"),
            ("made_at > now()", "42P17"),
            ("random() < 0.5", "42P17"),
            ("id IN (SELECT 1)", "0A000"),
            ("count(*) > 1", "42803"),
            ("no_such_column", "42703"),
            ("true); DROP TABLE x; SELECT (true", "22023"),
            ("true) AND (", "42601"),
            ("id = $1", "42P02"),
        ];
        for (text, sqlstate) in refused {
            let error = filtered(text).expect_err(text);
            assert_eq!(error.sqlstate(), sqlstate, "{text}: {error}");
        }
    }

    /// What is kept is what PostgreSQL printed, so that no comment reaches the statements it is put into.
    #[pg_test]
    fn a_comment_cannot_swallow_what_follows_a_filter() {
        assert_eq!(filtered("id > 1 /* x */").unwrap(), "(id > 1)");
        assert!(filtered("id > 1 --").is_err());
    }

    #[pg_test]
    fn a_plain_table_with_the_key_is_accepted() {
        let plain = "CREATE TABLE lab.items (id bigint PRIMARY KEY, name text, mine text)";
        rule(plain, Load::Auto).unwrap();
        let filled = format!("{plain}; INSERT INTO lab.items VALUES (1)");
        rule(&filled, Load::Replace).unwrap();
        rule(&filled, Load::None).unwrap();
        refused(&filled, "is not empty");
    }

    #[pg_test]
    fn a_table_partitioned_by_its_key_is_accepted() {
        let by = |column: &str, key: &str| {
            format!(
                "CREATE TABLE lab.items (id bigint, name text, {key}) PARTITION BY LIST ({column})"
            )
        };
        rule(&by("id", "PRIMARY KEY (id)"), Load::Auto).unwrap();
        refused(
            &by("name", "UNIQUE (id, name)"),
            "has no unique index on (id)",
        );
    }

    #[pg_test]
    fn tables_that_would_lose_rows_are_refused_with_the_reason() {
        let with = |more: &str| {
            format!("CREATE TABLE lab.items (id bigint PRIMARY KEY, name text); {more}")
        };
        refused(
            "CREATE UNLOGGED TABLE lab.items (id bigint PRIMARY KEY)",
            "not permanent",
        );
        refused(
            "CREATE TABLE lab.items (id bigint)",
            "no unique index on (id)",
        );
        refused(
            "CREATE TABLE lab.items (id bigint PRIMARY KEY DEFERRABLE)",
            "deferrable",
        );
        refused("CREATE TABLE lab.items (id integer PRIMARY KEY)", "ID");
        refused("CREATE VIEW lab.items AS SELECT 1 AS id", "is not a table");
        refused(
            &with("CREATE UNIQUE INDEX ON lab.items (lower(name))"),
            "index on an expression",
        );
        refused(
            &with("CREATE UNIQUE INDEX ON lab.items (name) WHERE id > 1"),
            "partial unique index",
        );
        refused(
            &with("CREATE RULE r AS ON DELETE TO lab.items DO INSTEAD NOTHING"),
            "has rules",
        );
        refused(
            &with("CREATE TABLE lab.child () INHERITS (lab.items)"),
            "inheritance",
        );
        refused(
            "CREATE TABLE lab.items (id bigint PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY)",
            "generates n always",
        );
    }

    #[pg_test]
    fn names_of_oracle_are_split_and_folded() {
        let split = |name: &str| split_name(name).map(|(owner, table)| format!("{owner}|{table}"));
        assert_eq!(split("app.items").unwrap(), "APP|ITEMS");
        assert_eq!(
            split("APP.\"Mixed.Case\"").map_err(|e| e.kind),
            Ok("APP|Mixed.Case".to_owned())
        );
        for bad in ["items", "a.b.c", ""] {
            let error = tx::subtransaction(|| split_name(bad)).expect_err(bad);
            assert_eq!(error.sqlstate(), "22023", "{bad}");
        }
    }

    #[pg_test]
    fn an_error_reaches_the_caller_with_its_sqlstate_and_advice() {
        let error = tx::subtransaction(|| sql::execute("SELECT orapull.resume('nobody')", &[]));
        let error = error.expect_err("there is no source");
        assert_eq!(error.sqlstate(), "42704");
        assert!(error.message.contains("nobody"), "{error}");
        assert!(
            error
                .hint
                .is_some_and(|hint| hint.contains("orapull.status"))
        );
    }
}
