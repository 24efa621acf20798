//! Events: what each says, how bad it is, and what to do. Pure.
//!
//! The reference lists them from here; `catalog/event.rs` writes them.

use crate::state::SourceState;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Info,
    Warning,
    Error,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// What happened, to which table, and why.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    Attached(&'a str),
    LoadsAgain(&'a str),
    Loaded(&'a str),
    Reshaped(&'a str),
    Paused(&'a str, &'a str),
    CannotLoad(&'a str, &'a str),
    Incomplete(&'a str, &'a str),
    Forgotten(&'a str),
    SameValue(&'a str),
    Stopped(SourceState, &'a str),
}

/// What there is to say about a kind of event.
pub struct About {
    pub severity: Severity,
    #[allow(dead_code)] // for the reference
    pub meaning: &'static str,
    #[allow(dead_code)] // for the reference
    pub advice: &'static str,
}

impl Event<'_> {
    /// One of each, with names in place of what it is about.
    #[allow(dead_code)] // for the reference
    pub const ALL: [Event<'static>; 10] = [
        Event::Attached("SHARD"),
        Event::LoadsAgain("TABLE"),
        Event::Loaded("TABLE"),
        Event::Reshaped("TABLE"),
        Event::Paused("TABLE", "REASON"),
        Event::CannotLoad("TABLE", "REASON"),
        Event::Incomplete("TABLE", "REASON"),
        Event::Forgotten("TABLE"),
        Event::SameValue("INDEX"),
        Event::Stopped(SourceState::LeaseLost, "ERROR"),
    ];

    /// What the view shows.
    pub fn what(&self) -> String {
        match self {
            Event::Attached(shard) => format!("attached as shard {shard}"),
            Event::LoadsAgain(table) => format!("{table} is being loaded again"),
            Event::Loaded(table) => format!("{table} is loaded"),
            Event::Reshaped(table) => {
                format!("the columns of {table} at the source are read as they are now")
            }
            Event::Paused(table, reason) => format!("{table} is paused: {reason}"),
            Event::CannotLoad(table, reason) => {
                format!("{table} cannot be loaded again: {reason}")
            }
            Event::Incomplete(table, reason) => format!("{table} is incomplete: {reason}"),
            Event::Forgotten(table) => format!("{table} was forgotten by the source"),
            Event::SameValue(index) => {
                format!("rows of the source hold the same value of unique index {index}")
            }
            Event::Stopped(state, error) => format!("{}: {error}", state.as_str()),
        }
    }

    pub fn about(&self) -> About {
        let (severity, meaning, advice) = match self {
            Event::Attached(_) => (
                Severity::Info,
                "This server took the lease of the shard: at its first start, and after adopt().",
                "Nothing.",
            ),
            Event::LoadsAgain(_) => (
                Severity::Info,
                "A load of the table began: resync() was called, or orapull.auto_resync is on.",
                "Nothing.",
            ),
            Event::Loaded(_) => (
                Severity::Info,
                "All chunks of a load are in; what was held meanwhile is being asked.",
                "Nothing.",
            ),
            Event::Reshaped(_) => (
                Severity::Info,
                "The table was altered at the source in a way that fits here.",
                "After an added column, resync() brings its values of rows that have not changed since.",
            ),
            Event::Paused(..) => (
                Severity::Warning,
                "The table cannot go on; its changes are held, other tables go on.",
                "Mend what the reason says, then call orapull.resume(source, relation). A table that was blocked by a lock resumes by itself.",
            ),
            Event::CannotLoad(..) => (
                Severity::Warning,
                "A resync could not begin; what is missing here is only in a load.",
                "Mend what the reason says, then SELECT orapull.resync(relation).",
            ),
            Event::Incomplete(..) => (
                Severity::Warning,
                "Rows of the table changed in a way that the source cannot locate.",
                "SELECT orapull.resync(relation), or set orapull.auto_resync.",
            ),
            Event::Forgotten(_) => (
                Severity::Warning,
                "Another server dropped the table as this shard, or this one was set back to before it dropped it. What changed since was not published.",
                "SELECT orapull.resync(relation).",
            ),
            Event::SameValue(_) => (
                Severity::Warning,
                "Rows made way for each other again and again: the source has no such unique index, or not in the same form. One of them is parked.",
                "Drop the index here and create it at cutover, then call orapull.retry_parked(relation).",
            ),
            Event::Stopped(..) => (
                Severity::Error,
                "The source is in a state that only an operator can end; the states say which.",
                "What the state says; the detail has it too.",
            ),
        };
        About {
            severity,
            meaning,
            advice,
        }
    }
}
