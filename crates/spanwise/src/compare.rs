//! Lexicographic comparisons: `eq`, `cmp`, `lt` and their kin. In come a chain and another source or
//! chain, out comes what std says about the serial iterators.
//!
//! Items meet their partners in step from the front on; the first unequal pair in input order decides,
//! or else the lengths. Where rows are no items it is not known who meets whom: such chains are run
//! batch by batch.

use std::{cmp::Ordering, vec};

use crate::{
    chain::{Chain, Other},
    control::{Control, Stopped},
    feed::Feed,
    front::CountOf,
    gather::{Gather, gathered},
    input::Input,
    leaf::{Count, Exact, Leaf},
    pull::{SOLO, pull},
    sealed::Sealed,
    span::{Span, Zipped},
    stream::Batch,
    terminal::Whole,
};

/// The items of a source or chain.
type ItemOf<O> = <<O as Other>::Leaf as Leaf<<<O as Other>::Input as Input>::Span>>::Item;

/// A chain or source whose items can be compared on any thread.
pub trait Partner: Other<Leaf: Leaf<<Self::Input as Input>::Span, Item = Self::Item>> {
    /// What comes out of it.
    type Item: Send;
}

impl<O> Partner for O
where
    O: Other,
    ItemOf<O>: Send,
{
    type Item = ItemOf<O>;
}

/// Comparisons with any source or chain, with std's answers. They stop within a few strides of the
/// pair that decides. After `filter` and the like, on either side, it is not known which rows meet: both
/// sides are run a batch at a time and the calling thread compares their items, which costs several times
/// the serial comparison where items are cheap. Rows beyond the shorter
/// side are dropped, unread. A panic of a comparison reaches the caller.
impl<I: Input, L: Leaf<I::Span, Item: Send>, C: Control> Chain<I, L, C> {
    /// Whether both have equal items and equally many.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let squares = [0, 1, 4, 9];
    /// assert!((0..4).par(&pool).map(|i| i * i).eq(squares.iter().par(&pool).copied()));
    /// assert!(!squares.par(&pool).eq(&squares[..3]));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn eq<O: Partner>(self, other: O) -> C::Out<bool>
    where
        L::Item: PartialEq<O::Item>,
    {
        let unequal = |x: L::Item, y: O::Item| (x != y).then_some(());
        decide(self, other, unequal, |pair, lengths| pair.is_none() && lengths.is_eq())
    }

    /// Whether some pair of items is unequal or one has more.
    pub fn ne<O: Partner>(self, other: O) -> C::Out<bool>
    where
        L::Item: PartialEq<O::Item>,
    {
        C::map(self.eq(other), |equal| !equal)
    }

    /// How both compare: as the first unequal pair of items does, or else as their lengths do.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!((0..5).par(&pool).cmp(0..7), Ordering::Less);
    /// assert_eq!((0..5).par(&pool).rev().cmp(0..7), Ordering::Greater);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn cmp<O: Partner<Item = L::Item>>(self, other: O) -> C::Out<Ordering>
    where
        L::Item: Ord,
    {
        let unequal = |x: L::Item, y: L::Item| Some(x.cmp(&y)).filter(|order| order.is_ne());
        decide(self, other, unequal, Option::unwrap_or)
    }

    /// How both compare: as the first pair of items that is not equal does, which may be not at all, or
    /// else as their lengths do.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let order = |x: &[f64], y: &[f64]| x.par(&pool).partial_cmp(y);
    /// assert_eq!(order(&[1.0, f64::NAN], &[2.0, 0.0]), Some(Ordering::Less));
    /// assert_eq!(order(&[1.0, f64::NAN], &[1.0, 0.0]), None);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn partial_cmp<O: Partner>(self, other: O) -> C::Out<Option<Ordering>>
    where
        L::Item: PartialOrd<O::Item>,
    {
        let unequal = |x: L::Item, y: O::Item| match x.partial_cmp(&y) {
            Some(Ordering::Equal) => None,
            order => Some(order),
        };
        decide(self, other, unequal, |pair, lengths| pair.unwrap_or(Some(lengths)))
    }

    /// Whether [`partial_cmp`](Self::partial_cmp) says less.
    pub fn lt<O: Partner>(self, other: O) -> C::Out<bool>
    where
        L::Item: PartialOrd<O::Item>,
    {
        C::map(self.partial_cmp(other), |order| order.is_some_and(Ordering::is_lt))
    }

    /// Whether [`partial_cmp`](Self::partial_cmp) says less or equal.
    pub fn le<O: Partner>(self, other: O) -> C::Out<bool>
    where
        L::Item: PartialOrd<O::Item>,
    {
        C::map(self.partial_cmp(other), |order| order.is_some_and(Ordering::is_le))
    }

    /// Whether [`partial_cmp`](Self::partial_cmp) says greater.
    pub fn gt<O: Partner>(self, other: O) -> C::Out<bool>
    where
        L::Item: PartialOrd<O::Item>,
    {
        C::map(self.partial_cmp(other), |order| order.is_some_and(Ordering::is_gt))
    }

    /// Whether [`partial_cmp`](Self::partial_cmp) says greater or equal.
    pub fn ge<O: Partner>(self, other: O) -> C::Out<bool>
    where
        L::Item: PartialOrd<O::Item>,
    {
        C::map(self.partial_cmp(other), |order| order.is_some_and(Ordering::is_ge))
    }
}

/// What the first pair that `pair` tells of and the order of the lengths come to.
fn decide<I, L, C, O, R, Q>(
    chain: Chain<I, L, C>,
    other: O,
    pair: impl Fn(L::Item, O::Item) -> Option<R> + Sync,
    finish: impl FnOnce(Option<R>, Ordering) -> Q,
) -> C::Out<Q>
where
    I: Input,
    L: Leaf<I::Span, Item: Send>,
    C: Control,
    O: Partner,
    R: Send,
{
    let Chain { input, leaf, control } = chain;
    let (others, partner) = other.into_parts();
    if <CountOf<I, L>>::EXACT && <CountOf<O::Input, O::Leaf>>::EXACT {
        let spans = input.open(&control).and_then(|rows| Ok((rows, others.open(&control)?)));
        return match spans {
            Ok(spans) => meet(spans, (leaf, partner), control, pair, finish),
            Err(why) => C::out(Err(why)),
        };
    }
    let (control, mine) = input.feed(control);
    let (control, theirs) = others.feed(control);
    let first = mine.and_then(|mine| {
        let mine = Ahead::new(mine, leaf);
        walk(mine, Ahead::new(theirs?, partner), &control, pair)
    });
    control.finish(first, |(first, lengths)| finish(first, lengths))
}

/// Rows that are run at first to have items to compare, and at most.
const ROWS: (usize, usize) = (1 << 8, 1 << 15);

/// The items of one side, run a batch ahead of the comparison.
struct Ahead<F, L, T> {
    /// `None` at the end.
    feed: Option<F>,
    leaf: L,
    rows: usize,
    items: vec::IntoIter<T>,
}

impl<F: Feed, L: Leaf<F::Span, Item: Send>> Ahead<F, L, L::Item> {
    fn new(feed: F, leaf: L) -> Self {
        Self { feed: Some(feed), leaf, rows: ROWS.0, items: Vec::new().into_iter() }
    }

    /// How many items there are to compare: none only at the end.
    fn fill<C: Control>(&mut self, control: &C) -> Result<usize, Stopped> {
        while self.items.len() == 0 {
            let Some(feed) = self.feed.take() else { break };
            let work = Whole { leaf: &self.leaf, terminal: &Gather::<Vec<L::Item>>::new() };
            let (pieces, batch) = pull(control, Batch::new(feed, self.rows), &work, SOLO)?;
            self.items = gathered(pieces.unwrap_or_default()).into_iter();
            self.feed = (!batch.ended).then_some(batch.feed);
            self.rows = (self.rows * 2).min(ROWS.1);
        }
        Ok(self.items.len())
    }
}

/// Where it is not known which rows meet: both sides are run batch by batch, and this thread compares.
fn walk<F, G, L, M, C, R>(
    mut mine: Ahead<F, L, L::Item>,
    mut theirs: Ahead<G, M, M::Item>,
    control: &C,
    pair: impl Fn(L::Item, M::Item) -> Option<R>,
) -> Result<(Option<R>, Ordering), Stopped>
where
    F: Feed,
    G: Feed,
    L: Leaf<F::Span, Item: Send>,
    M: Leaf<G::Span, Item: Send>,
    C: Control,
{
    loop {
        let (items, others) = (mine.fill(control)?, theirs.fill(control)?);
        if items == 0 || others == 0 {
            return Ok((None, items.cmp(&others)));
        }
        let both = items.min(others);
        let mut pairs = mine.items.by_ref().take(both).zip(theirs.items.by_ref().take(both));
        let first = pairs.find_map(|(x, y)| pair(x, y));
        drop(pairs);
        if first.is_some() {
            return Ok((first, Ordering::Equal));
        }
    }
}

fn meet<A, B, L, M, C, R, Q>(
    (a, b): (A, B),
    (leaf, partner): (L, M),
    control: C,
    pair: impl Fn(L::Item, M::Item) -> Option<R> + Sync,
    finish: impl FnOnce(Option<R>, Ordering) -> Q,
) -> C::Out<Q>
where
    A: Span,
    B: Span,
    L: Leaf<A>,
    M: Leaf<B>,
    C: Control,
    R: Send,
{
    let lengths = a.len().cmp(&b.len());
    let chain = Chain { input: Zipped::new(a, b), leaf: Step(leaf, partner), control };
    C::map(chain.find_map_first(|(x, y)| pair(x, y)), |first| finish(first, lengths))
}

/// `Zip` of two leaves that are known to give an item a row, though their types may not say so.
struct Step<L, M>(L, M);

impl<L, M> Sealed for Step<L, M> {}

impl<A: Span, B: Span, L: Leaf<A>, M: Leaf<B>> Leaf<Zipped<A, B>> for Step<L, M> {
    type Item = (L::Item, M::Item);
    type Count = Exact;

    #[inline]
    fn iter(&self, part: Zipped<A, B>) -> impl Iterator<Item = Self::Item> {
        self.0.iter(part.a).zip(self.1.iter(part.b))
    }
}
