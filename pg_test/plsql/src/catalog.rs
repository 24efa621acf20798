//! The names that all files together declare.

use std::collections::{BTreeMap, BTreeSet};

use crate::reader::{Lexeme, Reader};
use crate::refusal::Result;
use crate::source::{Item, Mode, Routine, RoutineKind, Source, Unit};

#[derive(Default)]
pub struct Catalog {
    pub packages: BTreeMap<String, Package>,
    pub views: BTreeSet<String>,
}

#[derive(Default)]
pub struct Package {
    pub constants: BTreeSet<String>,
    /// Code of each exception; None until its EXCEPTION_INIT is read.
    pub exceptions: BTreeMap<String, Option<i32>>,
    pub routines: BTreeMap<String, Header>,
}

/// What a call of a routine has to know.
pub struct Header {
    pub kind: RoutineKind,
    /// Whether it is in the specification.
    pub is_public: bool,
    /// Line of the body's declaration, by which a private routine is seen only further down.
    pub line: usize,
    pub modes: Vec<Mode>,
    /// Its text, to compare specification and body.
    text: String,
}

impl Catalog {
    pub fn of(sources: &[Source]) -> Result<Self> {
        let mut catalog = Self::default();
        // Specifications first: a body may stand before them in the list.
        for bodies in [false, true] {
            for source in sources {
                catalog.add(source, bodies)?;
            }
        }
        Ok(catalog)
    }

    fn add(&mut self, source: &Source, bodies: bool) -> Result<()> {
        let reader = Reader::of_lexemes(&source.file, Vec::new());
        for unit in &source.units {
            match unit {
                Unit::Package(package) if package.is_body == bodies => {
                    let known = self.packages.entry(package.name.clone()).or_default();
                    for item in &package.items {
                        known.add(item, bodies, &reader)?;
                    }
                }
                Unit::Ddl(ddl) => {
                    if let Some((kind, name)) = crate::ddl::created(&ddl.lexemes)
                        && kind == crate::ddl::Kind::View
                    {
                        self.views.insert(name);
                    }
                }
                Unit::Package(_) => {}
            }
        }
        Ok(())
    }
}

impl Package {
    fn add(&mut self, item: &Item, in_body: bool, reader: &Reader) -> Result<()> {
        match item {
            Item::Constant { name, line, .. } => {
                if !self.constants.insert(name.clone()) {
                    return Err(reader.refuse_at(*line, format!("{name} is declared twice"), ""));
                }
            }
            Item::Exception { name, .. } => {
                self.exceptions.insert(name.clone(), None);
            }
            Item::ExceptionInit { name, line, code } => {
                match self.exceptions.get_mut(name) {
                    Some(known) => *known = Some(*code),
                    None => {
                        let what = format!("EXCEPTION_INIT of {name}, which is no exception");
                        return Err(reader.refuse_at(*line, what, "declare it before"));
                    }
                };
            }
            Item::Routine(routine) => self.add_routine(routine, in_body, reader)?,
        }
        Ok(())
    }

    fn add_routine(&mut self, routine: &Routine, in_body: bool, reader: &Reader) -> Result<()> {
        let text = header_text(routine);
        match self.routines.get_mut(&routine.name) {
            None => {
                let header = Header {
                    kind: routine.kind,
                    is_public: !in_body,
                    line: routine.line,
                    modes: routine.parameters.iter().map(|one| one.mode).collect(),
                    text,
                };
                self.routines.insert(routine.name.clone(), header);
                Ok(())
            }
            Some(_) if !in_body => Err(reader.refuse_at(
                routine.line,
                format!("a second {}", routine.name),
                "give each routine its own name",
            )),
            Some(header) if header.text != text => Err(reader.refuse_at(
                routine.line,
                format!("header of {} differs from its declaration", routine.name),
                "repeat it word by word",
            )),
            Some(_) => Ok(()),
        }
    }
}

fn header_text(routine: &Routine) -> String {
    let join = |lexemes: &[Lexeme]| {
        let texts: Vec<_> = lexemes.iter().map(Lexeme::text).collect();
        texts.join(" ").to_uppercase()
    };
    let mut text = format!("{:?} RETURN {}", routine.kind, join(&routine.returns));
    for parameter in &routine.parameters {
        let default = parameter.default.as_deref().map(join);
        let (name, mode) = (&parameter.name, parameter.mode);
        text += &format!(
            ", {name} {mode:?} {} {default:?}",
            join(&parameter.data_type)
        );
    }
    text
}
