//! Words that are outside the subset, or not Oracle's at all, and what to write instead.

/// Wherever they stand in a statement, unless as part of a dotted name.
const REFUSED: &[(&str, &str)] = &[
    ("ADD_MONTHS", "add NUMTODSINTERVAL"),
    ("BULK", "write FOR r IN (SELECT ...) or INSERT ... SELECT"),
    ("CONNECT", "write a recursive WITH"),
    ("CONNECT_BY_ROOT", "write a recursive WITH"),
    ("CURRENT_DATE", "write SYSTIMESTAMP"),
    ("CURRENT_TIMESTAMP", "write SYSTIMESTAMP"),
    ("CURSOR", "write FOR r IN (SELECT ...)"),
    ("DBMS_SQL", "write EXECUTE IMMEDIATE"),
    ("DECODE", "write CASE"),
    ("FORALL", "write INSERT ... SELECT"),
    ("INTERSECT", "write EXISTS"),
    ("KEEP", "write ROW_NUMBER()"),
    ("LNNVL", "write CASE"),
    ("LOCALTIMESTAMP", "write SYSTIMESTAMP"),
    ("LONG", "write VARCHAR2 or CLOB"),
    ("MODEL", "write a join"),
    ("PIVOT", "write CASE in aggregates"),
    ("PRIOR", "write a recursive WITH"),
    (
        "RETURNING",
        "select the value before, FROM dual or by its key",
    ),
    ("SIBLINGS", "write a recursive WITH"),
    ("SYSDATE", "write SYSTIMESTAMP"),
    ("UNPIVOT", "write UNION ALL"),
    ("USERENV", "write SYS_CONTEXT"),
];

/// PostgreSQL understands them, Oracle does not.
const NOT_ORACLE: &[(&str, &str)] = &[
    ("BIGINT", "write NUMBER(18)"),
    ("CONFLICT", "write MERGE"),
    ("EXCEPT", "write NOT EXISTS"),
    ("FALSE", "there is no boolean in SQL"),
    ("FILTER", "write CASE in the aggregate"),
    ("ILIKE", "write UPPER(...) LIKE"),
    ("LATERAL", "write a join"),
    ("LIMIT", "write FETCH FIRST n ROWS ONLY"),
    ("NOW", "write SYSTIMESTAMP"),
    ("OFFSET", "write ROW_NUMBER()"),
    ("RECURSIVE", "WITH is recursive by itself"),
    ("SUBSTRING", "write SUBSTR"),
    ("TEXT", "write VARCHAR2(n)"),
    ("TRUE", "there is no boolean in SQL"),
];

/// First words of statements.
const STATEMENTS: &[(&str, &str)] = &[
    ("CLOSE", "write FOR r IN (SELECT ...)"),
    ("FETCH", "write FOR r IN (SELECT ...)"),
    ("GOTO", "write IF or a loop"),
    ("LOCK", "write SELECT ... FOR UPDATE"),
    ("OPEN", "write FOR r IN (SELECT ...)"),
    ("PIPE", "insert into a table"),
    ("SAVEPOINT", "only job wrappers end a transaction"),
    ("SET", "only job wrappers set what belongs to a transaction"),
];

/// Oracle's reserved words that PostgreSQL takes for a name.
const RESERVED: &[&str] = &[
    "ACCESS",
    "ADD",
    "AUDIT",
    "CLUSTER",
    "COLUMN",
    "COMMENT",
    "COMPRESS",
    "DATE",
    "DECIMAL",
    "FILE",
    "FLOAT",
    "IDENTIFIED",
    "IMMEDIATE",
    "INCREMENT",
    "INDEX",
    "INITIAL",
    "INTEGER",
    "LEVEL",
    "LOCK",
    "LONG",
    "MAXEXTENTS",
    "MLSLABEL",
    "MODE",
    "MODIFY",
    "NOAUDIT",
    "NOCOMPRESS",
    "NOWAIT",
    "NUMBER",
    "OFFLINE",
    "ONLINE",
    "OPTION",
    "PCTFREE",
    "PUBLIC",
    "RAW",
    "RENAME",
    "RESOURCE",
    "ROW",
    "ROWID",
    "ROWNUM",
    "ROWS",
    "SESSION",
    "SHARE",
    "SIZE",
    "SMALLINT",
    "START",
    "SUCCESSFUL",
    "SYNONYM",
    "SYSDATE",
    "TRIGGER",
    "UID",
    "USER",
    "VALIDATE",
    "VARCHAR",
    "VARCHAR2",
    "VIEW",
    "WHENEVER",
];

/// What to write instead of a word of SQL.
pub fn advice_in_sql(word: &str) -> Option<&'static str> {
    find(REFUSED, word).or_else(|| find(NOT_ORACLE, word))
}

/// What to write instead of a word of a PL/SQL expression.
pub fn advice_in_plsql(word: &str) -> Option<&'static str> {
    find(REFUSED, word)
}

/// What to write instead of a statement that begins with a word.
pub fn advice_for_statement(word: &str) -> Option<&'static str> {
    find(STATEMENTS, word).or_else(|| find(REFUSED, word))
}

pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

fn find(list: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    list.iter()
        .find(|(known, _)| *known == word)
        .map(|(_, advice)| *advice)
}
