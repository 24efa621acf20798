//! States of sources and of targets. Pure.

use crate::error::{Error, Kind};

/// What there is to say about a state: the views and the reference show it from here.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub name: &'static str,
    #[allow(dead_code)] // for the reference
    pub meaning: &'static str,
    /// What an operator can do; nothing: it is left by itself.
    pub advice: Option<&'static str>,
}

const fn about(name: &'static str, meaning: &'static str, advice: Option<&'static str>) -> About {
    About {
        name,
        meaning,
        advice,
    }
}

/// What to do about a state of this name.
pub fn advice(name: &str) -> Option<&'static str> {
    let sources = SourceState::ALL.map(SourceState::about);
    let targets = TargetState::ALL.map(TargetState::about);
    sources
        .iter()
        .chain(&targets)
        .find(|state| state.name == name)
        .and_then(|state| state.advice)
}

/// State of a source, kept in `orapull.progress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceState {
    Starting,
    Running,
    Paused,
    Unreachable,
    Credentials,
    Copied,
    LeaseLost,
    SourceChanged,
    NeedsResync,
    TransportLost,
    Dropping,
}

impl SourceState {
    pub const ALL: [SourceState; 11] = [
        SourceState::Starting,
        SourceState::Running,
        SourceState::Paused,
        SourceState::Unreachable,
        SourceState::Credentials,
        SourceState::Copied,
        SourceState::LeaseLost,
        SourceState::SourceChanged,
        SourceState::NeedsResync,
        SourceState::TransportLost,
        SourceState::Dropping,
    ];

    pub fn about(self) -> About {
        match self {
            SourceState::Starting => about(
                "STARTING",
                "The puller has not attached yet. Set by create_source, adopt and resume.",
                None,
            ),
            SourceState::Running => about(
                "RUNNING",
                "Portions are applied. Set by the puller after a successful turn.",
                None,
            ),
            SourceState::Paused => about(
                "PAUSED",
                "An operator called pause(source): no turn, nothing is held, portions wait at the source.",
                Some("SELECT orapull.resume(source)."),
            ),
            SourceState::Unreachable => about(
                "UNREACHABLE",
                "The source does not answer, or cannot be used as it is; tried again with a growing pause. Left by itself.",
                Some("Do what the message asks for; nothing has to be called."),
            ),
            SourceState::Credentials => about(
                "CREDENTIALS",
                "User or password are refused, also while dropping. Not tried again: tries lock the account.",
                Some("Mend the user mapping, then SELECT orapull.resume(source)."),
            ),
            SourceState::Copied => about(
                "COPIED",
                "Another server (or a copy of this one) attached from here, or this database is a restored dump. Nothing is read or written.",
                Some(
                    "If this server takes the place of the other one, SELECT orapull.adopt(source).",
                ),
            ),
            SourceState::LeaseLost => about(
                "LEASE_LOST",
                "The token is stale: another server attached as this shard.",
                Some("If this server is the right one, SELECT orapull.adopt(source)."),
            ),
            SourceState::SourceChanged => about(
                "SOURCE_CHANGED",
                "INSTALL_ID, DBID, INCARNATION or the portions say: another database, or one that was set back.",
                Some(
                    "If this is meant, SELECT orapull.adopt(source, force => true), then resync every table.",
                ),
            ),
            SourceState::NeedsResync => about(
                "NEEDS_RESYNC",
                "Portions that were not applied here are gone at the source.",
                Some("SELECT orapull.adopt(source, force => true), then resync every table."),
            ),
            SourceState::TransportLost => about(
                "TRANSPORT_LOST",
                "The source cannot read its own pointers.",
                Some("Mend it at the source, then SELECT orapull.resume(source)."),
            ),
            SourceState::Dropping => about(
                "DROPPING",
                "drop_source was called; the shard leaves the source, then the row is deleted.",
                Some(
                    "When the source is gone for good, SELECT orapull.drop_source(source, force => true).",
                ),
            ),
        }
    }

    pub fn as_str(self) -> &'static str {
        self.about().name
    }

    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| Error::new(Kind::Bug, format!("unknown source state {text}")))
    }

    /// Whether only an operator leads out of it.
    pub fn waits_for_operator(self) -> bool {
        use SourceState::*;
        matches!(
            self,
            Credentials | Copied | LeaseLost | SourceChanged | NeedsResync | TransportLost
        )
    }

    /// The state that an error of a turn leads to.
    pub fn after(kind: Kind) -> Self {
        match kind {
            Kind::Credentials => SourceState::Credentials,
            Kind::LeaseLost => SourceState::LeaseLost,
            Kind::SourceChanged => SourceState::SourceChanged,
            Kind::PortionsGone => SourceState::NeedsResync,
            Kind::TransportLost => SourceState::TransportLost,
            Kind::Copied => SourceState::Copied,
            _ => SourceState::Unreachable,
        }
    }
}

/// State of a target, kept in `orapull.target_state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetState {
    Waiting,
    Loading,
    CatchingUp,
    Following,
    Paused,
    NeedsResync,
    Dropping,
}

/// What happens to pointers of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Apply,
    Hold,
    Skip,
}

impl TargetState {
    pub const ALL: [TargetState; 7] = [
        TargetState::Waiting,
        TargetState::Loading,
        TargetState::CatchingUp,
        TargetState::Following,
        TargetState::Paused,
        TargetState::NeedsResync,
        TargetState::Dropping,
    ];

    pub fn about(self) -> About {
        match self {
            TargetState::Waiting => about(
                "waiting",
                "Transactions that were open at the source when the table was registered have not ended yet.",
                Some("End transactions at the source that stay open."),
            ),
            TargetState::Loading => about(
                "loading",
                "Chunks of a load are read, and after a resync what no chunk saw is looked for; what changes meanwhile is held.",
                None,
            ),
            TargetState::CatchingUp => about(
                "catching_up",
                "All chunks are in, or the table was resumed: changes are applied, and what was held is asked.",
                None,
            ),
            TargetState::Following => {
                about("following", "Equal to the source but for the lag.", None)
            }
            TargetState::Paused => about(
                "paused",
                "Changes are held: an operator, a change of the table at the source, too many parked rows, or a lock.",
                Some(
                    "Mend what the reason says, then SELECT orapull.resume(source, relation). After a lock it resumes by itself.",
                ),
            ),
            TargetState::NeedsResync => about(
                "needs_resync",
                "Changes are skipped until the table is loaded again.",
                Some("SELECT orapull.resync(relation)."),
            ),
            TargetState::Dropping => about(
                "dropping",
                "drop_table was called; waits for the source to agree.",
                None,
            ),
        }
    }

    pub fn as_str(self) -> &'static str {
        self.about().name
    }

    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| Error::new(Kind::Bug, format!("unknown target state {text}")))
    }

    /// Whether a table may go from here to there. A move to the same state gives another reason, or begins another load.
    pub fn may_become(self, to: TargetState) -> bool {
        use TargetState::*;
        match (self, to) {
            _ if self == to => true,
            (_, Dropping) => true,
            (Dropping, _) => false,
            // What was skipped until now is only in a load.
            (NeedsResync, Paused) => false,
            // A load, or a reason why there is none.
            (_, Loading | Paused | NeedsResync) => true,
            (_, Waiting) => self == Paused,
            (_, CatchingUp) => matches!(self, Loading | Paused),
            (_, Following) => self == CatchingUp,
        }
    }

    /// `brings_rows`: the operator brings the rows (`load => 'none'`), so no load will cover what
    /// happens while the table is waiting.
    pub fn stream(self, brings_rows: bool) -> Stream {
        use TargetState::*;
        match self {
            CatchingUp | Following => Stream::Apply,
            Loading | Paused => Stream::Hold,
            Waiting if brings_rows => Stream::Hold,
            Waiting | NeedsResync | Dropping => Stream::Skip,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_survives_its_text() {
        for state in SourceState::ALL {
            assert_eq!(SourceState::parse(state.as_str()), Ok(state));
        }
        for state in TargetState::ALL {
            assert_eq!(TargetState::parse(state.as_str()), Ok(state));
        }
        assert!(TargetState::parse("RUNNING").is_err());
    }

    #[test]
    fn a_state_that_waits_for_an_operator_says_what_to_do() {
        for state in SourceState::ALL {
            let advice = advice(state.as_str());
            assert!(advice.is_some() || !state.waits_for_operator(), "{state:?}");
        }
        assert_eq!(
            advice("needs_resync"),
            Some("SELECT orapull.resync(relation).")
        );
        assert_eq!(advice("RUNNING"), None);
    }

    #[test]
    fn pointers_are_skipped_only_where_a_load_must_come() {
        use TargetState::*;
        for state in [Loading, CatchingUp, Following, Paused] {
            assert_ne!(state.stream(false), Stream::Skip);
        }
        assert_eq!(Waiting.stream(false), Stream::Skip);
        assert_eq!(Waiting.stream(true), Stream::Hold);
        assert_eq!(NeedsResync.stream(true), Stream::Skip);
    }

    #[test]
    fn a_table_moves_only_where_nothing_is_missed() {
        use TargetState::*;
        let legal = [
            (
                Waiting,
                vec![Waiting, Loading, Paused, NeedsResync, Dropping],
            ),
            (
                Loading,
                vec![Loading, CatchingUp, Paused, NeedsResync, Dropping],
            ),
            (
                CatchingUp,
                vec![
                    Loading,
                    CatchingUp,
                    Following,
                    Paused,
                    NeedsResync,
                    Dropping,
                ],
            ),
            (
                Following,
                vec![Loading, Following, Paused, NeedsResync, Dropping],
            ),
            (
                Paused,
                vec![Waiting, Loading, CatchingUp, Paused, NeedsResync, Dropping],
            ),
            (NeedsResync, vec![Loading, NeedsResync, Dropping]),
            (Dropping, vec![Dropping]),
        ];
        for (from, expected) in legal {
            let found: Vec<_> = TargetState::ALL
                .into_iter()
                .filter(|to| from.may_become(*to))
                .collect();
            assert_eq!(found, expected, "{from:?}");
        }
    }

    #[test]
    fn errors_of_the_source_lead_to_their_own_states() {
        assert_eq!(SourceState::after(Kind::LeaseLost), SourceState::LeaseLost);
        assert_eq!(SourceState::after(Kind::Timeout), SourceState::Unreachable);
        assert!(SourceState::after(Kind::Credentials).waits_for_operator());
    }
}
