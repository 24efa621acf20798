//! How much CPU time servers and this process have used: it says more than the clock when others use the machine too.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cluster::Cluster;

/// Linux counts in hundredths of a second, whatever its own clock does.
const TICK: Duration = Duration::from_millis(10);

/// CPU time of all processes of these clusters, those that have ended too, and of this process.
pub fn used(clusters: &[&Cluster]) -> Result<Duration> {
    let mut ticks = times(std::process::id())?.own;
    for cluster in clusters {
        let file = cluster.data.join("postmaster.pid");
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let postmaster: u32 = text.lines().next().unwrap_or("").trim().parse()?;
        let times = times(postmaster)?;
        ticks += times.own + times.of_ended_children + of_children(postmaster)?;
    }
    Ok(TICK * u32::try_from(ticks)?)
}

fn of_children(parent: u32) -> Result<u64> {
    let mut ticks = 0;
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        // A process that has ended meanwhile counts for its parent.
        if let Ok(times) = times(pid)
            && times.parent == parent
        {
            ticks += times.own;
        }
    }
    Ok(ticks)
}

struct Times {
    parent: u32,
    own: u64,
    of_ended_children: u64,
}

fn times(pid: u32) -> Result<Times> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    parse(&text).with_context(|| format!("what is in /proc/{pid}/stat?"))
}

/// The name of the process, in parentheses, may have blanks.
fn parse(stat: &str) -> Option<Times> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |n: usize| fields.get(n)?.parse::<u64>().ok();
    Some(Times {
        parent: u32::try_from(number(1)?).ok()?,
        own: number(11)? + number(12)?,
        of_ended_children: number(13)? + number(14)?,
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times_are_found_behind_any_name() {
        let stat = "7 (a ) b) S 3 7 7 0 -1 0 1 2 3 4 100 20 5 6 20 0 1 0 9";
        let times = parse(stat).expect("a line");
        assert_eq!(
            (times.parent, times.own, times.of_ended_children),
            (3, 120, 11)
        );
    }
}
