//! What is there after CREATE EXTENSION.

use anyhow::Result;

use super::Scenario;
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[Scenario {
    name: "install/the_version_is_the_one_of_the_crate",
    shards: 1,
    tables: Tables::None,
    run: the_version_is_the_one_of_the_crate,
}];

fn the_version_is_the_one_of_the_crate(bed: &Bed) -> Result<()> {
    let row = bed.shard(0)?.query_one(
        "SELECT extversion FROM pg_extension WHERE extname = 'orapull'",
        &[],
    )?;
    // The workspace has one version, which cargo-pgrx writes into the control file.
    assert_eq!(row.get::<_, &str>(0), env!("CARGO_PKG_VERSION"));
    Ok(())
}
