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
const OWNER: &str = "ORAPULL";
/// Jobs, and whose procedures they run.
const JOBS: &str = r#"
SELECT j."JOB_NAME", j."SECONDS", n.nspname::text
FROM "SYS"."JOB" AS j
JOIN pg_catalog.pg_proc AS p ON p.proname = j."JOB_ACTION"
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace"#;
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

/// From now on LogMiner runs in CDB$ROOT alone, and the source is a container of that database.
pub fn move_to_root(owner: &mut Client) -> Result<()> {
    const MOVE: &str = r#"
UPDATE "ORAPULL"."SETTING" SET "TOPOLOGY" = 'ROOT', "PDB_NAME" = 'PDB1';
INSERT INTO "C##ORAPULL"."SETTING" ("PDB_NAME", "COLUMN_PREFIX") VALUES ('PDB1', 'PDB1:');
SELECT "TEST"."CONTAINER"('PDB1')"#;
    owner
        .batch_execute(MOVE)
        .context("CDB$ROOT cannot be set up")
}

/// The log writer, and the scheduler with the jobs that START_MINING makes, each in a session of its own.
pub struct Jobs {
    all: Background,
    /// Those of CDB$ROOT, which others wait for.
    readers: Background,
}

impl Jobs {
    pub fn start(source: &Cluster) -> Result<Self> {
        let mut dba = source.connect(SOURCE_DATABASE, SUPERUSER)?;
        dba.batch_execute(r#"CALL "ORAPULL"."START_MINING"()"#)
            .context("START_MINING failed")?;
        if is_in_root(&mut dba)? {
            dba.batch_execute(r#"CALL "C##ORAPULL"."START_READING"()"#)
                .context("START_READING failed")?;
        }
        let (mut all, mut readers) = (Background::new(), Background::new());
        let mut writer = source.connect(SOURCE_DATABASE, SUPERUSER)?;
        all.spawn(move || {
            writer
                .execute(r#"SELECT "TEST"."WRITE_REDO"()"#, &[])
                .context("the log writer failed")?;
            std::thread::sleep(WRITE_EVERY);
            Ok(0)
        });
        for row in dba.query(JOBS, &[])? {
            let (job, seconds, owner): (String, i32, String) = (row.get(0), row.get(1), row.get(2));
            let pause = SECOND * seconds.unsigned_abs();
            let mut session = source.connect(SOURCE_DATABASE, SUPERUSER)?;
            let side = if owner == OWNER {
                &mut all
            } else {
                &mut readers
            };
            side.spawn(move || {
                run(&mut session, &owner, &job).with_context(|| format!("job {job}"))?;
                std::thread::sleep(pause);
                Ok(0)
            });
        }
        Ok(Self { all, readers })
    }

    /// Waits until each has ended what it is doing.
    pub fn stop(self) -> Result<()> {
        self.all.stop()?;
        self.readers.stop().map(|_| ())
    }
}

fn is_in_root(dba: &mut Client) -> Result<bool> {
    let sql = r#"SELECT "TOPOLOGY" = 'ROOT' FROM "ORAPULL"."SETTING""#;
    Ok(dba.query_one(sql, &[])?.get(0))
}

/// One run of a job, unless it is not to run. Jobs handle errors of their steps themselves; any other ends the test.
fn run(session: &mut Client, owner: &str, job: &str) -> Result<()> {
    let action: Option<String> = session
        .query_one(r#"SELECT "TEST"."JOB_BEGINS"($1)"#, &[&job])?
        .get(0);
    let Some(action) = action else {
        return Ok(());
    };
    let outcome = session.batch_execute(&format!("CALL {}.{}()", quoted(owner), quoted(&action)));
    session.execute(
        r#"SELECT "TEST"."JOB_ENDS"($1, $2)"#,
        &[&job, &outcome.is_err()],
    )?;
    Ok(outcome?)
}
