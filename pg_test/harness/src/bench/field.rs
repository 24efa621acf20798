//! The tables that the ways are measured on: five copies of one table, and the rows that have changed.

use std::io;

use anyhow::{Context, Result, bail};
use postgres::Client;

use super::ground::{self, LONG};
use crate::bed::Bed;
use crate::cluster::{Cluster, SUPERUSER};
use crate::compare::quoted;
use crate::memory::Peaks;
use crate::watch::eventually;
use crate::world::World;

/// Pointers of a portion, and rows of a transaction at the publisher of the logical replication.
const PORTION: i32 = 100_000;
/// Databases of the logical replication: on the source's cluster and on the shard's.
pub const PUBLISHER: &str = "publisher";
pub const SUBSCRIBER: &str = "subscriber";
/// The copies on the shard that other ways write.
const COPIES: [&str; 3] = ["app.bench_row", "app.bench_batch", "app.bench_limit"];

pub struct Field {
    pub bed: Bed,
    pub columns: Vec<String>,
    pub memory: Peaks,
    rows: i32,
    /// Changed rows, in the order of their pointers: `app.stage` on the shard.
    stage: String,
}

impl Field {
    pub fn prepare(world: &World, rows: i32) -> Result<Self> {
        let bed = ground::start(world, rows)?;
        ground::follow(&bed)?;
        let mut shard = bed.shard(0)?;
        let columns = columns(&mut shard)?;
        for copy in COPIES.iter().chain(&["app.stage"]) {
            shard.batch_execute(&format!(
                "CREATE TABLE {copy} (LIKE app.bench INCLUDING ALL) WITH (fillfactor = 90)"
            ))?;
        }
        for copy in COPIES {
            shard.batch_execute(&format!("INSERT INTO {copy} SELECT * FROM app.bench"))?;
        }
        // The limit reads the changed rows as they come, not by an index.
        shard.batch_execute("ALTER TABLE app.stage DROP CONSTRAINT stage_pkey")?;
        let field = Self {
            bed,
            columns,
            memory: Peaks::default(),
            rows,
            stage: "app.stage".into(),
        };
        field.prepare_logical(&mut shard)?;
        Ok(field)
    }

    /// Changes rows at the source and at the publisher, while nobody follows, and notes them on the shard.
    pub fn change(&mut self) -> Result<()> {
        ground::pause(&self.bed)?;
        let mut source = self.bed.source()?;
        let sql = "SELECT \"LAST_PORTION\" FROM \"ORAPULL\".\"SOURCE_V\"";
        let before: i64 = source.query_one(sql, &[])?.get(0);
        let portions = (self.rows + PORTION - 1) / PORTION;
        source
            .execute(
                "SELECT \"TEST\".\"BENCH_TOUCH\"($1, $2)",
                &[&self.rows, &portions],
            )
            .context("BENCH_TOUCH failed")?;

        let mut shard = self.bed.shard(0)?;
        shard.batch_execute(&format!("TRUNCATE {}", self.stage))?;
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|name| format!("b.{}", quoted(&name.to_uppercase())))
            .collect();
        let changed = format!(
            "SELECT {} FROM \"ORAPULL\".\"POINTER_V\" AS p JOIN \"APP\".\"BENCH\" AS b ON b.\"ID\" = p.\"K1\"::numeric
             WHERE p.\"P$PORTION\" > {before} ORDER BY p.\"P$PORTION\", p.\"P$PTR\"",
            names.join(", ")
        );
        let copied = copy(&mut source, &changed, &mut shard, &self.stage)?;
        if copied != u64::try_from(self.rows)? {
            bail!("the source changed {copied} rows, not {}", self.rows);
        }
        self.change_publisher(&mut shard)
    }

    /// The same state of the machine before each way: no dead rows, nothing left to write.
    pub fn settle(&self) -> Result<()> {
        let mut shard = self.bed.shard(0)?;
        for table in COPIES.iter().chain(&["app.bench", "app.stage"]) {
            shard.batch_execute(&format!("VACUUM (ANALYZE) {table}"))?;
        }
        for mut client in [self.subscriber()?, self.publisher()?] {
            client.batch_execute("VACUUM (ANALYZE) app.bench")?;
        }
        self.bed
            .source()?
            .batch_execute("VACUUM (ANALYZE) \"APP\".\"BENCH\"")?;
        ground::checkpoint(&self.bed)
    }

    /// All ways must have led to the same rows.
    pub fn verify(&self) -> Result<()> {
        let mut shard = self.bed.shard(0)?;
        let wanted = digest(&mut shard, "app.bench_limit")?;
        for table in COPIES.iter().chain(&["app.bench"]) {
            if digest(&mut shard, table)? != wanted {
                bail!("{table} has not the rows that app.bench_limit has");
            }
        }
        if digest(&mut self.subscriber()?, "app.bench")? != wanted {
            bail!("the subscriber has not the rows that app.bench_limit has");
        }
        Ok(())
    }

    pub fn subscriber(&self) -> Result<Client> {
        self.bed.shards[0].cluster.connect(SUBSCRIBER, SUPERUSER)
    }

    pub fn publisher(&self) -> Result<Client> {
        self.bed.source.connect(PUBLISHER, SUPERUSER)
    }

    /// A database at each end with the same table; the publisher's changes are those of the source, but its log has
    /// nothing else in it.
    fn prepare_logical(&self, shard: &mut Client) -> Result<()> {
        let definition = definition(shard)?;
        for (cluster, database) in [
            (&self.bed.source, PUBLISHER),
            (&self.bed.shards[0].cluster, SUBSCRIBER),
        ] {
            create_database(cluster, database)?;
            cluster
                .connect(database, SUPERUSER)?
                .batch_execute(&definition)?;
        }
        let mut publisher = self.publisher()?;
        copy(
            shard,
            "SELECT * FROM app.bench",
            &mut publisher,
            "app.bench",
        )?;
        publisher.batch_execute(
            "CREATE TABLE app.stage (LIKE app.bench); CREATE PUBLICATION bench FOR TABLE app.bench; ANALYZE app.bench",
        )?;
        let source = &self.bed.source;
        let mut subscriber = self.subscriber()?;
        subscriber.batch_execute(&format!(
            "CREATE SUBSCRIPTION bench CONNECTION 'host={} port={} dbname={PUBLISHER} user={SUPERUSER}' PUBLICATION bench",
            source.folder.display(),
            source.port
        ))?;
        eventually("the subscriber is loaded", LONG, || {
            let sql = "SELECT coalesce(bool_and(srsubstate = 'r'), false) FROM pg_subscription_rel";
            Ok(subscriber.query_one(sql, &[])?.get(0))
        })
    }

    fn change_publisher(&self, shard: &mut Client) -> Result<()> {
        let mut publisher = self.publisher()?;
        wait_for_subscriber(&mut publisher)?;
        self.subscriber()?
            .batch_execute("ALTER SUBSCRIPTION bench DISABLE")?;
        eventually("the subscriber has left", LONG, || {
            Ok(publisher
                .query_one("SELECT NOT bool_or(active) FROM pg_replication_slots", &[])?
                .get(0))
        })?;
        publisher.batch_execute(
            "TRUNCATE app.stage; ALTER TABLE app.stage DROP COLUMN IF EXISTS turn",
        )?;
        copy(
            shard,
            &format!("SELECT * FROM {}", self.stage),
            &mut publisher,
            "app.stage",
        )?;
        publisher.batch_execute("ALTER TABLE app.stage ADD COLUMN turn bigint GENERATED ALWAYS AS IDENTITY; ANALYZE app.stage")?;
        let set = assignments(&self.columns, "s");
        let mut from = 0;
        while from < self.rows {
            publisher.execute(
                &format!("UPDATE app.bench AS b SET {set} FROM app.stage AS s WHERE s.id = b.id AND s.turn > $1 AND s.turn <= $2"),
                &[&i64::from(from), &i64::from(from + PORTION)],
            )?;
            from += PORTION;
        }
        Ok(())
    }
}

/// Waits until the subscriber has confirmed everything that is written at the publisher now.
pub fn wait_for_subscriber(publisher: &mut Client) -> Result<()> {
    let now: String = publisher
        .query_one("SELECT pg_current_wal_lsn()::text", &[])?
        .get(0);
    eventually("the subscriber has applied everything", LONG, || {
        let sql = "SELECT coalesce(bool_and(confirmed_flush_lsn >= $1::text::pg_lsn), false) FROM pg_replication_slots";
        Ok(publisher.query_one(sql, &[&now])?.get(0))
    })
}

/// `a = from.a, ...` for all columns but the key.
pub fn assignments(columns: &[String], from: &str) -> String {
    let others = columns.iter().filter(|name| *name != "id");
    others
        .map(|name| format!("{0} = {from}.{0}", quoted(name)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn columns(shard: &mut Client) -> Result<Vec<String>> {
    let sql = "SELECT attname::text FROM pg_attribute
               WHERE attrelid = 'app.bench'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum";
    Ok(shard
        .query(sql, &[])?
        .iter()
        .map(|row| row.get(0))
        .collect())
}

/// The shard's table, for other databases.
fn definition(shard: &mut Client) -> Result<String> {
    let sql = "SELECT string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
               FROM pg_attribute WHERE attrelid = 'app.bench'::regclass AND attnum > 0 AND NOT attisdropped";
    let columns: String = shard.query_one(sql, &[])?.get(0);
    Ok(format!(
        "CREATE SCHEMA app; CREATE TABLE app.bench ({columns}, PRIMARY KEY (id)) WITH (fillfactor = 90)"
    ))
}

fn create_database(cluster: &Cluster, name: &str) -> Result<()> {
    cluster
        .connect("postgres", SUPERUSER)?
        .batch_execute(&format!("CREATE DATABASE {name}"))?;
    Ok(())
}

/// Copies the rows of a query of one server into a table of another one.
fn copy(from: &mut Client, query: &str, to: &mut Client, table: &str) -> Result<u64> {
    let mut reader = from.copy_out(&format!("COPY ({query}) TO STDOUT"))?;
    let mut writer = to.copy_in(&format!("COPY {table} FROM STDIN"))?;
    io::copy(&mut reader, &mut writer).with_context(|| format!("cannot copy into {table}"))?;
    Ok(writer.finish()?)
}

/// Says whether two tables have the same rows, in whatever order.
fn digest(client: &mut Client, table: &str) -> Result<String> {
    let sql = format!(
        "SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM {table} AS t"
    );
    Ok(client.query_one(&sql, &[])?.get(0))
}
