//! How names and texts are written into SQL.
//!
//! Pure. Nothing else in the project puts quotes around anything.

/// A name as an identifier. Always quoted, so that no reserved word and no case matters.
pub fn ident(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A name in a schema.
pub fn qualified(schema: &str, name: &str) -> String {
    format!("{}.{}", ident(schema), ident(name))
}

/// A text as a literal that means the same under any `standard_conforming_strings`.
pub fn literal(text: &str) -> String {
    let doubled = text.replace('\'', "''");
    if doubled.contains('\\') {
        format!("E'{}'", doubled.replace('\\', "\\\\"))
    } else {
        format!("'{doubled}'")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_a_name_cannot_end_the_name() {
        assert_eq!(ident(r#"a"b"#), r#""a""b""#);
        assert_eq!(qualified("s", "T$1"), r#""s"."T$1""#);
    }

    #[test]
    fn a_quote_or_backslash_cannot_end_a_literal() {
        assert_eq!(literal("it's"), "'it''s'");
        assert_eq!(literal(r"a\'; --"), r"E'a\\''; --'");
        assert_eq!(literal(""), "''");
    }
}
