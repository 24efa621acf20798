//! The data path. `turn.rs` tells the story.

pub mod ahead;
pub mod apply;
pub mod attach;
pub mod batch;
pub mod drift;
pub mod fetch;
pub mod forgotten;
pub mod hand;
#[cfg(feature = "pg_test")]
mod inside;
pub mod leave;
pub mod leftover;
pub mod load;
pub mod made_way;
pub mod marks;
pub mod misfit;
pub mod plan;
pub mod poll;
pub mod puller;
pub mod request;
pub mod slice;
pub mod staging;
pub mod statement;
pub mod table;
pub mod transition;
pub mod trouble;
pub mod turn;
pub mod tx;
pub mod unread;
