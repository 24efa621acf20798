//! A table of this shard as the data path sees it. Pure.

use crate::source::keys::KeyKind;

/// What tells the rows of a table apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// Column `ora_rowid`.
    Rowid,
    /// The key columns, in the order of K1 .. K8.
    Key(Vec<Key>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Index into [`Table::columns`].
    pub column: usize,
    pub kind: KeyKind,
    /// See [`crate::source::keys::length`].
    pub length: i64,
}

/// A column that both sides have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Type of the foreign table's column, and of the staged one.
    pub foreign_type: String,
    /// Type of the local column without length; of a domain, its base type.
    pub local_type: String,
}

/// A unique index beside the one of the identity, on columns of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueIndex {
    pub name: String,
    pub columns: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub target_id: i32,
    /// TABLE_ID at the source.
    pub remote_id: i64,
    /// Quoted, with schema.
    pub relation: String,
    /// Schema of the foreign tables, unquoted.
    pub foreign_schema: String,
    pub identity: Identity,
    pub columns: Vec<Column>,
    pub uniques: Vec<UniqueIndex>,
    /// Normalised by PostgreSQL, over the foreign table's columns.
    pub filter: Option<String>,
    /// TRUNCATE will not do: a foreign key of another table refers to it.
    pub referenced: bool,
}
