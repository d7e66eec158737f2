//! Items by key: `counts_by_key` and `group_by_key`. In comes a chain, out comes a map.
//!
//! A thread fills one map for many leaves. Two neighbours become one map when they have far fewer keys
//! than items, so that this costs less than their items did; else the maps wait, and are merged in
//! order at the end: with mostly different keys each would be moved again at every merge. A thread that
//! finds such keys fills no further map but keeps keyed items, which go into the answer's at the end: to
//! move a map's groups costs as much as to make them.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    marker::PhantomData,
};

use crate::{chain::Chain, control::Control, input::Input, leaf::Leaf, terminal::Terminal};

/// Items for each key, from which on two maps are merged early.
const DENSE: usize = 8;

/// After so many items a map shows how many keys there are.
const TELLING: usize = 1 << 14;

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

/// What has come of some items in a row.
enum Piece<K, T, G> {
    /// Their groups, and how many items they were.
    Groups(HashMap<K, G>, usize),
    /// The items themselves: most have keys of their own.
    Loose(Vec<(K, T)>),
}

impl<K: Eq + Hash, T, G: Group<T>> Piece<K, T, G> {
    /// Whether more items would mostly have known keys, as far as can be seen.
    fn takes_more(&self) -> bool {
        match self {
            Self::Groups(map, items) => *items < TELLING || map.len() <= items / DENSE,
            Self::Loose(_) => true,
        }
    }

    /// Takes items over, under its own keys where they are equal, and counts them.
    #[inline]
    fn insert(map: &mut HashMap<K, G>, items: impl Iterator<Item = (K, T)>) -> usize {
        let mut count = 0;
        items.for_each(|(key, item)| {
            map.entry(key).or_default().add(item);
            count += 1;
        });
        count
    }

    /// Takes the groups of items that follow over, likewise.
    fn append(left: &mut HashMap<K, G>, right: HashMap<K, G>) {
        // As std's `extend` does: half of the keys may be known.
        left.reserve(right.len().div_ceil(2));
        for (key, group) in right {
            match left.entry(key) {
                Entry::Occupied(mut left) => left.get_mut().append(group),
                Entry::Vacant(place) => {
                    place.insert(group);
                }
            }
        }
    }

    /// Both as one, if there are far fewer keys than items.
    fn join(self, right: Self) -> (Self, Option<Self>) {
        match (self, right) {
            (Self::Groups(mut map, items), Self::Groups(others, more))
                if map.len() + others.len() <= (items + more) / DENSE =>
            {
                Self::append(&mut map, others);
                (Self::Groups(map, items + more), None)
            }
            (left, right) => (left, Some(right)),
        }
    }
}

fn merged<K: Eq + Hash, T, G: Group<T>>(pieces: Vec<Piece<K, T, G>>) -> HashMap<K, G> {
    let mut all = HashMap::new();
    for piece in pieces {
        match piece {
            Piece::Groups(map, _) if all.is_empty() => all = map,
            Piece::Groups(map, _) => Piece::append(&mut all, map),
            Piece::Loose(items) => {
                Piece::insert(&mut all, items.into_iter());
            }
        }
    }
    all
}

struct Grouping<G, T, F> {
    keyed: F,
    group: PhantomData<fn(T) -> G>,
}

impl<G, T, F> Grouping<G, T, F> {
    fn new(keyed: F) -> Self {
        Self { keyed, group: PhantomData }
    }
}

impl<V, K, T, G, F> Terminal<V> for Grouping<G, T, F>
where
    K: Eq + Hash + Send,
    T: Send,
    G: Group<T>,
    F: Fn(V) -> (K, T) + Sync,
{
    type Partial = Vec<Piece<K, T, G>>;

    fn run(&self, at: usize, items: impl Iterator<Item = V>) -> Self::Partial {
        self.run_on(vec![Piece::Groups(HashMap::new(), 0)], at, items)
    }

    fn merge(&self, mut left: Self::Partial, right: Self::Partial) -> Self::Partial {
        let mut right = right.into_iter();
        if let (Some(near), Some(next)) = (left.pop(), right.next()) {
            let (near, next) = near.join(next);
            left.push(near);
            left.extend(next);
        }
        left.extend(right);
        left
    }

    fn run_on(
        &self,
        mut left: Self::Partial,
        _: usize,
        items: impl Iterator<Item = V>,
    ) -> Self::Partial {
        if !left.last().is_some_and(Piece::takes_more) {
            left.push(Piece::Loose(Vec::new()));
        }
        let items = items.map(&self.keyed);
        match left.last_mut() {
            Some(Piece::Groups(map, count)) => {
                *count += Piece::insert(map, items);
            }
            Some(Piece::Loose(loose)) => loose.extend(items),
            None => {}
        }
        left
    }
}
