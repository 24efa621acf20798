//! From published portions to the batch that one turn takes. Pure.

use std::collections::HashMap;

/// A row of PORTION_V.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portion {
    pub id: i64,
    pub slot: i64,
    pub scn_to: i64,
    pub pointers: i64,
    /// TimestampTz, by the clock of the source.
    pub published_at: i64,
}

/// A row of PORTION_TABLE_V.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touched {
    pub portion: i64,
    pub table_id: i64,
    pub pointers: i64,
}

/// Portions `from..=to`, to be applied in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub from: i64,
    pub to: i64,
    pub scn_to: i64,
    /// Slots that hold them, each once.
    pub slots: Vec<i64>,
    /// Tables of this shard with pointers in them, each once, in order.
    pub tables: Vec<i64>,
    /// Pointers to tables of this shard.
    pub pointers: i64,
}

/// What bounds a batch.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub pointers: i64,
    /// Declared bytes of the rows that will be staged.
    pub bytes: i64,
}

/// Takes portions from the front while they fit. The first one always fits: a portion that is too
/// large on its own must still be applied. `widths` has the declared row width of each table of
/// this shard; other tables cost nothing.
pub fn batch(
    portions: &[Portion],
    touched: &[Touched],
    widths: &HashMap<i64, i64>,
    limits: Limits,
) -> Option<Batch> {
    let first = portions.first()?;
    let mut batch = Batch {
        from: first.id,
        to: first.id,
        scn_to: first.scn_to,
        slots: Vec::new(),
        tables: Vec::new(),
        pointers: 0,
    };
    let mut bytes = 0i64;
    for portion in portions {
        let ours: Vec<(&Touched, i64)> = touched
            .iter()
            .filter(|t| t.portion == portion.id)
            .filter_map(|t| Some((t, *widths.get(&t.table_id)?)))
            .collect();
        let pointers: i64 = ours.iter().map(|(t, _)| t.pointers).sum();
        let width = ours.iter().fold(0i64, |sum, (t, width)| {
            sum.saturating_add(t.pointers.saturating_mul(*width))
        });
        let too_much = batch.pointers + pointers > limits.pointers
            || bytes.saturating_add(width) > limits.bytes;
        if portion.id != first.id && too_much {
            break;
        }
        batch.to = portion.id;
        batch.scn_to = portion.scn_to;
        batch.pointers += pointers;
        bytes = bytes.saturating_add(width);
        if !ours.is_empty() {
            batch.slots.push(portion.slot);
        }
        batch.tables.extend(ours.iter().map(|(t, _)| t.table_id));
    }
    batch.slots.sort_unstable();
    batch.slots.dedup();
    batch.tables.sort_unstable();
    batch.tables.dedup();
    Some(batch)
}

/// Whether `portions` begin at `applied + 1` and have no hole.
pub fn dense(portions: &[Portion], applied: i64) -> bool {
    portions
        .iter()
        .zip(applied + 1..)
        .all(|(portion, expected)| portion.id == expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portion(id: i64, slot: i64) -> Portion {
        Portion {
            id,
            slot,
            scn_to: id * 100,
            pointers: 10,
            published_at: 0,
        }
    }

    fn touched(portion: i64, table_id: i64, pointers: i64) -> Touched {
        Touched {
            portion,
            table_id,
            pointers,
        }
    }

    const WIDE_OPEN: Limits = Limits {
        pointers: 1000,
        bytes: i64::MAX,
    };

    #[test]
    fn all_that_fits_is_one_batch() {
        let portions = [portion(5, 1), portion(6, 2), portion(7, 1)];
        let tables = [touched(5, 1, 10), touched(6, 2, 10), touched(7, 1, 10)];
        let widths = HashMap::from([(1, 100), (2, 100)]);
        let batch = batch(&portions, &tables, &widths, WIDE_OPEN).unwrap();
        assert_eq!(
            (batch.from, batch.to, batch.scn_to, batch.pointers),
            (5, 7, 700, 30)
        );
        assert_eq!(batch.slots, [1, 2]);
        assert_eq!(batch.tables, [1, 2]);
    }

    #[test]
    fn a_portion_larger_than_the_limit_is_taken_alone() {
        let portions = [portion(1, 1), portion(2, 1)];
        let tables = [touched(1, 1, 5000), touched(2, 1, 1)];
        let batch = batch(&portions, &tables, &HashMap::from([(1, 1)]), WIDE_OPEN).unwrap();
        assert_eq!((batch.from, batch.to), (1, 1));
    }

    #[test]
    fn wide_rows_make_small_batches() {
        let portions = [portion(1, 1), portion(2, 1)];
        let tables = [touched(1, 1, 10), touched(2, 1, 10)];
        let limits = Limits {
            pointers: 1000,
            bytes: 15_000,
        };
        let batch = batch(&portions, &tables, &HashMap::from([(1, 1000)]), limits).unwrap();
        assert_eq!(batch.to, 1);
    }

    #[test]
    fn tables_of_others_cost_nothing_but_are_passed() {
        let portions = [portion(1, 1), portion(2, 3)];
        let tables = [touched(1, 99, 1_000_000), touched(2, 99, 1_000_000)];
        let batch = batch(&portions, &tables, &HashMap::new(), WIDE_OPEN).unwrap();
        assert_eq!((batch.to, batch.pointers), (2, 0));
        assert!(batch.slots.is_empty() && batch.tables.is_empty());
    }

    #[test]
    fn nothing_published_is_no_batch() {
        assert_eq!(batch(&[], &[], &HashMap::new(), WIDE_OPEN), None);
    }

    #[test]
    fn a_hole_is_seen() {
        assert!(dense(&[portion(4, 1), portion(5, 1)], 3));
        assert!(!dense(&[portion(4, 1), portion(6, 1)], 3));
        assert!(!dense(&[portion(5, 1)], 3));
        assert!(dense(&[], 3));
    }
}
