//! The apply of changes to existing rows, beside other ways to do the same.

use anyhow::Result;

use super::field::Field;
use super::ground::Stopwatch;
use super::ways::WAYS;
use super::{median, order};
use crate::args::BenchArguments;
use crate::world::World;

pub fn run(options: &BenchArguments) -> Result<bool> {
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
        for number in order(WAYS.len(), round) {
            field.settle()?;
            let watch = Stopwatch::start(&field.bed)?;
            (WAYS[number].apply)(&mut field)?;
            let taken = watch.stop(&field.bed)?;
            let rate = f64::from(options.rows) / taken.seconds;
            println!(
                "  {:<8} {rate:>9.0} rows/s ({:.1} s, {:.1} s of CPU)",
                WAYS[number].name, taken.seconds, taken.cpu
            );
            rates[number].push(rate);
        }
        field.verify()?;
    }
    summary(&field, rates);
    Ok(true)
}

fn summary(field: &Field, rates: Vec<Vec<f64>>) {
    let medians: Vec<f64> = rates.into_iter().map(median).collect();
    for (way, median) in WAYS.iter().zip(&medians) {
        println!("{:<8} {median:>9.0} rows/s  {}", way.name, way.about);
    }
    for (worker, peak) in &field.memory {
        println!("memory of {worker} at its peak: {peak}");
    }
    let ratios = WAYS.iter().zip(&medians).skip(1).map(|(way, other)| {
        let digits = if way.name == "limit" { 2 } else { 1 };
        format!("{} {:.digits$}", way.name, medians[0] / other)
    });
    println!("bench apply: {}", ratios.collect::<Vec<_>>().join(" "));
}
