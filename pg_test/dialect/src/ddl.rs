//! DDL: what PostgreSQL has no word for is left out.

use super::lexer::Token;
use super::rewrite;

/// Words of Oracle's DDL without a counterpart, and what stands for them. `?` is any token.
const PHRASES: &[(&[&str], &str)] = &[
    (&["GLOBAL", "TEMPORARY"], "UNLOGGED"),
    (&["ON", "COMMIT", "DELETE", "ROWS"], ""),
    (&["ON", "COMMIT", "PRESERVE", "ROWS"], ""),
    (&["WITH", "READ", "ONLY"], ""),
    (&["CASCADE", "CONSTRAINTS"], "CASCADE"),
    (&["DROP", "STORAGE"], ""),
    (&["REUSE", "STORAGE"], ""),
    (&["TABLESPACE", "?"], ""),
    (&["PCTFREE", "?"], ""),
    (&["OR", "REPLACE"], "OR REPLACE"),
    (&["START", "WITH"], "START WITH"),
    (&["INCREMENT", "BY"], "INCREMENT BY"),
    (&["CACHE"], "CACHE"),
    (&["NOCACHE"], ""),
    (&["NOCYCLE"], ""),
    (&["NOORDER"], ""),
    (&["NOLOGGING"], ""),
    (&["LOGGING"], ""),
    (&["NOCOMPRESS"], ""),
    (&["PURGE"], ""),
    (&["FORCE"], ""),
    (&["CASCADE"], "CASCADE"),
    (&["COMMENT"], "COMMENT"),
    (&["COLUMN"], "COLUMN"),
    (&["ADD"], "ADD"),
    (&["RENAME"], "RENAME"),
    (&["SEQUENCE"], "SEQUENCE"),
    (&["GRANT"], "GRANT"),
    (&["REVOKE"], "REVOKE"),
    (&["EXECUTE"], "EXECUTE"),
];

/// One DDL statement.
pub fn ddl(tokens: &[Token]) -> String {
    let head = tokens
        .iter()
        .position(|token| token.is("AS"))
        .unwrap_or(tokens.len());
    let mut rewritten = phrases(&tokens[..head]);
    rewritten.extend_from_slice(&tokens[head..]);
    if tokens
        .first()
        .is_some_and(|first| first.is("GRANT") || first.is("REVOKE"))
    {
        name_role(&mut rewritten);
    }
    rewrite::statement(&rewritten, &[]).render(&mut Vec::new())
}

/// The last word is a role. Roles belong to the whole server, where names are lower case.
fn name_role(tokens: &mut [Token]) {
    if let Some(role) = tokens.iter_mut().rfind(|token| !token.is_space())
        && let Some(name) = role.name()
    {
        *role = Token::Quoted(name.to_lowercase());
    }
}

/// Replaces the phrases that are in no parentheses: inside are names of columns.
fn phrases(tokens: &[Token]) -> Vec<Token> {
    let mut replaced = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is_symbol("(") {
            depth += 1;
        } else if token.is_symbol(")") {
            depth -= 1;
        }
        let is_part = at > 0 && tokens[at - 1].is_symbol(".");
        match phrase(&tokens[at..]).filter(|_| depth == 0 && !is_part) {
            Some((text, length)) => {
                replaced.push(Token::Verbatim(text.to_owned()));
                at += length;
            }
            None => {
                replaced.push(token.clone());
                at += 1;
            }
        }
    }
    replaced
}

/// The phrase at the beginning of the tokens, and how many of them it takes.
fn phrase(tokens: &[Token]) -> Option<(&'static str, usize)> {
    let words: Vec<(usize, &Token)> = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| !token.is_space())
        .take(4)
        .collect();
    if words.first().is_none_or(|(at, _)| *at > 0) {
        return None;
    }
    PHRASES.iter().find_map(|(phrase, text)| {
        let fits = phrase.len() <= words.len()
            && phrase
                .iter()
                .zip(&words)
                .all(|(wanted, (_, token))| *wanted == "?" || token.is(wanted));
        fits.then(|| (*text, words[phrase.len() - 1].0 + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;

    fn ddl(text: &str) -> String {
        let text = super::ddl(&lex(text).unwrap());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn temporary_tables_are_unlogged() {
        assert_eq!(
            ddl("CREATE GLOBAL TEMPORARY TABLE asked (force NUMBER(9)) ON COMMIT DELETE ROWS"),
            "CREATE UNLOGGED TABLE \"ASKED\" (\"FORCE\" numeric(9))"
        );
    }

    #[test]
    fn storage_has_no_counterpart() {
        assert_eq!(
            ddl("CREATE TABLE stage_1 NOLOGGING TABLESPACE x AS SELECT * FROM stage_0 WHERE 1 = 0"),
            "CREATE TABLE \"STAGE_1\" AS SELECT * FROM \"STAGE_0\" WHERE 1 = 0"
        );
        assert_eq!(
            ddl("CREATE INDEX i ON t (logging) LOGGING"),
            "CREATE INDEX \"I\" ON \"T\" (\"LOGGING\")"
        );
        assert_eq!(
            ddl("TRUNCATE TABLE stage_1 REUSE STORAGE"),
            "TRUNCATE TABLE \"STAGE_1\""
        );
        assert_eq!(
            ddl("DROP TABLE a.t CASCADE CONSTRAINTS PURGE"),
            "DROP TABLE \"A\".\"T\" CASCADE"
        );
    }

    #[test]
    fn sequences_keep_their_numbers() {
        assert_eq!(
            ddl("CREATE SEQUENCE s START WITH 5 INCREMENT BY 2 NOCACHE"),
            "CREATE SEQUENCE \"S\" START WITH 5 INCREMENT BY 2"
        );
    }

    #[test]
    fn foreign_keys_cascade() {
        assert_eq!(
            ddl(
                "CREATE TABLE a (b NUMBER, CONSTRAINT c FOREIGN KEY (b) REFERENCES d (e) ON DELETE CASCADE)"
            ),
            "CREATE TABLE \"A\" (\"B\" numeric, CONSTRAINT \"C\" FOREIGN KEY (\"B\") REFERENCES \"D\" (\"E\") ON DELETE CASCADE)"
        );
    }

    #[test]
    fn comments_name_columns() {
        assert_eq!(
            ddl("COMMENT ON COLUMN portion.slot_id IS 'a slot'"),
            "COMMENT ON COLUMN \"PORTION\".\"SLOT_ID\" IS 'a slot'"
        );
    }

    #[test]
    fn roles_are_lower_case() {
        assert_eq!(
            ddl("GRANT SELECT ON pull_5 TO ORAPULL_SHARD"),
            "GRANT SELECT ON \"PULL_5\" TO \"orapull_shard\""
        );
    }

    #[test]
    fn an_index_names_columns_and_a_join_may_call_a_function() {
        assert_eq!(
            ddl("CREATE UNIQUE INDEX i ON t (a)"),
            "CREATE UNIQUE INDEX \"I\" ON \"T\" (\"A\")"
        );
        assert_eq!(
            ddl("CREATE VIEW v AS SELECT a FROM t JOIN u ON FLOOR(b) = c"),
            "CREATE VIEW \"V\" AS SELECT \"A\" FROM \"T\" JOIN \"U\" ON FLOOR(\"B\") = \"C\""
        );
    }

    #[test]
    fn views_are_queries() {
        assert_eq!(
            ddl("CREATE OR REPLACE FORCE VIEW v (a, b) AS SELECT t.ROWID, t.add FROM t"),
            "CREATE OR REPLACE VIEW \"V\" (\"A\", \"B\") AS SELECT \"T\".\"ROWID$\", \"T\".\"ADD\" FROM \"T\""
        );
    }
}
