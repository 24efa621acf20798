//! A scout: looks whether a database has the extension, reserves places for the pullers of its
//! sources, and ends.

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use super::{process, shared};
use crate::error::Error;
use crate::pull::tx;
use crate::sql;

#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn orapull_scout_main(database: pg_sys::Datum) {
    process::signals();
    let oid = database.value() as u32;
    // SAFETY: set once, when the process starts.
    let pid = unsafe { pg_sys::MyProcPid };
    if !shared::write().is_ok_and(|mut board| board.scout_begins(oid, pid)) {
        return;
    }
    process::at_exit(scout_ends, database.value());
    process::connect(oid.into());
    process::session("orapull scout");
    if let Err(error) = look(oid) {
        let error = error.context(&format!(
            "looking for sources in the database with oid {oid}"
        ));
        // Ends this process with exit code 1, by which `scout_ends` knows.
        ErrorReport::from(error).report(PgLogLevel::ERROR);
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn scout_ends(code: i32, database: pg_sys::Datum) {
    if let Ok(mut board) = shared::write() {
        board.scout_ends(database.value() as u32, code != 0, shared::now());
    }
}

fn look(database: u32) -> Result<(), Error> {
    let sources = tx::run("looking for sources", sources)?;
    let refused = shared::write()?.record_look(database, sources.as_deref());
    if refused > 0 {
        log!(
            "orapull: {refused} sources of this database are not followed, all places for pullers are taken"
        );
    }
    Ok(())
}

/// `None`: the extension is not installed.
fn sources() -> Result<Option<Vec<i32>>, Error> {
    let installed = sql::first(
        "SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'orapull'",
        &[],
        |row| row.get::<String>(1),
    )?;
    if installed.is_none() {
        return Ok(None);
    }
    let ids = "SELECT source_id FROM orapull.source ORDER BY source_id";
    sql::query(ids, &[], |row| row.get(1)).map(Some)
}
