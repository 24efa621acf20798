//! Scratch clusters, demo, tests and benchmarks of orapull: what the aliases in `.cargo/config.toml` call.

mod account;
mod args;
mod artifacts;
mod cluster;
mod install;
mod packages;
mod progress;
mod scratch;
mod world;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::args::{Arguments, Command};

fn main() -> ExitCode {
    // An error's text is for a person who looks for a cause in the project, not in the harness.
    match run(Arguments::parse().command) {
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
        Command::Demo(options) => anyhow::bail!("not there yet ({} s)", options.seconds),
        Command::TestAll(options) => anyhow::bail!("not there yet {:?}", options.only),
        Command::BenchAll(options) => anyhow::bail!("not there yet {}", options.rows),
    }
}
