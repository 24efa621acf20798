//! What PostgreSQL's own errors are called in Oracle.

/// ORA code and SQLSTATE; where a code stands twice, the first SQLSTATE is the usual one.
const NATIVE: &[(i32, &str)] = &[
    (1, "23505"),
    (54, "55P03"),
    (60, "40P01"),
    (900, "42601"),
    (904, "42703"),
    (942, "42P01"),
    (942, "3F000"),
    (955, "42P07"),
    (1013, "57014"),
    (1031, "42501"),
    (1400, "23502"),
    (1403, "P0002"),
    (1422, "P0003"),
    (1456, "25006"),
    (1476, "22012"),
    (1722, "22P02"),
    (1722, "22003"),
    (1843, "22007"),
    (1843, "22008"),
    (2290, "23514"),
    (2291, "23503"),
    (3113, "57P01"),
    (3113, "57P02"),
    (3113, "57P03"),
    (6550, "42883"),
    (6550, "42P13"),
    (8177, "40001"),
    (12899, "22001"),
    (20000, "P0001"),
];

/// The ORA code, without its sign, of an error that PostgreSQL raised.
pub fn code_of_sqlstate(sqlstate: &str) -> Option<i32> {
    if let Some(digits) = sqlstate.strip_prefix('O') {
        return i32::from_str_radix(digits, 16).ok();
    }
    NATIVE
        .iter()
        .find(|(_, state)| *state == sqlstate)
        .map(|(code, _)| *code)
}

/// The ORA code, without its sign, that a message names or its SQLSTATE stands for.
pub fn code_of_error(sqlstate: &str, message: &str) -> Option<i32> {
    let named = message.strip_prefix("ORA-").and_then(|rest| rest.get(..5));
    named
        .and_then(|digits| digits.parse().ok())
        .or_else(|| code_of_sqlstate(sqlstate))
}

/// The SQLSTATE under which translated code raises an ORA code.
pub fn sqlstate(code: i32) -> String {
    format!("O{code:04X}")
}

/// PostgreSQL's own SQLSTATEs for an ORA code.
pub fn native_sqlstates(code: i32) -> impl Iterator<Item = &'static str> {
    NATIVE
        .iter()
        .filter(move |(known, _)| *known == code)
        .map(|(_, state)| *state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_becomes_a_sqlstate_and_comes_back() {
        assert_eq!(sqlstate(20821), "O5155");
        assert_eq!(code_of_sqlstate("O5155"), Some(20821));
        assert_eq!(code_of_sqlstate("23505"), Some(1));
        assert_eq!(code_of_sqlstate("99999"), None);
        assert_eq!(code_of_error("P0001", "ORA-20801: text"), Some(20801));
        assert_eq!(code_of_error("P0001", "text"), Some(20000));
    }
}
