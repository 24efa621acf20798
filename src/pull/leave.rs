//! Ways out of and back into a turn: drop and resume.

use crate::catalog::source::{self, Progress, Source};
use crate::error::{Error, Kind};
use crate::pull::puller::Puller;
use crate::pull::tx;
use crate::quote::ident;
use crate::sql;
use crate::state::SourceState;

/// drop_source() was called: leaves the source, then forgets it. Until the source has agreed the
/// state is DROPPING, so that it does not keep portions for a shard that is gone.
pub fn leave(puller: &Puller, progress: &Progress) -> Result<(), Error> {
    let alone = progress.state == SourceState::Copied || progress.token.is_none();
    if !alone {
        puller.set_state(SourceState::Dropping, None)?;
        let token = progress.token.unwrap_or(0);
        match puller.control()?.drop_shard(&puller.source.shard, token) {
            // The source has forgotten this shard, or another server has it: not ours to leave.
            Err(error) if error.kind == Kind::LeaseLost => {}
            other => other?,
        }
    }
    tx::run("forgetting a source", || forget(&puller.source))
}

/// Deletes a source and its foreign tables here; leaves Oracle alone.
pub fn forget(source: &Source) -> Result<(), Error> {
    source::delete(source.id)?;
    sql::execute(
        &format!(
            "DROP SCHEMA IF EXISTS {} CASCADE",
            ident(&source.local_schema)
        ),
        &[],
    )?;
    Ok(())
}

/// resume(source) was called: the state from which to go on.
pub fn resumed(source: &Source, state: SourceState) -> Result<SourceState, Error> {
    use SourceState::*;
    let to = match state {
        Paused | Credentials | TransportLost | Unreachable => Starting,
        other => other,
    };
    tx::run("resuming", || {
        source::wish_done(source.id)?;
        if to != state {
            source::set_state(source.id, to, None)?;
        }
        Ok(())
    })?;
    Ok(to)
}
