//! Translates the Oracle side to PostgreSQL, for tests.
//!
//! A strict subset is translated, everything else is refused with its place and what to write instead; so is what
//! Oracle would not compile. A package becomes a schema, its constants are functions, names are quoted upper case.
//! Lines of a routine's body are those of its file, counted from its IS.

mod block;
mod catalog;
mod ddl;
mod dml;
mod effect;
mod exception;
mod expression;
mod job;
mod known;
mod lint;
mod name;
mod package;
mod reader;
mod refusal;
mod routine;
mod simple;
mod site;
mod source;
mod types;
mod words;

pub use refusal::Refusal;
pub use site::Site;

use catalog::Catalog;
use source::Unit;

/// A statement for PostgreSQL, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub file: String,
    /// The first line; of a routine that of its IS, which is line 1 for PL/pgSQL.
    pub line: usize,
    pub text: String,
    /// Package and name of a routine.
    pub routine: Option<(String, String)>,
}

/// Translates files, given as name and text, all together: names of one are needed by the others.
pub fn translate(files: &[(String, String)], site: &Site) -> Result<Vec<Statement>, Vec<Refusal>> {
    let mut refusals = Vec::new();
    let mut sources = Vec::new();
    for (file, text) in files {
        match source::read(file, text) {
            Ok(source) => sources.push(source),
            Err(refusal) => refusals.push(refusal),
        }
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let catalog = Catalog::of(&sources, site).map_err(|refusal| vec![refusal])?;
    let mut parts = package::Parts::default();
    for source in &sources {
        for unit in &source.units {
            if let Unit::Package(one) = unit {
                parts.add(one, &catalog, &source.file, &mut refusals);
            }
        }
    }
    let objects = ddl::objects(&sources, &catalog, &mut refusals);
    if !refusals.is_empty() {
        return Err(refusals);
    }
    Ok(assemble(objects, &catalog, parts))
}

/// In the order in which PostgreSQL needs them: views call functions of packages, packages name tables in their headers.
fn assemble(objects: Vec<ddl::Object>, catalog: &Catalog, parts: package::Parts) -> Vec<Statement> {
    let preamble = [
        format!(
            "CREATE SCHEMA IF NOT EXISTS {}",
            dialect::quoted(&catalog.site.schema(source::OWNER))
        ),
        format!("SET search_path = {}", catalog.site.search_path()),
        // A routine may name what is created after it.
        "SET check_function_bodies = off".to_owned(),
    ];
    let schemas = catalog.packages.keys().map(|package| {
        let name = dialect::quoted(&catalog.site.schema(package));
        format!("CREATE SCHEMA IF NOT EXISTS {name}")
    });
    let (views, tables): (Vec<_>, Vec<_>) = objects
        .into_iter()
        .partition(ddl::Object::is_after_packages);
    let mut statements: Vec<Statement> = preamble.into_iter().map(made_up).collect();
    statements.extend(tables.into_iter().map(|object| object.statement));
    statements.extend(schemas.map(made_up));
    statements.extend(parts.constants);
    statements.extend(parts.routines);
    statements.extend(views.into_iter().map(|object| object.statement));
    statements
}

fn made_up(text: String) -> Statement {
    Statement {
        file: String::new(),
        line: 0,
        text,
        routine: None,
    }
}
