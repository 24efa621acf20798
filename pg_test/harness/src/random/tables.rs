//! The tables of a random run, and how their rows are made and changed.

use super::dice::Dice;

/// A table "APP"."NAME" of the source. Every one has REGION from 1 to 20, by which shards are cut.
pub struct Table {
    pub name: &'static str,
    /// Its columns and constraints at the source, without the ROWID.
    pub columns: &'static str,
    /// Columns that a new row gets, without those of altered tables.
    pub inserted: &'static str,
    /// Columns of its key; empty: ROWID.
    pub key: &'static [&'static str],
    /// The local table, when the operator brings it; else orapull creates one.
    pub local: Option<&'static str>,
    /// Values of a new row with this number, in the order of `inserted`.
    values: fn(u64, &mut Dice) -> String,
    /// What an update sets.
    change: fn(&mut Dice) -> String,
    /// What a row with another key, of this number, is set to; empty when its key stays.
    rekey: fn(u64) -> String,
}

impl Table {
    pub fn remote(&self) -> String {
        format!(r#""APP"."{}""#, self.name)
    }

    pub fn relation(&self) -> String {
        format!("app.{}", self.name.to_lowercase())
    }

    pub fn row(&self, number: u64, dice: &mut Dice) -> String {
        (self.values)(number, dice)
    }

    pub fn change(&self, dice: &mut Dice) -> String {
        (self.change)(dice)
    }

    /// `None`: rows of this table keep their key.
    pub fn rekey(&self, number: u64) -> Option<String> {
        Some((self.rekey)(number)).filter(|set| !set.is_empty())
    }
}

/// The table that is altered.
pub const ITEMS: usize = 0;
/// The table with a unique index beside its key.
pub const SEATS: usize = 3;
/// The table whose rows refer to each other.
pub const STAFF: usize = 4;
/// The table with a column that is narrower here than at the source.
pub const NOTES: usize = 6;

pub const TABLES: [Table; 7] = [
    Table {
        name: "ITEMS",
        columns: r#""ID" numeric(10) PRIMARY KEY, "REGION" numeric(3) NOT NULL, "NAME" varchar(30), "N" numeric(9)"#,
        inserted: r#""ID", "REGION", "NAME", "N""#,
        key: &["ID"],
        local: None,
        values: |number, dice| {
            format!(
                "{number}, {}, 'new {}', {}",
                region(dice),
                dice.below(1000),
                dice.below(100)
            )
        },
        change: |dice| {
            format!(
                r#""N" = {}, "NAME" = 'changed {}'"#,
                dice.below(100),
                dice.below(1000)
            )
        },
        rekey: |number| format!(r#""ID" = {number}"#),
    },
    Table {
        name: "LINES",
        columns: r#""NO" numeric(9), "CODE" varchar(12), "REGION" numeric(3) NOT NULL, "PRICE" numeric(12, 2),
                    "AT" timestamp(6), PRIMARY KEY ("NO", "CODE")"#,
        inserted: r#""NO", "CODE", "REGION", "PRICE", "AT""#,
        key: &["NO", "CODE"],
        local: None,
        values: |number, dice| {
            format!(
                "{}, {}, {}, {}.5, '2024-02-29 12:00:00.{:06}'",
                number / 3,
                code(number),
                region(dice),
                dice.below(1000),
                dice.below(1_000_000)
            )
        },
        change: |dice| {
            format!(
                r#""PRICE" = nullif({}, 7), "AT" = "AT" + interval '1 microsecond'"#,
                dice.below(50)
            )
        },
        rekey: |number| format!(r#""CODE" = {}"#, code(number)),
    },
    Table {
        name: "HEAP",
        columns: r#""NO" numeric(9), "REGION" numeric(3) NOT NULL, "TEXT" varchar(40)"#,
        inserted: r#""NO", "REGION", "TEXT""#,
        key: &[],
        local: None,
        values: |number, dice| {
            format!(
                "{}, {}, 'text {}'",
                number % 50,
                region(dice),
                dice.below(9)
            )
        },
        change: |dice| format!(r#""TEXT" = 'text {}'"#, dice.below(100)),
        rekey: |_| String::new(),
    },
    Table {
        name: "SEATS",
        columns: r#""ID" numeric(9) PRIMARY KEY, "REGION" numeric(3) NOT NULL,
                    "TAKEN_BY" varchar(20) UNIQUE DEFERRABLE INITIALLY DEFERRED, "NOTE" varchar(20)"#,
        inserted: r#""ID", "REGION", "TAKEN_BY", "NOTE""#,
        key: &["ID"],
        local: Some(
            "CREATE TABLE app.seats (id integer PRIMARY KEY, region smallint NOT NULL, taken_by varchar(20) UNIQUE, note text)",
        ),
        values: |number, dice| format!("{number}, {}, 'guest {number}', NULL", region(dice)),
        change: |dice| format!(r#""NOTE" = 'note {}'"#, dice.below(1000)),
        rekey: |number| format!(r#""ID" = {number}"#),
    },
    Table {
        name: "STAFF",
        columns: r#""ID" numeric(9) PRIMARY KEY, "REGION" numeric(3) NOT NULL, "BOSS" numeric(9) REFERENCES "APP"."STAFF",
                    "NAME" varchar(30)"#,
        inserted: r#""ID", "REGION", "BOSS", "NAME""#,
        key: &["ID"],
        local: Some(
            "CREATE TABLE app.staff (id bigint PRIMARY KEY, region integer NOT NULL, boss bigint REFERENCES app.staff, name text)",
        ),
        values: |number, dice| {
            format!(
                r#"{number}, {}, (SELECT "ID" FROM "APP"."STAFF" ORDER BY "ID" LIMIT 1 OFFSET {}), 'name {}'"#,
                region(dice),
                dice.below(20),
                dice.below(1000)
            )
        },
        change: |dice| {
            let boss = dice.below(100);
            format!(
                r#""NAME" = 'name {}', "BOSS" = coalesce((SELECT "ID" FROM "APP"."STAFF" ORDER BY "ID" LIMIT 1 OFFSET {boss}), "BOSS")"#,
                dice.below(1000)
            )
        },
        rekey: |_| String::new(),
    },
    Table {
        name: "DOCS",
        columns: r#""ID" numeric(9) PRIMARY KEY, "REGION" numeric(3) NOT NULL, "BODY" text, "CONTENT" bytea"#,
        inserted: r#""ID", "REGION", "BODY", "CONTENT""#,
        key: &["ID"],
        local: None,
        values: |number, dice| {
            format!(
                "{number}, {}, repeat('body {} ', {}), NULL",
                region(dice),
                dice.below(1000),
                dice.below(2000)
            )
        },
        change: |dice| {
            format!(
                r#""BODY" = repeat('body {} ', {}), "CONTENT" = sha256('{}')"#,
                dice.below(1000),
                dice.below(3000),
                dice.below(1000)
            )
        },
        rekey: |number| format!(r#""ID" = {number}"#),
    },
    Table {
        name: "NOTES",
        columns: r#""ID" numeric(9) PRIMARY KEY, "REGION" numeric(3) NOT NULL, "NOTE" varchar(60)"#,
        inserted: r#""ID", "REGION", "NOTE""#,
        key: &["ID"],
        local: Some(
            "CREATE TABLE app.notes (id integer PRIMARY KEY, region integer NOT NULL, note varchar(20))",
        ),
        values: |number, dice| format!("{number}, {}, 'note {}'", region(dice), dice.below(1000)),
        change: |dice| format!(r#""NOTE" = 'note {}'"#, dice.below(1000)),
        rekey: |number| format!(r#""ID" = {number}"#),
    },
];

fn region(dice: &mut Dice) -> u64 {
    dice.between(1, 20)
}

/// The text part of a key: blanks, quotes and letters of other alphabets are as good as any.
fn code(number: u64) -> String {
    match number % 4 {
        0 => format!("'c{number}'"),
        1 => format!("' {number} '"),
        2 => format!("'é|{number}'"),
        _ => format!("'it''s {number}'"),
    }
}

/// Which rows of a table a shard follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Slice {
    All,
    Upto(u64),
    Above(u64),
}

impl Slice {
    /// The condition, with the column as the side that is asked calls it.
    pub fn condition(self, region: &str) -> Option<String> {
        match self {
            Slice::All => None,
            Slice::Upto(limit) => Some(format!("{region} <= {limit}")),
            Slice::Above(limit) => Some(format!("{region} > {limit}")),
        }
    }
}
