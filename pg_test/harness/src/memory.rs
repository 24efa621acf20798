//! How much memory the workers of a shard take at their peak.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Result, anyhow};
use postgres::Client;

use crate::cluster::{Cluster, SUPERUSER};

/// Linux keeps the peak of all pages, but not of a process's own: so it is looked at that often.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// By kind of worker, as pg_stat_activity calls it.
pub type Peaks = BTreeMap<String, Peak>;

/// Peaks in kB.
#[derive(Clone, Copy, Default)]
pub struct Peak {
    /// Everything, with the pages of shared buffers that the process has touched.
    pub all: u64,
    /// What is the process's own.
    pub own: u64,
}

impl Peak {
    fn of(pid: i32) -> Self {
        Self {
            all: kilobytes(pid, "VmHWM:"),
            own: kilobytes(pid, "RssAnon:"),
        }
    }

    fn rise_to(&mut self, other: Self) {
        self.all = self.all.max(other.all);
        self.own = self.own.max(other.own);
    }
}

impl fmt::Display for Peak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} MB of its own, {} MB with shared buffers (VmHWM)",
            self.own / 1024,
            self.all / 1024
        )
    }
}

/// Looks at all workers of orapull of a server, also those that begin meanwhile.
pub struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<Peaks>>,
}

impl Watch {
    pub fn start(cluster: &Cluster) -> Result<Self> {
        let mut client = cluster.connect("postgres", SUPERUSER)?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut peaks = Peaks::new();
            while !stopped.load(Ordering::SeqCst) {
                look(&mut client, &mut peaks)?;
                std::thread::sleep(LOOK_EVERY);
            }
            look(&mut client, &mut peaks)?;
            Ok(peaks)
        });
        Ok(Self { stop, thread })
    }

    /// Adds what was seen.
    pub fn end(self, to: &mut Peaks) -> Result<()> {
        self.stop.store(true, Ordering::SeqCst);
        let seen = self
            .thread
            .join()
            .map_err(|_| anyhow!("the watch over the workers panicked"))??;
        for (worker, peak) in seen {
            to.entry(worker).or_default().rise_to(peak);
        }
        Ok(())
    }
}

fn look(client: &mut Client, peaks: &mut Peaks) -> Result<()> {
    let sql = "SELECT pid, backend_type FROM pg_stat_activity WHERE backend_type LIKE 'orapull %'";
    for row in client.query(sql, &[])? {
        let peak = peaks.entry(row.get(1)).or_default();
        peak.rise_to(Peak::of(row.get(0)));
    }
    Ok(())
}

fn kilobytes(pid: i32, what: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_this_process_is_seen() {
        let pid = i32::try_from(std::process::id()).expect("a process id");
        assert!(kilobytes(pid, "VmHWM:") > 100);
        assert_eq!(kilobytes(-1, "VmHWM:"), 0);
    }
}
