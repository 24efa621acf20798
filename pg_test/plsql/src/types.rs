//! PostgreSQL's types for those of PL/SQL.

use dialect::quoted;

use crate::reader::{Lexeme, Reader};
use crate::refusal::{Refusal, Result};
use crate::site::Site;
use crate::source::OWNER;

const ALLOWED: &str = "use NUMBER, PLS_INTEGER, VARCHAR2(n), BOOLEAN, TIMESTAMP(n) [WITH TIME ZONE], CLOB, \
                       t.c%TYPE or t%ROWTYPE";

/// The type of a variable or constant.
pub fn of_variable(lexemes: &[Lexeme], reader: &Reader, site: &Site) -> Result<String> {
    if let Some(anchored) = anchored(lexemes, site) {
        return Ok(anchored);
    }
    let words: Vec<String> = lexemes
        .iter()
        .map(|one| one.text().to_uppercase())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(match words[..] {
        ["NUMBER"] => "numeric".to_owned(),
        ["NUMBER", "(", digits, ")"] => format!("numeric({digits})"),
        ["NUMBER", "(", digits, ",", scale, ")"] => format!("numeric({digits},{scale})"),
        // Not integer: an OUT argument must have the very type of its parameter.
        ["PLS_INTEGER"] => "numeric(10)".to_owned(),
        ["VARCHAR2", "(", length, ")"] | ["VARCHAR2", "(", length, "CHAR" | "BYTE", ")"] => {
            format!("varchar({length})")
        }
        ["BOOLEAN"] => "boolean".to_owned(),
        ["CLOB"] => "text".to_owned(),
        ["TIMESTAMP"] => "timestamp".to_owned(),
        ["TIMESTAMP", "(", digits, ")"] => format!("timestamp({digits})"),
        ["TIMESTAMP", "WITH", "TIME", "ZONE"] => "timestamptz".to_owned(),
        ["TIMESTAMP", "(", digits, ")", "WITH", "TIME", "ZONE"] => {
            format!("timestamp({digits}) with time zone")
        }
        _ => return Err(unknown(lexemes, reader)),
    })
}

/// The type of a parameter or result: without length, and wide enough for implicit conversions.
pub fn of_parameter(lexemes: &[Lexeme], reader: &Reader, site: &Site) -> Result<String> {
    if let Some(anchored) = anchored(lexemes, site) {
        return Ok(anchored);
    }
    if let Some(open) = lexemes.iter().find(|one| one.is_symbol("(")) {
        let what = "a parameter or result with a length or precision (PLS-00103)";
        return Err(reader.refuse_at(open.line, what, "write the type alone"));
    }
    let words: Vec<String> = lexemes
        .iter()
        .map(|one| one.text().to_uppercase())
        .collect();
    Ok(match words.join(" ").as_str() {
        // PostgreSQL finds no function when a fraction is passed for an integer.
        "NUMBER" | "PLS_INTEGER" => "numeric",
        "VARCHAR2" => "varchar",
        "BOOLEAN" => "boolean",
        "CLOB" => "text",
        "TIMESTAMP" => "timestamp",
        "TIMESTAMP WITH TIME ZONE" => "timestamptz",
        _ => return Err(unknown(lexemes, reader)),
    }
    .to_owned())
}

/// `t.c%TYPE`, `t%ROWTYPE`, of a table of ours.
fn anchored(lexemes: &[Lexeme], site: &Site) -> Option<String> {
    let (names, [percent, kind]) = lexemes.split_last_chunk::<2>()?;
    if !percent.is_symbol("%") || !kind.is_any(&["TYPE", "ROWTYPE"]) {
        return None;
    }
    let name = names
        .iter()
        .filter_map(|one| one.token.name())
        .map(|name| quoted(&name))
        .collect::<Vec<_>>()
        .join(".");
    Some(format!(
        "{}.{name}%{}",
        quoted(&site.schema(OWNER)),
        kind.word()?
    ))
}

fn unknown(lexemes: &[Lexeme], reader: &Reader) -> Refusal {
    let text = lexemes
        .iter()
        .map(Lexeme::text)
        .collect::<Vec<_>>()
        .join(" ");
    let what = format!("type {text} is outside the subset");
    match lexemes.first() {
        Some(first) => reader.refuse_at(first.line, what, ALLOWED),
        None => reader.refuse("a type is missing", ALLOWED),
    }
}
