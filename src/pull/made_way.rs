//! Rows that made way for a unique value, and how often. Pure.
//!
//! Two rows that swap a value displace each other once and come to rest. Where the source has no
//! such unique index they would displace each other for ever.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Displaced that often within [`MEMORY`] applied batches: parked.
const TOO_OFTEN: u32 = 2;
const MEMORY: u64 = 100;

#[derive(Debug)]
pub struct MadeWay<K> {
    batch: u64,
    /// How often, and in which batch last.
    rows: HashMap<K, (u32, u64)>,
}

impl<K> Default for MadeWay<K> {
    fn default() -> Self {
        MadeWay {
            batch: 0,
            rows: HashMap::new(),
        }
    }
}

impl<K: Eq + Hash + Clone> MadeWay<K> {
    /// Counts the rows that a batch displaced.
    pub fn note(&mut self, displaced: Vec<K>) {
        self.batch += 1;
        for row in displaced {
            let (count, last) = self.rows.entry(row).or_default();
            *count += 1;
            *last = self.batch;
        }
        let batch = self.batch;
        self.rows.retain(|_, (_, last)| batch - *last < MEMORY);
    }

    /// Rows that are to be parked when they are displaced once more.
    pub fn tired(&self) -> HashSet<K> {
        self.rows
            .iter()
            .filter(|(_, (count, _))| *count >= TOO_OFTEN)
            .map(|(row, _)| row.clone())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_time_is_once_too_often() {
        let mut made_way = MadeWay::default();
        made_way.note(vec!["a", "b"]);
        assert!(made_way.tired().is_empty());
        made_way.note(vec!["a"]);
        assert_eq!(made_way.tired(), HashSet::from(["a"]));
    }

    #[test]
    fn what_happened_long_ago_does_not_count() {
        let mut made_way = MadeWay::default();
        made_way.note(vec![1]);
        for _ in 0..MEMORY {
            made_way.note(vec![]);
        }
        made_way.note(vec![1]);
        assert!(made_way.tired().is_empty());
    }
}
