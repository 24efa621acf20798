//! What the machine must have before anything can be built or started.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};

use crate::account;
use crate::install;

/// The cargo-pgrx that fits the `pgrx` of the extension: another one refuses to build it.
const CARGO_PGRX: &str = "0.18.1";

const LISTS: &str = "/var/lib/apt/lists";
const LISTS_ARE_OLD_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// A Debian package and a file by which its presence is known, wherever it came from.
struct Package {
    name: &'static str,
    present: fn() -> bool,
}

const PACKAGES: &[Package] = &[
    Package {
        name: "postgresql-15",
        present: || server_file("postgres"),
    },
    Package {
        name: "postgresql-server-dev-15",
        present: server_headers,
    },
    Package {
        name: "postgresql-15-plpgsql-check",
        present: || server_extension("plpgsql_check"),
    },
    Package {
        name: "python3-venv",
        present: makes_python_environments,
    },
    Package {
        name: "clang",
        present: || on_path("clang"),
    },
    Package {
        name: "libclang-dev",
        present: || any_exists("/usr/lib", "llvm", "lib/libclang.so"),
    },
    // By which `--keep` says how to look at what is left.
    Package {
        name: "sudo",
        present: || on_path("sudo"),
    },
    Package {
        name: "libpq-dev",
        present: || Path::new("/usr/include/postgresql/libpq-fe.h").exists(),
    },
];

/// Something is missing that only the person at the keyboard can install.
#[derive(Debug)]
pub struct Missing {
    pub command: String,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "something is missing on this machine; please type\n\n    {}\n",
            self.command
        )
    }
}

impl std::error::Error for Missing {}

/// Installs what is missing when that is allowed (root on Debian or Ubuntu); otherwise says what to type.
pub fn ensure() -> Result<()> {
    let missing: Vec<&str> = PACKAGES
        .iter()
        .filter(|package| !(package.present)())
        .map(|package| package.name)
        .collect();
    let need_pgrx = !has_cargo_pgrx();
    if missing.is_empty() && !need_pgrx {
        return Ok(());
    }
    let may_install = account::is_root() && on_path("apt-get");
    if !missing.is_empty() && !may_install {
        bail!(Missing {
            command: command_to_type(&missing, need_pgrx)
        });
    }
    if !missing.is_empty() {
        install_packages(&missing)?;
    }
    if need_pgrx {
        install_cargo_pgrx()?;
    }
    Ok(())
}

/// `pg_config` of the server that the extension is built for.
pub fn pg_config() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("ORAPULL_PG_CONFIG") {
        return Ok(PathBuf::from(path));
    }
    let debian = Path::new("/usr/lib/postgresql/15/bin/pg_config");
    if debian.exists() {
        return Ok(debian.to_owned());
    }
    find_on_path("pg_config").context(
        "no pg_config of PostgreSQL 15 found; set ORAPULL_PG_CONFIG to the one of your server",
    )
}

fn command_to_type(missing: &[&str], need_pgrx: bool) -> String {
    let mut command = format!(
        "sudo apt-get update && sudo apt-get install -y {}",
        missing.join(" ")
    );
    if need_pgrx {
        command += &format!(" && cargo install cargo-pgrx --locked --version ={CARGO_PGRX}");
    }
    command
}

fn install_packages(missing: &[&str]) -> Result<()> {
    println!("installing packages: {}", missing.join(" "));
    if lists_are_old() {
        run(Command::new("apt-get").args(["update", "-qq"]))?;
    }
    // Without this, Debian's package creates and starts a cluster of its own.
    let no_cluster = Path::new("/etc/postgresql-common/createcluster.conf");
    if !no_cluster.exists() {
        fs::create_dir_all("/etc/postgresql-common")?;
        fs::write(no_cluster, "create_main_cluster = false\n")?;
    }
    run(Command::new("apt-get")
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(missing)
        .env("DEBIAN_FRONTEND", "noninteractive"))
}

fn install_cargo_pgrx() -> Result<()> {
    println!("installing cargo-pgrx {CARGO_PGRX} (some minutes)");
    run(Command::new("cargo")
        .args([
            "install",
            "cargo-pgrx",
            "--locked",
            "--version",
            &format!("={CARGO_PGRX}"),
        ])
        .env_remove("CARGO_TARGET_DIR"))
}

fn lists_are_old() -> bool {
    let newest = fs::read_dir(LISTS)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().contains("Packages"))
        .filter_map(|entry| entry.metadata().and_then(|data| data.modified()).ok())
        .max();
    match newest {
        Some(time) => SystemTime::now()
            .duration_since(time)
            .is_ok_and(|age| age > LISTS_ARE_OLD_AFTER),
        None => true,
    }
}

fn has_cargo_pgrx() -> bool {
    Command::new("cargo")
        .args(["pgrx", "--version"])
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(CARGO_PGRX))
}

fn server_file(name: &str) -> bool {
    pg_config().is_ok_and(|path| path.with_file_name(name).exists())
}

fn server_extension(name: &str) -> bool {
    let folder = pg_config().and_then(|path| install::ask(&path, "--sharedir"));
    folder.is_ok_and(|folder| folder.join(format!("extension/{name}.control")).exists())
}

fn makes_python_environments() -> bool {
    Command::new("python3")
        .args(["-c", "import ensurepip, venv"])
        .output()
        .is_ok_and(|output| output.status.success())
}

fn server_headers() -> bool {
    let Ok(path) = pg_config() else { return false };
    Command::new(path)
        .arg("--includedir-server")
        .output()
        .is_ok_and(|output| {
            Path::new(String::from_utf8_lossy(&output.stdout).trim())
                .join("postgres.h")
                .exists()
        })
}

fn any_exists(folder: &str, prefix: &str, below: &str) -> bool {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .any(|entry| entry.path().join(below).exists())
}

fn on_path(program: &str) -> bool {
    find_on_path(program).is_some()
}

fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed ({status})");
    }
    Ok(())
}
