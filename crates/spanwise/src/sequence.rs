//! Equal steps: what std's adapters make of a range, however many of them stand behind it. In comes such
//! an iterator, out goes a span of the same items, known from its first two and their number; `jumps`
//! asks for it, since std does not let such iterators jump from their end.

use std::{fmt::Debug, iter::FusedIterator};

use crate::{int::Integer, sealed::Sealed, span::Span};

/// An item that equal steps lead to: an integer, a character, or such an item with its index.
pub trait Stepped: Sealed + Copy + Default + Send + Sync + 'static {
    /// The way from one item to the next, up or down.
    type Step: Copy + Debug + Send + Sync;

    /// The way from this item to another.
    #[doc(hidden)]
    fn step_to(self, other: Self) -> Self::Step;

    /// The item so many steps away, which the caller knows to exist.
    #[doc(hidden)]
    fn after(self, step: Self::Step, steps: usize) -> Self;
}

/// Modulo 2^bits a step down is a step up, so signs do not matter.
impl<T: Integer> Stepped for T {
    type Step = T;

    #[inline]
    fn step_to(self, other: T) -> T {
        other.sub_wrapping(self)
    }

    #[inline]
    fn after(self, step: T, steps: usize) -> T {
        self.add_wrapping(T::ZERO.forward(steps).mul_wrapping(step))
    }
}

/// The first number that stands for no character, and how many do not.
const GAP: (i64, i64) = (0xD800, 0x800);

/// How many characters come before this one.
#[inline]
fn rank(c: char) -> i64 {
    let number = i64::from(u32::from(c));
    if number < GAP.0 { number } else { number - GAP.1 }
}

impl Stepped for char {
    type Step = i64;

    #[inline]
    fn step_to(self, other: char) -> i64 {
        rank(other) - rank(self)
    }

    #[inline]
    fn after(self, step: i64, steps: usize) -> char {
        let rank = rank(self) + step * steps as i64;
        let number = if rank < GAP.0 { rank } else { rank + GAP.1 };
        char::from_u32(number as u32).unwrap_or_default()
    }
}

impl<T> Sealed for (usize, T) {}

impl<T: Stepped> Stepped for (usize, T) {
    type Step = (usize, T::Step);

    #[inline]
    fn step_to(self, other: Self) -> Self::Step {
        (self.0.step_to(other.0), self.1.step_to(other.1))
    }

    #[inline]
    fn after(self, step: Self::Step, steps: usize) -> Self {
        (self.0.after(step.0, steps), self.1.after(step.1, steps))
    }
}

/// Items at equal steps. A part is its own iterator.
///
/// Nothing is gathered, and a cut takes constant time.
///
/// # Examples
///
/// ```
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// assert_eq!((0..9_u64).skip(3).step_by(2).par(&pool).collect::<Vec<_>>(), [3, 5, 7]);
/// let last = ('a'..='z').enumerate().par(&pool).rev().first();
/// assert_eq!(last, Some((25, 'z')));
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sequence<T: Stepped> {
    first: T,
    step: T::Step,
    /// Which steps lead to the items.
    at: usize,
    end: usize,
}

impl<T: Stepped> Sequence<T> {
    /// What is left of a range behind adapters.
    ///
    /// # Panics
    ///
    /// If std does not tell how many items that are.
    pub(crate) fn of(mut rest: impl Iterator<Item = T>) -> Self {
        let (rows, most) = rest.size_hint();
        assert!(
            most == Some(rows),
            "std does not tell how many rows of a range of more than usize::MAX are left behind an \
             adapter: move `.par(&pool)` in front of it"
        );
        // Nothing is asked beyond the items: a range up to the greatest integer might overflow.
        let first = if rows > 0 { rest.next() } else { None }.unwrap_or_default();
        let second = if rows > 1 { rest.next() } else { None }.unwrap_or(first);
        Self { first, step: first.step_to(second), at: 0, end: rows }
    }
}

impl<T: Stepped> Span for Sequence<T> {
    fn len(&self) -> usize {
        self.end - self.at
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= Span::len(&self), "a cut at {at} is outside the sequence");
        let border = self.at + at;
        (Self { end: border, ..self.clone() }, Self { at: border, ..self })
    }
}

impl<T: Stepped> Iterator for Sequence<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let at = self.at;
        (at < self.end).then(|| {
            self.at += 1;
            self.first.after(self.step, at)
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let rows = Span::len(self);
        (rows, Some(rows))
    }

    #[inline]
    fn fold<A, F: FnMut(A, T) -> A>(self, init: A, mut f: F) -> A {
        (self.at..self.end).fold(init, |acc, at| f(acc, self.first.after(self.step, at)))
    }
}

impl<T: Stepped> DoubleEndedIterator for Sequence<T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        (self.at < self.end).then(|| {
            self.end -= 1;
            self.first.after(self.step, self.end)
        })
    }
}

impl<T: Stepped> ExactSizeIterator for Sequence<T> {}
impl<T: Stepped> FusedIterator for Sequence<T> {}
