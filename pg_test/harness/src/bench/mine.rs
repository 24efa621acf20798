//! The publisher of the Oracle side, translated: how fast it is, and what transactions cost that stay open.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use postgres::Client;

use super::{cpu, median, order};
use crate::args::BenchArguments;
use crate::artifacts;
use crate::bed;
use crate::cluster::SUPERUSER;
use crate::oracle_side::OracleSide;
use crate::world::World;

const DATABASE: &str = "bench";
/// A range of the courses has so many of all rows.
const SHARE: i32 = 100;
/// Ranges of a course.
const RANGES: usize = 52;

/// Ranges with the same rows each. In the first one transactions begin that stay open for a while.
struct Course {
    about: &'static str,
    /// Rows of the open transactions, in times the rows of a range.
    open: i32,
    /// Over how many ranges they are carried.
    carried: usize,
}

const COURSES: [Course; 4] = [
    Course {
        about: "1 % of all rows, carried over 1 range",
        open: 1,
        carried: 1,
    },
    Course {
        about: "the same rows, over 10 ranges",
        open: 1,
        carried: 10,
    },
    Course {
        about: "the same rows, over 50 ranges",
        open: 1,
        carried: 50,
    },
    Course {
        about: "10 % of all rows, over 50 ranges",
        open: 10,
        carried: 50,
    },
];

/// CPU time of publication.
#[derive(Default)]
struct Cost {
    /// Of all ranges.
    all: Duration,
    /// Of the ranges in which nothing of the open transactions begins or ends, on average; 0 when there is none.
    between: Duration,
}

pub fn run(options: &BenchArguments) -> Result<bool> {
    let world = World::create()?;
    let mut field = Field::prepare(&world)?;
    let rounds = options.rounds.max(1);
    let mut rates = Vec::new();
    let mut costs: [Vec<Cost>; COURSES.len()] = Default::default();
    for round in 0..rounds {
        let (taken, cpu) = field.whole(options.rows)?;
        let rate = f64::from(options.rows) / taken.as_secs_f64();
        println!(
            "round {}: {rate:.0} rows/s ({:.1} s, {:.1} s of CPU)",
            round + 1,
            taken.as_secs_f64(),
            cpu.as_secs_f64()
        );
        rates.push(rate);
        for number in order(COURSES.len(), round) {
            let course = &COURSES[number];
            let cost = field.follow(course, options.rows / SHARE)?;
            println!(
                "  {:<40} {:>6.2} s of CPU",
                course.about,
                cost.all.as_secs_f64()
            );
            costs[number].push(cost);
        }
    }
    summary(rates, &costs);
    Ok(true)
}

fn summary(rates: Vec<f64>, costs: &[Vec<Cost>; COURSES.len()]) {
    let middle = |number: usize, of: fn(&Cost) -> Duration| {
        median(
            costs[number]
                .iter()
                .map(|cost| of(cost).as_secs_f64())
                .collect(),
        )
    };
    let [one, ten, fifty] = [0, 1, 2].map(|number| middle(number, |cost| cost.all));
    let more = middle(3, |cost| cost.between) / middle(2, |cost| cost.between);
    println!(
        "growth of the cost of publication (1.00: none): open transactions 10x as old {:.2}, 50x as old {:.2}; \
         10x as many, in a range between {more:.2}",
        ten / one,
        fifty / one
    );
    println!(
        "bench mine: {:.0} rows/s, carried 10x longer costs {:.2}",
        median(rates),
        ten / one
    );
}

struct Field {
    side: OracleSide,
    client: Client,
}

impl Field {
    fn prepare(world: &World) -> Result<Self> {
        let side = OracleSide::start(world, "bench")?;
        side.database(DATABASE)?;
        let folder = artifacts::repository().join("pg_test/oracle/bench");
        bed::load_into(&side.cluster, DATABASE, &folder)?;
        let mut client = side.cluster.connect(DATABASE, SUPERUSER)?;
        client.batch_execute("SET jit = off")?;
        for make in [
            r#"CALL "STAGES"."CREATE_SLOT"(1)"#,
            r#"CALL "SLOTS"."CREATE_SLOT"(1)"#,
        ] {
            client.batch_execute(make)?;
        }
        Ok(Self { side, client })
    }

    /// One range with so many rows: 1 % of them belong to transactions that stay open.
    fn whole(&mut self, rows: i32) -> Result<(Duration, Duration)> {
        self.start()?;
        let open = rows / SHARE;
        self.publish(rows - open, open, 0)
    }

    fn follow(&mut self, course: &Course, rows: i32) -> Result<Cost> {
        self.start()?;
        let open = rows * course.open;
        let mut cost = Cost::default();
        let mut between = Vec::new();
        for range in 0..RANGES {
            let begun = if range == 0 { open } else { 0 };
            let ended = if range == course.carried { open } else { 0 };
            let (_, cpu) = self.publish(rows, begun, ended)?;
            cost.all += cpu;
            if (1..course.carried).contains(&range) {
                between.push(cpu);
            }
        }
        let number = u32::try_from(between.len().max(1))?;
        cost.between = between.iter().sum::<Duration>() / number;
        Ok(cost)
    }

    fn start(&mut self) -> Result<()> {
        self.client
            .batch_execute("CALL bench.start()")
            .context("the benchmark cannot begin")?;
        self.settle()
    }

    /// Publishes the next range; clock and CPU of that alone.
    fn publish(&mut self, rows: i32, begun: i32, ended: i32) -> Result<(Duration, Duration)> {
        let scan: String = self
            .client
            .query_one(
                "SELECT bench.scan($1, $2, $3)::text",
                &[&rows, &begun, &ended],
            )
            .context("a range cannot be staged")?
            .get(0);
        let (before, start) = (self.cpu()?, Instant::now());
        self.client
            .batch_execute(&format!(r#"CALL "PUBLISHER"."PUBLISH"({scan})"#))
            .context("PUBLISH failed")?;
        let spent = (start.elapsed(), self.cpu()?.saturating_sub(before));
        self.expect(rows + ended)?;
        self.settle()?;
        Ok(spent)
    }

    /// As after a while of rest: what is published is released, no dead rows.
    fn settle(&mut self) -> Result<()> {
        self.client.batch_execute("CALL bench.make_room()")?;
        for table in ["CARRY", "TX", "ENDED", "OUTGOING", "SCAN"] {
            self.client
                .batch_execute(&format!(r#"VACUUM (ANALYZE) "ORAPULL"."{table}""#))?;
        }
        Ok(())
    }

    /// So many pointers must have been published just now.
    fn expect(&mut self, pointers: i32) -> Result<()> {
        let sql = r#"SELECT count(*)::int FROM "ORAPULL"."OUTGOING""#;
        let found: i32 = self.client.query_one(sql, &[])?.get(0);
        if found != pointers {
            bail!("{found} pointers were published, not {pointers}");
        }
        Ok(())
    }

    fn cpu(&self) -> Result<Duration> {
        cpu::used(&[&self.side.cluster])
    }
}
