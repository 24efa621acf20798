//! What is there after CREATE EXTENSION.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

use super::Scenario;
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "install/the_version_is_the_one_of_the_crate",
        shards: 1,
        tables: Tables::None,
        run: the_version_is_the_one_of_the_crate,
    },
    Scenario {
        name: "install/without_preloading_every_way_says_what_to_set",
        shards: 1,
        tables: Tables::None,
        run: without_preloading_every_way_says_what_to_set,
    },
    Scenario {
        name: "install/an_interrupted_demo_leaves_nothing",
        shards: 0,
        tables: Tables::None,
        run: an_interrupted_demo_leaves_nothing,
    },
];

fn the_version_is_the_one_of_the_crate(bed: &Bed) -> Result<()> {
    let row = bed.shard(0)?.query_one(
        "SELECT extversion FROM pg_extension WHERE extname = 'orapull'",
        &[],
    )?;
    // The workspace has one version, which cargo-pgrx writes into the control file.
    assert_eq!(row.get::<_, &str>(0), env!("CARGO_PKG_VERSION"));
    Ok(())
}

/// A server that does not preload the library has no launcher: nothing would ever be followed.
fn without_preloading_every_way_says_what_to_set(bed: &Bed) -> Result<()> {
    bed.create_source(0)?;
    bed.shard(0)?
        .batch_execute("ALTER SYSTEM SET shared_preload_libraries = 'plpgsql'")?;
    bed.crash_shard(0)?;
    for statement in [
        "SELECT orapull.create_source('other', 'ora', 'shard1')",
        "SELECT * FROM orapull.status",
        "SELECT orapull.stop_workers('shard1')",
        "DROP EXTENSION orapull CASCADE; CREATE EXTENSION orapull",
    ] {
        let error = bed.shard(0)?.batch_execute(statement).expect_err(statement);
        let error = error.as_db_error().expect("PostgreSQL refuses");
        assert_eq!(error.code().code(), "55000", "{statement}: {error}");
        let text = format!("{} {}", error.message(), error.hint().unwrap_or_default());
        assert!(
            text.contains("shared_preload_libraries"),
            "{statement}: {text}"
        );
    }
    Ok(())
}

/// Beside this run, in which other clusters go on.
fn an_interrupted_demo_leaves_nothing(bed: &Bed) -> Result<()> {
    let mut demo = Command::new(std::env::current_exe()?)
        .args(["demo", "--rows", "1000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start the demo")?;
    let folder = PathBuf::from(format!("/tmp/orapull.{}", demo.id()));
    let servers = || -> Result<usize> {
        let Ok(entries) = folder.read_dir() else {
            return Ok(0);
        };
        let found =
            entries.filter(|entry| entry.as_ref().is_ok_and(|entry| is_running(&entry.path())));
        Ok(found.count())
    };
    bed.eventually("the demo has servers", Duration::from_secs(120), || {
        Ok(servers()? > 1)
    })?;
    // As Ctrl-C does it.
    Command::new("kill")
        .args(["-INT", &demo.id().to_string()])
        .status()?;
    let ended = demo.wait()?;
    assert_eq!(ended.code(), Some(130), "128 and the number of SIGINT");
    assert!(!folder.exists(), "{} was left", folder.display());
    Ok(())
}

fn is_running(cluster: &Path) -> bool {
    cluster.join("data/postmaster.pid").exists()
}
