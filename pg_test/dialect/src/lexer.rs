//! Cuts Oracle's SQL into tokens.

use super::SyntaxError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A keyword or a name that is not quoted, as written.
    Word(String),
    /// The content of a quoted name.
    Quoted(String),
    /// The content of a text literal, with quotes inside doubled as in SQL.
    Literal(String),
    Number(String),
    /// The name of a placeholder, in upper case.
    Bind(String),
    /// Blanks and comments.
    Space(String),
    /// The content of an optimizer hint; a comment for everybody else.
    Hint(String),
    Symbol(&'static str),
    /// PostgreSQL's own text, put here by a translator.
    Verbatim(String),
}

impl Token {
    pub fn is_space(&self) -> bool {
        matches!(self, Self::Space(_) | Self::Hint(_))
    }

    /// Whether this is the given keyword.
    pub fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self, Self::Symbol(text) if *text == symbol)
    }

    /// The name that a word or quoted name stands for in Oracle.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Word(word) => Some(word.to_uppercase()),
            Self::Quoted(name) => Some(name.clone()),
            _ => None,
        }
    }
}

/// Longer symbols first.
const SYMBOLS: [&str; 27] = [
    ":=", "**", "=>", "||", "<=", ">=", "<>", "!=", "^=", "..", "(", ")", ",", ".", ";", "=", "<",
    ">", "+", "-", "*", "/", "%", "@", "[", "]", "?",
];

pub fn lex(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let tokens = lex_lines(text).map_err(|(_, error)| error)?;
    Ok(tokens.into_iter().map(|(_, token)| token).collect())
}

/// The tokens, each with the line on which it begins. An error has its line too.
pub fn lex_lines(text: &str) -> Result<Vec<(usize, Token)>, (usize, SyntaxError)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (token, length) = next_token(first, rest).map_err(|error| (line, error))?;
        tokens.push((line, token));
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn next_token(first: char, rest: &str) -> Result<(Token, usize), SyntaxError> {
    let while_true = |from: usize, accept: fn(char) -> bool| {
        rest[from..]
            .find(|char| !accept(char))
            .map_or(rest.len(), |at| at + from)
    };
    if first.is_whitespace() {
        let end = while_true(0, char::is_whitespace);
        return Ok((Token::Space(rest[..end].to_owned()), end));
    }
    if rest.starts_with("--") {
        let end = rest.find('\n').unwrap_or(rest.len());
        return Ok((Token::Space(" ".to_owned()), end));
    }
    if rest.starts_with("/*") {
        let end = rest.find("*/").ok_or_else(|| unfinished("comment"))? + 2;
        return Ok((comment(&rest[2..end - 2]), end));
    }
    if first == '\'' {
        let end = literal_end(rest)?;
        return Ok((Token::Literal(rest[1..end - 1].to_owned()), end));
    }
    if first == '"' {
        let end = rest[1..]
            .find('"')
            .ok_or_else(|| unfinished("quoted name"))?
            + 1;
        return Ok((Token::Quoted(rest[1..end].to_owned()), end + 1));
    }
    if first == ':' && rest[1..].starts_with(is_name_char) {
        let end = while_true(1, is_name_char);
        return Ok((Token::Bind(rest[1..end].to_uppercase()), end));
    }
    if first.is_ascii_digit() {
        let end = number_end(rest);
        return Ok((Token::Number(rest[..end].to_owned()), end));
    }
    if is_name_char(first) {
        let end = while_true(0, is_name_char);
        if rest[end..].starts_with('\'') {
            let word = &rest[..end];
            return Err(SyntaxError(format!("{word}'...' is no literal here")));
        }
        return Ok((Token::Word(rest[..end].to_owned()), end));
    }
    SYMBOLS
        .iter()
        .find(|symbol| rest.starts_with(**symbol))
        .map(|symbol| (Token::Symbol(symbol), symbol.len()))
        .ok_or_else(|| SyntaxError(format!("invalid character {first}")))
}

/// Keeps the lines of a comment, so that places in the translation are places in the original.
fn comment(content: &str) -> Token {
    match content.strip_prefix('+') {
        Some(hint) => Token::Hint(hint.to_owned()),
        None => Token::Space(format!(" {}", "\n".repeat(content.matches('\n').count()))),
    }
}

fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '#')
}

/// The end of a text literal, after its closing quote; quotes inside are doubled.
fn literal_end(rest: &str) -> Result<usize, SyntaxError> {
    let mut at = 1;
    loop {
        at += rest[at..]
            .find('\'')
            .ok_or_else(|| unfinished("text literal"))?
            + 1;
        if !rest[at..].starts_with('\'') {
            return Ok(at);
        }
        at += 1;
    }
}

/// The end of a number; `1..10` is a range of two numbers.
fn number_end(rest: &str) -> usize {
    let digits = |from: usize| {
        rest[from..]
            .find(|char: char| !char.is_ascii_digit())
            .map_or(rest.len(), |at| at + from)
    };
    let mut end = digits(0);
    if rest[end..].starts_with('.') && !rest[end..].starts_with("..") {
        end = digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

fn unfinished(what: &str) -> SyntaxError {
    SyntaxError(format!("{what} not properly terminated"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_keep_their_text() {
        let tokens = lex("a.\"B\"(:p1,'x''y')--end\n:=1.5e3").unwrap();
        assert_eq!(
            tokens,
            [
                Token::Word("a".into()),
                Token::Symbol("."),
                Token::Quoted("B".into()),
                Token::Symbol("("),
                Token::Bind("P1".into()),
                Token::Symbol(","),
                Token::Literal("x''y".into()),
                Token::Symbol(")"),
                Token::Space(" ".into()),
                Token::Space("\n".into()),
                Token::Symbol(":="),
                Token::Number("1.5e3".into()),
            ]
        );
    }

    #[test]
    fn lines_are_counted_and_hints_are_kept() {
        let tokens = lex_lines("a /* b\n */ c\n/*+ APPEND */").unwrap();
        assert_eq!(tokens[4], (2, Token::Word("c".into())));
        assert_eq!(tokens[6], (3, Token::Hint(" APPEND ".into())));
        assert_eq!(lex_lines("a\n'b").unwrap_err().0, 2);
    }

    #[test]
    fn quoted_literals_of_other_kinds_are_refused() {
        assert!(lex("q'[a]'").is_err());
        assert!(lex("N'a'").is_err());
    }

    #[test]
    fn a_range_is_two_numbers() {
        let tokens = lex("1..10").unwrap();
        assert_eq!(tokens[1], Token::Symbol(".."));
    }

    #[test]
    fn letters_beyond_ascii_are_names() {
        assert_eq!(lex("größe").unwrap(), [Token::Word("größe".into())]);
    }
}
