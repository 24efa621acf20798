//! Pointers that are not to rows: T, D and U.

use crate::catalog::event;
use crate::catalog::source::Source;
use crate::catalog::target::{self, Target};
use crate::error::{Error, Kind};
use crate::event::Event;
use crate::pull::statement;
use crate::pull::table::Table;
use crate::pull::tx;
use crate::settings;
use crate::sql;
use crate::state::TargetState;

/// What a batch says of a table as a whole.
pub struct Mark {
    pub remote_id: i64,
    pub kind: String,
    pub note: Option<String>,
}

/// The marks among the staged pointers, one of each kind and table.
pub fn staged() -> Result<Vec<Mark>, Error> {
    sql::query(
        r#"SELECT "table_id", "kind", min("note") FROM pg_temp."pointers" WHERE "kind" <> 'R'
           GROUP BY "table_id", "kind""#,
        &[],
        |row| {
            Ok(Mark {
                remote_id: row.get(1)?,
                kind: row.get(2)?,
                note: row.optional(3)?,
            })
        },
    )
}

/// T while pointers are held: what was loaded so far is gone at the source.
pub fn truncated_while_held(
    source: &Source,
    target: &Target,
    table: Option<&Table>,
) -> Result<(), Error> {
    if target.state == TargetState::Loading {
        // A chunk that is being written fails after this, and what is in before is seen by the statement that empties.
        target::lock(target)?;
        if let Some(table) = table {
            empty(source, table)?;
        }
        // A table that cannot be used now cannot be emptied: what the load does not see is deleted then.
        target::start_load(
            target,
            target.resync || table.is_none(),
            "truncated at the source while it was loading",
        )
    } else {
        target::transition(
            target,
            TargetState::NeedsResync,
            Some("truncated at the source while its pointers were held"),
            false,
        )?;
        if target.by_itself {
            // Nobody is asked to do anything about a table that was blocked by a lock.
            target::due_for_resync(target.id)?;
        }
        Ok(())
    }
}

/// Empties a table. Readers do not keep it from that: they would from a TRUNCATE.
pub fn empty(source: &Source, table: &Table) -> Result<(), Error> {
    tx::as_owner(source.owner, || {
        let alone = tx::subtransaction(|| sql::execute(&statement::lock_alone(table), &[]));
        let statement = match alone {
            Ok(_) => statement::empty(table),
            Err(error) if error.kind == Kind::Blocked => statement::delete_all(table),
            Err(error) => return Err(error),
        };
        sql::execute(&statement, &[])?;
        Ok(())
    })
}

/// U: rows changed that the source cannot name.
pub fn incomplete(source: &Source, target: &Target, note: Option<&str>) -> Result<(), Error> {
    let reason = note.unwrap_or("rows changed in a way that the source cannot locate");
    target::mark_incomplete(target.id, reason)?;
    event::note(
        source.id,
        Some(target.id),
        Event::Incomplete(&target.name, reason),
        serde_json::json!({ "do": "SELECT orapull.resync(relation)" }),
    )?;
    if settings::auto_resync() {
        target::due_for_resync(target.id)?;
    }
    Ok(())
}
