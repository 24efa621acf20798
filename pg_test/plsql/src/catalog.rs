//! The names that all files together declare.

use std::collections::{BTreeMap, BTreeSet};

use dialect::Token;

use crate::ddl;
use crate::reader::{Lexeme, Reader};
use crate::refusal::Result;
use crate::site::Site;
use crate::source::{self, Item, Routine, RoutineKind, Source, Unit};

#[derive(Default)]
pub struct Catalog {
    pub site: Site,
    pub packages: BTreeMap<String, Package>,
    pub views: BTreeSet<String>,
}

#[derive(Default)]
pub struct Package {
    pub constants: BTreeSet<String>,
    /// Code of each exception; None without EXCEPTION_INIT.
    pub exceptions: BTreeMap<String, Option<i32>>,
    pub routines: BTreeMap<String, Header>,
    has_body: bool,
}

/// What a call of a routine has to know.
pub struct Header {
    pub kind: RoutineKind,
    /// Whether it is in the specification.
    pub is_public: bool,
    /// Line of its first declaration: a private routine is seen only further down.
    pub line: usize,
    pub is_boolean: bool,
    /// Whether it, or what it calls, changes rows.
    pub writes: bool,
    has_body: bool,
    /// Its text, to compare specification and body.
    text: String,
    /// Names in its body that may be calls.
    mentions: BTreeSet<(Option<String>, String)>,
}

impl Catalog {
    pub fn of(sources: &[Source], site: &Site) -> Result<Self> {
        let mut catalog = Self {
            site: site.clone(),
            ..Self::default()
        };
        // Specifications first: a body may stand before them in the list.
        for bodies in [false, true] {
            for source in sources {
                catalog.add(source, bodies)?;
            }
        }
        catalog.find_writers();
        Ok(catalog)
    }

    fn add(&mut self, source: &Source, bodies: bool) -> Result<()> {
        let reader = Reader::of_lexemes(&source.file, Vec::new());
        for unit in &source.units {
            match unit {
                Unit::Package(package) if package.is_body == bodies => {
                    self.add_package(package, &reader)?;
                }
                Unit::Ddl(one) => {
                    if let Some((ddl::Kind::View, name)) = ddl::created(&one.lexemes) {
                        self.views.insert(name);
                    }
                }
                Unit::Package(_) => {}
            }
        }
        Ok(())
    }

    fn add_package(&mut self, package: &source::Package, reader: &Reader) -> Result<()> {
        let known = self.packages.entry(package.name.clone()).or_default();
        known.has_body |= package.is_body;
        for item in &package.items {
            known.add(item, package.is_body, reader)?;
        }
        match known.routines.iter().find(|(_, header)| !header.has_body) {
            Some((name, header)) if package.is_body => Err(reader.refuse_at(
                header.line,
                format!("{name} is declared and has no body (PLS-00323)"),
                "write it, or take its declaration away",
            )),
            _ => Ok(()),
        }
    }

    /// A routine that calls a writer is one, too.
    fn find_writers(&mut self) {
        loop {
            let mut found = Vec::new();
            for (package_name, package) in &self.packages {
                for (name, header) in &package.routines {
                    let calls_writer = || {
                        header.mentions.iter().any(|(of, called)| {
                            let of = of.as_ref().unwrap_or(package_name);
                            self.routine(of, called).is_some_and(|header| header.writes)
                        })
                    };
                    if !header.writes && calls_writer() {
                        found.push((package_name.clone(), name.clone()));
                    }
                }
            }
            if found.is_empty() {
                return;
            }
            for (package, name) in found {
                if let Some(header) = self
                    .packages
                    .get_mut(&package)
                    .and_then(|package| package.routines.get_mut(&name))
                {
                    header.writes = true;
                }
            }
        }
    }

    pub fn routine(&self, package: &str, name: &str) -> Option<&Header> {
        self.packages.get(package)?.routines.get(name)
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
            Item::Exception { name } => {
                self.exceptions.insert(name.clone(), None);
            }
            Item::ExceptionInit { name, line, code } => match self.exceptions.get_mut(name) {
                Some(known) => *known = Some(*code),
                None => {
                    let what = format!("EXCEPTION_INIT of {name}, which is no exception");
                    return Err(reader.refuse_at(*line, what, "declare it before"));
                }
            },
            Item::Routine(routine) => self.add_routine(routine, in_body, reader)?,
        }
        Ok(())
    }

    fn add_routine(&mut self, routine: &Routine, in_body: bool, reader: &Reader) -> Result<()> {
        let text = header_text(routine);
        let known = match self.routines.get_mut(&routine.name) {
            None => {
                let header = Header {
                    kind: routine.kind,
                    is_public: !in_body,
                    line: routine.line,
                    is_boolean: routine
                        .returns
                        .first()
                        .is_some_and(|first| first.is("BOOLEAN")),
                    writes: false,
                    has_body: false,
                    text,
                    mentions: BTreeSet::new(),
                };
                self.routines.entry(routine.name.clone()).or_insert(header)
            }
            Some(known) if !in_body || known.has_body => {
                return Err(reader.refuse_at(
                    routine.line,
                    format!(
                        "a second {} (declared in line {})",
                        routine.name, known.line
                    ),
                    "give each routine its own name",
                ));
            }
            Some(known) if known.text != text => {
                return Err(reader.refuse_at(
                    routine.line,
                    format!("header of {} differs from its declaration", routine.name),
                    "repeat it word by word",
                ));
            }
            Some(known) => known,
        };
        if let Some(body) = &routine.body {
            known.read_body(body);
        }
        Ok(())
    }
}

impl Header {
    fn read_body(&mut self, body: &[Lexeme]) {
        const WRITING: &[&str] = &["INSERT", "UPDATE", "DELETE", "MERGE"];
        self.has_body = true;
        for (at, lexeme) in body.iter().enumerate() {
            let is_part = at > 0 && body[at - 1].is_symbol(".");
            self.writes |=
                !is_part && (lexeme.is_any(WRITING) || runs_more_than_a_query(&body[at..]));
            let Some(name) = lexeme.token.name() else {
                continue;
            };
            let package = (is_part && at > 1)
                .then(|| body[at - 2].token.name())
                .flatten();
            self.mentions.insert((package, name));
        }
    }
}

/// `EXECUTE IMMEDIATE`, unless of a text that begins with SELECT.
fn runs_more_than_a_query(lexemes: &[Lexeme]) -> bool {
    match lexemes {
        [execute, _, text, ..] if execute.is("EXECUTE") => match &text.token {
            Token::Literal(text) => !text.trim_start().to_uppercase().starts_with("SELECT"),
            _ => true,
        },
        _ => false,
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
