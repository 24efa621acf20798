//! Names in expressions and SQL statements: what is ours gets PostgreSQL's text, the rest is left to the dialect.

use std::collections::BTreeSet;

use dialect::{Token, is_keyword, quoted};

use crate::catalog::{Catalog, Header};
use crate::known::{self, Member};
use crate::reader::{Lexeme, Reader};
use crate::refusal::{Refusal, Result};
use crate::source::RoutineKind;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Sql,
    Plsql,
}

/// What a name can stand for at one place of a package.
pub struct Scope<'a> {
    pub catalog: &'a Catalog,
    pub package: &'a str,
    /// Line of the routine: private ones are seen only from below their declaration.
    pub line: usize,
    pub locals: BTreeSet<String>,
    pub in_handler: bool,
    /// Refusals get their file from it.
    pub reader: &'a Reader,
}

/// A dotted name of the text.
struct Name {
    parts: Vec<String>,
    line: usize,
    /// Number of lexemes.
    length: usize,
    is_called: bool,
    is_argument_name: bool,
}

impl Scope<'_> {
    /// The text for PostgreSQL, with the blanks before its first token.
    pub fn text(&self, lexemes: &[Lexeme], language: Language) -> Result<String> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(lexeme) = lexemes.get(at) {
            tokens.push(Token::Space(lexeme.space.clone()));
            if lexeme.token.name().is_none() {
                self.check_symbol(lexeme)?;
                tokens.push(lexeme.token.clone());
                at += 1;
                continue;
            }
            let name = name_at(lexemes, at);
            match self.resolve(&name, lexemes, at, language)? {
                Some((text, length)) => {
                    tokens.push(Token::Verbatim(text));
                    at += length;
                }
                None => {
                    for part in &lexemes[at..at + name.length] {
                        tokens.push(part.token.clone());
                    }
                    at += name.length;
                }
            }
        }
        Ok(dialect::sql(&tokens))
    }

    fn check_symbol(&self, lexeme: &Lexeme) -> Result<()> {
        match &lexeme.token {
            Token::Bind(name) => Err(self.refuse(
                lexeme.line,
                &format!("bind :{name}"),
                "binds are for dynamic SQL",
            )),
            Token::Symbol("**") => Err(self.refuse(lexeme.line, "**", "write POWER")),
            Token::Symbol("@") => Err(self.refuse(lexeme.line, "a database link", "")),
            Token::Symbol(symbol @ ("[" | "]" | "?" | "%")) => {
                Err(self.refuse(lexeme.line, &format!("{symbol} in an expression"), ""))
            }
            _ => Ok(()),
        }
    }

    /// PostgreSQL's text for a name, and how many lexemes it stands for; None: as the dialect says.
    fn resolve(
        &self,
        name: &Name,
        lexemes: &[Lexeme],
        at: usize,
        language: Language,
    ) -> Result<Option<(String, usize)>> {
        if name.is_argument_name || matches!(lexemes[at].token, Token::Quoted(_)) {
            return Ok(None);
        }
        let text = match name.parts.as_slice() {
            [one] if one == "SQL" => return self.cursor_attribute(name, &lexemes[at..]).map(Some),
            [one] if self.locals.contains(one) => None,
            [one] => self.single(one, name, lexemes, at, language)?,
            [first, ..] if self.locals.contains(first) => None,
            [package, member] => self.member(package, member, name)?,
            _ => None,
        };
        Ok(text.map(|text| (text, name.length)))
    }

    /// `SQL%ROWCOUNT` and its kin.
    fn cursor_attribute(&self, name: &Name, lexemes: &[Lexeme]) -> Result<(String, usize)> {
        let attribute = match lexemes {
            [_, percent, attribute, ..] if percent.is_symbol("%") => attribute.word(),
            _ => None,
        };
        let text = match attribute.as_deref() {
            Some("ROWCOUNT") => "sql_rowcount",
            Some("FOUND") => "(sql_rowcount > 0)",
            Some("NOTFOUND") => "(sql_rowcount = 0)",
            _ => {
                return Err(self.refuse(
                    name.line,
                    "an attribute of SQL",
                    "use SQL%ROWCOUNT, %FOUND or %NOTFOUND",
                ));
            }
        };
        Ok((text.to_owned(), 3))
    }

    /// A name that is not dotted.
    fn single(
        &self,
        one: &str,
        name: &Name,
        lexemes: &[Lexeme],
        at: usize,
        language: Language,
    ) -> Result<Option<String>> {
        let package = &self.catalog.packages[self.package];
        if package.constants.contains(one) {
            return Ok(Some(format!("{}()", self.own(one))));
        }
        if one == "SQLCODE" || one == "SQLERRM" {
            if !self.in_handler {
                return Err(self.refuse(name.line, &format!("{one} outside a handler"), ""));
            }
            return Ok(Some(match one {
                "SQLCODE" => "ora.sqlcode(SQLSTATE)".to_owned(),
                _ => "ora.sqlerrm(SQLSTATE, SQLERRM)".to_owned(),
            }));
        }
        // In SQL a name without parentheses is a column.
        if let Some(header) = package.routines.get(one)
            && (name.is_called || language == Language::Plsql)
        {
            self.check_own_call(one, header, name.line, language)?;
            return Ok(Some(self.call(self.own(one), name)));
        }
        if name.is_called {
            self.check_function(one, name.line, lexemes, at, language)?;
        }
        Ok(None)
    }

    fn check_own_call(
        &self,
        one: &str,
        header: &Header,
        line: usize,
        language: Language,
    ) -> Result<()> {
        if header.kind == RoutineKind::Procedure {
            return Err(self.refuse(
                line,
                &format!("procedure {one} in an expression"),
                "call it as a statement",
            ));
        }
        if !header.is_public && header.line > self.line {
            return Err(self.refuse(
                line,
                &format!("{one} is used before it is declared (PLS-00313)"),
                "move it up",
            ));
        }
        if !header.is_public && language == Language::Sql {
            let what = format!("private function {one} in SQL (PLS-00231)");
            return Err(self.refuse(line, &what, "declare it in the specification"));
        }
        Ok(())
    }

    fn check_function(
        &self,
        one: &str,
        line: usize,
        lexemes: &[Lexeme],
        at: usize,
        language: Language,
    ) -> Result<()> {
        if known::is_function(one) {
            if language == Language::Plsql && known::is_only_sql(one) {
                return Err(self.refuse(
                    line,
                    &format!("{one} exists only in SQL"),
                    "select it FROM dual",
                ));
            }
            return Ok(());
        }
        let before = at.checked_sub(1).and_then(|before| lexemes[before].word());
        let opens_columns =
            matches!(before.as_deref(), Some("INTO" | "WITH")) || names_subquery(lexemes, at);
        if is_keyword(one, before.as_deref())
            || known::may_stand_before_parenthesis(one)
            || opens_columns
        {
            return Ok(());
        }
        // WITHIN GROUP (ORDER BY ...)
        if one == "GROUP" || one == "WITHIN" {
            return Ok(());
        }
        Err(self.refuse(
            line,
            &format!("function {one} is not known"),
            "add it to known.rs, with a probe of what Oracle's manual promises",
        ))
    }

    /// A member of a package; None: a column, or a field of a record.
    fn member(&self, package: &str, member: &str, name: &Name) -> Result<Option<String>> {
        let full = format!("{}.{}", quoted(package), quoted(member));
        if let Some(known) = self.catalog.packages.get(package) {
            if known.constants.contains(member) {
                return Ok(Some(format!("{full}()")));
            }
            return match known.routines.get(member) {
                Some(header)
                    if header.kind == RoutineKind::Function && header.is_public
                        || package == self.package =>
                {
                    Ok(Some(self.call(full, name)))
                }
                _ => Err(self.refuse(
                    name.line,
                    &format!("{package}.{member} is no public function or constant"),
                    "",
                )),
            };
        }
        match known::member(package, member) {
            Some(Member::Constant) => Ok(Some(format!("{full}()"))),
            Some(Member::Function) => Ok(Some(self.call(full, name))),
            Some(Member::Procedure) => Err(self.refuse(
                name.line,
                &format!("procedure {package}.{member} in an expression"),
                "",
            )),
            None if known::is_package(package) || name.is_called => Err(self.refuse(
                name.line,
                &format!("{package}.{member} is not known"),
                "add it to known.rs and to the stand-in",
            )),
            None => Ok(None),
        }
    }

    fn own(&self, name: &str) -> String {
        format!("{}.{}", quoted(self.package), quoted(name))
    }

    fn call(&self, function: String, name: &Name) -> String {
        if name.is_called {
            function
        } else {
            format!("{function}()")
        }
    }

    pub fn refuse(&self, line: usize, what: &str, advice: &str) -> Refusal {
        self.reader.refuse_at(line, what, advice)
    }
}

fn name_at(lexemes: &[Lexeme], at: usize) -> Name {
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
        parts,
        line: lexemes[at].line,
        length,
        is_called: follows("("),
        is_argument_name: follows("=>"),
    }
}

/// `name (columns) AS (SELECT ...)`.
fn names_subquery(lexemes: &[Lexeme], at: usize) -> bool {
    let mut depth = 0;
    for (end, lexeme) in lexemes.iter().enumerate().skip(at + 1) {
        if lexeme.is_symbol("(") {
            depth += 1;
        } else if lexeme.is_symbol(")") {
            depth -= 1;
            if depth == 0 {
                return matches!(&lexemes[end + 1..], [by, open, ..] if by.is("AS") && open.is_symbol("("));
            }
        }
    }
    false
}
