//! The functions of libpq that are used, as its header declares them.

use std::ffi::{c_char, c_int, c_void};

use super::Oid;

#[repr(C)]
pub struct PgConn {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct PgResult {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct PgCancel {
    _opaque: [u8; 0],
}

pub type NoticeProcessor = unsafe extern "C" fn(*mut c_void, *const c_char);

unsafe extern "C" {
    pub fn PQconnectdbParams(
        keywords: *const *const c_char,
        values: *const *const c_char,
        expand_dbname: c_int,
    ) -> *mut PgConn;
    pub fn PQfinish(connection: *mut PgConn);
    pub fn PQstatus(connection: *const PgConn) -> c_int;
    pub fn PQtransactionStatus(connection: *const PgConn) -> c_int;
    pub fn PQerrorMessage(connection: *const PgConn) -> *const c_char;
    pub fn PQsocket(connection: *const PgConn) -> c_int;
    pub fn PQsetNoticeProcessor(
        connection: *mut PgConn,
        processor: NoticeProcessor,
        argument: *mut c_void,
    ) -> Option<NoticeProcessor>;
    pub fn PQsendQuery(connection: *mut PgConn, sql: *const c_char) -> c_int;
    pub fn PQsendPrepare(
        connection: *mut PgConn,
        name: *const c_char,
        sql: *const c_char,
        count: c_int,
        types: *const Oid,
    ) -> c_int;
    pub fn PQsendDescribePrepared(connection: *mut PgConn, name: *const c_char) -> c_int;
    pub fn PQsendQueryPrepared(
        connection: *mut PgConn,
        name: *const c_char,
        count: c_int,
        values: *const *const c_char,
        lengths: *const c_int,
        formats: *const c_int,
        result_format: c_int,
    ) -> c_int;
    pub fn PQconsumeInput(connection: *mut PgConn) -> c_int;
    pub fn PQisBusy(connection: *mut PgConn) -> c_int;
    pub fn PQgetResult(connection: *mut PgConn) -> *mut PgResult;
    pub fn PQclear(result: *mut PgResult);
    pub fn PQresultStatus(result: *const PgResult) -> c_int;
    pub fn PQresultErrorField(result: *const PgResult, field: c_int) -> *const c_char;
    pub fn PQntuples(result: *const PgResult) -> c_int;
    pub fn PQnfields(result: *const PgResult) -> c_int;
    pub fn PQfname(result: *const PgResult, column: c_int) -> *const c_char;
    pub fn PQftype(result: *const PgResult, column: c_int) -> Oid;
    pub fn PQfmod(result: *const PgResult, column: c_int) -> c_int;
    pub fn PQgetisnull(result: *const PgResult, row: c_int, column: c_int) -> c_int;
    pub fn PQgetvalue(result: *const PgResult, row: c_int, column: c_int) -> *const c_char;
    pub fn PQgetlength(result: *const PgResult, row: c_int, column: c_int) -> c_int;
    pub fn PQcmdTuples(result: *mut PgResult) -> *const c_char;
    pub fn PQgetCancel(connection: *mut PgConn) -> *mut PgCancel;
    pub fn PQcancel(cancel: *mut PgCancel, error: *mut c_char, size: c_int) -> c_int;
    pub fn PQfreeCancel(cancel: *mut PgCancel);
}

pub const CONNECTION_OK: c_int = 0;
pub const TRANSACTION_IDLE: c_int = 0;
pub const TRANSACTION_FAILED: c_int = 3;
pub const TRANSACTION_UNKNOWN: c_int = 4;
pub const FATAL_ERROR: c_int = 7;
