//! Collections by value as the second source of `zip`, `chain` and their kin. In comes a collection, out
//! come its rows. `.par` does not take them so: on a variable it borrows, as rayon's `par_iter` does.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};

use crate::{chain::Other, leaf::Rows, source::Source};

macro_rules! given {
    ($([$($generics:tt)*] $collection:ty;)*) => {$(
        /// The rows of its `into_iter()`.
        impl<$($generics)*> Other for $collection {
            type Input = <<Self as IntoIterator>::IntoIter as Source>::Input;
            type Leaf = Rows;

            fn into_parts(self) -> (Self::Input, Rows) {
                (self.into_iter().into_input(), Rows)
            }
        }
    )*};
}

given! {
    [T: Send] Vec<T>;
    [T: Send] Box<[T]>;
    [T: Send, const N: usize] [T; N];
    [T: Send] Option<T>;
    [T: Send, E] Result<T, E>;
    [T: Send] VecDeque<T>;
    [T: Send] LinkedList<T>;
    [T: Send] BinaryHeap<T>;
    [T: Send] BTreeSet<T>;
    [T: Send, H] HashSet<T, H>;
    [K: Send, V: Send] BTreeMap<K, V>;
    [K: Send, V: Send, H] HashMap<K, V, H>;
}
