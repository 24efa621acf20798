//! What the source says of itself, read over its foreign tables as the owner.

use std::collections::HashMap;

use pgrx::prelude::*;

use crate::catalog::source::{Progress, Source};
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::plan::{self, Portion, Touched};
use crate::pull::tx;
use crate::quote::ident;
use crate::source::contract::CONTRACT_VERSION;
use crate::sql;

/// Portions that one poll reads at most: more than a batch takes, and a bound on what a long lag
/// costs.
const PORTIONS: i64 = 1000;

/// The row of SOURCE_V.
#[derive(Debug, Clone)]
pub struct SourceNow {
    pub contract_version: i64,
    pub install_id: String,
    pub dbid: i64,
    pub incarnation: i64,
    /// As text: it is only compared and stored.
    pub started_at: String,
    pub state: String,
    pub state_detail: Option<String>,
    pub current_scn: i64,
    pub mined_scn: i64,
    pub published_scn: i64,
    pub first_portion: i64,
    pub last_portion: i64,
    pub oldest_tx_scn: i64,
}

impl SourceNow {
    /// Fails unless `later` is of the same instance of the same database. What was read between both
    /// looks was read of that instance, and a restart that takes it back will be seen.
    pub fn same_instance(&self, later: &SourceNow) -> Result<(), Error> {
        let same = (&self.install_id, self.dbid, self.incarnation)
            == (&later.install_id, later.dbid, later.incarnation);
        if same && self.started_at == later.started_at {
            return Ok(());
        }
        Err(Error::new(
            Kind::Changed,
            "the source was started again, or became another one, while it was read",
        ))
    }

    /// What keeps the source from publishing, or will, in its own words.
    pub fn trouble(&self) -> Option<String> {
        let detail = self.state_detail.as_deref();
        match self.state.as_str() {
            "OK" => detail.map(|detail| format!("the source has trouble: {detail}")),
            state => Some(format!(
                "the source is in state {state}: {}",
                detail.unwrap_or("its table EVENT tells more")
            )),
        }
    }
}

/// What a poll showed.
pub struct Poll {
    pub now: SourceNow,
    pub applied: i64,
    pub portions: Vec<Portion>,
    pub touched: Vec<Touched>,
}

/// What the source has above portion `applied`; fails unless it still is the source that was
/// followed, and has all of it.
pub fn poll(source: &Source, progress: &Progress, applied: i64) -> Result<Poll, Error> {
    let (now, portions, touched) = tx::run("polling", || {
        let now = source_now(source)?;
        let (portions, touched) = portions(source, applied)?;
        Ok((now, portions, touched))
    })
    .map_err(Error::of_contract)?;
    check_source(&now, progress)?;
    check_portions(&now, &portions, applied)?;
    Ok(Poll {
        now,
        applied,
        portions,
        touched,
    })
}

pub fn source_now(source: &Source) -> Result<SourceNow, Error> {
    let statement = format!(
        r#"SELECT "contract_version", "install_id", "dbid", "incarnation", "started_at"::text, "state",
                  "state_detail", "current_scn", coalesce("mined_scn", 0), coalesce("published_scn", 0),
                  "first_portion", "last_portion", coalesce("oldest_tx_scn", 0)
           FROM {}."source_v""#,
        ident(&source.local_schema)
    );
    let row = tx::as_owner(source.owner, || {
        sql::first(&statement, &[], |row| {
            Ok(SourceNow {
                contract_version: row.get(1)?,
                install_id: row.get(2)?,
                dbid: row.get(3)?,
                incarnation: row.get(4)?,
                started_at: row.get(5)?,
                state: row.get(6)?,
                state_detail: row.optional(7)?,
                current_scn: row.get(8)?,
                mined_scn: row.get(9)?,
                published_scn: row.get(10)?,
                first_portion: row.get(11)?,
                last_portion: row.get(12)?,
                oldest_tx_scn: row.get(13)?,
            })
        })
    })?;
    row.ok_or_else(|| Error::new(Kind::Contract, "SOURCE_V of the source has no row"))
}

/// Portions above `applied`, oldest first, and the tables they touch.
pub fn portions(source: &Source, applied: i64) -> Result<(Vec<Portion>, Vec<Touched>), Error> {
    let schema = ident(&source.local_schema);
    let upto = applied.saturating_add(PORTIONS);
    tx::as_owner(source.owner, || {
        let portions = sql::query_saved(
            &format!(
                r#"SELECT "portion_id", "slot", "scn_to", "pointers", "published_at" AT TIME ZONE 'UTC'
                   FROM {schema}."portion_v"
                   WHERE "portion_id" > $1 AND "portion_id" <= $2 ORDER BY "portion_id""#
            ),
            &[applied.into(), upto.into()],
            |row| {
                Ok(Portion {
                    id: row.get(1)?,
                    slot: row.get(2)?,
                    scn_to: row.get(3)?,
                    pointers: row.get(4)?,
                    published_at: row.get::<TimestampWithTimeZone>(5)?.into(),
                })
            },
        )?;
        if portions.is_empty() {
            return Ok((portions, Vec::new()));
        }
        let touched = sql::query_saved(
            &format!(
                r#"SELECT "portion_id", "table_id", "pointers" FROM {schema}."portion_table_v"
                   WHERE "portion_id" > $1 AND "portion_id" <= $2"#
            ),
            &[applied.into(), upto.into()],
            |row| {
                Ok(Touched {
                    portion: row.get(1)?,
                    table_id: row.get(2)?,
                    pointers: row.get(3)?,
                })
            },
        )?;
        Ok((portions, touched))
    })
}

/// Whether the source is the one that was followed so far.
pub fn check_source(now: &SourceNow, progress: &Progress) -> Result<(), Error> {
    if now.contract_version != CONTRACT_VERSION {
        return Err(Error::new(
            Kind::Contract,
            format!(
                "the source speaks contract version {}, this shard speaks {CONTRACT_VERSION}",
                now.contract_version
            ),
        )
        .hint("Install the same version of orapull on both sides."));
    }
    let same = progress
        .install_id
        .as_ref()
        .is_none_or(|id| *id == now.install_id)
        && progress.dbid.is_none_or(|id| id == now.dbid)
        && progress.incarnation.is_none_or(|n| n == now.incarnation);
    if !same {
        return Err(changed(format!(
            "the source has install {}, database {}, incarnation {}; this shard followed install {}, database {}, incarnation {}",
            now.install_id,
            now.dbid,
            now.incarnation,
            progress.install_id.as_deref().unwrap_or("?"),
            progress.dbid.unwrap_or(0),
            progress.incarnation.unwrap_or(0),
        )));
    }
    if now.state == "TRANSPORT_LOST" {
        return Err(Error::new(
            Kind::TransportLost,
            format!(
                "the source lost its transport: {}",
                now.state_detail.as_deref().unwrap_or("no detail")
            ),
        ));
    }
    Ok(())
}

/// Whether the portions that follow `applied` are all there.
fn check_portions(now: &SourceNow, portions: &[Portion], applied: i64) -> Result<(), Error> {
    if now.last_portion < applied {
        return Err(changed(format!(
            "the last portion of the source is {}, this shard has applied {applied}",
            now.last_portion
        )));
    }
    if now.first_portion > applied + 1 || !plan::dense(portions, applied) {
        return Err(Error::new(
            Kind::PortionsGone,
            format!("portion {} is not at the source any more", applied + 1),
        )
        .detail(format!(
            "The source holds portions {} to {}.",
            now.first_portion, now.last_portion
        )));
    }
    Ok(())
}

fn changed(message: String) -> Error {
    Error::new(Kind::SourceChanged, message)
}

/// A row of TABLE_V.
#[derive(Debug, Clone)]
pub struct RemoteTable {
    pub state: String,
    pub shape: String,
    pub rows: i64,
}

impl RemoteTable {
    /// Whether the foreign tables of a target, as they were made, still return all its rows.
    pub fn is_as_read(&self, target: &Target) -> bool {
        self.shape == target.shape && self.state != "REFUSED"
    }
}

/// Registered tables among `ids`, by TABLE_ID.
pub fn remote_tables(source: &Source, ids: &[i64]) -> Result<HashMap<i64, RemoteTable>, Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let statement = format!(
        r#"SELECT "table_id", "state", "shape", coalesce("num_rows", 0)
           FROM {}."table_v" WHERE "table_id" = ANY ($1)"#,
        ident(&source.local_schema)
    );
    let rows = tx::as_owner(source.owner, || {
        sql::query(&statement, &[ids.to_vec().into()], |row| {
            let table = RemoteTable {
                state: row.get(2)?,
                shape: row.get(3)?,
                rows: row.get(4)?,
            };
            Ok((row.get::<i64>(1)?, table))
        })
    })?;
    Ok(rows.into_iter().collect())
}

/// Whether the source still knows a plan. An unknown one would look like an empty table.
pub fn plan_known(source: &Source, plan_id: i64) -> Result<bool, Error> {
    let statement = format!(
        r#"SELECT 1 FROM {}."plan_v" WHERE "plan_id" = $1"#,
        ident(&source.local_schema)
    );
    let found = tx::as_owner(source.owner, || {
        sql::first(&statement, &[plan_id.into()], |row| row.get::<i32>(1))
    })?;
    Ok(found.is_some())
}
