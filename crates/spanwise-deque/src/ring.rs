//! The Chase–Lev ring. In come pointers from one owner, out they go once each: newest first to the
//! owner, oldest first to thieves. The deque and the pool call it; it never follows a pointer, so
//! it needs no unsafe code.
//!
//! Indices only grow and wrap like any `usize`. `top..bottom` is what thieves see and take from.
//! Beyond it lies `bottom..end`, the owner's alone: what is pushed there and taken back costs no
//! fence, and `publish` shows it. A grown buffer never moves or goes before the ring does, so a
//! thief that still reads the old one reads what was there.

use std::{array, cell::Cell, ops::Deref, ptr};

use crossbeam_utils::CachePadded;

use crate::sync::{AtomicPtr, AtomicUsize, MODELLED, OnceLock, Ordering, load_after};

/// Slots before the first growth: a power of two.
const FIRST: usize = if MODELLED { 2 } else { 256 };
/// Doublings that can be named; memory ends long before.
const LEVELS: usize = if MODELLED { 3 } else { 40 };

/// What came of a try to steal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steal<T> {
    /// Nothing was there.
    Empty,
    /// The oldest item, now the thief's.
    Success(T),
    /// Somebody else was faster; there may be more.
    Retry,
}

/// The part that owner and thieves share.
#[derive(Debug)]
pub(crate) struct Ring<T> {
    /// The oldest item; thieves move it, and the owner for the last one.
    top: CachePadded<AtomicUsize>,
    /// What the owner writes and thieves read.
    shown: CachePadded<Shown>,
    first: [AtomicPtr<T>; FIRST],
    grown: [OnceLock<Box<[AtomicPtr<T>]>>; LEVELS],
}

#[derive(Debug)]
struct Shown {
    bottom: AtomicUsize,
    level: AtomicUsize,
}

/// `a` lies before `b`, both counted modulo the word.
#[inline]
fn before(a: usize, b: usize) -> bool {
    b.wrapping_sub(a) as isize > 0
}

impl<T> Ring<T> {
    pub(crate) fn new() -> Self {
        Self::starting_at(0)
    }

    /// A ring whose indices start at `index`.
    pub(crate) fn starting_at(index: usize) -> Self {
        let shown = Shown { bottom: AtomicUsize::new(index), level: AtomicUsize::new(0) };
        Self {
            top: CachePadded::new(AtomicUsize::new(index)),
            shown: CachePadded::new(shown),
            first: array::from_fn(|_| AtomicPtr::new(ptr::null_mut())),
            grown: array::from_fn(|_| OnceLock::new()),
        }
    }

    #[inline]
    fn slot(&self, level: usize, index: usize) -> &AtomicPtr<T> {
        if level == 0 { &self.first[index % FIRST] } else { self.grown_slot(level, index) }
    }

    #[inline]
    fn grown_slot(&self, level: usize, index: usize) -> &AtomicPtr<T> {
        let slots = self.grown[level - 1].get().expect("a level is filled before it is shown");
        &slots[index & (slots.len() - 1)]
    }

    /// Where the oldest item lies that thieves can see, at some moment of the call.
    pub(crate) fn oldest(&self) -> Option<usize> {
        // Relaxed, both: a hint that nobody acts on without `steal`.
        let top = self.top.load(Ordering::Relaxed);
        let bottom = self.shown.bottom.load(Ordering::Relaxed);
        before(top, bottom).then_some(top)
    }

    /// Items that thieves can see, at some moment of the call.
    pub(crate) fn len(&self) -> usize {
        // Acquire: pairs with nothing; it keeps this load and the two behind it in their order.
        let mut top = self.top.load(Ordering::Acquire);
        loop {
            // Acquire: as above.
            let bottom = self.shown.bottom.load(Ordering::Acquire);
            // Relaxed: `top` never goes back, so if it is the same it was so when `bottom` was read.
            let now = self.top.load(Ordering::Relaxed);
            if now == top {
                return if before(top, bottom) { bottom.wrapping_sub(top) } else { 0 };
            }
            top = now;
        }
    }

    /// Takes the oldest item.
    pub(crate) fn steal(&self) -> Steal<*mut T> {
        self.steal_if(|| true)
    }

    /// Takes the oldest item if `still` holds after it was seen and before it is taken.
    pub(crate) fn steal_if(&self, still: impl FnOnce() -> bool) -> Steal<*mut T> {
        // SeqCst: as Acquire, pairs with the exchange that moved `top`, in `steal_if` or `take_last`.
        // Together with the next load it pairs with the swap and the load in `take_back`: all four
        // and the exchanges stand in one order, so one of the two threads sees the other's index.
        let top = self.top.load(Ordering::SeqCst);
        // SeqCst: as above; as Acquire, pairs with the Release in `show`: the slot, its level and
        // the item's content. A fence in place of the order doubles what a theft costs.
        let bottom = load_after(&self.shown.bottom);
        if !before(top, bottom) {
            return Steal::Empty;
        }
        // Acquire: pairs with the Release in `grow`: the copied slots.
        let level = self.shown.level.load(Ordering::Acquire);
        // Relaxed: `bottom` or `level` brought the slot; a later one makes the exchange fail.
        let item = self.slot(level, top).load(Ordering::Relaxed);
        if !still() {
            return Steal::Empty;
        }
        // SeqCst: pairs with the exchanges here and in `take_last`; Relaxed: a failure gives nothing.
        let next = top.wrapping_add(1);
        match self.top.compare_exchange(top, next, Ordering::SeqCst, Ordering::Relaxed) {
            Ok(_) => Steal::Success(item),
            Err(_) => Steal::Retry,
        }
    }
}

/// The owner's end. There is one for a ring at a time; it can move to another thread, but two
/// threads cannot share it.
#[derive(Debug)]
pub(crate) struct Owner<R> {
    ring: R,
    /// One past the newest item.
    end: Cell<usize>,
    /// What `Shown::bottom` holds.
    bottom: Cell<usize>,
    /// Where the buffer is full, going by the last `top` read for it.
    full: Cell<usize>,
    /// What `Shown::level` holds.
    level: Cell<usize>,
}

impl<T, R: Deref<Target = Ring<T>>> Owner<R> {
    /// The end of a ring that nobody else owns now, and that its last owner left empty.
    pub(crate) fn new(ring: R) -> Self {
        // Relaxed, all three: only owners write them, and who hands a ring over synchronises.
        let bottom = ring.shown.bottom.load(Ordering::Relaxed);
        let level = ring.shown.level.load(Ordering::Relaxed);
        let top = ring.top.load(Ordering::Relaxed);
        Self {
            ring,
            end: Cell::new(bottom),
            bottom: Cell::new(bottom),
            full: Cell::new(top.wrapping_add(FIRST << level)),
            level: Cell::new(level),
        }
    }

    pub(crate) fn ring(&self) -> &R {
        &self.ring
    }

    /// Puts an item at the end, for the owner's eyes only, and says where.
    #[inline(always)]
    pub(crate) fn push(&self, item: *mut T) -> usize {
        let at = self.end.get();
        if at == self.full.get() {
            self.make_room();
        }
        // Relaxed: `show` brings it to thieves.
        self.ring.slot(self.level.get(), at).store(item, Ordering::Relaxed);
        self.end.set(at.wrapping_add(1));
        at
    }

    #[cold]
    fn make_room(&self) {
        let end = self.end.get();
        // Acquire: pairs with the exchange of the thief that left its slot.
        let top = self.ring.top.load(Ordering::Acquire);
        if end.wrapping_sub(top) == FIRST << self.level.get() {
            self.grow(top, end);
        }
        self.full.set(top.wrapping_add(FIRST << self.level.get()));
    }

    fn grow(&self, top: usize, end: usize) {
        let (old, new) = (self.level.get(), self.level.get() + 1);
        let empty = || (0..FIRST << new).map(|_| AtomicPtr::new(ptr::null_mut())).collect();
        self.ring.grown[old].get_or_init(empty);
        for step in 0..end.wrapping_sub(top) {
            let index = top.wrapping_add(step);
            // Relaxed, both: the owner wrote the one, the Release below brings the other.
            let item = self.ring.slot(old, index).load(Ordering::Relaxed);
            self.ring.slot(new, index).store(item, Ordering::Relaxed);
        }
        self.level.set(new);
        // Release: pairs with the Acquire of the level in `steal_if`.
        self.ring.shown.level.store(new, Ordering::Release);
    }

    /// How many items thieves can still take.
    #[inline]
    pub(crate) fn visible(&self) -> usize {
        // Relaxed: an old `top` only makes the answer too large, for a moment.
        self.bottom.get().wrapping_sub(self.ring.top.load(Ordering::Relaxed))
    }

    /// Items in all.
    pub(crate) fn len(&self) -> usize {
        // Relaxed: as in `visible`.
        self.end.get().wrapping_sub(self.ring.top.load(Ordering::Relaxed))
    }

    /// Shows up to `count` more of the oldest hidden items.
    pub(crate) fn publish(&self, count: usize) {
        let hidden = self.end.get().wrapping_sub(self.bottom.get());
        self.show(self.bottom.get().wrapping_add(count.min(hidden)));
    }

    fn show(&self, bottom: usize) {
        self.bottom.set(bottom);
        // Release: pairs with the Acquire in `steal_if`.
        self.ring.shown.bottom.store(bottom, Ordering::Release);
    }

    /// Whether thieves have never seen the place `at`.
    #[inline]
    pub(crate) fn is_hidden(&self, at: usize) -> bool {
        !before(at, self.bottom.get())
    }

    /// Whether `at` is the place that would be shown next.
    #[inline]
    pub(crate) fn is_next(&self, at: usize) -> bool {
        at == self.bottom.get()
    }

    /// Takes back the item that `push` put at `at`, newer ones being gone, if it was never shown.
    #[inline]
    pub(crate) fn take_hidden(&self, at: usize) -> bool {
        let hidden = self.is_hidden(at);
        if hidden {
            self.end.set(at);
        }
        hidden
    }

    /// Takes back the item that `push` put at `at`, newer ones being gone; `false` if it was stolen.
    pub(crate) fn take_back(&self, at: usize) -> bool {
        if self.take_hidden(at) {
            return true;
        }
        // Relaxed: `top` never goes back, so a large value is proof; a small one is checked below.
        let top = self.ring.top.load(Ordering::Relaxed);
        if before(at, top) {
            return false;
        }
        if top == at {
            return self.take_last(at);
        }
        self.bottom.set(at);
        // SeqCst, both: pair with the two loads in `steal_if`; one of us sees the other's index.
        self.ring.shown.bottom.swap(at, Ordering::SeqCst);
        let top = load_after(&self.ring.top);
        if before(top, at) {
            self.end.set(at);
            return true;
        }
        let won = top == at && self.take_last(at);
        self.show(at.wrapping_add(1));
        won
    }

    /// Competes with thieves for the last item; `end` and `bottom` stay one past it either way.
    fn take_last(&self, at: usize) -> bool {
        // SeqCst: pairs with the exchange in `steal_if`; Relaxed: the winner owns what we lost.
        let next = at.wrapping_add(1);
        self.ring.top.compare_exchange(at, next, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }

    /// Takes the newest item.
    pub(crate) fn pop(&self) -> Option<*mut T> {
        // Relaxed: as in `visible`; a large value is proof that nothing is left.
        if self.end.get() == self.ring.top.load(Ordering::Relaxed) {
            return None;
        }
        let at = self.end.get().wrapping_sub(1);
        // Relaxed: the owner wrote it.
        let item = self.ring.slot(self.level.get(), at).load(Ordering::Relaxed);
        self.take_back(at).then_some(item)
    }
}

#[cfg(all(test, not(spanwise_loom)))]
mod tests {
    use super::*;

    fn item(number: usize) -> *mut () {
        ptr::without_provenance_mut(number)
    }

    /// Pushes and takes around the end of the index range, growing there.
    #[test]
    fn indices_wrap() {
        let ring = Ring::starting_at(usize::MAX - 100);
        let owner = Owner::new(&ring);
        let last = 2 * FIRST + 50;
        for number in 1..=last {
            owner.push(item(number));
            owner.publish(1);
        }
        assert_eq!((owner.len(), ring.len(), ring.len()), (last, last, owner.visible()));
        for number in 1..=150 {
            assert_eq!(ring.steal(), Steal::Success(item(number)));
        }
        for number in (151..=last).rev() {
            assert_eq!(owner.pop(), Some(item(number)));
        }
        assert_eq!((owner.pop(), ring.steal(), ring.len()), (None, Steal::Empty, 0));
    }

    #[test]
    fn hidden_items_are_the_owners_alone() {
        for start in [0, usize::MAX - 2] {
            let ring = Ring::starting_at(start);
            let owner = Owner::new(&ring);
            let places: Vec<_> = (1..=5).map(|number| owner.push(item(number))).collect();
            assert_eq!(ring.steal(), Steal::Empty);
            owner.publish(2);
            assert_eq!((owner.visible(), ring.len()), (2, 2));
            assert_eq!(ring.steal(), Steal::Success(item(1)));
            for at in places[2..].iter().rev() {
                assert!(owner.take_hidden(*at));
            }
            assert!(!owner.take_hidden(places[1]));
            assert!(owner.take_back(places[1]));
            assert!(!owner.take_back(places[0]));
            assert_eq!((owner.len(), owner.visible()), (0, 0));
            // The next round starts one further, and the enclosing frame still knows its loss.
            let at = owner.push(item(6));
            owner.publish(8);
            assert!(owner.take_back(at));
            assert!(!owner.take_back(places[0]));
        }
    }

    #[test]
    fn a_new_owner_goes_on_where_the_old_one_stopped() {
        let ring = Ring::new();
        for round in 0..3 {
            let owner = Owner::new(&ring);
            for number in 0..FIRST * 3 {
                owner.push(item(number + round));
                owner.publish(1);
                if number % 2 == 0 {
                    assert!(matches!(ring.steal(), Steal::Success(_)));
                }
            }
            while owner.pop().is_some() {}
        }
    }
}
