//! `cargo bench-all`: the speed of the extension beside other ways to do the same, and what the publisher costs.

mod apply;
mod cpu;
mod field;
mod ground;
mod hot;
mod load;
mod mine;
mod poison;
mod tables;
mod ways;

use anyhow::Result;

use crate::args::{BenchArguments, Benchmark};

pub fn run(options: &BenchArguments) -> Result<bool> {
    match options.name {
        Benchmark::Apply => apply::run(options),
        Benchmark::Hot => hot::run(options),
        Benchmark::Load => load::run(options),
        Benchmark::Mine => mine::run(options),
        Benchmark::Poison => poison::run(options),
        Benchmark::Tables => tables::run(options),
    }
}

/// What is compared alternates in one run, because the speed of a machine changes while one waits; each round begins
/// with another one.
fn order(things: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..things).map(move |turn| (turn + round) % things)
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
    use super::{median, order};

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn each_round_begins_with_another_thing_and_has_them_all() {
        let rounds: Vec<Vec<usize>> = (0..3).map(|round| order(2, round).collect()).collect();
        assert_eq!(rounds, [[0, 1], [1, 0], [0, 1]]);
    }
}
