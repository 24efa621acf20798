//! A source whose changes are mined and published by the packages of sql/oracle, translated, and what DBMS_SCHEDULER
//! and the log writer do in Oracle.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use postgres::Client;
use postgres::error::SqlState;

use crate::artifacts;
use crate::bed::{self, SOURCE_DATABASE, Set};
use crate::cluster::{Cluster, SUPERUSER};
use crate::oracle_side::{self, listed};
use crate::workload::Background;
use crate::world::World;

/// An SCN of the stand-in is one redo record, so both numbers are small.
const SETTING: &str =
    r#"INSERT INTO "ORAPULL"."SETTING" ("SEAM_SCN", "SCAN_MAX_SCN") VALUES (30, 20000)"#;
/// As many as SETTING.PARALLEL_SCANS lets run.
const SCAN_JOBS: usize = 2;
const WRITE_EVERY: Duration = Duration::from_millis(50);
/// How long a job with nothing to do sleeps; the scheduler runs it every second.
const IDLE: Duration = Duration::from_millis(100);

/// Starts a source with the demo's functions; mining has begun, its jobs do not run yet.
pub fn start_source(world: &World, name: &str, settings: Set) -> Result<Cluster> {
    let statements =
        oracle_side::translate()?.map_err(|refusals| anyhow!("refused:\n{}", listed(&refusals)))?;
    let cluster = world.oracle_cluster(name, settings)?;
    cluster.start()?;
    let mut admin = cluster.connect("postgres", SUPERUSER)?;
    admin.batch_execute(&format!("CREATE DATABASE {SOURCE_DATABASE}"))?;
    oracle_side::load(&cluster, SOURCE_DATABASE, &statements)?;
    let scripts = artifacts::repository().join("pg_test/oracle");
    bed::load(&cluster, &scripts.join("demo"))?;
    for file in ["grants.sql", "scripted/95_settings.sql"] {
        bed::run_file(&cluster, &scripts.join(file))?;
    }
    let mut owner = cluster.connect(SOURCE_DATABASE, SUPERUSER)?;
    owner.batch_execute(SETTING)?;
    owner
        .batch_execute(r#"CALL "SOURCE"."START_AT"()"#)
        .context("mining cannot be started")?;
    Ok(cluster)
}

/// The log writer and the jobs, each in a session of its own.
pub struct Jobs {
    all: Background,
}

impl Jobs {
    pub fn start(source: &Cluster) -> Result<Self> {
        let mut all = Background::new();
        let mut writer = source.connect(SOURCE_DATABASE, SUPERUSER)?;
        all.spawn(move || {
            writer
                .execute(r#"SELECT "TEST"."WRITE_REDO"()"#, &[])
                .context("the log writer failed")?;
            std::thread::sleep(WRITE_EVERY);
            Ok(0)
        });
        let mut coordinator = source.connect(SOURCE_DATABASE, SUPERUSER)?;
        all.spawn(move || coordinate(&mut coordinator));
        for _ in 0..SCAN_JOBS {
            let mut session = source.connect(SOURCE_DATABASE, SUPERUSER)?;
            let key = session_key(&mut session)?;
            all.spawn(move || scan(&mut session, &key));
        }
        Ok(Self { all })
    }

    /// Waits until each has ended what it is doing.
    pub fn stop(self) -> Result<()> {
        self.all.stop().map(|_| ())
    }
}

/// One step of RUN_COORDINATOR.
fn coordinate(session: &mut Client) -> Result<u64> {
    let step: String = session
        .query_one(r#"SELECT "COORDINATOR"."NEXT_STEP"()"#, &[])
        .context("NEXT_STEP failed")?
        .get(0);
    if step == "IDLE" {
        std::thread::sleep(IDLE);
        return Ok(0);
    }
    if let Err(error) = session.execute(r#"CALL "COORDINATOR"."PERFORM"($1)"#, &[&step]) {
        let failure = Failure::of(error)?;
        session
            .execute(
                r#"CALL "COORDINATOR"."FAILED"($1, ora.sqlcode($2), ora.sqlerrm($2, $3))"#,
                &[&step, &failure.state, &failure.message],
            )
            .with_context(|| format!("{step} failed: {}", failure.message))?;
    }
    Ok(0)
}

/// One run of RUN_SCAN.
fn scan(session: &mut Client, key: &str) -> Result<u64> {
    let mut taken = None;
    if let Err(error) = take_and_scan(session, key, &mut taken) {
        let failure = Failure::of(error)?;
        session
            .execute(
                r#"CALL "MINER"."FAIL"($1::text::numeric, $2, ora.sqlcode($3), ora.sqlerrm($3, $4))"#,
                &[&taken, &key, &failure.state, &failure.message],
            )
            .with_context(|| format!("a scan failed: {}", failure.message))?;
    }
    if taken.is_none() {
        std::thread::sleep(IDLE);
    }
    Ok(0)
}

fn take_and_scan(
    session: &mut Client,
    key: &str,
    taken: &mut Option<String>,
) -> Result<(), postgres::Error> {
    *taken = session
        .query_one(r#"SELECT "MINER"."TAKE_SCAN"($1)::text"#, &[&key])?
        .get(0);
    if taken.is_some() {
        for step in ["MINE", "FINISH_SCAN"] {
            let sql = format!(r#"CALL "MINER"."{step}"($1::text::numeric, $2)"#);
            session.execute(&sql, &[taken, &key])?;
        }
    }
    Ok(())
}

fn session_key(session: &mut Client) -> Result<String> {
    let sql = r#"SELECT concat_ws(',', "SID", "SERIAL#", 1) FROM "SYS"."V$SESSION" WHERE "SID" = pg_backend_pid()"#;
    Ok(session.query_one(sql, &[])?.get(0))
}

/// An error of the database, which the packages are told; anything else ends the job.
struct Failure {
    state: String,
    message: String,
}

impl Failure {
    fn of(error: postgres::Error) -> Result<Self> {
        let Some(found) = error.as_db_error() else {
            return Err(error).context("a job lost its session");
        };
        let lost = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN];
        if lost.contains(found.code()) {
            return Err(error).context("a job was ended");
        }
        Ok(Self {
            state: found.code().code().to_owned(),
            message: found.message().to_owned(),
        })
    }
}
