//! What may happen next: changes, publication, faults, and what operators do meanwhile.

use std::time::Duration;

use anyhow::Result;

use super::dice::Dice;
use super::run::Run;
use super::{application, copies, far_side, near_side, publisher, set_up};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    // The application.
    Change,
    ChangeAndWait,
    Truncate,
    Alter,
    ChangeUnseen,
    // The publisher.
    Publish,
    PointWrongly,
    PublishAgain,
    Release,
    MoveSlot,
    // The source.
    TakeBack,
    StopSource,
    ForgetPlans,
    DropRequests,
    CutSessions,
    KeepFromReading,
    Reshape,
    LoseTransport,
    // A shard.
    StopShard,
    KillWorker,
    EndWorker,
    BreakCalls,
    RefusePassword,
    LockTarget,
    Rob,
    Copy,
    // Its operator.
    PauseTable,
    PauseSource,
    Resync,
    DropTable,
    ChangeSettings,
    PullNow,
    // Nobody.
    Rest,
}

/// What each run does, and how often.
const ALWAYS: [(Act, u64); 4] = [
    (Act::Change, 40),
    (Act::Publish, 25),
    (Act::PullNow, 6),
    (Act::Rest, 6),
];

/// Of these, every run leaves about half out: what is never disturbed hides no loss, and what is often disturbed meets
/// itself.
const SOMETIMES: [(Act, u64); 29] = [
    (Act::ChangeAndWait, 4),
    (Act::Truncate, 1),
    (Act::Alter, 2),
    (Act::ChangeUnseen, 1),
    (Act::PointWrongly, 4),
    (Act::PublishAgain, 3),
    (Act::Release, 4),
    (Act::MoveSlot, 3),
    (Act::TakeBack, 2),
    (Act::StopSource, 1),
    (Act::ForgetPlans, 1),
    (Act::DropRequests, 2),
    (Act::CutSessions, 2),
    (Act::KeepFromReading, 4),
    (Act::Reshape, 2),
    (Act::LoseTransport, 1),
    (Act::StopShard, 2),
    (Act::KillWorker, 2),
    (Act::EndWorker, 2),
    (Act::BreakCalls, 5),
    (Act::RefusePassword, 1),
    (Act::LockTarget, 3),
    (Act::Rob, 1),
    (Act::Copy, 1),
    (Act::PauseTable, 4),
    (Act::PauseSource, 1),
    (Act::Resync, 2),
    (Act::DropTable, 2),
    (Act::ChangeSettings, 1),
];

pub fn weights(dice: &mut Dice) -> Vec<(Act, u64)> {
    let mut weights = ALWAYS.to_vec();
    for (act, weight) in SOMETIMES {
        if dice.percent(50) {
            weights.push((act, weight * dice.pick(&[1, 2, 4])));
        }
    }
    weights
}

/// Does one thing.
pub fn one(run: &mut Run) -> Result<()> {
    let acts = std::mem::take(&mut run.acts);
    let act = run.dice.weighted(&acts).unwrap_or(Act::Change);
    run.acts = acts;
    let shard = run.dice.index(run.shards.len());
    match act {
        Act::Change => application::change(run),
        Act::ChangeAndWait => application::change_and_wait(run),
        Act::Truncate => application::truncate(run),
        Act::Alter => application::alter(run),
        Act::ChangeUnseen => application::change_unseen(run),
        Act::Publish => publisher::publish(run),
        Act::PointWrongly => publisher::point_wrongly(run),
        Act::PublishAgain => publisher::publish_again(run),
        Act::Release => publisher::release(run),
        Act::MoveSlot => publisher::move_slot(run),
        Act::TakeBack => far_side::take_back(run),
        Act::StopSource => far_side::stop(run),
        Act::ForgetPlans => far_side::forget_plans(run),
        Act::DropRequests => far_side::drop_requests(run),
        Act::CutSessions => far_side::cut_sessions(run),
        Act::KeepFromReading => far_side::keep_from_reading(run),
        Act::Reshape => far_side::reshape(run),
        Act::LoseTransport => far_side::lose_transport(run),
        Act::StopShard => near_side::stop(run, shard),
        Act::KillWorker => near_side::kill_worker(run, shard),
        Act::EndWorker => near_side::end_worker(run, shard),
        Act::BreakCalls => near_side::break_calls(run, shard),
        Act::RefusePassword => near_side::refuse_password(run, shard),
        Act::LockTarget => near_side::lock_target(run, shard),
        Act::Rob => near_side::rob(run, shard),
        Act::Copy => copies::begin(run, shard),
        Act::PauseTable => near_side::pause_table(run, shard),
        Act::PauseSource => near_side::pause_source(run, shard),
        Act::Resync => near_side::resync(run, shard),
        Act::DropTable => near_side::drop_table(run, shard),
        Act::ChangeSettings => set_up::settings(run, shard),
        Act::PullNow => near_side::pull_now(run, shard),
        Act::Rest => {
            std::thread::sleep(Duration::from_millis(100));
            Ok(())
        }
    }
}
