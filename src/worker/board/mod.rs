//! The board: what launcher, scouts, pullers, second hands, loaders and sessions know of each other.
//!
//! It has a fixed size because it lies in shared memory. Pure: process ids, database oids and
//! times (microseconds) are numbers here; `shared.rs` puts a lock around it.

mod databases;
mod hands;
mod loaders;
mod pullers;

use databases::{Database, State};
use hands::Hand;
pub use hands::{Errand, Fate, Hire};
use loaders::Loader;
pub use pullers::{Live, Puller};

const DATABASES: usize = 256;
const PULLERS: usize = 64;
const LOADERS: usize = 128;

const SECOND: i64 = 1_000_000;
const NO_SLOT_WAIT: i64 = 5 * SECOND;
const LONGEST_BACKOFF: i64 = 60 * SECOND;

const AT_ONCE: i64 = i64::MIN;
const NEVER: i64 = i64::MAX;

#[derive(Clone, Copy)]
pub struct Board {
    /// Process id of the launcher, 0 if it is not running.
    pub launcher: i32,
    databases: [Database; DATABASES],
    pullers: [Puller; PULLERS],
    hands: [Hand; PULLERS],
    loaders: [Loader; LOADERS],
}

/// 1 s, 2 s, 4 s ... 60 s.
fn backoff(failures: u32) -> i64 {
    (SECOND << failures.saturating_sub(1).min(6)).min(LONGEST_BACKOFF)
}

/// No wait is longer than a minute: what lies further ahead comes from a clock that was set back.
fn is_due(at: i64, now: i64) -> bool {
    at <= now || (at != NEVER && at > now + LONGEST_BACKOFF)
}

impl Board {
    pub const EMPTY: Board = Board {
        launcher: 0,
        databases: [Database::FREE; DATABASES],
        pullers: [Puller::FREE; PULLERS],
        hands: [Hand::FREE; PULLERS],
        loaders: [Loader::FREE; LOADERS],
    };

    /// When the launcher has something to start next, a scout only if it can send one.
    pub fn next_event(&self, with_scouts: bool) -> i64 {
        let starts = self.pullers.iter().filter_map(|p| {
            (p.database != 0 && p.pid == 0 && !p.launching).then_some(p.next_start)
        });
        let looks = self.databases.iter().filter_map(|d| {
            (with_scouts && d.oid != 0 && d.state != State::Stopped && d.scout == 0)
                .then_some(d.look_at)
        });
        starts.chain(looks).min().unwrap_or(NEVER)
    }

    /// From now on nothing starts there. False: there is no place to note it.
    pub fn stop(&mut self, oid: u32) -> bool {
        let Some(database) = self.database_or_new(oid) else {
            return false;
        };
        database.state = State::Stopped;
        for puller in &mut self.pullers {
            if puller.database == oid && puller.pid == 0 {
                *puller = Puller::FREE;
            }
        }
        for hand in &mut self.hands {
            if hand.database == oid && hand.pid == 0 {
                *hand = Hand::FREE;
            }
        }
        for loader in &mut self.loaders {
            if loader.database == oid && loader.pid == 0 {
                *loader = Loader::FREE;
            }
        }
        true
    }

    /// Undoes [`Board::stop`].
    pub fn start(&mut self, oid: u32) {
        if let Some(database) = self.database(oid)
            && database.state == State::Stopped
        {
            database.state = State::Unknown;
            database.look_at = AT_ONCE;
        }
    }

    fn is_stopped(&self, oid: u32) -> bool {
        let of_oid = self.databases.iter().find(|d| d.oid == oid);
        of_oid.is_some_and(|d| d.state == State::Stopped)
    }

    /// Process ids of all workers in a database.
    pub fn pids(&self, oid: u32) -> Vec<i32> {
        let pullers = self.pullers.iter().map(|p| (p.database, p.pid));
        let hands = self.hands.iter().map(|h| (h.database, h.pid));
        let loaders = self.loaders.iter().map(|l| (l.database, l.pid));
        let scouts = self.databases.iter().map(|d| (d.oid, d.scout));
        let all = pullers.chain(hands).chain(loaders).chain(scouts);
        all.filter(|&(database, pid)| database == oid && pid != 0)
            .map(|(_, pid)| pid)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DB: u32 = 5;

    /// One database with one source, whose puller is to be started.
    fn followed() -> Board {
        let mut board = Board::EMPTY;
        assert!(board.keep_databases(&[DB]));
        assert_eq!(board.next_look(0), Some(DB));
        assert_eq!(board.record_look(DB, Some(&[1])), 0);
        board
    }

    /// Starts the puller and returns its place.
    fn run(board: &mut Board, now: i64) -> usize {
        let slot = board.next_launch(now).expect("due");
        assert_eq!(board.claim_puller(slot, 100, now), Some((DB, 1)));
        slot
    }

    #[test]
    fn a_database_without_the_extension_is_looked_at_once() {
        let mut board = Board::EMPTY;
        board.keep_databases(&[DB]);
        assert_eq!(board.next_look(0), Some(DB));
        board.record_look(DB, None);
        board.scout_ends(DB, false, 0);
        assert_eq!(board.next_look(1_000 * SECOND), None);
        assert_eq!(board.next_event(true), NEVER);
        board.look_soon(DB);
        assert_eq!(board.next_look(0), Some(DB));
    }

    #[test]
    fn a_chunk_has_one_loader_until_it_ends() {
        let mut board = Board::EMPTY;
        let [one, two] = [0; 2].map(|_| board.reserve_loader(DB, 1, 0).expect("a free place"));
        let other = board.reserve_loader(DB + 1, 1, 0).expect("a free place");
        assert!(board.claim_chunk(one, (7, 1)));
        assert!(!board.claim_chunk(two, (7, 1)), "it is taken");
        assert!(board.claim_chunk(other, (7, 1)), "of another database");
        assert!(board.claim_chunk(one, (7, 1)), "taken again by its own");
        board.release_loader(one);
        assert!(board.claim_chunk(two, (7, 1)));
        board.release_chunk(two);
        let one = board.reserve_loader(DB, 1, 0).expect("a free place");
        assert!(board.claim_chunk(one, (7, 1)));
    }

    #[test]
    fn a_commit_during_a_look_asks_for_another_look() {
        for seen in [None, Some(&[1][..])] {
            let mut board = Board::EMPTY;
            board.keep_databases(&[DB]);
            board.next_look(0);
            assert!(board.scout_begins(DB, 7));
            board.look_soon(DB);
            board.record_look(DB, seen);
            assert_eq!(board.next_look(0), None, "two scouts at once");
            board.scout_ends(DB, false, 0);
            assert_eq!(board.next_look(0), Some(DB));
        }
    }

    #[test]
    fn a_failing_look_is_repeated_later_and_later() {
        let mut board = Board::EMPTY;
        board.keep_databases(&[DB]);
        let mut now = 0;
        for wait in [1, 2, 4, 8] {
            assert_eq!(board.next_look(now), Some(DB));
            assert!(board.scout_begins(DB, 7));
            board.scout_ends(DB, true, now);
            assert_eq!(board.next_event(true), now + wait * SECOND);
            now = board.next_event(true);
        }
    }

    #[test]
    fn a_failing_puller_is_started_after_1_2_4_and_at_most_60_seconds() {
        let mut board = followed();
        let mut now = 0;
        let mut waits = Vec::new();
        for _ in 0..9 {
            let slot = run(&mut board, now);
            board.release_puller(slot, now);
            let next = board.next_event(false);
            waits.push((next - now) / SECOND);
            assert_eq!(board.next_launch(next - 1), None);
            now = next;
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }

    #[test]
    fn a_puller_that_lived_a_minute_begins_with_the_shortest_wait_again() {
        let mut board = followed();
        for now in [0, 100 * SECOND, 200 * SECOND] {
            let slot = run(&mut board, now);
            board.release_puller(slot, now);
        }
        let slot = run(&mut board, 300 * SECOND);
        board.release_puller(slot, 360 * SECOND);
        assert_eq!(board.puller_of(DB, 1).map(|p| p.failures), Some(1));
    }

    #[test]
    fn a_process_that_never_comes_counts_as_failed() {
        let mut board = followed();
        let slot = board.next_launch(0).expect("due");
        assert_eq!(board.next_launch(0), None, "started twice");
        assert!(board.launch_ended(slot, 0));
        assert_eq!(board.next_launch(SECOND - 1), None);
        assert!(board.next_launch(SECOND).is_some());
    }

    #[test]
    fn the_end_of_a_process_that_came_is_not_counted_twice() {
        let mut board = followed();
        let slot = run(&mut board, 0);
        board.release_puller(slot, 0);
        assert!(!board.launch_ended(slot, 0));
        assert_eq!(board.puller_of(DB, 1).map(|p| p.failures), Some(1));
    }

    #[test]
    fn two_processes_never_serve_one_source() {
        let mut board = followed();
        let slot = run(&mut board, 0);
        assert_eq!(board.claim_puller(slot, 101, 0), None);
        board.record_look(DB, Some(&[1]));
        assert_eq!(board.next_launch(0), None);
    }

    #[test]
    fn the_place_of_a_source_that_is_gone_becomes_free() {
        let mut board = followed();
        let slot = run(&mut board, 0);
        board.leave(slot);
        board.release_puller(slot, 0);
        assert!(board.puller_of(DB, 1).is_none());
    }

    #[test]
    fn a_source_that_comes_back_while_its_puller_leaves_is_found() {
        let mut board = followed();
        let slot = run(&mut board, 0);
        board.leave(slot);
        assert_eq!(board.record_look(DB, Some(&[1])), 0);
        board.release_puller(slot, 0);
        assert_eq!(board.next_look(0), Some(DB));
    }

    #[test]
    fn a_clock_that_is_set_back_stalls_nothing() {
        let mut board = followed();
        let slot = run(&mut board, 5_000 * SECOND);
        board.release_puller(slot, 5_000 * SECOND);
        assert_eq!(board.next_launch(5_000 * SECOND), None);
        assert_eq!(board.next_launch(1_000 * SECOND), Some(slot));
    }

    #[test]
    fn a_stopped_database_starts_nothing_until_it_is_started() {
        let mut board = followed();
        let slot = board.next_launch(0).expect("due");
        assert!(board.stop(DB));
        assert_eq!(board.claim_puller(slot, 100, 0), None, "late start");
        assert!(!board.scout_begins(DB, 7));
        board.look_soon(DB);
        assert_eq!(board.next_look(0), None);
        board.start(DB);
        assert_eq!(board.next_look(0), Some(DB));
    }

    #[test]
    fn stopping_names_every_process_of_the_database_and_no_other() {
        let mut board = followed();
        run(&mut board, 0);
        let loader = board.reserve_loader(DB, 1, 0).expect("free");
        board.claim_loader(loader, 200);
        let other = board.reserve_loader(DB + 1, 1, 0).expect("free");
        board.claim_loader(other, 300);
        assert!(board.scout_begins(DB, 7));
        assert_eq!(board.hire(0, 0), Hire::Start);
        board.claim_hand(0, 101);
        board.stop(DB);
        assert_eq!(board.pids(DB), [100, 101, 200, 7]);
    }

    #[test]
    fn a_dropped_database_frees_its_places() {
        let mut board = followed();
        assert!(board.keep_databases(&[]));
        assert!(board.puller_of(DB, 1).is_none());
        assert_eq!(board.next_event(true), NEVER);
    }

    #[test]
    fn sources_beyond_the_last_place_are_counted() {
        let mut board = Board::EMPTY;
        board.keep_databases(&[DB]);
        let sources: Vec<i32> = (1..=PULLERS as i32 + 3).collect();
        assert_eq!(board.record_look(DB, Some(&sources)), 3);
    }

    #[test]
    fn a_loader_that_never_came_gives_its_place_back() {
        let mut board = Board::EMPTY;
        for _ in 0..LOADERS {
            assert!(board.reserve_loader(DB, 1, 0).is_some());
        }
        assert_eq!(board.loaders_of(DB, 1, 0), LOADERS);
        assert_eq!(board.reserve_loader(DB, 1, 0), None);
        assert!(board.reserve_loader(DB, 1, 61 * SECOND).is_some());
        assert_eq!(board.loaders_of(DB, 1, 61 * SECOND), 1);
    }

    fn errand(from: i64) -> Errand {
        Errand {
            epoch: 1,
            from,
            to: from + 9,
        }
    }

    /// A board with a second hand that has come.
    fn with_hand() -> Board {
        let mut board = followed();
        run(&mut board, 0);
        assert_eq!(board.hire(0, 0), Hire::Start);
        assert_eq!(board.claim_hand(0, 101), Some((DB, 1)));
        board
    }

    #[test]
    fn an_errand_is_pending_until_it_is_committed() {
        let mut board = with_hand();
        assert!(board.hand_out(0, errand(1)));
        assert_eq!(board.fate(0, errand(1)), Fate::Pending);
        assert!(!board.hand_out(0, errand(20)), "one waits already");
        assert_eq!(board.take_errand(0), Some(errand(1)));
        assert!(board.hand_out(0, errand(20)), "one at work, one waiting");
        board.end_errand(0, true);
        assert_eq!(board.fate(0, errand(1)), Fate::Done);
        assert_eq!(board.fate(0, errand(20)), Fate::Pending);
        board.release_hand(0, 101);
        assert_eq!(board.fate(0, errand(1)), Fate::Done, "it stays committed");
        assert_eq!(board.fate(0, errand(20)), Fate::Lost);
    }

    #[test]
    fn what_follows_an_errand_that_is_given_back_goes_with_it() {
        let mut board = with_hand();
        board.hand_out(0, errand(1));
        board.take_errand(0);
        board.hand_out(0, errand(20));
        board.end_errand(0, false);
        assert_eq!(board.fate(0, errand(1)), Fate::Lost);
        assert_eq!(board.fate(0, errand(20)), Fate::Lost);
        assert_eq!(board.take_errand(0), None);
    }

    #[test]
    fn an_errand_that_nobody_came_for_is_taken_back() {
        let mut board = followed();
        run(&mut board, 0);
        assert_eq!(board.hire(0, 0), Hire::Start);
        assert_eq!(board.hire(0, 0), Hire::There, "started once");
        assert!(board.hand_out(0, errand(1)));
        assert_eq!(board.fate(0, errand(1)), Fate::Lost);
        board.claim_hand(0, 101);
        assert_eq!(board.take_errand(0), None, "it came too late");
    }

    #[test]
    fn a_second_hand_works_for_one_puller_at_a_time() {
        let mut board = with_hand();
        board.hand_out(0, errand(1));
        board.take_errand(0);
        let later = Errand {
            epoch: 2,
            ..errand(1)
        };
        assert!(!board.hand_out(0, later), "still at the errand of epoch 1");
        board.end_errand(0, false);
        assert!(board.hand_out(0, later));
    }

    #[test]
    fn what_is_recalled_is_not_begun() {
        let mut board = with_hand();
        board.hand_out(0, errand(1));
        assert_eq!(board.recall(0), 0, "nobody is at work");
        assert_eq!(board.take_errand(0), None);
        board.hand_out(0, errand(1));
        board.take_errand(0);
        board.hand_out(0, errand(20));
        assert_eq!(board.recall(0), 101);
        board.end_errand(0, false);
        assert_eq!(board.recall(0), 0);
    }

    #[test]
    fn a_second_hand_of_another_source_is_given_nothing() {
        let mut board = with_hand();
        board.pullers[0].source = 2;
        assert_eq!(board.hire(0, 0), Hire::Taken);
        board.release_hand(0, 101);
        assert_eq!(board.hire(0, 0), Hire::Start);
    }

    #[test]
    fn a_second_hand_leaves_only_when_it_has_nothing_to_do() {
        let mut board = with_hand();
        board.hand_out(0, errand(1));
        assert!(!board.retire(0));
        board.take_errand(0);
        board.end_errand(0, true);
        assert!(board.retire(0));
        assert_eq!(board.hire(0, 0), Hire::Start);
        board.claim_hand(0, 102);
        board.release_hand(0, 101);
        assert_eq!(board.hand_pid(0), 102, "the end of another one");
    }
}
