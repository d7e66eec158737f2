//! Lexicographic comparisons: `eq`, `cmp`, `lt` and their kin. In come a chain and another source or
//! chain, out comes what std says about the serial iterators.
//!
//! Items meet their partners in step from the front on; the first unequal pair in input order decides,
//! or else the lengths. Where rows are no items it is not known who meets whom: such a chain is run
//! and gathered first.

use std::cmp::Ordering;

use crate::{
    chain::{Chain, Other},
    control::{Control, Stopped},
    front::CountOf,
    gather::{Gather, gathered},
    input::Input,
    leaf::{Count, Exact, Leaf, Rows},
    owned::Owned,
    sealed::Sealed,
    span::{Span, Zipped},
    terminal::whole,
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
/// pair that decides; after `filter` and the like, on either side, that side is run to its end first.
/// Rows beyond the shorter side are dropped, unread. A panic of a comparison reaches the caller.
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

/// What the first pair that `pair` tells of and the order of the lengths come to: opens this side, as
/// it is where rows are items, else gathered.
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
    if <CountOf<I, L>>::EXACT {
        match input.open(&control) {
            Ok(rows) => against(rows, leaf, control, other, pair, finish),
            Err(why) => C::out(Err(why)),
        }
    } else {
        match gather(input, &leaf, &control) {
            Ok(rows) => against(rows, Rows, control, other, pair, finish),
            Err(why) => C::out(Err(why)),
        }
    }
}

/// Opens the other side.
fn against<S, L, C, O, R, Q>(
    rows: S,
    leaf: L,
    control: C,
    other: O,
    pair: impl Fn(L::Item, O::Item) -> Option<R> + Sync,
    finish: impl FnOnce(Option<R>, Ordering) -> Q,
) -> C::Out<Q>
where
    S: Span,
    L: Leaf<S>,
    C: Control,
    O: Partner,
    R: Send,
{
    let (input, partner) = other.into_parts();
    if <CountOf<O::Input, O::Leaf>>::EXACT {
        match input.open(&control) {
            Ok(others) => meet((rows, others), (leaf, partner), control, pair, finish),
            Err(why) => C::out(Err(why)),
        }
    } else {
        match gather(input, &partner, &control) {
            Ok(others) => meet((rows, others), (leaf, Rows), control, pair, finish),
            Err(why) => C::out(Err(why)),
        }
    }
}

fn gather<I, L, C>(input: I, leaf: &L, control: &C) -> Result<Owned<L::Item>, Stopped>
where
    I: Input,
    L: Leaf<I::Span, Item: Send>,
    C: Control,
{
    whole(input, leaf, control, &Gather::new()).map(|pieces| Owned::from(gathered(pieces)))
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
