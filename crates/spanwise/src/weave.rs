//! Items in turn: `interleave` and `intersperse`, and `zip_eq`, which is particular about lengths. In
//! come two chains with an index, or one and an item; out comes one chain with an index.

#![expect(clippy::type_complexity, reason = "a chain's type spells the chain, as std's does")]

use std::iter::{self, Fuse};

use crate::{
    chain::{Chain, Other},
    control::{Control, Stopped},
    indexed::Indexed,
    input::Input,
    leaf::{BackLeaf, Count, Leaf, Zip},
    sealed::Sealed,
    span::{Span, Zipped},
};

// The bounds stand on each method: on the block, rustc would not show their message.
impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Pairs each item with one of another source or chain that is as long.
    ///
    /// Pairs come in input order.
    ///
    /// # Panics
    ///
    /// When a terminal is called, if one has more rows than the other; no row has run then.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let dot: i32 = [1, 2, 3].par(&pool).zip_eq(&[4, 5, 6]).map(|(x, y)| x * y).sum();
    /// assert_eq!(dot, 32);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn zip_eq<O>(self, other: O) -> Chain<ZipEqInput<I, O::Input>, Zip<L, O::Leaf>, C>
    where
        I: Input<Length: Indexed>,
        L: Leaf<I::Span, Count: Indexed>,
        O: Other<
                Input: Input<Length: Indexed>,
                Leaf: Leaf<<O::Input as Input>::Span, Count: Indexed>,
            >,
    {
        let (input, leaf) = other.into_parts();
        self.with(|mine| ZipEqInput(mine, input), |mine| Zip(mine, leaf))
    }

    /// Takes an item of this chain and one of another source or chain in turn, this one's first; once
    /// one has ended, the rest of the other follows.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let woven: Vec<u32> = (0..2).par(&pool).interleave(10..14).collect();
    /// assert_eq!(woven, [0, 10, 1, 11, 12, 13]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn interleave<O>(
        self,
        other: O,
    ) -> Chain<InterleaveInput<I, O::Input>, Interleave<L, O::Leaf>, C>
    where
        I: Input<Length: Indexed>,
        L: Leaf<I::Span, Count: Indexed>,
        O: Other<
                Input: Input<Length: Indexed>,
                Leaf: Leaf<<O::Input as Input>::Span, Item = L::Item, Count: Indexed>,
            >,
    {
        let (input, leaf) = other.into_parts();
        self.with(|mine| InterleaveInput(mine, input), |mine| Interleave(mine, leaf))
    }

    /// Puts a clone of `x` between each two neighbours: one fewer than there are items.
    ///
    /// # Panics
    ///
    /// When a terminal is called, if that makes more than `usize::MAX` items.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let text: String = ["a", "b", "c"].par(&pool).copied().intersperse(", ").collect();
    /// assert_eq!(text, "a, b, c");
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn intersperse(self, x: L::Item) -> Chain<IntersperseInput<I>, Intersperse<L, L::Item>, C>
    where
        I: Input<Length: Indexed>,
        L: Leaf<I::Span, Item: Clone + Sync, Count: Indexed>,
    {
        self.with(IntersperseInput, |leaf| Intersperse(leaf, x))
    }
}

/// Two inputs in step, equally long.
#[derive(Clone, Debug)]
pub struct ZipEqInput<A, B>(A, B);

impl<A: Input, B: Input> Input for ZipEqInput<A, B> {
    type Span = Zipped<A::Span, B::Span>;
    type Length = <A::Length as Count>::And<B::Length>;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        let (a, b) = (self.0.open(control)?, self.1.open(control)?);
        let (rows, others) = (a.len(), b.len());
        assert!(rows == others, "zip_eq of {rows} rows with {others}");
        Ok(Zipped { a, b })
    }
}

/// Two inputs in turn.
#[derive(Clone, Debug)]
pub struct InterleaveInput<A, B>(A, B);

impl<A: Input, B: Input> Input for InterleaveInput<A, B> {
    type Span = Interleaved<A::Span, B::Span>;
    type Length = <A::Length as Count>::And<B::Length>;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        Ok(Interleaved { a: self.0.open(control)?, b: self.1.open(control)?, b_first: false })
    }
}

/// Rows of two spans in turn, until one ends.
#[derive(Clone, Debug)]
pub struct Interleaved<A, B> {
    a: A,
    b: B,
    b_first: bool,
}

impl<A: Span, B: Span> Span for Interleaved<A, B> {
    fn len(&self) -> usize {
        self.a.len().saturating_add(self.b.len())
    }

    fn is_counted(&self) -> bool {
        let sum = self.a.len().checked_add(self.b.len());
        self.a.is_counted() && self.b.is_counted() && sum.is_some()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let Self { a, b, b_first } = self;
        let (rows, others) = (a.len(), b.len());
        assert!(at <= rows.saturating_add(others), "a cut at {at} is outside the span");
        // In turn as far as both go: what one lacks the other has.
        let mine = if b_first { at / 2 } else { at.div_ceil(2) };
        let mine = mine.min(rows).max(at.saturating_sub(others));
        let ((a, a_rest), (b, b_rest)) = (a.cut(mine), b.cut(at - mine));
        // Once one has ended it does not matter whose turn it is.
        let rest = Self { a: a_rest, b: b_rest, b_first: b_first ^ (at % 2 == 1) };
        (Self { a, b, b_first }, rest)
    }
}

/// Two leaves in turn.
#[derive(Clone, Debug)]
pub struct Interleave<L, M>(L, M);

impl<L, M> Sealed for Interleave<L, M> {}

impl<A: Span, B: Span, L, M> Leaf<Interleaved<A, B>> for Interleave<L, M>
where
    L: Leaf<A>,
    M: Leaf<B, Item = L::Item>,
{
    type Item = L::Item;
    type Count = <L::Count as Count>::And<M::Count>;

    #[inline]
    fn iter(&self, part: Interleaved<A, B>) -> impl Iterator<Item = L::Item> {
        InTurn::new(self.0.iter(part.a), self.1.iter(part.b), part.b_first)
    }
}

impl<A: Span, B: Span, L, M> BackLeaf<Interleaved<A, B>> for Interleave<L, M>
where
    L: BackLeaf<A>,
    M: BackLeaf<B, Item = L::Item>,
{
    #[inline]
    fn iter_back(&self, part: Interleaved<A, B>) -> impl Iterator<Item = L::Item> {
        let Interleaved { a, b, b_first } = part;
        // What one has beyond the turns of both comes first from this end.
        let turns = a.len().min(b.len());
        let ((a, a_rest), (b, b_rest)) = (a.cut(turns), b.cut(turns));
        let rest = self.0.iter_back(a_rest).chain(self.1.iter_back(b_rest));
        rest.chain(InTurn::new(self.0.iter_back(a), self.1.iter_back(b), !b_first))
    }
}

/// An input with an item between each two rows.
#[derive(Clone, Debug)]
pub struct IntersperseInput<I>(I);

impl<I: Input> Input for IntersperseInput<I> {
    type Span = Interspersed<I::Span>;
    type Length = I::Length;

    #[inline]
    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        let span = self.0.open(control)?;
        let between = span.len().saturating_sub(1);
        let rows = span.len().checked_add(between);
        let rows = rows.expect("an intersperse of more than usize::MAX rows");
        Ok(Interspersed { span, rows, between_first: false })
    }
}

/// Rows of a span in turn with rows that stand between them.
#[derive(Clone, Debug)]
pub struct Interspersed<S> {
    span: S,
    rows: usize,
    between_first: bool,
}

impl<S: Span> Span for Interspersed<S> {
    fn len(&self) -> usize {
        self.rows
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let Self { span, rows, between_first } = self;
        assert!(at <= rows, "a cut at {at} is outside the span");
        let (front, back) = span.cut(if between_first { at / 2 } else { at.div_ceil(2) });
        let rest = between_first ^ (at % 2 == 1);
        (
            Self { span: front, rows: at, between_first },
            Self { span: back, rows: rows - at, between_first: rest },
        )
    }
}

/// A leaf with clones of an item between its items.
#[derive(Clone, Debug)]
pub struct Intersperse<L, T>(L, T);

impl<L, T> Sealed for Intersperse<L, T> {}

impl<L, T: Clone> Intersperse<L, T> {
    /// So many clones.
    fn between(&self, n: usize) -> impl Iterator<Item = T> {
        iter::repeat_n(&self.1, n).cloned()
    }
}

impl<S: Span, L: Leaf<S, Item: Clone + Sync>> Leaf<Interspersed<S>> for Intersperse<L, L::Item> {
    type Item = L::Item;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: Interspersed<S>) -> impl Iterator<Item = L::Item> {
        let between = self.between(part.rows.saturating_sub(part.span.len()));
        InTurn::new(self.0.iter(part.span), between, part.between_first)
    }
}

impl<S, L> BackLeaf<Interspersed<S>> for Intersperse<L, L::Item>
where
    S: Span,
    L: BackLeaf<S, Item: Clone + Sync>,
{
    #[inline]
    fn iter_back(&self, part: Interspersed<S>) -> impl Iterator<Item = L::Item> {
        let between = self.between(part.rows.saturating_sub(part.span.len()));
        let between_last = part.between_first ^ (part.rows % 2 == 0);
        InTurn::new(self.0.iter_back(part.span), between, between_last)
    }
}

/// Two iterators in turn; once one has ended, the rest of the other.
struct InTurn<A, B> {
    a: Fuse<A>,
    b: Fuse<B>,
    b_next: bool,
}

impl<A: Iterator, B: Iterator<Item = A::Item>> InTurn<A, B> {
    fn new(a: A, b: B, b_next: bool) -> Self {
        Self { a: a.fuse(), b: b.fuse(), b_next }
    }
}

impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for InTurn<A, B> {
    type Item = A::Item;

    #[inline]
    fn next(&mut self) -> Option<A::Item> {
        let b_now = self.b_next;
        self.b_next = !b_now;
        if b_now {
            self.b.next().or_else(|| self.a.next())
        } else {
            self.a.next().or_else(|| self.b.next())
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (a, b) = (self.a.size_hint(), self.b.size_hint());
        let most = a.1.zip(b.1).and_then(|(a, b)| a.checked_add(b));
        (a.0.saturating_add(b.0), most)
    }

    #[inline]
    fn fold<R, F: FnMut(R, A::Item) -> R>(mut self, mut folded: R, mut f: F) -> R {
        if self.b_next {
            match self.b.next() {
                None => return self.a.fold(folded, f),
                Some(item) => folded = f(folded, item),
            }
        }
        while let Some(item) = self.a.next() {
            folded = f(folded, item);
            match self.b.next() {
                None => return self.a.fold(folded, f),
                Some(item) => folded = f(folded, item),
            }
        }
        self.b.fold(folded, f)
    }
}
