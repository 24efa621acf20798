//! The items of a package.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::Statement;
use crate::catalog::Catalog;
use crate::expression::Scope;
use crate::reader::Reader;
use crate::refusal::{Refusal, Result};
use crate::routine;
use crate::source::{Item, Package};
use crate::types;

/// Translated items of all packages.
#[derive(Default)]
pub struct Parts {
    pub constants: Vec<Statement>,
    pub routines: Vec<Statement>,
}

impl Parts {
    pub fn add(
        &mut self,
        package: &Package,
        catalog: &Catalog,
        file: &Rc<str>,
        refusals: &mut Vec<Refusal>,
    ) {
        let reader = Reader::of_lexemes(file, Vec::new());
        for item in &package.items {
            if let Err(refusal) = self.add_item(item, package, catalog, &reader) {
                refusals.push(refusal);
            }
        }
    }

    fn add_item(
        &mut self,
        item: &Item,
        package: &Package,
        catalog: &Catalog,
        reader: &Reader,
    ) -> Result<()> {
        let statement = |line, text, routine| Statement {
            file: reader.file().to_string(),
            line,
            text,
            routine,
        };
        match item {
            Item::Constant {
                name,
                line,
                data_type,
                value,
            } => {
                let scope = Scope {
                    catalog,
                    package: Some(&package.name),
                    line: *line,
                    locals: BTreeMap::new(),
                    records: BTreeSet::new(),
                    in_handler: false,
                    reader,
                };
                let data_type = types::of_variable(data_type, reader, &catalog.site)?;
                let value = scope.plsql(value)?;
                let text = format!(
                    "CREATE OR REPLACE FUNCTION {}() RETURNS {data_type} LANGUAGE sql IMMUTABLE \
                     SET search_path = {} AS $$ SELECT CAST({value} AS {data_type}) $$",
                    catalog.site.full_name(&package.name, name),
                    catalog.site.search_path()
                );
                self.constants.push(statement(*line, text, None));
            }
            Item::Routine(one) => {
                if let Some(text) = routine::create(one, catalog, &package.name, reader)? {
                    let name = (catalog.site.schema(&package.name), one.name.clone());
                    self.routines
                        .push(statement(one.body_line(), text, Some(name)));
                }
            }
            Item::Exception { .. } | Item::ExceptionInit { .. } => {}
        }
        Ok(())
    }
}
