//! Random histories of the source on the translated packages (pg_test/oracle/histories): one seed, one history.

use anyhow::{Context, Result};
use postgres::Client;

use crate::artifacts;
use crate::bed;
use crate::cluster::SUPERUSER;
use crate::oracle_side::OracleSide;

/// How many things happen in a history before it comes to rest.
pub const STEPS: i32 = 250;

/// A plan for any value, because planning a question to the dictionary takes longer than the answer. A history that does
/// not come to rest is ended, and has failed.
const SESSION: &str = "SET plan_cache_mode = force_generic_plan; SET synchronous_commit = off; SET jit = off; SET client_min_messages = warning; SET statement_timeout = '120s'";

/// A promise that a history has found broken.
pub struct Wrong {
    /// lost, premature, order, different, failed, stuck.
    pub what: String,
    pub detail: String,
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
    pub fn run(&mut self, seed: u64, steps: i32) -> Result<Vec<Wrong>> {
        self.client.batch_execute("DELETE FROM history.verdict")?;
        let call = format!("CALL history.run({seed}, {steps})");
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

    /// The same seed with fewer steps, as few as still go wrong; with what is wrong then.
    pub fn shortest(&mut self, seed: u64) -> Result<(i32, Vec<Wrong>)> {
        for steps in (10..STEPS).step_by(10) {
            let wrong = self.run(seed, steps)?;
            if !wrong.is_empty() {
                return Ok((steps, wrong));
            }
        }
        Ok((STEPS, self.run(seed, STEPS)?))
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

fn session(side: &OracleSide, database: &str) -> Result<Client> {
    let mut client = side.cluster.connect(database, SUPERUSER)?;
    client.batch_execute(SESSION)?;
    Ok(client)
}
