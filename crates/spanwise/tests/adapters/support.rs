//! The table: every backend, length and grain; and items that keep a ledger of their drops.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicU32, AtomicUsize, Ordering},
    thread,
};

use spanwise::{
    Chain,
    backend::{Backend, Serial},
    control::Control,
};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// Something to check on a backend.
pub(crate) trait Check {
    fn on<B: Backend>(&self, backend: &B);
}

/// A new backend is a line here.
pub(crate) fn on_every_backend(check: &impl Check) {
    check.on(&Serial);
    for threads in [1, 2, 3, 4, 7, 8, 16] {
        check.on(&DequePool::new(threads).unwrap());
        check.on(&RayonPool::new(threads).unwrap());
    }
}

pub(crate) const LENGTHS: [usize; 12] = [0, 1, 2, 3, 63, 64, 65, 255, 1000, 1024, 1025, 5000];
pub(crate) const GRAINS: [Option<usize>; 4] = [None, Some(1), Some(3), Some(64)];

/// Every length with every grain.
pub(crate) fn table() -> impl Iterator<Item = (usize, Option<usize>)> {
    LENGTHS.into_iter().flat_map(|n| GRAINS.map(|grain| (n, grain)))
}

pub(crate) fn grained<I, L, C: Control>(
    chain: Chain<I, L, C>,
    grain: Option<usize>,
) -> Chain<I, L, C> {
    match grain {
        None => chain,
        Some(rows) => chain.with_grain(rows),
    }
}

/// How many items were made and dropped, and which one's destructor is to panic.
#[derive(Debug)]
pub(crate) struct Ledger {
    made: AtomicUsize,
    dropped: AtomicUsize,
    bad: AtomicU32,
}

pub(crate) const NONE: u32 = u32::MAX;

impl Ledger {
    pub(crate) fn new() -> Self {
        Self::with_bad(NONE)
    }

    /// The first item with this number to be dropped panics then.
    pub(crate) fn with_bad(bad: u32) -> Self {
        let (made, dropped) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { made, dropped, bad: AtomicU32::new(bad) }
    }

    pub(crate) fn item(&self, id: u32) -> Item<'_> {
        self.made.fetch_add(1, Ordering::Relaxed);
        Item { id, ledger: self }
    }

    pub(crate) fn items(&self, n: usize) -> Vec<Item<'_>> {
        (0..n as u32).map(|id| self.item(id)).collect()
    }

    /// Whether each item that was made has been dropped, and none twice.
    #[track_caller]
    pub(crate) fn close(self, what: &str) {
        assert_eq!(self.made.into_inner(), self.dropped.into_inner(), "{what}: made and dropped");
    }
}

#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) id: u32,
    pub(crate) ledger: &'a Ledger,
}

impl Clone for Item<'_> {
    fn clone(&self) -> Self {
        self.ledger.item(self.id)
    }
}

impl Drop for Item<'_> {
    fn drop(&mut self) {
        self.ledger.dropped.fetch_add(1, Ordering::Relaxed);
        // A second panic while one unwinds would abort, here as with any destructor.
        if !thread::panicking() && self.id != NONE {
            let bad = &self.ledger.bad;
            let now = bad.compare_exchange(self.id, NONE, Ordering::Relaxed, Ordering::Relaxed);
            if now.is_ok() {
                planned(self.id);
            }
        }
    }
}

/// A panic on purpose; it prints nothing.
#[derive(Debug, PartialEq)]
pub(crate) struct Planned(pub(crate) u32);

pub(crate) fn planned(id: u32) -> ! {
    resume_unwind(Box::new(Planned(id)))
}

/// What the planned panic of `f` carried, or what `f` returned.
pub(crate) fn unwound<R>(f: impl FnOnce() -> R) -> Result<R, Planned> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload: Box<dyn Any + Send>| {
        *payload.downcast().unwrap_or_else(|other| resume_unwind(other))
    })
}
