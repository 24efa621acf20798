//! What a person watches while the demo runs.

use std::time::Instant;

use anyhow::Result;
use postgres::Client;

use super::thousands;
use crate::bed::Bed;

/// One shard in one line: what it still loads, how fast it applies, how far it is behind.
const SHARD: &str = "
    SELECT coalesce(s.state, 'new'), t.following, t.tables, t.loaded, coalesce(s.lag_portions, 0)::bigint,
           coalesce(s.lag_seconds, 0)::float8, coalesce(s.rows_per_second, 0)::float8,
           coalesce(s.message, '')
    FROM orapull.status AS s,
         (SELECT count(*) FILTER (WHERE state = 'following') AS following, count(*) AS tables,
                 coalesce(sum(chunks_loaded) * 100 / nullif(sum(chunks_planned), 0), 0)::bigint AS loaded
          FROM orapull.tables) AS t";

/// The mining side: up to where it has mined, what is open, what it has read and published.
const MINER: &str = r#"
    SELECT v."STATE", v."MINED_SCN"::bigint, (v."CURRENT_SCN" - v."MINED_SCN")::bigint,
           coalesce(v."OLDEST_TX_AGE_S", 0)::float8, v."LAST_PORTION"::bigint,
           (SELECT count(*) FROM "ORAPULL"."SCAN" AS s WHERE s."STATUS" IN ('SCANNED', 'PUBLISHED')),
           coalesce(v."STATE_DETAIL", '')
    FROM "ORAPULL"."SOURCE_V" AS v"#;

pub struct View {
    source: Client,
    shards: Vec<Client>,
    start: Instant,
    last: (Instant, u64),
}

impl View {
    pub fn open(bed: &Bed, changes: u64) -> Result<Self> {
        let shards = (0..bed.shards.len())
            .map(|shard| bed.shard(shard))
            .collect::<Result<_>>()?;
        let now = Instant::now();
        Ok(Self {
            source: bed.source()?,
            shards,
            start: now,
            last: (now, changes),
        })
    }

    pub fn show(&mut self, changes: u64) -> Result<()> {
        let (before, count) = std::mem::replace(&mut self.last, (Instant::now(), changes));
        let rate = changes.saturating_sub(count) as f64 / before.elapsed().as_secs_f64();
        let mut line = format!(
            "{:>4} s  source: {} changes/s | miner: {}",
            self.start.elapsed().as_secs(),
            thousands(rate as i64),
            miner(&mut self.source)?
        );
        for (number, shard) in self.shards.iter_mut().enumerate() {
            line += &format!(" | shard {}: {}", number + 1, one_shard(shard)?);
        }
        println!("{line}");
        Ok(())
    }
}

fn miner(source: &mut Client) -> Result<String> {
    let row = source.query_one(MINER, &[])?;
    let (state, mined, behind): (String, i64, i64) = (row.get(0), row.get(1), row.get(2));
    let (age, portions, scans): (f64, i64, i64) = (row.get(3), row.get(4), row.get(5));
    let text = format!(
        "{state}, SCN {}, {} behind, oldest transaction {age:.0} s, {scans} scans, {portions} portions",
        thousands(mined),
        thousands(behind)
    );
    Ok(with_reason(text, row.get(6)))
}

fn one_shard(shard: &mut Client) -> Result<String> {
    let row = shard.query_one(SHARD, &[])?;
    let (state, following, tables): (String, i64, i64) = (row.get(0), row.get(1), row.get(2));
    let (loaded, lag, seconds, rate): (i64, i64, f64, f64) =
        (row.get(3), row.get(4), row.get(5), row.get(6));
    let mut text = state;
    if following < tables {
        text += &format!(", {following} of {tables} tables follow, loads {loaded} %");
    }
    text += &format!(
        ", {} rows/s, lag {lag} portions, {seconds:.1} s",
        thousands(rate as i64)
    );
    Ok(with_reason(text, row.get(7)))
}

fn with_reason(text: String, reason: &str) -> String {
    if reason.is_empty() {
        text
    } else {
        format!("{text} ({reason})")
    }
}
