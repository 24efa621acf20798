//! Object ids of PostgreSQL's types that the stand-in names itself.

use crate::libpq::Oid;

pub const BOOL: Oid = 16;
pub const BYTEA: Oid = 17;
pub const INT8: Oid = 20;
pub const INT2: Oid = 21;
pub const INT4: Oid = 23;
pub const TEXT: Oid = 25;
pub const OID: Oid = 26;
pub const FLOAT4: Oid = 700;
pub const FLOAT8: Oid = 701;
pub const BPCHAR: Oid = 1042;
pub const DATE: Oid = 1082;
pub const TIMESTAMP: Oid = 1114;
pub const TIMESTAMPTZ: Oid = 1184;
pub const NUMERIC: Oid = 1700;
