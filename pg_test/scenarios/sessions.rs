//! What a server, a database or a role configures does not reach the sessions of workers.

use anyhow::Result;

use super::Scenario;
use super::backlog;
use super::items::{self, SOON};
use super::steps;
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[Scenario {
    name: "sessions/settings_of_a_database_do_not_count",
    shards: 1,
    tables: Tables::None,
    run: settings_of_a_database_do_not_count,
}];

/// Names, what a database says, and what holds.
const PINNED: [(&str, &str, &str); 12] = [
    ("synchronous_commit", "off", "on"),
    ("session_replication_role", "origin", "replica"),
    (
        "default_transaction_isolation",
        "serializable",
        "read committed",
    ),
    ("default_transaction_read_only", "on", "off"),
    ("search_path", "app", "pg_catalog, pg_temp"),
    ("statement_timeout", "'1h'", "0"),
    ("idle_in_transaction_session_timeout", "'1h'", "0"),
    ("row_security", "on", "off"),
    ("TimeZone", "'Asia/Tokyo'", "UTC"),
    ("DateStyle", "SQL, DMY", "ISO, DMY"),
    ("extra_float_digits", "-15", "1"),
    ("bytea_output", "escape", "hex"),
];

fn settings_of_a_database_do_not_count(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    steps::at_shard(
        bed,
        "CREATE TABLE app.seen (setting text, value text, isolation text);
         CREATE FUNCTION app.look() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             INSERT INTO app.seen
             SELECT name, setting, current_setting('transaction_isolation') FROM pg_catalog.pg_settings;
             RETURN NULL;
         END $$;
         CREATE TRIGGER look AFTER UPDATE ON app.items EXECUTE FUNCTION app.look();
         ALTER TABLE app.items ENABLE ALWAYS TRIGGER look",
    )?;
    let (mut shard, database) = (bed.shard(0)?, &bed.shards[0].database);
    for (setting, value, _) in PINNED {
        shard.batch_execute(&format!(
            "ALTER DATABASE {database} SET {setting} = {value}"
        ))?;
    }
    backlog::ends(bed, backlog::PULLER)?;
    bed.eventually("the next puller has its session", SOON, || {
        let sql =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'orapull puller%'";
        Ok(items::number(&mut shard, sql)? == 1)
    })?;
    // For the sessions of this test.
    shard.batch_execute(&format!("ALTER DATABASE {database} RESET ALL"))?;
    // One of the server reaches sessions that are there.
    items::set(bed, "synchronous_commit", Some("off"))?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'changed' WHERE "ID" = 1"#)?;
    items::is_equal_and_acked(bed)?;
    for (setting, _, expected) in PINNED {
        let sql = format!(
            "SELECT string_agg(DISTINCT value, '; ') FROM app.seen WHERE setting = '{setting}'"
        );
        assert_eq!(
            items::text(&mut bed.shard(0)?, &sql)?,
            expected,
            "{setting}"
        );
    }
    let isolation = "SELECT string_agg(DISTINCT isolation, '; ') FROM app.seen";
    assert_eq!(
        items::text(&mut bed.shard(0)?, isolation)?,
        "read committed"
    );
    Ok(())
}
