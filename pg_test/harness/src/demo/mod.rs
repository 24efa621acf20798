//! `cargo demo`: a changing source is loaded into two shards and followed by them, then every row is compared.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use postgres::Client;

use crate::args::DemoArguments;
use crate::bed::{Bed, OWNER, SOURCE_DATABASE, Tables};
use crate::cluster::SUPERUSER;
use crate::compare::Pair;
use crate::workload;
use crate::world::World;

const SHARDS: usize = 2;
/// What the second shard takes: as `add_tables` is told, and as the source's own columns say it.
const FILTERS: [Option<(&str, &str)>; SHARDS] =
    [None, Some(("region_id = 7", "\"REGION_ID\" = 7"))];
const TABLES: [&str; 7] = [
    "CUSTOMERS",
    "ORDER_LINES",
    "MOVEMENTS",
    "DOCUMENTS",
    "WIDE",
    "EMPLOYEES",
    "COUNTERS",
];
/// Sessions that change the source.
const SESSIONS: u32 = 2;
/// How long the shards may take to finish their loads and catch up after the workload has stopped.
const CATCH_UP: Duration = Duration::from_secs(600);

/// One shard in one line: what it still loads, how fast it applies, how far it is behind.
const LIVE: &str = "
    SELECT coalesce(s.state, 'new'), t.following, t.tables, t.loaded, coalesce(s.lag_portions, 0)::bigint,
           coalesce(s.lag_seconds, 0)::float8, coalesce(s.rows_per_second, 0)::float8,
           coalesce(s.message, '')
    FROM orapull.status AS s,
         (SELECT count(*) FILTER (WHERE state = 'following') AS following, count(*) AS tables,
                 coalesce(sum(chunks_loaded) * 100 / nullif(sum(chunks_planned), 0), 0)::bigint AS loaded
          FROM orapull.tables) AS t";

/// Rows that portions and requests have changed; the rows of first loads do not count.
const APPLIED: &str = "SELECT coalesce(sum(upserted + deleted), 0)::bigint FROM orapull.batches";

pub fn run(options: &DemoArguments) -> Result<bool> {
    let world = World::create()?;
    let bed = Bed::start(&world, "demo", SHARDS, Tables::Demo)?;
    println!(
        "filling seven tables of the source, the largest with {} rows",
        thousands(options.rows.into())
    );
    bed.source()?
        .execute("SELECT \"TEST\".\"CREATE_DEMO\"($1)", &[&options.rows])
        .context("CREATE_DEMO failed")?;
    if options.keep {
        world.scratch.keep();
        print_commands(&bed);
    }
    let proof =
        follow(&bed, options).map_err(|error| anyhow::anyhow!("{error:#}\n{}", bed.logs()))?;
    if options.keep {
        print_commands(&bed);
    }
    for difference in &proof.differences {
        println!("{difference}");
    }
    if !proof.differences.is_empty() {
        println!("demo: different: {} findings", proof.differences.len());
        return Ok(false);
    }
    println!(
        "demo: identical: {} tables, {SHARDS} shards, {} rows, {} changes applied",
        TABLES.len(),
        proof.rows,
        proof.changes
    );
    Ok(true)
}

/// What was compared at the end.
struct Proof {
    rows: u64,
    changes: i64,
    differences: Vec<String>,
}

fn follow(bed: &Bed, options: &DemoArguments) -> Result<Proof> {
    let publisher = workload::publisher(&bed.source, SOURCE_DATABASE)?;
    let work = workload::changes(&bed.source, SOURCE_DATABASE, SESSIONS, 1)?;
    for shard in 0..SHARDS {
        add_tables(bed, shard)?;
    }
    let mut view = View::open(bed, work.done())?;
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(options.seconds) {
        std::thread::sleep(Duration::from_secs(1));
        view.show(work.done(), publisher.done())?;
    }
    let operations = work.stop()?;
    println!(
        "workload stopped after {} changed rows; the shards catch up",
        thousands(i64::try_from(operations)?)
    );
    let stopped = Instant::now();
    while !view.all_following()? {
        if stopped.elapsed() > CATCH_UP {
            bail!("the shards do not catch up within {CATCH_UP:?}");
        }
        std::thread::sleep(Duration::from_secs(1));
        view.show(operations, publisher.done())?;
    }
    publisher.stop()?;
    bed.publish()?;
    prove(bed)
}

fn add_tables(bed: &Bed, shard: usize) -> Result<()> {
    let mut owner = bed.owner(shard)?;
    bed.create_source(shard)?;
    let filter = FILTERS[shard].map(|(filter, _)| filter);
    let sql = "SELECT remote, reason FROM orapull.add_tables('main', 'APP.%', filter => $1) WHERE NOT added";
    let refused = owner.query(sql, &[&filter]).context("add_tables failed")?;
    if let Some(row) = refused.first() {
        bail!(
            "{} is refused: {}",
            row.get::<_, &str>(0),
            row.get::<_, Option<&str>>(1).unwrap_or("no reason given")
        );
    }
    println!(
        "shard {}: create_source, add_tables('main', 'APP.%'{})",
        shard + 1,
        filter.map_or_else(String::new, |filter| format!(", filter => '{filter}'"))
    );
    Ok(())
}

/// Takes everything that is published, then compares every row twice: as the extension does, and independently.
fn prove(bed: &Bed) -> Result<Proof> {
    let mut proof = Proof {
        rows: 0,
        changes: 0,
        differences: Vec::new(),
    };
    let mut source = bed.source()?;
    for (shard, filter) in FILTERS.iter().enumerate() {
        let mut owner = bed.owner(shard)?;
        owner
            .execute("SELECT orapull.pull_now('main', interval '5 minutes')", &[])
            .context("pull_now failed")?;
        for table in TABLES {
            let relation = format!("app.{}", table.to_lowercase());
            println!("comparing {relation} of shard {}", shard + 1);
            proof.differences.extend(own_compare(&mut owner, &relation));
            let filter = filter.map(|(_, filter)| filter);
            let pair = Pair {
                owner: "APP",
                table,
                relation: &relation,
                filter,
            };
            let found = pair.compare(&mut source, &mut bed.shard(shard)?)?;
            proof.rows += found.rows;
            proof.differences.extend(
                found
                    .differences
                    .iter()
                    .map(|text| format!("shard {}: {text}", shard + 1)),
            );
        }
        proof.changes += bed.shard(shard)?.query_one(APPLIED, &[])?.get::<_, i64>(0);
    }
    Ok(proof)
}

/// The first differences that the extension itself sees; that it cannot compare is a finding too.
fn own_compare(owner: &mut Client, relation: &str) -> Vec<String> {
    let sql = "SELECT to_jsonb(c)::text FROM orapull.compare($1::text::regclass) AS c LIMIT 5";
    match owner.query(sql, &[&relation]) {
        Ok(rows) => rows
            .iter()
            .map(|row| format!("compare({relation}): {}", row.get::<_, &str>(0)))
            .collect(),
        Err(error) => vec![format!(
            "compare({relation}) failed: {:#}",
            anyhow::Error::from(error)
        )],
    }
}

/// What a person watches while the demo runs.
struct View {
    shards: Vec<Client>,
    start: Instant,
    last: (Instant, u64),
}

impl View {
    fn open(bed: &Bed, changes: u64) -> Result<Self> {
        let shards = (0..SHARDS)
            .map(|shard| bed.shard(shard))
            .collect::<Result<_>>()?;
        let now = Instant::now();
        Ok(Self {
            shards,
            start: now,
            last: (now, changes),
        })
    }

    fn show(&mut self, changes: u64, portions: u64) -> Result<()> {
        let (before, count) = std::mem::replace(&mut self.last, (Instant::now(), changes));
        let rate = changes.saturating_sub(count) as f64 / before.elapsed().as_secs_f64();
        let mut line = format!(
            "{:>4} s  source {:>6} changes/s, {portions} portions",
            self.start.elapsed().as_secs(),
            thousands(rate as i64)
        );
        for (number, shard) in self.shards.iter_mut().enumerate() {
            line += &format!(" | shard {}: {}", number + 1, one_shard(shard)?);
        }
        println!("{line}");
        Ok(())
    }

    fn all_following(&mut self) -> Result<bool> {
        let sql = "SELECT count(*) = $1 FROM orapull.tables WHERE state = 'following'";
        let wanted = i64::try_from(TABLES.len())?;
        for shard in &mut self.shards {
            if !shard.query_one(sql, &[&wanted])?.get::<_, bool>(0) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn one_shard(shard: &mut Client) -> Result<String> {
    let row = shard.query_one(LIVE, &[])?;
    let (state, following, tables): (String, i64, i64) = (row.get(0), row.get(1), row.get(2));
    let (loaded, lag, seconds, rate): (i64, i64, f64, f64) =
        (row.get(3), row.get(4), row.get(5), row.get(6));
    let mut text = state;
    if following < tables {
        text += &format!(", {following} of {tables} tables follow, loads {loaded} %");
    }
    text += &format!(
        ", {} rows/s, lag {lag} portions, {seconds:.1} s",
        thousands(rate as i64)
    );
    let message: String = row.get(7);
    if !message.is_empty() {
        text += &format!(" ({message})");
    }
    Ok(text)
}

fn print_commands(bed: &Bed) {
    println!(
        "source:  {}",
        bed.source.psql_for_shell(SOURCE_DATABASE, SUPERUSER)
    );
    for (number, shard) in bed.shards.iter().enumerate() {
        println!(
            "shard {}: {}",
            number + 1,
            shard.cluster.psql_for_shell(&shard.database, OWNER)
        );
    }
    println!("when you are done:");
    for cluster in bed
        .shards
        .iter()
        .map(|shard| &shard.cluster)
        .chain([&bed.source])
    {
        println!("  {}", cluster.stop_for_shell());
    }
    println!("  rm -rf {}", bed.source.server.scratch.path().display());
}

/// A number as people read it.
fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|group| std::str::from_utf8(group).ok())
        .collect();
    format!("{}{}", if number < 0 { "-" } else { "" }, groups.join(","))
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!((thousands(0), thousands(999)), ("0".into(), "999".into()));
        assert_eq!(
            (thousands(1000), thousands(-1234567)),
            ("1,000".into(), "-1,234,567".into())
        );
    }
}
