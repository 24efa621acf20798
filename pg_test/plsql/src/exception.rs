//! Exceptions: Oracle's numbers and names as SQLSTATEs.

use crate::statement::Translated;

/// What a handler protects.
pub struct Guarded {
    changes: usize,
    own_calls: usize,
    statements: usize,
}

impl Guarded {
    pub fn of(body: &Translated) -> Self {
        Self {
            changes: body.changes,
            own_calls: body.own_calls,
            statements: body.statements,
        }
    }

    /// PostgreSQL undoes what the block has done so far, Oracle only the statement that failed.
    pub fn may_be_swallowed(&self) -> bool {
        self.own_calls == 0 && (self.changes == 0 || self.changes == 1 && self.statements <= 2)
    }
}

/// The SQLSTATE that stands for an ORA code.
pub fn sqlstate(code: i32) -> String {
    format!("O{:04X}", code.unsigned_abs())
}

/// The condition of a handler for an ORA code: raised by us, or by PostgreSQL under its own name.
pub fn condition(code: i32) -> String {
    let own = format!("SQLSTATE '{}'", sqlstate(code));
    match native(code) {
        Some(state) => format!("{own} OR SQLSTATE '{state}'"),
        None => own,
    }
}

/// PostgreSQL's own SQLSTATE for what Oracle reports by this code.
fn native(code: i32) -> Option<&'static str> {
    Some(match -code {
        1 => "23505",
        54 => "55P03",
        60 => "40P01",
        904 => "42703",
        942 => "42P01",
        955 => "42P07",
        1400 => "23502",
        1403 => "P0002",
        1422 => "P0003",
        1476 => "22012",
        1722 => "22P02",
        2290 => "23514",
        2291 => "23503",
        12899 => "22001",
        _ => return None,
    })
}

/// The condition of a handler for an exception of package STANDARD.
pub fn predefined(name: &str) -> Option<&'static str> {
    Some(match name {
        "NO_DATA_FOUND" => "no_data_found",
        "TOO_MANY_ROWS" => "too_many_rows",
        "DUP_VAL_ON_INDEX" => "unique_violation",
        "ZERO_DIVIDE" => "division_by_zero",
        "VALUE_ERROR" => {
            "string_data_right_truncation OR numeric_value_out_of_range OR invalid_text_representation"
        }
        "INVALID_NUMBER" => "invalid_text_representation",
        "OTHERS" => "OTHERS",
        _ => return None,
    })
}
