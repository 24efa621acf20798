//! What a run did, and when: the way back from a difference to its cause.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::artifacts;

pub struct Journal {
    file: File,
    path: PathBuf,
    began: Instant,
    lines: u32,
}

impl Journal {
    pub fn begin(seed: u64) -> Result<Self> {
        let folder = artifacts::target_folder().join("random");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let path = folder.join(format!("seed-{seed}.journal"));
        let file =
            File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self {
            file,
            path,
            began: Instant::now(),
            lines: 0,
        })
    }

    /// One line with the time since the run began.
    pub fn note(&mut self, text: &str) -> Result<()> {
        self.lines += 1;
        let ms = self.began.elapsed().as_millis();
        // Not through a buffer: the journal is wanted most when the run ends badly.
        writeln!(self.file, "{ms:>7} ms  {text}")
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    pub fn lines(&self) -> u32 {
        self.lines
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run went well: nobody will read it.
    pub fn discard(self) -> Result<()> {
        fs::remove_file(&self.path)
            .with_context(|| format!("cannot remove {}", self.path.display()))
    }
}
