//! Random changes at the source: what an application does.

use super::dice::Dice;
use super::tables::{NOTES, SEATS, STAFF, TABLES, Table};

/// Kinds of changes, each as SQL of one transaction.
#[derive(Clone, Copy)]
enum Change {
    Insert,
    Update,
    Delete,
    /// Rows cross the filters.
    Cross,
    /// Rows get other keys, each the key that another one has just given up.
    Chain,
    /// Rows get other ROWIDs.
    Move,
    /// Another row at the place of a deleted one.
    TakePlace,
    /// A row goes and comes back with its key.
    ComeBack,
    /// Unique values go round among some rows.
    Rotate,
    /// A row is updated to a value that its table here has no room for.
    TooLong,
}

const CHANGES: [(Change, u64); 10] = [
    (Change::Insert, 20),
    (Change::Update, 25),
    (Change::Delete, 12),
    (Change::Cross, 15),
    (Change::Chain, 10),
    (Change::Move, 5),
    (Change::TakePlace, 5),
    (Change::ComeBack, 5),
    (Change::Rotate, 10),
    (Change::TooLong, 3),
];

/// What decides over changes: the dice, and numbers that no row has had yet.
pub struct Work {
    numbers: u64,
}

impl Work {
    pub fn new() -> Self {
        // Rows that are there from the beginning have numbers below.
        Self { numbers: 10_000 }
    }

    /// Statements of one transaction on some of the tables, without BEGIN and COMMIT.
    pub fn transaction(&mut self, dice: &mut Dice, among: &[usize]) -> String {
        let count = dice.between(1, 4);
        let changes: Vec<String> = (0..count).map(|_| self.change(dice, among)).collect();
        changes.join(";\n")
    }

    fn change(&mut self, dice: &mut Dice, among: &[usize]) -> String {
        let number = among[dice.index(among.len())];
        let table = &TABLES[number];
        let change = dice.weighted(&CHANGES).unwrap_or(Change::Update);
        // Mostly a few rows, now and then many.
        let rows = if dice.percent(10) {
            dice.between(20, 80)
        } else {
            dice.between(1, 5)
        };
        match change {
            Change::Insert => self.insert(table, rows, dice),
            Change::Delete => delete(table, number == STAFF, rows, dice),
            Change::Cross => {
                let step = dice.between(1, 19);
                update(
                    table,
                    &format!(r#""REGION" = 1 + ("REGION" + {step}) % 20"#),
                    rows,
                    dice,
                )
            }
            Change::Chain => self.chain(table, dice),
            Change::Move => update(
                table,
                r#""ROWID$" = "ORAPULL"."NEW_ROWID"()"#,
                rows.min(3),
                dice,
            ),
            Change::TakePlace => self.take_place(table, number == STAFF, dice),
            Change::ComeBack if number != STAFF => come_back(table, dice),
            Change::Rotate if number == SEATS => rotate(dice),
            Change::TooLong if number == NOTES => {
                update(table, r#""NOTE" = rpad('too long ', 33, '!')"#, 1, dice)
            }
            Change::Update | Change::ComeBack | Change::Rotate | Change::TooLong => {
                let set = table.change(dice);
                update(table, &set, rows, dice)
            }
        }
    }

    pub fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn insert(&mut self, table: &Table, rows: u64, dice: &mut Dice) -> String {
        let rows: Vec<String> = (0..rows)
            .map(|_| format!("({})", table.row(self.number(), dice)))
            .collect();
        format!(
            "INSERT INTO {} ({}) VALUES {}",
            table.remote(),
            table.inserted,
            rows.join(", ")
        )
    }

    /// 3 becomes new, 2 becomes 3, 1 becomes 2: each key is free when the next row takes it.
    fn chain(&mut self, table: &Table, dice: &mut Dice) -> String {
        let Some(free) = table.rekey(self.number()) else {
            return update(table, &table.change(dice), 1, dice);
        };
        let name = table.remote();
        let columns = table
            .key
            .iter()
            .map(|column| format!(r#""{column}""#))
            .collect::<Vec<_>>()
            .join(", ");
        let length = dice.between(1, 3);
        let links: String = (0..length)
            .map(|link| {
                format!(
                    r#";
                    UPDATE {name} SET ({columns}) = (SELECT {columns} FROM chain WHERE n = {link})
                    WHERE "ROWID$" = (SELECT "ROWID$" FROM chain WHERE n = {link} + 1)"#
                )
            })
            .collect();
        format!(
            r#"CREATE TEMP TABLE chain ON COMMIT DROP AS
                   SELECT row_number() OVER (ORDER BY "ROWID$") - 1 AS n, "ROWID$", {columns} FROM {name} WHERE {rows};
               UPDATE {name} SET {free} WHERE "ROWID$" = (SELECT "ROWID$" FROM chain WHERE n = 0){links};
               DROP TABLE chain"#,
            rows = some(table, length + 1, dice),
        )
    }

    fn take_place(&mut self, table: &Table, referenced: bool, dice: &mut Dice) -> String {
        if referenced {
            return self.insert(table, 1, dice);
        }
        let name = table.remote();
        format!(
            r#"CREATE TEMP TABLE place ON COMMIT DROP AS SELECT "ROWID$" FROM {name} WHERE {rows};
               DELETE FROM {name} WHERE "ROWID$" IN (SELECT "ROWID$" FROM place);
               INSERT INTO {name} ({columns}, "ROWID$") SELECT {values}, "ROWID$" FROM place;
               DROP TABLE place"#,
            rows = some(table, 1, dice),
            columns = table.inserted,
            values = table.row(self.number(), dice),
        )
    }
}

/// A condition that is true for some neighbouring rows, if there are any.
pub fn some(table: &Table, rows: u64, dice: &mut Dice) -> String {
    let name = table.remote();
    format!(
        r#""ROWID$" IN (SELECT "ROWID$" FROM {name} ORDER BY "ROWID$" LIMIT {rows}
                        OFFSET (SELECT {} % greatest(count(*), 1) FROM {name}))"#,
        dice.below(100_000)
    )
}

fn update(table: &Table, set: &str, rows: u64, dice: &mut Dice) -> String {
    format!(
        "UPDATE {} SET {set} WHERE {}",
        table.remote(),
        some(table, rows, dice)
    )
}

fn delete(table: &Table, referenced: bool, rows: u64, dice: &mut Dice) -> String {
    let name = table.remote();
    let free = if referenced {
        format!(r#" AND NOT EXISTS (SELECT FROM {name} s WHERE s."BOSS" = t."ID")"#)
    } else {
        String::new()
    };
    format!(
        "DELETE FROM {name} t WHERE {}{free}",
        some(table, rows, dice)
    )
}

/// The row comes back with another ROWID and another value.
fn come_back(table: &Table, dice: &mut Dice) -> String {
    let name = table.remote();
    format!(
        r#"CREATE TEMP TABLE gone ON COMMIT DROP AS SELECT {columns} FROM {name} WHERE {rows};
           DELETE FROM {name} WHERE {rows};
           INSERT INTO {name} ({columns}) SELECT {columns} FROM gone;
           DROP TABLE gone"#,
        columns = table.inserted,
        rows = some(table, 1, dice),
    )
}

fn rotate(dice: &mut Dice) -> String {
    let name = TABLES[SEATS].remote();
    let rows = dice.between(2, 4);
    format!(
        r#"WITH seats AS (
               SELECT "ID", "TAKEN_BY", row_number() OVER (ORDER BY "ID") AS n, count(*) OVER () AS seats
               FROM {name} WHERE {}
           )
           UPDATE {name} t SET "TAKEN_BY" = next."TAKEN_BY"
           FROM seats s JOIN seats next ON next.n = s.n % s.seats + 1 WHERE s."ID" = t."ID""#,
        some(&TABLES[SEATS], rows, dice)
    )
}
