//! The shard's lease: who may pull.

use crate::catalog::event;
use crate::catalog::source::{self, Adopt, Progress, Source, SourceIdentity};
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::event::Event;
use crate::pull::poll::{self, SourceNow};
use crate::pull::puller::Puller;
use crate::pull::tx;
use crate::settings;
use crate::state::{SourceState, TargetState};

/// What a puller finds at its start: takes the source over from an earlier puller, and notices
/// when this server is a copy of the one that attached.
pub fn begin(id: i32) -> Result<Option<(Source, i64)>, Error> {
    tx::run("taking over", || {
        let Some(source) = source::by_id(id)? else {
            return Ok(None);
        };
        // A restored dump has sources but no progress.
        source::create_progress(id, SourceState::Copied)?;
        let epoch = source::next_epoch(id)?;
        if let Some(progress) = source::progress(id)? {
            notice_copy(&source, &progress)?;
        }
        Ok(Some((source, epoch)))
    })
}

fn notice_copy(source: &Source, progress: &Progress) -> Result<(), Error> {
    if progress.adopt.is_some() || !source::is_copy(source.id, progress)? {
        return Ok(());
    }
    if settings::auto_adopt() && progress.holder.is_some() {
        return source::wish_adopt(source.id, Adopt::Lease);
    }
    let error = Error::new(
        Kind::Copied,
        "this database is a copy or a restored dump of the one that attached",
    )
    .detail(format!(
        "Attached was {}, this is {}.",
        progress.holder.as_deref().unwrap_or("another database"),
        source::holder(source.id)?
    ))
    .hint("If it takes the place of the original: SELECT orapull.adopt(source). If not: SELECT orapull.drop_source(source), which leaves Oracle alone.");
    source::set_state(source.id, SourceState::Copied, Some(&error))
}

/// Attaches when there is no token or adopt() was called; returns whether it did.
pub fn attach(puller: &Puller, progress: &Progress) -> Result<bool, Error> {
    if progress.token.is_some() && progress.adopt.is_none() {
        return Ok(false);
    }
    let source = &puller.source;
    let now = tx::run("looking who the source is", || poll::source_now(source))?;
    let force = progress.adopt == Some(Adopt::Force);
    if !force {
        poll::check_source(&now, progress)?;
    }
    let applied = progress.applied.filter(|_| !force);
    let here = tx::run("naming this server", || source::holder(source.id))?;
    let lease =
        puller
            .control()?
            .attach(&source.shard, &here, applied, progress.adopt.is_some())?;
    let targets = puller.targets()?;
    tx::run("noting the lease", || {
        note_lease(source, &now, lease.token, lease.applied, &here)?;
        if force {
            forget_tables(&targets)?;
        }
        event::note(
            source.id,
            None,
            Event::Attached(&source.shard),
            serde_json::json!({ "applied": lease.applied, "forced": force }),
        )
    })?;
    Ok(true)
}

fn note_lease(
    source: &Source,
    now: &SourceNow,
    token: i64,
    applied: i64,
    here: &str,
) -> Result<(), Error> {
    let identity = SourceIdentity {
        install_id: &now.install_id,
        dbid: now.dbid,
        incarnation: now.incarnation,
    };
    source::attached(source.id, token, applied, here, &identity)?;
    source::set_state(source.id, SourceState::Running, None)
}

/// Attached without progress: nobody knows what was missed.
fn forget_tables(targets: &[Target]) -> Result<(), Error> {
    for target in targets {
        if target.state != TargetState::Dropping {
            target::transition(
                target,
                TargetState::NeedsResync,
                Some("attached without progress"),
                false,
            )?;
        }
    }
    Ok(())
}
