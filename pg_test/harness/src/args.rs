//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Scratch clusters, demo, tests and benchmarks of orapull.
#[derive(Parser)]
#[command(name = "harness")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// A changing source is loaded into and followed by two shards, then every row is compared
    Demo(DemoArguments),
    /// Every test of the project
    TestAll(TestArguments),
    /// Speed, compared with other ways to do the same
    BenchAll(BenchArguments),
}

#[derive(Args)]
pub struct DemoArguments {
    /// How long the workload runs
    #[arg(long, default_value_t = 30)]
    pub seconds: u64,
    /// Rows of the largest table before the workload begins
    #[arg(long, default_value_t = 200_000)]
    pub rows: i32,
    /// Leave the clusters up and print how to reach them
    #[arg(long)]
    pub keep: bool,
}

#[derive(Args)]
pub struct TestArguments {
    /// Print the names of the steps and scenarios, run nothing
    #[arg(long)]
    pub list: bool,
    /// Run only this step, or only this scenario (scenarios/NAME); may be repeated
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Run only the scenarios, checks of plsql, or mutants, whose name contains this text
    #[arg(long = "match", value_name = "TEXT")]
    pub matching: Option<String>,
    /// Random runs, histories: the seed of the first
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Random runs, histories: how many, with consecutive seeds; 20 runs, 1000 histories, or 1 with --seed
    #[arg(long, value_name = "N")]
    pub count: Option<u64>,
    /// Write docs/reference.md and the expected output of regress tests anew, from what is there now
    #[arg(long)]
    pub write: bool,
}

#[derive(Args)]
pub struct BenchArguments {
    #[arg(value_enum)]
    pub name: Benchmark,
    /// Rows of the table, and pointers of a round; a ten-thousandth of it for each table of `tables`; staged rows of `mine`
    #[arg(long, default_value_t = 1_000_000)]
    pub rows: i32,
    /// Registered tables of `tables`
    #[arg(long, default_value_t = 500)]
    pub tables: usize,
    /// `load`: into a table with three secondary indexes, and what it gains to create them last
    #[arg(long)]
    pub with_indexes: bool,
    /// How often each way is measured
    #[arg(long, default_value_t = 3)]
    pub rounds: usize,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Benchmark {
    /// The apply of changes to existing rows, against four other ways
    Apply,
    /// Many pointers to few rows, against as many pointers to distinct rows
    Hot,
    /// First loads with one and with several loaders, against one INSERT ... SELECT
    Load,
    /// The publisher of the Oracle side, and what transactions cost that stay open
    Mine,
    /// A portion with one row that does not fit, against the same without it
    Poison,
    /// Many registered tables of which a portion touches few
    Tables,
}
