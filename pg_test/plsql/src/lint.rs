//! What PostgreSQL would take in a query or DML statement, and Oracle would not; and what is outside the subset.

use dialect::Token;

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
        Some("INSERT") => insert(lexemes, scope),
        Some("DELETE") => delete(lexemes, scope),
        Some("UPDATE") => update(lexemes, scope),
        Some("MERGE") => merge(lexemes, scope),
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

fn insert(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    let end = table_end(lexemes, 2);
    if !lexemes.get(end).is_some_and(|next| next.is_symbol("(")) {
        return Err(scope.refuse(
            lexemes[0].line,
            "INSERT without a list of columns",
            "name the columns",
        ));
    }
    let columns_end = closing(lexemes, end).unwrap_or(end);
    let values = columns_end + 1;
    let several = lexemes.get(values).is_some_and(|next| next.is("VALUES"))
        && closing(lexemes, values + 1).is_some_and(|end| end + 1 < lexemes.len());
    if several {
        return Err(scope.refuse(
            lexemes[0].line,
            "something after VALUES (...)",
            "one row a statement",
        ));
    }
    Ok(())
}

fn delete(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    if !lexemes.get(1).is_some_and(|next| next.is("FROM")) {
        return Err(scope.refuse(lexemes[0].line, "DELETE without FROM", "write DELETE FROM"));
    }
    if top_level(lexemes, "USING").is_some() {
        return Err(scope.refuse(lexemes[0].line, "DELETE ... USING", "write WHERE EXISTS"));
    }
    Ok(())
}

fn update(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    if top_level(lexemes, "FROM").is_some() {
        return Err(scope.refuse(lexemes[0].line, "UPDATE ... FROM", "write MERGE"));
    }
    Ok(())
}

/// `MERGE INTO t a USING s b ON (...) WHEN ...`.
fn merge(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    let refuse = |line, what: &str, advice| Err(scope.refuse(line, what, advice));
    let line = lexemes[0].line;
    let Some(on) = top_level(lexemes, "ON") else {
        return refuse(line, "MERGE without ON", "");
    };
    let Some(close) = closing(lexemes, on + 1) else {
        return refuse(line, "MERGE ... ON without parentheses", "write ON (...)");
    };
    let joined: Vec<String> = lexemes[on..close]
        .iter()
        .filter_map(|one| one.token.name())
        .collect();
    let tail = &lexemes[close + 1..];
    let mut depth = 0;
    let mut sets = false;
    for (at, one) in tail.iter().enumerate() {
        depth += i32::from(one.is_symbol("(")) - i32::from(one.is_symbol(")"));
        if depth > 0 {
            continue;
        }
        if one.is_any(&["WHERE", "DELETE"]) {
            return refuse(
                one.line,
                "WHERE or DELETE in a branch of MERGE",
                "put the condition into USING",
            );
        }
        if one.is("SET") {
            sets = true;
        } else if one.is("WHEN") {
            sets = false;
        }
        let begins_assignment = sets && (one.is("SET") || one.is_symbol(","));
        let (Some(column), Some(next)) = (tail.get(at + 1), tail.get(at + 2)) else {
            continue;
        };
        if begins_assignment && next.is_symbol(".") {
            return refuse(
                column.line,
                "SET with an alias in MERGE",
                "name the column alone",
            );
        }
        let name = column.token.name().unwrap_or_default();
        if begins_assignment && joined.contains(&name) {
            return refuse(
                column.line,
                &format!("{name} is in ON and in SET (ORA-38104)"),
                "leave it out",
            );
        }
    }
    Ok(())
}

/// The place after the name of a table that begins at `from`.
fn table_end(lexemes: &[Lexeme], from: usize) -> usize {
    let mut end = from + 1;
    while lexemes.get(end).is_some_and(|dot| dot.is_symbol(".")) {
        end += 2;
    }
    end
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
