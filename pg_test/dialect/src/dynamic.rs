//! The text of EXECUTE IMMEDIATE, rewritten when it runs.

use super::lexer::{Token, lex};
use super::{Kind, SyntaxError, ddl, quoted, rewrite};

/// A statement of EXECUTE IMMEDIATE, ready for PostgreSQL's EXECUTE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dynamic {
    pub text: String,
    /// Oracle commits before and after it.
    pub is_ddl: bool,
    /// The table of a direct-path insert: Oracle forbids to name it again before the commit.
    pub direct_path: Option<String>,
    /// Whether it reaches through a database link.
    pub is_remote: bool,
    /// The view that is replaced, as PostgreSQL names it: it may get other columns, which PostgreSQL does not allow.
    pub replaced_view: Option<String>,
    /// What a COMMENT ON TABLE is on: in PostgreSQL one on a view says so.
    pub commented: Option<String>,
}

/// Words that are outside the subset, wherever they stand.
const REFUSED: &[&str] = &[
    "BULK",
    "CONNECT",
    "DECODE",
    "INTERSECT",
    "KEEP",
    "PRIOR",
    "SYSDATE",
];

/// Binds are positions here: a name that stands twice is two of them.
pub fn dynamic(text: &str) -> Result<Dynamic, SyntaxError> {
    let mut tokens = lex(text)?;
    let kind = match tokens.iter().find(|token| !token.is_space()) {
        Some(Token::Word(word)) => Kind::of(word),
        _ => Kind::Other,
    };
    if let Some(text) = session_setting(&tokens) {
        return Ok(Dynamic {
            text,
            is_ddl: false,
            direct_path: None,
            is_remote: false,
            replaced_view: None,
            commented: None,
        });
    }
    if !kind.is_ddl() && !kind.is_dml() && kind != Kind::Select {
        return Err(outside(
            "a statement that is neither a query nor DML nor DDL",
        ));
    }
    if let Some(word) = REFUSED
        .iter()
        .find(|word| tokens.iter().any(|token| token.is(word)))
    {
        return Err(outside(word));
    }
    if tokens.iter().any(|token| token.is_symbol(";")) {
        return Err(SyntaxError(
            "ORA-00911: a semicolon in dynamic SQL".to_owned(),
        ));
    }
    number_binds(&mut tokens);
    let direct_path = direct_path(&tokens);
    let is_remote = tokens.iter().any(|token| token.is_symbol("@"));
    let replaced_view = replaced_view(&tokens);
    let commented = commented(&tokens);
    let text = if kind.is_ddl() {
        ddl::ddl(&tokens)
    } else {
        rewrite::statement(&tokens, &[]).render(&mut Vec::new())
    };
    Ok(Dynamic {
        text,
        is_ddl: kind.is_ddl(),
        direct_path,
        is_remote,
        replaced_view,
        commented,
    })
}

fn outside(what: &str) -> SyntaxError {
    SyntaxError(format!("outside the subset of dynamic SQL: {what}"))
}

fn number_binds(tokens: &mut [Token]) {
    let binds = tokens
        .iter_mut()
        .filter(|token| matches!(token, Token::Bind(_)));
    for (number, token) in binds.enumerate() {
        *token = Token::Verbatim(format!("${}", number + 1));
    }
}

/// `INSERT /*+ APPEND */ INTO table`.
fn direct_path(tokens: &[Token]) -> Option<String> {
    let hinted = tokens.iter().any(|token| match token {
        Token::Hint(hint) => hint
            .to_uppercase()
            .split_whitespace()
            .any(|word| word == "APPEND"),
        _ => false,
    });
    let mut words = tokens.iter().filter(|token| !token.is_space());
    if !hinted || !words.next()?.is("INSERT") || !words.next()?.is("INTO") {
        return None;
    }
    words.next()?.name()
}

/// `CREATE OR REPLACE VIEW [schema.]name`.
fn replaced_view(tokens: &[Token]) -> Option<String> {
    match words(tokens).as_slice() {
        [create, or, replace, view, name @ ..]
            if create.is("CREATE") && or.is("OR") && replace.is("REPLACE") && view.is("VIEW") =>
        {
            full_name(name)
        }
        _ => None,
    }
}

/// `COMMENT ON TABLE [schema.]name`.
fn commented(tokens: &[Token]) -> Option<String> {
    match words(tokens).as_slice() {
        [comment, on, table, name @ ..]
            if comment.is("COMMENT") && on.is("ON") && table.is("TABLE") =>
        {
            full_name(name)
        }
        _ => None,
    }
}

/// `ALTER SESSION SET TIME_ZONE = '+hh:mm'`.
fn session_setting(tokens: &[Token]) -> Option<String> {
    match words(tokens).as_slice() {
        [alter, session, set, what, equals, Token::Literal(value)]
            if alter.is("ALTER")
                && session.is("SESSION")
                && set.is("SET")
                && what.is("TIME_ZONE")
                && equals.is_symbol("=") =>
        {
            Some(format!("SET TIME ZONE INTERVAL '{value}' HOUR TO MINUTE"))
        }
        _ => None,
    }
}

fn words(tokens: &[Token]) -> Vec<&Token> {
    tokens.iter().filter(|token| !token.is_space()).collect()
}

/// `[schema.]name` at the beginning, as PostgreSQL has it.
fn full_name(name: &[&Token]) -> Option<String> {
    let first = quoted(&name.first()?.name()?);
    match name {
        [_, dot, second, ..] if dot.is_symbol(".") => {
            Some(format!("{first}.{}", quoted(&second.name()?)))
        }
        _ => Some(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binds_are_positions() {
        let found = dynamic("SELECT :x || :y || :x FROM dual").unwrap();
        assert_eq!(found.text, "SELECT $1 || $2 || $3");
        assert!(!found.is_ddl);
    }

    #[test]
    fn a_direct_path_insert_tells_its_table() {
        let found = dynamic("INSERT /*+ APPEND */ INTO stage_1 (a) SELECT b FROM t").unwrap();
        assert_eq!(found.direct_path.as_deref(), Some("STAGE_1"));
        assert_eq!(
            dynamic("INSERT INTO stage_1 (a) VALUES (1)")
                .unwrap()
                .direct_path,
            None
        );
    }

    #[test]
    fn what_is_beyond_a_link_is_in_a_schema_of_its_own() {
        let found = dynamic("INSERT INTO pass@orapull_root (a) SELECT b FROM t").unwrap();
        assert_eq!(
            found.text,
            "INSERT INTO \"C##ORAPULL\".\"PASS\" (\"A\") SELECT \"B\" FROM \"T\""
        );
        assert!(found.is_remote);
        let found = dynamic("SELECT p.a FROM pass@elsewhere p").unwrap();
        assert_eq!(
            found.text,
            "SELECT \"P\".\"A\" FROM \"@ELSEWHERE\".\"PASS\" \"P\""
        );
    }

    #[test]
    fn ddl_is_told() {
        let found = dynamic("TRUNCATE TABLE stage_1").unwrap();
        assert!(found.is_ddl);
        assert_eq!(found.text, "TRUNCATE TABLE \"STAGE_1\"");
    }

    #[test]
    fn a_replaced_view_is_named() {
        let found = dynamic("CREATE OR REPLACE VIEW a.v AS SELECT b FROM t").unwrap();
        assert_eq!(found.replaced_view.as_deref(), Some("\"A\".\"V\""));
        assert_eq!(
            dynamic("CREATE VIEW v AS SELECT b FROM t")
                .unwrap()
                .replaced_view,
            None
        );
    }

    #[test]
    fn a_comment_names_what_it_is_on() {
        let found = dynamic("COMMENT ON TABLE pull_1 IS 'of \"A\"'").unwrap();
        assert_eq!(found.text, "COMMENT ON TABLE \"PULL_1\" IS 'of \"A\"'");
        assert_eq!(found.commented.as_deref(), Some("\"PULL_1\""));
    }

    #[test]
    fn the_time_zone_of_a_session_is_set() {
        let found = dynamic("ALTER SESSION SET TIME_ZONE = '+00:00'").unwrap();
        assert_eq!(found.text, "SET TIME ZONE INTERVAL '+00:00' HOUR TO MINUTE");
        assert!(!found.is_ddl);
    }

    #[test]
    fn what_is_outside_the_subset_is_refused() {
        for text in [
            "BEGIN NULL; END;",
            "COMMIT",
            "SELECT a FROM t CONNECT BY b = PRIOR a",
            "SELECT a FROM t;",
        ] {
            assert!(dynamic(text).is_err(), "{text}");
        }
    }
}
