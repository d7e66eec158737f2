//! Input that can be cut. In come a caller's rows, out go parts of them, by value; adapters and the
//! drive cut, leaves turn a part into a std iterator.

use std::{
    iter,
    ops::{Range, RangeInclusive},
};

use crate::int::Integer;

/// Borrowed or owned rows that can be cut in two by value.
///
/// A span whose rows a leaf can read is also an `IntoIterator`: slices give `slice::Iter`, ranges are
/// their own iterator. The two parts of a cut have `at` and `len() - at` rows, in order, and nothing
/// is copied. An implementation that breaks this makes calls panic or answer wrongly; it cannot break
/// memory safety.
pub trait Span: Sized + Send {
    /// Whether a cut costs as little as a step of the iterator, so that rows may be cut off a few at a
    /// time.
    const FINE: bool = false;

    /// Rows in this span.
    fn len(&self) -> usize;

    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether that is the number of rows: not for ranges of more than `usize::MAX` rows, which say that
    /// they have so many. The part that reaches their end has the rest, so nothing is lost, and only
    /// what needs to count from the end or beyond `usize::MAX` panics.
    fn is_counted(&self) -> bool {
        true
    }

    /// The first `at` rows and the rest.
    ///
    /// # Panics
    ///
    /// If `at` is above the number of rows.
    fn cut(self, at: usize) -> (Self, Self);
}

impl<T: Sync> Span for &[T] {
    const FINE: bool = true;

    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<T: Send> Span for &mut [T] {
    const FINE: bool = true;

    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<T: Integer> Span for Range<T> {
    const FINE: bool = true;

    fn len(&self) -> usize {
        if self.start < self.end {
            T::distance(self.start, self.end).unwrap_or(usize::MAX)
        } else {
            0
        }
    }

    fn is_counted(&self) -> bool {
        self.start >= self.end || T::distance(self.start, self.end).is_some()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= Span::len(&self), "a cut at {at} is outside the range");
        let border = self.start.forward(at);
        (self.start..border, border..self.end)
    }
}

impl<T: Integer> Span for RangeInclusive<T> {
    fn len(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        T::distance(*self.start(), *self.end()).map_or(usize::MAX, |n| n.saturating_add(1))
    }

    fn is_counted(&self) -> bool {
        self.is_empty() || T::distance(*self.start(), *self.end()).is_some_and(|n| n < usize::MAX)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        assert!(at <= Span::len(&self), "a cut at {at} is outside the range");
        // No border lies between two inclusive ranges, and the last one may end at `MAX`.
        if at == 0 {
            return (nothing(), self);
        }
        let (start, end) = self.into_inner();
        let last = start.forward(at - 1);
        if last == end {
            return (start..=end, nothing());
        }
        (start..=last, start.forward(at)..=end)
    }
}

fn nothing<T: Integer>() -> RangeInclusive<T> {
    T::ONE..=T::ZERO
}

/// Two spans in step, equally long.
#[derive(Clone, Debug)]
pub struct Zipped<A, B> {
    pub(crate) a: A,
    pub(crate) b: B,
}

impl<A: Span, B: Span> Zipped<A, B> {
    /// Cuts the longer one down.
    pub(crate) fn new(a: A, b: B) -> Self {
        let rows = a.len().min(b.len());
        Self { a: take(a, rows), b: take(b, rows) }
    }
}

impl<A: Span, B: Span> Span for Zipped<A, B> {
    const FINE: bool = A::FINE && B::FINE;

    fn len(&self) -> usize {
        self.a.len()
    }

    fn is_counted(&self) -> bool {
        self.a.is_counted() && self.b.is_counted()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (a, a_rest) = self.a.cut(at);
        let (b, b_rest) = self.b.cut(at);
        (Self { a, b }, Self { a: a_rest, b: b_rest })
    }
}

/// One span after another.
#[derive(Clone, Debug)]
pub struct Appended<A, B> {
    pub(crate) a: A,
    pub(crate) b: B,
}

impl<A: IntoIterator, B: IntoIterator<Item = A::Item>> IntoIterator for Appended<A, B> {
    type Item = A::Item;
    type IntoIter = iter::Chain<A::IntoIter, B::IntoIter>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.a.into_iter().chain(self.b)
    }
}

impl<A: Span, B: Span> Span for Appended<A, B> {
    fn len(&self) -> usize {
        // Behind other rows a range may be longer than can be said, as on its own.
        self.a.len().saturating_add(self.b.len())
    }

    fn is_counted(&self) -> bool {
        let sum = self.a.len().checked_add(self.b.len());
        self.a.is_counted() && self.b.is_counted() && sum.is_some()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let border = self.a.len();
        let (a, a_rest) = self.a.cut(at.min(border));
        let (b, b_rest) = self.b.cut(at.saturating_sub(border));
        (Self { a, b }, Self { a: a_rest, b: b_rest })
    }
}

/// A span read from its end.
#[derive(Clone, Debug)]
pub struct Reversed<S>(pub(crate) S);

impl<S: Span> Reversed<S> {
    pub(crate) fn new(span: S) -> Self {
        assert!(
            span.is_counted(),
            "a range of more than usize::MAX rows cannot be run from its end"
        );
        Self(span)
    }
}

impl<S: Span> Span for Reversed<S> {
    const FINE: bool = S::FINE;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let rows = self.0.len();
        assert!(at <= rows, "a cut at {at} is outside the span");
        let (front, back) = self.0.cut(rows - at);
        (Self(back), Self(front))
    }
}

/// A span that knows the index of its first row.
#[derive(Clone, Debug)]
pub struct Numbered<S> {
    pub(crate) base: usize,
    pub(crate) span: S,
}

impl<S: Span> Numbered<S> {
    /// The indices of its rows.
    ///
    /// # Panics
    ///
    /// If one does not fit: the end of a range of more than `usize::MAX` rows was reached.
    #[inline]
    pub(crate) fn indices(&self) -> Range<usize> {
        let end = self.base.checked_add(self.span.len());
        self.base..end.expect("a row behind the first usize::MAX has no index")
    }
}

impl<S: Span> Span for Numbered<S> {
    const FINE: bool = S::FINE;

    fn len(&self) -> usize {
        self.span.len()
    }

    fn is_counted(&self) -> bool {
        self.span.is_counted()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (front, back) = self.span.cut(at);
        (Self { base: self.base, span: front }, Self { base: self.base + at, span: back })
    }
}

/// The first `rows` rows, or all if there are fewer; the others are dropped.
pub(crate) fn take<S: Span>(span: S, rows: usize) -> S {
    if rows >= span.len() {
        return span;
    }
    let (kept, others) = span.cut(rows);
    // Before the return: a value that is already returned would leak if a destructor panicked here.
    drop(others);
    kept
}

/// All but the first `rows` rows, which are dropped.
pub(crate) fn skip<S: Span>(span: S, rows: usize) -> S {
    if rows == 0 {
        return span;
    }
    let at = rows.min(span.len());
    let (others, kept) = span.cut(at);
    // Before the return, as in `take`.
    drop(others);
    kept
}
