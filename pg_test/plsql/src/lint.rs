//! What PostgreSQL would take in a query or DML statement, and Oracle would not; and what is outside the subset.

use dialect::Token;

use crate::dml;
use crate::expression::Scope;
use crate::reader::Lexeme;
use crate::refusal::Result;
use crate::words;

/// Part of a statement, within one pair of parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clause {
    /// An expression, a list of columns.
    None,
    Select,
    /// Tables: FROM, JOIN, USING, INTO, UPDATE.
    Tables,
    Other,
}

/// Checks one statement.
pub fn check(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    words(lexemes, scope)?;
    clauses(lexemes, scope)?;
    selects(lexemes, scope)?;
    subqueries(lexemes, scope)?;
    patterns(lexemes, scope)?;
    sequences(lexemes, scope)?;
    match lexemes[0].word().as_deref() {
        Some("INSERT") => dml::insert(lexemes, scope),
        Some("DELETE") => dml::delete(lexemes, scope),
        Some("UPDATE") => dml::update(lexemes, scope),
        Some("MERGE") => dml::merge(lexemes, scope),
        Some("WITH")
            if lexemes
                .iter()
                .any(|one| one.is_any(&["INSERT", "UPDATE", "DELETE"]))
                && !locks(lexemes) =>
        {
            Err(scope.refuse(
                lexemes[0].line,
                "WITH before DML",
                "write INSERT ... WITH ... SELECT",
            ))
        }
        _ => Ok(()),
    }
}

/// In PostgreSQL a backslash in a pattern is an escape by itself.
fn patterns(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    for (at, lexeme) in lexemes.iter().enumerate() {
        let escapes = lexemes.get(at + 2).is_some_and(|next| next.is("ESCAPE"));
        if lexeme.is("LIKE")
            && !escapes
            && let Some(Token::Literal(pattern)) = lexemes.get(at + 1).map(|next| &next.token)
            && pattern.contains('\\')
        {
            return Err(scope.refuse(lexeme.line, "a backslash in LIKE", "write ESCAPE"));
        }
    }
    Ok(())
}

/// Oracle gives one value for all in a statement, PostgreSQL one for each.
fn sequences(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    let mut values = lexemes.iter().filter(|lexeme| lexeme.is("NEXTVAL"));
    match (values.next(), values.next()) {
        (Some(_), Some(second)) => Err(scope.refuse(
            second.line,
            "NEXTVAL twice in a statement",
            "read it before",
        )),
        _ => Ok(()),
    }
}

/// Whether a query locks rows.
pub fn locks(lexemes: &[Lexeme]) -> bool {
    lexemes
        .windows(2)
        .any(|pair| pair[0].is("FOR") && pair[1].is("UPDATE"))
}

fn words(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    for (at, lexeme) in lexemes.iter().enumerate() {
        let is_part = at > 0 && lexemes[at - 1].is_symbol(".");
        if let Some(word) = lexeme.word()
            && !is_part
            && let Some(advice) = words::advice_in_sql(&word)
        {
            return Err(scope.refuse(lexeme.line, &format!("{word} in SQL"), advice));
        }
        if let [open, plus, close, ..] = &lexemes[at..]
            && open.is_symbol("(")
            && plus.is_symbol("+")
            && close.is_symbol(")")
        {
            return Err(scope.refuse(
                lexeme.line,
                "an outer join by (+)",
                "write LEFT JOIN ... ON",
            ));
        }
        if lexeme.is("UPDATE")
            && lexemes
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["OF", "WAIT"]))
        {
            return Err(scope.refuse(
                lexeme.line,
                "FOR UPDATE OF or WAIT",
                "write FOR UPDATE [NOWAIT | SKIP LOCKED]",
            ));
        }
        if lexeme
            .hint
            .as_deref()
            .is_some_and(|hint| hint.to_uppercase().contains("APPEND"))
        {
            return Err(scope.refuse(
                lexeme.line,
                "a direct-path insert in static SQL",
                "write EXECUTE IMMEDIATE: only there the test bed watches that the table is not named again",
            ));
        }
    }
    Ok(())
}

/// AS before the alias of a table, reserved words as aliases.
fn clauses(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    let mut open = vec![Clause::None];
    for (at, lexeme) in lexemes.iter().enumerate() {
        let here = open.last().copied().unwrap_or(Clause::None);
        if lexeme.is_symbol("(") {
            open.push(Clause::None);
            continue;
        }
        if lexeme.is_symbol(")") {
            open.pop();
            continue;
        }
        let Some(word) = lexeme.word() else { continue };
        let before = at.checked_sub(1).map(|before| &lexemes[before]);
        if before.is_some_and(|before| before.is_symbol(".")) {
            continue;
        }
        if word == "AS" && here == Clause::Tables {
            return Err(scope.refuse(
                lexeme.line,
                "AS before the alias of a table",
                "leave AS out",
            ));
        }
        let ends_item = lexemes.get(at + 1).is_none_or(|next| {
            next.is_symbol(",") || next.is_symbol(")") || next.is_any(&["FROM", "INTO"])
        });
        let names_item =
            before.is_some_and(|before| before.is("AS") || before.is("END") || ends_value(before));
        if here == Clause::Select && ends_item && names_item && words::is_reserved(&word) {
            return Err(scope.refuse(
                lexeme.line,
                &format!("{word} is reserved in Oracle"),
                "take another alias",
            ));
        }
        let next = match word.as_str() {
            "SELECT" => Clause::Select,
            "FROM" | "JOIN" | "USING" | "INTO" | "UPDATE" => Clause::Tables,
            "WHERE" | "ON" | "GROUP" | "ORDER" | "HAVING" | "SET" | "VALUES" | "WITH" | "UNION"
            | "MINUS" => Clause::Other,
            _ => here,
        };
        if let Some(clause) = open.last_mut() {
            *clause = next;
        }
    }
    Ok(())
}

/// Whether a value can end with this, so that an alias may follow.
fn ends_value(lexeme: &Lexeme) -> bool {
    match &lexeme.token {
        Token::Literal(_) | Token::Number(_) | Token::Quoted(_) => true,
        Token::Word(word) => !dialect::is_keyword(word, None),
        Token::Symbol(symbol) => *symbol == ")",
        _ => false,
    }
}

/// Every SELECT has a FROM.
fn selects(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    for (at, lexeme) in lexemes
        .iter()
        .enumerate()
        .filter(|(_, lexeme)| lexeme.is("SELECT"))
    {
        let mut depth = 0;
        let end = lexemes[at + 1..].iter().position(|one| {
            depth += i32::from(one.is_symbol("(")) - i32::from(one.is_symbol(")"));
            depth < 0 || depth == 0 && one.is_any(&["FROM", "UNION", "MINUS"])
        });
        if !end.is_some_and(|end| lexemes[at + 1 + end].is("FROM")) {
            return Err(scope.refuse(lexeme.line, "SELECT without FROM", "write FROM dual"));
        }
    }
    Ok(())
}

/// Every subquery in FROM has an alias: PostgreSQL wants one.
fn subqueries(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    for at in 1..lexemes.len() {
        let begins = lexemes[at].is_symbol("(")
            && lexemes[at - 1].is_any(&["FROM", "JOIN", "USING"])
            && lexemes
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["SELECT", "WITH"]));
        if !begins {
            continue;
        }
        let alias = closing(lexemes, at)
            .and_then(|end| lexemes.get(end + 1))
            .and_then(Lexeme::word);
        if alias.is_none_or(|alias| dialect::is_keyword(&alias, None)) {
            return Err(scope.refuse(
                lexemes[at].line,
                "a subquery without an alias",
                "give it one",
            ));
        }
    }
    Ok(())
}

/// The place of the parenthesis that closes the one at `open`.
pub fn closing(lexemes: &[Lexeme], open: usize) -> Option<usize> {
    if !lexemes.get(open)?.is_symbol("(") {
        return None;
    }
    let mut depth = 0;
    let length = lexemes[open..].iter().position(|one| {
        depth += i32::from(one.is_symbol("(")) - i32::from(one.is_symbol(")"));
        depth == 0
    })?;
    Some(open + length)
}

/// The first such word or symbol that is in no parentheses.
pub fn top_level(lexemes: &[Lexeme], text: &str) -> Option<usize> {
    let mut depth = 0;
    lexemes.iter().position(|one| {
        depth += i32::from(one.is_symbol("(")) - i32::from(one.is_symbol(")"));
        depth == 0 && one.matches(text)
    })
}
