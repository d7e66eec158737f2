//! Where a chain begins. In comes what serial code calls `.iter()` on or has from it, out comes an
//! input; users call `.par`, adapters that take a second input call `into_input`.

use std::{
    array,
    ops::{Range, RangeFrom, RangeInclusive},
    slice, vec,
};

use crate::{int::Integer, owned::Owned};

/// Something with rows that can be cut: slices, vectors, arrays, ranges, and std's iterators over
/// them as far as std lets their rest be had.
///
/// Rows that threads share have to be `Sync`, those they take or change `Send`. It is `par` that asks for
/// it, so that the compiler says which rows are not.
///
/// ```compile_fail,E0277
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// let rows = vec![std::rc::Rc::new(1)];
/// // error: `Rc<i32>` cannot be shared between threads safely
/// let n = rows.iter().par(&pool).count();
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no source of rows that a parallel chain can cut",
    label = "expected a source, such as `rows.iter()`, `rows.into_iter()` or `0..n`",
    note = "behind a serial adapter such as `map` or `filter` it is too late: move `.par(&pool)` in front of the adapter",
    note = "any `Iterator + Send` can be used with `.par_bridge(&pool)`, one item at a time",
    note = "the pieces of a text are `text.par_lines(&pool)`, `par_split`, `par_split_whitespace`, `par_bytes`"
)]
pub trait Source {
    /// What it gives a chain: an [`Input`](crate::input::Input) whose span is an `IntoIterator`.
    type Input;

    /// Takes the rows that are left.
    fn into_input(self) -> Self::Input;
}

impl<'a, T> Source for &'a [T] {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T> Source for &'a mut [T] {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T> Source for &'a Vec<T> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T> Source for &'a mut Vec<T> {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T, const N: usize> Source for &'a [T; N] {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T, const N: usize> Source for &'a mut [T; N] {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

impl<'a, T> Source for slice::Iter<'a, T> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self.as_slice()
    }
}

impl<'a, T> Source for slice::IterMut<'a, T> {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self.into_slice()
    }
}

impl<T> Source for vec::IntoIter<T> {
    type Input = Owned<T>;

    /// Rows stay where they are: std gives back the buffer of an iterator that nobody has advanced.
    fn into_input(self) -> Self::Input {
        Owned::from(self.collect::<Vec<_>>())
    }
}

impl<'a, T> Source for vec::Drain<'a, T> {
    type Input = Owned<T, Self>;

    /// Rows are moved out of the drained part of the vector, whose rest closes the gap afterwards.
    fn into_input(self) -> Self::Input {
        Owned::from(self)
    }
}

impl<T, const N: usize> Source for array::IntoIter<T, N> {
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
