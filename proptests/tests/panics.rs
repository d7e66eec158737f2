//! Panics at random rows: of those that happened the first one in input order reaches the caller. What
//! else is promised about panics stands in the conformance table.

use proptest::prelude::*;
use spanwise_proptests::{
    backends::pools,
    conformance::panics::{RUNS, still_works},
    generate::{check, grain, keep, rows},
    ledger::{Raised, row_of},
    shape::On,
};

#[test]
fn the_first_panic_of_those_that_happened_comes_out() {
    let n = prop_oneof![0..80_usize, 0..3000_usize];
    check(96, (n, rows(), keep(), grain()), |(n, xs, keep, grain)| {
        let is_bad = |i: usize| xs.get(i % xs.len().max(1)).is_some_and(|&x| keep.of(x));
        for pool in pools() {
            for (name, run) in RUNS {
                let raised = Raised::default();
                let at = |i| if is_bad(i) { raised.raise(i) } else { i };
                let unwound = row_of(|| run(On { pool, grain }, n, &at)).err();
                assert_eq!(unwound, raised.first(), "{name} on {pool:?}");
                // No row of these calls can be left out but for a panic.
                assert_eq!(unwound.is_some(), (0..n).any(is_bad), "{name} on {pool:?}");
            }
            still_works(pool);
        }
    });
}
