//! Reads the tokens of a file, or of a part of it, from left to right.

use std::rc::Rc;

use dialect::{Token, lex_lines};

use crate::refusal::{Refusal, Result};

/// A token with what stood before it.
#[derive(Clone, Debug)]
pub struct Lexeme {
    pub token: Token,
    pub line: usize,
    /// Blanks before it; comments are blanks with the same lines.
    pub space: String,
    /// Optimizer hint before it.
    pub hint: Option<String>,
}

impl Lexeme {
    pub fn is(&self, keyword: &str) -> bool {
        self.token.is(keyword)
    }

    pub fn is_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        self.token.is_symbol(symbol)
    }

    /// A word or a symbol.
    pub fn matches(&self, text: &str) -> bool {
        self.is(text) || self.is_symbol(text)
    }

    /// The upper-case text of a word that is not quoted.
    pub fn word(&self) -> Option<String> {
        match &self.token {
            Token::Word(word) => Some(word.to_uppercase()),
            _ => None,
        }
    }

    pub fn text(&self) -> String {
        match &self.token {
            Token::Word(text)
            | Token::Number(text)
            | Token::Space(text)
            | Token::Hint(text)
            | Token::Verbatim(text) => text.clone(),
            Token::Quoted(text) => format!("\"{text}\""),
            Token::Literal(text) => format!("'{text}'"),
            Token::Bind(text) => format!(":{text}"),
            Token::Symbol(text) => (*text).to_owned(),
        }
    }
}

pub struct Reader {
    file: Rc<str>,
    lexemes: Vec<Lexeme>,
    at: usize,
}

impl Reader {
    pub fn of_text(file: &str, text: &str) -> Result<Self> {
        let tokens = lex_lines(text).map_err(|(line, error)| Refusal {
            file: file.to_owned(),
            line,
            what: error.0,
            advice: String::new(),
        })?;
        let mut lexemes = Vec::new();
        let (mut space, mut hint) = (String::new(), None);
        for (line, token) in tokens {
            match token {
                Token::Space(text) => space += &text,
                Token::Hint(text) => hint = Some(text),
                token => lexemes.push(Lexeme {
                    token,
                    line,
                    space: std::mem::take(&mut space),
                    hint: hint.take(),
                }),
            }
        }
        Ok(Self::of_lexemes(&Rc::from(file), lexemes))
    }

    pub fn of_lexemes(file: &Rc<str>, lexemes: Vec<Lexeme>) -> Self {
        Self {
            file: file.clone(),
            lexemes,
            at: 0,
        }
    }

    pub fn file(&self) -> &Rc<str> {
        &self.file
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.lexemes.len()
    }

    pub fn peek(&self, ahead: usize) -> Option<&Lexeme> {
        self.lexemes.get(self.at + ahead)
    }

    /// Whether the next tokens are these words or symbols.
    pub fn sees(&self, texts: &[&str]) -> bool {
        texts
            .iter()
            .enumerate()
            .all(|(ahead, text)| self.peek(ahead).is_some_and(|next| next.matches(text)))
    }

    pub fn sees_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.sees(&[text]))
    }

    pub fn next(&mut self) -> Result<Lexeme> {
        let next = self.lexemes.get(self.at).cloned();
        let Some(next) = next else {
            return Err(self.refuse("unexpected end of file", ""));
        };
        self.at += 1;
        Ok(next)
    }

    /// Goes on if the next tokens are these.
    pub fn skip(&mut self, texts: &[&str]) -> bool {
        let found = self.sees(texts);
        if found {
            self.at += texts.len();
        }
        found
    }

    pub fn expect(&mut self, text: &str) -> Result<Lexeme> {
        let next = self.next()?;
        if !next.matches(text) {
            return Err(self.refuse_at(
                next.line,
                format!("expected {text}, found {}", next.text()),
                "",
            ));
        }
        Ok(next)
    }

    /// A name, as Oracle stores it.
    pub fn name(&mut self) -> Result<String> {
        let next = self.next()?;
        next.token.name().ok_or_else(|| {
            self.refuse_at(
                next.line,
                format!("expected a name, found {}", next.text()),
                "",
            )
        })
    }

    /// The tokens before one of these texts that is in no parentheses and in no CASE expression.
    pub fn until(&mut self, stops: &[&str]) -> Result<Vec<Lexeme>> {
        let mut taken = Vec::new();
        let (mut depth, mut cases) = (0, 0);
        loop {
            if depth == 0 && cases == 0 && self.sees_any(stops) {
                return Ok(taken);
            }
            let next = self.next()?;
            if next.is_symbol("(") {
                depth += 1;
            } else if next.is_symbol(")") {
                depth -= 1;
            } else if next.is("CASE") {
                cases += 1;
            } else if next.is("END") && cases > 0 {
                cases -= 1;
            }
            taken.push(next);
        }
    }

    /// What is wrong at the next token.
    pub fn refuse(&self, what: impl Into<String>, advice: &str) -> Refusal {
        let near = self
            .lexemes
            .get(self.at)
            .or(self.lexemes.last())
            .map_or(1, |lexeme| lexeme.line);
        self.refuse_at(near, what, advice)
    }

    pub fn refuse_at(&self, line: usize, what: impl Into<String>, advice: &str) -> Refusal {
        Refusal {
            file: self.file.to_string(),
            line,
            what: what.into(),
            advice: advice.to_owned(),
        }
    }
}
