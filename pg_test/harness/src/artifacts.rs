//! Builds what the servers load: the extension and the stand-in for the OCI client library.
//!
//! Cargo itself skips what has not changed. The extension has a target folder of its own, because cargo-pgrx links
//! with other flags than cargo does, and alternating between the two in one folder rebuilds everything.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::packages;
use crate::progress;

/// Which of the extension's builds a server gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// As it ships.
    Product,
    /// With the tests that run inside a server, in schema `tests`.
    WithTests,
}

/// Names a copy of the sources that is built and tested instead of the repository that the harness came from.
pub const COPY: &str = "HARNESS_COPY_OF_SOURCES";

/// The root of the repository, or of the copy of it that is tested.
pub fn repository() -> PathBuf {
    std::env::var_os(COPY).map_or_else(origin, PathBuf::from)
}

/// The root of the repository that the harness came from.
pub fn origin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .components()
        .fold(PathBuf::new(), |mut path, component| {
            if component == Component::ParentDir {
                path.pop();
            } else {
                path.push(component);
            }
            path
        })
}

/// A cargo command for the extension: its target folder, and the server it is built for.
pub fn cargo_for_extension() -> Result<Command> {
    // One for all copies: another one would have the bindings to PostgreSQL built anew.
    let home = origin().join("target/pgrx-home");
    ensure_pgrx_home(&home)?;
    let mut command = cargo();
    command
        .env("PGRX_HOME", home)
        .env("CARGO_TARGET_DIR", repository().join("target/pgrx"));
    Ok(command)
}

/// A cargo command for the other packages of the workspace.
pub fn cargo() -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(repository())
        .env_remove("RUST_BACKTRACE");
    // What a failing build says is shown in a report.
    command
        .env("CARGO_TERM_COLOR", "never")
        .env("NO_COLOR", "1");
    // Set by the `cargo run` that started the harness; they would make every build look different from a typed one.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Builds the extension and copies it below `root`, to where the server of `pg_config` has its files.
pub fn package_extension(flavour: Flavour, root: &Path) -> Result<()> {
    let mut command = cargo_for_extension()?;
    command
        .args(["pgrx", "package", "--pg-config"])
        .arg(packages::pg_config()?)
        .arg("--out-dir")
        .arg(root);
    if flavour == Flavour::WithTests {
        command.args(["--features", "pg_test"]);
    }
    progress::build("the extension", &mut command)
}

/// Builds the stand-in and gives its library.
pub fn build_standin() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--release", "--package", "oci_standin"]);
    progress::build("the OCI stand-in", &mut command)?;
    let library = target_folder().join("release/libclntsh.so");
    if !library.exists() {
        bail!("the build of oci_standin left no {}", library.display());
    }
    Ok(library)
}

/// Builds the library for sessions of a server that plays Oracle, and gives it.
pub fn build_ora_backend() -> Result<PathBuf> {
    let mut command = cargo_for_extension()?;
    command
        .args(["build", "--release", "--package", "ora_backend"])
        .args(["--no-default-features", "--features", "pg15"])
        // As cargo-pgrx sets it: what it has compiled for the extension is used again.
        .env("RUSTFLAGS", "-C link-arg=-Wl,--no-gc-sections");
    progress::build("the library of the Oracle side", &mut command)?;
    Ok(repository().join("target/pgrx/release/libora_backend.so"))
}

/// Where cargo builds the harness and the stand-in.
pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository().join("target"), PathBuf::from)
}

/// cargo-pgrx wants to be told once which servers there are.
fn ensure_pgrx_home(home: &Path) -> Result<()> {
    let pg_config = packages::pg_config()?;
    let known = fs::read_to_string(home.join("config.toml")).unwrap_or_default();
    if known.contains(&format!("{:?}", pg_config.display().to_string())) {
        return Ok(());
    }
    fs::create_dir_all(home).with_context(|| format!("cannot create {}", home.display()))?;
    let mut command = cargo();
    command
        .args(["pgrx", "init", "--pg15"])
        .arg(pg_config)
        .env("PGRX_HOME", home);
    progress::build("the configuration of cargo-pgrx", &mut command)
}
