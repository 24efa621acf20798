//! Oracle's SQL and small PL/SQL blocks, as PostgreSQL wants them. Pure text to text.
//!
//! Names follow Oracle: what is not quoted is folded to upper case, and reaches PostgreSQL
//! quoted. A package is a schema of its name, so `ORAPULL.API.ATTACH` becomes `"API"."ATTACH"`.

mod block;
mod ddl;
mod dynamic;
mod errors;
mod fragment;
mod lexer;
mod names;
mod rewrite;

pub use block::{Argument, BlockStep, Call};
pub use ddl::ddl;
pub use dynamic::{Dynamic, dynamic};
pub use errors::{code_of_error, code_of_sqlstate, native_sqlstates, sqlstate};
pub use fragment::Fragment;
pub use lexer::{Token, lex, lex_lines};
pub use names::{is_keyword, quoted};

/// What kind of statement OCI reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Other,
    Select,
    Update,
    Delete,
    Insert,
    Create,
    Drop,
    Alter,
    Begin,
    Declare,
    Call,
    Merge,
}

impl Kind {
    /// The number of the kind in OCI.
    pub fn number(self) -> u16 {
        match self {
            Self::Other => 0,
            Self::Select => 1,
            Self::Update => 2,
            Self::Delete => 3,
            Self::Insert => 4,
            Self::Create => 5,
            Self::Drop => 6,
            Self::Alter => 7,
            Self::Begin => 8,
            Self::Declare => 9,
            Self::Call => 10,
            Self::Merge => 16,
        }
    }

    pub fn is_plsql(self) -> bool {
        matches!(self, Self::Begin | Self::Declare | Self::Call)
    }

    fn is_dml(self) -> bool {
        matches!(
            self,
            Self::Insert | Self::Update | Self::Delete | Self::Merge
        )
    }

    fn is_ddl(self) -> bool {
        matches!(self, Self::Create | Self::Drop | Self::Alter)
    }

    fn of(word: &str) -> Self {
        match word.to_ascii_uppercase().as_str() {
            "SELECT" | "WITH" => Self::Select,
            "UPDATE" => Self::Update,
            "DELETE" => Self::Delete,
            "INSERT" => Self::Insert,
            "CREATE" => Self::Create,
            "DROP" | "TRUNCATE" => Self::Drop,
            "ALTER" | "GRANT" | "REVOKE" | "COMMENT" => Self::Alter,
            "BEGIN" => Self::Begin,
            "DECLARE" => Self::Declare,
            "CALL" => Self::Call,
            "MERGE" => Self::Merge,
            _ => Self::Other,
        }
    }
}

/// What to do for a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// One SQL statement, with the binds that RETURNING ... INTO fills.
    Sql {
        text: Fragment,
        returning: Vec<usize>,
    },
    /// DDL, which commits before and after.
    Ddl(Fragment),
    Block(Vec<BlockStep>),
    Commit,
    Rollback,
    /// A savepoint, or the way back to it.
    Savepoint(Fragment),
    /// Settings of an Oracle session.
    Nothing,
}

/// A statement of Oracle, ready for PostgreSQL.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    pub kind: Kind,
    /// Names of the binds, upper case, in order of first appearance.
    pub binds: Vec<String>,
    /// The bind of each placeholder, in order of the text.
    pub placeholders: Vec<usize>,
    pub body: Body,
}

/// Why a text cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError(pub String);

pub fn translate(sql: &str) -> Result<Translation, SyntaxError> {
    let tokens = lex(sql)?;
    let (binds, placeholders) = collect_binds(&tokens);
    let words: Vec<&Token> = tokens.iter().filter(|token| !token.is_space()).collect();
    let kind = match words.first() {
        Some(Token::Word(word)) => Kind::of(word),
        Some(Token::Symbol("(")) => Kind::Select,
        _ => Kind::Other,
    };
    let body = match kind {
        Kind::Begin | Kind::Call => Body::Block(block::parse(&words, &binds)?),
        Kind::Declare => {
            return Err(SyntaxError(
                "blocks with DECLARE are not run by the OCI stand-in".to_owned(),
            ));
        }
        Kind::Alter if words.get(1).is_some_and(|word| word.is("SESSION")) => Body::Nothing,
        Kind::Other => transaction_control(&words).unwrap_or_else(|| rewrite::dml(&tokens, &binds)),
        kind if kind.is_ddl() => Body::Ddl(ddl_text(&tokens)),
        _ => rewrite::dml(&tokens, &binds),
    };
    Ok(Translation {
        kind,
        binds,
        placeholders,
        body,
    })
}

/// A query, DML statement or expression without binds.
pub fn sql(tokens: &[Token]) -> String {
    rewrite::statement(tokens, &[]).render(&mut Vec::new())
}

fn transaction_control(words: &[&Token]) -> Option<Body> {
    let savepoint = |verb: &str, name: &Token| {
        let mut text = Fragment::default();
        text.push(&format!("{verb} {}", quoted(&name.name()?)));
        Some(Body::Savepoint(text))
    };
    match words {
        [word] if word.is("COMMIT") => Some(Body::Commit),
        [word] if word.is("ROLLBACK") => Some(Body::Rollback),
        [word, name] if word.is("SAVEPOINT") => savepoint("SAVEPOINT", name),
        [word, to, .., name] if word.is("ROLLBACK") && to.is("TO") => {
            savepoint("ROLLBACK TO SAVEPOINT", name)
        }
        _ => None,
    }
}

fn ddl_text(tokens: &[Token]) -> Fragment {
    let mut text = Fragment::default();
    text.push(&ddl(tokens));
    text
}

fn collect_binds(tokens: &[Token]) -> (Vec<String>, Vec<usize>) {
    let mut binds: Vec<String> = Vec::new();
    let mut placeholders = Vec::new();
    for token in tokens {
        if let Token::Bind(name) = token {
            let at = binds
                .iter()
                .position(|known| known == name)
                .unwrap_or_else(|| {
                    binds.push(name.clone());
                    binds.len() - 1
                });
            placeholders.push(at);
        }
    }
    (binds, placeholders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(text: &str) -> String {
        match translate(text).unwrap().body {
            Body::Sql { text, .. } | Body::Ddl(text) => text.render(&mut Vec::new()),
            other => panic!("no SQL statement: {other:?}"),
        }
    }

    #[test]
    fn names_fold_to_upper_case_and_are_quoted() {
        assert_eq!(
            sql("select shard, s.\"lower\" from orapull.shard_v s where holder = :h"),
            "select \"SHARD\", \"S\".\"lower\" from \"ORAPULL\".\"SHARD_V\" \"S\" where \"HOLDER\" = $1"
        );
    }

    #[test]
    fn functions_of_the_server_stay_and_those_of_packages_are_found_in_their_schema() {
        assert_eq!(
            sql("SELECT count(*), max(id), orapull.api.next_id(:1) FROM dual"),
            "SELECT count(*), max(\"ID\"), \"API\".\"NEXT_ID\"($1)"
        );
    }

    #[test]
    fn an_empty_text_is_null() {
        assert_eq!(sql("SELECT '', 'a''b' FROM dual"), "SELECT NULL, 'a''b'");
    }

    #[test]
    fn the_same_bind_is_one_parameter() {
        let translated = translate("SELECT id FROM t WHERE a = :x AND b = :y AND c = :x").unwrap();
        assert_eq!(translated.binds, ["X", "Y"]);
        assert_eq!(translated.placeholders, [0, 1, 0]);
        let Body::Sql { text, .. } = translated.body else {
            panic!()
        };
        let mut parameters = Vec::new();
        assert!(
            text.render(&mut parameters)
                .ends_with("\"A\" = $1 AND \"B\" = $2 AND \"C\" = $1")
        );
        assert_eq!(parameters, [0, 1]);
    }

    #[test]
    fn types_of_oracle_get_their_counterparts() {
        assert_eq!(
            sql(
                "CREATE TABLE t (id NUMBER(18) PRIMARY KEY, n VARCHAR2(30 CHAR) NOT NULL, d DATE, c CLOB, w VARCHAR2(4000))"
            ),
            "CREATE TABLE \"T\" (\"ID\" numeric(18) PRIMARY KEY, \"N\" varchar(30) NOT NULL, \
             \"D\" timestamp(0), \"C\" text, \"W\" varchar)"
        );
    }

    #[test]
    fn date_literals_and_clock_are_translated() {
        assert_eq!(
            sql("SELECT DATE '2024-01-31', SYSDATE, systimestamp FROM dual"),
            "SELECT timestamp(0) '2024-01-31', LOCALTIMESTAMP(0), clock_timestamp()"
        );
    }

    #[test]
    fn returning_into_names_the_binds_it_fills() {
        let translated = translate("INSERT INTO t (a) VALUES (:1) RETURNING id INTO :2").unwrap();
        let Body::Sql { text, returning } = translated.body else {
            panic!()
        };
        assert_eq!(
            text.render(&mut Vec::new()).trim_end(),
            "INSERT INTO \"T\" (\"A\") VALUES ($1) RETURNING \"ID\""
        );
        assert_eq!(returning, [1]);
    }

    #[test]
    fn fetch_first_and_minus_are_understood() {
        assert_eq!(
            sql("SELECT a FROM t MINUS SELECT a FROM u ORDER BY 1 FETCH FIRST 5 ROWS ONLY"),
            "SELECT \"A\" FROM \"T\" EXCEPT SELECT \"A\" FROM \"U\" ORDER BY 1 FETCH FIRST 5 ROWS ONLY"
        );
    }

    #[test]
    fn settings_of_the_session_are_accepted() {
        let translated = translate("ALTER SESSION SET nls_date_format = 'YYYY'").unwrap();
        assert_eq!(translated.body, Body::Nothing);
        assert_eq!(translated.kind, Kind::Alter);
    }

    #[test]
    fn transactions_are_controlled_by_sql_too() {
        let body = |text| translate(text).unwrap().body;
        assert_eq!(body("commit"), Body::Commit);
        assert_eq!(body("ROLLBACK"), Body::Rollback);
        let Body::Savepoint(text) = body("rollback to savepoint a") else {
            panic!()
        };
        assert_eq!(text.render(&mut Vec::new()), "ROLLBACK TO SAVEPOINT \"A\"");
    }

    #[test]
    fn an_open_literal_is_refused() {
        assert!(translate("SELECT 'abc FROM dual").is_err());
    }
}
