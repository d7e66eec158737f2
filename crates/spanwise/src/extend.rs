//! `par_extend`: a chain's items into a collection that exists. In come a collection and a chain, out
//! comes the collection as std's `extend` would leave it; users import the trait with the prelude.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    ffi::OsString,
    hash::{BuildHasher, Hash},
    path::PathBuf,
};

use crate::{chain::Chain, control::Control, input::Input, leaf::Leaf};

/// Extends a collection by a chain's items, in input order.
///
/// The chain runs to its end before the collection is touched: a panic in it, or a stop after `until`
/// or `deadline`, leaves the collection as it was. A type of your own needs no more than
/// `impl ParExtend<T> for Mine {}` beside its `Extend`.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
/// use spanwise::prelude::*;
///
/// let pool = spanwise::Pool::new(2)?;
/// let mut rows = vec![1, 2];
/// rows.par_extend((3..6).par(&pool));
/// rows.par_extend([6, 7].par(&pool));
/// assert_eq!(rows, [1, 2, 3, 4, 5, 6, 7]);
///
/// let mut squares = HashMap::from([(2, 0)]);
/// squares.par_extend(rows.par(&pool).map(|&x| (x, x * x)));
/// assert_eq!((squares.len(), squares[&2]), (7, 4));
/// # Ok::<(), spanwise::PoolError>(())
/// ```
pub trait ParExtend<T: Send>: Extend<T> {
    /// Runs the chain and extends by its items.
    ///
    /// Vectors are written in place where an item comes of each row. Other collections are extended by
    /// std once all items have been gathered, so later keys win as they do in std. A panic in the
    /// chain reaches the caller.
    fn par_extend<I, L, C>(&mut self, chain: Chain<I, L, C>) -> C::Out<()>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        C::map(chain.collect::<Vec<T>>(), |items| self.extend(items))
    }
}

impl<T: Send> ParExtend<T> for Vec<T> {
    fn par_extend<I, L, C>(&mut self, chain: Chain<I, L, C>) -> C::Out<()>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        C::map(chain.collect_into(self), |_| ())
    }
}

impl<'a, T: Copy + Send + Sync + 'a> ParExtend<&'a T> for Vec<T> {
    fn par_extend<I, L, C>(&mut self, chain: Chain<I, L, C>) -> C::Out<()>
    where
        I: Input,
        L: Leaf<I::Span, Item = &'a T>,
        C: Control,
    {
        C::map(chain.copied().collect_into(self), |_| ())
    }
}

/// By characters, strings, and whatever else std extends text by.
impl<T: Send> ParExtend<T> for String
where
    Self: Extend<T> + FromIterator<T>,
{
    fn par_extend<I, L, C>(&mut self, chain: Chain<I, L, C>) -> C::Out<()>
    where
        I: Input,
        L: Leaf<I::Span, Item = T>,
        C: Control,
    {
        C::map(chain.collect::<Self>(), |text| {
            if self.capacity() == 0 {
                *self = text;
            } else {
                self.push_str(&text);
            }
        })
    }
}

impl ParExtend<()> for () {}
impl<T: Send> ParExtend<T> for PathBuf where Self: Extend<T> {}
impl<T: Send> ParExtend<T> for OsString where Self: Extend<T> {}
impl<'a, T: Send> ParExtend<T> for Cow<'a, str> where Self: Extend<T> {}
impl<T: Send> ParExtend<T> for VecDeque<T> {}
impl<'a, T: Copy + Sync + 'a> ParExtend<&'a T> for VecDeque<T> {}
impl<T: Send> ParExtend<T> for LinkedList<T> {}
impl<'a, T: Copy + Sync + 'a> ParExtend<&'a T> for LinkedList<T> {}
impl<T: Send + Ord> ParExtend<T> for BinaryHeap<T> {}
impl<'a, T: Copy + Sync + Ord + 'a> ParExtend<&'a T> for BinaryHeap<T> {}
impl<T: Send + Ord> ParExtend<T> for BTreeSet<T> {}
impl<'a, T: Copy + Sync + Ord + 'a> ParExtend<&'a T> for BTreeSet<T> {}
impl<K: Send + Ord, V: Send> ParExtend<(K, V)> for BTreeMap<K, V> {}
impl<'a, K, V> ParExtend<(&'a K, &'a V)> for BTreeMap<K, V>
where
    K: Copy + Sync + Ord + 'a,
    V: Copy + Sync + 'a,
{
}
impl<T: Send + Eq + Hash, H: BuildHasher> ParExtend<T> for HashSet<T, H> {}
impl<'a, T, H: BuildHasher> ParExtend<&'a T> for HashSet<T, H> where T: Copy + Sync + Eq + Hash + 'a {}
impl<K: Send + Eq + Hash, V: Send, H: BuildHasher> ParExtend<(K, V)> for HashMap<K, V, H> {}
impl<'a, K, V, H: BuildHasher> ParExtend<(&'a K, &'a V)> for HashMap<K, V, H>
where
    K: Copy + Sync + Eq + Hash + 'a,
    V: Copy + Sync + 'a,
{
}
/// Each half of a pair into its own collection.
impl<A: Send, B: Send, X: Extend<A>, Y: Extend<B>> ParExtend<(A, B)> for (X, Y) where
    (X, Y): Extend<(A, B)>
{
}
