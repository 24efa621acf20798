//! Statements of a block.

use dialect::{Token, quoted};

use crate::catalog::Catalog;
use crate::exception;
use crate::expression::{Language, Scope};
use crate::known::{self, Member};
use crate::reader::{Lexeme, Reader};
use crate::refusal::{Refusal, Result};
use crate::routine::{Exceptions, Records};
use crate::source::{Routine, RoutineKind};

/// The block of one routine.
pub struct Block<'a> {
    pub scope: Scope<'a>,
    pub routine: &'a Routine,
    pub exceptions: Exceptions,
    /// Loop variables over queries.
    pub records: Records,
    pub counts_rows: bool,
}

/// Translated statements, and what a handler around them has to know.
#[derive(Default)]
pub struct Translated {
    pub text: String,
    /// The last one raises.
    pub raises: bool,
    /// Statements that change or lock rows.
    pub changes: usize,
    /// Calls of our own procedures.
    pub own_calls: usize,
    pub statements: usize,
}

impl Translated {
    fn of(text: String) -> Self {
        Self {
            text,
            statements: 1,
            ..Self::default()
        }
    }

    fn add(&mut self, other: Self) {
        self.text += &other.text;
        self.raises = other.raises;
        self.changes += other.changes;
        self.own_calls += other.own_calls;
        self.statements += other.statements;
    }
}

impl<'a> Block<'a> {
    pub fn new(scope: Scope<'a>, routine: &'a Routine, counts_rows: bool) -> Self {
        Self {
            scope,
            routine,
            exceptions: Exceptions::new(),
            records: Records::new(),
            counts_rows,
        }
    }

    /// `BEGIN ... [EXCEPTION ...] END`, without a semicolon.
    pub fn block(&mut self, reader: &mut Reader, is_outermost: bool) -> Result<String> {
        let inner = self.inner_block(reader)?;
        debug_assert!(!is_outermost || reader.is_at_end());
        Ok(inner.text)
    }

    fn inner_block(&mut self, reader: &mut Reader) -> Result<Translated> {
        let begin = reader.expect("BEGIN")?;
        let mut block = Translated::of(format!("{}BEGIN", begin.space));
        let body = self.statements(reader, &["EXCEPTION", "END"])?;
        let guarded = exception::Guarded::of(&body);
        block.add(body);
        if reader.sees(&["EXCEPTION"]) {
            let word = reader.next()?;
            block.text += &format!("{}EXCEPTION", word.space);
            while reader.sees(&["WHEN"]) {
                let handler = self.handler(reader, &guarded)?;
                block.add(handler);
            }
        }
        let end = reader.expect("END")?;
        block.text += &format!("{}END", end.space);
        block.raises = false;
        Ok(block)
    }

    fn handler(&mut self, reader: &mut Reader, guarded: &exception::Guarded) -> Result<Translated> {
        let when = reader.expect("WHEN")?;
        let mut conditions = Vec::new();
        loop {
            let name = reader.until(&["OR", "THEN"])?;
            conditions.push(self.condition(&name, when.line)?);
            if !reader.skip(&["OR"]) {
                break;
            }
        }
        reader.expect("THEN")?;
        let was_in_handler = std::mem::replace(&mut self.scope.in_handler, true);
        let body = self.statements(reader, &["WHEN", "END"])?;
        self.scope.in_handler = was_in_handler;
        if !body.raises && !guarded.may_be_swallowed() {
            return Err(self.scope.refuse(
                when.line,
                "a handler that swallows an error of several changes, or of a call of our own",
                "put BEGIN ... END around one SQL statement: Oracle keeps the earlier changes, PostgreSQL does not",
            ));
        }
        let mut handler = Translated::of(format!(
            "{}WHEN {} THEN",
            when.space,
            conditions.join(" OR ")
        ));
        handler.add(body);
        Ok(handler)
    }

    /// PostgreSQL's condition for the name of an exception.
    fn condition(&self, name: &[Lexeme], line: usize) -> Result<String> {
        let names: Vec<String> = name.iter().filter_map(|one| one.token.name()).collect();
        if let [one] = names.as_slice()
            && let Some(condition) = exception::predefined(one)
        {
            return Ok(condition.to_owned());
        }
        let code = self.code_of(&names, line)?;
        Ok(exception::condition(code))
    }

    fn code_of(&self, names: &[String], line: usize) -> Result<i32> {
        let package = |name: &str| Some(&self.scope.catalog.packages.get(name)?.exceptions);
        let found = match names {
            [one] => self
                .exceptions
                .get(one)
                .or_else(|| package(self.scope.package)?.get(one)),
            [of, one] => package(of).and_then(|exceptions| exceptions.get(one)),
            _ => None,
        };
        match found {
            Some(Some(code)) => Ok(*code),
            Some(None) => Err(self.scope.refuse(
                line,
                &format!("exception {} has no PRAGMA EXCEPTION_INIT", names.join(".")),
                "give it a number",
            )),
            None => Err(self.scope.refuse(
                line,
                &format!("exception {} is not known", names.join(".")),
                "",
            )),
        }
    }

    fn statements(&mut self, reader: &mut Reader, stops: &[&str]) -> Result<Translated> {
        let mut all = Translated::default();
        while !reader.sees_any(stops) {
            let one = self.statement(reader)?;
            all.add(one);
        }
        if all.statements == 0 {
            return Err(reader.refuse("no statement here", "write NULL;"));
        }
        Ok(all)
    }

    fn statement(&mut self, reader: &mut Reader) -> Result<Translated> {
        let Some(first) = reader.peek(0).cloned() else {
            return Err(reader.refuse("unexpected end of the routine", ""));
        };
        match first.word().unwrap_or_default().as_str() {
            "BEGIN" => {
                let mut block = self.inner_block(reader)?;
                reader.expect(";")?;
                block.text += ";";
                Ok(block)
            }
            "IF" => self.if_statement(reader),
            "WHILE" => self.while_loop(reader),
            "FOR" => self.for_loop(reader),
            "LOOP" => self.bare_loop(reader, String::new()),
            "DECLARE" => Err(reader.refuse("a nested DECLARE", "declare in the routine")),
            "CASE" => Err(reader.refuse("a CASE statement", "write IF ... ELSIF")),
            _ => {
                let lexemes = reader.until(&[";"])?;
                reader.expect(";")?;
                self.simple(&lexemes)
            }
        }
    }

    fn if_statement(&mut self, reader: &mut Reader) -> Result<Translated> {
        let mut all = Translated::default();
        loop {
            let word = reader.next()?;
            all.text += &format!("{}{}", word.space, word.text().to_uppercase());
            if !word.is("ELSE") {
                all.text += &self.condition_of(&reader.until(&["THEN"])?)?;
                reader.expect("THEN")?;
                all.text += " THEN";
            }
            let body = self.statements(reader, &["ELSIF", "ELSE", "END"])?;
            all.add(body);
            if reader.sees(&["END"]) {
                break;
            }
        }
        let end = reader.expect("END")?;
        reader.expect("IF")?;
        reader.expect(";")?;
        all.text += &format!("{}END IF;", end.space);
        all.raises = false;
        all.statements += 1;
        Ok(all)
    }

    /// In parentheses: PL/pgSQL would end it at the THEN of a CASE expression.
    fn condition_of(&self, lexemes: &[Lexeme]) -> Result<String> {
        Ok(format!(" ({})", self.scope.text(lexemes, Language::Plsql)?))
    }

    fn while_loop(&mut self, reader: &mut Reader) -> Result<Translated> {
        let word = reader.expect("WHILE")?;
        let condition = self.condition_of(&reader.until(&["LOOP"])?)?;
        self.bare_loop(reader, format!("{}WHILE{condition}", word.space))
    }

    fn for_loop(&mut self, reader: &mut Reader) -> Result<Translated> {
        let word = reader.expect("FOR")?;
        let line = word.line;
        let name = reader.name()?;
        reader.expect("IN")?;
        if reader.sees(&["REVERSE"]) {
            return Err(reader.refuse("REVERSE", "write WHILE: PL/pgSQL wants the bounds swapped"));
        }
        let range = reader.until(&["LOOP"])?;
        let is_query =
            range.len() > 2 && range[0].is_symbol("(") && range[1].is_any(&["SELECT", "WITH"]);
        if !is_query && !range.iter().any(|one| one.is_symbol("..")) {
            return Err(self.scope.refuse(
                line,
                "FOR over a named cursor",
                "write the SELECT in the loop",
            ));
        }
        let text = if is_query {
            self.records.insert(name.clone());
            self.sql(&range[1..range.len() - 1])?
        } else {
            self.scope.text(&range, Language::Plsql)?
        };
        if !self.scope.locals.insert(name.clone()) {
            return Err(self.scope.refuse(
                line,
                &format!("loop variable {name} hides another variable"),
                "rename it",
            ));
        }
        let translated = self.bare_loop(
            reader,
            format!("{}FOR {} IN {text}", word.space, quoted(&name)),
        );
        self.scope.locals.remove(&name);
        translated
    }

    fn bare_loop(&mut self, reader: &mut Reader, head: String) -> Result<Translated> {
        let word = reader.expect("LOOP")?;
        let mut all = Translated::of(format!(
            "{head}{}LOOP",
            if head.is_empty() { &word.space } else { " " }
        ));
        let body = self.statements(reader, &["END"])?;
        all.add(body);
        let end = reader.expect("END")?;
        reader.expect("LOOP")?;
        reader.expect(";")?;
        all.text += &format!("{}END LOOP;", end.space);
        all.raises = false;
        // Each turn changes again.
        all.changes *= 2;
        Ok(all)
    }

    /// A statement up to its semicolon.
    fn simple(&mut self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let space = &first.space;
        let plsql = |lexemes: &[Lexeme]| self.scope.text(lexemes, Language::Plsql);
        match first.word().unwrap_or_default().as_str() {
            "NULL" => Ok(Translated::of(format!("{space}NULL;"))),
            "EXIT" | "CONTINUE" => self.leave_loop(lexemes),
            "RETURN" => Ok(Translated::of(format!(
                "{space}RETURN{};",
                plsql(&lexemes[1..])?
            ))),
            "RAISE" => self.raise(lexemes),
            "RAISE_APPLICATION_ERROR" => self.raise_application_error(lexemes),
            "COMMIT" => self.commit(lexemes),
            "EXECUTE" => self.execute(lexemes),
            "SELECT" | "WITH" | "INSERT" | "UPDATE" | "DELETE" | "MERGE" => {
                self.sql_statement(lexemes)
            }
            _ => match lexemes.iter().position(|one| one.is_symbol(":=")) {
                Some(at) if !lexemes[..at].iter().any(|one| one.is_symbol("(")) => {
                    Ok(Translated::of(format!(
                        "{} :={};",
                        plsql(&lexemes[..at])?,
                        plsql(&lexemes[at + 1..])?
                    )))
                }
                _ => self.call(lexemes),
            },
        }
    }

    fn leave_loop(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let verb = format!("{}{}", first.space, first.text().to_uppercase());
        let text = match lexemes.get(1) {
            None => format!("{verb};"),
            Some(when) if when.is("WHEN") => {
                format!("{verb} WHEN{};", self.condition_of(&lexemes[2..])?)
            }
            Some(label) => return Err(self.scope.refuse(label.line, "a label", "use a variable")),
        };
        Ok(Translated::of(text))
    }

    fn raise(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let text = if lexemes.len() == 1 {
            if !self.scope.in_handler {
                return Err(self.scope.refuse(
                    first.line,
                    "RAISE without a name outside a handler",
                    "",
                ));
            }
            format!("{}RAISE;", first.space)
        } else {
            let names: Vec<String> = lexemes[1..]
                .iter()
                .filter_map(|one| one.token.name())
                .collect();
            if let [one] = names.as_slice()
                && exception::predefined(one).is_some()
            {
                return Err(self.scope.refuse(
                    first.line,
                    &format!("RAISE {one}"),
                    "raise an exception of our own",
                ));
            }
            let code = self.code_of(&names, first.line)?;
            let state = exception::sqlstate(code);
            format!(
                "{}RAISE EXCEPTION USING ERRCODE = '{state}', MESSAGE = 'ORA-{:05}: ';",
                first.space, -code
            )
        };
        Ok(Translated {
            raises: true,
            ..Translated::of(text)
        })
    }

    fn raise_application_error(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let arguments = arguments(&lexemes[1..]);
        let (Some(code), Some(message)) = (arguments.first(), arguments.get(1)) else {
            return Err(self.scope.refuse(
                first.line,
                "RAISE_APPLICATION_ERROR without code and text",
                "",
            ));
        };
        let code = self.scope.text(code, Language::Plsql)?;
        let message = self.scope.text(message, Language::Plsql)?;
        let text = format!(
            "{}RAISE EXCEPTION USING ERRCODE = ora.state({code}), MESSAGE = ora.message({code},{message});",
            first.space
        );
        Ok(Translated {
            raises: true,
            ..Translated::of(text)
        })
    }

    fn commit(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        if self.scope.package != "API" {
            return Err(self.scope.refuse(
                first.line,
                "COMMIT",
                "only package API and job wrappers commit",
            ));
        }
        Ok(Translated::of(format!(
            "{}PERFORM pg_catalog.set_config('standin.commit', 'on', true);",
            first.space
        )))
    }

    fn execute(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        if !lexemes.get(1).is_some_and(|one| one.is("IMMEDIATE")) {
            return Err(self
                .scope
                .refuse(first.line, "EXECUTE without IMMEDIATE", ""));
        }
        let mut depth = 0;
        let mut marks = vec![1];
        for (at, one) in lexemes.iter().enumerate() {
            depth += i32::from(one.is_symbol("(")) - i32::from(one.is_symbol(")"));
            if depth == 0 && one.is_any(&["INTO", "USING", "RETURNING", "BULK"]) {
                marks.push(at);
            }
        }
        marks.push(lexemes.len());
        let mut text = String::new();
        for pair in marks.windows(2) {
            let (word, part) = (&lexemes[pair[0]], &lexemes[pair[0] + 1..pair[1]]);
            let part_text = |part: &[Lexeme]| self.scope.text(part, Language::Plsql);
            text += &match word.word().unwrap_or_default().as_str() {
                "IMMEDIATE" => format!("{}EXECUTE ora.sql({})", first.space, part_text(part)?),
                "INTO" => format!("{}INTO STRICT{}", word.space, part_text(part)?),
                "USING" => {
                    let ins: Vec<Lexeme> =
                        part.iter().filter(|one| !one.is("IN")).cloned().collect();
                    if ins.iter().any(|one| one.is("OUT")) {
                        return Err(self.scope.refuse(word.line, "an OUT bind", "use INTO"));
                    }
                    format!("{}USING{}", word.space, part_text(&ins)?)
                }
                other => {
                    let what = format!("EXECUTE IMMEDIATE ... {other}");
                    return Err(self.scope.refuse(word.line, &what, "use INTO and USING"));
                }
            };
        }
        Ok(Translated {
            changes: 1,
            ..Translated::of(self.counted(text))
        })
    }

    fn sql_statement(&self, lexemes: &[Lexeme]) -> Result<Translated> {
        let first = &lexemes[0];
        let is_query = first.is_any(&["SELECT", "WITH"]);
        let mut lexemes = lexemes.to_vec();
        if is_query {
            let into = top_level(&lexemes, "INTO")
                .ok_or_else(|| self.scope.refuse(first.line, "SELECT without INTO", ""))?;
            // Oracle raises when there is not exactly one row.
            lexemes[into].token = Token::Verbatim("INTO STRICT".to_owned());
        }
        let locks = lexemes
            .windows(2)
            .any(|pair| pair[0].is("FOR") && pair[1].is("UPDATE"));
        let text = self.sql(&lexemes)?;
        Ok(Translated {
            changes: usize::from(!is_query || locks),
            ..Translated::of(self.counted(text))
        })
    }

    /// The text of a query or DML statement.
    fn sql(&self, lexemes: &[Lexeme]) -> Result<String> {
        self.scope.text(lexemes, Language::Sql)
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
        let is_own = self.check_procedure(&names, first.line)?;
        let names = match names.as_slice() {
            [one] => vec![self.scope.package.to_owned(), one.clone()],
            _ => names,
        };
        let name: Vec<String> = names.iter().map(|one| quoted(one)).collect();
        let arguments = match &lexemes[open..] {
            [] => "()".to_owned(),
            arguments => self.scope.text(arguments, Language::Plsql)?,
        };
        // A procedure of Oracle's packages is a function of the stand-in.
        let verb = if is_own { "CALL" } else { "PERFORM" };
        let (name, arguments) = (name.join("."), arguments.trim_start());
        let text = format!("{}{verb} {name}{arguments};", first.space);
        Ok(Translated {
            own_calls: usize::from(is_own),
            changes: usize::from(!is_own),
            ..Translated::of(text)
        })
    }

    /// Whether the procedure is our own.
    fn check_procedure(&self, names: &[String], line: usize) -> Result<bool> {
        let (package, name) = match names {
            [one] => (self.scope.package, one),
            [package, one] => (package.as_str(), one),
            _ => return Err(self.unknown(names, line)),
        };
        if known::member(package, name) == Some(Member::Procedure) {
            return Ok(false);
        }
        let header = self
            .scope
            .catalog
            .packages
            .get(package)
            .and_then(|known| known.routines.get(name));
        match header {
            Some(header) if header.kind == RoutineKind::Procedure => {
                if !header.is_public && package != self.scope.package {
                    return Err(self.scope.refuse(
                        line,
                        &format!("{package}.{name} is private"),
                        "declare it in the specification",
                    ));
                }
                if !header.is_public && header.line > self.scope.line {
                    return Err(self.scope.refuse(
                        line,
                        &format!("{name} is used before it is declared (PLS-00313)"),
                        "move it up",
                    ));
                }
                Ok(true)
            }
            Some(_) => Err(self.scope.refuse(
                line,
                &format!("function {name} as a statement (PLS-00221)"),
                "assign its result",
            )),
            None => Err(self.unknown(names, line)),
        }
    }

    fn unknown(&self, names: &[String], line: usize) -> Refusal {
        self.scope.refuse(
            line,
            &format!("statement or procedure {} is not known", names.join(".")),
            "",
        )
    }

    pub fn catalog(&self) -> &Catalog {
        self.scope.catalog
    }
}

/// The first such word that is in no parentheses.
fn top_level(lexemes: &[Lexeme], word: &str) -> Option<usize> {
    let mut depth = 0;
    lexemes.iter().position(|one| {
        depth += i32::from(one.is_symbol("(")) - i32::from(one.is_symbol(")"));
        depth == 0 && one.is(word)
    })
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
