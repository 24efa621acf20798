//! Wishes and facts become states: what the puller does between polling and planning.
//!
//! Each transition is a transaction of its own that locks the state row. From its commit on,
//! pointers of a loading table are held, and the first chunk is read after it.

use crate::catalog::chunk::{self, Load};
use crate::catalog::event;
use crate::catalog::parked;
use crate::catalog::source::Wish;
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::event::Event;
use crate::pull::drift::{self, Again};
use crate::pull::poll::{self, RemoteTable, SourceNow};
use crate::pull::puller::Puller;
use crate::pull::{trouble, tx};
use crate::settings;
use crate::source::foreign;
use crate::state::TargetState;

/// Brings every table as far as it can go now.
pub fn all(puller: &mut Puller, now: &SourceNow, targets: &[Target]) -> Result<(), Error> {
    let asked: Vec<i64> = targets
        .iter()
        .filter(|t| matches!(t.state, TargetState::Waiting | TargetState::Loading))
        .map(|t| t.remote_id)
        .collect();
    let remote = if asked.is_empty() {
        Default::default()
    } else {
        tx::run("looking at tables", || {
            poll::remote_tables(&puller.source, &asked)
        })
        .map_err(Error::of_contract)?
    };
    for target in targets {
        let may_resume = target.state == TargetState::Paused && !target.needs_load();
        if !may_resume && !puller.rested(target.id) {
            continue;
        }
        if let Err(error) = one(puller, now, target, remote.get(&target.remote_id)) {
            puller.trouble(target, error)?;
        }
    }
    if !puller.ahead.is_empty() {
        // The second hand may be deleting the same rows.
        return Ok(());
    }
    tx::run("settling requests", || {
        parked::settle(puller.source.id, now.mined_scn, &now.started_at)
    })
}

fn one(
    puller: &mut Puller,
    now: &SourceNow,
    target: &Target,
    remote: Option<&RemoteTable>,
) -> Result<(), Error> {
    if target.wished == Wish::Drop {
        return drop_table(puller, target);
    }
    if target.retry_wish > target.retry_done && target.remote_id != 0 {
        tx::run("making parked rows due", || {
            parked::make_due(target.id)?;
            target::retried(target)
        })?;
    }
    if target.needs_load() {
        return resync(puller, target);
    }
    match target.state {
        TargetState::Waiting => end_waiting(puller, target, remote),
        TargetState::Loading if target.wished == Wish::Pause => pause(puller, target),
        TargetState::CatchingUp | TargetState::Following if target.wished == Wish::Pause => {
            pause(puller, target)
        }
        // Without a D pointer too: loaders drop each chunk of a table that is refused or has another shape.
        TargetState::Loading if !remote.is_some_and(|remote| remote.is_as_read(target)) => {
            drift::look(puller, target)
        }
        TargetState::Loading if target.plan_id.is_none() => plan(puller, target, remote),
        TargetState::Loading => end_loading(puller, now, target),
        TargetState::CatchingUp => end_catching_up(target),
        TargetState::Paused => end_pause(puller, target),
        TargetState::NeedsResync => wish_done(target),
        TargetState::Following | TargetState::Dropping => wish_done(target),
    }
}

/// A resume() of something that is not paused.
fn wish_done(target: &Target) -> Result<(), Error> {
    if target.wished != Wish::Resume {
        return Ok(());
    }
    tx::run("noting a wish", || target::wish_done(target.id))
}

fn resync(puller: &mut Puller, target: &Target) -> Result<(), Error> {
    match drift::register_again(puller, target)? {
        Again::Now => {}
        Again::Later => return Ok(()),
        Again::Not(why) => return give_resync_up(puller, target, &why),
    }
    tx::run("starting a resync", || {
        target::start_load(target, true, "resync")?;
        target::wish_done(target.id)?;
        event::note(
            puller.source.id,
            Some(target.id),
            Event::LoadsAgain(&target.name),
            serde_json::json!({}),
        )
    })
}

pub fn give_resync_up(puller: &Puller, target: &Target, why: &str) -> Result<(), Error> {
    // What was skipped until now is only in a load: a paused table could be resumed without it.
    let to = match target.state {
        TargetState::NeedsResync => TargetState::NeedsResync,
        _ => TargetState::Paused,
    };
    tx::run("giving a resync up", || {
        target::transition(target, to, Some(why), false)?;
        target::resync_given_up(target)?;
        event::note(
            puller.source.id,
            Some(target.id),
            Event::CannotLoad(&target.name, why),
            serde_json::json!({ "do": "SELECT orapull.resync(relation), once that is mended" }),
        )
    })
}

/// The transactions that were open at the registration have ended: what they did before it is in
/// the table now, what they did after it is in pointers.
fn end_waiting(
    puller: &mut Puller,
    target: &Target,
    remote: Option<&RemoteTable>,
) -> Result<(), Error> {
    if remote.is_some_and(|remote| remote.state == "WAIT_TX") {
        return Ok(());
    }
    // Idempotent; a drop_table that the source heard after the add_table may have undone the first, and
    // then the table has another number.
    match drift::register_again(puller, target)? {
        Again::Now => {}
        Again::Later => return Ok(()),
        Again::Not(why) => return puller.pause_table(target, &why, false),
    }
    tx::run("starting a load", || {
        if target.load == "none" {
            target::transition(
                target,
                TargetState::Paused,
                Some("load => 'none': bring the rows, then call orapull.resume(source, relation)"),
                false,
            )
        } else {
            target::start_load(target, target.load == "replace", "first load")
        }
    })
}

fn pause(puller: &mut Puller, target: &Target) -> Result<(), Error> {
    puller.pause_table(target, "pause() was called", false)
}

/// Resumes a paused table: when resume() was called, or by itself once the lock may be gone.
fn end_pause(puller: &mut Puller, target: &Target) -> Result<(), Error> {
    let asked = target.wished == Wish::Resume;
    if !asked && too_many_held(puller, target)? {
        return Ok(());
    }
    if target.wished == Wish::Pause {
        return Ok(());
    }
    if !(asked || target.by_itself && puller.rested(target.id)) {
        return Ok(());
    }
    puller.resting.remove(&target.id);
    tx::run("resuming a table", || {
        target::wish_done(target.id)?;
        let to = if target.generation == 0 && !target.operator_brings_rows() {
            TargetState::Waiting
        } else if chunk::unfinished(target)? {
            TargetState::Loading
        } else {
            TargetState::CatchingUp
        };
        target::transition(target, to, Some("resumed"), false)?;
        if target.operator_brings_rows() {
            target::rows_are_brought(target.id)?;
        }
        Ok(())
    })
}

/// More identities are held than it is worth to ask one by one: the table will be loaded again. Not
/// while the operator still brings the rows: nothing else covers what happens meanwhile.
fn too_many_held(puller: &mut Puller, target: &Target) -> Result<bool, Error> {
    if target.operator_brings_rows() || !puller.time_to_count(target.id) {
        return Ok(false);
    }
    let limit = settings::max_held_rows();
    tx::run("counting held rows", || {
        let many = parked::held(target.id)? > limit;
        if many {
            let reason = format!("more than orapull.max_held_rows = {limit} rows are held");
            target::transition(target, TargetState::NeedsResync, Some(&reason), false)?;
            parked::forget(target.id)?;
        }
        Ok(many)
    })
}

/// Cuts the table into chunks at the source.
fn plan(puller: &mut Puller, target: &Target, remote: Option<&RemoteTable>) -> Result<(), Error> {
    let rows = remote.map_or(0, |remote| remote.rows);
    let chunks = rows / settings::load_chunk_rows() + 1;
    let plan = puller.call(|control, shard, token| {
        control.plan_ranges(shard, token, target.remote_id, chunks)
    })?;
    let chunks = i32::try_from(plan.chunks).map_err(|_| {
        Error::new(
            Kind::Contract,
            "a plan of more than two thousand million chunks",
        )
    })?;
    tx::run("noting a plan", || {
        target::lock(target)?;
        chunk::plan(target.id, target.generation, plan.plan_id, chunks)
    })
}

fn end_loading(puller: &mut Puller, now: &SourceNow, target: &Target) -> Result<(), Error> {
    let load = tx::run("settling a load", || {
        chunk::settle(target.id, target.generation, now.mined_scn, &now.started_at)
    })?;
    match load {
        Load::Open => puller.mend_load(target),
        Load::Doubtful => tx::run("loading again", || {
            target::start_load(
                target,
                true,
                "the source was started again before it had mined past what was read",
            )
        }),
        // A loader is to look for what no chunk saw.
        Load::Done if at_its_end(target)? => puller.mend_load(target),
        Load::Done => finish_load(puller, target),
    }
}

fn at_its_end(target: &Target) -> Result<bool, Error> {
    tx::run("looking at a load", || chunk::is_at_its_end(target.id))
}

fn finish_load(puller: &Puller, target: &Target) -> Result<(), Error> {
    tx::run("ending a load", || {
        target::end_load(target)?;
        event::note(
            puller.source.id,
            Some(target.id),
            Event::Loaded(&target.name),
            serde_json::json!({ "generation": target.generation }),
        )
    })
}

fn end_catching_up(target: &Target) -> Result<(), Error> {
    tx::run("ending a catch-up", || {
        if parked::backlog(target.id)? {
            return Ok(());
        }
        target::transition(target, TargetState::Following, None, false)
    })?;
    wish_done(target)
}

fn drop_table(puller: &mut Puller, target: &Target) -> Result<(), Error> {
    if target.state != TargetState::Dropping {
        tx::run("dropping a table", || {
            target::transition(
                target,
                TargetState::Dropping,
                Some("drop_table() was called"),
                false,
            )
        })?;
    }
    if target.remote_id != 0 && !puller.shared_remote(target)? {
        let dropped =
            puller.call(|control, shard, token| control.drop_table(shard, token, target.remote_id));
        match dropped {
            // The source has forgotten it already.
            Err(error) if error.kind == Kind::TableRefused => {}
            other => other?,
        }
    }
    let source = &puller.source;
    let forgotten = tx::run("forgetting a table", || {
        foreign::drop_target_tables(source, target.id)?;
        target::delete(target.id)
    });
    forgotten.map_err(|error| trouble::of_foreign_tables(source, target.id, error))?;
    puller.forget(target.id);
    Ok(())
}

/// Looks at tables that were altered at the source. The second hand must not read their foreign tables
/// while they are made anew.
pub fn altered(puller: &mut Puller, targets: &[Target]) -> Result<(), Error> {
    if !targets.is_empty() {
        puller.recall()?;
    }
    for target in targets {
        if let Err(error) = drift::look(puller, target) {
            puller.trouble(target, error)?;
        }
    }
    Ok(())
}
