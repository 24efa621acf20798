//! Names in expressions and SQL statements: what is ours gets PostgreSQL's text, the rest is left to the dialect.

use std::collections::{BTreeMap, BTreeSet};

use dialect::{Token, is_keyword, quoted};

use crate::catalog::{Catalog, Header};
use crate::job;
use crate::known::{self, Member};
use crate::lint;
use crate::name::{Name, name_at, names_table};
use crate::reader::{Lexeme, Reader};
use crate::refusal::{Refusal, Result};
use crate::source::{OWNER, RoutineKind};
use crate::words;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Sql,
    Plsql,
}

/// What a name can stand for at one place of a file.
pub struct Scope<'a> {
    pub catalog: &'a Catalog,
    /// None in a view.
    pub package: Option<&'a str>,
    /// Line of the routine: private ones are seen only from below their declaration.
    pub line: usize,
    /// Variables and parameters, and whether they are BOOLEAN.
    pub locals: BTreeMap<String, bool>,
    /// Loop variables over queries, those of loops that have ended too.
    pub records: BTreeSet<String>,
    pub in_handler: bool,
    /// Refusals get their file from it.
    pub reader: &'a Reader,
}

impl Scope<'_> {
    /// The text of an expression for PostgreSQL, with the blanks before its first token.
    pub fn plsql(&self, lexemes: &[Lexeme]) -> Result<String> {
        for (at, lexeme) in lexemes.iter().enumerate() {
            let is_part = at > 0 && lexemes[at - 1].is_symbol(".");
            if let Some(word) = lexeme.word()
                && !is_part
                && let Some(advice) = words::advice_in_plsql(&word)
            {
                return Err(self.refuse(lexeme.line, &word, advice));
            }
            if lexeme.is("SELECT") {
                return Err(self.refuse(
                    lexeme.line,
                    "a query in an expression",
                    "write SELECT ... INTO",
                ));
            }
        }
        self.text(lexemes, Language::Plsql)
    }

    /// The text of a query or DML statement.
    pub fn sql(&self, lexemes: &[Lexeme]) -> Result<String> {
        lint::check(lexemes, self)?;
        self.text(lexemes, Language::Sql)
    }

    /// Whether an expression calls a routine of ours that changes rows.
    pub fn calls_writer(&self, lexemes: &[Lexeme]) -> bool {
        (0..lexemes.len()).any(|at| {
            let starts =
                lexemes[at].token.name().is_some() && (at == 0 || !lexemes[at - 1].is_symbol("."));
            starts
                && self
                    .header(&name_at(lexemes, at, Language::Plsql).parts)
                    .is_some_and(|header| header.writes)
        })
    }

    fn header(&self, parts: &[String]) -> Option<&Header> {
        match parts {
            [one] if !self.locals.contains_key(one) => self.catalog.routine(self.package?, one),
            [package, one] => self.catalog.routine(package, one),
            _ => None,
        }
    }

    pub fn text(&self, lexemes: &[Lexeme], language: Language) -> Result<String> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(lexeme) = lexemes.get(at) {
            tokens.push(Token::Space(lexeme.space.clone()));
            if lexeme.token.name().is_none() {
                self.check_token(lexeme)?;
                tokens.push(lexeme.token.clone());
                at += 1;
                continue;
            }
            let name = name_at(lexemes, at, language);
            match self.resolve(&name)? {
                Some((text, length)) => {
                    tokens.push(Token::Verbatim(text));
                    at += length;
                }
                None => {
                    let parts = &lexemes[at..at + name.length];
                    tokens.extend(parts.iter().map(|part| part.token.clone()));
                    at += name.length;
                }
            }
        }
        Ok(dialect::sql(&tokens))
    }

    fn check_token(&self, lexeme: &Lexeme) -> Result<()> {
        let (what, advice) = match &lexeme.token {
            Token::Bind(_) => ("a bind in static code", "binds are for dynamic SQL"),
            Token::Literal(text) if text.is_empty() => (
                "an empty text",
                "it is NULL in Oracle: write NULL, or IS NULL",
            ),
            Token::Symbol("**") => ("**", "write POWER"),
            Token::Symbol("@") => (
                "a database link",
                "use EXECUTE IMMEDIATE: what names a link must compile where there is none",
            ),
            Token::Symbol("[" | "]" | "?" | "%") => ("a symbol that no expression has", ""),
            _ => return Ok(()),
        };
        Err(self.refuse(lexeme.line, what, advice))
    }

    /// PostgreSQL's text for a name, and how many lexemes it stands for; None: as the dialect says.
    fn resolve(&self, name: &Name) -> Result<Option<(String, usize)>> {
        if name.is_argument_name || matches!(name.lexemes[name.at].token, Token::Quoted(_)) {
            return Ok(None);
        }
        let text = match name.parts.as_slice() {
            [one] if one == "SQL" => return self.cursor_attribute(name).map(Some),
            [one] if self.locals.contains_key(one) => {
                if self.locals[one] && name.language == Language::Sql {
                    let what = format!("BOOLEAN variable {one} in SQL");
                    return Err(self.refuse(name.line, &what, "there is no boolean in SQL"));
                }
                None
            }
            [one] => self.single(one, name)?,
            [first, ..] if self.locals.contains_key(first) => None,
            [first, ..] if self.records.contains(first) && !names_table(name.lexemes, first) => {
                return Err(self.refuse(
                    name.line,
                    &format!("loop variable {first} outside its loop"),
                    "",
                ));
            }
            [package, member] => self.member(package, member, name)?,
            _ => None,
        };
        Ok(text.map(|text| (text, name.length)))
    }

    /// `SQL%ROWCOUNT` and its kin.
    fn cursor_attribute(&self, name: &Name) -> Result<(String, usize)> {
        let attribute = match &name.lexemes[name.at..] {
            [_, percent, attribute, ..] if percent.is_symbol("%") => attribute.word(),
            _ => None,
        };
        let text = match attribute.as_deref() {
            Some("ROWCOUNT") => "sql_rowcount",
            Some("FOUND") => "(sql_rowcount > 0)",
            Some("NOTFOUND") => "(sql_rowcount = 0)",
            _ => {
                let advice = "use SQL%ROWCOUNT, SQL%FOUND or SQL%NOTFOUND";
                return Err(self.refuse(name.line, "an attribute of SQL", advice));
            }
        };
        Ok((text.to_owned(), 3))
    }

    /// A name that is not dotted.
    fn single(&self, one: &str, name: &Name) -> Result<Option<String>> {
        if one == "SQLCODE" || one == "SQLERRM" {
            return self.error_of_handler(one, name.line).map(Some);
        }
        if let Some(own) = self.package
            && let Some(package) = self.catalog.packages.get(own)
        {
            let full = self.catalog.site.full_name(own, one);
            if package.constants.contains(one) {
                return Ok(Some(format!("{full}()")));
            }
            // In SQL a name without parentheses is a column.
            if let Some(header) = package.routines.get(one)
                && (name.is_called || name.language == Language::Plsql)
            {
                self.check_own(one, header, name)?;
                return Ok(Some(name.call(full)));
            }
        }
        if name.is_called {
            self.check_function(one, name)?;
        }
        Ok(None)
    }

    fn error_of_handler(&self, one: &str, line: usize) -> Result<String> {
        if !self.in_handler {
            return Err(self.refuse(line, &format!("{one} outside a handler"), ""));
        }
        let (state, message) = if self.package == Some(OWNER) {
            (job::SQLSTATE, job::MESSAGE)
        } else {
            ("SQLSTATE", "SQLERRM")
        };
        Ok(match one {
            "SQLCODE" => format!("ora.sqlcode({state})"),
            _ => format!("ora.sqlerrm({state}, {message})"),
        })
    }

    /// A routine of the package itself.
    fn check_own(&self, one: &str, header: &Header, name: &Name) -> Result<()> {
        if !header.is_public && header.line > self.line {
            let what = format!("{one} is used before it is declared (PLS-00313)");
            return Err(self.refuse(name.line, &what, "move it up"));
        }
        if !header.is_public && name.language == Language::Sql {
            let what = format!("private function {one} in SQL (PLS-00231)");
            return Err(self.refuse(name.line, &what, "declare it in the specification"));
        }
        self.check_call(one, header, name)
    }

    fn check_call(&self, one: &str, header: &Header, name: &Name) -> Result<()> {
        if header.kind == RoutineKind::Procedure {
            let what = format!("procedure {one} in an expression");
            return Err(self.refuse(name.line, &what, "call it as a statement"));
        }
        if name.language == Language::Plsql {
            if header.writes && !name.is_whole() {
                let what = format!("{one} changes rows and is part of an expression");
                return Err(self.refuse(name.line, &what, "assign its result first: x := f(...)"));
            }
            return Ok(());
        }
        let (what, advice) = if header.writes {
            (
                "changes rows and is called in SQL (ORA-14551)",
                "assign its result first",
            )
        } else if header.is_boolean {
            (
                "is BOOLEAN and is called in SQL",
                "there is no boolean in SQL",
            )
        } else {
            return Ok(());
        };
        Err(self.refuse(name.line, &format!("{one} {what}"), advice))
    }

    fn check_function(&self, one: &str, name: &Name) -> Result<()> {
        if known::is_function(one) {
            if name.language == Language::Plsql && known::is_only_sql(one) {
                return Err(self.refuse(
                    name.line,
                    &format!("{one} exists only in SQL"),
                    "select it FROM dual",
                ));
            }
            return Ok(());
        }
        let before = name
            .at
            .checked_sub(1)
            .and_then(|before| name.lexemes[before].word());
        let is_no_call = is_keyword(one, before.as_deref())
            || known::may_stand_before_parenthesis(one)
            || matches!(before.as_deref(), Some("INTO" | "WITH" | "VIEW"))
            || name.is_of_subquery();
        if is_no_call {
            return Ok(());
        }
        let advice = "add it to known.rs with a probe, and to the layer of Oracle's functions";
        Err(self.refuse(name.line, &format!("function {one} is not known"), advice))
    }

    /// A member of a package; None: a column, or a field of a record.
    fn member(&self, package: &str, member: &str, name: &Name) -> Result<Option<String>> {
        if let Some(known) = self.catalog.packages.get(package) {
            let full = self.catalog.site.full_name(package, member);
            if known.constants.contains(member) {
                return Ok(Some(format!("{full}()")));
            }
            return match known.routines.get(member) {
                Some(header) if self.package == Some(package) => {
                    self.check_own(member, header, name)?;
                    Ok(Some(name.call(full)))
                }
                Some(header) if header.is_public => {
                    self.check_call(member, header, name)?;
                    Ok(Some(name.call(full)))
                }
                // A table may have the name of a package.
                None if !name.is_called && names_table(name.lexemes, package) => Ok(None),
                _ => {
                    let what = format!("{package}.{member} is no public function or constant");
                    Err(self.refuse(name.line, &what, ""))
                }
            };
        }
        let full = format!("{}.{}", quoted(package), quoted(member));
        match known::member(package, member) {
            Some(Member::Constant) => Ok(Some(format!("{full}()"))),
            Some(Member::Function) => Ok(Some(name.call(full))),
            Some(Member::Procedure | Member::Committing) => Err(self.refuse(
                name.line,
                &format!("procedure {package}.{member} in an expression"),
                "",
            )),
            None if known::is_package(package) || name.is_called => {
                let advice = "add it to known.rs and to the stand-in";
                Err(self.refuse(
                    name.line,
                    &format!("{package}.{member} is not known"),
                    advice,
                ))
            }
            None => Ok(None),
        }
    }

    pub fn refuse(&self, line: usize, what: &str, advice: &str) -> Refusal {
        self.reader.refuse_at(line, what, advice)
    }
}
