//! `collect` and `collect_into`. In comes a chain, out comes a collection with its items in input
//! order; [`FromChain`] says what can be collected.

use std::{
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    hash::{BuildHasher, Hash},
    mem,
    rc::Rc,
    sync::Arc,
};

use spanwise_backend::Backend;

use crate::{
    attempt::attempt,
    chain::Chain,
    fill::fill,
    gather::Gather,
    leaf::{Count, Leaf},
    span::Span,
};

/// What a chain of `T` can be collected into: what std's `FromIterator` gives, and the same value.
pub trait FromChain<T>: Sized {
    /// Runs the chain and collects.
    fn from_chain<S, L, B>(chain: Chain<'_, S, L, B>) -> Self
    where
        S: Span,
        L: Leaf<S, Item = T>,
        B: Backend;
}

impl<S: Span, L: Leaf<S>, B: Backend> Chain<'_, S, L, B> {
    /// Collects the items, in input order.
    ///
    /// Vectors of chains with an exact length are written in place, once; after `filter` and the like
    /// each item moves once more. Maps and sets insert in input order, so a later key wins as it does
    /// in std. `Result` and `Option` give the first error in input order and stop the rest.
    ///
    /// # Panics
    ///
    /// As std if there is no memory for that many items.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let numbers: Result<Vec<i32>, _> = ["1", "x", "y"].par(&pool).map(|s| s.parse()).collect();
    /// assert_eq!(numbers, "x".parse::<i32>().map(|_| vec![]));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn collect<C: FromChain<L::Item>>(self) -> C {
        C::from_chain(self)
    }

    /// Appends the items to `vec`, in input order, and gives it back. A panic leaves it as it was.
    pub fn collect_into(self, vec: &mut Vec<L::Item>) -> &mut Vec<L::Item>
    where
        L::Item: Send,
    {
        if L::Count::EXACT {
            fill(self, vec);
        } else {
            append(self.whole(&Gather::new()), vec);
        }
        vec
    }
}

/// Moves each item once more, to where it belongs.
fn append<T>(mut pieces: Vec<Vec<T>>, vec: &mut Vec<T>) {
    if vec.capacity() == 0 && pieces.len() == 1 {
        mem::swap(vec, &mut pieces[0]);
        return;
    }
    vec.reserve(pieces.iter().map(Vec::len).sum());
    for mut piece in pieces {
        vec.append(&mut piece);
    }
}

impl<T: Send> FromChain<T> for Vec<T> {
    fn from_chain<S, L, B>(chain: Chain<'_, S, L, B>) -> Self
    where
        S: Span,
        L: Leaf<S, Item = T>,
        B: Backend,
    {
        let mut vec = Self::new();
        chain.collect_into(&mut vec);
        vec
    }
}

/// Text is made in pieces and joined: of characters, strings, and whatever else std makes it of.
impl<T> FromChain<T> for String
where
    Self: FromIterator<T> + Extend<T>,
{
    fn from_chain<S, L, B>(chain: Chain<'_, S, L, B>) -> Self
    where
        S: Span,
        L: Leaf<S, Item = T>,
        B: Backend,
    {
        let mut pieces = chain.whole(&Gather::<Self>::new());
        if pieces.len() == 1 { pieces.remove(0) } else { pieces.concat() }
    }
}

impl FromChain<()> for () {
    fn from_chain<S, L, B>(chain: Chain<'_, S, L, B>)
    where
        S: Span,
        L: Leaf<S, Item = ()>,
        B: Backend,
    {
        chain.for_each(|()| ());
    }
}

/// The collections whose own order or shape std decides: gathered in parallel, made by std.
macro_rules! by_std {
    ($([$($generics:tt)*] $collection:ty, $item:ty;)*) => {$(
        impl<$($generics)*> FromChain<$item> for $collection {
            fn from_chain<S, L, B>(chain: Chain<'_, S, L, B>) -> Self
            where
                S: Span,
                L: Leaf<S, Item = $item>,
                B: Backend,
            {
                chain.collect::<Vec<$item>>().into_iter().collect()
            }
        }
    )*};
}

by_std! {
    [T: Send] Box<[T]>, T;
    [T: Send] Rc<[T]>, T;
    [T: Send] Arc<[T]>, T;
    [T: Send] VecDeque<T>, T;
    [T: Send] LinkedList<T>, T;
    [T: Send + Ord] BinaryHeap<T>, T;
    [T: Send + Ord] BTreeSet<T>, T;
    [T: Send + Eq + Hash, H: BuildHasher + Default] HashSet<T, H>, T;
    [K: Send + Ord, V: Send] BTreeMap<K, V>, (K, V);
    [K: Send + Eq + Hash, V: Send, H: BuildHasher + Default] HashMap<K, V, H>, (K, V);
}

impl<C: FromChain<T>, T, E: Send> FromChain<Result<T, E>> for Result<C, E> {
    fn from_chain<S, L, B>(chain: Chain<'_, S, L, B>) -> Self
    where
        S: Span,
        L: Leaf<S, Item = Result<T, E>>,
        B: Backend,
    {
        attempt(chain, |good| C::from_chain(good))
    }
}

impl<C: FromChain<T>, T> FromChain<Option<T>> for Option<C> {
    fn from_chain<S, L, B>(chain: Chain<'_, S, L, B>) -> Self
    where
        S: Span,
        L: Leaf<S, Item = Option<T>>,
        B: Backend,
    {
        attempt(chain, |good| C::from_chain(good)).ok()
    }
}
