//! What the files declare: packages with their items, and statements of DDL.

use std::rc::Rc;

use crate::reader::{Lexeme, Reader};
use crate::refusal::Result;

/// Stands for the package of what is in none. A procedure of it is a job: it ends transactions.
pub const OWNER: &str = "ORAPULL";

/// A file, cut into what it declares.
pub struct Source {
    pub file: Rc<str>,
    pub units: Vec<Unit>,
}

pub enum Unit {
    Package(Package),
    Ddl(Ddl),
}

/// CREATE or COMMENT, without its semicolon.
pub struct Ddl {
    pub lexemes: Vec<Lexeme>,
}

pub struct Package {
    pub name: String,
    pub is_body: bool,
    pub items: Vec<Item>,
}

pub enum Item {
    Constant {
        name: String,
        line: usize,
        data_type: Vec<Lexeme>,
        value: Vec<Lexeme>,
    },
    Exception {
        name: String,
    },
    ExceptionInit {
        name: String,
        line: usize,
        code: i32,
    },
    Routine(Routine),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutineKind {
    Function,
    Procedure,
}

pub struct Routine {
    pub kind: RoutineKind,
    pub name: String,
    pub line: usize,
    pub parameters: Vec<Parameter>,
    pub returns: Vec<Lexeme>,
    pub is_deterministic: bool,
    /// The declarations and the block, from after IS to before the last semicolon.
    pub body: Option<Vec<Lexeme>>,
}

impl Routine {
    /// The line of IS.
    pub fn body_line(&self) -> usize {
        let first = self.body.as_ref().and_then(|body| body.first());
        first.map_or(self.line, |first| {
            first.line - first.space.matches('\n').count()
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    In,
    Out,
    InOut,
}

pub struct Parameter {
    pub name: String,
    pub mode: Mode,
    pub data_type: Vec<Lexeme>,
    pub default: Option<Vec<Lexeme>>,
}

pub fn read(file: &str, text: &str) -> Result<Source> {
    let mut reader = Reader::of_text(file, text)?;
    let mut units = Vec::new();
    while !reader.is_at_end() {
        let is_package = reader.sees(&["CREATE", "OR", "REPLACE", "PACKAGE"])
            || reader.sees(&["CREATE", "PACKAGE"]);
        if is_package {
            units.push(Unit::Package(package(&mut reader)?));
            // The terminator of SQL*Plus.
            reader.expect("/")?;
        } else if reader.sees(&["CREATE", "OR", "REPLACE", "PROCEDURE"]) {
            units.push(Unit::Package(job(&mut reader)?));
            reader.expect("/")?;
        } else if reader.sees_any(&["CREATE", "COMMENT"]) {
            let lexemes = reader.until(&[";"])?;
            reader.expect(";")?;
            units.push(Unit::Ddl(Ddl { lexemes }));
        } else {
            return Err(reader.refuse(
                "a statement that is neither CREATE nor COMMENT",
                "files of objects hold nothing else",
            ));
        }
    }
    Ok(Source {
        file: reader.file().clone(),
        units,
    })
}

fn package(reader: &mut Reader) -> Result<Package> {
    reader.until(&["PACKAGE"])?;
    reader.expect("PACKAGE")?;
    let is_body = reader.skip(&["BODY"]);
    let name = reader.name()?;
    if reader.skip(&["AUTHID", "DEFINER"]) == is_body {
        return Err(reader.refuse(
            format!("AUTHID of package {name}"),
            "write AUTHID DEFINER in the specification, and only there",
        ));
    }
    if !reader.skip(&["AS"]) {
        reader.expect("IS")?;
    }
    let mut items = Vec::new();
    while !reader.sees(&["END"]) {
        items.push(item(reader)?);
    }
    reader.expect("END")?;
    let line = reader.peek(0).map_or(0, |next| next.line);
    let end = reader.name()?;
    if end != name {
        return Err(reader.refuse_at(line, format!("END {end} does not match {name}"), ""));
    }
    reader.expect(";")?;
    Ok(Package {
        name,
        is_body,
        items,
    })
}

/// A procedure by itself, as the only item of the owner's part.
fn job(reader: &mut Reader) -> Result<Package> {
    reader.until(&["PROCEDURE"])?;
    let routine = routine(reader, true)?;
    Ok(Package {
        name: OWNER.to_owned(),
        is_body: false,
        items: vec![Item::Routine(routine)],
    })
}

fn item(reader: &mut Reader) -> Result<Item> {
    if reader.sees_any(&["FUNCTION", "PROCEDURE"]) {
        return routine(reader, false).map(Item::Routine);
    }
    let line = reader.peek(0).map_or(0, |next| next.line);
    if reader.skip(&["PRAGMA", "EXCEPTION_INIT", "("]) {
        let (name, code) = exception_init(reader)?;
        return Ok(Item::ExceptionInit { name, line, code });
    }
    if reader.sees_any(&["TYPE", "SUBTYPE", "CURSOR", "PRAGMA", "BEGIN"]) {
        let word = reader.next()?.text().to_uppercase();
        return Err(reader.refuse_at(
            line,
            format!("{word} in a package"),
            "a package has constants, exceptions, functions and procedures",
        ));
    }
    let name = reader.name()?;
    if reader.skip(&["EXCEPTION", ";"]) {
        return Ok(Item::Exception { name });
    }
    if !reader.skip(&["CONSTANT"]) {
        return Err(reader.refuse_at(
            line,
            format!("package variable {name}"),
            "keep state in a table",
        ));
    }
    let data_type = reader.until(&[":=", "DEFAULT", ";"])?;
    reader.expect(":=")?;
    let value = reader.until(&[";"])?;
    reader.expect(";")?;
    Ok(Item::Constant {
        name,
        line,
        data_type,
        value,
    })
}

/// `name, -code);` after the opening parenthesis.
pub fn exception_init(reader: &mut Reader) -> Result<(String, i32)> {
    let name = reader.name()?;
    reader.expect(",")?;
    reader.expect("-")?;
    let number = reader.next()?;
    let code = number.text().parse::<i32>().map_err(|_| {
        reader.refuse_at(
            number.line,
            "EXCEPTION_INIT without a number",
            "write -20nnn",
        )
    })?;
    reader.expect(")")?;
    reader.expect(";")?;
    Ok((name, -code))
}

fn routine(reader: &mut Reader, is_alone: bool) -> Result<Routine> {
    let first = reader.next()?;
    let kind = if first.is("FUNCTION") {
        RoutineKind::Function
    } else {
        RoutineKind::Procedure
    };
    let name = reader.name()?;
    let mut parameters = Vec::new();
    if reader.skip(&["("]) {
        loop {
            parameters.push(parameter(reader)?);
            if !reader.skip(&[","]) {
                break;
            }
        }
        reader.expect(")")?;
    }
    let mut returns = Vec::new();
    if kind == RoutineKind::Function {
        reader.expect("RETURN")?;
        returns = reader.until(&[";", "IS", "AS", "DETERMINISTIC", "RESULT_CACHE"])?;
    }
    let is_deterministic = reader.skip(&["DETERMINISTIC"]);
    if is_alone && !reader.skip(&["AUTHID", "DEFINER"]) {
        return Err(reader.refuse(
            format!("AUTHID of procedure {name}"),
            "write AUTHID DEFINER",
        ));
    }
    let mut body = None;
    if !reader.skip(&[";"]) {
        if !reader.skip(&["IS"]) {
            reader.expect("AS")?;
        }
        body = Some(block(reader, &name)?);
    }
    Ok(Routine {
        kind,
        name,
        line: first.line,
        parameters,
        returns,
        is_deterministic,
        body,
    })
}

fn parameter(reader: &mut Reader) -> Result<Parameter> {
    let name = reader.name()?;
    let is_in = reader.skip(&["IN"]);
    let is_out = reader.skip(&["OUT"]);
    reader.skip(&["NOCOPY"]);
    let mode = match (is_in, is_out) {
        (_, false) => Mode::In,
        (true, true) => Mode::InOut,
        (false, true) => Mode::Out,
    };
    let data_type = reader.until(&[",", ")", "DEFAULT", ":="])?;
    let mut default = None;
    if reader.skip(&["DEFAULT"]) || reader.skip(&[":="]) {
        default = Some(reader.until(&[",", ")"])?);
    }
    Ok(Parameter {
        name,
        mode,
        data_type,
        default,
    })
}

/// Declarations and block of a routine, up to and with its last END and name.
fn block(reader: &mut Reader, routine: &str) -> Result<Vec<Lexeme>> {
    let mut lexemes = Vec::new();
    let mut depth = 0;
    loop {
        let next = reader.next()?;
        if next.is_any(&["FUNCTION", "PROCEDURE"]) {
            return Err(reader.refuse_at(
                next.line,
                format!("a subprogram inside {routine}"),
                "move it to the package",
            ));
        }
        if next.is_any(&["BEGIN", "IF", "CASE", "LOOP"]) {
            depth += 1;
        }
        let ends = next.is("END");
        lexemes.push(next);
        if !ends {
            continue;
        }
        depth -= 1;
        if reader.sees_any(&["IF", "LOOP", "CASE"]) {
            lexemes.push(reader.next()?);
        } else if depth == 0 {
            break;
        }
    }
    if !reader.sees(&[";"]) {
        let line = reader.peek(0).map_or(0, |next| next.line);
        let name = reader.name()?;
        if name != routine {
            return Err(reader.refuse_at(line, format!("END {name} does not match {routine}"), ""));
        }
    }
    reader.expect(";")?;
    Ok(lexemes)
}
