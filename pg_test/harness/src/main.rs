//! The commands behind the aliases in `.cargo/config.toml`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use harness::args::{Arguments, Command};
use harness::{bench, demo, packages, scratch, tests};

fn main() -> ExitCode {
    let outcome = run(Arguments::parse().command);
    scratch::finish_after_signal();
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if error.is::<packages::Missing>() => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all went well: an `Err` is trouble with the machine, `false` a finding.
fn run(command: Command) -> Result<bool> {
    match command {
        Command::TestAll(options) => tests::run(&options),
        Command::Demo(options) => demo::run(&options),
        Command::BenchAll(options) => bench::run(&options),
    }
}
