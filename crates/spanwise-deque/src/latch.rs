//! A one-shot flag that one thread may wait for. In comes `set` from whoever did the work, out
//! goes the number of the thread to wake: a latch knows no pool and wakes nobody itself.

use crate::sync::{AtomicU32, Ordering};

const PENDING: u32 = 0;
const DONE: u32 = 1;
/// Added to the number of a waiter that is about to park.
const WAITER: u32 = 2;

#[derive(Debug)]
pub(crate) struct Latch(AtomicU32);

impl Latch {
    #[inline]
    pub(crate) fn new() -> Self {
        Self(AtomicU32::new(PENDING))
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        // Acquire: pairs with the Release in `set`.
        self.0.load(Ordering::Acquire) == DONE
    }

    /// Asks to be woken as thread `waiter`; `false` if it is done already.
    pub(crate) fn call_me(&self, waiter: usize) -> bool {
        let me = u32::try_from(waiter).expect("seats are counted in u32") + WAITER;
        // Relaxed, both: the number itself is all, and `is_done` follows.
        match self.0.compare_exchange(PENDING, me, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => true,
            Err(now) => now == me,
        }
    }

    /// Marks the work done and says whom to wake. The latch may be gone as soon as it is set, which
    /// `&self` allows because it is one atomic and nothing else.
    #[must_use = "somebody may have to be woken"]
    pub(crate) fn set(&self) -> Option<usize> {
        // Release: pairs with the Acquire in `is_done`.
        let before = self.0.swap(DONE, Ordering::Release);
        (before >= WAITER).then(|| (before - WAITER) as usize)
    }
}
