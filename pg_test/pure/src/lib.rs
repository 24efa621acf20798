//! The pure files of the extension (`P` in the code map), without the extension: what comes from outside goes through
//! them, and tests feed them random input (`tests/`).

#[path = "../../../src/error.rs"]
pub mod error;
#[path = "../../../src/event.rs"]
pub mod event;
#[path = "../../../src/kind.rs"]
pub mod kind;
#[path = "../../../src/quote.rs"]
pub mod quote;
#[path = "../../../src/state.rs"]
pub mod state;

#[path = "../../../src/source"]
pub mod source {
    pub mod checks;
    pub mod contract;
    pub mod fdw;
    pub mod keys;
    pub mod login;
    pub mod types;
}

#[path = "../../../src/pull"]
pub mod pull {
    pub mod plan;
    pub mod slice;
    pub mod statement;
    pub mod table;
}
