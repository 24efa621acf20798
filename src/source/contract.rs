//! Names and shapes of what a shard may touch at the source.
//!
//! Pure. The foreign tables are created from this, and `check_source` compares the source with it.

use std::collections::BTreeMap;

use crate::error::{Error, Kind};

/// The version of the contract that this code speaks.
pub const CONTRACT_VERSION: i64 = 1;

/// The package that holds every call.
pub const PACKAGE: &str = "API";

/// The view that takes the identities of a request.
pub const ASK_VIEW: &str = "ASK_V";

/// How many key columns a pointer can carry.
pub const KEY_COLUMNS: usize = 8;

/// Longest name that PostgreSQL does not cut off.
const NAME_BYTES: usize = 63;

/// Columns of every PostgreSQL table that cannot be used as names.
const SYSTEM_COLUMNS: [&str; 6] = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"];

/// The three types that columns of the contract have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// NUMBER(18)
    Number,
    /// VARCHAR2
    Text,
    /// TIMESTAMP(6), in UTC
    Time,
}

impl Type {
    pub fn local(self) -> &'static str {
        match self {
            Type::Number => "bigint",
            Type::Text => "text",
            Type::Time => "timestamp",
        }
    }
}

/// A view of the contract, with its columns in order.
#[derive(Debug)]
pub struct View {
    pub name: &'static str,
    pub columns: &'static [(&'static str, Type)],
}

use Type::{Number, Text, Time};

/// The views that every source has, besides PULL_n and LOAD_n of each table.
pub const VIEWS: [View; 9] = [
    View {
        name: "SOURCE_V",
        columns: &[
            ("CONTRACT_VERSION", Number),
            ("INSTALL_ID", Text),
            ("DB_NAME", Text),
            ("DBID", Number),
            ("INCARNATION", Number),
            ("STARTED_AT", Time),
            ("STATE", Text),
            ("STATE_DETAIL", Text),
            ("CURRENT_SCN", Number),
            ("MINED_SCN", Number),
            ("PUBLISHED_SCN", Number),
            ("FIRST_PORTION", Number),
            ("LAST_PORTION", Number),
            ("OLDEST_TX_SCN", Number),
            ("OLDEST_TX_AGE_S", Number),
            ("KEEP_LOG_FROM", Number),
            ("SAMPLED_AT", Time),
        ],
    },
    View {
        name: "SHARD_V",
        columns: &[
            ("SHARD", Text),
            ("HOLDER", Text),
            ("LEASE_UNTIL", Time),
            ("ACKED_PORTION", Number),
            ("ACKED_AT", Time),
        ],
    },
    View {
        name: "CANDIDATE_V",
        columns: &[
            ("OWNER", Text),
            ("TABLE_NAME", Text),
            ("NUM_ROWS", Number),
            ("REASON", Text),
        ],
    },
    View {
        name: "TABLE_V",
        columns: &[
            ("TABLE_ID", Number),
            ("OWNER", Text),
            ("TABLE_NAME", Text),
            ("IDENTITY", Text),
            ("SHAPE", Text),
            ("STATE", Text),
            ("STATE_DETAIL", Text),
            ("NUM_ROWS", Number),
        ],
    },
    View {
        name: "COLUMN_V",
        columns: &[
            ("TABLE_ID", Number),
            ("POSITION", Number),
            ("COLUMN_NAME", Text),
            ("DATA_TYPE", Text),
            ("DATA_LENGTH", Number),
            ("CHAR_LENGTH", Number),
            ("DATA_PRECISION", Number),
            ("DATA_SCALE", Number),
            ("NULLABLE", Text),
            ("KEY_POSITION", Number),
        ],
    },
    // An unknown plan would look like an empty table.
    View {
        name: "PLAN_V",
        columns: &[
            ("PLAN_ID", Number),
            ("TABLE_ID", Number),
            ("CHUNKS", Number),
        ],
    },
    View {
        name: "PORTION_V",
        columns: &[
            ("PORTION_ID", Number),
            ("SLOT", Number),
            ("SCN_FROM", Number),
            ("SCN_TO", Number),
            ("POINTERS", Number),
            ("PUBLISHED_AT", Time),
        ],
    },
    View {
        name: "PORTION_TABLE_V",
        columns: &[
            ("PORTION_ID", Number),
            ("TABLE_ID", Number),
            ("POINTERS", Number),
        ],
    },
    View {
        name: "POINTER_V",
        columns: &[
            ("P$SLOT", Number),
            ("P$PORTION", Number),
            ("P$PTR", Number),
            ("P$PREV", Number),
            ("TABLE_ID", Number),
            ("KIND", Text),
            ("ROW_ID", Text),
            ("K1", Text),
            ("K2", Text),
            ("K3", Text),
            ("K4", Text),
            ("K5", Text),
            ("K6", Text),
            ("K7", Text),
            ("K8", Text),
            ("NOTE", Text),
            ("COMMIT_SCN", Number),
        ],
    },
];

/// What PULL_n has before the columns of the table.
pub const PULL_COLUMNS: [(&str, Type); 5] = [
    ("P$SLOT", Number),
    ("P$PORTION", Number),
    ("P$PTR", Number),
    ("P$PREV", Number),
    ("P$ROWID", Text),
];

/// What LOAD_n has before the columns of the table.
pub const LOAD_COLUMNS: [(&str, Type); 3] =
    [("P$PLAN", Number), ("P$CHUNK", Number), ("P$ROWID", Text)];

/// The view at the source that resolves the pointers of a table.
pub fn pull_view(table_id: i64) -> String {
    format!("PULL_{table_id}")
}

/// The view at the source that returns the rows of a planned range.
pub fn load_view(table_id: i64) -> String {
    format!("LOAD_{table_id}")
}

/// The foreign table on PULL_n. It is one of the local table, not of the Oracle table: two local tables may follow
/// the same one, and each takes up a change of it by itself.
pub fn pull_table(target_id: i32) -> String {
    format!("pull_{target_id}")
}

/// The foreign table on LOAD_n.
pub fn load_table(target_id: i32) -> String {
    format!("load_{target_id}")
}

/// A column of a registered table: one row of COLUMN_V.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub data_type: String,
    pub data_length: i64,
    /// Declared length in characters, 0 for types that have none.
    pub char_length: i64,
    pub precision: Option<i32>,
    pub scale: Option<i32>,
    pub nullable: bool,
    /// Place in the identity, from 1; none for other columns.
    pub key_position: Option<i32>,
}

/// The name here of something that is called so there. Oracle folds names to upper case and
/// PostgreSQL to lower case, so a name that was never quoted there need not be quoted here.
pub fn local_name(oracle: &str) -> String {
    if oracle.chars().any(char::is_lowercase) {
        oracle.to_owned()
    } else {
        oracle.to_lowercase()
    }
}

/// Refuses a table whose columns cannot all have a name of their own here.
pub fn check_names(columns: &[Column]) -> Result<(), Error> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for column in columns {
        let local = local_name(&column.name);
        if let Some(reason) = unusable(&local) {
            return Err(refused(format!("column {}: {reason}", column.name)));
        }
        if let Some(other) = seen.insert(local.clone(), &column.name) {
            return Err(refused(format!(
                "columns {other} and {} would both be called {local} here",
                column.name
            )));
        }
    }
    Ok(())
}

fn unusable(local: &str) -> Option<String> {
    if local.len() > NAME_BYTES {
        Some(format!(
            "the name has {} bytes, PostgreSQL keeps {NAME_BYTES}",
            local.len()
        ))
    } else if local.to_lowercase().starts_with("p$") {
        Some("names that begin with P$ belong to orapull".to_owned())
    } else if SYSTEM_COLUMNS.contains(&local) {
        Some("PostgreSQL has a system column of this name in every table".to_owned())
    } else {
        None
    }
}

fn refused(message: String) -> Error {
    Error::new(Kind::BadTarget, message).hint(
        "Rename the column at the source, or have the source show the table through other names.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str) -> Column {
        Column {
            name: name.to_owned(),
            data_type: "NUMBER".to_owned(),
            data_length: 22,
            char_length: 0,
            precision: None,
            scale: None,
            nullable: true,
            key_position: None,
        }
    }

    fn check(names: &[&str]) -> Result<(), Error> {
        check_names(&names.iter().map(|name| column(name)).collect::<Vec<_>>())
    }

    #[test]
    fn upper_case_names_become_lower_case_and_mixed_ones_stay() {
        assert_eq!(local_name("CUSTOMER_ID"), "customer_id");
        assert_eq!(local_name("P$ROWID"), "p$rowid");
        assert_eq!(local_name("customerId"), "customerId");
        assert_eq!(local_name("STRAßE"), "STRAßE");
    }

    #[test]
    fn columns_that_would_get_one_name_are_both_named() {
        let error = check(&["ID", "NAME", "id"]).expect_err("ID and id");
        assert_eq!(error.kind, Kind::BadTarget);
        assert!(error.message.contains("ID and id"), "{}", error.message);
        assert!(check(&["ID", "Id", "NAME"]).is_ok());
    }

    #[test]
    fn a_name_that_would_be_cut_off_is_refused() {
        assert!(check(&[&"X".repeat(63)]).is_ok());
        assert!(check(&[&"X".repeat(64)]).is_err());
        // 63 characters, but more bytes.
        assert!(check(&[&"Ä".repeat(63)]).is_err());
    }

    #[test]
    fn names_of_orapull_and_of_postgresql_are_refused() {
        for name in ["P$X", "p$rowid", "XMIN", "ctid"] {
            assert!(check(&[name]).is_err(), "{name}");
        }
        assert!(check(&["Xmin"]).is_ok());
    }

    #[test]
    fn pointers_carry_all_key_columns() {
        let pointers = VIEWS.iter().find(|view| view.name == "POINTER_V");
        let keys = pointers.map(|view| {
            view.columns
                .iter()
                .filter(|(name, _)| name.len() == 2 && name.starts_with('K'))
                .count()
        });
        assert_eq!(keys, Some(KEY_COLUMNS));
    }
}
