//! The second hand: reads a batch while the puller works on the one before, and applies it as the next.
//!
//! It knows only how a batch goes well; `ahead.rs` says why that is enough and why it is right. What it
//! cannot do it gives back, and the puller does it with everything it knows about errors.

use std::time::Duration;

use crate::catalog::relation;
use crate::catalog::source::{self, Progress, Source};
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::pull::ahead::followed;
use crate::pull::apply::{self, Job, What};
use crate::pull::batch::{self, Member, Staged};
use crate::pull::plan::{self, Batch, Limits};
use crate::pull::poll::{self, Poll};
use crate::pull::staging::Staging;
use crate::pull::tx;
use crate::sql;
use crate::worker::process;
use crate::worker::shared::{self, Errand};

/// The puller wakes the second hand after each commit; this is for the case that it has ended.
const LOOK: Duration = Duration::from_millis(200);

pub struct Hand {
    source: i32,
    /// The puller's place on the board.
    slot: usize,
    staging: Staging,
}

impl Hand {
    pub fn new(source: i32, slot: usize) -> Self {
        Hand {
            source,
            slot,
            staging: Staging::default(),
        }
    }

    /// Takes one batch. An error: nothing of it is applied.
    pub fn run(&mut self, errand: Errand) -> Result<(), Error> {
        let (source, progress) = self.entitled("reading the catalog", errand)?;
        let mut poll = poll::poll(&source, &progress, errand.from - 1)?;
        poll.portions.retain(|portion| portion.id <= errand.to);
        // After the portions, as the puller does.
        let targets = tx::run("reading the catalog", || target::of_source(source.id))?;
        let batch = whole(&poll, &targets, errand)?;
        let members = members(&source, &batch, &targets)?;
        let staged = batch::stage(&source, &mut self.staging, &batch, &poll, members)
            .map_err(|unread| *unread.error)?;
        only_rows(&staged)?;
        self.wait(errand)?;
        apply::apply_plain(&Job {
            source: &source,
            epoch: errand.epoch,
            what: What::Portions {
                from: batch.from,
                to: batch.to,
                scn: batch.scn_to,
            },
            staged: &staged,
            acked: None,
            ahead: true,
        })
    }

    /// The source, while the puller that handed the errand out is still the one that may write.
    fn entitled(&self, what: &str, errand: Errand) -> Result<(Source, Progress), Error> {
        let (source, progress) = tx::run(what, || {
            Ok((source::by_id(self.source)?, source::progress(self.source)?))
        })?;
        match (source, progress) {
            (Some(source), Some(progress)) if progress.epoch == errand.epoch => {
                Ok((source, progress))
            }
            _ => Err(given_back("it was handed out by an earlier puller")),
        }
    }

    /// Waits until all portions before the errand are applied.
    fn wait(&self, errand: Errand) -> Result<(), Error> {
        let what = "waiting for the batch before";
        while self.entitled(what, errand)?.1.applied != Some(errand.from - 1) {
            if !shared::puller_runs(self.slot)? {
                return Err(given_back("the puller has ended"));
            }
            process::nap(LOOK);
        }
        Ok(())
    }

    /// Between errands.
    pub fn renew_staging(&mut self) -> Result<(), Error> {
        self.staging.renew()?;
        Ok(())
    }
}

fn given_back(why: &str) -> Error {
    Error::new(Kind::Changed, format!("the batch is given back: {why}"))
}

/// The portions of an errand as one batch, whatever its size: the puller has bounded it.
fn whole(poll: &Poll, targets: &[Target], errand: Errand) -> Result<Batch, Error> {
    let limits = Limits {
        pointers: i64::MAX,
        bytes: i64::MAX,
    };
    let widths = targets.iter().map(|t| (t.remote_id, t.row_width)).collect();
    plan::batch(&poll.portions, &poll.touched, &widths, limits)
        .filter(|batch| (batch.from, batch.to) == (errand.from, errand.to))
        .ok_or_else(|| given_back("its portions are not there"))
}

fn members(source: &Source, batch: &Batch, targets: &[Target]) -> Result<Vec<Member>, Error> {
    let touched = targets
        .iter()
        .filter(|target| batch.tables.contains(&target.remote_id));
    touched
        .map(|target| {
            if !followed(target) {
                return Err(given_back("a table is not simply followed"));
            }
            let table = tx::run("describing a table", || relation::describe(source, target))?;
            Ok(Member {
                target: target.clone(),
                table: Some(table),
                fetched: 0,
            })
        })
        .collect()
}

/// No table truncated, altered or incomplete, no value that cannot be read.
fn only_rows(staged: &Staged) -> Result<(), Error> {
    let other = tx::run("looking at pointers", || {
        sql::first(
            r#"SELECT FROM pg_temp."pointers" WHERE "kind" <> 'R' LIMIT 1"#,
            &[],
            |_| Ok(()),
        )
    })?;
    if other.is_none() && staged.bad.is_empty() {
        return Ok(());
    }
    Err(given_back("it has more than rows to apply"))
}
