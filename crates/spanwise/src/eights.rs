//! The items of a part of which each row gives one, eight at a time: in come a leaf and a part, out come
//! arrays, with which loops without dependencies are made. Terminals take them.

use crate::{leaf::Leaf, span::Span};

/// Items in order, one by one or eight at a time.
pub(crate) trait Eights {
    type Item;

    /// The next item.
    ///
    /// # Panics
    ///
    /// If there is none, which is a span that gives fewer rows than it said; so does `eight`.
    fn one(&mut self) -> Self::Item;

    /// The next eight items.
    fn eight(&mut self) -> [Self::Item; 8];
}

/// Items of rows that are cut off eight at a time: the compiler then knows how many there are, and
/// what it makes of them has no end to look for.
pub(crate) struct Cutting<'a, L, S> {
    leaf: &'a L,
    /// Always there, but for the moment of a cut.
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

    #[inline]
    fn one(&mut self) -> L::Item {
        next(&mut self.cut(1))
    }

    #[inline(always)]
    fn eight(&mut self) -> [L::Item; 8] {
        eight(self.cut(8))
    }
}

/// Items of rows whose cuts cost more than a step of their iterator.
pub(crate) struct Pulling<I>(pub(crate) I);

impl<I: Iterator> Eights for Pulling<I> {
    type Item = I::Item;

    #[inline]
    fn one(&mut self) -> I::Item {
        next(&mut self.0)
    }

    #[inline(always)]
    fn eight(&mut self) -> [I::Item; 8] {
        eight(self.0.by_ref())
    }
}

/// An array written out is made in registers; `array::from_fn` makes it in memory.
#[inline(always)]
fn eight<T>(mut items: impl Iterator<Item = T>) -> [T; 8] {
    let mut next = || next(&mut items);
    [next(), next(), next(), next(), next(), next(), next(), next()]
}

#[inline(always)]
fn next<T>(items: &mut impl Iterator<Item = T>) -> T {
    items.next().expect("rows gave fewer items than their span said")
}
