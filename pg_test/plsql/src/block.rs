//! Blocks, handlers, branches and loops.

use dialect::quoted;

use crate::effect::Translated;
use crate::exception;
use crate::expression::Scope;
use crate::job;
use crate::reader::{Lexeme, Reader};
use crate::refusal::Result;
use crate::routine::Exceptions;

/// The block of one routine.
pub struct Block<'a> {
    pub scope: Scope<'a>,
    pub exceptions: Exceptions,
    /// Whether the routine asks for SQL%ROWCOUNT.
    pub counts_rows: bool,
    /// Of a procedure that ends transactions.
    pub job: Option<job::State>,
}

impl Block<'_> {
    /// `BEGIN ... [EXCEPTION ...] END`, without a semicolon.
    pub fn block(&mut self, reader: &mut Reader) -> Result<Translated> {
        let begin = reader.expect("BEGIN")?;
        let mut block = Translated::harmless(format!("{}BEGIN", begin.space));
        let body = self.statements(reader, &["EXCEPTION", "END"])?;
        let may_be_swallowed = body.may_be_swallowed();
        block.add(body);
        if reader.sees(&["EXCEPTION"]) {
            let word = reader.next()?;
            block.text += &format!("{}EXCEPTION", word.space);
            while reader.sees(&["WHEN"]) {
                let handler = self.handler(reader, may_be_swallowed)?;
                block.add_branch(handler);
            }
        }
        let end = reader.expect("END")?;
        block.text += &format!("{}END", end.space);
        block.raises = false;
        Ok(block)
    }

    fn handler(&mut self, reader: &mut Reader, may_swallow: bool) -> Result<Translated> {
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
        if !body.raises && !may_swallow {
            return Err(self.scope.refuse(
                when.line,
                "a handler that goes on after an error of several changes, or of a routine of ours that changes rows",
                "put BEGIN ... END around one SQL statement: Oracle keeps what was done before, PostgreSQL does not",
            ));
        }
        let mut handler = Translated::harmless(format!(
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
            return Ok(condition);
        }
        self.code_of(&names, line).map(exception::condition)
    }

    /// The ORA code of one of our exceptions.
    pub fn code_of(&self, names: &[String], line: usize) -> Result<i32> {
        let of_package = |package: &str, name: &str| {
            self.scope
                .catalog
                .packages
                .get(package)?
                .exceptions
                .get(name)
        };
        let found = match names {
            [one] => self
                .exceptions
                .get(one)
                .or_else(|| of_package(self.scope.package?, one)),
            [package, one] => of_package(package, one),
            _ => None,
        };
        let name = names.join(".");
        match found {
            Some(Some(code)) => Ok(*code),
            Some(None) => {
                let what = format!("exception {name} has no PRAGMA EXCEPTION_INIT");
                Err(self.scope.refuse(line, &what, "give it a number"))
            }
            None => Err(self
                .scope
                .refuse(line, &format!("exception {name} is not known"), "")),
        }
    }

    pub fn statements(&mut self, reader: &mut Reader, stops: &[&str]) -> Result<Translated> {
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
        let first = reader.peek(0).and_then(Lexeme::word).unwrap_or_default();
        match first.as_str() {
            "BEGIN" if self.job.is_some() => {
                Err(reader.refuse("a block in a job", "a job has one handler, at its end"))
            }
            "BEGIN" => {
                let mut block = self.block(reader)?;
                reader.expect(";")?;
                block.text += ";";
                Ok(block)
            }
            "IF" => self.branches(reader),
            "WHILE" => self.while_loop(reader),
            "FOR" => self.for_loop(reader),
            "LOOP" => {
                let space = reader
                    .peek(0)
                    .map_or(String::new(), |word| word.space.clone());
                self.loop_body(reader, space)
            }
            "DECLARE" => Err(reader.refuse("a nested DECLARE", "declare in the routine")),
            "CASE" => Err(reader.refuse("a CASE statement", "write IF ... ELSIF")),
            _ => {
                let lexemes = reader.until(&[";"])?;
                reader.expect(";")?;
                self.simple(&lexemes).map(|simple| self.guarded(simple))
            }
        }
    }

    fn branches(&mut self, reader: &mut Reader) -> Result<Translated> {
        let mut all = Translated::of(String::new());
        let mut all_raise = true;
        let mut has_else;
        loop {
            let word = reader.next()?;
            has_else = word.is("ELSE");
            let mut branch =
                Translated::harmless(format!("{}{}", word.space, word.text().to_uppercase()));
            if !has_else {
                branch.text += &self.condition_text(&reader.until(&["THEN"])?)?;
                reader.expect("THEN")?;
                branch.text += " THEN";
            }
            branch.add(self.statements(reader, &["ELSIF", "ELSE", "END"])?);
            all_raise &= branch.raises;
            all.add_branch(branch);
            if reader.sees(&["END"]) {
                break;
            }
        }
        let end = reader.expect("END")?;
        reader.expect("IF")?;
        reader.expect(";")?;
        all.text += &format!("{}END IF;", end.space);
        all.raises = all_raise && has_else;
        Ok(all)
    }

    /// In parentheses: PL/pgSQL would end it at the THEN of a CASE expression.
    pub fn condition_text(&self, lexemes: &[Lexeme]) -> Result<String> {
        Ok(format!(" ({})", self.scope.plsql(lexemes)?))
    }

    fn while_loop(&mut self, reader: &mut Reader) -> Result<Translated> {
        let word = reader.expect("WHILE")?;
        let condition = self.condition_text(&reader.until(&["LOOP"])?)?;
        self.loop_body(reader, format!("{}WHILE{condition} ", word.space))
    }

    fn for_loop(&mut self, reader: &mut Reader) -> Result<Translated> {
        let word = reader.expect("FOR")?;
        let name = reader.name()?;
        reader.expect("IN")?;
        if reader.sees(&["REVERSE"]) {
            return Err(reader.refuse("REVERSE", "write WHILE: PL/pgSQL wants the bounds swapped"));
        }
        let range = reader.until(&["LOOP"])?;
        let is_query = matches!(&range[..], [open, first, ..] if open.is_symbol("(") && first.is_any(&["SELECT", "WITH"]));
        let text = if is_query {
            self.scope.sql(&range[1..range.len() - 1])?
        } else if range.iter().any(|one| one.is_symbol("..")) {
            self.scope.plsql(&range)?
        } else {
            return Err(self.scope.refuse(
                word.line,
                "FOR over a named cursor",
                "write the SELECT in the loop",
            ));
        };
        if self.scope.locals.insert(name.clone(), false).is_some() {
            let what = format!("loop variable {name} hides another variable");
            return Err(self.scope.refuse(word.line, &what, "rename it"));
        }
        if is_query {
            self.scope.records.insert(name.clone());
        }
        let translated = self.loop_body(
            reader,
            format!("{}FOR {} IN {text} ", word.space, quoted(&name)),
        );
        self.scope.locals.remove(&name);
        translated
    }

    fn loop_body(&mut self, reader: &mut Reader, head: String) -> Result<Translated> {
        reader.expect("LOOP")?;
        let mut all = Translated::of(format!("{head}LOOP"));
        let body = self.statements(reader, &["END"])?;
        all.add(body);
        let end = reader.expect("END")?;
        reader.expect("LOOP")?;
        if !reader.skip(&[";"]) {
            return Err(reader.refuse("a label", "use a variable"));
        }
        all.text += &format!("{}END LOOP;", end.space);
        all.raises = false;
        Ok(all.repeated())
    }
}
