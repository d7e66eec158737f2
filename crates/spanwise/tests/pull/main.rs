//! What is run from the front, and how calls are controlled: bridged iterators, streams, chains cut after
//! `filter`, stops; against std, on every backend.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use spanwise::backend::{Backend, Serial};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

mod bridges;
mod control;
mod cuts;
mod streams;

pub(crate) const LENGTHS: [usize; 10] = [0, 1, 2, 3, 63, 64, 65, 1000, 1025, 5000];

/// A check that any backend must pass.
pub(crate) trait Check {
    fn on(&self, pool: &impl Backend);
}

pub(crate) fn everywhere(check: impl Check) {
    check.on(&Serial);
    for width in [1, 2, 3, 4, 7, 8, 16] {
        check.on(&DequePool::new(width).unwrap());
        check.on(&RayonPool::new(width).unwrap());
    }
}

pub(crate) fn rows(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| i * 7919 % 1009).collect()
}

/// An item that is counted when it is dropped.
pub(crate) struct Counted<'a>(pub(crate) usize, pub(crate) &'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.1.fetch_add(1, SeqCst);
    }
}
