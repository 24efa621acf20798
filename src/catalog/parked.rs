//! orapull.parked_row: identities that are held or parked, and what was asked of them.

use crate::error::Error;
use crate::pull::statement;
use crate::source::control::Identity;
use crate::sql::{self, Row};

/// ROWID and K1..K8 in nine columns from `first` on.
pub fn identity(row: &Row, first: usize) -> Result<Identity, Error> {
    let mut identity = Identity {
        row_id: row.optional(first)?,
        keys: Default::default(),
    };
    for (i, key) in identity.keys.iter_mut().enumerate() {
        *key = row.optional(first + 1 + i)?;
    }
    Ok(identity)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Held,
    Suspected,
    FetchAgain,
    Parked,
}

impl Reason {
    fn as_str(self) -> &'static str {
        match self {
            Reason::Held => "held",
            Reason::Suspected => "suspected",
            Reason::FetchAgain => "fetch again",
            Reason::Parked => "parked",
        }
    }
}

/// Holds the identities of the staged pointers of one table.
pub fn hold(target: i32, remote_id: i64, reason: Reason) -> Result<u64, Error> {
    sql::execute_saved(
        &statement::hold(),
        &[remote_id.into(), target.into(), reason.as_str().into()],
    )
}

/// Seconds before a parked row is tried again; doubled with each failure.
const FIRST_RETRY: f64 = 10.0;

/// Parks one identity, with the error if there is one.
pub fn park(
    target: i32,
    identity: &Identity,
    reason: Reason,
    error: Option<&Error>,
) -> Result<(), Error> {
    let wait = if error.is_some() { FIRST_RETRY } else { 0.0 };
    let mut args = vec![target.into(), identity.row_id.as_deref().into()];
    args.extend(identity.keys.iter().map(|key| key.as_deref().into()));
    args.extend([
        reason.as_str().into(),
        error.map(|e| e.sqlstate().to_owned()).into(),
        error.map(|e| e.to_string()).into(),
        wait.into(),
    ]);
    sql::execute(&statement::park(), &args)?;
    Ok(())
}

/// Deletes what a portion has applied.
pub fn unpark(target: i32, remote_id: i64) -> Result<(), Error> {
    if any(target)? {
        for statement in statement::unpark() {
            sql::execute_saved(&statement, &[remote_id.into(), target.into()])?;
        }
    }
    Ok(())
}

fn any(target: i32) -> Result<bool, Error> {
    let found = sql::first(
        r#"SELECT FROM "orapull"."parked_row" WHERE "target_id" = $1 LIMIT 1"#,
        &[target.into()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// The first of these targets that has something to ask, found by one statement however many they are.
pub fn first_due(targets: Vec<i32>) -> Result<Option<i32>, Error> {
    sql::first(
        r#"SELECT t."target_id" FROM unnest($1::integer[]) WITH ORDINALITY t ("target_id", "n")
           CROSS JOIN LATERAL (
               SELECT FROM "orapull"."parked_row" h
               WHERE h."target_id" = t."target_id" AND h."asked_scn" IS NULL
                 AND h."next_attempt" <= (SELECT clock_timestamp())
               LIMIT 1
           ) h
           ORDER BY t."n" LIMIT 1"#,
        &[targets.into()],
        |row| row.get(1),
    )
}

/// Identities that are due to be asked, and under which numbers they stand.
pub struct Due {
    pub identities: Vec<Identity>,
    pub asked: Vec<(Vec<u8>, i64)>,
}

pub fn due(target: i32, limit: i64) -> Result<Due, Error> {
    let rows = sql::query(
        r#"SELECT "digest", "seq", "row_id", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"
           FROM "orapull"."parked_row"
           WHERE "target_id" = $1 AND "asked_scn" IS NULL AND "next_attempt" <= clock_timestamp()
           ORDER BY "next_attempt" LIMIT $2"#,
        &[target.into(), limit.into()],
        |row| {
            Ok((
                (row.get::<Vec<u8>>(1)?, row.get::<i64>(2)?),
                identity(row, 3)?,
            ))
        },
    )?;
    let (asked, identities) = rows.into_iter().unzip();
    Ok(Due { identities, asked })
}

/// Has parked rows asked now.
pub fn make_due(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."parked_row" SET "next_attempt" = clock_timestamp()
           WHERE "target_id" = $1 AND "reason" = 'parked' AND "asked_scn" IS NULL"#,
        &[target.into()],
    )?;
    Ok(())
}

/// How many rows of a target are parked.
pub fn parked(target: i32) -> Result<i64, Error> {
    let parked = sql::first(
        r#"SELECT count(*) FROM "orapull"."parked_row"
           WHERE "target_id" = $1 AND "reason" = 'parked' AND "asked_scn" IS NULL"#,
        &[target.into()],
        |row| row.get::<i64>(1),
    )?;
    Ok(parked.unwrap_or(0))
}

/// Notes that a request was applied: its rows go when the source has mined past `scn`. A row that
/// was held or parked again meanwhile has another number and stays.
pub fn asked(
    target: i32,
    asked: &[(Vec<u8>, i64)],
    scn: i64,
    started_at: &str,
) -> Result<(), Error> {
    let (digests, numbers): (Vec<Vec<u8>>, Vec<i64>) = asked.iter().cloned().unzip();
    sql::execute(
        r#"UPDATE "orapull"."parked_row" h SET "asked_scn" = $4, "asked_started_at" = $5::timestamp
           FROM unnest($2::bytea[], $3::bigint[]) a ("digest", "seq")
           WHERE h."target_id" = $1 AND h."digest" = a."digest" AND h."seq" = a."seq""#,
        &[
            target.into(),
            digests.into(),
            numbers.into(),
            scn.into(),
            started_at.into(),
        ],
    )?;
    Ok(())
}

/// Deletes rows that were asked and that no crash of the source can take back; asks the others
/// again if the source was started since.
pub fn settle(source: i32, mined_scn: i64, started_at: &str) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."parked_row" SET "asked_scn" = NULL, "asked_started_at" = NULL
           WHERE "asked_scn" IS NOT NULL AND "asked_started_at" <> $2::timestamp
             AND "target_id" IN (SELECT "target_id" FROM "orapull"."target" WHERE "source_id" = $1)"#,
        &[source.into(), started_at.into()],
    )?;
    sql::execute(
        r#"DELETE FROM "orapull"."parked_row" WHERE "asked_scn" < $2
             AND "target_id" IN (SELECT "target_id" FROM "orapull"."target" WHERE "source_id" = $1)"#,
        &[source.into(), mined_scn.into()],
    )?;
    Ok(())
}

/// Whether rows of a target wait for a request, other than parked ones.
pub fn backlog(target: i32) -> Result<bool, Error> {
    let found = sql::first(
        r#"SELECT FROM "orapull"."parked_row" WHERE "target_id" = $1 AND "reason" <> 'parked' LIMIT 1"#,
        &[target.into()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Forgets what is held of a target that will be loaded again; rows with an error stay.
pub fn forget(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"DELETE FROM "orapull"."parked_row" WHERE "target_id" = $1 AND "reason" <> 'parked'"#,
        &[target.into()],
    )?;
    Ok(())
}

/// How many rows of a target are held.
pub fn held(target: i32) -> Result<i64, Error> {
    Ok(sql::first(
        r#"SELECT count(*) FROM "orapull"."parked_row" WHERE "target_id" = $1"#,
        &[target.into()],
        |row| row.get::<i64>(1),
    )?
    .unwrap_or(0))
}
