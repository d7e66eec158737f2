//! What the caller writes: a source, adapters, and how to run them. In come a source and a backend,
//! out goes one value that a terminal drives; nothing runs before that.

#![expect(clippy::type_complexity, reason = "a chain's type spells the chain, as std's does")]

use std::{fmt, num::NonZeroUsize, time::Instant};

use spanwise_backend::Backend;

use crate::{
    control::{CancelToken, Control, Deadline, Observer, On, Until, Watched},
    indexed::Indexed,
    input::{AppendInput, Input, NumberInput, RevInput, ZipInput},
    leaf::{
        Append, BackLeaf, Cloned, Copied, Enumerate, Filter, FilterMap, FlatMap, Inspect, Leaf,
        Map, Rev, Rows, Zip,
    },
    source::Source,
};

/// Makes a chain of rows: `.par(&pool)` goes where the source of the serial chain ends.
pub trait Par: Sized {
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
    fn par<B: Backend>(self, backend: &B) -> Chain<Self::Input, Rows, On<'_, B>>
    where
        Self: Source<Input: Input<Span: IntoIterator>>,
    {
        Chain { input: self.into_input(), leaf: Rows, control: On::new(backend) }
    }
}

impl<S: Source> Par for S {}

/// A parallel chain: an input, what becomes of its rows, and how to run.
///
/// Adapters are the serial iterator's; like its, they do nothing until a terminal is called. A chain is
/// `Clone` where its source and its closures are. Closures are `Fn` and `Sync` since several threads may run them at once: one that captures an `Rc` or a
/// `Cell`, or changes what it captures, does not compile.
///
/// ```compile_fail,E0277
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// let step = std::rc::Rc::new(3);
/// // error: `Rc<{integer}>` cannot be shared between threads safely
/// let sum: i32 = (0..9).par(&pool).map(|x| x * *step).sum();
/// # Ok::<(), spanwise::PoolError>(())
/// ```
///
/// ```compile_fail,E0594
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// let mut sum = 0;
/// // error: cannot assign to `sum`, as it is a captured variable in a `Fn` closure
/// (0..9).par(&pool).for_each(|x| sum += x);
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[must_use = "a chain does nothing until a terminal is called"]
#[derive(Clone)]
pub struct Chain<I, L, C> {
    pub(crate) input: I,
    pub(crate) leaf: L,
    pub(crate) control: C,
}

/// Closures cannot be shown, so nothing is.
impl<I, L, C> fmt::Debug for Chain<I, L, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").finish_non_exhaustive()
    }
}

/// What `zip`, `chain` and their kin take: any source, std's collections by value, or another chain,
/// whose own control does not matter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a source of rows that a parallel chain can cut nor a chain",
    label = "expected a source, such as `ys.iter()`, `&ys`, `ys` or `0..n`, or a chain",
    note = "a serial adapter such as `map` goes behind `.par(&pool)`: `xs.par(&pool).zip(ys.par(&pool).map(f))`"
)]
pub trait Other {
    /// Where the rows come from.
    type Input: Input;
    /// What becomes of them.
    type Leaf: Leaf<<Self::Input as Input>::Span>;

    #[doc(hidden)]
    fn into_parts(self) -> (Self::Input, Self::Leaf);
}

impl<T: Source<Input: Input<Span: IntoIterator>>> Other for T {
    type Input = T::Input;
    type Leaf = Rows;

    fn into_parts(self) -> (T::Input, Rows) {
        (self.into_input(), Rows)
    }
}

impl<I: Input, L: Leaf<I::Span>, C> Other for Chain<I, L, C> {
    type Input = I;
    type Leaf = L;

    fn into_parts(self) -> (I, L) {
        (self.input, self.leaf)
    }
}

/// How to run, wherever it stands in the chain.
impl<I, L, C: Control> Chain<I, L, C> {
    /// Fixes the grain: rows in a leaf, which one thread takes at once.
    ///
    /// Without it the plan decides, by the number of rows alone. A grain is for callers who know
    /// better; it also fixes how `reduce`, `fold` and float sums group their rows: by leaf, where
    /// without it the first and the last go along the fixed tree row by row.
    ///
    /// # Panics
    ///
    /// If `rows` is 0.
    pub fn with_grain(mut self, rows: usize) -> Self {
        self.control.settings().grain = Some(NonZeroUsize::new(rows).expect("a grain of 0 rows"));
        self
    }

    /// Lets at most this many threads work on the call, the caller included.
    ///
    /// # Panics
    ///
    /// If `threads` is 0.
    pub fn max_threads(mut self, threads: usize) -> Self {
        let most = NonZeroUsize::new(threads).expect("a call of 0 threads");
        self.control.settings().threads = Some(most);
        self
    }

    /// Stops the call when the token is cancelled: terminals then return `Err(Stopped)`, within a
    /// stride of each thread, and never a part of an answer.
    pub fn until(self, token: &CancelToken) -> Chain<I, L, Until<C>> {
        self.with_control(|inner| Until { inner, token: token.clone() })
    }

    /// Stops the call at this moment: terminals then return `Err(Stopped)`, within a stride of each
    /// thread, and never a part of an answer.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use spanwise::{Stopped, prelude::*};
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let soon = Instant::now() + Duration::from_millis(5);
    /// let slow = (0..10_000).par(&pool).inspect(|_| std::thread::sleep(Duration::from_millis(1)));
    /// assert_eq!(slow.deadline(soon).count(), Err(Stopped::DeadlinePassed));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn deadline(self, moment: Instant) -> Chain<I, L, Deadline<C>> {
        self.with_control(|inner| Deadline { inner, moment })
    }

    /// Tells the observer how many rows have been run, after each stride of each thread.
    ///
    /// Any `Fn(usize)` is an observer. A row counts once it has passed all adapters and the terminal;
    /// rows that an early stop left out are not told.
    pub fn progress<O: Observer>(self, observer: O) -> Chain<I, L, Watched<C, O>> {
        self.with_control(|inner| Watched { inner, observer })
    }

    pub(crate) fn with_control<D>(self, wrap: impl FnOnce(C) -> D) -> Chain<I, L, D> {
        Chain { input: self.input, leaf: self.leaf, control: wrap(self.control) }
    }

    pub(crate) fn with_leaf<M>(self, wrap: impl FnOnce(L) -> M) -> Chain<I, M, C> {
        self.with(|input| input, wrap)
    }

    pub(crate) fn with<J, M>(
        self,
        input: impl FnOnce(I) -> J,
        leaf: impl FnOnce(L) -> M,
    ) -> Chain<J, M, C> {
        Chain { input: input(self.input), leaf: leaf(self.leaf), control: self.control }
    }
}

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Calls `f` on each item and goes on with what it returns.
    pub fn map<R, F>(self, f: F) -> Chain<I, Map<L, F>, C>
    where
        F: Fn(L::Item) -> R + Sync,
    {
        self.with_leaf(|leaf| Map(leaf, f))
    }

    /// Keeps the items for which `keep` is true.
    pub fn filter<P>(self, keep: P) -> Chain<I, Filter<L, P>, C>
    where
        P: Fn(&L::Item) -> bool + Sync,
    {
        self.with_leaf(|leaf| Filter(leaf, keep))
    }

    /// Calls `f` on each item and goes on with what comes in `Some`.
    pub fn filter_map<R, F>(self, f: F) -> Chain<I, FilterMap<L, F>, C>
    where
        F: Fn(L::Item) -> Option<R> + Sync,
    {
        self.with_leaf(|leaf| FilterMap(leaf, f))
    }

    /// Calls `f` on each item and goes on with the items of what it returns, in order.
    pub fn flat_map<R, F>(self, f: F) -> Chain<I, FlatMap<L, F>, C>
    where
        R: IntoIterator,
        F: Fn(L::Item) -> R + Sync,
    {
        self.with_leaf(|leaf| FlatMap(leaf, f))
    }

    /// Shows each item to `f`. Within a leaf the order is the input's, between leaves it is open.
    pub fn inspect<F>(self, f: F) -> Chain<I, Inspect<L, F>, C>
    where
        F: Fn(&L::Item) + Sync,
    {
        self.with_leaf(|leaf| Inspect(leaf, f))
    }

    /// Copies each item from behind its reference.
    pub fn copied<'a, T>(self) -> Chain<I, Copied<L>, C>
    where
        T: Copy + 'a,
        L: Leaf<I::Span, Item = &'a T>,
    {
        self.with_leaf(Copied)
    }

    /// Clones each item from behind its reference.
    pub fn cloned<'a, T>(self) -> Chain<I, Cloned<L>, C>
    where
        T: Clone + 'a,
        L: Leaf<I::Span, Item = &'a T>,
    {
        self.with_leaf(Cloned)
    }

    /// Goes on with another source or chain after this one.
    pub fn chain<O>(self, other: O) -> Chain<AppendInput<I, O::Input>, Append<L, O::Leaf>, C>
    where
        O: Other<Leaf: Leaf<<O::Input as Input>::Span, Item = L::Item>>,
    {
        let (input, leaf) = other.into_parts();
        self.with(|mine| AppendInput(mine, input), |mine| Append(mine, leaf))
    }
}

/// Adapters that need one item for each row. After `filter`, `filter_map` or `flat_map` they do not
/// compile.
impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Pairs each item with its index.
    pub fn enumerate(self) -> Chain<NumberInput<I>, Enumerate<L>, C>
    where
        I: Input<Length: Indexed>,
        L: Leaf<I::Span, Count: Indexed>,
    {
        self.with(NumberInput, Enumerate)
    }

    /// Pairs each item with one of another source or chain, as far as both go.
    ///
    /// Rows beyond the shorter one are dropped, unread.
    pub fn zip<O>(self, other: O) -> Chain<ZipInput<I, O::Input>, Zip<L, O::Leaf>, C>
    where
        I: Input<Length: Indexed>,
        L: Leaf<I::Span, Count: Indexed>,
        O: Other<
                Input: Input<Length: Indexed>,
                Leaf: Leaf<<O::Input as Input>::Span, Count: Indexed>,
            >,
    {
        let (input, leaf) = other.into_parts();
        self.with(|mine| ZipInput(mine, input), |mine| Zip(mine, leaf))
    }

    /// Goes from the last item to the first.
    pub fn rev(self) -> Chain<RevInput<I>, Rev<L>, C>
    where
        L: BackLeaf<I::Span>,
    {
        self.with(RevInput, Rev)
    }
}
