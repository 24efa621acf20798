//! What of INSERT, UPDATE, DELETE and MERGE is outside the subset, or would not compile.

use crate::expression::Scope;
use crate::lint::{closing, top_level};
use crate::reader::Lexeme;
use crate::refusal::Result;

/// `INSERT INTO t (a, b) ...`, one row after VALUES.
pub fn insert(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
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

/// `DELETE FROM t ...`.
pub fn delete(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    if !lexemes.get(1).is_some_and(|next| next.is("FROM")) {
        return Err(scope.refuse(lexemes[0].line, "DELETE without FROM", "write DELETE FROM"));
    }
    if top_level(lexemes, "USING").is_some() {
        return Err(scope.refuse(lexemes[0].line, "DELETE ... USING", "write WHERE EXISTS"));
    }
    Ok(())
}

/// `UPDATE t SET ...`.
pub fn update(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
    if top_level(lexemes, "FROM").is_some() {
        return Err(scope.refuse(lexemes[0].line, "UPDATE ... FROM", "write MERGE"));
    }
    Ok(())
}

/// `MERGE INTO t a USING s b ON (...) WHEN ...`.
pub fn merge(lexemes: &[Lexeme], scope: &Scope) -> Result<()> {
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
