//! Which words are part of the language, and what Oracle's types and functions are called.

/// Words that are never the name of a column or table here.
const KEYWORDS: &[&str] = &[
    "ALL",
    "ALTER",
    "AND",
    "ANY",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "CHECK",
    "CONSTRAINT",
    "CREATE",
    "CROSS",
    "CURRENT_TIMESTAMP",
    "DEFAULT",
    "DELETE",
    "DESC",
    "DISTINCT",
    "DROP",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXISTS",
    "FALSE",
    "FETCH",
    "FOR",
    "FOREIGN",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "IN",
    "INDEX",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTERVAL",
    "INTO",
    "IS",
    "JOIN",
    "LATERAL",
    "LEFT",
    "LIKE",
    "LOCALTIMESTAMP",
    "MERGE",
    "NATURAL",
    "NOT",
    "NOWAIT",
    "NULL",
    "OFFSET",
    "ON",
    "ONLY",
    "OR",
    "ORDER",
    "OUTER",
    "OVER",
    "PARTITION",
    "PRIMARY",
    "REFERENCES",
    "RETURNING",
    "RIGHT",
    "ROW",
    "ROWS",
    "SELECT",
    "SET",
    "SKIP",
    "TABLE",
    "THEN",
    "TIMESTAMP",
    "TO",
    "TRUE",
    "TRUNCATE",
    "UNION",
    "UNIQUE",
    "UPDATE",
    "USING",
    "VALUES",
    "VIEW",
    "WHEN",
    "WHERE",
    "WITH",
];

/// Words that belong to the word before them, and are names elsewhere.
const FOLLOWERS: &[(&str, &[&str])] = &[
    ("PRIMARY", &["KEY"]),
    ("FOREIGN", &["KEY"]),
    ("FETCH", &["FIRST", "NEXT"]),
    ("NULLS", &["FIRST", "LAST"]),
    ("DESC", &["NULLS"]),
    ("ASC", &["NULLS"]),
    ("SKIP", &["LOCKED"]),
    ("WHEN", &["MATCHED"]),
    ("NOT", &["MATCHED"]),
    ("DELETE", &["CASCADE"]),
    ("WITH", &["TIME", "TIES"]),
    ("TIME", &["ZONE"]),
    ("AT", &["TIME"]),
    ("ROWS", &["UNBOUNDED"]),
    ("BETWEEN", &["UNBOUNDED", "CURRENT"]),
    ("AND", &["UNBOUNDED", "CURRENT"]),
    ("UNBOUNDED", &["PRECEDING", "FOLLOWING"]),
];

/// PostgreSQL's column for Oracle's pseudo column: the test bed's tables have it.
pub const ROWID: &str = "\"ROWID$\"";

/// Whether a column of this name is the next or the current value of a sequence.
pub fn is_sequence_column(name: &str) -> bool {
    matches!(name, "NEXTVAL" | "CURRVAL")
}

/// Whether the word adds a table to those before it.
pub fn joins(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    ["CROSS", "FULL", "INNER", "JOIN", "LEFT", "NATURAL", "RIGHT"].contains(&word.as_str())
}

pub fn is_keyword(word: &str, before: Option<&str>) -> bool {
    let word = word.to_ascii_uppercase();
    let follows = || {
        let before = before.map(str::to_ascii_uppercase);
        FOLLOWERS
            .iter()
            .any(|(first, next)| before.as_deref() == Some(*first) && next.contains(&word.as_str()))
    };
    KEYWORDS.contains(&word.as_str()) || follows()
}

/// PostgreSQL's words for one of Oracle that needs no context.
pub fn translated(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_uppercase().as_str() {
        "SYSDATE" => "LOCALTIMESTAMP(0)",
        "SYSTIMESTAMP" => "clock_timestamp()",
        "MINUS" => "EXCEPT",
        "VARCHAR2" | "NVARCHAR2" => "varchar",
        "NUMBER" => "numeric",
        "DATE" => "timestamp(0)",
        "CLOB" | "NCLOB" => "text",
        "BLOB" => "bytea",
        "BINARY_DOUBLE" => "float8",
        "BINARY_FLOAT" => "float4",
        "ROWID" => ROWID,
        // As a select item; elsewhere PostgreSQL raises.
        "ROWNUM" => "row_number() OVER ()",
        _ => return None,
    })
}

/// PostgreSQL's name for a function of Oracle.
pub fn function(word: &str) -> Option<&'static str> {
    match word.to_ascii_uppercase().as_str() {
        "NVL" => Some("coalesce"),
        // Part of PostgreSQL's grammar, with another idea of NULL.
        "GREATEST" => Some("ora.\"greatest\""),
        "LEAST" => Some("ora.\"least\""),
        "TRIM" => Some("ora.\"trim\""),
        _ => None,
    }
}

/// Schema that plays the far side of a database link; of a link that the test bed does not have one that does not exist.
pub fn beyond(link: &str) -> String {
    const LINKS: &[(&str, &str)] = &[("ORAPULL_ROOT", "C##ORAPULL")];
    let known = LINKS.iter().find(|(name, _)| *name == link);
    known.map_or_else(|| format!("@{link}"), |(_, schema)| (*schema).to_owned())
}

/// A name quoted for PostgreSQL.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
