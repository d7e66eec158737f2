//! Sources whose inside std hides: maps, sets, lists, and iterators that give no way to cut their rest.
//! In comes such an iterator, out goes a span of what it gave, gathered by the calling thread when a
//! terminal is called; deques, whose inside std shows, stay where they are.

use std::{
    collections::{
        BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque, binary_heap,
        btree_map, btree_set, hash_map, hash_set, linked_list, vec_deque,
    },
    option, result, slice, vec,
};

use crate::{
    control::{Control, Stopped},
    input::Input,
    leaf::Exact,
    owned::Owned,
    source::Source,
    span::Appended,
};

/// Items that are gathered before the chain runs, because std hides where they lie.
///
/// The calling thread walks the iterator once, when a terminal is called, and keeps the items in a
/// vector until the chain has used them: references of maps and sets, the items themselves of what
/// gives them by value. That is one serial pass, so it pays where a row costs more than a step of
/// the walk; where it does not, or an answer may come early, `par_bridge` walks no further than needed.
#[derive(Debug)]
pub struct Hidden<I>(I);

impl<I: IntoIterator<Item: Send>> Input for Hidden<I> {
    type Span = Owned<I::Item>;
    type Length = Exact;

    fn open<C: Control>(self, _: &C) -> Result<Self::Span, Stopped> {
        Ok(Owned::from(self.0.into_iter().collect::<Vec<_>>()))
    }
}

macro_rules! hidden {
    ($([$($generics:tt)*] $iter:ty;)*) => {$(
        /// Gathered first, in one serial pass: std hides the inside. See [`Hidden`].
        impl<$($generics)*> Source for $iter {
            type Input = Hidden<Self>;

            fn into_input(self) -> Hidden<Self> {
                Hidden(self)
            }
        }
    )*};
}

hidden! {
    ['a, K: Sync, V: Sync, H] &'a HashMap<K, V, H>;
    ['a, K: Sync, V: Send, H] &'a mut HashMap<K, V, H>;
    ['a, K: Sync, V: Sync] hash_map::Iter<'a, K, V>;
    ['a, K: Sync, V: Send] hash_map::IterMut<'a, K, V>;
    ['a, K: Sync, V] hash_map::Keys<'a, K, V>;
    ['a, K, V: Sync] hash_map::Values<'a, K, V>;
    ['a, K, V: Send] hash_map::ValuesMut<'a, K, V>;
    ['a, K: Send, V: Send] hash_map::Drain<'a, K, V>;
    [K: Send, V: Send] hash_map::IntoIter<K, V>;
    [K: Send, V] hash_map::IntoKeys<K, V>;
    [K, V: Send] hash_map::IntoValues<K, V>;

    ['a, T: Sync, H] &'a HashSet<T, H>;
    ['a, T: Sync] hash_set::Iter<'a, T>;
    ['a, T: Send] hash_set::Drain<'a, T>;
    [T: Send] hash_set::IntoIter<T>;

    ['a, K: Sync, V: Sync] &'a BTreeMap<K, V>;
    ['a, K: Sync, V: Send] &'a mut BTreeMap<K, V>;
    ['a, K: Sync, V: Sync] btree_map::Iter<'a, K, V>;
    ['a, K: Sync, V: Send] btree_map::IterMut<'a, K, V>;
    ['a, K: Sync, V] btree_map::Keys<'a, K, V>;
    ['a, K, V: Sync] btree_map::Values<'a, K, V>;
    ['a, K, V: Send] btree_map::ValuesMut<'a, K, V>;
    ['a, K: Sync, V: Sync] btree_map::Range<'a, K, V>;
    ['a, K: Sync, V: Send] btree_map::RangeMut<'a, K, V>;
    [K: Send, V: Send] btree_map::IntoIter<K, V>;
    [K: Send, V] btree_map::IntoKeys<K, V>;
    [K, V: Send] btree_map::IntoValues<K, V>;

    ['a, T: Sync] &'a BTreeSet<T>;
    ['a, T: Sync] btree_set::Iter<'a, T>;
    ['a, T: Sync] btree_set::Range<'a, T>;
    [T: Send] btree_set::IntoIter<T>;

    ['a, T: Sync] binary_heap::Iter<'a, T>;
    ['a, T: Send] binary_heap::Drain<'a, T>;
    [T: Send] binary_heap::IntoIter<T>;

    ['a, T: Sync] &'a LinkedList<T>;
    ['a, T: Send] &'a mut LinkedList<T>;
    ['a, T: Sync] linked_list::Iter<'a, T>;
    ['a, T: Send] linked_list::IterMut<'a, T>;
    [T: Send] linked_list::IntoIter<T>;

    ['a, T: Sync] &'a Option<T>;
    ['a, T: Send] &'a mut Option<T>;
    ['a, T: Sync] option::Iter<'a, T>;
    ['a, T: Send] option::IterMut<'a, T>;
    [T: Send] option::IntoIter<T>;

    ['a, T: Sync, E] &'a Result<T, E>;
    ['a, T: Send, E] &'a mut Result<T, E>;
    ['a, T: Sync] result::Iter<'a, T>;
    ['a, T: Send] result::IterMut<'a, T>;
    [T: Send] result::IntoIter<T>;

    ['a, T: Send] vec::Drain<'a, T>;
    ['a, T: Send] vec_deque::Drain<'a, T>;
    ['a, T: Send] vec_deque::IterMut<'a, T>;

    ['a, T: Sync, P: FnMut(&T, &T) -> bool] slice::ChunkBy<'a, T, P>;
    ['a, T: Send, P: FnMut(&T, &T) -> bool] slice::ChunkByMut<'a, T, P>;
}

/// The rows of a heap as they lie in it, in no order, as std's `iter` gives them.
impl<'a, T: Sync> Source for &'a BinaryHeap<T> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self.as_slice()
    }
}

/// Both halves of a deque, cut where they lie.
impl<'a, T: Send> Source for &'a mut VecDeque<T> {
    type Input = Appended<&'a mut [T], &'a mut [T]>;

    fn into_input(self) -> Self::Input {
        let (front, back) = self.as_mut_slices();
        Appended::new(front, back)
    }
}

/// Rows stay in the deque's buffer; where they wrap they are first turned to lie in a row.
impl<T: Send> Source for vec_deque::IntoIter<T> {
    type Input = Owned<T>;

    fn into_input(self) -> Self::Input {
        Owned::from(Vec::from(self.collect::<VecDeque<_>>()))
    }
}

/// Cut in place.
impl<'a, T: Sync> Source for &'a Box<[T]> {
    type Input = &'a [T];

    fn into_input(self) -> Self::Input {
        self
    }
}

/// Cut in place.
impl<'a, T: Send> Source for &'a mut Box<[T]> {
    type Input = &'a mut [T];

    fn into_input(self) -> Self::Input {
        self
    }
}
