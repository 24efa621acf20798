//! A test bed: one source that plays Oracle, and the shards that follow it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use postgres::Client;

use crate::artifacts::{self, Flavour};
use crate::calls::{Call, StandinFolder};
use crate::cluster::{Cluster, SUPERUSER};
use crate::compare::Pair;
use crate::mining;
use crate::watch;
use crate::workload;
use crate::world::World;

/// Database that plays Oracle.
pub const SOURCE_DATABASE: &str = "oracle";
/// Owner of everything a shard follows; not a superuser.
pub const OWNER: &str = "app_owner";
/// Password of the shards' accounts at the source: it protects nothing but is what postgres_fdw asks for.
pub const PASSWORD: &str = "scratch";

/// How long a shard of a test may take to load its tables.
const CATCH_UP: Duration = Duration::from_secs(60);

pub struct Bed {
    pub source: Cluster,
    pub shards: Vec<Shard>,
}

pub struct Shard {
    pub cluster: Cluster,
    pub database: String,
    standin: StandinFolder,
}

/// Names and values of a server's settings.
pub type Set<'a> = &'a [(&'a str, String)];

/// Settings beyond those that every scratch cluster has.
#[derive(Clone, Copy, Default)]
pub struct Settings<'a> {
    pub source: Set<'a>,
    pub shard: Set<'a>,
}

/// What a bed has beyond the contract's views and calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// None: the test makes its own.
    None,
    /// The functions that make the demo's tables and change them.
    Demo,
    /// The same, on a source that is mined by the packages of sql/oracle.
    Mined,
    /// The same in topology ROOT: a container whose redo is read in CDB$ROOT.
    MinedInRoot,
}

impl Bed {
    /// Starts the source and `shards` shards, up to the user mapping: `create_source` is the test's own step.
    pub fn start(world: &World, name: &str, shards: usize, tables: Tables) -> Result<Self> {
        Self::start_with(world, name, shards, tables, Settings::default())
    }

    /// The same, with settings of the servers.
    pub fn start_with(
        world: &World,
        name: &str,
        shards: usize,
        tables: Tables,
        settings: Settings,
    ) -> Result<Self> {
        let mut bed = Self {
            source: start_source(world, name, tables, settings.source)?,
            shards: Vec::new(),
        };
        for number in 1..=shards {
            let shard = Shard::start(world, &bed.source, name, number, settings.shard)?;
            bed.shards.push(shard);
        }
        Ok(bed)
    }

    /// A session on the source, as its superuser.
    pub fn source(&self) -> Result<Client> {
        self.source.connect(SOURCE_DATABASE, SUPERUSER)
    }

    /// A session on a shard, as superuser. Shards count from 0.
    pub fn shard(&self, shard: usize) -> Result<Client> {
        self.shards[shard].connect(SUPERUSER)
    }

    /// A session on a shard, as the owner of the source.
    pub fn owner(&self, shard: usize) -> Result<Client> {
        self.shards[shard].connect(OWNER)
    }

    /// Publishes what is committed at the source; gives the number of new portions.
    pub fn publish(&self) -> Result<u64> {
        workload::publish(&mut self.source()?)
    }

    /// Runs statements at the source and commits them.
    pub fn at_source(&self, statements: &str) -> Result<()> {
        self.source()?
            .batch_execute(statements)
            .with_context(|| format!("at the source: {statements}"))
    }

    /// Makes the source `main` of a shard, as its owner.
    pub fn create_source(&self, shard: usize) -> Result<()> {
        let name = &self.shards[shard].database;
        self.owner(shard)?
            .execute("SELECT orapull.create_source('main', 'ora', $1)", &[name])?;
        Ok(())
    }

    /// Follows a table, as the owner; `more` are further arguments of add_table, as SQL.
    pub fn add_table(&self, shard: usize, remote: &str, more: &str) -> Result<()> {
        let comma = if more.is_empty() { "" } else { ", " };
        let sql = format!("SELECT orapull.add_table('main', $1{comma}{more})");
        self.owner(shard)?
            .execute(&sql, &[&remote])
            .with_context(|| format!("cannot add {remote}"))?;
        Ok(())
    }

    /// Publishes what is committed until all tables of a shard are followed and everything is applied and acked.
    pub fn catch_up(&self, shard: usize) -> Result<()> {
        let mut client = self.shard(shard)?;
        self.eventually("all tables are followed", CATCH_UP, || {
            self.publish()?;
            let sql = "SELECT coalesce(bool_and(state = 'following' AND wished <> 'resync'), false) FROM orapull.tables";
            Ok(client.query_one(sql, &[])?.get(0))
        })?;
        self.publish()?;
        self.owner(shard)?
            .execute("SELECT orapull.pull_now('main')", &[])
            .context("pull_now failed")?;
        Ok(())
    }

    /// Waits until the answer is yes; the text says what should have come true.
    pub fn eventually(
        &self,
        what: &str,
        timeout: Duration,
        question: impl FnMut() -> Result<bool>,
    ) -> Result<()> {
        watch::eventually(what, timeout, question)
            .map_err(|error| error.context(self.as_operators_see_it()))
    }

    /// State of all sources and tables, for the text of a failure.
    pub fn as_operators_see_it(&self) -> String {
        let told = (0..self.shards.len()).map(|shard| {
            let rows = self.shard(shard).and_then(|mut client| {
                let sql = "SELECT concat_ws(' ', source, state, sqlstate, message) FROM orapull.status
                           UNION ALL SELECT concat_ws(' ', relation, state, reason, held, wished) FROM orapull.tables
                           UNION ALL (SELECT what FROM orapull.events ORDER BY event_id DESC LIMIT 5)";
                let rows = client.query(sql, &[])?;
                Ok(rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>())
            });
            match rows {
                Ok(rows) => format!("shard {}: {}", shard + 1, rows.join("; ")),
                Err(error) => format!("shard {}: {error:#}", shard + 1),
            }
        });
        told.chain([self.at_work()]).collect::<Vec<_>>().join("\n")
    }

    /// Sessions of the source that are not idle, and who blocks them.
    fn at_work(&self) -> String {
        let sql = "SELECT concat_ws(' ', pid, application_name, state, wait_event, pg_blocking_pids(pid), now() - xact_start,
                                    left(query, 200))
                   FROM pg_stat_activity WHERE datname IS NOT NULL AND state <> 'idle' AND pid <> pg_backend_pid()";
        let rows = self
            .source()
            .and_then(|mut source| Ok(source.query(sql, &[])?));
        match rows {
            Ok(rows) => rows
                .iter()
                .map(|row| format!("source: {}", row.get::<_, String>(0)))
                .collect::<Vec<_>>()
                .join("\n"),
            Err(error) => format!("source: {error:#}"),
        }
    }

    /// Fails with the first differing rows unless the shard has exactly the rows of the source; gives their number.
    pub fn identical(&self, shard: usize, pair: &Pair) -> Result<u64> {
        let comparison = pair.compare(&mut self.source()?, &mut self.shard(shard)?)?;
        if !comparison.differences.is_empty() {
            bail!(
                "shard {} is not the same as the source:\n{}",
                shard + 1,
                comparison.differences.join("\n")
            );
        }
        Ok(comparison.rows)
    }

    /// Stops a shard as a power cut does, and starts it again.
    pub fn crash_shard(&self, shard: usize) -> Result<()> {
        self.shards[shard].cluster.crash()
    }

    /// Adds a fault rule to the stand-in of a shard.
    pub fn fault(&self, shard: usize, rule: &str) -> Result<()> {
        self.shards[shard].standin.add_fault(rule)
    }

    /// How many of them have not happened yet.
    pub fn faults_left(&self, shard: usize) -> Result<usize> {
        self.shards[shard].standin.faults_left()
    }

    pub fn clear_faults(&self, shard: usize) -> Result<()> {
        self.shards[shard].standin.clear_faults()
    }

    /// Whether the source has an ack of everything that it has published.
    pub fn has_acked_all(&self, shard: usize) -> Result<bool> {
        let sql = r#"SELECT s."ACKED_PORTION" = n."LAST_PORTION" FROM "ORAPULL"."SHARD" AS s, "ORAPULL"."SOURCE" AS n
                     WHERE s."SHARD" = $1"#;
        let name = &self.shards[shard].database;
        Ok(self.source()?.query_one(sql, &[name])?.get(0))
    }

    /// What a shard has called at the source so far.
    pub fn calls(&self, shard: usize) -> Vec<Call> {
        self.shards[shard].standin.calls()
    }

    /// The ends of all logs, for a person who looks for the reason of a failure.
    pub fn logs(&self) -> String {
        self.ends_of_logs(40)
    }

    /// The last lines of each log.
    pub fn ends_of_logs(&self, lines: usize) -> String {
        let shards = self.shards.iter().map(|shard| &shard.cluster);
        shards
            .chain([&self.source])
            .map(|cluster| cluster.log_tail(lines))
            .collect()
    }

    /// A bed as it was at its start: a source installed anew and without tables, empty databases of the shards.
    pub fn renew(&self) -> Result<()> {
        for shard in &self.shards {
            shard.standin.clear_faults()?;
            let mut admin = shard.cluster.connect("postgres", SUPERUSER)?;
            for statement in [
                "ALTER SYSTEM RESET ALL",
                "SELECT pg_reload_conf()",
                &format!("DROP DATABASE {} WITH (FORCE)", shard.database),
            ] {
                admin.batch_execute(statement)?;
            }
        }
        // After the workers of the shards, which would come back and wait for what is made anew.
        self.at_source(
            r#"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'shard_';
               SELECT "TEST"."REINSTALL"();
               DELETE FROM "ORAPULL"."TYPE_OVERRIDE";
               DROP SCHEMA IF EXISTS "APP" CASCADE"#,
        )?;
        for (number, shard) in (1..).zip(&self.shards) {
            shard.prepare(&self.source, number)?;
        }
        Ok(())
    }
}

impl Shard {
    fn start(
        world: &World,
        source: &Cluster,
        bed: &str,
        number: usize,
        settings: Set,
    ) -> Result<Self> {
        let mut cluster =
            world.shard_cluster(Flavour::Product, &format!("{bed}-shard{number}"), settings)?;
        let standin = StandinFolder::create(cluster.folder.join("oci"), cluster.server.account())?;
        cluster.set_environment("OCI_STANDIN_DIR", standin.path());
        cluster.start()?;
        let database = format!("shard{number}");
        let shard = Self {
            cluster,
            database,
            standin,
        };
        shard
            .cluster
            .connect("postgres", SUPERUSER)?
            .batch_execute(&format!("CREATE ROLE {OWNER} LOGIN"))?;
        shard.prepare(source, number)?;
        Ok(shard)
    }

    fn connect(&self, user: &str) -> Result<Client> {
        self.cluster.connect(&self.database, user)
    }

    /// What a DBA does before `create_source`: database, extensions, foreign server, user mapping, rights.
    fn prepare(&self, source: &Cluster, number: usize) -> Result<()> {
        self.cluster
            .connect("postgres", SUPERUSER)?
            .batch_execute(&format!("CREATE DATABASE {}", self.database))?;
        let port = source.port;
        self.connect(SUPERUSER)?
            .batch_execute(&format!(
                "CREATE EXTENSION postgres_fdw;
                 CREATE EXTENSION orapull;
                 CREATE SCHEMA app AUTHORIZATION {OWNER};
                 CREATE SERVER ora FOREIGN DATA WRAPPER postgres_fdw
                     OPTIONS (host '127.0.0.1', port '{port}', dbname '{SOURCE_DATABASE}',
                              use_remote_estimate 'false');
                 GRANT USAGE ON FOREIGN SERVER ora TO {OWNER};
                 CREATE USER MAPPING FOR {OWNER} SERVER ora
                     OPTIONS (user 'shard{number}', password '{PASSWORD}');
                 GRANT USAGE ON SCHEMA orapull TO {OWNER};
                 GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA orapull TO {OWNER};"
            ))
            .with_context(|| {
                format!(
                    "cannot prepare shard {number}\n{}",
                    self.cluster.log_tail(20)
                )
            })
    }
}

/// Starts a source by itself.
pub fn start_source(
    world: &World,
    bed: &str,
    tables: Tables,
    settings: &[(&str, String)],
) -> Result<Cluster> {
    let name = format!("{bed}-source");
    let source = match tables {
        Tables::None => start_database(world, &name, &["scripted"], settings)?,
        Tables::Demo => start_database(world, &name, &["scripted", "demo"], settings)?,
        Tables::Mined | Tables::MinedInRoot => mining::start_source(world, &name, settings)?,
    };
    let mut client = source.connect(SOURCE_DATABASE, SUPERUSER)?;
    if tables == Tables::MinedInRoot {
        mining::move_to_root(&mut client)?;
    }
    for role in ["shard1", "shard2"] {
        client.batch_execute(&format!(
            "CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}' IN ROLE orapull_shard"
        ))?;
    }
    Ok(source)
}

/// Starts a cluster whose database has what is in these folders of pg_test/oracle.
pub fn start_database(
    world: &World,
    name: &str,
    folders: &[&str],
    settings: &[(&str, String)],
) -> Result<Cluster> {
    let cluster = world.plain_cluster(name, settings)?;
    cluster.start()?;
    cluster
        .connect("postgres", SUPERUSER)?
        .batch_execute(&format!("CREATE DATABASE {SOURCE_DATABASE}"))?;
    let scripts = artifacts::repository().join("pg_test/oracle");
    for folder in folders {
        load(&cluster, &scripts.join(folder))?;
    }
    Ok(cluster)
}

/// Runs the SQL files of a folder, in the order of their names.
pub fn load(cluster: &Cluster, folder: &Path) -> Result<()> {
    load_into(cluster, SOURCE_DATABASE, folder)
}

pub fn load_into(cluster: &Cluster, database: &str, folder: &Path) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<_> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sql"));
    files.sort();
    files
        .iter()
        .try_for_each(|file| run_file_in(cluster, database, file))
}

/// Runs one SQL file and what it includes.
pub fn run_file(cluster: &Cluster, file: &Path) -> Result<()> {
    run_file_in(cluster, SOURCE_DATABASE, file)
}

pub fn run_file_in(cluster: &Cluster, database: &str, file: &Path) -> Result<()> {
    run_file_with(cluster, database, file, &[])
}

/// With variables of psql, as NAME=VALUE.
pub fn run_file_with(
    cluster: &Cluster,
    database: &str,
    file: &Path,
    variables: &[&str],
) -> Result<()> {
    let mut psql = cluster.psql(database);
    psql.env("PGOPTIONS", "-c client_min_messages=warning")
        .args(variables.iter().flat_map(|variable| ["-v", variable]))
        .arg("-f")
        .arg(file);
    let output = psql.output().context("cannot run psql")?;
    if !output.status.success() {
        bail!(
            "{} failed:\n{}",
            file.display(),
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(())
}
