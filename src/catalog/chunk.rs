//! orapull.load_chunk and orapull.seen_row: the progress of a load.

use crate::catalog::target::Target;
use crate::error::Error;
use crate::sql;

/// Notes a plan: its chunks, all still to be read. Called with the state row locked.
pub fn plan(target: i32, generation: i64, plan_id: i64, chunks: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "plan_id" = $2, "chunks" = $3 WHERE "target_id" = $1"#,
        &[target.into(), plan_id.into(), chunks.into()],
    )?;
    sql::execute(
        r#"INSERT INTO "orapull"."load_chunk" ("target_id", "generation", "chunk")
           SELECT $1, $2, c FROM generate_series(1, $3) c"#,
        &[target.into(), generation.into(), chunks.into()],
    )?;
    Ok(())
}

/// Forgets the plan of a load, which the source does not know any more. Called with the state row locked.
pub fn forget_plan(target: i32) -> Result<(), Error> {
    sql::execute(
        r#"UPDATE "orapull"."target_state" SET "plan_id" = NULL, "chunks" = NULL WHERE "target_id" = $1"#,
        &[target.into()],
    )?;
    sql::execute(
        r#"DELETE FROM "orapull"."load_chunk" WHERE "target_id" = $1"#,
        &[target.into()],
    )?;
    Ok(())
}

/// Chunks of a load that are still to be read.
pub fn open(target: i32, generation: i64) -> Result<Vec<i32>, Error> {
    sql::query(
        r#"SELECT "chunk" FROM "orapull"."load_chunk"
           WHERE "target_id" = $1 AND "generation" = $2 AND "applied_scn" IS NULL ORDER BY "chunk""#,
        &[target.into(), generation.into()],
        |row| row.get(1),
    )
}

/// Stands for what no chunk of a resync saw. Chunks are numbered from 1.
pub const LEFTOVER: i32 = 0;

/// A resync whose chunks are all done: what none of them saw is still to be held.
const AT_ITS_END: &str = r#"s."state" = 'loading' AND s."resync" AND s."plan_id" IS NOT NULL
    AND NOT EXISTS (SELECT FROM "orapull"."load_chunk" c WHERE c."target_id" = s."target_id"
        AND c."generation" = s."generation" AND (NOT c."done" OR c."chunk" = 0))"#;

/// Whether only that is left to do.
pub fn is_at_its_end(target: i32) -> Result<bool, Error> {
    let found = sql::first(
        &format!(
            r#"SELECT FROM "orapull"."target_state" s WHERE s."target_id" = $1 AND {AT_ITS_END}"#
        ),
        &[target.into()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Whether the present load of a target has not ended: it is not planned, a chunk is not done, or
/// what a resync did not see is still to be asked. A plan that is forgotten meanwhile has no chunks
/// either: who acts on the answer confirms the target after it.
pub fn unfinished(target: &Target) -> Result<bool, Error> {
    if target.generation == 0 {
        return Ok(false);
    }
    if target.plan_id.is_none() || target.resync {
        return Ok(true);
    }
    let found = sql::first(
        r#"SELECT FROM "orapull"."load_chunk"
           WHERE "target_id" = $1 AND "generation" = $2 AND NOT "done" LIMIT 1"#,
        &[target.id.into(), target.generation.into()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// How much loaders of a source have to do: chunks that are still to be read, and ends of resyncs.
pub fn open_of_source(source: i32) -> Result<usize, Error> {
    let open = sql::first(
        &format!(
            r#"SELECT (SELECT count(*) FROM "orapull"."load_chunk" c
                       JOIN "orapull"."target_state" s USING ("target_id", "generation")
                       JOIN "orapull"."target" t USING ("target_id")
                       WHERE t."source_id" = $1 AND s."state" = 'loading' AND c."applied_scn" IS NULL)
                    + (SELECT count(*) FROM "orapull"."target_state" s JOIN "orapull"."target" t USING ("target_id")
                       WHERE t."source_id" = $1 AND {AT_ITS_END})"#
        ),
        &[source.into()],
        |row| row.get::<i64>(1),
    )?;
    Ok(open.unwrap_or(0) as usize)
}

/// Notes that a chunk was applied, in the transaction of its rows. False: another loader was first.
pub fn applied(
    target: i32,
    generation: i64,
    chunk: i32,
    rows: i64,
    scn: i64,
    started_at: &str,
) -> Result<bool, Error> {
    let changed = sql::execute(
        r#"UPDATE "orapull"."load_chunk" SET "rows" = $4, "applied_scn" = $5, "applied_at" = clock_timestamp(),
               "started_at" = $6::timestamp
           WHERE "target_id" = $1 AND "generation" = $2 AND "chunk" = $3 AND "applied_scn" IS NULL"#,
        &[
            target.into(),
            generation.into(),
            chunk.into(),
            rows.into(),
            scn.into(),
            started_at.into(),
        ],
    )?;
    Ok(changed == 1)
}

/// How far a load is.
#[derive(Debug, PartialEq, Eq)]
pub enum Load {
    /// Chunks are still to be read, or the source has not mined past them yet.
    Open,
    /// All chunks are in, and no crash of the source can take back what they read.
    Done,
    /// The source was started again before it had mined past a chunk.
    Doubtful,
}

/// Sets `done` where the source has mined past the chunk, and says how far the load is. Like
/// [`unfinished`], an answer for one who confirms the target after it.
pub fn settle(
    target: i32,
    generation: i64,
    mined_scn: i64,
    started_at: &str,
) -> Result<Load, Error> {
    let doubtful = sql::first(
        r#"SELECT EXISTS (SELECT FROM "orapull"."load_chunk" WHERE "target_id" = $1 AND "generation" = $2
               AND NOT "done" AND "applied_scn" IS NOT NULL AND "started_at" <> $3::timestamp)"#,
        &[target.into(), generation.into(), started_at.into()],
        |row| row.get::<bool>(1),
    )?;
    if doubtful == Some(true) {
        return Ok(Load::Doubtful);
    }
    sql::execute(
        r#"UPDATE "orapull"."load_chunk" SET "done" = true
           WHERE "target_id" = $1 AND "generation" = $2 AND NOT "done" AND "applied_scn" <= $3"#,
        &[target.into(), generation.into(), mined_scn.into()],
    )?;
    let open = sql::first(
        r#"SELECT EXISTS (SELECT FROM "orapull"."load_chunk"
               WHERE "target_id" = $1 AND "generation" = $2 AND NOT "done")"#,
        &[target.into(), generation.into()],
        |row| row.get::<bool>(1),
    )?;
    Ok(if open == Some(true) {
        Load::Open
    } else {
        Load::Done
    })
}

/// Keeps what a chunk of a resync saw. Reads the temporary table `seen`, which is the superuser's.
pub fn keep_seen(target: i32, generation: i64) -> Result<(), Error> {
    sql::execute(
        r#"INSERT INTO "orapull"."seen_row" ("target_id", "generation", "digest")
           SELECT $1, $2, "digest" FROM pg_temp."seen""#,
        &[target.into(), generation.into()],
    )?;
    Ok(())
}

/// Puts what all chunks of a resync saw into the temporary table `seen`.
pub fn recall_seen(target: i32, generation: i64) -> Result<(), Error> {
    sql::execute("TRUNCATE pg_temp.\"seen\"", &[])?;
    sql::execute(
        r#"INSERT INTO pg_temp."seen" SELECT "digest" FROM "orapull"."seen_row"
           WHERE "target_id" = $1 AND "generation" = $2"#,
        &[target.into(), generation.into()],
    )?;
    Ok(())
}

/// Notes that what no chunk saw is held, in that transaction. Nothing was read at the source for it.
pub fn leftover_is_held(target: i32, generation: i64, rows: u64) -> Result<(), Error> {
    sql::execute(
        r#"INSERT INTO "orapull"."load_chunk"
               ("target_id", "generation", "chunk", "rows", "applied_scn", "applied_at", "done")
           VALUES ($1, $2, $3, $4, 0, clock_timestamp(), true)"#,
        &[
            target.into(),
            generation.into(),
            LEFTOVER.into(),
            (rows as i64).into(),
        ],
    )?;
    Ok(())
}

/// Forgets what a resync has seen, and all before it.
pub fn forget_seen(target: i32, generation: i64) -> Result<(), Error> {
    sql::execute(
        r#"DELETE FROM "orapull"."seen_row" WHERE "target_id" = $1 AND "generation" <= $2"#,
        &[target.into(), generation.into()],
    )?;
    Ok(())
}
