//! Sorting by merging: runs are sorted, and neighbouring ones become one, level by level, on all threads.
//! In come rows in any order, out come the same rows, sorted; `sort` calls it.
//!
//! U-merge. Rows live in one of two places of equal length: the caller's slice or the spare room. A
//! level reads where they live and writes bit copies into the other place, whose parts are reached by
//! one thread each. Until a level has written all of it the copies count for nothing: so a panic at
//! any moment, and a backend that loses a half, leave the rows where they were. Then they live there.
//! No comparison sees a row after it was copied, so both copies are the same. Rows that live in the
//! spare room when the call ends, however it ends, are copied home.

#![allow(unsafe_code)]

use std::{mem::MaybeUninit, ptr};

use spanwise_backend::Backend;

/// Merges at once for each thread, to balance comparisons that are not equally dear.
const PIECES: usize = 2;

/// Rows that are merged without a look for long runs from one side.
const BLOCK: usize = 2048;

/// Rows that one chain of comparisons merges as fast as several.
const FEW: usize = 64;

/// Sorts `rows` by merging `2^levels` runs of them, which halving gives, on `width` threads.
///
/// `sort` sorts the runs. Stable if it is. If a closure panics or `less` is no order,
/// the slice has the same rows in some order.
///
/// # Panics
///
/// If `levels` is 0.
pub(crate) fn merge_sort<T, B, S, F>(
    backend: &B,
    width: usize,
    levels: u32,
    sort: &S,
    less: &F,
    rows: &mut [T],
) where
    T: Send,
    B: Backend,
    S: Fn(&mut [T]) + Sync,
    F: Fn(&T, &T) -> bool + Sync,
{
    let merge = Merge { backend, less };
    let pieces = width.saturating_mul(PIECES);
    let mut room = Vec::with_capacity(rows.len());
    let room = &mut room.spare_capacity_mut()[..rows.len()];
    let mut places = Places::new(rows, room);
    places.refill(|rows, room| merge.level(levels - 1, pieces, sort, rows, room));
    for above in (0..levels - 1).rev() {
        if !merge.is_done(above, places.split().0) {
            places.refill(|rows, room| merge.level(above, pieces, &|_| (), rows, room));
        }
    }
    if places.away {
        places.refill(|rows, room| merge.level(0, pieces, &|_| (), rows, room));
    }
}

/// The two places.
struct Places<'r, T> {
    slice: &'r mut [MaybeUninit<T>],
    room: &'r mut [MaybeUninit<T>],
    /// Whether rows live in the spare room.
    away: bool,
}

/// The proof that so many rows have been written.
struct Written(usize);

impl<'r, T> Places<'r, T> {
    fn new(rows: &'r mut [T], room: &'r mut [MaybeUninit<T>]) -> Self {
        assert!(rows.len() == room.len(), "the places are equally long");
        let slice = ptr::from_mut(rows) as *mut [MaybeUninit<T>];
        // SAFETY: U-merge: the same rows for as long. Only rows are written here, and when this borrow
        // ends each stands here once.
        Self { slice: unsafe { &mut *slice }, room, away: false }
    }

    /// Where rows live, and the other place.
    fn split(&mut self) -> (&mut [T], &mut [MaybeUninit<T>]) {
        let (rows, other) = if self.away {
            (&mut *self.room, &mut *self.slice)
        } else {
            (&mut *self.slice, &mut *self.room)
        };
        let rows = ptr::from_mut(rows) as *mut [T];
        // SAFETY: U-merge: each element of the place where rows live is a row.
        (unsafe { &mut *rows }, other)
    }

    /// Lets the rows live in the other place, once all of it is written.
    fn refill(&mut self, write: impl FnOnce(&mut [T], &mut [MaybeUninit<T>]) -> Written) {
        let (rows, other) = self.split();
        let Written(written) = write(rows, other);
        assert!(written == self.slice.len(), "{written} of {} rows were merged", self.slice.len());
        self.away = !self.away;
    }
}

impl<T> Drop for Places<'_, T> {
    fn drop(&mut self) {
        if self.away {
            self.refill(|rows, slice| copy(rows, slice));
        }
    }
}

/// Copies rows to as much room.
fn copy<T>(rows: &[T], room: &mut [MaybeUninit<T>]) -> Written {
    assert!(rows.len() == room.len(), "rows fill their room");
    // SAFETY: U-merge: both are equally long, and `room` is borrowed alone, so they do not overlap.
    unsafe { ptr::copy_nonoverlapping(rows.as_ptr(), room.as_mut_ptr().cast(), rows.len()) };
    Written(rows.len())
}

struct Merge<'a, B, F> {
    backend: &'a B,
    less: &'a F,
}

impl<B: Backend, F: Sync> Merge<'_, B, F> {
    /// Whether the merges of a level would change nothing.
    fn is_done<T>(&self, above: u32, rows: &[T]) -> bool
    where
        F: Fn(&T, &T) -> bool,
    {
        let (left, right) = rows.split_at(rows.len() / 2);
        match above {
            0 => self.in_order(left, right),
            _ => self.is_done(above - 1, left) && self.is_done(above - 1, right),
        }
    }

    /// Whether no row of `right` comes before one of `left`.
    fn in_order<T>(&self, left: &[T], right: &[T]) -> bool
    where
        F: Fn(&T, &T) -> bool,
    {
        match (left.last(), right.first()) {
            (Some(last), Some(first)) => !(self.less)(first, last),
            _ => true,
        }
    }

    /// Prepares the runs and merges them in pairs, with so many levels above this one.
    fn level<T, S>(
        &self,
        above: u32,
        pieces: usize,
        prepare: &S,
        rows: &mut [T],
        room: &mut [MaybeUninit<T>],
    ) -> Written
    where
        T: Send,
        S: Fn(&mut [T]) + Sync,
        F: Fn(&T, &T) -> bool,
    {
        let half = rows.len() / 2;
        let (left, right) = rows.split_at_mut(half);
        if above == 0 {
            self.backend.join(|| prepare(left), || prepare(right));
            return self.pair(pieces, left, right, room);
        }
        let (front, back) = room.split_at_mut(half);
        let (Written(a), Written(b)) = self.backend.join(
            || self.level(above - 1, pieces.div_ceil(2), prepare, left, front),
            || self.level(above - 1, pieces.div_ceil(2), prepare, right, back),
        );
        Written(a + b)
    }

    /// Merges two runs, halved until there are enough pieces and each is short.
    ///
    /// A row may be `Send` and not `Sync`, so no two threads ever hold the same one: the border is
    /// searched before the halves part.
    fn pair<T>(
        &self,
        pieces: usize,
        left: &mut [T],
        right: &mut [T],
        room: &mut [MaybeUninit<T>],
    ) -> Written
    where
        T: Send,
        F: Fn(&T, &T) -> bool,
    {
        if room.len() <= BLOCK {
            return self.block(left, right, room);
        }
        let in_order = self.in_order(left, right);
        if pieces <= 1 && in_order {
            return copy_both(left, right, room);
        }
        let half = room.len() / 2;
        let at = if in_order { half.min(left.len()) } else { self.border(left, right, half) };
        let (left, left_rest) = left.split_at_mut(at);
        let (right, right_rest) = right.split_at_mut(half - at);
        let (front, back) = room.split_at_mut(half);
        let mut near = || self.pair(pieces.div_ceil(2), left, right, front);
        let mut far = || self.pair(pieces / 2, left_rest, right_rest, back);
        let (Written(a), Written(b)) =
            if pieces > 1 { self.backend.join(near, far) } else { (near(), far()) };
        Written(a + b)
    }

    /// How many of the first `rows` rows of the merge come from `left`.
    fn border<T>(&self, left: &[T], right: &[T], rows: usize) -> usize
    where
        F: Fn(&T, &T) -> bool,
    {
        let (mut least, mut most) = (rows.saturating_sub(right.len()), rows.min(left.len()));
        while least < most {
            let middle = least.midpoint(most);
            if (self.less)(&right[rows - middle - 1], &left[middle]) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        least
    }

    /// Merges two runs on this thread.
    ///
    /// Four merges go in step, since each waits for its own loads most of the time.
    fn block<T>(&self, left: &[T], right: &[T], room: &mut [MaybeUninit<T>]) -> Written
    where
        F: Fn(&T, &T) -> bool,
    {
        if self.in_order(left, right) {
            return copy_both(left, right, room);
        }
        let rows = room.len();
        let whole = Chain { left, right, room, taken: (0, 0) };
        if rows < FEW {
            return whole.finish(self.less);
        }
        let (front, back) = self.halve(whole);
        let ((a, b), (c, d)) = (self.halve(front), self.halve(back));
        let mut chains = [a, b, c, d];
        loop {
            let rounds = chains.iter().map(Chain::rounds).min().unwrap_or(0);
            if rounds == 0 {
                break;
            }
            for _ in 0..rounds {
                for chain in &mut chains {
                    chain.step(self.less);
                }
            }
        }
        let mut written = 0;
        for chain in chains {
            let (l, r) = chain.taken;
            let room = &mut chain.room[l + r..];
            let Written(rest) = self.block(&chain.left[l..], &chain.right[r..], room);
            written += l + r + rest;
        }
        Written(written)
    }

    /// Two merges, each of half the rows.
    fn halve<'c, T>(&self, chain: Chain<'c, T>) -> (Chain<'c, T>, Chain<'c, T>)
    where
        F: Fn(&T, &T) -> bool,
    {
        let half = chain.room.len() / 2;
        let at = self.border(chain.left, chain.right, half);
        let (left, left_rest) = chain.left.split_at(at);
        let (right, right_rest) = chain.right.split_at(half - at);
        let (front, back) = chain.room.split_at_mut(half);
        let near = Chain { left, right, room: front, taken: (0, 0) };
        (near, Chain { left: left_rest, right: right_rest, room: back, taken: (0, 0) })
    }
}

/// A merge on its way.
struct Chain<'c, T> {
    left: &'c [T],
    right: &'c [T],
    room: &'c mut [MaybeUninit<T>],
    /// How many rows of each have been copied.
    taken: (usize, usize),
}

impl<T> Chain<'_, T> {
    /// Steps that can be taken before a side may be empty.
    #[inline]
    fn rounds(&self) -> usize {
        (self.left.len() - self.taken.0).min(self.right.len() - self.taken.1)
    }

    /// Copies the next row; neither side is empty. The choice is no branch.
    #[inline(always)]
    fn step(&mut self, less: &impl Fn(&T, &T) -> bool) {
        let (l, r) = self.taken;
        let (left, right) = (&self.left[l], &self.right[r]);
        let right_first = less(right, left);
        let row = if right_first { right } else { left };
        // SAFETY: U-merge: a row, whose copy counts for nothing until the level is written.
        self.room[l + r].write(unsafe { ptr::read(row) });
        self.taken = (l + usize::from(!right_first), r + usize::from(right_first));
    }

    /// Copies all rows.
    fn finish(mut self, less: &impl Fn(&T, &T) -> bool) -> Written {
        while self.rounds() > 0 {
            self.step(less);
        }
        let (l, r) = self.taken;
        let Written(rest) = copy_both(&self.left[l..], &self.right[r..], &mut self.room[l + r..]);
        Written(l + r + rest)
    }
}

/// Copies two runs, one after the other.
fn copy_both<T>(first: &[T], second: &[T], room: &mut [MaybeUninit<T>]) -> Written {
    let (front, back) = room.split_at_mut(first.len());
    let (Written(a), Written(b)) = (copy(first, front), copy(second, back));
    Written(a + b)
}

#[cfg(test)]
mod tests;
