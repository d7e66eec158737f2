//! Sources whose inside std hides: maps, sets, lists, and iterators that give no way to cut their rest.
//! In comes such an iterator, out go parts of what it gives, gathered when they are cut off; deques,
//! whose inside std shows, stay where they are.

use std::{
    array,
    collections::{
        BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque, binary_heap,
        btree_map, btree_set, hash_map, hash_set, linked_list, vec_deque,
    },
    iter, option, result, slice, vec,
};

use crate::{
    control::{Control, Stopped},
    input::Input,
    jumps::{Inner, Opens},
    leaf::Exact,
    owned::Owned,
    source::Source,
    span::{Appended, Span},
};

/// An iterator that std gives no way to cut, walked once by whoever cuts it.
///
/// A part that is cut off the front is gathered into a vector, in one serial pass, and what lies
/// behind waits in the iterator: a call on one thread gathers nothing, and one that stops early
/// gathers little. For other threads to help at all, items must be walked to and kept, which pays
/// where an item costs more than that. `xs.iter_mut().par(&pool).enumerate()` and
/// `xs.chunks_mut(n).par(&pool).enumerate()` gather nothing, unlike `.par` behind the `enumerate`. Where std does not tell how many there are (`ChunkBy`,
/// `Range` of the trees) all are gathered before the chain runs.
///
/// # Examples
///
/// ```
/// use spanwise::prelude::*;
/// use std::collections::BTreeMap;
///
/// let pool = spanwise::Pool::new(2)?;
/// let mut ages = BTreeMap::from([("Ada", 36), ("Alan", 41)]);
/// ages.values_mut().par(&pool).for_each(|age| *age += 1);
/// let oldest = ages.par(&pool).max_by_key(|(_, age)| **age);
/// assert_eq!(oldest, Some((&"Alan", &42)));
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hidden<I>(I);

impl<I: IntoIterator<Item: Send, IntoIter: Send>> Input for Hidden<I> {
    type Span = Walk<I::IntoIter>;
    type Length = Exact;

    fn open<C: Control>(self, _: &C) -> Result<Self::Span, Stopped> {
        let items = self.0.into_iter();
        let (least, most) = items.size_hint();
        if most == Some(least) {
            return Ok(Walk::Ahead(items, least));
        }
        Ok(Walk::Gathered(Owned::from(items.collect::<Vec<_>>())))
    }
}

/// Items still in their iterator, and how many, or gathered from it. A part is its own iterator.
#[derive(Clone, Debug)]
pub enum Walk<I: Iterator> {
    /// Nobody has walked here.
    Ahead(I, usize),
    /// Walked and kept.
    Gathered(Owned<I::Item>),
}

impl<I: Iterator<Item: Send> + Send> Span for Walk<I> {
    fn len(&self) -> usize {
        match self {
            Self::Ahead(_, rows) => *rows,
            Self::Gathered(items) => Span::len(items),
        }
    }

    fn cut(self, at: usize) -> (Self, Self) {
        match self {
            Self::Ahead(mut items, rows) => {
                assert!(at <= rows, "a cut at {at} is outside the items");
                let front: Vec<_> = items.by_ref().take(at).collect();
                (Self::Gathered(Owned::from(front)), Self::Ahead(items, rows - at))
            }
            Self::Gathered(items) => {
                let (front, back) = items.cut(at);
                (Self::Gathered(front), Self::Gathered(back))
            }
        }
    }
}

impl<I: Iterator> Iterator for Walk<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        match self {
            Self::Ahead(items, rows) => {
                *rows = rows.saturating_sub(1);
                items.next()
            }
            Self::Gathered(items) => items.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Ahead(items, _) => items.size_hint(),
            Self::Gathered(items) => items.size_hint(),
        }
    }

    #[inline]
    fn fold<A, F: FnMut(A, I::Item) -> A>(self, init: A, f: F) -> A {
        match self {
            Self::Ahead(items, _) => items.fold(init, f),
            Self::Gathered(items) => items.fold(init, f),
        }
    }
}

/// Many such iterators run forwards only, so what is read from its end is gathered first.
impl<I: Iterator> DoubleEndedIterator for Walk<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        if let Self::Ahead(items, _) = self {
            *self = Self::Gathered(Owned::from(items.collect::<Vec<_>>()));
        }
        match self {
            Self::Ahead(..) => None,
            Self::Gathered(items) => items.next_back(),
        }
    }
}

macro_rules! hidden {
    ($([$($generics:tt)*] $iter:ty;)*) => {$(
        /// Walked serially and gathered as far as other threads are to help: see [`Hidden`].
        impl<$($generics)*> Source for $iter {
            type Input = Hidden<Self>;

            fn into_input(self) -> Hidden<Self> {
                Hidden(self)
            }
        }
    )*};
}

hidden! {
    ['a, K, V, H] &'a HashMap<K, V, H>;
    ['a, K, V, H] &'a mut HashMap<K, V, H>;
    ['a, K, V] hash_map::Iter<'a, K, V>;
    ['a, K, V] hash_map::IterMut<'a, K, V>;
    ['a, K, V] hash_map::Keys<'a, K, V>;
    ['a, K, V] hash_map::Values<'a, K, V>;
    ['a, K, V] hash_map::ValuesMut<'a, K, V>;
    ['a, K, V] hash_map::Drain<'a, K, V>;
    [K, V] hash_map::IntoIter<K, V>;
    [K, V] hash_map::IntoKeys<K, V>;
    [K, V] hash_map::IntoValues<K, V>;

    ['a, T, H] &'a HashSet<T, H>;
    ['a, T] hash_set::Iter<'a, T>;
    ['a, T] hash_set::Drain<'a, T>;
    [T] hash_set::IntoIter<T>;

    ['a, K, V] &'a BTreeMap<K, V>;
    ['a, K, V] &'a mut BTreeMap<K, V>;
    ['a, K, V] btree_map::Iter<'a, K, V>;
    ['a, K, V] btree_map::IterMut<'a, K, V>;
    ['a, K, V] btree_map::Keys<'a, K, V>;
    ['a, K, V] btree_map::Values<'a, K, V>;
    ['a, K, V] btree_map::ValuesMut<'a, K, V>;
    ['a, K, V] btree_map::Range<'a, K, V>;
    ['a, K, V] btree_map::RangeMut<'a, K, V>;
    [K, V] btree_map::IntoIter<K, V>;
    [K, V] btree_map::IntoKeys<K, V>;
    [K, V] btree_map::IntoValues<K, V>;

    ['a, T] &'a BTreeSet<T>;
    ['a, T] btree_set::Iter<'a, T>;
    ['a, T] btree_set::Range<'a, T>;
    [T] btree_set::IntoIter<T>;

    ['a, T] binary_heap::Iter<'a, T>;
    ['a, T] binary_heap::Drain<'a, T>;
    [T] binary_heap::IntoIter<T>;

    ['a, T] &'a LinkedList<T>;
    ['a, T] &'a mut LinkedList<T>;
    ['a, T] linked_list::Iter<'a, T>;
    ['a, T] linked_list::IterMut<'a, T>;
    [T] linked_list::IntoIter<T>;

    ['a, T] &'a Option<T>;
    ['a, T] &'a mut Option<T>;
    ['a, T] option::Iter<'a, T>;
    ['a, T] option::IterMut<'a, T>;
    [T] option::IntoIter<T>;

    ['a, T, E] &'a Result<T, E>;
    ['a, T, E] &'a mut Result<T, E>;
    ['a, T] result::Iter<'a, T>;
    ['a, T] result::IterMut<'a, T>;
    [T] result::IntoIter<T>;

    [T] iter::Once<T>;
    [T] iter::Empty<T>;
    [T: Clone] iter::RepeatN<T>;

    ['a, T] vec_deque::Drain<'a, T>;
    ['a, T] vec_deque::IterMut<'a, T>;

    ['a, T, P: FnMut(&T, &T) -> bool] slice::ChunkBy<'a, T, P>;
    ['a, T, P: FnMut(&T, &T) -> bool] slice::ChunkByMut<'a, T, P>;
}

/// Adapters of it are walked and gathered too: no part of them would be an iterator alike.
#[derive(Debug)]
pub enum Walking {}

impl<I: Iterator> Opens<I> for Walking {
    type Input = Hidden<I>;

    fn open(iter: I) -> Hidden<I> {
        Hidden(iter)
    }
}

macro_rules! walked {
    ($([$($generics:tt)*] $iter:ty;)*) => {$(
        impl<$($generics)*> Inner for $iter {
            type Kind = Walking;
        }
    )*};
}

walked! {
    ['a, T] slice::IterMut<'a, T>;
    ['a, T] slice::ChunksMut<'a, T>;
    ['a, T] slice::ChunksExactMut<'a, T>;
    ['a, T] slice::RChunksMut<'a, T>;
    ['a, T] slice::RChunksExactMut<'a, T>;
    [T] vec::IntoIter<T>;
    ['a, T] vec::Drain<'a, T>;
    [T, const N: usize] array::IntoIter<T, N>;
    [T] vec_deque::IntoIter<T>;
    ['a, T] vec_deque::IterMut<'a, T>;
    ['a, T] vec_deque::Drain<'a, T>;
    ['a, K, V] hash_map::Iter<'a, K, V>;
    ['a, K, V] hash_map::IterMut<'a, K, V>;
    [K, V] hash_map::IntoIter<K, V>;
    ['a, T] hash_set::Iter<'a, T>;
    [T] hash_set::IntoIter<T>;
    ['a, K, V] btree_map::Iter<'a, K, V>;
    ['a, K, V] btree_map::IterMut<'a, K, V>;
    [K, V] btree_map::IntoIter<K, V>;
    ['a, T] btree_set::Iter<'a, T>;
    [T] btree_set::IntoIter<T>;
}

/// The rows of a heap as they lie in it, in no order, as std's `iter` gives them.
impl<'a, T> Source for &'a BinaryHeap<T> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self.as_slice()
    }
}

/// Both halves of a deque, cut where they lie.
impl<'a, T> Source for &'a mut VecDeque<T> {
    type Input = Appended<&'a mut [T], &'a mut [T]>;

    fn into_input(self) -> Self::Input {
        let (front, back) = self.as_mut_slices();
        Appended { a: front, b: back }
    }
}

/// Rows stay in the deque's buffer; where they wrap they are first turned to lie in a row.
impl<T> Source for vec_deque::IntoIter<T> {
    type Input = Owned<T>;

    fn into_input(self) -> Self::Input {
        Owned::from(Vec::from(self.collect::<VecDeque<_>>()))
    }
}

/// Cut in place.
impl<'a, T> Source for &'a Box<[T]> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

/// Cut in place.
impl<'a, T> Source for &'a mut Box<[T]> {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}
