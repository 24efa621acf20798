//! States of sources and of targets. Pure.

use crate::error::{Error, Kind};

/// State of a source, kept in `orapull.progress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceState {
    /// The puller has not attached yet. Set by create_source, adopt and resume.
    Starting,
    /// Portions are applied. Set by the puller after a successful turn.
    Running,
    /// An operator called pause(source): no turn, nothing is held. Left by resume(source).
    Paused,
    /// The source does not answer; tried again with backoff. Left by itself.
    Unreachable,
    /// User or password are refused, also while dropping; not tried again, tries lock the account. Left by
    /// resume(source).
    Credentials,
    /// Another server (or a copy of this one) attached from here. Left by adopt(source).
    Copied,
    /// Our token is stale: another server attached as this shard. Left by adopt(source).
    LeaseLost,
    /// INSTALL_ID, DBID, INCARNATION or the portions say: another database, or one set back. Left by
    /// adopt(source, force => true).
    SourceChanged,
    /// Portions that were not applied here are gone. Left by adopt(source, force => true).
    NeedsResync,
    /// The source cannot read its pointers. Left by resume(source) when it is mended.
    TransportLost,
    /// drop_source was called; the shard leaves the source, then the row is deleted.
    Dropping,
}

const SOURCE_STATES: [(SourceState, &str); 11] = [
    (SourceState::Starting, "STARTING"),
    (SourceState::Running, "RUNNING"),
    (SourceState::Paused, "PAUSED"),
    (SourceState::Unreachable, "UNREACHABLE"),
    (SourceState::Credentials, "CREDENTIALS"),
    (SourceState::Copied, "COPIED"),
    (SourceState::LeaseLost, "LEASE_LOST"),
    (SourceState::SourceChanged, "SOURCE_CHANGED"),
    (SourceState::NeedsResync, "NEEDS_RESYNC"),
    (SourceState::TransportLost, "TRANSPORT_LOST"),
    (SourceState::Dropping, "DROPPING"),
];

impl SourceState {
    pub fn as_str(self) -> &'static str {
        SOURCE_STATES
            .iter()
            .find(|(state, _)| *state == self)
            .map_or("STARTING", |(_, text)| text)
    }

    pub fn parse(text: &str) -> Result<Self, Error> {
        SOURCE_STATES
            .iter()
            .find(|(_, name)| *name == text)
            .map(|(state, _)| *state)
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
    /// Transactions that were open when the table was registered have not ended yet.
    Waiting,
    /// Chunks are read; pointers are held.
    Loading,
    /// All chunks are in; pointers are applied, held ones are asked.
    CatchingUp,
    /// Equal to the source but for the lag.
    Following,
    /// Pointers are held: an operator, drift of the table, too many parked rows, or a lock.
    Paused,
    /// Pointers are skipped until resync(): the load covers them.
    NeedsResync,
    /// drop_table was called; waits for the source to agree.
    Dropping,
}

const TARGET_STATES: [(TargetState, &str); 7] = [
    (TargetState::Waiting, "waiting"),
    (TargetState::Loading, "loading"),
    (TargetState::CatchingUp, "catching_up"),
    (TargetState::Following, "following"),
    (TargetState::Paused, "paused"),
    (TargetState::NeedsResync, "needs_resync"),
    (TargetState::Dropping, "dropping"),
];

/// What happens to pointers of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Apply,
    Hold,
    Skip,
}

impl TargetState {
    pub fn as_str(self) -> &'static str {
        TARGET_STATES
            .iter()
            .find(|(state, _)| *state == self)
            .map_or("needs_resync", |(_, text)| text)
    }

    pub fn parse(text: &str) -> Result<Self, Error> {
        TARGET_STATES
            .iter()
            .find(|(_, name)| *name == text)
            .map(|(state, _)| *state)
            .ok_or_else(|| Error::new(Kind::Bug, format!("unknown target state {text}")))
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
        for (state, text) in SOURCE_STATES {
            assert_eq!(SourceState::parse(text), Ok(state));
            assert_eq!(state.as_str(), text);
        }
        for (state, text) in TARGET_STATES {
            assert_eq!(TargetState::parse(text), Ok(state));
            assert_eq!(state.as_str(), text);
        }
        assert!(TargetState::parse("RUNNING").is_err());
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
    fn errors_of_the_source_lead_to_their_own_states() {
        assert_eq!(SourceState::after(Kind::LeaseLost), SourceState::LeaseLost);
        assert_eq!(SourceState::after(Kind::Timeout), SourceState::Unreachable);
        assert!(SourceState::after(Kind::Credentials).waits_for_operator());
    }
}
