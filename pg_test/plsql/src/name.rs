//! A dotted name at one place of a text, and what stands around it.

use crate::expression::Language;
use crate::lint;
use crate::reader::Lexeme;

pub struct Name<'a> {
    pub parts: Vec<String>,
    pub line: usize,
    /// Number of lexemes.
    pub length: usize,
    pub is_called: bool,
    pub is_argument_name: bool,
    pub lexemes: &'a [Lexeme],
    pub at: usize,
    pub language: Language,
}

impl Name<'_> {
    /// The text of a call: parentheses where Oracle needs none.
    pub fn call(&self, function: String) -> String {
        if self.is_called {
            function
        } else {
            format!("{function}()")
        }
    }

    /// Whether the text is this call and nothing else.
    pub fn is_whole(&self) -> bool {
        let end = if self.is_called {
            lint::closing(self.lexemes, self.length)
        } else {
            Some(self.length - 1)
        };
        self.at == 0 && end == Some(self.lexemes.len() - 1)
    }

    /// `name (columns) AS (SELECT ...)`.
    pub fn is_of_subquery(&self) -> bool {
        lint::closing(self.lexemes, self.at + 1).is_some_and(
            |end| matches!(&self.lexemes[end + 1..], [by, open, ..] if by.is("AS") && open.is_symbol("(")),
        )
    }
}

/// The name that begins here.
pub fn name_at(lexemes: &[Lexeme], at: usize, language: Language) -> Name<'_> {
    let mut parts = Vec::new();
    let mut length = 0;
    while let Some(part) = lexemes.get(at + length).and_then(|one| one.token.name()) {
        parts.push(part);
        length += 1;
        let continues = lexemes
            .get(at + length)
            .is_some_and(|one| one.is_symbol("."))
            && lexemes
                .get(at + length + 1)
                .is_some_and(|one| one.token.name().is_some());
        if !continues {
            break;
        }
        length += 1;
    }
    let follows = |symbol| {
        lexemes
            .get(at + length)
            .is_some_and(|one: &Lexeme| one.is_symbol(symbol))
    };
    Name {
        line: lexemes[at].line,
        is_called: follows("("),
        is_argument_name: follows("=>"),
        parts,
        length,
        lexemes,
        at,
        language,
    }
}

/// Whether a table of the statement has this name or alias: it stands alone somewhere.
pub fn names_table(lexemes: &[Lexeme], name: &str) -> bool {
    lexemes.iter().enumerate().any(|(at, lexeme)| {
        let stands_alone = |beside: Option<&Lexeme>| beside.is_none_or(|one| !one.is_symbol("."));
        lexeme.token.name().as_deref() == Some(name)
            && stands_alone(at.checked_sub(1).map(|before| &lexemes[before]))
            && stands_alone(lexemes.get(at + 1))
    })
}
