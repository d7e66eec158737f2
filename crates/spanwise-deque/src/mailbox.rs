//! The mailbox: one job from the owner of a seat to the first thief that looks. In comes a pointer,
//! out it goes once, to a thief or back to the owner; members call it, before they use their rings.
//!
//! It is one cache line, where a ring is three: a thief that spins on it starts sooner. The turn is
//! odd while a job lies there. It only grows, so whoever moves it on from an odd number has taken
//! what lay there since that number was read.

use std::{ptr, sync::atomic::AtomicBool as Hint};

use crossbeam_utils::CachePadded;

use crate::{
    ring::Steal,
    sync::{AtomicPtr, AtomicUsize, Ordering},
};

/// The part that owner and thieves share.
#[derive(Debug)]
pub(crate) struct Mailbox<T>(CachePadded<Line<T>>);

#[derive(Debug)]
struct Line<T> {
    turn: AtomicUsize,
    item: AtomicPtr<T>,
    /// Whether the item was posted because a thief had asked for it. A hint, so no model needs to see it.
    asked: Hint,
}

fn is_full(turn: usize) -> bool {
    turn % 2 == 1
}

impl<T> Mailbox<T> {
    pub(crate) fn new() -> Self {
        let (turn, item) = (AtomicUsize::new(0), AtomicPtr::new(ptr::null_mut()));
        Self(CachePadded::new(Line { turn, item, asked: Hint::new(false) }))
    }

    /// The turn of the item that lies here, at some moment of the call.
    #[inline]
    pub(crate) fn full(&self) -> Option<usize> {
        // Relaxed: a hint, or ordered by an Acquire before it; see `Seat::steal_if`.
        let turn = self.0.turn.load(Ordering::Relaxed);
        is_full(turn).then_some(turn)
    }

    /// Whether what lies here, if anything does, was asked for.
    pub(crate) fn is_asked_for(&self) -> bool {
        // Relaxed: a hint.
        self.0.asked.load(Ordering::Relaxed)
    }

    /// Puts an item here unless there is one. For the owner alone: two at once would lose one.
    #[inline]
    pub(crate) fn post(&self, item: *mut T, asked: bool) -> bool {
        // Acquire: pairs with the Release in `empty`: the thief has read the pointer.
        let turn = self.0.turn.load(Ordering::Acquire);
        if is_full(turn) {
            return false;
        }
        // Relaxed: the turn brings it. A thief that reads it too early fails its exchange.
        self.0.item.store(item, Ordering::Relaxed);
        // Relaxed: a hint.
        self.0.asked.store(asked, Ordering::Relaxed);
        // Release: pairs with the Acquire in `take_if`: the pointer, and what it points to.
        self.0.turn.store(turn.wrapping_add(1), Ordering::Release);
        true
    }

    /// Takes back what lies here; `false` if nothing does. For the owner.
    #[inline]
    pub(crate) fn take_back(&self) -> bool {
        self.full().is_some_and(|turn| self.empty(turn))
    }

    /// Takes the item if `still` holds after it was seen and before it is taken.
    pub(crate) fn take_if(&self, still: impl FnOnce() -> bool) -> Steal<*mut T> {
        // Acquire: pairs with the Release in `post`.
        let turn = self.0.turn.load(Ordering::Acquire);
        if !is_full(turn) {
            return Steal::Empty;
        }
        // Relaxed: the turn brought it; a later one makes the exchange fail.
        let item = self.0.item.load(Ordering::Relaxed);
        if !still() {
            return Steal::Empty;
        }
        if self.empty(turn) { Steal::Success(item) } else { Steal::Retry }
    }

    fn empty(&self, turn: usize) -> bool {
        // Release: pairs with the Acquire in `post`; Relaxed: a failure gives nothing.
        let next = turn.wrapping_add(1);
        self.0.turn.compare_exchange(turn, next, Ordering::Release, Ordering::Relaxed).is_ok()
    }
}

#[cfg(all(test, not(spanwise_loom)))]
mod tests {
    use super::*;

    fn item(number: usize) -> *mut () {
        ptr::without_provenance_mut(number)
    }

    #[test]
    fn one_item_at_a_time_to_one_taker() {
        let mailbox = Mailbox::new();
        assert!(!mailbox.take_back());
        assert_eq!(mailbox.take_if(|| true), Steal::Empty);
        for number in 1..10 {
            assert!(mailbox.post(item(number), false) && !mailbox.post(item(100), true));
            assert_eq!(mailbox.take_if(|| false), Steal::Empty);
            if number % 2 == 0 {
                assert!(mailbox.take_back());
            } else {
                assert_eq!(mailbox.take_if(|| true), Steal::Success(item(number)));
            }
            assert!(!mailbox.take_back());
        }
    }

    #[test]
    fn who_looked_before_it_changed_gets_nothing() {
        let mailbox = Mailbox::new();
        assert!(mailbox.post(item(1), false));
        let again = || mailbox.take_back() && mailbox.post(item(1), false);
        assert_eq!(mailbox.take_if(again), Steal::Retry);
        assert!(mailbox.take_back());
    }
}
