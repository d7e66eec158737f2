//! Rows about chains inside chains, many callers at once, and what a callback may hold across a call.

use std::{cell::Cell, sync::Mutex, thread};

use spanwise::prelude::*;

use super::ChainRow;
use crate::backends::AnyPool;

pub(super) const ROWS: &[ChainRow] = &[
    ("a chain in a chain", "callbacks may run chains on the same backend", chain_in_chain),
    ("chains in chains in chains", "as deep as a tree", deep),
    ("chains in merges", "the functions that put partials together may run chains", merges),
    ("many threads call", "chains of many threads do not disturb each other", callers),
    ("no stranger's job", "unless the backend says so, a lock held across a call is safe", lock),
    ("a bridge in a chain", "an iterator may itself run chains on the backend", bridge),
];

fn chain_in_chain(pool: &AnyPool) {
    for n in [0, 1, 2, 64, 65, 150] {
        let expected: u64 = (0..n).map(|i| (0..i).map(|j| i ^ j).sum::<u64>()).sum();
        let sum: u64 = (0..n).par(pool).map(|i| (0..i).par(pool).map(|j| i ^ j).sum::<u64>()).sum();
        assert_eq!(sum, expected, "{n} rows");
    }
}

fn count_leaves(pool: &AnyPool, depth: u32) -> usize {
    if depth == 0 {
        return 1;
    }
    (0..3).par(pool).map(|_| count_leaves(pool, depth - 1)).sum()
}

fn deep(pool: &AnyPool) {
    assert_eq!(count_leaves(pool, 5), 243);
}

fn merges(pool: &AnyPool) {
    let longest = |x: Vec<u32>, y: Vec<u32>| {
        let equal = x.par(pool).zip(&y).filter(|(x, y)| x == y).count();
        assert_eq!(equal, x.len().min(y.len()));
        if x.len() < y.len() { y } else { x }
    };
    let rows = (0..90_u32).par(pool).map(|i| (0..i).par(pool).collect::<Vec<_>>());
    assert_eq!(rows.reduce_tree(longest).map(|row| row.len()), Some(89));
    let found = (0..90_u32).par(pool).find_first(|&i| (0..i).par(pool).any(|j| j == 40));
    assert_eq!(found, Some(41));
}

fn callers(pool: &AnyPool) {
    thread::scope(|scope| {
        for caller in 0..5_u64 {
            scope.spawn(move || {
                for n in 0..30_u64 {
                    let rows: Vec<_> = (0..n * 9).par(pool).map(|i| i * caller).collect();
                    assert!(rows.iter().copied().eq((0..n * 9).map(|i| i * caller)));
                }
            });
        }
    });
}

/// A thread that waits runs no stranger's job, so a lock may be held across a call and a thread-local
/// stays as it was. A backend that does not promise it is not asked.
fn lock(pool: &AnyPool) {
    thread_local!(static HERE: Cell<u32> = const { Cell::new(u32::MAX) });

    if pool.runs_strangers() {
        return;
    }
    let total = Mutex::new(0);
    (0..32_u32).par(pool).for_each(|i| {
        HERE.set(i);
        let mut total = total.lock().expect("nobody panics");
        *total += (0..200_u32).par(pool).map(|j| j % 2).sum::<u32>();
        drop(total);
        assert_eq!(HERE.get(), i, "a thread-local changed across a call");
    });
    assert_eq!(total.into_inner().expect("nobody panics"), 3200);
}

fn bridge(pool: &AnyPool) {
    let rows = (0..40_u64).map(|i| (0..i).par(pool).sum::<u64>());
    let rows: Vec<_> = rows.par_bridge(pool).map(|x| x + (0..9).par(pool).sum::<u64>()).collect();
    assert!(rows.into_iter().eq((0..40).map(|i: u64| i * i.saturating_sub(1) / 2 + 36)));
}
