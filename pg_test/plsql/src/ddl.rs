//! Sequences, tables, indexes, views and their comments.

use std::collections::{BTreeMap, BTreeSet};

use dialect::Token;

use crate::Statement;
use crate::catalog::Catalog;
use crate::expression::Scope;
use crate::reader::{Lexeme, Reader};
use crate::refusal::{Refusal, Result};
use crate::source::{Source, Unit};
use crate::words;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Sequence,
    Table,
    Index,
    View,
    Comment,
}

/// A statement that creates, or comments.
pub struct Object {
    kind: Kind,
    pub statement: Statement,
}

impl Object {
    pub fn is_after_packages(&self) -> bool {
        self.kind >= Kind::View
    }
}

/// What a statement creates, and its name.
pub fn created(lexemes: &[Lexeme]) -> Option<(Kind, String)> {
    if !lexemes.first()?.is("CREATE") {
        return None;
    }
    let at = lexemes
        .iter()
        .position(|one| one.is_any(&["SEQUENCE", "TABLE", "INDEX", "VIEW"]))?;
    let kind = match lexemes[at].word()?.as_str() {
        "SEQUENCE" => Kind::Sequence,
        "TABLE" => Kind::Table,
        "INDEX" => Kind::Index,
        _ => Kind::View,
    };
    Some((kind, lexemes.get(at + 1)?.token.name()?))
}

/// All objects by kind, comments last; those of a kind as they were given, so that a wrong order fails as it does in Oracle.
pub fn objects(sources: &[Source], catalog: &Catalog, refusals: &mut Vec<Refusal>) -> Vec<Object> {
    let mut objects = Vec::new();
    for source in sources {
        let reader = Reader::of_lexemes(&source.file, Vec::new());
        for unit in &source.units {
            let Unit::Ddl(ddl) = unit else { continue };
            match object(&ddl.lexemes, catalog, &reader) {
                Ok(object) => objects.push(object),
                Err(refusal) => refusals.push(refusal),
            }
        }
    }
    objects.sort_by_key(|object| object.kind);
    objects
}

fn object(lexemes: &[Lexeme], catalog: &Catalog, reader: &Reader) -> Result<Object> {
    let kind = created(lexemes).map_or(Kind::Comment, |(kind, _)| kind);
    let text = match kind {
        Kind::View => view(lexemes, catalog, reader)?,
        Kind::Table => {
            check_columns(lexemes, reader)?;
            dialect::ddl(&tokens(lexemes))
        }
        Kind::Comment => dialect::ddl(&comment(lexemes, catalog)),
        Kind::Sequence | Kind::Index => dialect::ddl(&tokens(lexemes)),
    };
    Ok(Object {
        kind,
        statement: Statement {
            file: reader.file().to_string(),
            line: lexemes[0].line,
            text,
            routine: None,
        },
    })
}

fn tokens(lexemes: &[Lexeme]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (at, lexeme) in lexemes.iter().enumerate() {
        if at > 0 {
            tokens.push(Token::Space(lexeme.space.clone()));
        }
        tokens.push(lexeme.token.clone());
    }
    tokens
}

/// The head is DDL, what follows AS is a query.
fn view(lexemes: &[Lexeme], catalog: &Catalog, reader: &Reader) -> Result<String> {
    let Some(by) = crate::lint::top_level(lexemes, "AS") else {
        return Err(reader.refuse_at(lexemes[0].line, "a view without AS", ""));
    };
    let (head, query) = lexemes.split_at(by + 1);
    let read_only = query
        .windows(3)
        .position(|three| three[0].is("WITH") && three[1].is("READ") && three[2].is("ONLY"))
        .unwrap_or(query.len());
    let scope = Scope {
        catalog,
        package: None,
        line: lexemes[0].line,
        locals: BTreeMap::new(),
        records: BTreeSet::new(),
        in_handler: false,
        reader,
    };
    let query = scope.sql(&query[..read_only])?;
    Ok(format!("{}{query}", dialect::ddl(&tokens(head))))
}

/// Names of columns that Oracle would not take.
fn check_columns(lexemes: &[Lexeme], reader: &Reader) -> Result<()> {
    let mut depth = 0;
    for (at, lexeme) in lexemes.iter().enumerate() {
        depth += i32::from(lexeme.is_symbol("(")) - i32::from(lexeme.is_symbol(")"));
        let begins_column = depth == 1 && (lexeme.is_symbol("(") || lexeme.is_symbol(","));
        if let Some(column) = lexemes.get(at + 1).filter(|_| begins_column)
            && let Some(word) = column.word().filter(|word| words::is_reserved(word))
        {
            let what = format!("column {word}, a reserved word of Oracle");
            return Err(reader.refuse_at(column.line, what, "take another name"));
        }
    }
    Ok(())
}

/// Oracle's COMMENT ON TABLE is for views too, PostgreSQL's is not.
fn comment(lexemes: &[Lexeme], catalog: &Catalog) -> Vec<Token> {
    let mut tokens = tokens(lexemes);
    let is_of_view = matches!(lexemes, [_, on, table, name, ..]
        if on.is("ON") && table.is("TABLE") && name.token.name().is_some_and(|name| catalog.views.contains(&name)));
    if is_of_view && let Some(kind) = tokens.iter_mut().find(|token| token.is("TABLE")) {
        *kind = Token::Word("VIEW".to_owned());
    }
    tokens
}
