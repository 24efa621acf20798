//! Random decisions that depend on a seed alone.

/// SplitMix64: the same seed gives the same decisions in every version of the harness.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to just below the limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    pub fn index(&mut self, length: usize) -> usize {
        (self.next() % (length.max(1) as u64)) as usize
    }

    /// A number between two, both possible.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// One of the items, each as likely as its weight says; `None` when all weigh nothing.
    pub fn weighted<T: Copy>(&mut self, items: &[(T, u64)]) -> Option<T> {
        let total = items.iter().map(|(_, weight)| weight).sum();
        let mut left = if total == 0 { 0 } else { self.below(total) };
        items.iter().find_map(|&(item, weight)| {
            if left < weight {
                return Some(item);
            }
            left -= weight;
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_decides_the_same() {
        let decisions = |seed| {
            let mut dice = Dice::new(seed);
            [(); 20].map(|()| dice.below(1000))
        };
        assert_eq!(decisions(7), decisions(7));
        assert_ne!(decisions(7), decisions(8));
    }

    #[test]
    fn what_weighs_nothing_is_never_chosen() {
        let mut dice = Dice::new(1);
        for _ in 0..100 {
            assert_eq!(
                dice.weighted(&[("no", 0), ("yes", 1), ("nor", 0)]),
                Some("yes")
            );
        }
        assert_eq!(dice.weighted(&[("no", 0)]), None);
    }
}
