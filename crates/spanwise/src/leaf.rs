//! What a chain does to its rows. A leaf is a recipe: in comes a part of a span, out comes the std
//! iterator that the serial chain would have been over those rows; workers run it.

use crate::{
    sealed::Sealed,
    span::{Appended, Numbered, Reversed, Span, Zipped},
};

/// A recipe from a part of a span to a std iterator over the items that come of it.
///
/// Each adapter wraps the iterator in the std adapter of its name, so a worker's loop is the loop
/// that the compiler would have made for the serial chain.
pub trait Leaf<S: Span>: Sealed + Sync {
    /// What comes out.
    type Item;

    /// Whether each row gives one item ([`Exact`]) or perhaps none or many ([`Inexact`]).
    type Count: Count;

    /// The items of this part.
    #[doc(hidden)]
    fn iter(&self, part: S) -> impl Iterator<Item = Self::Item>;
}

/// A leaf that also runs from its end.
#[diagnostic::on_unimplemented(
    message = "this chain cannot run from its end",
    label = "needs a chain in which every row of the source gives exactly one item",
    note = "after `filter`, `filter_map`, `flat_map`, `flatten` or `skip_while` rows are no items: call `rev` before those, or go on from the collected items: `.collect::<Vec<_>>().into_iter().par(&pool).rev()`"
)]
pub trait BackLeaf<S: Span>: Leaf<S, Count = Exact> {
    /// The items of this part, last first.
    #[doc(hidden)]
    fn iter_back(&self, part: S) -> impl Iterator<Item = Self::Item>;
}

/// How many items a row gives.
pub trait Count: Sealed {
    #[doc(hidden)]
    const EXACT: bool;

    /// The count of two chains in a row.
    #[doc(hidden)]
    type And<C: Count>: Count;
}

/// One item for each row.
#[derive(Debug)]
pub enum Exact {}

/// Perhaps none or many items for each row.
#[derive(Debug)]
pub enum Inexact {}

impl Sealed for Exact {}
impl Sealed for Inexact {}

impl Count for Exact {
    const EXACT: bool = true;
    type And<C: Count> = C;
}

impl Count for Inexact {
    const EXACT: bool = false;
    type And<C: Count> = Self;
}

/// The rows as they are.
#[derive(Clone, Copy, Debug)]
pub struct Rows;

impl Sealed for Rows {}

impl<S: Span + IntoIterator> Leaf<S> for Rows {
    type Item = S::Item;
    type Count = Exact;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = Self::Item> {
        part.into_iter()
    }
}

impl<S: Span + IntoIterator<IntoIter: DoubleEndedIterator>> BackLeaf<S> for Rows {
    #[inline]
    fn iter_back(&self, part: S) -> impl Iterator<Item = Self::Item> {
        part.into_iter().rev()
    }
}

/// A leaf and a function over what comes out of it.
#[derive(Clone, Debug)]
pub struct Map<L, F>(pub(crate) L, pub(crate) F);

impl<L, F> Sealed for Map<L, F> {}

impl<S: Span, L: Leaf<S>, R, F: Fn(L::Item) -> R + Sync> Leaf<S> for Map<L, F> {
    type Item = R;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = R> {
        self.0.iter(part).map(&self.1)
    }
}

impl<S: Span, L: BackLeaf<S>, R, F: Fn(L::Item) -> R + Sync> BackLeaf<S> for Map<L, F> {
    #[inline]
    fn iter_back(&self, part: S) -> impl Iterator<Item = R> {
        self.0.iter_back(part).map(&self.1)
    }
}

/// A leaf without the items that a predicate rejects.
#[derive(Clone, Debug)]
pub struct Filter<L, P>(pub(crate) L, pub(crate) P);

impl<L, P> Sealed for Filter<L, P> {}

impl<S: Span, L: Leaf<S>, P: Fn(&L::Item) -> bool + Sync> Leaf<S> for Filter<L, P> {
    type Item = L::Item;
    type Count = Inexact;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = L::Item> {
        self.0.iter(part).filter(&self.1)
    }
}

/// A leaf with the items for which a function gives `Some`.
#[derive(Clone, Debug)]
pub struct FilterMap<L, F>(pub(crate) L, pub(crate) F);

impl<L, F> Sealed for FilterMap<L, F> {}

impl<S: Span, L: Leaf<S>, R, F: Fn(L::Item) -> Option<R> + Sync> Leaf<S> for FilterMap<L, F> {
    type Item = R;
    type Count = Inexact;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = R> {
        self.0.iter(part).filter_map(&self.1)
    }
}

/// A leaf in which each item becomes many.
#[derive(Clone, Debug)]
pub struct FlatMap<L, F>(pub(crate) L, pub(crate) F);

impl<L, F> Sealed for FlatMap<L, F> {}

impl<S: Span, L: Leaf<S>, R: IntoIterator, F: Fn(L::Item) -> R + Sync> Leaf<S> for FlatMap<L, F> {
    type Item = R::Item;
    type Count = Inexact;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = R::Item> {
        self.0.iter(part).flat_map(&self.1)
    }
}

/// A leaf that shows each item to a function.
#[derive(Clone, Debug)]
pub struct Inspect<L, F>(pub(crate) L, pub(crate) F);

impl<L, F> Sealed for Inspect<L, F> {}

impl<S: Span, L: Leaf<S>, F: Fn(&L::Item) + Sync> Leaf<S> for Inspect<L, F> {
    type Item = L::Item;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = L::Item> {
        self.0.iter(part).inspect(&self.1)
    }
}

impl<S: Span, L: BackLeaf<S>, F: Fn(&L::Item) + Sync> BackLeaf<S> for Inspect<L, F> {
    #[inline]
    fn iter_back(&self, part: S) -> impl Iterator<Item = L::Item> {
        self.0.iter_back(part).inspect(&self.1)
    }
}

/// A leaf of references, copied.
#[derive(Clone, Debug)]
pub struct Copied<L>(pub(crate) L);

impl<L> Sealed for Copied<L> {}

impl<'a, S: Span, T: Copy + 'a, L: Leaf<S, Item = &'a T>> Leaf<S> for Copied<L> {
    type Item = T;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = T> {
        self.0.iter(part).copied()
    }
}

impl<'a, S: Span, T: Copy + 'a, L: BackLeaf<S, Item = &'a T>> BackLeaf<S> for Copied<L> {
    #[inline]
    fn iter_back(&self, part: S) -> impl Iterator<Item = T> {
        self.0.iter_back(part).copied()
    }
}

/// A leaf of references, cloned.
#[derive(Clone, Debug)]
pub struct Cloned<L>(pub(crate) L);

impl<L> Sealed for Cloned<L> {}

impl<'a, S: Span, T: Clone + 'a, L: Leaf<S, Item = &'a T>> Leaf<S> for Cloned<L> {
    type Item = T;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = T> {
        self.0.iter(part).cloned()
    }
}

impl<'a, S: Span, T: Clone + 'a, L: BackLeaf<S, Item = &'a T>> BackLeaf<S> for Cloned<L> {
    #[inline]
    fn iter_back(&self, part: S) -> impl Iterator<Item = T> {
        self.0.iter_back(part).cloned()
    }
}

/// A leaf whose items carry their index.
#[derive(Clone, Debug)]
pub struct Enumerate<L>(pub(crate) L);

impl<L> Sealed for Enumerate<L> {}

// The chain asks for exact counts; to ask again here would only repeat its error at each later call.
impl<S: Span, L: Leaf<S>> Leaf<Numbered<S>> for Enumerate<L> {
    type Item = (usize, L::Item);
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: Numbered<S>) -> impl Iterator<Item = (usize, L::Item)> {
        // A count in a closure, not a zip with the indices: that would let a leaf which passes over
        // rows leave the last ones out, and keeps a second counter that narrow indices do not fit.
        let mut next = part.indices().start;
        self.0.iter(part.span).map(move |item| {
            let at = next;
            next += 1;
            (at, item)
        })
    }
}

impl<S: Span, L: BackLeaf<S>> BackLeaf<Numbered<S>> for Enumerate<L> {
    #[inline]
    fn iter_back(&self, part: Numbered<S>) -> impl Iterator<Item = (usize, L::Item)> {
        let mut before = part.indices().end;
        self.0.iter_back(part.span).map(move |item| {
            before -= 1;
            (before, item)
        })
    }
}

/// Two leaves in step.
#[derive(Clone, Debug)]
pub struct Zip<L, M>(pub(crate) L, pub(crate) M);

impl<L, M> Sealed for Zip<L, M> {}

impl<A: Span, B: Span, L: Leaf<A>, M: Leaf<B>> Leaf<Zipped<A, B>> for Zip<L, M> {
    type Item = (L::Item, M::Item);
    type Count = <L::Count as Count>::And<M::Count>;

    #[inline]
    fn iter(&self, part: Zipped<A, B>) -> impl Iterator<Item = (L::Item, M::Item)> {
        self.0.iter(part.a).zip(self.1.iter(part.b))
    }
}

impl<A: Span, B: Span, L: BackLeaf<A>, M: BackLeaf<B>> BackLeaf<Zipped<A, B>> for Zip<L, M> {
    #[inline]
    fn iter_back(&self, part: Zipped<A, B>) -> impl Iterator<Item = (L::Item, M::Item)> {
        self.0.iter_back(part.a).zip(self.1.iter_back(part.b))
    }
}

/// One leaf, then another.
#[derive(Clone, Debug)]
pub struct Append<L, M>(pub(crate) L, pub(crate) M);

impl<L, M> Sealed for Append<L, M> {}

impl<A: Span, B: Span, L, M> Leaf<Appended<A, B>> for Append<L, M>
where
    L: Leaf<A>,
    M: Leaf<B, Item = L::Item>,
{
    type Item = L::Item;
    type Count = <L::Count as Count>::And<M::Count>;

    #[inline]
    fn iter(&self, part: Appended<A, B>) -> impl Iterator<Item = L::Item> {
        self.0.iter(part.a).chain(self.1.iter(part.b))
    }
}

impl<A: Span, B: Span, L, M> BackLeaf<Appended<A, B>> for Append<L, M>
where
    L: BackLeaf<A>,
    M: BackLeaf<B, Item = L::Item>,
{
    #[inline]
    fn iter_back(&self, part: Appended<A, B>) -> impl Iterator<Item = L::Item> {
        self.1.iter_back(part.b).chain(self.0.iter_back(part.a))
    }
}

/// A leaf run from its end.
#[derive(Clone, Debug)]
pub struct Rev<L>(pub(crate) L);

impl<L> Sealed for Rev<L> {}

impl<S: Span, L: BackLeaf<S>> Leaf<Reversed<S>> for Rev<L> {
    type Item = L::Item;
    type Count = Exact;

    #[inline]
    fn iter(&self, part: Reversed<S>) -> impl Iterator<Item = L::Item> {
        self.0.iter_back(part.0)
    }
}

impl<S: Span, L: BackLeaf<S>> BackLeaf<Reversed<S>> for Rev<L> {
    #[inline]
    fn iter_back(&self, part: Reversed<S>) -> impl Iterator<Item = L::Item> {
        self.0.iter(part.0)
    }
}
