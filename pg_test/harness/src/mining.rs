//! A source whose changes are mined and published by the packages of sql/oracle, translated, and what DBMS_SCHEDULER
//! and the log writer do in Oracle.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use postgres::Client;

use crate::artifacts;
use crate::bed::{self, SOURCE_DATABASE, Set};
use crate::cluster::{Cluster, SUPERUSER};
use crate::compare::quoted;
use crate::oracle_side::{self, listed};
use crate::workload::Background;
use crate::world::World;

/// An SCN of the stand-in is one redo record, so both numbers are small.
const SETTING: &str =
    r#"INSERT INTO "ORAPULL"."SETTING" ("SEAM_SCN", "SCAN_MAX_SCN") VALUES (30, 20000)"#;
const WRITE_EVERY: Duration = Duration::from_millis(50);
/// A second of the scheduler: here time is short.
const SECOND: Duration = Duration::from_millis(50);

/// Starts a source with the demo's functions; mining has begun, its jobs do not run yet.
pub fn start_source(world: &World, name: &str, settings: Set) -> Result<Cluster> {
    let parts =
        oracle_side::translate()?.map_err(|refusals| anyhow!("refused:\n{}", listed(&refusals)))?;
    let cluster = world.oracle_cluster(name, settings)?;
    cluster.start()?;
    let mut admin = cluster.connect("postgres", SUPERUSER)?;
    admin.batch_execute(&format!("CREATE DATABASE {SOURCE_DATABASE}"))?;
    oracle_side::load(&cluster, SOURCE_DATABASE, &parts)?;
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

/// The log writer, and the scheduler with the jobs that START_MINING makes, each in a session of its own.
pub struct Jobs {
    all: Background,
}

impl Jobs {
    pub fn start(source: &Cluster) -> Result<Self> {
        let mut dba = source.connect(SOURCE_DATABASE, SUPERUSER)?;
        dba.batch_execute(r#"CALL "ORAPULL"."START_MINING"()"#)
            .context("START_MINING failed")?;
        let mut all = Background::new();
        let mut writer = source.connect(SOURCE_DATABASE, SUPERUSER)?;
        all.spawn(move || {
            writer
                .execute(r#"SELECT "TEST"."WRITE_REDO"()"#, &[])
                .context("the log writer failed")?;
            std::thread::sleep(WRITE_EVERY);
            Ok(0)
        });
        for row in dba.query(r#"SELECT "JOB_NAME", "SECONDS" FROM "SYS"."JOB""#, &[])? {
            let (job, seconds): (String, i32) = (row.get(0), row.get(1));
            let pause = SECOND * seconds.unsigned_abs();
            let mut session = source.connect(SOURCE_DATABASE, SUPERUSER)?;
            all.spawn(move || {
                run(&mut session, &job).with_context(|| format!("job {job}"))?;
                std::thread::sleep(pause);
                Ok(0)
            });
        }
        Ok(Self { all })
    }

    /// Waits until each has ended what it is doing.
    pub fn stop(self) -> Result<()> {
        self.all.stop().map(|_| ())
    }
}

/// One run of a job, unless it is not to run. Jobs handle errors of their steps themselves; any other ends the test.
fn run(session: &mut Client, job: &str) -> Result<()> {
    let action: Option<String> = session
        .query_one(r#"SELECT "TEST"."JOB_BEGINS"($1)"#, &[&job])?
        .get(0);
    let Some(action) = action else {
        return Ok(());
    };
    let outcome = session.batch_execute(&format!(r#"CALL "ORAPULL".{}()"#, quoted(&action)));
    session.execute(
        r#"SELECT "TEST"."JOB_ENDS"($1, $2)"#,
        &[&job, &outcome.is_err()],
    )?;
    Ok(outcome?)
}
