//! The whole chain: triggers write redo, the packages of sql/oracle mine and publish it, shards follow.

use anyhow::Result;

use super::Scenario;
use crate::bed::{Bed, Tables};
use crate::demo::{self, Show};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "mined/two_shards_follow",
        shards: 2,
        tables: Tables::Mined,
        run: two_shards_follow,
    },
    Scenario {
        name: "mined/two_shards_follow_a_container_that_is_read_in_the_root",
        shards: 2,
        tables: Tables::MinedInRoot,
        run: two_shards_follow,
    },
];

fn two_shards_follow(bed: &Bed) -> Result<()> {
    let show = Show {
        rows: 1000,
        seconds: 5,
        live: false,
    };
    let proof = demo::follow(bed, &show)?;
    assert!(
        proof.differences.is_empty(),
        "{}",
        proof.differences.join("\n")
    );
    assert!(proof.changes > 0, "no change came through");
    Ok(())
}
