//! The items of a part of which each row gives one, eight at a time: in come a leaf and a part, out come
//! arrays, with which loops without dependencies are made. Terminals take them.

use crate::{leaf::Leaf, span::Span};

/// Items in order, one by one or eight at a time.
pub(crate) trait Eights {
    type Item;

    /// These items, which have to be put back before the next use.
    fn lend(&mut self) -> Self;

    /// The next item.
    ///
    /// # Panics
    ///
    /// If there is none, which is a span that gives fewer rows than it said; so does `eight`.
    fn one(&mut self) -> Self::Item;

    /// The next eight items.
    fn eight(&mut self) -> [Self::Item; 8];

    /// What comes of each of the next four eights.
    #[inline(always)]
    fn quad<V>(&mut self, mut make: impl FnMut([Self::Item; 8]) -> V) -> [V; 4] {
        let mut next = || make(self.eight());
        [next(), next(), next(), next()]
    }

    /// To be called behind the last item.
    ///
    /// # Panics
    ///
    /// If there are more, as far as that shows.
    fn end(&mut self) {}
}

/// Items of rows that are cut off eight at a time: the compiler then knows how many there are, and
/// what it makes of them has no end to look for.
pub(crate) struct Cutting<'a, L, S> {
    leaf: &'a L,
    /// Always there, but while lent and for the moment of a cut.
    part: Option<S>,
}

impl<'a, L: Leaf<S>, S: Span> Cutting<'a, L, S> {
    #[inline]
    pub(crate) fn new(leaf: &'a L, part: S) -> Self {
        Self { leaf, part: Some(part) }
    }

    #[inline(always)]
    fn cut(&mut self, rows: usize) -> impl Iterator<Item = L::Item> {
        let (head, rest) = self.part.take().expect("no cut has panicked").cut(rows);
        self.part = Some(rest);
        self.leaf.iter(head)
    }
}

impl<L: Leaf<S>, S: Span> Eights for Cutting<'_, L, S> {
    type Item = L::Item;

    #[inline(always)]
    fn lend(&mut self) -> Self {
        Self { leaf: self.leaf, part: self.part.take() }
    }

    #[inline]
    fn one(&mut self) -> L::Item {
        next(&mut self.cut(1))
    }

    #[inline(always)]
    fn eight(&mut self) -> [L::Item; 8] {
        eight(&mut self.cut(8))
    }

    #[inline(always)]
    fn quad<V>(&mut self, mut make: impl FnMut([L::Item; 8]) -> V) -> [V; 4] {
        // Of a part of 32 rows it is known that each eight is there.
        let (head, rest) = self.part.take().expect("no cut has panicked").cut(32);
        self.part = Some(rest);
        let mut head = Self::new(self.leaf, head);
        let mut next = || make(head.eight());
        [next(), next(), next(), next()]
    }
}

/// Items of rows whose cuts cost more than a step of their iterator.
pub(crate) struct Pulling<I>(Option<I>);

impl<I: Iterator> Pulling<I> {
    #[inline]
    pub(crate) fn new(items: I) -> Self {
        Self(Some(items))
    }

    #[inline(always)]
    fn items(&mut self) -> &mut I {
        self.0.as_mut().expect("what was lent is back")
    }
}

impl<I: Iterator> Eights for Pulling<I> {
    type Item = I::Item;

    #[inline(always)]
    fn lend(&mut self) -> Self {
        Self(self.0.take())
    }

    #[inline]
    fn one(&mut self) -> I::Item {
        next(self.items())
    }

    #[inline(always)]
    fn eight(&mut self) -> [I::Item; 8] {
        eight(self.items())
    }

    fn end(&mut self) {
        assert!(self.items().next().is_none(), "rows gave more items than their span said");
    }
}

/// An array written out is made in registers; `array::from_fn` makes it in memory.
#[inline(always)]
fn eight<T>(items: &mut impl Iterator<Item = T>) -> [T; 8] {
    let mut next = || next(items);
    [next(), next(), next(), next(), next(), next(), next(), next()]
}

#[inline(always)]
fn next<T>(items: &mut impl Iterator<Item = T>) -> T {
    items.next().expect("rows gave fewer items than their span said")
}
