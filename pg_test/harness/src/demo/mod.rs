//! `cargo demo`: a changing source is loaded into two shards and followed by them, then every row is compared.

mod live;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use postgres::Client;

use crate::args::DemoArguments;
use crate::bed::{Bed, OWNER, SOURCE_DATABASE, Tables};
use crate::cluster::SUPERUSER;
use crate::compare::Pair;
use crate::mining::Jobs;
use crate::workload;
use crate::world::World;

use live::View;

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

/// Rows that portions and requests have changed; the rows of first loads do not count.
const APPLIED: &str = "SELECT coalesce(sum(upserted + deleted), 0)::bigint FROM orapull.batches";

/// Errors that the mining side has told its operator.
const TOLD: &str = r#"SELECT concat_ws(' ', "WHAT", "DETAIL") FROM "ORAPULL"."EVENT" WHERE "SEVERITY" = 'ERROR' LIMIT 5"#;

pub fn run(options: &DemoArguments) -> Result<bool> {
    let world = World::create()?;
    let bed = Bed::start(&world, "demo", SHARDS, Tables::Mined)?;
    if options.keep {
        world.scratch.keep();
        print_commands(&bed);
    }
    let show = Show {
        rows: options.rows,
        seconds: options.seconds,
        live: true,
    };
    let proof =
        follow(&bed, &show).map_err(|error| anyhow::anyhow!("{error:#}\n{}", bed.logs()))?;
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

/// How large it is, and whether somebody watches.
pub struct Show {
    pub rows: i32,
    pub seconds: u64,
    pub live: bool,
}

impl Show {
    fn say(&self, text: &str) {
        if self.live {
            println!("{text}");
        }
    }
}

/// What was compared at the end.
pub struct Proof {
    pub rows: u64,
    pub changes: i64,
    pub differences: Vec<String>,
}

/// The whole course on a bed of two shards whose source is mined: tables are filled, loaded while they change, followed,
/// compared.
pub fn follow(bed: &Bed, show: &Show) -> Result<Proof> {
    show.say(&format!(
        "filling seven tables of the source, the largest with {} rows",
        thousands(show.rows.into())
    ));
    bed.source()?
        .execute("SELECT \"TEST\".\"CREATE_DEMO\"($1)", &[&show.rows])
        .context("CREATE_DEMO failed")?;
    let jobs = Jobs::start(&bed.source)?;
    let mut work = workload::changes(&bed.source, SOURCE_DATABASE, SESSIONS, 1)?;
    workload::stay_open(&mut work, &bed.source, SOURCE_DATABASE)?;
    for shard in 0..SHARDS {
        add_tables(bed, shard, show)?;
    }
    let mut view = View::open(bed, work.done())?;
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(show.seconds) {
        tick(&mut view, show, work.done())?;
    }
    let operations = work.stop()?;
    show.say(&format!(
        "workload stopped after {} changed rows; the shards catch up",
        thousands(i64::try_from(operations)?)
    ));
    let stopped = Instant::now();
    while !all_following(bed)? {
        if stopped.elapsed() > CATCH_UP {
            bail!("the shards do not catch up within {CATCH_UP:?}");
        }
        tick(&mut view, show, operations)?;
    }
    jobs.stop()?;
    bed.publish()?;
    prove(bed, show)
}

/// A second passes.
fn tick(view: &mut View, show: &Show, changes: u64) -> Result<()> {
    std::thread::sleep(Duration::from_secs(1));
    if show.live {
        view.show(changes)?;
    }
    Ok(())
}

fn all_following(bed: &Bed) -> Result<bool> {
    let sql = "SELECT count(*) = $1 FROM orapull.tables WHERE state = 'following'";
    let wanted = i64::try_from(TABLES.len())?;
    for shard in 0..SHARDS {
        if !bed
            .shard(shard)?
            .query_one(sql, &[&wanted])?
            .get::<_, bool>(0)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn add_tables(bed: &Bed, shard: usize, show: &Show) -> Result<()> {
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
    show.say(&format!(
        "shard {}: create_source, add_tables('main', 'APP.%'{})",
        shard + 1,
        filter.map_or_else(String::new, |filter| format!(", filter => '{filter}'"))
    ));
    Ok(())
}

/// Takes everything that is published, then compares every row twice: as the extension does, and independently.
fn prove(bed: &Bed, show: &Show) -> Result<Proof> {
    let mut proof = Proof {
        rows: 0,
        changes: 0,
        differences: Vec::new(),
    };
    let mut source = bed.source()?;
    let told = source.query(TOLD, &[])?;
    proof.differences = told.iter().map(|row| row.get(0)).collect();
    for (shard, filter) in FILTERS.iter().enumerate() {
        let mut owner = bed.owner(shard)?;
        owner
            .execute("SELECT orapull.pull_now('main', interval '5 minutes')", &[])
            .context("pull_now failed")?;
        for table in TABLES {
            let relation = format!("app.{}", table.to_lowercase());
            show.say(&format!("comparing {relation} of shard {}", shard + 1));
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
