//! The places of loaders: reserved by a puller, given up when the loader ends.

use super::{Board, SECOND};

/// A loader that has not come by then never will.
const LOADER_COMES: i64 = 60 * SECOND;

#[derive(Clone, Copy)]
pub(super) struct Loader {
    /// 0: this place is free.
    pub(super) database: u32,
    source: i32,
    pub(super) pid: i32,
    reserved_at: i64,
    /// Target and chunk that it is loading: no other loader takes it.
    chunk: Option<(i32, i32)>,
}

impl Loader {
    pub(super) const FREE: Loader = Loader {
        database: 0,
        source: 0,
        pid: 0,
        reserved_at: 0,
        chunk: None,
    };

    fn is_free(&self, now: i64) -> bool {
        self.database == 0 || (self.pid == 0 && now - self.reserved_at > LOADER_COMES)
    }
}

impl Board {
    pub fn reserve_loader(&mut self, database: u32, source: i32, now: i64) -> Option<usize> {
        let slot = self.loaders.iter().position(|l| l.is_free(now))?;
        self.loaders[slot] = Loader {
            database,
            source,
            reserved_at: now,
            ..Loader::FREE
        };
        Some(slot)
    }

    pub fn claim_loader(&mut self, slot: usize, pid: i32) -> Option<(u32, i32)> {
        let loader = self.loaders.get_mut(slot)?;
        if loader.database == 0 || loader.pid != 0 {
            return None;
        }
        loader.pid = pid;
        Some((loader.database, loader.source))
    }

    /// Claims a chunk of a target for the loader at this place. False: another one has it.
    pub fn claim_chunk(&mut self, slot: usize, chunk: (i32, i32)) -> bool {
        let Some(database) = self.loaders.get(slot).map(|l| l.database) else {
            return false;
        };
        let others = self.loaders.iter().enumerate().filter(|(i, _)| *i != slot);
        for (_, other) in others {
            if other.database == database && other.chunk == Some(chunk) {
                return false;
            }
        }
        self.loaders[slot].chunk = Some(chunk);
        true
    }

    pub fn release_chunk(&mut self, slot: usize) {
        if let Some(loader) = self.loaders.get_mut(slot) {
            loader.chunk = None;
        }
    }

    pub fn release_loader(&mut self, slot: usize) {
        if let Some(loader) = self.loaders.get_mut(slot) {
            *loader = Loader::FREE;
        }
    }

    /// Loaders of a source that run or are about to.
    pub fn loaders_of(&self, database: u32, source: i32, now: i64) -> usize {
        let of_source = |l: &&Loader| l.database == database && l.source == source;
        let loaders = self.loaders.iter().filter(of_source);
        loaders.filter(|l| !l.is_free(now)).count()
    }
}
