//! The numbers of the OCI binary interface, as ODPI-C and oracle_fdw use them.

use std::ffi::c_void;

/// A handle, descriptor or buffer as it crosses the C boundary.
pub type Pointer = *mut c_void;

/// What an OCI function returns.
pub type Status = i32;

pub const SUCCESS: Status = 0;
pub const NEED_DATA: Status = 99;
pub const NO_DATA: Status = 100;
pub const ERROR: Status = -1;
pub const INVALID_HANDLE: Status = -2;

/// Indicator of a NULL value.
pub const NULL_INDICATOR: i16 = -1;

/// AL32UTF8, the only character set spoken here.
pub const CHARSET_UTF8: u16 = 873;

pub mod handle_type {
    pub const ERROR: u32 = 2;
    pub const SERVICE: u32 = 3;
    pub const SERVER: u32 = 8;
    pub const SESSION: u32 = 9;
    pub const LOB: u32 = 50;
    pub const ROWID: u32 = 54;
    pub const DATE: u32 = 65;
    pub const TIMESTAMP_LTZ: u32 = 70;
}

pub mod attribute {
    pub const DATA_SIZE: u32 = 1;
    pub const DATA_TYPE: u32 = 2;
    pub const NAME: u32 = 4;
    pub const PRECISION: u32 = 5;
    pub const SCALE: u32 = 6;
    pub const IS_NULL: u32 = 7;
    pub const TYPE_NAME: u32 = 8;
    pub const SCHEMA_NAME: u32 = 9;
    pub const CHARSET_FORM: u32 = 32;
    pub const CHAR_SIZE: u32 = 286;
    pub const JSON_COLUMN: u32 = 534;

    pub const SERVER: u32 = 6;
    pub const SESSION: u32 = 7;
    pub const USERNAME: u32 = 22;
    pub const PASSWORD: u32 = 23;
    pub const SERVER_STATUS: u32 = 143;
    pub const STATEMENT_CACHE_SIZE: u32 = 176;
    pub const TRANSACTION_IN_PROGRESS: u32 = 484;
    pub const CALL_TIMEOUT: u32 = 531;

    pub const ROW_COUNT: u32 = 9;
    pub const PREFETCH_ROWS: u32 = 11;
    pub const PARAMETER_COUNT: u32 = 18;
    pub const STATEMENT_TYPE: u32 = 24;
    pub const PARSE_ERROR_OFFSET: u32 = 129;
    pub const STATEMENT_TEXT: u32 = 144;
    pub const BIND_COUNT: u32 = 190;
    pub const ROWS_FETCHED: u32 = 197;
    pub const STATEMENT_IS_RETURNING: u32 = 218;
    pub const UB8_ROW_COUNT: u32 = 457;

    pub const CHARSET_ID: u32 = 31;
    pub const ROWS_RETURNED: u32 = 42;
    pub const NCHARSET_ID: u32 = 262;
    pub const ERROR_IS_RECOVERABLE: u32 = 472;
}

/// External data types of buffers, and types of columns.
pub mod sqlt {
    pub const CHR: u16 = 1;
    pub const NUM: u16 = 2;
    pub const INT: u16 = 3;
    pub const STR: u16 = 5;
    pub const VNU: u16 = 6;
    pub const LNG: u16 = 8;
    pub const VCS: u16 = 9;
    pub const DAT: u16 = 12;
    pub const BFLOAT: u16 = 21;
    pub const BDOUBLE: u16 = 22;
    pub const BIN: u16 = 23;
    pub const LBI: u16 = 24;
    pub const UIN: u16 = 68;
    pub const LVB: u16 = 95;
    pub const AFC: u16 = 96;
    pub const IBFLOAT: u16 = 100;
    pub const IBDOUBLE: u16 = 101;
    pub const RDD: u16 = 104;
    pub const CLOB: u16 = 112;
    pub const BLOB: u16 = 113;
    pub const ODT: u16 = 156;
    pub const TIMESTAMP: u16 = 187;
    pub const TIMESTAMP_TZ: u16 = 188;
    pub const TIMESTAMP_LTZ: u16 = 232;
    pub const BOL: u16 = 252;
}

/// Modes of OCIStmtExecute.
pub mod execute_mode {
    pub const DESCRIBE_ONLY: u32 = 0x10;
    pub const COMMIT_ON_SUCCESS: u32 = 0x20;
    pub const BATCH_ERRORS: u32 = 0x80;
}

/// Pieces of a value that is handed over in parts.
pub mod piece {
    pub const ONE: u8 = 0;
    pub const FIRST: u8 = 1;
    pub const NEXT: u8 = 2;
}
