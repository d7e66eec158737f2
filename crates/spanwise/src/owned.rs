//! Owned rows: a `Vec` or a part of one taken apart in place. In comes a vector or what it drains, out go
//! rows by value; a part is its own iterator.
//!
//! U-owned. The `len` rows from `start` are initialised, lie in the buffer that `home` keeps
//! allocated, and belong to this part alone: a cut gives each row to one side, `next` and
//! `next_back` move one row out and shrink the part past it, `drop` drops what is left. `home` owns
//! bytes, not rows, so the last part frees the buffer without a walk; a `Drain` as a home has given all
//! of its rows away, and the last part lets it close the gap.

#![allow(unsafe_code)]

use std::{
    iter::FusedIterator,
    marker::PhantomData,
    mem::{self, ManuallyDrop, MaybeUninit},
    ptr::{self, NonNull},
    slice,
    sync::Arc,
    vec,
};

use crate::span::Span;

/// Rows moved out of a `Vec` in place: each is moved out once or dropped once.
#[derive(Debug)]
pub struct Owned<T, H = Vec<MaybeUninit<T>>> {
    start: NonNull<T>,
    len: usize,
    home: Home<H>,
    rows: PhantomData<T>,
}

/// What keeps the buffer. It is shared only from the first cut on, so an uncut span costs no count.
#[derive(Debug)]
enum Home<H> {
    Sole(H),
    Shared(Arc<H>),
}

// SAFETY: U-owned: a part owns its rows alone, so sending it sends rows, and `home` is only counted
// and dropped by the last part, never read.
unsafe impl<T: Send, H: Send> Send for Owned<T, H> {}

// SAFETY: U-owned: a shared part gives out its length and shared rows, and `home` is never read.
unsafe impl<T: Sync, H> Sync for Owned<T, H> {}

impl<T> From<Vec<T>> for Owned<T> {
    fn from(rows: Vec<T>) -> Self {
        let mut rows = ManuallyDrop::new(rows);
        let (len, capacity) = (rows.len(), rows.capacity());
        let start = NonNull::new(rows.as_mut_ptr()).expect("a vector's pointer is never null");
        // SAFETY: U-owned: pointer and capacity are the vector's own, which is not used again; a
        // length of 0 leaves the rows to this part.
        let home = unsafe { Vec::from_raw_parts(start.as_ptr().cast(), 0, capacity) };
        Self { start, len, home: Home::Sole(home), rows: PhantomData }
    }
}

/// The rows of the drained range. What is behind them in the vector moves up when all parts are gone.
impl<'a, T> From<vec::Drain<'a, T>> for Owned<T, vec::Drain<'a, T>> {
    fn from(mut drain: vec::Drain<'a, T>) -> Self {
        let rows = NonNull::from(drain.as_slice());
        // Each row is this part's now. Nothing of the loop is left in release builds.
        drain.by_ref().for_each(mem::forget);
        Self { start: rows.cast(), len: rows.len(), home: Home::Sole(drain), rows: PhantomData }
    }
}

/// A copy in a buffer of its own.
impl<T: Clone> Clone for Owned<T> {
    fn clone(&self) -> Self {
        // SAFETY: U-owned: these rows are initialised, and this part is borrowed.
        let rows = unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) };
        Self::from(rows.to_vec())
    }
}

impl<T: Send, H: Send> Span for Owned<T, H> {
    fn len(&self) -> usize {
        self.len
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= self.len, "a cut at {at} is outside the span");
        let whole = ManuallyDrop::new(self);
        let (start, len) = (whole.start, whole.len);
        // SAFETY: U-owned: `whole` is never dropped, so its home moves out once.
        let home = match unsafe { ptr::read(&whole.home) } {
            Home::Sole(home) => Arc::new(home),
            Home::Shared(home) => home,
        };
        // SAFETY: U-owned: `at` is at most `len`, so the border is within the buffer or at its end.
        let border = unsafe { start.add(at) };
        let part =
            |start, len, home| Self { start, len, home: Home::Shared(home), rows: PhantomData };
        (part(start, at, Arc::clone(&home)), part(border, len - at, home))
    }
}

impl<T, H> Iterator for Owned<T, H> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let row = self.start;
        self.len -= 1;
        // SAFETY: U-owned: the part had a row, so one step stays within the buffer or at its end.
        self.start = unsafe { row.add(1) };
        // SAFETY: U-owned: the row is initialised, and the part has just shrunk past it.
        Some(unsafe { row.read() })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<T, H> DoubleEndedIterator for Owned<T, H> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        // SAFETY: U-owned: `len` was above 0, so this is the last row of the part.
        let row = unsafe { self.start.add(self.len) };
        // SAFETY: U-owned: the row is initialised, and the part has just shrunk before it.
        Some(unsafe { row.read() })
    }
}

impl<T, H> ExactSizeIterator for Owned<T, H> {}
impl<T, H> FusedIterator for Owned<T, H> {}

impl<T, H> Drop for Owned<T, H> {
    fn drop(&mut self) {
        if mem::needs_drop::<T>() {
            let rows = NonNull::slice_from_raw_parts(self.start, self.len);
            // SAFETY: U-owned: these rows are initialised and this part's, dropped here once. The
            // buffer is freed by `home`, after this and also if a destructor panics.
            unsafe { rows.drop_in_place() };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    struct Counted<'a>(usize, &'a AtomicUsize, bool);

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.1.fetch_add(1, Ordering::Relaxed);
            assert!(!self.2, "row {} panics when dropped", self.0);
        }
    }

    fn rows<'a>(n: usize, dropped: &'a AtomicUsize) -> Owned<Counted<'a>> {
        Owned::from((0..n).map(|i| Counted(i, dropped, false)).collect::<Vec<_>>())
    }

    #[test]
    fn every_row_is_dropped_once_wherever_it_is_cut_and_left() {
        for n in 0..8 {
            for at in 0..=n {
                for used in 0..=n {
                    let dropped = AtomicUsize::new(0);
                    let (mut front, mut back) = rows(n, &dropped).cut(at);
                    assert_eq!((Span::len(&front), Span::len(&back)), (at, n - at));
                    let seen: Vec<_> = front.by_ref().take(used).map(|row| row.0).collect();
                    assert!(seen.iter().copied().eq(0..used.min(at)));
                    let last = back.next_back().map(|row| row.0);
                    assert_eq!(last, (at < n).then(|| n - 1));
                    drop(front);
                    drop(back);
                    assert_eq!(dropped.into_inner(), n);
                }
            }
        }
    }

    #[test]
    fn a_destructor_that_panics_leaks_and_repeats_nothing() {
        for bad in 0..6 {
            let dropped = AtomicUsize::new(0);
            let mut all: Vec<_> = (0..6).map(|i| Counted(i, &dropped, false)).collect();
            all[bad].2 = true;
            let (front, back) = Owned::from(all).cut(3);
            let unwound = catch_unwind(AssertUnwindSafe(|| drop((front, back))));
            assert!(unwound.is_err());
            assert_eq!(dropped.into_inner(), 6);
        }
    }

    /// The range and what lies around it, wherever it is cut and left, and where a destructor panics.
    #[test]
    fn a_drained_vector_closes_the_gap_when_the_last_part_is_gone() {
        for (n, from, to) in
            [(0_usize, 0_usize, 0_usize), (1, 0, 1), (7, 0, 7), (7, 2, 5), (7, 0, 3), (7, 4, 7)]
        {
            for at in 0..=to - from {
                for bad in [None, Some(from), Some(to.saturating_sub(1))] {
                    let dropped = AtomicUsize::new(0);
                    let row = |i| Counted(i, &dropped, Some(i) == bad && (from..to).contains(&i));
                    let mut rows: Vec<_> = (0..n).map(row).collect();
                    let (mut front, back) = Owned::from(rows.drain(from..to)).cut(at);
                    assert_eq!((Span::len(&front), Span::len(&back)), (at, to - from - at));
                    let unwound = catch_unwind(AssertUnwindSafe(|| {
                        assert_eq!(front.next().map(|row| row.0), (at > 0).then_some(from));
                        drop((back, front));
                    }));
                    assert_eq!(unwound.is_err(), bad.is_some() && from < to);
                    assert_eq!(dropped.load(Ordering::Relaxed), to - from);
                    assert!(rows.iter().map(|row| row.0).eq((0..from).chain(to..n)));
                }
            }
        }
        let mut nothings = vec![(); 9];
        assert_eq!(Owned::from(nothings.drain(2..8)).cut(4).0.count(), 4);
        assert_eq!(nothings.len(), 3);
    }

    /// The leak is on purpose.
    #[test]
    fn a_part_that_is_forgotten_keeps_what_it_has() {
        let mut text = vec![String::from("kept"), String::from("lost")];
        mem::forget(Owned::from(text.drain(1..)).cut(1).0);
        assert_eq!(text, ["kept"]);
    }

    #[test]
    fn a_clone_has_rows_of_its_own() {
        let rows = Owned::from(vec![String::from("a"), String::from("b"), String::from("c")]);
        let (front, back) = rows.cut(1);
        let copy = back.clone();
        assert_eq!(front.chain(copy).collect::<String>() + &back.collect::<String>(), "abcbc");
    }

    #[test]
    fn rows_of_no_size_are_counted() {
        let (front, back) = Owned::from(vec![(); 1000]).cut(400);
        assert_eq!((front.count(), back.rev().count()), (400, 600));
        let (front, back) = Owned::from(vec![(); usize::MAX]).cut(usize::MAX - 1);
        assert_eq!((Span::len(&front), back.count()), (usize::MAX - 1, 1));
    }

    #[test]
    fn empty_vectors_need_no_buffer() {
        let (front, back) = Owned::<String>::from(Vec::new()).cut(0);
        assert_eq!(front.chain(back).count(), 0);
    }
}
