//! What the caller writes: a source, adapters, and how to run them. In come a source and a backend,
//! out goes one value that a terminal drives; nothing runs before that.

#![expect(clippy::type_complexity, reason = "a chain's type spells the chain, as std's does")]

use std::num::NonZeroUsize;

use spanwise_backend::Backend;

use crate::{
    leaf::{
        Append, BackLeaf, Cloned, Copied, Enumerate, Exact, Filter, FilterMap, FlatMap, Inspect,
        Leaf, Map, Rev, Rows, Zip,
    },
    source::Source,
    span::{self, Appended, Numbered, Reversed, Span, Zipped},
};

/// Makes a chain of rows: `.par(&pool)` goes where the source of the serial chain ends.
pub trait Par: Source + Sized {
    /// A chain over these rows that runs on `backend`.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let rows = vec![3, 1, 4, 1, 5];
    /// assert_eq!(rows.iter().par(&pool).map(|x| x * 2).max(), Some(10));
    /// assert_eq!(rows.par(&pool).count(), 5);
    /// assert_eq!((0..=100_u64).par(&pool).sum::<u64>(), 5_050);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par<B: Backend>(self, backend: &B) -> Chain<'_, Self::Span, Rows, B> {
        Chain { span: self.into_span(), leaf: Rows, backend, grain: None }
    }
}

impl<S: Source> Par for S {}

/// A parallel chain: a span, what becomes of its rows, and the backend to run on.
///
/// Adapters are the serial iterator's; like its, they do nothing until a terminal is called. Closures
/// are `Fn` and `Sync` since several threads may run them at once.
#[must_use = "a chain does nothing until a terminal is called"]
#[derive(Debug)]
pub struct Chain<'p, S, L, B> {
    pub(crate) span: S,
    pub(crate) leaf: L,
    pub(crate) backend: &'p B,
    pub(crate) grain: Option<NonZeroUsize>,
}

/// What `zip` and `chain` take: any source, or another chain, whose own backend does not matter.
pub trait Other {
    /// The rows.
    type Span: Span;
    /// What becomes of them.
    type Leaf: Leaf<Self::Span>;

    #[doc(hidden)]
    fn into_parts(self) -> (Self::Span, Self::Leaf);
}

impl<T: Source<Span: IntoIterator>> Other for T {
    type Span = T::Span;
    type Leaf = Rows;

    fn into_parts(self) -> (Self::Span, Rows) {
        (self.into_span(), Rows)
    }
}

impl<S: Span, L: Leaf<S>, B> Other for Chain<'_, S, L, B> {
    type Span = S;
    type Leaf = L;

    fn into_parts(self) -> (S, L) {
        (self.span, self.leaf)
    }
}

impl<'p, S: Span, L: Leaf<S>, B: Backend> Chain<'p, S, L, B> {
    /// Fixes the grain: rows in a leaf, which one thread takes at once.
    ///
    /// Without it the plan decides, by the number of rows alone. A grain is for callers who know
    /// better; it also fixes how `reduce`, `fold` and float sums group their rows.
    ///
    /// # Panics
    ///
    /// If `rows` is 0.
    pub fn with_grain(mut self, rows: usize) -> Self {
        self.grain = Some(NonZeroUsize::new(rows).expect("a grain of 0 rows"));
        self
    }

    /// Calls `f` on each item and goes on with what it returns.
    pub fn map<R, F>(self, f: F) -> Chain<'p, S, Map<L, F>, B>
    where
        F: Fn(L::Item) -> R + Sync,
    {
        self.with_leaf(|leaf| Map(leaf, f))
    }

    /// Keeps the items for which `keep` is true.
    pub fn filter<P>(self, keep: P) -> Chain<'p, S, Filter<L, P>, B>
    where
        P: Fn(&L::Item) -> bool + Sync,
    {
        self.with_leaf(|leaf| Filter(leaf, keep))
    }

    /// Calls `f` on each item and goes on with what comes in `Some`.
    pub fn filter_map<R, F>(self, f: F) -> Chain<'p, S, FilterMap<L, F>, B>
    where
        F: Fn(L::Item) -> Option<R> + Sync,
    {
        self.with_leaf(|leaf| FilterMap(leaf, f))
    }

    /// Calls `f` on each item and goes on with the items of what it returns, in order.
    pub fn flat_map<R, F>(self, f: F) -> Chain<'p, S, FlatMap<L, F>, B>
    where
        R: IntoIterator,
        F: Fn(L::Item) -> R + Sync,
    {
        self.with_leaf(|leaf| FlatMap(leaf, f))
    }

    /// Shows each item to `f`. Within a leaf the order is the input's, between leaves it is open.
    pub fn inspect<F>(self, f: F) -> Chain<'p, S, Inspect<L, F>, B>
    where
        F: Fn(&L::Item) + Sync,
    {
        self.with_leaf(|leaf| Inspect(leaf, f))
    }

    /// Copies each item from behind its reference.
    pub fn copied<'a, T>(self) -> Chain<'p, S, Copied<L>, B>
    where
        T: Copy + 'a,
        L: Leaf<S, Item = &'a T>,
    {
        self.with_leaf(Copied)
    }

    /// Clones each item from behind its reference.
    pub fn cloned<'a, T>(self) -> Chain<'p, S, Cloned<L>, B>
    where
        T: Clone + 'a,
        L: Leaf<S, Item = &'a T>,
    {
        self.with_leaf(Cloned)
    }

    /// Goes on with another source or chain after this one.
    ///
    /// # Panics
    ///
    /// If both have more than `usize::MAX` rows together.
    pub fn chain<O>(self, other: O) -> Chain<'p, Appended<S, O::Span>, Append<L, O::Leaf>, B>
    where
        O: Other<Leaf: Leaf<O::Span, Item = L::Item>>,
    {
        let (span, leaf) = other.into_parts();
        self.with(|s| Appended::new(s, span), |l| Append(l, leaf))
    }

    pub(crate) fn with_leaf<M>(self, wrap: impl FnOnce(L) -> M) -> Chain<'p, S, M, B> {
        self.with(|span| span, wrap)
    }

    pub(crate) fn with<T, M>(
        self,
        span: impl FnOnce(S) -> T,
        leaf: impl FnOnce(L) -> M,
    ) -> Chain<'p, T, M, B> {
        let Self { backend, grain, .. } = self;
        Chain { span: span(self.span), leaf: leaf(self.leaf), backend, grain }
    }
}

/// Adapters that need one item for each row. After `filter`, `filter_map` or `flat_map` they do not
/// exist.
impl<'p, S: Span, L: Leaf<S, Count = Exact>, B: Backend> Chain<'p, S, L, B> {
    /// Pairs each item with its index.
    pub fn enumerate(self) -> Chain<'p, Numbered<S>, Enumerate<L>, B> {
        self.with(|span| Numbered { base: 0, span }, Enumerate)
    }

    /// Pairs each item with one of another source or chain, as far as both go.
    ///
    /// Rows beyond the shorter one are dropped, unread.
    pub fn zip<O>(self, other: O) -> Chain<'p, Zipped<S, O::Span>, Zip<L, O::Leaf>, B>
    where
        O: Other<Leaf: Leaf<O::Span, Count = Exact>>,
    {
        let (span, leaf) = other.into_parts();
        self.with(|s| Zipped::new(s, span), |l| Zip(l, leaf))
    }

    /// Goes from the last item to the first.
    pub fn rev(self) -> Chain<'p, Reversed<S>, Rev<L>, B>
    where
        L: BackLeaf<S>,
    {
        self.with(Reversed, Rev)
    }

    /// Leaves out the first `n` items: their rows are dropped and pass no adapter.
    pub fn skip(self, n: usize) -> Self {
        self.with(|s| span::skip(s, n), |l| l)
    }

    /// Ends after `n` items: the rows behind are dropped and pass no adapter.
    pub fn take(self, n: usize) -> Self {
        self.with(|s| span::take(s, n), |l| l)
    }
}
