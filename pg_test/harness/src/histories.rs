//! Random histories of the source on the translated packages (pg_test/oracle/histories): one seed, one history.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use postgres::Client;

use crate::artifacts;
use crate::bed;
use crate::cluster::SUPERUSER;
use crate::oracle_side::OracleSide;

/// How many things happen in a history before it comes to rest.
const STEPS: i32 = 250;

/// For so long a history is made smaller.
const SHRINKING: Duration = Duration::from_secs(90);

/// A plan for any value, because planning a question to the dictionary takes longer than the answer. A history that does
/// not come to rest is ended, and has failed.
const SESSION: &str = "SET plan_cache_mode = force_generic_plan; SET synchronous_commit = off; SET jit = off; SET client_min_messages = warning; SET statement_timeout = '120s'";

/// A promise that a history has found broken.
pub struct Wrong {
    /// lost, premature, order, different, failed, stuck.
    pub what: String,
    pub detail: String,
}

/// A history without the steps that do not matter.
pub struct Small {
    pub steps: String,
    pub wrong: Vec<Wrong>,
}

/// A database of its own in which histories run, one after another.
pub struct Stage<'a> {
    side: &'a OracleSide,
    database: String,
    client: Client,
}

impl<'a> Stage<'a> {
    /// Puts the histories into a database that has the Oracle side.
    pub fn on(side: &'a OracleSide, database: &str) -> Result<Self> {
        let folder = artifacts::repository().join("pg_test/oracle/histories");
        bed::load_into(&side.cluster, database, &folder)?;
        let mut client = session(side, database)?;
        // Statistics would change plans when it suits them, and with the plans how often the clock is looked at.
        client.batch_execute("ALTER SYSTEM SET autovacuum = off")?;
        client.batch_execute("SELECT pg_reload_conf()")?;
        client.batch_execute("CALL history.prepare()")?;
        Ok(Self {
            side,
            database: database.to_owned(),
            client,
        })
    }

    /// Everything that is wrong with the history of this seed.
    pub fn run(&mut self, seed: u64) -> Result<Vec<Wrong>> {
        self.run_steps(seed, &all_steps())
    }

    /// The same with some of its steps; each does what it always does, as far as it still can.
    fn run_steps(&mut self, seed: u64, steps: &[i32]) -> Result<Vec<Wrong>> {
        self.client.batch_execute("DELETE FROM history.verdict")?;
        let call = format!("CALL history.run({seed}, '{{{}}}')", listed(steps, ","));
        if let Err(error) = self.client.batch_execute(&call) {
            // What the error has left in the session belongs to no other history.
            self.client = session(self.side, &self.database)?;
            return Ok(vec![Wrong {
                what: "failed".to_owned(),
                detail: format!("{:#}", anyhow::Error::from(error)),
            }]);
        }
        let verdict = "SELECT what, detail FROM history.verdict ORDER BY what, detail";
        let rows = self.client.query(verdict, &[])?;
        Ok(rows
            .iter()
            .map(|row| Wrong {
                what: row.get(0),
                detail: row.get(1),
            })
            .collect())
    }

    /// A failing seed with as few steps as go wrong, and what is wrong then; told is the last that was run.
    pub fn shrink(&mut self, seed: u64) -> Result<Small> {
        let began = Instant::now();
        let steps = shrunk(all_steps(), |steps| {
            Ok(began.elapsed() < SHRINKING && !self.run_steps(seed, steps)?.is_empty())
        })?;
        let wrong = self.run_steps(seed, &steps)?;
        Ok(Small {
            steps: listed(&steps, " "),
            wrong,
        })
    }

    /// What happened in the last history, one event a line.
    pub fn told(&mut self) -> Result<String> {
        let rows = self
            .client
            .query("SELECT text FROM history.event ORDER BY n", &[])
            .context("the history cannot be told")?;
        Ok(rows
            .iter()
            .map(|row| format!("{}\n", row.get::<_, &str>(0)))
            .collect())
    }
}

fn all_steps() -> Vec<i32> {
    (1..=STEPS).collect()
}

fn listed(steps: &[i32], between: &str) -> String {
    let words: Vec<String> = steps.iter().map(i32::to_string).collect();
    words.join(between)
}

/// Leaves out what can be, from the end to the beginning: halves at first, single steps at last.
fn shrunk(mut steps: Vec<i32>, mut fails: impl FnMut(&[i32]) -> Result<bool>) -> Result<Vec<i32>> {
    let mut size = steps.len() / 2;
    while size > 0 {
        let mut end = steps.len();
        while end > 0 {
            let begin = end.saturating_sub(size);
            let rest = [&steps[..begin], &steps[end..]].concat();
            if fails(&rest)? {
                steps = rest;
            }
            end = begin;
        }
        size /= 2;
    }
    Ok(steps)
}

fn session(side: &OracleSide, database: &str) -> Result<Client> {
    let mut client = side.cluster.connect(database, SUPERUSER)?;
    client.batch_execute(SESSION)?;
    Ok(client)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_steps_that_matter_are_left() -> Result<()> {
        let mut runs = 0;
        let steps = shrunk(all_steps(), |steps| {
            runs += 1;
            Ok([17, 18, 200].iter().all(|step| steps.contains(step)))
        })?;
        assert_eq!(steps, [17, 18, 200]);
        assert!(runs < 100, "{runs}");
        Ok(())
    }

    #[test]
    fn what_does_not_fail_again_stays_as_it_is() -> Result<()> {
        assert_eq!(shrunk(vec![1, 2, 3], |_| Ok(false))?, [1, 2, 3]);
        Ok(())
    }
}
