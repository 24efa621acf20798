//! Kinds of errors: the SQLSTATE of each, what it means, what a puller and a person do about it. Pure.
//!
//! The reference lists them from here.

/// What went wrong. Each kind has one SQLSTATE, so that scripts can tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Unreachable,
    Credentials,
    NoClient,
    Timeout,
    Contract,
    LeaseHeld,
    LeaseLost,
    SourceChanged,
    PortionsGone,
    TransportLost,
    TableRefused,
    Forgotten,
    Changed,
    BadTarget,
    BadArgument,
    NotFound,
    Exists,
    WrongState,
    Forbidden,
    Copied,
    Resources,
    Value,
    Unique,
    Blocked,
    Retry,
    Other,
    Bug,
}

/// What the puller does about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Back off and try the turn again.
    Retry,
    /// The source stops until an operator acts.
    Stop,
    /// The row is parked, the others go on.
    Park,
    /// The table is paused, the others go on.
    PauseTable,
}

/// What there is to say about a kind.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub action: Action,
    /// Under which PostgreSQL reports it.
    pub sqlstate: &'static str,
    #[allow(dead_code)] // for the reference
    pub meaning: &'static str,
    /// What an operator can do, where it does not depend on the case.
    pub advice: &'static str,
}

const fn about(
    action: Action,
    sqlstate: &'static str,
    meaning: &'static str,
    advice: &'static str,
) -> About {
    About {
        action,
        sqlstate,
        meaning,
        advice,
    }
}

impl Kind {
    #[allow(dead_code)] // for the reference
    pub const ALL: [Kind; 27] = {
        use Kind::*;
        [
            Unreachable,
            Credentials,
            NoClient,
            Timeout,
            Contract,
            LeaseHeld,
            LeaseLost,
            SourceChanged,
            PortionsGone,
            TransportLost,
            TableRefused,
            Forgotten,
            Changed,
            BadTarget,
            BadArgument,
            NotFound,
            Exists,
            WrongState,
            Forbidden,
            Copied,
            Resources,
            Value,
            Unique,
            Blocked,
            Retry,
            Other,
            Bug,
        ]
    };

    pub fn action(self) -> Action {
        self.about().action
    }

    pub fn sqlstate(self) -> &'static str {
        self.about().sqlstate
    }

    pub fn about(self) -> About {
        match self {
            Kind::Unreachable => about(
                Action::Retry,
                "08001",
                "The source does not answer, or the connection broke.",
                "Is the listener up, and are host, port and service of the foreign server right?",
            ),
            Kind::Credentials => about(
                Action::Stop,
                "28000",
                "The source refuses the user or password, or there is no usable user mapping.",
                "Mend the user mapping, then call orapull.resume(source). Nothing is tried until then, because tries lock the account.",
            ),
            Kind::NoClient => about(
                Action::Retry,
                "58P01",
                "The Oracle client library was not found or does not load.",
                "Install an Oracle Instant Client where the server finds it, or set orapull.client_library_dir.",
            ),
            Kind::Timeout => about(
                Action::Retry,
                "57014",
                "A call or a wait outlived its timeout.",
                "Look at what the source is doing; raise orapull.call_timeout, or the timeout of the function, if it needs longer.",
            ),
            Kind::Contract => about(
                Action::Retry,
                "HV000",
                "The views or the package of the source are missing, of another version or not granted.",
                "Is orapull installed in this Oracle database, and are its views and package granted to the user of the user mapping?",
            ),
            Kind::LeaseHeld => about(
                Action::Retry,
                "55006",
                "Another server holds the shard's lease.",
                "Stop that server, or call orapull.adopt(source) here if this one takes its place.",
            ),
            Kind::LeaseLost => about(
                Action::Stop,
                "08003",
                "The token is stale: another server attached as this shard.",
                "Another server attached as this shard. If this server is the right one, call orapull.adopt(source).",
            ),
            Kind::SourceChanged => about(
                Action::Stop,
                "HV00N",
                "The source is not the database that was followed so far, or it was set back.",
                "If this is meant, SELECT orapull.adopt(source, force => true) attaches without progress; then resync every table.",
            ),
            Kind::PortionsGone => about(
                Action::Stop,
                "02000",
                "Portions that this shard has not applied are gone at the source.",
                "SELECT orapull.adopt(source, force => true) attaches without progress; then resync every table.",
            ),
            Kind::TransportLost => about(
                Action::Stop,
                "58030",
                "The source cannot read its own pointers.",
                "Mend it at the source as its table EVENT says, then call orapull.resume(source).",
            ),
            Kind::TableRefused => about(
                Action::PauseTable,
                "HV00R",
                "The source refuses a table, or forgot one.",
                "Do at the source what the message says, then try again: add_table, or resume(source, relation).",
            ),
            Kind::Forgotten => about(
                Action::Retry,
                "HV010",
                "The source does not know a request or plan any more.",
                "Nothing: it is asked or planned again. Call compare() again.",
            ),
            Kind::Changed => about(
                Action::Retry,
                "40001",
                "Something changed between the steps of a turn.",
                "Nothing: the turn is dropped and begins again.",
            ),
            Kind::BadTarget => about(
                Action::PauseTable,
                "42809",
                "A relation, column or filter that cannot be used.",
                "Mend the table as the message says, then call the function again, or orapull.resume(source, relation).",
            ),
            Kind::BadArgument => about(
                Action::PauseTable,
                "22023",
                "An argument or option that makes no sense.",
                "Call it again with what the message names.",
            ),
            Kind::NotFound => about(
                Action::PauseTable,
                "42704",
                "There is no such source, table, server or schema.",
                "SELECT * FROM orapull.status and orapull.tables show what there is.",
            ),
            Kind::Exists => about(
                Action::PauseTable,
                "42710",
                "It exists already.",
                "Choose another name, or drop what is there.",
            ),
            Kind::WrongState => about(
                Action::PauseTable,
                "55000",
                "Not possible in the present state.",
                "SELECT message, hint FROM orapull.status tells why and what to do.",
            ),
            Kind::Forbidden => about(
                Action::PauseTable,
                "42501",
                "The caller is not a member of the source's owner, or the owner lacks a right.",
                "Do it as the owner of the source, or have the right granted that the message names.",
            ),
            Kind::Copied => about(
                Action::Stop,
                "0A000",
                "This server is a copy of the one that attached, or came from a dump.",
                "If this server takes the place of the other one, call orapull.adopt(source).",
            ),
            Kind::Resources => about(
                Action::Retry,
                "53000",
                "Worker slots, connections, memory or disk are used up.",
                "Raise what the message names, or free it; it is tried again by itself.",
            ),
            Kind::Value => about(
                Action::Park,
                "22000",
                "A value does not fit: a row's fault, not the table's.",
                "Mend the table or the row at the source, then call orapull.retry_parked(relation).",
            ),
            Kind::Unique => about(
                Action::Park,
                "23505",
                "Two rows want the same value of a unique index.",
                "If the source has no such unique index, drop it here and create it at cutover; then call orapull.retry_parked(relation).",
            ),
            Kind::Blocked => about(
                Action::PauseTable,
                "55P03",
                "A lock was not granted within orapull.lock_timeout.",
                "End the transaction of the process that is named; the table resumes by itself.",
            ),
            Kind::Retry => about(
                Action::Retry,
                "40P01",
                "Deadlock or serialization failure: the same again will do.",
                "Nothing: it is tried again by itself.",
            ),
            Kind::Other => about(
                Action::PauseTable,
                "38000",
                "Any other error, of PostgreSQL, a trigger or the source.",
                "Mend what the message says, then call orapull.resume(source, relation).",
            ),
            Kind::Bug => about(
                Action::PauseTable,
                "XX000",
                "A case the code believed impossible.",
                "Please report it, with the log of the server around it; then call orapull.resume(source, relation).",
            ),
        }
    }
}
