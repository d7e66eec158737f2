//! Where a chain begins. In comes what serial code calls `.iter()` on or has from it, out comes an
//! input; users call `.par`, adapters that take a second input call `into_input`.

use std::{
    array,
    ops::{Range, RangeFrom, RangeInclusive},
    slice, vec,
};

use crate::{input::Input, int::Integer, owned::Owned};

/// Something with rows that can be cut: slices, vectors, arrays, ranges, and std's iterators over
/// them as far as std lets their rest be had.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no source of rows that a parallel chain can cut",
    label = "expected a source, such as `rows.iter()`, `rows.into_iter()` or `0..n`",
    note = "behind a serial adapter such as `map` or `filter` it is too late: move `.par(&pool)` in front of the adapter",
    note = "any `Iterator + Send` can be used with `.par_bridge(&pool)`, one item at a time"
)]
pub trait Source {
    /// What it gives a chain.
    type Input: Input<Span: IntoIterator>;

    /// Takes the rows that are left.
    fn into_input(self) -> Self::Input;
}

impl<'a, T: Sync> Source for &'a [T] {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T: Send> Source for &'a mut [T] {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T: Sync> Source for &'a Vec<T> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T: Send> Source for &'a mut Vec<T> {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T: Sync, const N: usize> Source for &'a [T; N] {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T: Send, const N: usize> Source for &'a mut [T; N] {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T: Sync> Source for slice::Iter<'a, T> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self.as_slice()
    }
}

impl<'a, T: Send> Source for slice::IterMut<'a, T> {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self.into_slice()
    }
}

impl<T: Send> Source for vec::IntoIter<T> {
    type Input = Owned<T>;

    /// Rows stay where they are: std gives back the buffer of an iterator that nobody has advanced.
    fn into_input(self) -> Self::Input {
        Owned::from(self.collect::<Vec<_>>())
    }
}

impl<T: Send, const N: usize> Source for array::IntoIter<T, N> {
    type Input = Owned<T>;

    /// Moves the rows into a buffer of their own, since they cannot stay in the caller's frame.
    fn into_input(self) -> Self::Input {
        Owned::from(self.collect::<Vec<_>>())
    }
}

/// A range may have more than `usize::MAX` integers. Whatever ends early or needs no index is right;
/// what needs an index or a count beyond `usize::MAX`, or the end, panics.
impl<T: Integer> Source for Range<T>
where
    Self: Iterator,
{
    type Input = Self;

    fn into_input(self) -> Self::Input {
        self
    }
}

/// Up to `MAX` too; longer than `usize::MAX` as the half-open range.
impl<T: Integer> Source for RangeInclusive<T>
where
    Self: Iterator,
{
    type Input = Self;

    fn into_input(self) -> Self::Input {
        self
    }
}

/// Ends with the greatest integer, where std's would overflow.
impl<T: Integer> Source for RangeFrom<T>
where
    RangeInclusive<T>: Iterator,
{
    type Input = RangeInclusive<T>;

    fn into_input(self) -> Self::Input {
        self.start..=T::GREATEST
    }
}
