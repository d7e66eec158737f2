//! Sources that std's iterators can be cut into without looking inside. In come iterators over shared rows
//! and ranges, also behind std's adapters; out go spans of the same iterators where these jump, that is
//! where they are clones whose `nth` and `nth_back` take constant time, so that a worker's loop keeps
//! what std specialises; and sequences where a range stands behind.

use std::{
    collections::{VecDeque, vec_deque},
    iter,
    ops::{Range, RangeFrom, RangeInclusive},
    slice, str,
};

use crate::{
    int::Integer,
    sequence::{Sequence, Stepped},
    source::Source,
    span::Span,
};

/// Rows between two ends of an iterator that jumps. A part is a clone with nearer ends.
///
/// Nothing is copied or gathered, and a cut takes constant time.
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
#[derive(Clone, Debug)]
pub struct Jumps<I>(I);

impl<I: DoubleEndedIterator + Clone + Send> Span for Jumps<I> {
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

impl<I: DoubleEndedIterator> IntoIterator for Jumps<I> {
    type Item = I::Item;
    type IntoIter = I;

    #[inline]
    fn into_iter(self) -> I {
        self.0
    }
}

/// A std iterator behind which `rev`, `enumerate` and their kin can be sources, and how.
pub trait Inner: Iterator {
    /// [`Jumping`], [`Stepping`], or what `hidden` and `late` call theirs.
    type Kind;
}

/// Adapters of it jump as it does.
#[derive(Debug)]
pub enum Jumping {}

/// It is a range, so its adapters give items at equal steps.
#[derive(Debug)]
pub enum Stepping {}

/// How adapters of a kind of iterators are opened.
pub trait Opens<I> {
    /// What a chain begins with.
    type Input;

    #[doc(hidden)]
    fn open(iter: I) -> Self::Input;
}

impl<I: DoubleEndedIterator + Clone> Opens<I> for Jumping {
    type Input = Jumps<I>;

    fn open(iter: I) -> Jumps<I> {
        Jumps(iter)
    }
}

impl<I: Iterator<Item: Stepped>> Opens<I> for Stepping {
    type Input = Sequence<I::Item>;

    fn open(iter: I) -> Self::Input {
        Sequence::of(iter)
    }
}

macro_rules! jump {
    ($([$($generics:tt)*] $iter:ty;)*) => {$(
        impl<$($generics)*> Inner for $iter {
            type Kind = Jumping;
        }

        /// Cut in place: std jumps in it in constant time.
        impl<$($generics)*> Source for $iter {
            type Input = Jumps<Self>;

            fn into_input(self) -> Jumps<Self> {
                Jumps(self)
            }
        }
    )*};
}

// `Cloned` is not here: its `nth` clones what it skips.
jump! {
    ['a, T] slice::Chunks<'a, T>;
    ['a, T] slice::ChunksExact<'a, T>;
    ['a, T] slice::RChunks<'a, T>;
    ['a, T] slice::RChunksExact<'a, T>;
    ['a, T] slice::Windows<'a, T>;
    ['a, T] vec_deque::Iter<'a, T>;
    ['a] str::Bytes<'a>;
    ['a, T: Copy + 'a, I: Inner<Kind = Jumping, Item = &'a T> + DoubleEndedIterator] iter::Copied<I>;
}

impl<T> Inner for slice::Iter<'_, T> {
    type Kind = Jumping;
}

macro_rules! stepped {
    ($([$($generics:tt)*] $range:ty;)*) => {$(
        impl<$($generics)*> Inner for $range
        where
            Self: Iterator,
        {
            type Kind = Stepping;
        }
    )*};
}

stepped! {
    [T: Integer] Range<T>;
    [T: Integer] RangeInclusive<T>;
    [T: Integer] iter::Take<RangeFrom<T>>;
    [] Range<char>;
    [] RangeInclusive<char>;
}

/// Counted as any other range behind adapters.
impl<T: Integer> Source for iter::Take<RangeFrom<T>>
where
    RangeFrom<T>: Iterator<Item = T>,
{
    type Input = Sequence<T>;

    fn into_input(self) -> Sequence<T> {
        Sequence::of(self)
    }
}

/// Cut in place.
impl Source for Range<char> {
    type Input = Jumps<Self>;

    fn into_input(self) -> Jumps<Self> {
        Jumps(self)
    }
}

/// Cut in place.
impl Source for RangeInclusive<char> {
    type Input = Jumps<Self>;

    fn into_input(self) -> Jumps<Self> {
        Jumps(self)
    }
}

macro_rules! adapters {
    ($($adapter:ident)*) => {$(
        impl<I: Inner> Inner for iter::$adapter<I>
        where
            Self: Iterator,
        {
            type Kind = I::Kind;
        }

        /// Cut in place over shared rows and ranges; gathered as far as other threads are to help over
        /// owned and mutable rows and what std hides: there put `.par` in front of the adapter.
        ///
        /// # Panics
        ///
        /// Behind a range of more than `usize::MAX` rows, unless `take` stands behind it: std does not
        /// tell how many are left.
        impl<I: Inner<Kind: Opens<Self>>> Source for iter::$adapter<I> {
            type Input = <I::Kind as Opens<Self>>::Input;

            fn into_input(self) -> Self::Input {
                <I::Kind as Opens<Self>>::open(self)
            }
        }
    )*};
}

adapters! { Rev Enumerate Skip Take StepBy }

/// A deque is cut in place, also where it wraps.
impl<'a, T> Source for &'a VecDeque<T> {
    type Input = Jumps<vec_deque::Iter<'a, T>>;

    fn into_input(self) -> Self::Input {
        Jumps(self.iter())
    }
}
