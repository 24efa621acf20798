//! A function or procedure: header, declarations, block.

use std::collections::{BTreeMap, BTreeSet};

use dialect::quoted;

use crate::catalog::Catalog;
use crate::expression::{Language, Scope};
use crate::reader::{Lexeme, Reader};
use crate::refusal::Result;
use crate::source::{Mode, Routine, RoutineKind, exception_init};
use crate::statement::Block;
use crate::types;

/// What every translated routine runs with.
pub const SEARCH_PATH: &str = "\"ORAPULL\", \"SYS\", ora, pg_catalog";

/// Exceptions that are declared in the routine, with their codes.
pub type Exceptions = BTreeMap<String, Option<i32>>;

/// `CREATE FUNCTION ...` for a routine of a package.
pub fn create(
    routine: &Routine,
    catalog: &Catalog,
    package: &str,
    file: &Reader,
) -> Result<Option<String>> {
    let Some(body) = &routine.body else {
        return Ok(None);
    };
    let scope = Scope {
        catalog,
        package,
        line: routine.line,
        locals: routine
            .parameters
            .iter()
            .map(|one| one.name.clone())
            .collect(),
        in_handler: false,
        reader: file,
    };
    let header = header(routine, &scope)?;
    let mut reader = Reader::of_lexemes(file.file(), body.clone());
    let mut block = Block::new(scope, routine, uses_row_count(body));
    let declarations = declarations(&mut reader, &mut block)?;
    let text = block.block(&mut reader, true)?;
    let mut implied: Vec<String> = block
        .records
        .iter()
        .map(|name| format!(" {} record;", quoted(name)))
        .collect();
    if block.counts_rows {
        implied.push(" sql_rowcount bigint;".to_owned());
    }
    let volatility = if routine.is_deterministic {
        " IMMUTABLE"
    } else {
        ""
    };
    Ok(Some(format!(
        "{header} LANGUAGE plpgsql{volatility} SECURITY DEFINER SET search_path = {SEARCH_PATH} AS $body$ \
         #variable_conflict use_column\nDECLARE{}{declarations}{text};\n$body$",
        implied.concat()
    )))
}

fn header(routine: &Routine, scope: &Scope) -> Result<String> {
    let name = format!("{}.{}", quoted(scope.package), quoted(&routine.name));
    let mut parameters = Vec::new();
    for parameter in &routine.parameters {
        let mode = match parameter.mode {
            Mode::In => "",
            Mode::Out => "OUT ",
            Mode::InOut => "INOUT ",
        };
        if parameter.mode != Mode::In && routine.kind == RoutineKind::Function {
            return Err(scope.refuse(
                routine.line,
                &format!("function {} with an OUT parameter", routine.name),
                "make it a procedure",
            ));
        }
        let data_type = types::of_parameter(&parameter.data_type, scope.reader)?;
        let mut text = format!("{mode}{} {data_type}", quoted(&parameter.name));
        if let Some(default) = &parameter.default {
            text += &format!(" DEFAULT {}", scope.text(default, Language::Plsql)?.trim());
        }
        parameters.push(text);
    }
    let parameters = parameters.join(", ");
    Ok(match routine.kind {
        RoutineKind::Procedure => format!("CREATE OR REPLACE PROCEDURE {name}({parameters})"),
        RoutineKind::Function => {
            let returns = types::of_parameter(&routine.returns, scope.reader)?;
            format!("CREATE OR REPLACE FUNCTION {name}({parameters}) RETURNS {returns}")
        }
    })
}

fn uses_row_count(body: &[Lexeme]) -> bool {
    body.windows(2)
        .any(|pair| pair[0].is("SQL") && pair[1].is_symbol("%"))
}

fn declarations(reader: &mut Reader, block: &mut Block) -> Result<String> {
    let mut text = String::new();
    while !reader.sees(&["BEGIN"]) {
        text += &declaration(reader, block)?;
    }
    Ok(text)
}

fn declaration(reader: &mut Reader, block: &mut Block) -> Result<String> {
    if reader.skip(&["PRAGMA", "EXCEPTION_INIT", "("]) {
        let (name, code) = exception_init(reader)?;
        block.exceptions.insert(name, Some(code));
        return Ok(String::new());
    }
    if reader.sees_any(&["TYPE", "SUBTYPE", "CURSOR", "PRAGMA"]) {
        let word = reader.next()?.text().to_uppercase();
        return Err(reader.refuse(
            format!("{word} in a declaration"),
            "use scalars and %ROWTYPE, FOR r IN (SELECT ...)",
        ));
    }
    let space = reader
        .peek(0)
        .map_or(String::new(), |next| next.space.clone());
    let name = reader.name()?;
    if reader.skip(&["EXCEPTION", ";"]) {
        block.exceptions.insert(name, None);
        return Ok(String::new());
    }
    let constant = if reader.skip(&["CONSTANT"]) {
        " CONSTANT"
    } else {
        ""
    };
    let data_type = reader.until(&[":=", "DEFAULT", "NOT", ";"])?;
    let data_type = types::of_variable(&data_type, reader)?;
    let not_null = if reader.skip(&["NOT", "NULL"]) {
        " NOT NULL"
    } else {
        ""
    };
    let mut value = String::new();
    if reader.skip(&[":="]) || reader.skip(&["DEFAULT"]) {
        value = format!(
            " :={}",
            block.scope.text(&reader.until(&[";"])?, Language::Plsql)?
        );
    }
    reader.expect(";")?;
    block.scope.locals.insert(name.clone());
    Ok(format!(
        "{space}{}{constant} {data_type}{not_null}{value};",
        quoted(&name)
    ))
}

/// Names that a block makes known by itself.
pub type Records = BTreeSet<String>;
