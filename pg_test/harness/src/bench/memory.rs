//! How much memory a process takes at its peak.

use std::fmt;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Peaks in kB.
#[derive(Clone, Copy, Default)]
pub struct Peak {
    /// Everything, with the pages of shared buffers that the process has touched.
    all: u64,
    /// What is the process's own.
    own: u64,
}

impl Peak {
    pub fn and(self, other: Self) -> Self {
        Self {
            all: self.all.max(other.all),
            own: self.own.max(other.own),
        }
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

/// Looks at a process every now and then: Linux keeps the peak of all pages, but not of a process's own.
pub struct Watch {
    stop: Arc<AtomicBool>,
    own: Arc<AtomicU64>,
    pid: i32,
    thread: JoinHandle<()>,
}

impl Watch {
    pub fn start(pid: i32) -> Self {
        let (stop, own) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let thread = {
            let (stop, own) = (stop.clone(), own.clone());
            std::thread::spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    own.fetch_max(kilobytes(pid, "RssAnon:"), Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(50));
                }
            })
        };
        Self {
            stop,
            own,
            pid,
            thread,
        }
    }

    pub fn end(self) -> Peak {
        self.stop.store(true, Ordering::SeqCst);
        // A thread that only reads a file has nothing to report.
        let _ = self.thread.join();
        Peak {
            all: kilobytes(self.pid, "VmHWM:"),
            own: self.own.load(Ordering::SeqCst),
        }
    }
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
