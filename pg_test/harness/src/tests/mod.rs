//! `cargo test-all`: the steps, their order, and what they found.

mod architecture;
mod code;
mod declared;
mod documents;
mod far_side;
mod histories;
mod inside;
mod installation;
mod mutants;
mod oracle_side;
mod probes;
mod random;
mod regress;
mod report;
mod scenarios;
mod shard_mutants;
mod told;

use std::io::{self, Write as _};

use anyhow::{Result, bail};

use crate::args::TestArguments;
use crate::packages;
use crate::world::World;

use report::Report;

struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&World, &Choice, &mut Report) -> Result<()>,
}

const STEPS: &[Step] = &[
    Step {
        name: "static",
        about: "format, lints, the Oracle side translated, words that must not be there",
        run: code::check,
    },
    Step {
        name: "unit",
        about: "tests that need no server",
        run: code::unit_tests,
    },
    Step {
        name: "standin",
        about: "the OCI stand-in, the scripted source, the stand-in of the database",
        run: far_side::check,
    },
    Step {
        name: "plsql",
        about: "the Oracle side, translated: each construct, all routines, what its packages promise",
        run: oracle_side::check,
    },
    Step {
        name: "histories",
        about: "random histories of the Oracle side, 1000 seeds; --seed S, --count N",
        run: histories::check,
    },
    Step {
        name: "mutants",
        about: "changes to the Oracle side that histories and checks must notice; --match TEXT",
        run: mutants::check,
    },
    Step {
        name: "pg",
        about: "tests that run inside a server",
        run: inside::check,
    },
    Step {
        name: "regress",
        about: "the SQL surface, as psql shows it",
        run: regress::check,
    },
    Step {
        name: "scenarios",
        about: "behaviours on real clusters",
        run: scenarios::check,
    },
    Step {
        name: "random",
        about: "random work with random faults, 20 runs; --seed S, --count N",
        run: random::check,
    },
    Step {
        name: "docs",
        about: "comments on all objects, reference equal to the catalog, code map, named tests",
        run: documents::check,
    },
];

/// Steps that take long: run when they are named, and only then.
const BY_NAME: &[Step] = &[Step {
    name: "shard-mutants",
    about: "rules of the shard side broken one by one, an hour or more; only when named",
    run: shard_mutants::check,
}];

/// Steps of which `--match` takes a part.
const IN_PARTS: [&str; 4] = ["plsql", "mutants", "scenarios", "shard-mutants"];

/// What of a step is wanted.
pub struct Choice {
    only: Vec<String>,
    matching: Option<String>,
    /// Write what is compared anew: the reference, the expected output of regress tests.
    write: bool,
    seed: Option<u64>,
    count: Option<u64>,
}

impl Choice {
    fn wants_step(&self, step: &str) -> bool {
        self.only.is_empty()
            || self
                .only
                .iter()
                .any(|only| only.split('/').next() == Some(step))
    }

    fn wants_text(&self, name: &str) -> bool {
        self.matching
            .as_ref()
            .is_none_or(|text| name.contains(text.as_str()))
    }

    fn wants_scenario(&self, name: &str) -> bool {
        let named = self
            .only
            .iter()
            .filter_map(|only| only.strip_prefix("scenarios/"))
            .collect::<Vec<_>>();
        let by_name = named.is_empty()
            || named
                .iter()
                .any(|only| name == *only || name.starts_with(&format!("{only}/")));
        by_name && self.wants_text(name)
    }
}

/// Runs what is asked for. The last line is the count alone.
pub fn run(options: &TestArguments) -> Result<bool> {
    if options.list {
        list();
        return Ok(true);
    }
    let choice = Choice {
        only: options.only.clone(),
        matching: options.matching.clone(),
        write: options.write,
        seed: options.seed,
        count: options.count,
    };
    if let Some(unknown) = choice.only.iter().find(|only| !is_known(only)) {
        bail!("there is no step or scenario {unknown}; cargo test-all --list shows them");
    }
    let whole = choice.only.iter().find(|only| {
        let step = only.split('/').next().unwrap_or_default();
        !IN_PARTS.contains(&step)
    });
    if let (Some(step), Some(_)) = (whole, &choice.matching) {
        let parts = IN_PARTS.join(", ");
        bail!("{step} takes no --match: only parts of {parts} can be chosen by their names");
    }
    packages::ensure()?;
    let world = World::create()?;
    let mut report = Report::default();
    let named = BY_NAME
        .iter()
        .filter(|step| choice.only.iter().any(|only| only == step.name));
    let wanted = STEPS.iter().filter(|step| choice.wants_step(step.name));
    for step in wanted.chain(named) {
        report.begin(step.name, step.about);
        if let Err(error) = (step.run)(&world, &choice, &mut report) {
            report.failed(step.name, &format!("{error:#}"));
        }
    }
    Ok(report.end(choice.only.len() == 1))
}

fn is_known(only: &str) -> bool {
    STEPS.iter().chain(BY_NAME).any(|step| step.name == only)
        || only.strip_prefix("scenarios/").is_some_and(|prefix| {
            scenarios::names().any(|name| name == prefix || name.starts_with(&format!("{prefix}/")))
        })
}

/// Prints what `--only` takes. A reader that has seen enough (`| head`) is no error.
fn list() {
    let mut lines = String::new();
    for step in STEPS.iter().chain(BY_NAME) {
        lines += &format!("{:<13} {}\n", step.name, step.about);
        if step.name == "scenarios" {
            lines.extend(scenarios::names().map(|name| format!("  scenarios/{name}\n")));
        }
    }
    let _ = io::stdout().write_all(lines.as_bytes());
}
