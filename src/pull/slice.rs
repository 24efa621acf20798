//! Where pointers lie, and how a range is halved until a bad one is alone. Pure.

/// Portions of a batch, or a request (slot 0).
#[derive(Debug, Clone)]
pub struct Range {
    pub slots: Vec<i64>,
    pub from: i64,
    pub to: i64,
}

impl Range {
    pub fn request(id: i64) -> Self {
        Range {
            slots: vec![0],
            from: id,
            to: id,
        }
    }

    /// P$PREV below this: of the pointers to one row only the first in the range.
    pub fn prev_below(&self) -> i64 {
        // Pointers of a request have P$PREV = 0.
        if self.is_request() { 1 } else { self.from }
    }

    pub fn is_request(&self) -> bool {
        self.slots == [0]
    }
}

/// Part of a range: portions and pointer numbers of one slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    pub slot: i64,
    pub portions: (i64, i64),
    pub pointers: (i64, i64),
}

impl Slice {
    pub fn whole(slot: i64, range: &Range) -> Self {
        Slice {
            slot,
            portions: (range.from, range.to),
            pointers: (0, i64::MAX),
        }
    }

    /// Two halves; `None` for a single pointer.
    pub fn halves(&self) -> Option<[Slice; 2]> {
        let (mut left, mut right) = (self.clone(), self.clone());
        let (ends_left, ends_right, (from, to)) = if self.portions.0 < self.portions.1 {
            (&mut left.portions, &mut right.portions, self.portions)
        } else if self.pointers.0 < self.pointers.1 {
            (&mut left.pointers, &mut right.pointers, self.pointers)
        } else {
            return None;
        };
        let middle = from + (to - from) / 2;
        ends_left.1 = middle;
        ends_right.0 = middle + 1;
        Some([left, right])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_reaches_each_pointer_once() {
        let mut todo = vec![Slice {
            slot: 1,
            portions: (1, 3),
            pointers: (1, 4),
        }];
        let mut single = Vec::new();
        while let Some(slice) = todo.pop() {
            match slice.halves() {
                Some(halves) => todo.extend(halves),
                None => single.push((slice.portions.0, slice.pointers.0)),
            }
        }
        single.sort_unstable();
        let expected: Vec<(i64, i64)> =
            (1..=3).flat_map(|a| (1..=4).map(move |b| (a, b))).collect();
        assert_eq!(single, expected);
    }

    #[test]
    fn a_batch_leaves_out_what_an_earlier_portion_of_it_points_to() {
        let batch = Range {
            slots: vec![2, 3],
            from: 7,
            to: 9,
        };
        assert_eq!(batch.prev_below(), 7);
        assert_eq!(Range::request(40).prev_below(), 1);
    }
}
