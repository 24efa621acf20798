//! Names that a program quotes wrongly first: of the source, the shard, the server, the owner, schemas, tables, columns.

use anyhow::Result;
use postgres::Client;

use super::items::{self, SOON};
use super::{Scenario, scenario};
use crate::bed::{Bed, SOURCE_DATABASE};

pub const SCENARIOS: &[Scenario] = &[scenario(
    "names/any_name_is_only_a_name",
    any_name_is_only_a_name,
)];

const OWNER: &str = r#"Own"er 'Ü'; DROP ROLE app_owner; -- $1 %s {} \ 63 bytes, padd."#;
const SERVER: &str = r#"Ora"cle 'é'; DROP SERVER ora; -- $1 %s {} \ 63 bytes, padded. "#;
/// 55 bytes, for its schema is called so, with a prefix.
const SOURCE: &str = r#"Mä"in 'x'; DROP SCHEMA app; -- $1 %s {} \ 55 bytes... "#;
/// 30 bytes.
const SHARD: &str = r#"Sh"ard 'ß'; -- $1 %s {} \ 30."#;
/// Oracle has no double quotes in names.
const SCHEMA: &str = r#"Größe 'x'; DROP SCHEMA app; -- $1 %s {} \ 63 bytes, padded..."#;
const TABLE: &str = r#"Täble 'x'; DROP TABLE app; -- $1 %s {} \ 63 bytes, padded.... "#;
const COLUMN: &str = r#"Cölumn 'x'; SELECT 1; -- $1 %s {} \ 63 bytes, padded......... "#;

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn any_name_is_only_a_name(bed: &Bed) -> Result<()> {
    for (name, bytes) in [
        (OWNER, 63),
        (SERVER, 63),
        (SOURCE, 55),
        (SHARD, 30),
        (SCHEMA, 63),
        (TABLE, 63),
        (COLUMN, 63),
    ] {
        assert_eq!(name.len(), bytes, "{name}");
    }
    prepare(bed)?;
    let (cluster, database) = (&bed.shards[0].cluster, &bed.shards[0].database);
    let mut owner = cluster.connect(database, OWNER)?;
    let source = literal(SOURCE);
    owner.execute(
        "SELECT orapull.create_source($1, $2, $3)",
        &[&SOURCE, &SERVER, &SHARD],
    )?;
    let remote = format!("{}.{}", quoted(SCHEMA), quoted(TABLE));
    let filter = format!("{} <> 'left out'", quoted(COLUMN));
    owner.execute(
        "SELECT orapull.add_table($1, $2, filter => $3)",
        &[&SOURCE, &remote, &filter],
    )?;
    let follows = || {
        bed.eventually("both sides are equal", SOON, || {
            bed.publish()?;
            Ok(rows(bed.source()?, &filter)? == rows(bed.shard(0)?, "true")?)
        })
    };
    follows()?;
    let change = format!(
        r#"UPDATE {remote} SET {} = 'changed' WHERE "Id" % 3 = 0; DELETE FROM {remote} WHERE "Id" % 10 = 7"#,
        quoted(COLUMN)
    );
    bed.at_source(&change)?;
    follows()?;
    // A request, and a comparison.
    let relation = literal(&remote);
    let state = |state: &str| {
        bed.eventually(state, SOON, || {
            bed.publish()?;
            let sql = "SELECT state FROM orapull.tables";
            Ok(items::text(&mut bed.shard(0)?, sql)? == state)
        })
    };
    state("following")?;
    owner.batch_execute(&format!("SELECT orapull.pause({source}, {relation})"))?;
    state("paused")?;
    bed.at_source(&change.replace("changed", "changed again"))?;
    bed.publish()?;
    owner.batch_execute(&format!("SELECT orapull.resume({source}, {relation})"))?;
    follows()?;
    state("following")?;
    owner.batch_execute(&format!("SELECT orapull.pull_now({source})"))?;
    let compared = format!("SELECT count(*) FROM orapull.compare({relation})");
    assert_eq!(items::number(&mut owner, &compared)?, 0);
    let failed =
        format!("SELECT string_agg(found, '; ') FROM orapull.check_source({source}) WHERE NOT ok");
    assert_eq!(items::text(&mut owner, &failed)?, "");
    let known = format!(
        r#"SELECT count(*) FROM "ORAPULL"."SHARD" WHERE "SHARD" = {}"#,
        literal(SHARD)
    );
    assert_eq!(items::number(&mut bed.source()?, &known)?, 1);
    owner.batch_execute(&format!("SELECT orapull.drop_source({source})"))?;
    bed.eventually("the source is gone", SOON, || {
        let sql = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'orapull\\_%'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 0)
    })?;
    assert_eq!(items::number(&mut bed.source()?, &known)?, 0);
    Ok(())
}

/// What a DBA does, with these names, and nothing else: the owner can make no temporary tables.
fn prepare(bed: &Bed) -> Result<()> {
    let (owner, server, schema) = (quoted(OWNER), quoted(SERVER), quoted(SCHEMA));
    let port = bed.source.port;
    bed.shard(0)?.batch_execute(&format!(
        "CREATE ROLE {owner} LOGIN;
         CREATE SERVER {server} FOREIGN DATA WRAPPER postgres_fdw
             OPTIONS (host '127.0.0.1', port '{port}', dbname '{SOURCE_DATABASE}');
         GRANT USAGE ON FOREIGN SERVER {server} TO {owner};
         CREATE USER MAPPING FOR {owner} SERVER {server} OPTIONS (user 'shard1', password 'x');
         CREATE SCHEMA {schema} AUTHORIZATION {owner};
         GRANT USAGE ON SCHEMA orapull TO {owner};
         GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA orapull TO {owner};
         REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC",
        bed.shards[0].database
    ))?;
    let table = format!("{schema}.{}", quoted(TABLE));
    let names = format!("({}, {})", literal(SCHEMA), literal(TABLE));
    bed.at_source(&format!(
        r#"ALTER ROLE shard1 PASSWORD 'x';
           CREATE SCHEMA {schema};
           CREATE TABLE {table} ("Id" numeric(10) PRIMARY KEY, {column} varchar(40));
           SELECT "TEST"."ADD_ROWID"{names};
           INSERT INTO {table} SELECT i, CASE WHEN i % 5 = 0 THEN 'left out' ELSE 'item ' || i END
           FROM generate_series(1, 100) AS i;
           SELECT "TEST"."CAPTURE"{names}"#,
        column = quoted(COLUMN)
    ))
}

/// All rows with a condition, as text.
fn rows(mut client: Client, condition: &str) -> Result<String> {
    let sql = format!(
        r#"SELECT string_agg("Id" || ' ' || {}, ',' ORDER BY "Id") FROM {}.{} WHERE {condition}"#,
        quoted(COLUMN),
        quoted(SCHEMA),
        quoted(TABLE)
    );
    items::text(&mut client, &sql)
}
