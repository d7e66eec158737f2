//! Items by key: `counts_by_key` and `group_by_key`. In comes a chain, out comes a map.
//!
//! A thread fills one map for many leaves. Two neighbours become one map when they have far fewer keys
//! than items, so that this costs less than their items did; else the maps wait, and are merged in
//! order at the end: with mostly different keys each would be moved again at every merge.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    marker::PhantomData,
};

use crate::{chain::Chain, control::Control, input::Input, leaf::Leaf, terminal::Terminal};

/// Items for each key, from which on two maps are merged early.
const DENSE: usize = 8;

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// How many items have each key.
    ///
    /// Of equal keys the map keeps the first in input order, as a loop with `entry` does. A panic of
    /// `key` or its `Hash` or `Eq` reaches the caller. The cost is one look-up an item and one more
    /// for each key of each thread's maps.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let counts = ["a", "bb", "cc", "d", "e"].par(&pool).counts_by_key(|text| text.len());
    /// assert_eq!(counts, [(1, 3), (2, 2)].into());
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn counts_by_key<K, F>(self, key: F) -> C::Out<HashMap<K, usize>>
    where
        K: Eq + Hash + Send,
        F: Fn(L::Item) -> K + Sync,
    {
        self.whole(&Grouping::new(|item| (key(item), ())), merged)
    }

    /// The items that have each key, in input order.
    ///
    /// Of equal keys the map keeps the first in input order, as a loop with `entry` does. A panic of
    /// `key` or its `Hash` or `Eq` reaches the caller and every item is dropped once. The cost is one
    /// look-up an item, and a move of each group when maps are merged.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let groups = (0..7).par(&pool).group_by_key(|i| i % 3);
    /// assert_eq!(groups, [(0, vec![0, 3, 6]), (1, vec![1, 4]), (2, vec![2, 5])].into());
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn group_by_key<K, F>(self, key: F) -> C::Out<HashMap<K, Vec<L::Item>>>
    where
        L::Item: Send,
        K: Eq + Hash + Send,
        F: Fn(&L::Item) -> K + Sync,
    {
        self.whole(&Grouping::new(|item| (key(&item), item)), merged)
    }
}

/// What a map holds for a key.
trait Group<T>: Default + Send {
    fn add(&mut self, item: T);
    fn append(&mut self, right: Self);
}

/// Items that are only counted are nothing.
impl Group<()> for usize {
    #[inline]
    fn add(&mut self, (): ()) {
        *self += 1;
    }

    fn append(&mut self, right: Self) {
        *self += right;
    }
}

impl<T: Send> Group<T> for Vec<T> {
    #[inline]
    fn add(&mut self, item: T) {
        self.push(item);
    }

    fn append(&mut self, mut right: Self) {
        self.append(&mut right);
    }
}

/// The groups of some items in a row.
struct Groups<K, G> {
    map: HashMap<K, G>,
    items: usize,
}

impl<K: Eq + Hash, G> Groups<K, G> {
    fn is_dense_with(&self, right: &Self) -> bool {
        let keys = self.map.len() + right.map.len();
        keys <= (self.items + right.items) / DENSE
    }

    /// Takes over the groups of items that follow, under its own keys where they are equal.
    fn append<T>(mut self, right: Self) -> Self
    where
        G: Group<T>,
    {
        // As std's `extend` does: half of the keys may be known.
        self.map.reserve(right.map.len().div_ceil(2));
        for (key, group) in right.map {
            match self.map.entry(key) {
                Entry::Occupied(mut left) => left.get_mut().append(group),
                Entry::Vacant(place) => {
                    place.insert(group);
                }
            }
        }
        self.items += right.items;
        self
    }
}

fn merged<K: Eq + Hash, T, G: Group<T>>(pieces: Vec<Groups<K, G>>) -> HashMap<K, G> {
    let all = pieces.into_iter().reduce(Groups::append::<T>);
    all.map(|groups| groups.map).unwrap_or_default()
}

struct Grouping<G, T, F> {
    keyed: F,
    group: PhantomData<fn(T) -> G>,
}

impl<G, T, F> Grouping<G, T, F> {
    fn new(keyed: F) -> Self {
        Self { keyed, group: PhantomData }
    }

    #[inline]
    fn add<K, V>(&self, groups: &mut Groups<K, G>, items: impl Iterator<Item = V>)
    where
        K: Eq + Hash,
        G: Group<T>,
        F: Fn(V) -> (K, T),
    {
        items.for_each(|item| {
            let (key, item) = (self.keyed)(item);
            groups.map.entry(key).or_default().add(item);
            groups.items += 1;
        });
    }
}

impl<V, K, T, G, F> Terminal<V> for Grouping<G, T, F>
where
    K: Eq + Hash + Send,
    G: Group<T>,
    F: Fn(V) -> (K, T) + Sync,
{
    type Partial = Vec<Groups<K, G>>;

    fn run(&self, _: usize, items: impl Iterator<Item = V>) -> Self::Partial {
        let mut groups = Groups { map: HashMap::new(), items: 0 };
        self.add(&mut groups, items);
        vec![groups]
    }

    fn merge(&self, mut left: Self::Partial, right: Self::Partial) -> Self::Partial {
        let mut right = right.into_iter();
        if let (Some(near), Some(next)) = (left.pop(), right.next()) {
            if near.is_dense_with(&next) {
                left.push(near.append(next));
            } else {
                left.extend([near, next]);
            }
        }
        left.extend(right);
        left
    }

    fn run_on(
        &self,
        mut left: Self::Partial,
        at: usize,
        items: impl Iterator<Item = V>,
    ) -> Self::Partial {
        match left.last_mut() {
            None => self.run(at, items),
            Some(groups) => {
                self.add(groups, items);
                left
            }
        }
    }
}
