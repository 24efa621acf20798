//! SQL as its reader takes it apart, to see whether a name has become more than a name.

/// A piece of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    Name(String),
    Text(String),
    /// Anything else but white space: words, numbers, operators, one character each.
    Other(char),
}

/// What a lexer with `standard_conforming_strings` sees; `None` when a quote is not closed.
pub fn tokens(sql: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = sql.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => found.push(Token::Name(quoted(&mut rest, '"', false)?)),
            '\'' => found.push(Token::Text(quoted(&mut rest, '\'', false)?)),
            'E' if rest.peek() == Some(&'\'') => {
                rest.next();
                found.push(Token::Text(quoted(&mut rest, '\'', true)?));
            }
            c if c.is_whitespace() => {}
            c => found.push(Token::Other(c)),
        }
    }
    Some(found)
}

fn quoted(
    rest: &mut std::iter::Peekable<std::str::Chars>,
    quote: char,
    escapes: bool,
) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            '\\' if escapes => text.push(rest.next()?),
            c if c == quote => {
                if rest.peek() != Some(&quote) {
                    return Some(text);
                }
                rest.next();
                text.push(quote);
            }
            c => text.push(c),
        }
    }
}
