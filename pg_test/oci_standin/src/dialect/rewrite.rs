//! Rewrites the tokens of one SQL statement.

use super::lexer::Token;
use super::{Body, Fragment, names};

/// A query or DML statement; RETURNING ... INTO loses its INTO.
pub fn dml(tokens: &[Token], binds: &[String]) -> Body {
    let returning = tokens.iter().position(|token| token.is("RETURNING"));
    let into = returning.and_then(|from| {
        let into = tokens[from..].iter().position(|token| token.is("INTO"))?;
        Some(from + into)
    });
    let (statement_tokens, filled) = match into {
        Some(into) => tokens.split_at(into),
        None => (tokens, &[][..]),
    };
    let returning = filled
        .iter()
        .filter_map(|token| bind_of(token, binds))
        .collect();
    Body::Sql {
        text: statement(statement_tokens, binds),
        returning,
    }
}

/// One statement, or an expression, as PostgreSQL wants it.
pub fn statement(tokens: &[Token], binds: &[String]) -> Fragment {
    let mut rewriter = Rewriter {
        tokens,
        binds,
        at: 0,
        output: Fragment::default(),
    };
    while rewriter.at < tokens.len() {
        rewriter.step();
    }
    rewriter.output
}

pub fn bind_of(token: &Token, binds: &[String]) -> Option<usize> {
    match token {
        Token::Bind(name) => binds.iter().position(|known| known == name),
        _ => None,
    }
}

struct Rewriter<'a> {
    tokens: &'a [Token],
    binds: &'a [String],
    at: usize,
    output: Fragment,
}

impl Rewriter<'_> {
    fn step(&mut self) {
        if self.skips_from_dual() {
            return;
        }
        let token = &self.tokens[self.at];
        match token {
            Token::Word(_) | Token::Quoted(_) => return self.name_or_keyword(),
            Token::Literal(text) if text.is_empty() => self.output.push("NULL"),
            Token::Literal(text) => self.output.push(&format!("'{text}'")),
            Token::Number(text) | Token::Space(text) => self.output.push(text),
            Token::Bind(_) => {
                if let Some(bind) = bind_of(token, self.binds) {
                    self.output.push_bind(bind);
                }
            }
            Token::Symbol("^=") => self.output.push("<>"),
            // A statement ends without a semicolon in OCI; one is harmless.
            Token::Symbol(symbol) => self.output.push(symbol),
        }
        self.at += 1;
    }

    /// `FROM dual` is nothing in PostgreSQL, and neither are the blanks before it.
    fn skips_from_dual(&mut self) -> bool {
        let start = self.at + usize::from(self.tokens[self.at].is_space());
        if !self.tokens.get(start).is_some_and(|token| token.is("FROM")) {
            return false;
        }
        let Some(dual) = self.next_word(start + 1) else {
            return false;
        };
        let alone = !self.next_word(dual + 1).is_some_and(|next| {
            self.tokens[next].is_symbol(",") || self.tokens[next].is_symbol(".")
        });
        if self.tokens[dual].is("DUAL") && alone {
            self.at = dual + 1;
            return true;
        }
        false
    }

    fn name_or_keyword(&mut self) {
        let parts = self.dotted_name();
        let end = self.at + parts.len() * 2 - 1;
        let calls = self
            .next_word(end)
            .is_some_and(|next| self.tokens[next].is_symbol("("));
        match (parts.as_slice(), &self.tokens[self.at]) {
            ([_], Token::Word(word)) => self.single_word(&word.clone(), calls),
            (parts, _) => {
                // The owner of a package has no counterpart: the package is the schema.
                let from = if calls {
                    parts.len().saturating_sub(2)
                } else {
                    0
                };
                let quoted: Vec<_> = parts[from..]
                    .iter()
                    .map(|part| names::quoted(part))
                    .collect();
                self.output.push(&quoted.join("."));
            }
        }
        self.at = self.at.max(end);
    }

    /// A word that is not part of a dotted name.
    fn single_word(&mut self, word: &str, calls: bool) {
        if let Some(text) = names::translated(word) {
            self.output.push(text);
            self.skip_length_semantics();
        } else if word.eq_ignore_ascii_case("RAW") && calls {
            self.output.push("bytea");
            self.skip_parentheses();
        } else if names::is_keyword(word, self.word_before()) {
            self.output.push(word);
        } else if calls && !self.opens_column_list() {
            self.output.push(names::function(word).unwrap_or(word));
        } else {
            self.output.push(&names::quoted(&word.to_uppercase()));
        }
    }

    /// `VARCHAR2(30 CHAR)`: PostgreSQL always counts characters.
    fn skip_length_semantics(&mut self) {
        let Some(open) = self.next_word(self.at + 1) else {
            return;
        };
        let Some(number) = self.next_word(open + 1) else {
            return;
        };
        let Some(unit) = self.next_word(number + 1) else {
            return;
        };
        let token = &self.tokens[unit];
        if self.tokens[open].is_symbol("(")
            && (token.is("CHAR") || token.is("BYTE"))
            && let Token::Number(length) = &self.tokens[number]
        {
            self.output.push(&format!("({length}"));
            self.at = unit + 1;
        }
    }

    fn skip_parentheses(&mut self) {
        while self.at < self.tokens.len() && !self.tokens[self.at].is_symbol(")") {
            self.at += 1;
        }
        self.at += 1;
    }

    /// `INSERT INTO t (a, b)` and `CREATE TABLE t (a ...)` are no calls of `t`.
    fn opens_column_list(&self) -> bool {
        let before = self.word_before().map(str::to_ascii_uppercase);
        matches!(
            before.as_deref(),
            Some("INTO" | "TABLE" | "VIEW" | "ON" | "REFERENCES" | "UPDATE" | "WITH")
        )
    }

    fn word_before(&self) -> Option<&str> {
        let before = self.tokens[..self.at]
            .iter()
            .rev()
            .find(|token| !token.is_space())?;
        match before {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    fn dotted_name(&self) -> Vec<String> {
        let mut parts = Vec::new();
        let mut at = self.at;
        while let Some(name) = self.tokens.get(at).and_then(Token::name) {
            parts.push(name);
            if !self
                .tokens
                .get(at + 1)
                .is_some_and(|token| token.is_symbol("."))
            {
                break;
            }
            at += 2;
        }
        parts
    }

    fn next_word(&self, from: usize) -> Option<usize> {
        let rest = self.tokens.get(from..)?;
        Some(from + rest.iter().position(|token| !token.is_space())?)
    }
}
