//! The places of second hands, one beside each puller's: which batches they were given, how far they are.

use super::{Board, SECOND};

/// A second hand that has not come by then never will.
const HAND_COMES: i64 = 10 * SECOND;

/// Portions `from..=to`, one batch, to be taken for the puller of this epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errand {
    pub epoch: i64,
    pub from: i64,
    pub to: i64,
}

/// What became of an errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Pending,
    /// Committed.
    Done,
    /// Given back, or its second hand has ended.
    Lost,
}

/// Whether there is a second hand to give errands to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hire {
    /// It runs, or is about to.
    There,
    /// A place is reserved: start one.
    Start,
    /// One that served another source is still there.
    Taken,
}

#[derive(Clone, Copy)]
pub(super) struct Hand {
    /// 0: this place is free.
    pub(super) database: u32,
    source: i32,
    /// 0: not running.
    pub(super) pid: i32,
    reserved_at: i64,
    next: Option<Errand>,
    current: Option<Errand>,
    done: Option<Errand>,
}

impl Hand {
    pub(super) const FREE: Hand = Hand {
        database: 0,
        source: 0,
        pid: 0,
        reserved_at: 0,
        next: None,
        current: None,
        done: None,
    };
}

impl Board {
    /// Reserves the second hand of the puller at this place.
    pub fn hire(&mut self, slot: usize, now: i64) -> Hire {
        let (puller, hand) = (&self.pullers[slot], &mut self.hands[slot]);
        let ours = (hand.database, hand.source) == (puller.database, puller.source);
        if ours && (hand.pid != 0 || now - hand.reserved_at < HAND_COMES) {
            return Hire::There;
        }
        if hand.pid != 0 {
            return Hire::Taken;
        }
        *hand = Hand {
            database: puller.database,
            source: puller.source,
            reserved_at: now,
            ..Hand::FREE
        };
        Hire::Start
    }

    /// A second hand takes its place. `None`: it is not wanted any more.
    pub fn claim_hand(&mut self, slot: usize, pid: i32) -> Option<(u32, i32)> {
        let hand = self.hands.get_mut(slot)?;
        if hand.database == 0 || hand.pid != 0 {
            return None;
        }
        hand.pid = pid;
        Some((hand.database, hand.source))
    }

    /// Process `pid` has ended, or (0) never began.
    pub fn release_hand(&mut self, slot: usize, pid: i32) {
        if let Some(hand) = self.hands.get_mut(slot)
            && hand.pid == pid
        {
            // What it has committed stays known.
            *hand = Hand {
                done: hand.done,
                ..Hand::FREE
            };
        }
    }

    /// An idle second hand leaves. False: it has just been given something.
    pub fn retire(&mut self, slot: usize) -> bool {
        let hand = &self.hands[slot];
        let idle = hand.next.is_none();
        if idle {
            self.release_hand(slot, hand.pid);
        }
        idle
    }

    /// Gives an errand to the second hand. False: it has one waiting, or works for an earlier puller.
    pub fn hand_out(&mut self, slot: usize, errand: Errand) -> bool {
        let hand = &mut self.hands[slot];
        let ours = hand.current.is_none_or(|c| c.epoch == errand.epoch);
        let free = hand.database != 0 && hand.next.is_none() && ours;
        if free {
            hand.next = Some(errand);
        }
        free
    }

    /// A second hand begins with what it was given.
    pub fn take_errand(&mut self, slot: usize) -> Option<Errand> {
        let hand = &mut self.hands[slot];
        hand.current = hand.next.take();
        hand.current
    }

    /// A second hand has committed its errand, or gives it back: with the one that was to follow,
    /// which cannot come before it.
    pub fn end_errand(&mut self, slot: usize, done: bool) {
        let hand = &mut self.hands[slot];
        if done {
            hand.done = hand.current;
        } else {
            hand.next = None;
        }
        hand.current = None;
    }

    /// An errand that nobody has come for is taken back.
    pub fn fate(&mut self, slot: usize, errand: Errand) -> Fate {
        let hand = &mut self.hands[slot];
        if hand.done == Some(errand) {
            return Fate::Done;
        }
        if hand.pid == 0 {
            hand.next = None;
        }
        if [hand.current, hand.next].contains(&Some(errand)) {
            Fate::Pending
        } else {
            Fate::Lost
        }
    }

    /// Takes back what was not begun; returns the process that is at work, 0 if there is none.
    pub fn recall(&mut self, slot: usize) -> i32 {
        let hand = &mut self.hands[slot];
        hand.next = None;
        if hand.current.is_some() { hand.pid } else { 0 }
    }

    pub fn hand_pid(&self, slot: usize) -> i32 {
        self.hands[slot].pid
    }
}
