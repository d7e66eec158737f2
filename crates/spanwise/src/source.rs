//! Where a chain begins. In comes what serial code calls `.iter()` on or has from it, out comes a
//! span; users call `.par`, adapters that take a second input call `into_span`.

use std::{
    array,
    ops::{Range, RangeInclusive},
    slice, vec,
};

use crate::{int::Integer, owned::Owned, span::Span};

/// Something with rows that can be cut: slices, vectors, arrays, ranges, and std's iterators over
/// them as far as std lets their rest be had.
pub trait Source {
    /// The rows as a span.
    type Span: Span;

    /// Takes the rows that are left.
    ///
    /// # Panics
    ///
    /// If there are more than `usize::MAX` of them, as in a range of 128-bit integers.
    fn into_span(self) -> Self::Span;
}

impl<'a, T: Sync> Source for &'a [T] {
    type Span = &'a [T];

    fn into_span(self) -> Self::Span {
        self
    }
}

impl<'a, T: Send> Source for &'a mut [T] {
    type Span = &'a mut [T];

    fn into_span(self) -> Self::Span {
        self
    }
}

impl<'a, T: Sync> Source for &'a Vec<T> {
    type Span = &'a [T];

    fn into_span(self) -> Self::Span {
        self
    }
}

impl<'a, T: Send> Source for &'a mut Vec<T> {
    type Span = &'a mut [T];

    fn into_span(self) -> Self::Span {
        self
    }
}

impl<'a, T: Sync, const N: usize> Source for &'a [T; N] {
    type Span = &'a [T];

    fn into_span(self) -> Self::Span {
        self
    }
}

impl<'a, T: Send, const N: usize> Source for &'a mut [T; N] {
    type Span = &'a mut [T];

    fn into_span(self) -> Self::Span {
        self
    }
}

impl<'a, T: Sync> Source for slice::Iter<'a, T> {
    type Span = &'a [T];

    fn into_span(self) -> Self::Span {
        self.as_slice()
    }
}

impl<'a, T: Send> Source for slice::IterMut<'a, T> {
    type Span = &'a mut [T];

    fn into_span(self) -> Self::Span {
        self.into_slice()
    }
}

impl<T: Send> Source for vec::IntoIter<T> {
    type Span = Owned<T>;

    /// Rows stay where they are: std gives back the buffer of an iterator that nobody has advanced.
    fn into_span(self) -> Self::Span {
        Owned::from(self.collect::<Vec<_>>())
    }
}

impl<T: Send, const N: usize> Source for array::IntoIter<T, N> {
    type Span = Owned<T>;

    /// Moves the rows into a buffer of their own, since they cannot stay in the caller's frame.
    fn into_span(self) -> Self::Span {
        Owned::from(self.collect::<Vec<_>>())
    }
}

impl<T: Integer> Source for Range<T> {
    type Span = Self;

    fn into_span(self) -> Self::Span {
        let _ = self.len();
        self
    }
}

impl<T: Integer> Source for RangeInclusive<T> {
    type Span = Self;

    fn into_span(self) -> Self::Span {
        let _ = self.len();
        self
    }
}
