//! The row behind which nothing is needed. In comes a hit from any thread, out goes a hint to all; the
//! hit itself travels by the join.

use crate::sync::{AtomicUsize, Ordering};

#[derive(Debug)]
pub(crate) struct Stop(AtomicUsize);

impl Stop {
    pub(crate) fn new() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }

    /// Rows behind `row` are needless.
    pub(crate) fn after(&self, row: usize) {
        // Relaxed: pairs with the load below, a hint.
        self.0.fetch_min(row, Ordering::Relaxed);
    }

    /// Whether some row before this one has stopped.
    pub(crate) fn is_before(&self, row: usize) -> bool {
        // Relaxed: pairs with `after()`, a hint.
        row > self.0.load(Ordering::Relaxed)
    }

    /// Whether any row has stopped.
    pub(crate) fn is_set(&self) -> bool {
        self.is_before(usize::MAX)
    }
}
