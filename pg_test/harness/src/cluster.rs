//! One scratch PostgreSQL cluster: its folder, its server process, sessions on it.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use postgres::{Client, NoTls};

use crate::account;
use crate::install::Server;

/// The superuser of every scratch cluster. On the unix socket everyone is trusted, because only the account of the
/// servers gets into the folder; over TCP a password is needed, as postgres_fdw wants it for other users.
pub const SUPERUSER: &str = "postgres";

const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
timezone = 'UTC'
log_timezone = 'UTC'
fsync = off
shared_buffers = '128MB'
max_connections = 60
max_wal_size = '2GB'
jit = off
log_line_prefix = '%m [%p] %b %d '
logging_collector = off
";

/// How a server is stopped.
#[derive(Clone, Copy)]
pub enum Stop {
    /// As after a power cut: no checkpoint, recovery at the next start.
    Immediate,
    /// In order.
    Fast,
}

/// Makes the data folder of an empty cluster, to be copied for each cluster of the run.
pub fn initdb(server: &Server, name: &str) -> Result<PathBuf> {
    let data = server.scratch.path().join(name);
    let mut initdb = server.program("initdb");
    initdb
        .args([
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--username",
            SUPERUSER,
        ])
        .args([
            "--auth-local=trust",
            "--auth-host=scram-sha-256",
            "--pgdata",
        ])
        .arg(&data);
    quietly(&mut initdb).context("initdb failed")?;
    append(&data.join("postgresql.conf"), SETTINGS)?;
    Ok(data)
}

/// A copy of the empty cluster, with settings of its own, not started yet.
pub fn create(
    server: &Arc<Server>,
    template: &Path,
    name: &str,
    settings: &[(&str, String)],
) -> Result<Cluster> {
    let folder = server.scratch.folder(name)?;
    let data = folder.join("data");
    quietly(
        server
            .account()
            .command("cp")
            .arg("-a")
            .arg(template)
            .arg(&data),
    )
    .with_context(|| format!("cannot copy the template of cluster {name}"))?;
    let port = free_port()?;
    let mut text = format!(
        "port = {port}\nunix_socket_directories = '{}'\n",
        folder.display()
    );
    for (setting, value) in settings {
        writeln!(text, "{setting} = '{}'", value.replace('\'', "''"))?;
    }
    append(&data.join("postgresql.conf"), &text)?;
    Ok(Cluster {
        name: name.to_owned(),
        server: server.clone(),
        folder,
        data,
        port,
        environment: Vec::new(),
    })
}

pub struct Cluster {
    pub name: String,
    pub server: Arc<Server>,
    /// The folder of its socket, its log and its data.
    pub folder: PathBuf,
    pub data: PathBuf,
    pub port: u16,
    environment: Vec<(String, PathBuf)>,
}

impl Cluster {
    /// Sets a variable of the server's environment from the next start on.
    pub fn set_environment(&mut self, name: &str, value: &Path) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    pub fn log_file(&self) -> PathBuf {
        self.folder.join("log")
    }

    pub fn start(&self) -> Result<()> {
        self.server
            .scratch
            .will_run(&self.server.path_of("pg_ctl"), &self.data);
        let mut command = self.pg_ctl("start");
        command.args(["-w", "-t", "60", "-l"]).arg(self.log_file());
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        quietly(&mut command).map_err(|error| {
            anyhow!(
                "cluster {} does not start: {error:#}\n{}",
                self.name,
                self.log_tail(40)
            )
        })
    }

    pub fn stop(&self, how: Stop) -> Result<()> {
        let mode = match how {
            Stop::Immediate => "immediate",
            Stop::Fast => "fast",
        };
        quietly(self.pg_ctl("stop").args(["-w", "-t", "60", "-m", mode])).map_err(|error| {
            anyhow!(
                "cluster {} does not stop: {error:#}\n{}",
                self.name,
                self.log_tail(40)
            )
        })
    }

    /// Stops it as a power cut does, and starts it again.
    pub fn crash(&self) -> Result<()> {
        self.stop(Stop::Immediate)?;
        self.start()
    }

    pub fn is_running(&self) -> bool {
        self.data.join("postmaster.pid").exists()
    }

    /// A session over the unix socket.
    pub fn connect(&self, database: &str, user: &str) -> Result<Client> {
        postgres::Config::new()
            .host_path(&self.folder)
            .port(self.port)
            .dbname(database)
            .user(user)
            .application_name("harness")
            .connect(NoTls)
            .with_context(|| {
                format!(
                    "cannot connect to {database} of cluster {} as {user}",
                    self.name
                )
            })
    }

    /// psql over the unix socket; it stops at the first error. It runs as the caller, who can read the repository.
    pub fn psql(&self, database: &str) -> Command {
        let mut command = account::without_pg_variables(self.server.path_of("psql"));
        command.args([
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-U",
            SUPERUSER,
            "-d",
            database,
        ]);
        command
            .arg("-h")
            .arg(&self.folder)
            .arg("-p")
            .arg(self.port.to_string());
        command
    }

    /// What a person types to get a session.
    pub fn psql_for_shell(&self, database: &str, user: &str) -> String {
        format!(
            "{}psql -h {} -p {} -U {user} {database}",
            self.server.account().prefix_for_shell(),
            self.folder.display(),
            self.port
        )
    }

    /// What a person types to stop it.
    pub fn stop_for_shell(&self) -> String {
        format!(
            "{}{} stop -m fast -D {}",
            self.server.account().prefix_for_shell(),
            self.server.path_of("pg_ctl").display(),
            self.data.display()
        )
    }

    /// The last lines of the server's log.
    pub fn log_tail(&self, lines: usize) -> String {
        let text = fs::read(self.log_file()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let all: Vec<&str> = text.lines().collect();
        let last = &all[all.len().saturating_sub(lines)..];
        format!(
            "--- end of the log of {} ---\n{}\n",
            self.name,
            last.join("\n")
        )
    }

    fn pg_ctl(&self, what: &str) -> Command {
        let mut command = self.server.program("pg_ctl");
        command.arg(what).arg("-D").arg(&self.data);
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.server.scratch.is_kept() {
            return;
        }
        if self.is_running() {
            // A failure here is dealt with when the scratch folder goes.
            let _ = self.stop(Stop::Immediate);
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Runs a command whose output matters only when it fails.
fn quietly(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        bail!("{}", String::from_utf8_lossy(&text).trim_end());
    }
    Ok(())
}

/// A port that nobody listens on, below those the system gives to outgoing connections, so that it is still free when
/// a server starts again after a crash. Runs begin at different places, so that two at a time do not meet.
fn free_port() -> Result<u16> {
    const FIRST: u16 = 20_000;
    const COUNT: u16 = 12_000;
    static TRIED: AtomicU16 = AtomicU16::new(0);
    let start = (std::process::id().wrapping_mul(61) % u32::from(COUNT)) as u16;
    for _ in 0..COUNT {
        let tried = TRIED.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (start + tried) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no free TCP port on 127.0.0.1")
}

fn append(file: &Path, text: &str) -> Result<()> {
    fs::OpenOptions::new()
        .append(true)
        .open(file)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn a_cluster_comes_back_after_a_crash_with_what_was_committed() -> Result<()> {
        let world = World::create()?;
        let cluster = world.plain_cluster("crash", &[("work_mem", "5MB".into())])?;
        cluster.start()?;
        cluster
            .connect("postgres", SUPERUSER)?
            .batch_execute("CREATE TABLE t AS SELECT 1 AS a")?;
        cluster.crash()?;
        let mut client = cluster.connect("postgres", SUPERUSER)?;
        let row = client.query_one(
            "SELECT a, current_setting('work_mem'), current_setting('data_directory') FROM t",
            &[],
        )?;
        assert_eq!((row.get::<_, i32>(0), row.get::<_, &str>(1)), (1, "5MB"));
        assert!(row.get::<_, &str>(2).starts_with("/tmp/orapull."));
        let folder = cluster.folder.clone();
        drop(cluster);
        assert!(
            !folder.exists(),
            "a cluster that is dropped leaves nothing behind"
        );
        Ok(())
    }
}
