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

/// The parts between commas that are in no parentheses.
fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0;
    tokens
        .split(|token| {
            if token.is_symbol("(") {
                depth += 1;
            } else if token.is_symbol(")") {
                depth -= 1;
            }
            depth == 0 && token.is_symbol(",")
        })
        .collect()
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

impl<'a> Rewriter<'a> {
    fn step(&mut self) {
        if self.skips_from_dual() {
            return;
        }
        let token = &self.tokens[self.at];
        match token {
            Token::Word(_) | Token::Quoted(_) => return self.name_or_keyword(),
            Token::Literal(text) if text.is_empty() => self.output.push("NULL"),
            Token::Literal(text) => self.output.push(&format!("'{text}'")),
            Token::Number(text) | Token::Space(text) | Token::Verbatim(text) => {
                self.output.push(text);
            }
            Token::Hint(_) => self.output.push(" "),
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
        let alone = self
            .next_word(dual + 1)
            .is_none_or(|next| match &self.tokens[next] {
                Token::Word(word) => names::is_keyword(word, None) && !names::joins(word),
                token => token.is_symbol(")") || token.is_symbol(";"),
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
        if let ([table], Some(link)) = (parts.as_slice(), self.link_at(end)) {
            let schema = names::quoted(&names::beyond(&link));
            self.output
                .push(&format!("{schema}.{}", names::quoted(table)));
            self.at = end + 2;
            return;
        }
        let calls = self
            .next_word(end)
            .is_some_and(|next| self.tokens[next].is_symbol("("));
        match (parts.as_slice(), &self.tokens[self.at]) {
            ([_], Token::Word(word)) => self.single_word(&word.clone(), calls),
            ([.., sequence, pseudo], _) if !calls && names::is_sequence_column(pseudo) => {
                let function = pseudo.to_lowercase();
                let sequence = names::quoted(sequence).replace('\'', "''");
                self.output
                    .push(&format!("pg_catalog.{function}('{sequence}')"));
            }
            ([table @ .., pseudo], _) if pseudo == "ROWID" => {
                for part in table {
                    self.output.push(&format!("{}.", names::quoted(part)));
                }
                self.output.push(names::ROWID);
            }
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
        if calls && word.eq_ignore_ascii_case("LISTAGG") && self.listagg() {
            return;
        }
        if calls && word.eq_ignore_ascii_case("NVL2") && self.nvl2() {
            return;
        }
        if let Some(text) = names::translated(word) {
            self.output.push(text);
            self.length_of_text();
        } else if word.eq_ignore_ascii_case("RAW") && calls {
            self.output.push("bytea");
            self.skip_parentheses();
        } else if word.eq_ignore_ascii_case("WITH") && self.begins_subquery_name() {
            self.output.push("WITH RECURSIVE");
        } else if names::is_keyword(word, self.word_before()) || self.is_unit_of_time() {
            self.output.push(word);
        } else if calls && word.eq_ignore_ascii_case("CHAR") {
            self.output.push("char");
            self.length_of_text();
        } else if calls && !self.opens_column_list() {
            self.output.push(names::function(word).unwrap_or(word));
        } else {
            self.output.push(&names::quoted(&word.to_uppercase()));
        }
    }

    /// `LISTAGG(a, b) WITHIN GROUP (ORDER BY c)`. Whether it was one.
    fn listagg(&mut self) -> bool {
        let found = || {
            let (arguments, end) = self.parenthesized(self.at + 1)?;
            let within = self.next_word(end)?;
            let group = self.next_word(within + 1)?;
            let (order, end) = self.parenthesized(group + 1)?;
            let is_within = self.tokens[within].is("WITHIN") && self.tokens[group].is("GROUP");
            is_within.then_some((split(arguments), order, end))
        };
        let Some((arguments, order, end)) = found() else {
            return false;
        };
        self.output.push("string_agg(ora.to_char(");
        self.append(arguments[0]);
        self.output.push("), ");
        match arguments.get(1) {
            Some(separator) => self.append(separator),
            None => self.output.push("''"),
        }
        self.output.push(" ");
        self.append(order);
        self.output.push(")");
        self.at = end;
        true
    }

    /// `NVL2(a, b, c)`. Whether it was one.
    fn nvl2(&mut self) -> bool {
        let Some((arguments, end)) = self.parenthesized(self.at + 1) else {
            return false;
        };
        let [tested, given, missing] = split(arguments)[..] else {
            return false;
        };
        let parts = [
            ("(CASE WHEN (", tested),
            (") IS NOT NULL THEN ", given),
            (" ELSE ", missing),
        ];
        for (text, tokens) in parts {
            self.output.push(text);
            self.append(tokens);
        }
        self.output.push(" END)");
        self.at = end;
        true
    }

    fn append(&mut self, tokens: &[Token]) {
        let text = statement(tokens, self.binds);
        self.output.append(&text);
    }

    /// What is in the parentheses that open at the next word, and the place after them.
    fn parenthesized(&self, from: usize) -> Option<(&'a [Token], usize)> {
        let open = self.next_word(from)?;
        if !self.tokens[open].is_symbol("(") {
            return None;
        }
        let mut depth = 0;
        let tokens = self.tokens;
        for (at, token) in tokens.iter().enumerate().skip(open) {
            if token.is_symbol("(") {
                depth += 1;
            } else if token.is_symbol(")") {
                depth -= 1;
                if depth == 0 {
                    return Some((&tokens[open + 1..at], at + 1));
                }
            }
        }
        None
    }

    /// `WITH name AS` or `WITH name (columns)`, and not `WITH TIME ZONE`.
    fn begins_subquery_name(&self) -> bool {
        self.next_word(self.at + 1)
            .and_then(|name| self.next_word(name + 1))
            .is_some_and(|next| self.tokens[next].is("AS") || self.tokens[next].is_symbol("("))
    }

    /// `INTERVAL '1' DAY` and `EXTRACT(DAY FROM ...)`.
    fn is_unit_of_time(&self) -> bool {
        let mut before = self.tokens[..self.at]
            .iter()
            .rev()
            .filter(|token| !token.is_space());
        match before.next() {
            Some(Token::Literal(_)) => before.next().is_some_and(|token| token.is("INTERVAL")),
            Some(Token::Symbol("(")) => before.next().is_some_and(|token| token.is("EXTRACT")),
            _ => false,
        }
    }

    /// `VARCHAR2(30 CHAR)`: PostgreSQL always counts characters. And a text of the greatest length has none there: the
    /// planner takes rows of such columns for wider than a page, and then expects one row.
    fn length_of_text(&mut self) {
        let Some((content, end)) = self.parenthesized(self.at + 1) else {
            return;
        };
        let mut words = content.iter().filter(|token| !token.is_space());
        let Some(Token::Number(length)) = words.next() else {
            return;
        };
        if length == "4000" {
            self.at = end;
        } else if words
            .next()
            .is_some_and(|unit| unit.is("CHAR") || unit.is("BYTE"))
        {
            self.output.push(&format!("({length})"));
            self.at = end;
        }
    }

    fn skip_parentheses(&mut self) {
        while self.at < self.tokens.len() && !self.tokens[self.at].is_symbol(")") {
            self.at += 1;
        }
        self.at += 1;
    }

    /// `INSERT INTO t (a, b)`, `CREATE TABLE t (a ...)`, `, t (a, b) AS (SELECT ...)` are no calls of `t`.
    fn opens_column_list(&self) -> bool {
        let is_subquery_name = self
            .parenthesized(self.at + 1)
            .and_then(|(_, end)| self.next_word(end))
            .and_then(|next| {
                let open = self.next_word(next + 1)?;
                Some(self.tokens[next].is("AS") && self.tokens[open].is_symbol("("))
            });
        if is_subquery_name == Some(true) {
            return true;
        }
        let before = self.word_before().map(str::to_ascii_uppercase);
        match before.as_deref() {
            Some("INTO" | "TABLE" | "VIEW" | "REFERENCES" | "UPDATE" | "WITH") => true,
            Some("ON") => self.creates_index(),
            _ => false,
        }
    }

    fn creates_index(&self) -> bool {
        let words = self.tokens.iter().filter(|token| !token.is_space());
        words.take(3).any(|word| word.is("INDEX"))
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

    /// The link of `table@link`, when its `@` is here.
    fn link_at(&self, at: usize) -> Option<String> {
        let [at, link] = self.tokens.get(at..at + 2)? else {
            return None;
        };
        at.is_symbol("@").then(|| link.name()).flatten()
    }

    fn next_word(&self, from: usize) -> Option<usize> {
        let rest = self.tokens.get(from..)?;
        Some(from + rest.iter().position(|token| !token.is_space())?)
    }
}
