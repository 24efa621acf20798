//! Asking: held, suspected and parked identities go into a private request at the source and come
//! back as pointers and rows, like a batch, without moving the progress.

use std::time::Instant;

use crate::catalog::parked;
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::apply::{Job, What};
use crate::pull::batch::{Member, Staged};
use crate::pull::fetch;
use crate::pull::poll::SourceNow;
use crate::pull::puller::Puller;
use crate::pull::slice::Range;
use crate::pull::tx;
use crate::pull::unread::Unread;
use crate::settings;
use crate::state::{Stream, TargetState};

/// Takes one bounded request, of the first table that has something to ask. Returns whether there
/// was one.
pub fn take(puller: &mut Puller, now: &SourceNow, targets: &[Target]) -> Result<bool, Error> {
    let asking: Vec<i32> = rotated(targets, puller.asked_last)
        .filter(|target| {
            matches!(
                target.state,
                TargetState::CatchingUp | TargetState::Following
            )
        })
        .map(|target| target.id)
        .collect();
    let due = tx::run("looking for something to ask", || parked::first_due(asking))?;
    let Some(target) = targets.iter().find(|target| Some(target.id) == due) else {
        return Ok(false);
    };
    puller.asked_last = target.id;
    one(puller, now, target)
}

/// Tables after `last` first, so that one with a long backlog does not keep the others waiting.
fn rotated(targets: &[Target], last: i32) -> impl Iterator<Item = &Target> {
    let start = targets.iter().position(|t| t.id > last).unwrap_or(0);
    targets[start..].iter().chain(&targets[..start])
}

fn one(puller: &mut Puller, before: &SourceNow, target: &Target) -> Result<bool, Error> {
    debug_assert_eq!(target.state.stream(false), Stream::Apply);
    let due = tx::run("choosing what to ask", || {
        parked::due(target.id, settings::request_rows())
    })?;
    if due.identities.is_empty() {
        return Ok(false);
    }
    // Its transaction would wait for the one of the second hand.
    if !puller.hand_has_finished()? {
        return Ok(true);
    }
    let request = puller.call(|control, shard, token| {
        control.ask(shard, token, target.remote_id, &due.identities)
    })?;
    let started = Instant::now();
    let answered = answer(puller, before, target, request, &due, started);
    let done = puller.call(|control, shard, token| control.done(shard, token, request));
    match done {
        // Another attach has dropped it.
        Err(error) if error.kind == Kind::Forgotten => {}
        other => other?,
    }
    answered?;
    Ok(true)
}

fn answer(
    puller: &mut Puller,
    before: &SourceNow,
    target: &Target,
    request: i64,
    due: &parked::Due,
    started: Instant,
) -> Result<(), Error> {
    let range = Range::request(request);
    let Some(table) = puller.usable_table(target)? else {
        return Ok(());
    };
    puller.staging.prepare(&puller.source, &[&table])?;
    let mut bad = Vec::new();
    let fetched = match fetch::rows(&puller.source, &table, &range, &mut bad) {
        Ok(rows) => rows,
        Err(error) => return puller.unread(Unread::rows_of(target, error)),
    };
    let keys = target.key_columns.len();
    let pointers = fetch::pointers(&puller.source, &range, &[target.remote_id], keys, &bad)?;
    // Its identities come from the source, never from the local list: a request that another
    // attach has dropped would look like rows that are gone.
    fetch::complete(pointers, due.identities.len())?;
    let now = match fetch::second_look(&puller.source, &range, &[], before, &[target]) {
        Ok(now) => now,
        Err(error) => return puller.unread(Unread::of(vec![target.clone()], error)),
    };
    let staged = Staged {
        members: vec![Member {
            target: target.clone(),
            table: Some(table),
            fetched,
        }],
        bad,
        pointers,
        now,
        took: started.elapsed(),
    };
    puller.apply(
        What::Request {
            id: request,
            target: target.id,
            asked: &due.asked,
        },
        &staged,
    )
}

impl Puller {
    /// Applies a fetched batch or request, and acts on what it showed.
    pub fn apply(&mut self, what: What, staged: &Staged) -> Result<(), Error> {
        let job = Job {
            source: &self.source,
            epoch: self.epoch,
            what,
            staged,
            acked: self.acked,
            ahead: false,
        };
        let outcome = crate::pull::apply::apply(&job, &self.made_way.tired())?;
        match outcome {
            Ok(applied) => self.applied(&staged.members, applied),
            Err(stuck) => self.stuck(&staged.members, stuck),
        }
    }
}
