//! A batch as it lies in the staging tables, read by the puller or by its second hand.

use std::time::{Duration, Instant};

use crate::catalog::source::Source;
use crate::catalog::target::Target;
use crate::pull::fetch::{self, Bad};
use crate::pull::plan::{Batch, Portion};
use crate::pull::poll::{Poll, SourceNow};
use crate::pull::slice::Range;
use crate::pull::staging::Staging;
use crate::pull::table::Table;
use crate::pull::unread::Unread;
use crate::source::contract::KEY_COLUMNS;
use crate::state::Stream;

/// A table of this batch.
pub struct Member {
    pub target: Target,
    /// Present when rows were fetched.
    pub table: Option<Table>,
    pub fetched: u64,
}

impl Member {
    pub fn stream(&self) -> Stream {
        self.target.state.stream(self.target.operator_brings_rows())
    }
}

/// What was read of a batch or a request, besides what the staging tables have.
pub struct Staged {
    pub members: Vec<Member>,
    pub bad: Vec<Bad>,
    pub pointers: u64,
    /// From the second look.
    pub now: SourceNow,
    pub took: Duration,
}

/// Rows, then pointers, then the second look.
pub fn stage(
    source: &Source,
    staging: &mut Staging,
    batch: &Batch,
    poll: &Poll,
    mut members: Vec<Member>,
) -> Result<Staged, Unread> {
    let started = Instant::now();
    let range = Range {
        slots: batch.slots.clone(),
        from: batch.from,
        to: batch.to,
    };
    let tables: Vec<&Table> = members.iter().filter_map(|m| m.table.as_ref()).collect();
    staging.prepare(source, &tables)?;
    let mut bad = Vec::new();
    for member in &mut members {
        if member.stream() == Stream::Apply
            && let Some(table) = &member.table
        {
            let rows = fetch::rows(source, table, &range, &mut bad);
            member.fetched = rows.map_err(|error| Unread::rows_of(&member.target, error))?;
        }
    }
    let keys = widest_key(&members);
    let pointers = fetch::pointers(source, &range, &batch.tables, keys, &bad)?;
    let now = look_again(source, &range, poll, &members)?;
    Ok(Staged {
        members,
        bad,
        pointers,
        now,
        took: started.elapsed(),
    })
}

/// How many of K1..K8 the pointers of a batch can have. The second look proves the key of a table
/// that is applied, not of one that is held.
fn widest_key(members: &[Member]) -> usize {
    let keys = members.iter().map(|member| match member.stream() {
        Stream::Apply => member.target.key_columns.len(),
        _ => KEY_COLUMNS,
    });
    keys.max().unwrap_or(0)
}

fn look_again(
    source: &Source,
    range: &Range,
    poll: &Poll,
    members: &[Member],
) -> Result<SourceNow, Unread> {
    if members.is_empty() {
        return Ok(poll.now.clone());
    }
    let expected: Vec<Portion> = poll
        .portions
        .iter()
        .filter(|portion| (range.from..=range.to).contains(&portion.id))
        .cloned()
        .collect();
    let read: Vec<&Target> = members
        .iter()
        .filter(|member| member.stream() == Stream::Apply)
        .map(|member| &member.target)
        .collect();
    fetch::second_look(source, range, &expected, &poll.now, &read)
        .map_err(|error| Unread::of(read.into_iter().cloned().collect(), error))
}
