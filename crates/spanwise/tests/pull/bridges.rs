//! Iterators that cannot be cut.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
};

use crate::{Check, Counted, LENGTHS, everywhere, rows};

#[test]
fn a_bridge_keeps_order() {
    struct Order;
    impl Check for Order {
        fn on(&self, pool: &impl Backend) {
            for n in LENGTHS {
                let rows = rows(n);
                let text: Vec<String> = rows.iter().map(u64::to_string).collect();
                let bridged = || rows.iter().copied().filter(|x| x % 5 != 1).par_bridge(pool);
                let serial = || rows.iter().copied().filter(|x| x % 5 != 1);
                assert_eq!(bridged().collect::<Vec<_>>(), serial().collect::<Vec<_>>());
                assert_eq!(bridged().with_grain(7).sum::<u64>(), serial().sum::<u64>());
                assert_eq!(bridged().count(), serial().count());
                assert_eq!(bridged().max_by_key(|x| x % 10), serial().max_by_key(|x| x % 10));
                assert_eq!(bridged().position_first(|x| x == 33), serial().position(|x| x == 33));
                assert_eq!(
                    bridged().filter(|x| x % 2 == 0).skip(3).take(4).collect::<Vec<_>>(),
                    serial().filter(|x| x % 2 == 0).skip(3).take(4).collect::<Vec<_>>()
                );
                assert_eq!(
                    text.clone().into_iter().par_bridge(pool).collect::<String>(),
                    text.concat()
                );
                let tree = |pool: &_| {
                    let floats = rows.iter().map(|&x| x as f64 * 0.1);
                    floats.par_bridge(pool).with_grain(3).reduce(|x, y| x - y).map(f64::to_bits)
                };
                let reference = {
                    let floats = rows.iter().map(|&x| x as f64 * 0.1);
                    floats.par_bridge(&Serial).with_grain(3).reduce(|x, y| x - y).map(f64::to_bits)
                };
                assert_eq!(tree(pool), reference);
            }
        }
    }
    everywhere(Order);
}

/// The source's `next` runs a chain on the same pool.
#[test]
fn a_bridged_source_may_use_the_same_pool() {
    struct Nested;
    impl Check for Nested {
        fn on(&self, pool: &impl Backend) {
            for _ in 0..20 {
                let source = (0..40_u64).map(|i| (0..i * 500).par(pool).sum::<u64>());
                let sums: Vec<u64> = source.par_bridge(pool).map(|x| x + 1).collect();
                let expected: Vec<u64> = (0..40).map(|i| (0..i * 500).sum::<u64>() + 1).collect();
                assert_eq!(sums, expected);
            }
        }
    }
    everywhere(Nested);
}

#[test]
fn a_bridged_source_is_asked_for_nothing_after_its_end_or_a_stop() {
    struct Ends;
    impl Check for Ends {
        fn on(&self, pool: &impl Backend) {
            let mut left = 500;
            let mut over = false;
            let source = std::iter::from_fn(|| {
                assert!(!over, "asked after the end");
                left -= 1;
                over = left == 0;
                (!over).then_some(left)
            });
            assert_eq!(source.par_bridge(pool).count(), 499);
            let pulled = AtomicUsize::new(0);
            let endless = (0_usize..).inspect(|_| {
                pulled.fetch_add(1, SeqCst);
            });
            assert!(endless.par_bridge(pool).any(|x| x == 300));
            assert!(pulled.load(SeqCst) < 1_000_000);
        }
    }
    everywhere(Ends);
}

#[test]
fn a_panic_of_a_bridged_source_or_its_chain_arrives_once() {
    struct Panics;
    impl Check for Panics {
        fn on(&self, pool: &impl Backend) {
            for k in [0, 1, 2, 70, 400] {
                let dropped = AtomicUsize::new(0);
                let made = AtomicUsize::new(0);
                let ledger = |i: usize| {
                    made.fetch_add(1, SeqCst);
                    Counted(i, &dropped)
                };
                let source = (0..1000).map(|i| {
                    assert!(i != k, "source {i}");
                    ledger(i)
                });
                let unwound = catch_unwind(AssertUnwindSafe(|| {
                    source.par_bridge(pool).map(|x| x.0).sum::<usize>()
                }));
                let message = *unwound.unwrap_err().downcast::<String>().unwrap();
                assert_eq!(message, format!("source {k}"));
                let unwound = catch_unwind(AssertUnwindSafe(|| {
                    let chain = (0..1000).map(ledger).par_bridge(pool);
                    chain.inspect(|x| assert!(x.0 != k, "chain {}", x.0)).collect::<Vec<_>>().len()
                }));
                let message = *unwound.unwrap_err().downcast::<String>().unwrap();
                assert_eq!(message, format!("chain {k}"));
                assert_eq!(made.load(SeqCst), dropped.load(SeqCst));
            }
        }
    }
    everywhere(Panics);
}
