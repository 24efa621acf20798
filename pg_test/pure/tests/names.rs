//! Names and texts of others in statements: quotes, semicolons, comments, other alphabets.

mod sql;

use proptest::prelude::*;

use pure::pull::statement;
use pure::pull::table::{self, Identity, Key, Table, UniqueIndex};
use pure::quote::{ident, literal, qualified};
use pure::source::contract::Column;
use pure::source::fdw::{Dialect, contract_statements, drop_target_statement, target_statements};
use pure::source::keys::KeyKind;
use pure::source::types::map;
use sql::{Token, tokens};

proptest! {
    // Failing input is printed, and belongs into a test of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_name_stays_one_name(name in hostile(), schema in hostile()) {
        prop_assert_eq!(tokens(&ident(&name)), Some(vec![Token::Name(name.clone())]));
        let both = vec![Token::Name(schema.clone()), Token::Other('.'), Token::Name(name.clone())];
        prop_assert_eq!(tokens(&qualified(&schema, &name)), Some(both));
    }

    #[test]
    fn a_text_stays_one_text(text in hostile()) {
        prop_assert_eq!(tokens(&literal(&text)), Some(vec![Token::Text(text.clone())]));
    }

    #[test]
    fn statements_of_the_data_path_have_the_same_form_with_any_names(names in eight(), rowid in any::<bool>()) {
        let benign = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"].map(str::to_owned);
        let expected = statements(&benign, rowid);
        for (with, without) in statements(&names, rowid).iter().zip(&expected) {
            prop_assert_eq!(form(with, &names), form(without, &benign), "{}", with);
        }
    }

    #[test]
    fn foreign_tables_have_the_same_form_with_any_names(names in eight()) {
        let benign = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"].map(str::to_owned);
        for dialect in [Dialect::Oracle, Dialect::Postgres] {
            let expected = definitions(dialect, &benign);
            for (with, without) in definitions(dialect, &names).iter().zip(&expected) {
                prop_assert_eq!(form(with, &names), form(without, &benign), "{}", with);
            }
        }
    }
}

/// Names made of what could end a name, or a statement.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "\"",
            "'",
            "\\",
            "\"\"",
            "''",
            "\\'",
            ";",
            "--",
            "/*",
            "*/",
            "$$",
            "$1",
            " ",
            "\n",
            ")",
            "(",
            "%",
            "{}",
            "E'",
            "DROP TABLE x",
            "é",
            "💥",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,4}",
    ];
    proptest::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

/// Eight names of which none is part of another, so that each can be told again.
fn eight() -> impl Strategy<Value = [String; 8]> {
    proptest::array::uniform8(hostile()).prop_map(|mut names| {
        for (number, name) in names.iter_mut().enumerate() {
            // Lower case somewhere: such a name is the same here and at the source.
            name.push_str(&format!("n{number}"));
        }
        names
    })
}

/// Every statement about a table whose names, of columns, index, relation and schemas, are these.
fn statements(names: &[String; 8], rowid: bool) -> Vec<String> {
    let [schema, relation, foreign, a, b, c, d, index] = names;
    let column = |name: &String, foreign_type: &str, local_type: &str| table::Column {
        name: name.clone(),
        foreign_type: foreign_type.to_owned(),
        local_type: local_type.to_owned(),
    };
    let key = |column, kind, length| Key {
        column,
        kind,
        length,
    };
    let table = Table {
        target_id: 1,
        remote_id: 2,
        relation: qualified(schema, relation),
        foreign_schema: foreign.clone(),
        identity: if rowid {
            Identity::Rowid
        } else {
            Identity::Key(vec![
                key(0, KeyKind::Number, 0),
                key(1, KeyKind::Char, 4),
                key(2, KeyKind::Raw, 0),
            ])
        },
        columns: vec![
            column(a, "numeric", "bigint"),
            column(b, "text", "character"),
            column(c, "bytea", "bytea"),
            column(d, "text", "json"),
        ],
        uniques: vec![],
        filter: None,
        referenced: false,
    };
    let unique = UniqueIndex {
        name: index.clone(),
        columns: vec![d.clone(), a.clone()],
    };
    let [number, order] = statement::number_rows(&table);
    vec![
        statement::create_rows(&table),
        statement::drop_rows(&table),
        statement::truncate_rows(&table),
        statement::fetch_rows(&table),
        statement::fetch_chunk(&table),
        statement::fetch_chunk_identities(&table),
        statement::fetch_pointers(&table.foreign_schema, 8),
        statement::delete_gone(&table),
        statement::upsert(&table, false),
        statement::upsert(&table, true),
        number,
        order,
        statement::count_rows(&table),
        statement::staged_identity(&table),
        statement::delete_colliding(&table, &unique),
        statement::empty(&table),
        statement::see(&table),
        statement::suspect(&table),
        statement::unequal(&table),
        statement::extra(&table),
    ]
}

fn definitions(dialect: Dialect, names: &[String; 8]) -> Vec<String> {
    let [schema, server, remote, columns @ ..] = names;
    let columns: Vec<_> = columns
        .iter()
        .zip([
            "NUMBER",
            "CLOB",
            "XMLTYPE",
            "TIMESTAMP(6) WITH LOCAL TIME ZONE",
            "BOOLEAN",
        ])
        .map(|(name, data_type)| {
            let column = Column {
                name: name.clone(),
                data_type: data_type.to_owned(),
                data_length: 22,
                char_length: 0,
                precision: None,
                scale: None,
                nullable: true,
                key_position: None,
            };
            let mapped = map(&column).expect("a type of Oracle");
            (column, mapped)
        })
        .collect();
    let mut all = contract_statements(dialect, schema, server, remote);
    all.extend(target_statements(
        dialect,
        schema,
        server,
        remote,
        (3, 7),
        &columns,
    ));
    all.push(drop_target_statement(schema, 3));
    all
}

/// The tokens of a statement, with the names by their numbers. A text is one of them, or a query of Oracle that is
/// taken apart in turn.
fn form(statement: &str, names: &[String; 8]) -> Option<Vec<Token>> {
    let numbered = |text: String| {
        names
            .iter()
            .position(|name| *name == text)
            .map_or(text, |number| format!("name {number}"))
    };
    let mut form = Vec::new();
    for token in tokens(statement)? {
        match token {
            Token::Name(name) => form.push(Token::Name(numbered(name))),
            Token::Text(text) if text.starts_with("(SELECT") => {
                for token in tokens(&text)? {
                    form.push(match token {
                        Token::Name(name) => Token::Name(numbered(name)),
                        other => other,
                    });
                }
            }
            Token::Text(text) => form.push(Token::Text(numbered(text))),
            other => form.push(other),
        }
    }
    Some(form)
}
