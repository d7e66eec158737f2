//! Adapters that depend on what came before: `take`, `skip` and their kin. In comes a chain, out comes
//! one that begins or ends elsewhere: by a cut where rows are items, else by running the chain from
//! its front and gathering what stays, in order.

#![expect(clippy::type_complexity, reason = "a chain's type spells the chain, as std's does")]

use std::sync::Arc;

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    gather::{Piece, gathered, make_room},
    input::{Input, SkipInput, TakeInput},
    leaf::{Append, Count, Exact, Inexact, Leaf, Rows},
    owned::Owned,
    span,
    stop::Stop,
    terminal::{Terminal, whole},
    trim::{Shared, Skip, SkipWhile, Trimmed},
};

/// Whether the items of this input and leaf are its rows.
pub type CountOf<I, L> =
    <<I as Input>::Length as Count>::And<<L as Leaf<<I as Input>::Span>>::Count>;

/// How a chain of this count is shortened.
pub trait Shorten: Count {
    /// The input of a chain without its first items.
    type Skip<I: Input, L: Leaf<I::Span>>;
    /// The input of a chain's first items.
    type Take<I: Input, L: Leaf<I::Span>>;
    /// The leaf of the second.
    type TakeLeaf<L>;
    /// The leaf of the first.
    type SkipLeaf<L>;

    #[doc(hidden)]
    fn skip<I: Input, L: Leaf<I::Span> + Send, C: Control>(
        chain: Chain<I, L, C>,
        n: usize,
    ) -> Chain<Self::Skip<I, L>, Self::SkipLeaf<L>, C>;

    #[doc(hidden)]
    fn take<I: Input, L: Leaf<I::Span>, C: Control>(
        chain: Chain<I, L, C>,
        n: usize,
    ) -> Chain<Self::Take<I, L>, Self::TakeLeaf<L>, C>;
}

impl Shorten for Exact {
    type Skip<I: Input, L: Leaf<I::Span>> = SkipInput<I>;
    type Take<I: Input, L: Leaf<I::Span>> = TakeInput<I>;
    type SkipLeaf<L> = L;
    type TakeLeaf<L> = L;

    fn skip<I: Input, L: Leaf<I::Span> + Send, C: Control>(
        chain: Chain<I, L, C>,
        n: usize,
    ) -> Chain<SkipInput<I>, L, C> {
        chain.with(|input| SkipInput(input, n), |leaf| leaf)
    }

    fn take<I: Input, L: Leaf<I::Span>, C: Control>(
        chain: Chain<I, L, C>,
        n: usize,
    ) -> Chain<TakeInput<I>, L, C> {
        chain.with(|input| TakeInput(input, n), |leaf| leaf)
    }
}

impl Shorten for Inexact {
    type Skip<I: Input, L: Leaf<I::Span>> = Trimmed<I, L, Skip>;
    type Take<I: Input, L: Leaf<I::Span>> = Kept<I, L, Take>;
    type SkipLeaf<L> = Append<Rows, Shared<L>>;
    type TakeLeaf<L> = Rows;

    fn skip<I: Input, L: Leaf<I::Span> + Send, C: Control>(
        chain: Chain<I, L, C>,
        n: usize,
    ) -> Chain<Trimmed<I, L, Skip>, Append<Rows, Shared<L>>, C> {
        trim(chain, Skip(n))
    }

    fn take<I: Input, L: Leaf<I::Span>, C: Control>(
        chain: Chain<I, L, C>,
        n: usize,
    ) -> Chain<Kept<I, L, Take>, Rows, C> {
        keep(chain, Take(n))
    }
}

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Leaves out the first `n` items.
    ///
    /// Where rows are items these rows are dropped and pass no adapter. After `filter` and the like
    /// the chain is run from its front, when a terminal is called, until `n` items have come; the
    /// rows behind wait for the terminal.
    pub fn skip(
        self,
        n: usize,
    ) -> Chain<<CountOf<I, L> as Shorten>::Skip<I, L>, <CountOf<I, L> as Shorten>::SkipLeaf<L>, C>
    where
        L: Send,
        CountOf<I, L>: Shorten,
    {
        <CountOf<I, L>>::skip(self, n)
    }

    /// Ends after `n` items.
    ///
    /// Where rows are items the rows behind are dropped and pass no adapter. After `filter` and the
    /// like the chain is run from its front, when a terminal is called, and stops within a few
    /// strides of the `n`th item.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let first: Vec<u32> = (0..u32::MAX).par(&pool).filter(|x| x % 9 == 1).skip(1).take(2).collect();
    /// assert_eq!(first, [10, 19]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn take(
        self,
        n: usize,
    ) -> Chain<<CountOf<I, L> as Shorten>::Take<I, L>, <CountOf<I, L> as Shorten>::TakeLeaf<L>, C>
    where
        CountOf<I, L>: Shorten,
    {
        <CountOf<I, L>>::take(self, n)
    }
}

impl<I: Input, L: Leaf<I::Span, Item: Send>, C: Control> Chain<I, L, C> {
    /// Ends before the first item for which `good` is false.
    ///
    /// The chain is run from its front when a terminal is called, and stops within a few strides of
    /// that item. What stays is gathered before the chain goes on, which costs about three times a
    /// serial loop over cheap items and room for all of them; so does `map_while`.
    pub fn take_while<P>(self, good: P) -> Chain<Kept<I, L, TakeWhile<P>>, Rows, C>
    where
        P: Fn(&L::Item) -> bool + Sync,
    {
        keep(self, TakeWhile(good))
    }

    /// Calls `f` on each item, goes on with what comes in `Some`, and ends at the first `None`.
    ///
    /// The chain is run from its front when a terminal is called, and stops within a few strides of
    /// that item.
    pub fn map_while<R, F>(self, f: F) -> Chain<Kept<I, L, MapWhile<F>>, Rows, C>
    where
        R: Send,
        F: Fn(L::Item) -> Option<R> + Sync,
    {
        keep(self, MapWhile(f))
    }

    /// Begins with the first item for which `bad` is false.
    ///
    /// The chain is run from its front when a terminal is called, until that item has come; the rows
    /// behind wait for the terminal. `bad` may also be asked about a few items behind it, by threads
    /// that cannot know it yet.
    pub fn skip_while<P>(
        self,
        bad: P,
    ) -> Chain<Trimmed<I, L, SkipWhile<P>>, Append<Rows, Shared<L>>, C>
    where
        L: Send,
        P: Fn(&L::Item) -> bool + Sync,
    {
        trim(self, SkipWhile(bad))
    }
}

fn keep<I, L, C, M>(chain: Chain<I, L, C>, mode: M) -> Chain<Kept<I, L, M>, Rows, C> {
    let Chain { input, leaf, control } = chain;
    Chain { input: Kept { input, leaf, mode }, leaf: Rows, control }
}

fn trim<I, L, C, B>(
    chain: Chain<I, L, C>,
    border: B,
) -> Chain<Trimmed<I, L, B>, Append<Rows, Shared<L>>, C> {
    let Chain { input, leaf, control } = chain;
    let leaf = Arc::new(leaf);
    let behind = Shared(Arc::clone(&leaf));
    Chain { input: Trimmed { input, leaf, border }, leaf: Append(Rows, behind), control }
}

/// The items of a chain that a mode keeps, as rows of their own.
#[derive(Clone, Debug)]
pub struct Kept<I, L, M> {
    input: I,
    leaf: L,
    mode: M,
}

impl<I: Input, L: Leaf<I::Span>, M: Keep<L::Item>> Input for Kept<I, L, M> {
    type Span = Owned<M::Item>;
    type Length = Exact;

    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        let partial = whole(self.input, &self.leaf, control, &self.mode.terminal())?;
        Ok(self.mode.finish(partial))
    }
}

/// Which items are kept.
pub trait Keep<T>: Sync {
    /// What is kept of them.
    type Item: Send;
    #[doc(hidden)]
    type Partial: Send;

    #[doc(hidden)]
    fn terminal(&self) -> impl Terminal<T, Partial = Self::Partial>;

    #[doc(hidden)]
    fn finish(&self, partial: Self::Partial) -> Owned<Self::Item>;
}

/// The first few.
#[derive(Clone, Debug)]
pub struct Take(usize);

/// Some items from the front of a stretch, and whether more would be too many.
#[derive(Clone, Debug)]
pub struct Front<T> {
    pieces: Vec<Vec<T>>,
    items: usize,
    ended: bool,
}

impl<T: Send> Front<T> {
    fn new() -> Self {
        Self { pieces: Vec::new(), items: 0, ended: false }
    }

    /// Adds items that follow.
    fn gather(&mut self, items: impl Iterator<Item = T>) {
        Vec::gather(&mut self.pieces, items);
        self.items = self.pieces.iter().map(Vec::len).sum();
    }

    fn merge(mut self, mut right: Self) -> Self {
        if self.ended {
            // Not left to the end: rustc leaks a result when an argument's destructor panics.
            drop(right);
            return self;
        }
        self.pieces.append(&mut right.pieces);
        self.items += right.items;
        self.ended = right.ended;
        self
    }
}

impl<T: Send> Keep<T> for Take {
    type Item = T;
    type Partial = Front<T>;

    fn terminal(&self) -> impl Terminal<T, Partial = Front<T>> {
        TakeItems(self.0)
    }

    fn finish(&self, front: Front<T>) -> Owned<T> {
        span::take(Owned::from(gathered(front.pieces)), self.0)
    }
}

struct TakeItems(usize);

impl<T: Send> Terminal<T> for TakeItems {
    type Partial = Front<T>;
    const FROM_FRONT: bool = true;

    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> Front<T> {
        self.run_on(Front::new(), at, items)
    }

    fn run_on(&self, mut left: Front<T>, _: usize, mut items: impl Iterator<Item = T>) -> Front<T> {
        left.gather(items.by_ref().take(self.0.saturating_sub(left.items)));
        // Before the return: what is already returned would leak if a row's destructor panicked.
        drop(items);
        left
    }

    fn merge(&self, left: Front<T>, right: Front<T>) -> Front<T> {
        left.merge(right)
    }

    fn enough(&self, first: &Front<T>) -> bool {
        first.items >= self.0
    }
}

/// Those before the first for which a function gives `None`.
#[derive(Clone, Debug)]
pub struct MapWhile<F>(F);

impl<T, R: Send, F: Fn(T) -> Option<R> + Sync> Keep<T> for MapWhile<F> {
    type Item = R;
    type Partial = Front<R>;

    fn terminal(&self) -> impl Terminal<T, Partial = Front<R>> {
        MapItems { f: &self.0, stop: Stop::new() }
    }

    fn finish(&self, front: Front<R>) -> Owned<R> {
        Owned::from(gathered(front.pieces))
    }
}

/// Those before the first for which a predicate is false.
#[derive(Clone, Debug)]
pub struct TakeWhile<P>(P);

impl<T: Send, P: Fn(&T) -> bool + Sync> Keep<T> for TakeWhile<P> {
    type Item = T;
    type Partial = Front<T>;

    fn terminal(&self) -> impl Terminal<T, Partial = Front<T>> {
        let f = |item: T| (self.0)(&item).then_some(item);
        MapItems { f, stop: Stop::new() }
    }

    fn finish(&self, front: Front<T>) -> Owned<T> {
        Owned::from(gathered(front.pieces))
    }
}

struct MapItems<F> {
    f: F,
    stop: Stop,
}

impl<T, R: Send, F: Fn(T) -> Option<R> + Sync> Terminal<T> for MapItems<F> {
    type Partial = Front<R>;
    const FROM_FRONT: bool = true;

    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> Front<R> {
        self.run_on(Front::new(), at, items)
    }

    fn run_on(
        &self,
        mut left: Front<R>,
        at: usize,
        mut items: impl Iterator<Item = T>,
    ) -> Front<R> {
        let mut ended = left.ended;
        if !ended {
            // Most often all of them stay.
            make_room(&mut left.pieces, items.size_hint().0);
            left.gather(items.by_ref().map_while(|item| {
                let good = (self.f)(item);
                ended = good.is_none();
                good
            }));
        }
        if ended {
            self.stop.after(at);
        }
        // Before the return, as above.
        drop(items);
        left.ended = ended;
        left
    }

    fn merge(&self, left: Front<R>, right: Front<R>) -> Front<R> {
        left.merge(right)
    }

    fn needless(&self, at: usize) -> bool {
        self.stop.is_before(at)
    }
}
