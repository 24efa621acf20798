//! The account that runs the servers: PostgreSQL refuses to run as root.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

/// Who runs servers and owns their files.
#[derive(Clone, Copy)]
pub struct Account {
    /// User and group to change to; `None`: the servers run as the caller.
    ids: Option<(u32, u32)>,
}

impl Account {
    pub fn for_servers() -> Result<Self> {
        if !is_root() {
            return Ok(Self { ids: None });
        }
        let accounts = fs::read_to_string("/etc/passwd").context("cannot read /etc/passwd")?;
        let ids = accounts
            .lines()
            .find_map(ids_of_postgres)
            .context("PostgreSQL does not run as root and there is no user postgres")?;
        Ok(Self { ids: Some(ids) })
    }

    /// A command that runs as this account, out of reach of the terminal's Ctrl-C: the harness stops the servers
    /// itself, in order.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = without_pg_variables(program);
        command.current_dir("/").process_group(0);
        // With a backtrace, pgrx fills the DETAIL of every error.
        command
            .env_remove("RUST_BACKTRACE")
            .env("LC_ALL", "C.UTF-8");
        // `cargo run` puts target folders into it, where a server would find libraries that it was not given.
        command.env_remove("LD_LIBRARY_PATH");
        if let Some((user, group)) = self.ids {
            command.uid(user).gid(group);
        }
        command
    }

    /// Makes this account the owner of a file or folder.
    pub fn give(&self, path: &Path) -> Result<()> {
        if let Some((user, group)) = self.ids {
            chown(path, Some(user), Some(group))
                .with_context(|| format!("cannot change the owner of {}", path.display()))?;
        }
        Ok(())
    }

    /// Its name, for the commands that are printed.
    pub fn prefix_for_shell(&self) -> &'static str {
        if self.ids.is_some() {
            "sudo -u postgres "
        } else {
            ""
        }
    }
}

/// A command that does not know which server the person at the keyboard has chosen for psql.
pub fn without_pg_variables(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PG") {
            command.env_remove(name);
        }
    }
    command
}

pub fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0)
}

fn ids_of_postgres(line: &str) -> Option<(u32, u32)> {
    let mut fields = line.split(':');
    if fields.next()? != "postgres" {
        return None;
    }
    let user = fields.nth(1)?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    Some((user, group))
}

#[cfg(test)]
mod tests {
    use super::ids_of_postgres;

    #[test]
    fn only_the_line_of_postgres_gives_ids() {
        assert_eq!(
            ids_of_postgres("postgres:x:104:109:,,,:/var/lib/postgresql:/bin/bash"),
            Some((104, 109))
        );
        assert_eq!(ids_of_postgres("postgresql:x:104:109::/:/bin/sh"), None);
    }
}
