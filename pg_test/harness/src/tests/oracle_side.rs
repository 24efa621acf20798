//! The Oracle side on a PostgreSQL that plays Oracle: single constructs, the real packages, what they promise.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::report::Report;
use super::{Choice, probes};
use crate::artifacts;
use crate::bed;
use crate::oracle_side::OracleSide;
use crate::world::World;

/// A script in pg_test/oracle. Each file of its folders is a theme; each raises at the first promise that is not kept.
pub struct Script {
    name: &'static str,
    file: &'static str,
    folders: &'static [&'static str],
    variables: &'static [&'static str],
}

const SCRIPTS: &[Script] = &[
    script("mining", &["mining", "overwritten"]),
    script("publishing", &["publishing"]),
    script("service", &["service"]),
    script("jobs", &["jobs"]),
    Script {
        name: "mining_in_root",
        folders: &["root"],
        ..in_root("mining")
    },
    Script {
        name: "publishing_in_root",
        folders: &["publishing"],
        ..in_root("publishing")
    },
    Script {
        name: "mining_inside",
        folders: &["inside", "overwritten"],
        ..inside("mining")
    },
    Script {
        name: "publishing_inside",
        folders: &["publishing"],
        ..inside("publishing")
    },
];

const fn script(name: &'static str, folders: &'static [&'static str]) -> Script {
    Script {
        name,
        file: name,
        folders,
        variables: &[],
    }
}

/// The same in topology ROOT.
const fn in_root(file: &'static str) -> Script {
    Script {
        variables: &["root=1"],
        ..script(file, &[])
    }
}

/// The same in topology PDB.
const fn inside(file: &'static str) -> Script {
    Script {
        variables: &["inside=1"],
        ..script(file, &[])
    }
}

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let side = OracleSide::start(world, "plsql")?;
    probes::check(&side, report)?;
    if side.routines() == 0 {
        bail!("there is no package in sql/oracle");
    }
    let findings = side.check()?;
    if findings.is_empty() {
        report.passed_many("plpgsql_check, a test for each routine", side.routines());
    }
    for finding in findings {
        report.failed(&finding.place, &finding.message);
    }
    for script in SCRIPTS
        .iter()
        .filter(|script| choice.wants_text(script.name))
    {
        side.database(script.name)?;
        match script.run(&side, script.name) {
            Ok(()) => report.passed_many(script.name, script.themes()?),
            Err(error) => report.failed(script.name, &format!("{error:#}")),
        }
    }
    Ok(())
}

impl Script {
    pub fn named(name: &str) -> Result<&'static Self> {
        SCRIPTS
            .iter()
            .find(|script| script.name == name)
            .with_context(|| format!("there are no checks {name}"))
    }

    pub fn run(&self, side: &OracleSide, database: &str) -> Result<()> {
        let file = folder().join(format!("{}.sql", self.file));
        bed::run_file_with(&side.cluster, database, &file, self.variables)
    }

    fn themes(&self) -> Result<usize> {
        let mut themes = 0;
        for name in self.folders {
            themes += fs::read_dir(folder().join(name))
                .with_context(|| format!("pg_test/oracle/{name} cannot be read"))?
                .count();
        }
        Ok(themes)
    }
}

fn folder() -> PathBuf {
    artifacts::repository().join("pg_test/oracle")
}
