//! Sequences, tables, views and their comments.

use std::collections::BTreeSet;

use dialect::Token;

use crate::Statement;
use crate::catalog::Catalog;
use crate::reader::Lexeme;
use crate::source::{Source, Unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Sequence,
    Table,
    Index,
    View,
    Comment,
}

/// What a statement creates, and its name.
pub fn created(lexemes: &[Lexeme]) -> Option<(Kind, String)> {
    let at = lexemes
        .iter()
        .position(|lexeme| lexeme.is_any(&["SEQUENCE", "TABLE", "INDEX", "VIEW"]))?;
    if !lexemes.first()?.is("CREATE") {
        return None;
    }
    let kind = match lexemes[at].word()?.as_str() {
        "SEQUENCE" => Kind::Sequence,
        "TABLE" => Kind::Table,
        "INDEX" => Kind::Index,
        _ => Kind::View,
    };
    Some((kind, lexemes.get(at + 1)?.token.name()?))
}

/// The statement for PostgreSQL.
fn statement(lexemes: &[Lexeme], catalog: &Catalog) -> String {
    dialect::ddl(&tokens(lexemes, catalog))
}

/// Oracle's COMMENT ON TABLE is for views too, PostgreSQL's is not.
fn tokens(lexemes: &[Lexeme], catalog: &Catalog) -> Vec<Token> {
    let is_comment = lexemes[0].is("COMMENT");
    let mut tokens = Vec::new();
    for (at, lexeme) in lexemes.iter().enumerate() {
        if at > 0 {
            tokens.push(Token::Space(lexeme.space.clone()));
        }
        let of_view = is_comment
            && at == 2
            && lexeme.is("TABLE")
            && lexemes
                .get(3)
                .and_then(|name| name.token.name())
                .is_some_and(|name| catalog.views.contains(&name));
        tokens.push(if of_view {
            Token::Word("VIEW".to_owned())
        } else {
            lexeme.token.clone()
        });
    }
    tokens
}

/// Names that a statement uses: to create first what others need.
fn mentions<'a>(lexemes: &'a [Lexeme]) -> impl Iterator<Item = String> + 'a {
    lexemes.iter().filter_map(|lexeme| lexeme.token.name())
}

/// A statement with the comments and indexes that belong to it.
pub struct Object<'a> {
    file: &'a str,
    kind: Kind,
    name: String,
    lexemes: &'a [Lexeme],
}

impl Object<'_> {
    /// Views may call functions of packages, packages name tables in their headers.
    pub fn is_before_packages(&self) -> bool {
        matches!(self.kind, Kind::Sequence | Kind::Table | Kind::Index)
    }

    pub fn statement(&self, catalog: &Catalog) -> Statement {
        Statement {
            file: self.file.to_owned(),
            line: self.lexemes.first().map_or(1, |first| first.line),
            text: statement(self.lexemes, catalog),
        }
    }
}

/// All objects, each after those that it names, comments last.
pub fn ordered(sources: &[Source]) -> Vec<Object<'_>> {
    let mut waiting: Vec<Object> = sources.iter().flat_map(objects).collect();
    waiting.sort_by_key(|object| object.kind);
    let mut ordered: Vec<Object> = Vec::new();
    while !waiting.is_empty() {
        let missing: BTreeSet<&str> = waiting
            .iter()
            .filter(|object| matches!(object.kind, Kind::Table | Kind::View))
            .map(|object| object.name.as_str())
            .collect();
        let next = waiting
            .iter()
            .position(|object| {
                mentions(object.lexemes)
                    .all(|name| name == object.name || !missing.contains(name.as_str()))
            })
            // Two that need each other: PostgreSQL will say so.
            .unwrap_or(0);
        ordered.push(waiting.remove(next));
    }
    ordered
}

fn objects(source: &Source) -> impl Iterator<Item = Object<'_>> {
    source.units.iter().filter_map(|unit| match unit {
        Unit::Ddl(ddl) => {
            let (kind, name) = created(&ddl.lexemes).unwrap_or((Kind::Comment, String::new()));
            Some(Object {
                file: &source.file,
                kind,
                name,
                lexemes: &ddl.lexemes,
            })
        }
        Unit::Package(_) => None,
    })
}
