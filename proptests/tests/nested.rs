//! Chains inside chains, many callers at once, and what a callback may hold across a call.

use std::{cell::Cell, sync::Mutex, thread};

use spanwise::prelude::*;
use spanwise_backend::Backend;
use spanwise_proptests::backends::{AnyPool, Visit, all_pools, pools};

fn sum_of_rows(outer: &AnyPool, inner: &AnyPool, n: u64) -> u64 {
    (0..n).par(outer).map(|i| (0..i).par(inner).map(|j| i ^ j).sum::<u64>()).sum()
}

#[test]
fn a_chain_in_a_chain() {
    for pool in all_pools() {
        for n in [0, 1, 2, 64, 65, 150] {
            let expected: u64 = (0..n).map(|i| (0..i).map(|j| i ^ j).sum::<u64>()).sum();
            assert_eq!(sum_of_rows(pool, pool, n), expected, "{pool:?}");
        }
    }
}

#[test]
fn a_chain_of_one_pool_in_a_chain_of_another() {
    let expected: u64 = (0..70).map(|i| (0..i).map(|j| i ^ j).sum::<u64>()).sum();
    for outer in pools() {
        for inner in pools() {
            assert_eq!(sum_of_rows(outer, inner, 70), expected, "{inner:?} in {outer:?}");
        }
    }
}

/// As deep as a tree: each call is inside the one above.
fn count_leaves(pool: &AnyPool, depth: u32) -> usize {
    if depth == 0 {
        return 1;
    }
    (0..3).par(pool).map(|_| count_leaves(pool, depth - 1)).sum()
}

#[test]
fn chains_in_chains_in_chains() {
    for pool in all_pools() {
        assert_eq!(count_leaves(pool, 6), 729, "{pool:?}");
    }
}

/// Terminals whose partials or callbacks run chains themselves.
#[test]
fn chains_in_merges() {
    for pool in all_pools() {
        let longest = |x: Vec<u32>, y: Vec<u32>| {
            let equal = x.par(pool).zip(&y).filter(|(x, y)| x == y).count();
            assert_eq!(equal, x.len().min(y.len()));
            if x.len() < y.len() { y } else { x }
        };
        let rows = (0..90_u32).par(pool).map(|i| (0..i).par(pool).collect::<Vec<_>>());
        assert_eq!(rows.reduce_tree(longest).unwrap().len(), 89, "{pool:?}");
        let found = (0..90_u32).par(pool).find_first(|&i| (0..i).par(pool).any(|j| j == 40));
        assert_eq!(found, Some(41), "{pool:?}");
    }
}

#[test]
fn many_threads_call_one_pool() {
    for pool in all_pools() {
        thread::scope(|scope| {
            for caller in 0..5_u64 {
                scope.spawn(move || {
                    for n in 0..60_u64 {
                        let rows: Vec<_> = (0..n * 9).par(pool).map(|i| i * caller).collect();
                        assert!(
                            rows.iter().copied().eq((0..n * 9).map(|i| i * caller)),
                            "{pool:?}"
                        );
                    }
                });
            }
        });
    }
}

/// On the deque pool a thread that waits runs no stranger's job, so a lock may be held across a call
/// and a thread-local stays as it was. rayon-core does not promise this.
#[test]
fn a_lock_held_across_a_call_is_no_deadlock() {
    thread_local!(static HERE: Cell<u32> = const { Cell::new(u32::MAX) });

    for pool in all_pools().filter(|pool| !matches!(pool, AnyPool::Rayon(_))) {
        let lock = Mutex::new(0);
        (0..64_u32).par(pool).for_each(|i| {
            HERE.set(i);
            let mut total = lock.lock().unwrap();
            *total += (0..200_u32).par(pool).map(|j| j % 2).sum::<u32>();
            drop(total);
            assert_eq!(HERE.get(), i, "{pool:?}");
        });
        assert_eq!(lock.into_inner().unwrap(), 6400, "{pool:?}");
    }
}

/// The pools themselves, not behind the type that the other suites compile with.
#[test]
fn bare_backends_give_the_same() {
    struct Bare;

    impl Visit for Bare {
        fn run<B: Backend>(&self, pool: &B) {
            for n in [0, 1, 2, 63, 65, 1000, 5000_u64] {
                let sum =
                    (0..n).par(pool).map(|x| (0..x % 5).par(pool).count() as u64).sum::<u64>();
                assert_eq!(sum, (0..n).map(|x| x % 5).sum());
                let words: Vec<_> = (0..n).par(pool).map(|x| x.to_string()).collect();
                assert!(words.iter().eq(&(0..n).map(|x| x.to_string()).collect::<Vec<_>>()));
                let found = words.into_iter().par(pool).find_first(|word| word.len() == 3);
                assert_eq!(found, (n > 100).then(|| "100".to_string()));
            }
        }
    }

    all_pools().for_each(|pool| pool.visit(&Bare));
}
