//! A function or procedure: header, declarations, block.

use std::collections::{BTreeMap, BTreeSet};

use dialect::quoted;

use crate::block::Block;
use crate::catalog::Catalog;
use crate::expression::Scope;
use crate::job;
use crate::reader::{Lexeme, Reader};
use crate::refusal::Result;
use crate::source::{Mode, OWNER, Parameter, Routine, RoutineKind, exception_init};
use crate::types;

/// Exceptions that are declared in the routine, with their codes.
pub type Exceptions = BTreeMap<String, Option<i32>>;

/// `CREATE FUNCTION ...` for a routine of a package; None when it is only declared.
pub fn create(
    routine: &Routine,
    catalog: &Catalog,
    package: &str,
    file: &Reader,
) -> Result<Option<String>> {
    let Some(body) = &routine.body else {
        return Ok(None);
    };
    let mut scope = Scope {
        catalog,
        package: Some(package),
        line: routine.line,
        locals: BTreeMap::new(),
        records: BTreeSet::new(),
        in_handler: false,
        reader: file,
    };
    let header = header(routine, &mut scope)?;
    let mut reader = Reader::of_lexemes(file.file(), body.clone());
    let mut block = Block {
        scope,
        exceptions: Exceptions::new(),
        counts_rows: body
            .windows(2)
            .any(|pair| pair[0].is("SQL") && pair[1].is_symbol("%")),
        job: (package == OWNER).then(|| job::State::of(body)),
    };
    let declarations = declarations(&mut reader, &mut block)?;
    let text = if block.job.is_some() {
        block.job_block(&mut reader)?.text
    } else {
        block.block(&mut reader)?.text
    };
    let mut implied: Vec<String> = block
        .scope
        .records
        .iter()
        .map(|name| format!(" {} record;", quoted(name)))
        .collect();
    if block.counts_rows {
        implied.push(" sql_rowcount bigint;".to_owned());
    }
    let rights = match &block.job {
        Some(job) => {
            implied.push(job.variables().to_owned());
            String::new()
        }
        None => format!(
            " SECURITY DEFINER SET search_path = {}",
            catalog.site.search_path()
        ),
    };
    let volatility = if routine.is_deterministic {
        " IMMUTABLE"
    } else {
        ""
    };
    // A column is preferred to a variable of the same name, as Oracle does.
    Ok(Some(format!(
        "{header} LANGUAGE plpgsql{volatility}{rights} AS $body$\
         #variable_conflict use_column DECLARE{}{declarations}{text};\n$body$",
        implied.concat()
    )))
}

fn header(routine: &Routine, scope: &mut Scope) -> Result<String> {
    let package = scope.package.unwrap_or(OWNER);
    let name = scope.catalog.site.full_name(package, &routine.name);
    let mut parameters = Vec::new();
    for one in &routine.parameters {
        if one.mode != Mode::In && routine.kind == RoutineKind::Function {
            let what = format!("function {} with an OUT parameter", routine.name);
            return Err(scope.refuse(routine.line, &what, "make it a procedure"));
        }
        parameters.push(parameter(one, routine.line, scope)?);
    }
    let parameters = parameters.join(", ");
    Ok(match routine.kind {
        RoutineKind::Procedure => format!("CREATE OR REPLACE PROCEDURE {name}({parameters})"),
        RoutineKind::Function => {
            let returns = types::of_parameter(&routine.returns, scope.reader, &scope.catalog.site)?;
            format!("CREATE OR REPLACE FUNCTION {name}({parameters}) RETURNS {returns}")
        }
    })
}

fn parameter(parameter: &Parameter, line: usize, scope: &mut Scope) -> Result<String> {
    check_prefix(&parameter.name, &["P_"], line, scope)?;
    let mode = match parameter.mode {
        Mode::In => "",
        Mode::Out => "OUT ",
        Mode::InOut => "INOUT ",
    };
    let data_type = types::of_parameter(&parameter.data_type, scope.reader, &scope.catalog.site)?;
    let mut text = format!("{mode}{} {data_type}", quoted(&parameter.name));
    if let Some(default) = &parameter.default {
        text += &format!(" DEFAULT {}", scope.plsql(default)?.trim());
    }
    scope
        .locals
        .insert(parameter.name.clone(), data_type == "boolean");
    Ok(text)
}

/// A column of the same name would win in SQL.
fn check_prefix(name: &str, prefixes: &[&str], line: usize, scope: &Scope) -> Result<()> {
    if name == "R" || prefixes.iter().any(|prefix| name.starts_with(prefix)) {
        return Ok(());
    }
    let advice = format!("begin it with {}", prefixes.join(" or ").to_lowercase());
    Err(scope.refuse(line, &format!("name {name}"), &advice))
}

fn declarations(reader: &mut Reader, block: &mut Block) -> Result<String> {
    let mut text = String::new();
    while !reader.sees(&["BEGIN"]) {
        text += &declaration(reader, block)?;
    }
    Ok(text)
}

/// A variable or constant; exceptions are remembered and have no text.
fn declaration(reader: &mut Reader, block: &mut Block) -> Result<String> {
    let line = reader.peek(0).map_or(1, |next| next.line);
    if reader.skip(&["PRAGMA", "EXCEPTION_INIT", "("]) {
        let (name, code) = exception_init(reader)?;
        block.exceptions.insert(name, Some(code));
        return Ok(String::new());
    }
    if reader.sees_any(&["TYPE", "SUBTYPE", "CURSOR", "PRAGMA"]) {
        let word = reader.next()?.text().to_uppercase();
        let advice = "use scalars, %ROWTYPE and FOR r IN (SELECT ...)";
        return Err(reader.refuse_at(line, format!("{word} in a declaration"), advice));
    }
    let space = reader
        .peek(0)
        .map_or(String::new(), |next| next.space.clone());
    let name = reader.name()?;
    if reader.skip(&["EXCEPTION", ";"]) {
        block.exceptions.insert(name, None);
        return Ok(String::new());
    }
    check_prefix(&name, &["L_", "C_", "R_"], line, &block.scope)?;
    let constant = if reader.skip(&["CONSTANT"]) {
        " CONSTANT"
    } else {
        ""
    };
    let data_type: Vec<Lexeme> = reader.until(&[":=", "DEFAULT", "NOT", ";"])?;
    let data_type = types::of_variable(&data_type, reader, &block.scope.catalog.site)?;
    let not_null = if reader.skip(&["NOT", "NULL"]) {
        " NOT NULL"
    } else {
        ""
    };
    let mut value = String::new();
    if reader.skip(&[":="]) || reader.skip(&["DEFAULT"]) {
        value = format!(" :={}", block.scope.plsql(&reader.until(&[";"])?)?);
    }
    reader.expect(";")?;
    block
        .scope
        .locals
        .insert(name.clone(), data_type == "boolean");
    Ok(format!(
        "{space}{}{constant} {data_type}{not_null}{value};",
        quoted(&name)
    ))
}
