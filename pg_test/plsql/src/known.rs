//! Functions and packages of Oracle that the test bed has.

/// Functions of SQL and PL/SQL; each has a probe.
const FUNCTIONS: &[&str] = &[
    "ABS",
    "AVG",
    "BITAND",
    "CAST",
    "CEIL",
    "CHARTOROWID",
    "CHR",
    "COALESCE",
    "CONCAT",
    "COUNT",
    "DENSE_RANK",
    "EXTRACT",
    "FIRST_VALUE",
    "FLOOR",
    "GREATEST",
    "HEXTORAW",
    "INSTR",
    "LAG",
    "LAST_VALUE",
    "LEAD",
    "LEAST",
    "LENGTH",
    "LENGTHB",
    "LISTAGG",
    "LOWER",
    "LPAD",
    "LTRIM",
    "MAX",
    "MIN",
    "MOD",
    "NTILE",
    "NULLIF",
    "NUMTODSINTERVAL",
    "NVL",
    "NVL2",
    "POWER",
    "RANK",
    "RAWTOHEX",
    "REGEXP_COUNT",
    "REGEXP_INSTR",
    "REGEXP_LIKE",
    "REGEXP_REPLACE",
    "REGEXP_SUBSTR",
    "REPLACE",
    "ROUND",
    "ROW_NUMBER",
    "ROWIDTOCHAR",
    "RPAD",
    "RTRIM",
    "SIGN",
    "STANDARD_HASH",
    "SUBSTR",
    "SUBSTRB",
    "SUM",
    "SYS_CONTEXT",
    "SYS_EXTRACT_UTC",
    "SYS_GUID",
    "TO_CHAR",
    "TO_DATE",
    "TO_NUMBER",
    "TO_TIMESTAMP",
    "TRANSLATE",
    "TRIM",
    "TRUNC",
    "UPPER",
];

/// Functions that only SQL has.
const ONLY_SQL: &[&str] = &["NVL2", "STANDARD_HASH", "LISTAGG", "ROW_NUMBER"];

/// Words before a parenthesis that are no functions.
const NOT_CALLED: &[&str] = &["VARCHAR2", "NUMBER", "CHAR", "RAW", "TIMESTAMP"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Member {
    Constant,
    Function,
    Procedure,
    /// A procedure that commits.
    Committing,
}

/// Packages of Oracle.
const MEMBERS: &[(&str, &str, Member)] = &[
    ("DBMS_LOGMNR", "NEW", Member::Constant),
    ("DBMS_LOGMNR", "ADDFILE", Member::Constant),
    ("DBMS_LOGMNR", "REMOVEFILE", Member::Constant),
    ("DBMS_LOGMNR", "DICT_FROM_ONLINE_CATALOG", Member::Constant),
    ("DBMS_LOGMNR", "COMMITTED_DATA_ONLY", Member::Constant),
    ("DBMS_LOGMNR", "NO_ROWID_IN_STMT", Member::Constant),
    ("DBMS_LOGMNR", "NO_SQL_DELIMITER", Member::Constant),
    ("DBMS_LOGMNR", "MINE_VALUE", Member::Function),
    ("DBMS_LOGMNR", "COLUMN_PRESENT", Member::Function),
    ("DBMS_LOGMNR", "ADD_LOGFILE", Member::Procedure),
    ("DBMS_LOGMNR", "REMOVE_LOGFILE", Member::Procedure),
    ("DBMS_LOGMNR", "START_LOGMNR", Member::Procedure),
    ("DBMS_LOGMNR", "END_LOGMNR", Member::Procedure),
    ("DBMS_LOCK", "REQUEST", Member::Function),
    ("DBMS_LOCK", "SLEEP", Member::Procedure),
    ("DBMS_ROWID", "ROWID_CREATE", Member::Function),
    ("DBMS_ROWID", "ROWID_OBJECT", Member::Function),
    ("DBMS_ROWID", "ROWID_RELATIVE_FNO", Member::Function),
    ("DBMS_ROWID", "ROWID_BLOCK_NUMBER", Member::Function),
    ("DBMS_ROWID", "ROWID_ROW_NUMBER", Member::Function),
    ("DBMS_SCHEDULER", "LOGGING_FAILED_RUNS", Member::Constant),
    ("DBMS_SCHEDULER", "CREATE_JOB", Member::Committing),
    ("DBMS_SCHEDULER", "DISABLE", Member::Committing),
    ("DBMS_SCHEDULER", "DROP_JOB", Member::Committing),
    ("DBMS_SCHEDULER", "ENABLE", Member::Committing),
    ("DBMS_SCHEDULER", "SET_ATTRIBUTE", Member::Committing),
    ("DBMS_SESSION", "SET_NLS", Member::Procedure),
];

pub fn is_function(word: &str) -> bool {
    FUNCTIONS.contains(&word)
}

pub fn is_only_sql(word: &str) -> bool {
    ONLY_SQL.contains(&word)
}

pub fn may_stand_before_parenthesis(word: &str) -> bool {
    NOT_CALLED.contains(&word)
}

pub fn is_package(name: &str) -> bool {
    MEMBERS.iter().any(|(package, ..)| *package == name)
}

pub fn member(package: &str, name: &str) -> Option<Member> {
    MEMBERS
        .iter()
        .find(|(in_package, member, _)| *in_package == package && *member == name)
        .map(|(.., kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_has_a_probe() {
        let probes = include_str!("../../oracle/probes/probes.txt");
        let words: Vec<&str> = probes
            .split(|char: char| !char.is_ascii_alphanumeric() && char != '_')
            .collect();
        let missing: Vec<_> = FUNCTIONS
            .iter()
            .filter(|function| !words.contains(function))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
