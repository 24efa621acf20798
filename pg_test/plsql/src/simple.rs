//! Statements that end at their semicolon.

use dialect::{Token, quoted};

use crate::block::Block;
use crate::effect::Translated;
use crate::exception;
use crate::expression::Language;
use crate::job;
use crate::known::{self, Member};
use crate::lint;
use crate::reader::Lexeme;
use crate::refusal::Result;
use crate::source::RoutineKind;
use crate::words;

impl Block<'_> {
    pub fn simple(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let Some(first) = lexemes.first() else {
            return Err(self
                .scope
                .refuse(self.scope.line, "an empty statement", "write NULL;"));
        };
        let word = first.word().unwrap_or_default();
        match word.as_str() {
            "NULL" => Ok(Translated::harmless(format!("{}NULL;", first.space))),
            "EXIT" | "CONTINUE" => self.leave_loop(lexemes),
            "RETURN" => self.leave_routine(lexemes),
            "RAISE" => self.raise(lexemes),
            "RAISE_APPLICATION_ERROR" => self.raise_application_error(lexemes),
            "COMMIT" | "ROLLBACK" => self.end_transaction(lexemes),
            "EXECUTE" => self.execute(lexemes),
            "SELECT" | "WITH" => self.query(lexemes),
            "INSERT" | "UPDATE" | "DELETE" | "MERGE" => {
                let text = self.scope.sql(lexemes)?;
                Ok(Translated::change(self.counted(text)))
            }
            _ => match lint::top_level(lexemes, ":=") {
                Some(at) => self.assignment(&lexemes[..at], &lexemes[at + 1..]),
                None => self.call(lexemes),
            },
        }
    }

    fn assignment(&self, target: &[Lexeme], value: &[Lexeme]) -> Result<Translated> {
        let text = format!(
            "{} :={};",
            self.scope.plsql(target)?,
            self.scope.plsql(value)?
        );
        Ok(if self.scope.calls_writer(value) {
            Translated::own_call(text)
        } else if cannot_fail(value) {
            Translated::harmless(text)
        } else {
            Translated::of(text)
        })
    }

    fn leave_loop(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let verb = format!("{}{}", first.space, first.text().to_uppercase());
        match lexemes.get(1) {
            None => Ok(Translated::harmless(format!("{verb};"))),
            Some(when) if when.is("WHEN") => Ok(Translated::of(format!(
                "{verb} WHEN{};",
                self.condition_text(&lexemes[2..])?
            ))),
            Some(label) => Err(self.scope.refuse(label.line, "a label", "use a variable")),
        }
    }

    fn leave_routine(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let value = &lexemes[1..];
        let text = format!("{}RETURN{};", lexemes[0].space, self.scope.plsql(value)?);
        Ok(if self.scope.calls_writer(value) {
            Translated::own_call(text)
        } else if cannot_fail(value) {
            Translated::harmless(text)
        } else {
            Translated::of(text)
        })
    }

    fn raise(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let names: Vec<String> = lexemes[1..]
            .iter()
            .filter_map(|one| one.token.name())
            .collect();
        match names.as_slice() {
            [] if self.scope.in_handler => {
                return Ok(Translated::raise(format!("{}RAISE;", first.space)));
            }
            [] => {
                return Err(self.scope.refuse(
                    first.line,
                    "RAISE without a name outside a handler",
                    "",
                ));
            }
            [one] if exception::predefined(one).is_some() => {
                let advice = "raise an exception of ours";
                return Err(self
                    .scope
                    .refuse(first.line, &format!("RAISE {one}"), advice));
            }
            _ => {}
        }
        let code = -self.code_of(&names, first.line)?;
        let state = dialect::sqlstate(code);
        let message = format!("ORA-{code:05}: ");
        Ok(Translated::raise(format!(
            "{}RAISE EXCEPTION USING ERRCODE = '{state}', MESSAGE = '{message}';",
            first.space
        )))
    }

    fn raise_application_error(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let [code, message, ..] = arguments(&lexemes[1..])[..] else {
            return Err(self.scope.refuse(
                first.line,
                "RAISE_APPLICATION_ERROR without code and text",
                "",
            ));
        };
        let (code, message) = (self.scope.plsql(code)?, self.scope.plsql(message)?);
        Ok(Translated::raise(format!(
            "{}RAISE EXCEPTION USING ERRCODE = ora.state({code}), MESSAGE = ora.message({code},{message});",
            first.space
        )))
    }

    fn end_transaction(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let word = first.text().to_uppercase();
        let text = match (&self.job, self.scope.package) {
            _ if lexemes.len() > 1 => None,
            (Some(_), _) => Some(job::end_of_transaction(&word, &self.scope.catalog.site)),
            // The OCI stand-in commits when the call is over.
            (None, Some("API")) if word == "COMMIT" => {
                Some("PERFORM pg_catalog.set_config('standin.commit', 'on', true);".to_owned())
            }
            _ => None,
        };
        match text {
            Some(text) => Ok(Translated::harmless(format!("{}{text}", first.space))),
            None => Err(self.scope.refuse(
                first.line,
                &word,
                "only package API and jobs end a transaction",
            )),
        }
    }

    /// `EXECUTE IMMEDIATE text [INTO a, b] [USING c, d]`.
    fn execute(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        if !lexemes.get(1).is_some_and(|one| one.is("IMMEDIATE")) {
            return Err(self
                .scope
                .refuse(first.line, "EXECUTE without IMMEDIATE", ""));
        }
        let mut text = String::new();
        let mut from = 1;
        while from < lexemes.len() {
            let (word, rest) = (&lexemes[from], &lexemes[from + 1..]);
            let length = ["INTO", "USING", "RETURNING", "BULK"]
                .iter()
                .filter_map(|stop| lint::top_level(rest, stop))
                .min()
                .unwrap_or(rest.len());
            text += &self.part_of_execute(first, word, &rest[..length])?;
            from += 1 + length;
        }
        Ok(Translated::change(self.counted(text)))
    }

    fn part_of_execute(&self, first: &Lexeme, word: &Lexeme, part: &[Lexeme]) -> Result<String> {
        let space = &word.space;
        if word.is("IMMEDIATE") {
            return Ok(format!(
                "{}EXECUTE ora.sql({})",
                first.space,
                self.scope.plsql(part)?
            ));
        }
        if word.is("INTO") {
            // Oracle raises when there is not exactly one row.
            return Ok(format!("{space}INTO STRICT{}", self.scope.plsql(part)?));
        }
        if word.is("USING") && !part.iter().any(|one| one.is("OUT")) {
            let binds: Vec<Lexeme> = part.iter().filter(|one| !one.is("IN")).cloned().collect();
            return Ok(format!("{space}USING{}", self.scope.plsql(&binds)?));
        }
        let what = format!("{} in EXECUTE IMMEDIATE", word.text().to_uppercase());
        Err(self.scope.refuse(
            word.line,
            &what,
            "use INTO, and USING for values that go in",
        ))
    }

    fn query(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        lint::check(lexemes, &self.scope)?;
        let Some(into) = lint::top_level(lexemes, "INTO") else {
            return Err(self
                .scope
                .refuse(lexemes[0].line, "SELECT without INTO", ""));
        };
        let mut strict = lexemes.to_vec();
        // Oracle raises when there is not exactly one row.
        strict[into].token = Token::Verbatim("INTO STRICT".to_owned());
        let text = self.counted(self.scope.text(&strict, Language::Sql)?);
        Ok(if lint::locks(lexemes) {
            Translated::change(text)
        } else {
            Translated::of(text)
        })
    }

    /// Remembers the row count when the routine asks for it.
    fn counted(&self, text: String) -> String {
        if self.counts_rows {
            format!("{text}; GET DIAGNOSTICS sql_rowcount = ROW_COUNT;")
        } else {
            format!("{text};")
        }
    }

    fn call(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let open = lexemes
            .iter()
            .position(|one| one.is_symbol("("))
            .unwrap_or(lexemes.len());
        let names: Vec<String> = lexemes[..open]
            .iter()
            .filter_map(|one| one.token.name())
            .collect();
        let (package, name) = match (names.as_slice(), self.scope.package) {
            ([name], Some(own)) => (own, name.as_str()),
            ([package, name], _) => (package.as_str(), name.as_str()),
            _ => ("", ""),
        };
        let external = known::member(package, name);
        let writes = external.is_some() || self.check_procedure(package, name, first)?;
        let arguments = match &lexemes[open..] {
            [] => "()".to_owned(),
            arguments => self.scope.plsql(arguments)?.trim_start().to_owned(),
        };
        let space = &first.space;
        if external.is_some() {
            // A procedure of Oracle's packages is a function of the stand-in, unless it commits.
            let verb = if external == Some(Member::Committing) {
                "CALL"
            } else {
                "PERFORM"
            };
            return Ok(Translated::change(format!(
                "{space}{verb} {}.{}{arguments};",
                quoted(package),
                quoted(name)
            )));
        }
        let called = self.scope.catalog.site.full_name(package, name);
        let text = format!("{space}CALL {called}{arguments};");
        Ok(if writes {
            Translated::own_call(text)
        } else {
            Translated::of(text)
        })
    }

    /// A procedure of ours may be called here; whether it changes rows.
    fn check_procedure(&self, package: &str, name: &str, first: &Lexeme) -> Result<bool> {
        let is_own = self.scope.package == Some(package);
        let refuse = |what: String, advice| Err(self.scope.refuse(first.line, &what, advice));
        match self.scope.catalog.routine(package, name) {
            None => {
                let word = first.text().to_uppercase();
                let advice = words::advice_for_statement(&word).unwrap_or_default();
                refuse(
                    format!("statement or procedure {word} is not known"),
                    advice,
                )
            }
            Some(header) if header.kind == RoutineKind::Function => refuse(
                format!("function {name} as a statement (PLS-00221)"),
                "assign its result",
            ),
            Some(header) if !header.is_public && !is_own => refuse(
                format!("{package}.{name} is private"),
                "declare it in the specification",
            ),
            Some(header) if !header.is_public && header.line > self.scope.line => refuse(
                format!("{name} is used before it is declared (PLS-00313)"),
                "move it up",
            ),
            Some(header) => Ok(header.writes),
        }
    }
}

/// A literal, a variable, NULL, or SQL%ROWCOUNT.
fn cannot_fail(value: &[Lexeme]) -> bool {
    match value {
        [] | [_] => true,
        [sql, percent, _] => sql.is("SQL") && percent.is_symbol("%"),
        _ => false,
    }
}

/// The arguments of `(a, b, ...)`.
fn arguments(lexemes: &[Lexeme]) -> Vec<&[Lexeme]> {
    let [_, inner @ .., _] = lexemes else {
        return Vec::new();
    };
    let mut depth = 0;
    inner
        .split(|one| {
            depth += i32::from(one.is_symbol("(")) - i32::from(one.is_symbol(")"));
            depth == 0 && one.is_symbol(",")
        })
        .collect()
}
