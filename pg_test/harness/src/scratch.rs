//! The folder of a run: everything a run writes outside `target` is in it, and it goes with the run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::account::Account;

pub struct Scratch {
    path: PathBuf,
    account: Account,
    keep: AtomicBool,
    /// Data folders of the clusters that may be running, and the pg_ctl that stops them.
    running: Mutex<Vec<Running>>,
}

/// A signal has come, and its thread is stopping the clusters and ends the process.
static SIGNALLED: AtomicBool = AtomicBool::new(false);

/// Called before the process ends: what a signal has begun is finished, and the errors that it makes are nobody's.
pub fn finish_after_signal() {
    while SIGNALLED.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

struct Running {
    pg_ctl: PathBuf,
    data: PathBuf,
}

impl Scratch {
    /// Creates the folder and sees to it that it disappears, also after a signal.
    pub fn create(account: Account) -> Result<Arc<Self>> {
        // Short, because unix sockets live below it and their paths are limited to 107 bytes.
        static CREATED: AtomicUsize = AtomicUsize::new(0);
        let name = match CREATED.fetch_add(1, Ordering::SeqCst) {
            0 => format!("/tmp/orapull.{}", std::process::id()),
            number => format!("/tmp/orapull.{}.{number}", std::process::id()),
        };
        let path = PathBuf::from(name);
        if path.exists() {
            // Left by a run that was killed: its process id is ours now, so it is gone.
            fs::remove_dir_all(&path)
                .with_context(|| format!("cannot remove the old {}", path.display()))?;
        }
        fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
        account.give(&path)?;
        let scratch = Arc::new(Self {
            path,
            account,
            keep: AtomicBool::new(false),
            running: Mutex::new(Vec::new()),
        });
        scratch.watch_signals()?;
        Ok(scratch)
    }

    pub fn account(&self) -> Account {
        self.account
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new folder below the scratch folder, owned by the account of the servers.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let path = self.path.join(name);
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        self.account.give(&path)?;
        Ok(path)
    }

    /// Leaves everything in place when the run ends.
    pub fn keep(&self) {
        self.keep.store(true, Ordering::SeqCst);
    }

    pub fn is_kept(&self) -> bool {
        self.keep.load(Ordering::SeqCst)
    }

    /// Called before a cluster starts: from now on it is stopped when the run ends.
    pub fn will_run(&self, pg_ctl: &Path, data: &Path) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if !running.iter().any(|known| known.data == data) {
            running.push(Running {
                pg_ctl: pg_ctl.to_owned(),
                data: data.to_owned(),
            });
        }
    }

    fn watch_signals(self: &Arc<Self>) -> Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let scratch = Arc::downgrade(self);
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                SIGNALLED.store(true, Ordering::SeqCst);
                eprintln!("stopping the clusters");
                if let Some(scratch) = scratch.upgrade() {
                    scratch.remove();
                }
                std::process::exit(128 + signal);
            }
        });
        Ok(())
    }

    fn remove(&self) {
        // Holding the lock keeps other threads from starting clusters meanwhile.
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        for cluster in running.iter() {
            self.stop(cluster);
        }
        for _ in 0..50 {
            if fs::remove_dir_all(&self.path).is_ok() || !self.path.exists() {
                return;
            }
            // A server that is just ending still writes.
            std::thread::sleep(Duration::from_millis(100));
        }
        eprintln!("cannot remove {}", self.path.display());
    }

    fn stop(&self, cluster: &Running) {
        if !cluster.data.join("postmaster.pid").exists() {
            return;
        }
        let mut command: Command = self.account.command(&cluster.pg_ctl);
        // A cluster that has ended by itself is no reason to leave the others up.
        let _ = command
            .args(["stop", "-m", "immediate", "-s", "-D"])
            .arg(&cluster.data)
            .output();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_kept() {
            self.remove();
        }
    }
}
