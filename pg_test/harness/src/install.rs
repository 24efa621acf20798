//! A PostgreSQL of the run's own.
//!
//! PostgreSQL finds its libraries and its share folder relative to its binary. So the installed server is copied to
//! the scratch folder, in its own layout, and the extension is added there: the system stays as it is, and two runs
//! never meet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use crate::account::Account;
use crate::artifacts::{self, Flavour};
use crate::packages;
use crate::scratch::Scratch;

/// A copy of the server, with or without the extension.
pub struct Server {
    pub scratch: Arc<Scratch>,
    bin: PathBuf,
    client_library_folder: PathBuf,
}

impl Server {
    /// Copies the installed server as it is.
    pub fn plain(scratch: &Arc<Scratch>, name: &str) -> Result<Self> {
        let root = scratch.folder(name)?;
        let pg_config = packages::pg_config()?;
        let mut bin = PathBuf::new();
        for what in ["--bindir", "--pkglibdir", "--sharedir"] {
            let original = ask(&pg_config, what)?;
            let copy = below(&root, &original);
            copy_tree(&original, &copy)?;
            if what == "--bindir" {
                bin = copy;
            }
        }
        Ok(Self {
            scratch: scratch.clone(),
            bin,
            client_library_folder: root.join("client"),
        })
    }

    /// Copies the installed server and adds the extension and the stand-in for the OCI client library.
    pub fn with_extension(scratch: &Arc<Scratch>, name: &str, flavour: Flavour) -> Result<Self> {
        let standin = artifacts::build_standin()?;
        let server = Self::plain(scratch, name)?;
        artifacts::package_extension(flavour, &scratch.path().join(name))?;
        fs::create_dir_all(&server.client_library_folder)?;
        fs::copy(&standin, server.client_library_folder.join("libclntsh.so"))
            .with_context(|| format!("cannot copy {}", standin.display()))?;
        Ok(server)
    }

    /// Copies the installed server and adds the library that lets it play Oracle.
    pub fn with_ora_backend(scratch: &Arc<Scratch>, name: &str) -> Result<Self> {
        let library = artifacts::build_ora_backend()?;
        let server = Self::plain(scratch, name)?;
        let libraries = ask(&packages::pg_config()?, "--pkglibdir")?;
        let copy = below(&scratch.path().join(name), &libraries).join("ora_backend.so");
        fs::copy(&library, copy).with_context(|| format!("cannot copy {}", library.display()))?;
        Ok(server)
    }

    pub fn account(&self) -> Account {
        self.scratch.account()
    }

    /// One of PostgreSQL's programs, run as the account of the servers.
    pub fn program(&self, name: &str) -> Command {
        self.account().command(self.path_of(name))
    }

    pub fn path_of(&self, program: &str) -> PathBuf {
        self.bin.join(program)
    }

    /// The folder with the stand-in's libclntsh.so.
    pub fn client_library_folder(&self) -> &Path {
        &self.client_library_folder
    }
}

/// What `pg_config` answers to one question.
pub fn ask(pg_config: &Path, what: &str) -> Result<PathBuf> {
    let output = Command::new(pg_config)
        .arg(what)
        .output()
        .with_context(|| format!("cannot run {}", pg_config.display()))?;
    if !output.status.success() {
        bail!("{} {what} failed", pg_config.display());
    }
    Ok(PathBuf::from(
        String::from_utf8_lossy(&output.stdout).trim(),
    ))
}

fn below(root: &Path, absolute: &Path) -> PathBuf {
    root.join(absolute.strip_prefix("/").unwrap_or(absolute))
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    let status = Command::new("cp")
        .arg("-a")
        .arg(from.join("."))
        .arg(to)
        .status()
        .context("cannot run cp")?;
    if !status.success() {
        bail!("copying {} failed", from.display());
    }
    Ok(())
}
