//! `cargo bench-all`: the speed of the extension beside other ways to do the same, and what the publisher costs.

mod cpu;
mod field;
mod memory;
mod mine;
mod ways;

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::args::{BenchArguments, Benchmark};
use crate::world::World;

use field::Field;
use ways::{WAYS, Way};

pub fn run(options: &BenchArguments) -> Result<bool> {
    match options.name {
        Benchmark::Apply => apply(options),
        Benchmark::Mine => mine::run(options),
    }
}

/// The ways alternate in one run, because the speed of a machine changes while one waits; each round begins with
/// another one.
fn apply(options: &BenchArguments) -> Result<bool> {
    let world = World::create()?;
    println!(
        "preparing a table of {} rows at the source and its copies",
        options.rows
    );
    let mut field = Field::prepare(&world, options.rows)?;
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); WAYS.len()];
    for round in 0..options.rounds.max(1) {
        println!(
            "round {}: changing {} rows at the source",
            round + 1,
            options.rows
        );
        field.change()?;
        for turn in 0..WAYS.len() {
            let number = (turn + round) % WAYS.len();
            let (taken, cpu) = measure(&mut field, &WAYS[number])?;
            let rate = f64::from(options.rows) / taken.as_secs_f64();
            println!(
                "  {:<8} {rate:>9.0} rows/s ({:.1} s, {:.1} s of CPU)",
                WAYS[number].name,
                taken.as_secs_f64(),
                cpu.as_secs_f64()
            );
            rates[number].push(rate);
        }
        field.verify()?;
    }
    summary(&field, rates);
    Ok(true)
}

/// How long a way takes, and the CPU time of both servers and the client.
fn measure(field: &mut Field, way: &Way) -> Result<(Duration, Duration)> {
    field.settle()?;
    let before = field.cpu()?;
    let start = Instant::now();
    (way.apply)(field)?;
    let taken = start.elapsed();
    Ok((taken, field.cpu()?.saturating_sub(before)))
}

fn summary(field: &Field, rates: Vec<Vec<f64>>) {
    let medians: Vec<f64> = rates.into_iter().map(median).collect();
    for (way, median) in WAYS.iter().zip(&medians) {
        println!("{:<8} {median:>9.0} rows/s  {}", way.name, way.about);
    }
    println!("memory of the worker at its peak: {}", field.memory);
    let ratios = WAYS.iter().zip(&medians).skip(1).map(|(way, other)| {
        let digits = if way.name == "limit" { 2 } else { 1 };
        format!("{} {:.digits$}", way.name, medians[0] / other)
    });
    println!("bench apply: {}", ratios.collect::<Vec<_>>().join(" "));
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        (values[middle - 1] + values[middle]) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
