//! Exceptions: Oracle's numbers and names as conditions of PL/pgSQL.

use dialect::{native_sqlstates, sqlstate};

/// The condition of a handler for an ORA code: raised by us, or by PostgreSQL under its own name.
pub fn condition(code: i32) -> String {
    let code = -code;
    std::iter::once(sqlstate(code))
        .chain(native_sqlstates(code).map(str::to_owned))
        .map(|state| format!("SQLSTATE '{state}'"))
        .collect::<Vec<_>>()
        .join(" OR ")
}

/// The condition of a handler for an exception of package STANDARD.
pub fn predefined(name: &str) -> Option<String> {
    let code = match name {
        "OTHERS" => return Some("OTHERS".to_owned()),
        // PostgreSQL tells apart by what is wrong, Oracle by where it happens.
        "VALUE_ERROR" => {
            return Some(format!(
                "{} OR {} OR {}",
                condition(-6502),
                condition(-1722),
                condition(-12899)
            ));
        }
        "DUP_VAL_ON_INDEX" => -1,
        "INVALID_NUMBER" => -1722,
        "NO_DATA_FOUND" => -1403,
        "TOO_MANY_ROWS" => -1422,
        "ZERO_DIVIDE" => -1476,
        _ => return None,
    };
    Some(condition(code))
}
