//! Many tables of which a portion touches few.

use anyhow::Result;

use super::{Scenario, items, steps};
use crate::bed::{Bed, Tables};
use crate::statements::{self, names_of};

pub const SCENARIOS: &[Scenario] = &[Scenario {
    name: "many_tables/tables_without_pointers_cost_no_statement",
    shards: 1,
    tables: Tables::None,
    run: tables_without_pointers_cost_no_statement,
}];

const TOUCHED: usize = 3;
const OTHERS: usize = 27;

fn tables_without_pointers_cost_no_statement(bed: &Bed) -> Result<()> {
    statements::preload(bed)?;
    let touched: Vec<String> = (1..=TOUCHED).map(|n| format!("TOUCHED{n}")).collect();
    let others: Vec<String> = (1..=OTHERS).map(|n| format!("OTHER{n}")).collect();
    for name in touched.iter().chain(&others) {
        steps::captured_table(
            bed,
            name,
            r#""ID" numeric(9) PRIMARY KEY, "V" varchar(20)"#,
            "SELECT i, 'loaded' FROM generate_series(1, 5) AS i",
        )?;
    }
    bed.create_source(0)?;
    steps::at_shard(bed, "SELECT orapull.add_tables('main', 'APP.%')")?;
    bed.catch_up(0)?;
    // What an idle puller does now and then would be counted too.
    items::set(bed, "orapull.poll_interval", Some("1h"))?;
    steps::pull(bed)?;
    for name in &touched {
        bed.at_source(&format!(r#"UPDATE "APP"."{name}" SET "V" = 'changed'"#))?;
    }
    bed.publish()?;
    let ran = statements::of_turns(bed, 0)?;

    let mut shard = bed.shard(0)?;
    let here = names_of(&mut shard, "remote_table LIKE 'TOUCHED%'")?;
    for at_source in [false, true] {
        assert!(
            ran.iter()
                .any(|statement| statement.at_source == at_source && statement.is_about(&here)),
            "the statements of tables with pointers were counted: {ran:#?}"
        );
    }
    let names = names_of(&mut shard, "remote_table LIKE 'OTHER%'")?;
    for statement in &ran {
        assert!(!statement.is_about(&names), "{statement:?}");
        // A statement that takes the table as a parameter names none.
        let often = i64::try_from(OTHERS)?;
        assert!(statement.calls < often, "{statement:?}");
    }
    for name in &touched {
        let relation = format!("app.{}", name.to_lowercase());
        assert_eq!(bed.identical(0, &steps::pair(name, &relation))?, 5);
    }
    Ok(())
}
