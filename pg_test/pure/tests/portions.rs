//! Portions as a source lists them, with holes or without.

use std::collections::HashMap;

use proptest::prelude::*;

use pure::pull::plan::{Limits, Portion, Touched, batch, dense};
use pure::pull::slice::{Range, Slice};

proptest! {
    // Failing input is printed, and belongs into a test of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_hole_or_a_wrong_beginning_is_never_dense(
        applied in 0..1000_i64, count in 1..20_i64, missing in 0..20_i64, shift in -3..=3_i64
    ) {
        let portions: Vec<Portion> = (1..=count).map(|n| portion(applied + n + shift)).collect();
        prop_assert_eq!(dense(&portions, applied), shift == 0);
        let mut holed: Vec<Portion> = (1..=count).map(|n| portion(applied + n)).collect();
        if missing < count - 1 {
            holed.remove(missing as usize);
            prop_assert!(!dense(&holed, applied));
        }
    }

    #[test]
    fn a_batch_is_the_front_of_what_is_published(
        pointers in proptest::collection::vec((1..4_i64, 0..500_i64), 1..30), limit in 1..1000_i64, width in 1..100_i64
    ) {
        let portions: Vec<Portion> = (1..).zip(&pointers).map(|(id, _)| portion(id)).collect();
        let touched: Vec<Touched> = (1..)
            .zip(&pointers)
            .map(|(portion, &(table_id, pointers))| Touched { portion, table_id, pointers })
            .collect();
        let widths = HashMap::from([(1, width), (2, 2 * width)]);
        let limits = Limits { pointers: limit, bytes: 1 << 40 };
        let batch = batch(&portions, &touched, &widths, limits).expect("there are portions");
        prop_assert_eq!(batch.from, 1);
        prop_assert!(batch.to <= portions.len() as i64);
        let ours: Vec<&Touched> = touched
            .iter()
            .filter(|t| t.portion <= batch.to && widths.contains_key(&t.table_id))
            .collect();
        prop_assert_eq!(batch.pointers, ours.iter().map(|t| t.pointers).sum::<i64>());
        prop_assert!(batch.pointers <= limit || batch.to == 1);
        for touched in ours {
            prop_assert!(batch.tables.contains(&touched.table_id));
            prop_assert!(batch.slots.contains(&portion(touched.portion).slot));
        }
    }

    #[test]
    fn halves_are_the_whole_and_no_pointer_is_in_both(
        from in 1..1000_i64, portions in 0..40_i64, first in 0..1000_i64, pointers in 0..1000_i64
    ) {
        let range = Range { slots: vec![3], from, to: from + portions };
        let mut todo = vec![Slice { pointers: (first, first + pointers), ..Slice::whole(3, &range) }];
        let mut alone = 0;
        while let Some(slice) = todo.pop() {
            match slice.halves() {
                Some(halves) => todo.extend(halves),
                None => alone += 1,
            }
        }
        prop_assert_eq!(alone, (portions + 1) * (pointers + 1));
    }
}

fn portion(id: i64) -> Portion {
    Portion {
        id,
        slot: 1 + id / 8 % 4,
        scn_to: id * 10,
        pointers: 5,
        published_at: 0,
    }
}
