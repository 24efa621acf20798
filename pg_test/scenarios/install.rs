//! What is there after CREATE EXTENSION.

use anyhow::Result;

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
