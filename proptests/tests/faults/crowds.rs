//! More of everything than is good: callers, threads, too little stack.

use std::thread;

use spanwise::prelude::*;
use spanwise_backend::{Backend, Serial};
use spanwise_deque::DequePool;
use spanwise_proptests::{
    backends::all_pools,
    calls::CALLS,
    ledger::{Ledger, raise, row_of},
    shape::On,
};
use spanwise_rayon::RayonPool;

/// A little of everything, with answers that depend on `seed`.
fn mixture(pool: &impl Backend, seed: u64) {
    let rows: Vec<u64> = (0..500 + seed * 13).map(|x| x * 7919 % 1009 + seed).collect();
    assert_eq!(rows.par(pool).sum::<u64>(), rows.iter().sum());
    let text: String = rows.par(pool).map(|x| char::from(b'a' + (x % 26) as u8)).collect();
    assert!(text.chars().eq(rows.iter().map(|x| char::from(b'a' + (x % 26) as u8))));
    let found = rows.par(pool).position_first(|x| x % 1009 == seed + 3);
    assert_eq!(found, rows.iter().position(|x| x % 1009 == seed + 3));
    let mut sorted = rows.clone();
    sorted.par_sort_unstable(pool);
    assert!(sorted.is_sorted() && sorted.len() == rows.len());
    let odd: Vec<_> = rows.iter().copied().par_bridge(pool).filter(|x| x % 2 > 0).collect();
    assert!(odd.into_iter().eq(rows.iter().copied().filter(|x| x % 2 > 0)));
    let bad = rows.len() / 2;
    let at = |i| if i == bad { raise(i) } else { i };
    assert_eq!(row_of(|| (0..rows.len()).par(pool).map(at).count()), Err(bad));
    let nested = (0..20_u64).par(pool).map(|i| (0..i * 20).par(pool).max());
    assert!(nested.collect::<Vec<_>>().into_iter().eq((0..20).map(|i| (0..i * 20).max())));
}

#[test]
fn sixteen_callers_on_one_pool() {
    for pool in all_pools() {
        thread::scope(|scope| {
            for caller in 0..16 {
                scope.spawn(move || (0..4).for_each(|round| mixture(pool, caller * 4 + round)));
            }
        });
    }
}

/// Far more than this machine has processors, and as many again who call.
#[test]
fn sixty_four_threads() {
    fn on(pool: &impl Backend) {
        for seed in 0..10 {
            mixture(pool, seed);
        }
        thread::scope(|scope| {
            for caller in 0..64 {
                scope.spawn(move || mixture(pool, caller));
            }
        });
    }
    let pool = DequePool::new(64).unwrap();
    on(&pool);
    assert!(pool.broadcast(|share| share.index()).into_iter().eq(0..64));
    let pool = RayonPool::new(64).unwrap();
    on(&pool);
    assert!(pool.broadcast(|share| share.index()).into_iter().eq(0..64));
}

// Without optimisation frames are twice as large, and more.
const STACK: usize = if cfg!(debug_assertions) { 160 << 10 } else { 64 << 10 };

/// On the pool's threads and on the caller.
#[test]
fn a_stack_of_64_kib() {
    fn on<B: Backend>(pool: &B) {
        let caller = thread::Builder::new().stack_size(STACK);
        let run = || (0..5).for_each(|seed| mixture(pool, seed));
        thread::scope(|scope| caller.spawn_scoped(scope, run).unwrap().join().unwrap());
    }
    on(&Serial);
    for width in [2, 5] {
        on(&DequePool::builder().threads(width).stack_size(STACK).build().unwrap());
        on(&RayonPool::builder().threads(width).stack_size(STACK).build().unwrap());
    }
}

/// Every kind of call from a caller with so little; without optimisation frames are twice as large.
#[test]
fn a_caller_with_64_kib() {
    let stack = if cfg!(debug_assertions) { 2 * STACK } else { STACK };
    for pool in all_pools() {
        let calls = move || {
            for (name, call) in CALLS {
                for rows in [65, 1025] {
                    let ledger = Ledger::new(rows, None);
                    call(On { pool, grain: None }, ledger.rows(), &|_| ());
                    ledger.settle(name);
                }
            }
        };
        thread::Builder::new().stack_size(stack).spawn(calls).unwrap().join().unwrap();
    }
}
