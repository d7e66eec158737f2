//! Sources that std's iterators can be cut into without looking inside, because they jump: clones whose
//! `nth` and `nth_back` take constant time. In come such iterators, out go spans of the same iterators,
//! so a worker's loop keeps what std specialises; stepped ranges become a sequence of their own.

use std::{
    collections::{VecDeque, vec_deque},
    iter,
    ops::{Range, RangeInclusive},
    slice, str,
};

use crate::{int::Integer, source::Source, span::Span};

/// A std iterator that is cheap to clone and whose `nth` and `nth_back` take constant time.
pub trait Jump: DoubleEndedIterator + Clone {}

/// What jumps, and ranges, which are sources of their own.
pub trait Inner: DoubleEndedIterator + Clone {}

impl<I: Jump> Inner for I {}

impl<T: Integer> Inner for Range<T> where Self: DoubleEndedIterator {}
impl<T: Integer> Inner for RangeInclusive<T> where Self: DoubleEndedIterator {}

/// Rows between two ends of an iterator that jumps. A part is a clone with nearer ends.
///
/// Nothing is copied or gathered, and a cut takes constant time.
///
/// # Panics
///
/// When made of a reversed range of more than `usize::MAX` integers: std does not tell how many.
///
/// # Examples
///
/// ```
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// let heights = [3, 5, 4, 4, 7];
/// let rises = heights.windows(2).par(&pool).filter(|pair| pair[0] < pair[1]).count();
/// assert_eq!(rises, 2);
/// let lasts: Vec<_> = heights.chunks(2).rev().par(&pool).map(|chunk| chunk.last()).collect();
/// assert_eq!(lasts, [Some(&7), Some(&4), Some(&5)]);
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[derive(Debug)]
pub struct Jumps<I>(I);

impl<I: Jump> Jumps<I> {
    fn new(iter: I) -> Self {
        assert!(iter.size_hint().1.is_some(), "{TOO_LONG}");
        Self(iter)
    }
}

impl<I: Jump + Send> Span for Jumps<I> {
    fn len(&self) -> usize {
        self.0.size_hint().0
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let rows = Span::len(&self);
        assert!(at <= rows, "a cut at {at} is outside the span");
        let Self(mut back) = self;
        let mut front = back.clone();
        if at < rows {
            front.nth_back(rows - at - 1);
        }
        if at > 0 {
            back.nth(at - 1);
        }
        (Self(front), Self(back))
    }
}

impl<I: Jump> IntoIterator for Jumps<I> {
    type Item = I::Item;
    type IntoIter = I;

    #[inline]
    fn into_iter(self) -> I {
        self.0
    }
}

impl<T> Jump for slice::Iter<'_, T> {}

const TOO_LONG: &str = "std does not tell how many rows of a range of more than usize::MAX are left \
    behind an adapter: move `.par(&pool)` in front of it";

macro_rules! jump {
    ($([$($generics:tt)*] $iter:ty $(where [$($bounds:tt)*])?;)*) => {$(
        impl<$($generics)*> Jump for $iter $(where $($bounds)*)? {}

        /// Cut in place: std jumps in it in constant time.
        impl<$($generics)*> Source for $iter $(where $($bounds)*)? {
            type Input = Jumps<Self>;

            fn into_input(self) -> Jumps<Self> {
                Jumps::new(self)
            }
        }
    )*};
}

// `Cloned` is not here: its `nth` clones what it skips. Nor is `StepBy` right behind a range of
// integers: std walks there, so these become a `Sequence`.
jump! {
    ['a, T: Sync] slice::Chunks<'a, T>;
    ['a, T: Sync] slice::ChunksExact<'a, T>;
    ['a, T: Sync] slice::RChunks<'a, T>;
    ['a, T: Sync] slice::RChunksExact<'a, T>;
    ['a, T: Sync] slice::Windows<'a, T>;
    ['a, T: Sync] vec_deque::Iter<'a, T>;
    ['a] str::Bytes<'a>;
    [] Range<char>;
    [] RangeInclusive<char>;
    ['a, T: Copy + 'a, I: Inner<Item = &'a T> + Send] iter::Copied<I>;
    [I: Inner + Send] iter::Rev<I>;
    [I: Inner + Send] iter::Enumerate<I> where [Self: DoubleEndedIterator];
    [I: Inner + Send] iter::Skip<I> where [Self: DoubleEndedIterator];
    [I: Inner + Send] iter::Take<I> where [Self: DoubleEndedIterator];
    [I: Jump + Send] iter::StepBy<I> where [Self: DoubleEndedIterator];
}

/// A deque is cut in place, also where it wraps.
impl<'a, T: Sync> Source for &'a VecDeque<T> {
    type Input = Jumps<vec_deque::Iter<'a, T>>;

    fn into_input(self) -> Self::Input {
        Jumps::new(self.iter())
    }
}

/// Integers at equal steps upwards; a part is its own iterator.
#[derive(Clone, Debug)]
pub struct Sequence<T> {
    next: T,
    step: usize,
    rows: usize,
}

impl<T: Integer> Sequence<T> {
    /// What is left of a range that is stepped through.
    fn of(mut rest: impl Iterator<Item = T>) -> Self {
        let (rows, most) = rest.size_hint();
        assert!(most.is_some(), "{TOO_LONG}");
        let next = rest.next().unwrap_or(T::ZERO);
        let step = rest.next().and_then(|second| T::distance(next, second)).unwrap_or(0);
        Self { next, step, rows }
    }

    /// The row `at` rows after the next: in range for its type, though the product may wrap.
    #[inline]
    fn row(&self, at: usize) -> T {
        let way = T::ZERO.forward(at).mul_wrapping(T::ZERO.forward(self.step));
        self.next.add_wrapping(way)
    }
}

impl<T: Integer> Span for Sequence<T> {
    fn len(&self) -> usize {
        self.rows
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= self.rows, "a cut at {at} is outside the range");
        let back = Self { next: self.row(at), rows: self.rows - at, ..self };
        (Self { rows: at, ..self }, back)
    }
}

impl<T: Integer> Iterator for Sequence<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.rows = self.rows.checked_sub(1)?;
        let row = self.next;
        self.next = row.forward(self.step);
        Some(row)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rows, Some(self.rows))
    }
}

impl<T: Integer> DoubleEndedIterator for Sequence<T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.rows = self.rows.checked_sub(1)?;
        Some(self.row(self.rows))
    }
}

impl<T: Integer> ExactSizeIterator for Sequence<T> {}

impl<T: Integer> Source for iter::StepBy<Range<T>>
where
    Self: Iterator<Item = T>,
{
    type Input = Sequence<T>;

    fn into_input(self) -> Sequence<T> {
        Sequence::of(self)
    }
}

impl<T: Integer> Source for iter::StepBy<RangeInclusive<T>>
where
    Self: Iterator<Item = T>,
{
    type Input = Sequence<T>;

    fn into_input(self) -> Sequence<T> {
        Sequence::of(self)
    }
}
