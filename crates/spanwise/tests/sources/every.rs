//! The sources that std's iterators name.

use std::{
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    iter,
    ops::Bound,
};

use crate::{
    LENGTHS, backends,
    same::{same, same_by_index},
};

#[test]
fn slices() {
    for pool in backends() {
        for n in LENGTHS {
            let rows: Vec<u32> = (0..n as u32).collect();
            let boxed = rows.clone().into_boxed_slice();
            same_by_index(pool, "&Box", || &boxed);
            same_by_index(pool, "Box::into_iter", || boxed.clone().into_iter());
            for k in [1, 2, 7, 64] {
                same_by_index(pool, "chunks", || rows.chunks(k));
                same_by_index(pool, "chunks_exact", || rows.chunks_exact(k));
                same_by_index(pool, "rchunks", || rows.rchunks(k));
                same_by_index(pool, "rchunks_exact", || rows.rchunks_exact(k));
            }
            same_by_index(pool, "windows", || rows.windows(3));
            same_by_index(pool, "chunk_by", || rows.chunk_by(|x, y| x / 5 == y / 5));
        }
    }
}

#[test]
fn adapted_iterators() {
    for pool in backends() {
        for n in LENGTHS {
            let rows: Vec<u32> = (0..n as u32).collect();
            let end = n as u32;
            same_by_index(pool, "copied", || rows.iter().copied());
            same_by_index(pool, "rev", || rows.iter().rev());
            same_by_index(pool, "rev of a range", || (0..end).rev());
            same_by_index(pool, "rev up to the end", || (0..=end).rev());
            same_by_index(pool, "skip", || rows.iter().skip(2));
            same_by_index(pool, "take", || rows.iter().copied().take(70));
            same_by_index(pool, "enumerate", || rows.windows(2).enumerate());
            same_by_index(pool, "step_by", || rows.iter().step_by(3));
            same_by_index(pool, "step_by of chunks", || rows.chunks(2).step_by(3));
            same_by_index(pool, "all at once", || {
                rows.iter().copied().rev().skip(1).step_by(2).take(400).enumerate().rev()
            });
            let mut begun = rows.iter().step_by(3).enumerate();
            begun.next();
            begun.next_back();
            same_by_index(pool, "an iterator that has begun", || begun.clone());
            same_by_index(pool, "bytes", || "some bytes to go through".bytes().take(n));
        }
    }
}

#[test]
fn deques_heaps_and_lists() {
    for pool in backends() {
        for n in LENGTHS {
            // One that wraps and one that does not.
            let mut wrapped: VecDeque<u32> = (n as u32 / 3..n as u32).collect();
            (0..n as u32 / 3).rev().for_each(|x| wrapped.push_front(x));
            for rows in [wrapped, (0..n as u32).collect()] {
                same_by_index(pool, "&VecDeque", || &rows);
                same_by_index(pool, "VecDeque::iter", || rows.iter());
                same_by_index(pool, "VecDeque::into_iter", || rows.clone().into_iter());
                same_by_index(pool, "VecDeque::iter().rev()", || rows.iter().rev());
            }
            let heap: BinaryHeap<usize> = (0..n).map(|i| i * 7919 % 1009).collect();
            same_by_index(pool, "&BinaryHeap", || &heap);
            same_by_index(pool, "BinaryHeap::iter", || heap.iter());
            same_by_index(pool, "BinaryHeap::into_iter", || heap.clone().into_iter());
            let list: LinkedList<usize> = (0..n).collect();
            same_by_index(pool, "&LinkedList", || &list);
            same_by_index(pool, "LinkedList::into_iter", || list.clone().into_iter());
        }
    }
}

#[test]
fn maps_and_sets() {
    for pool in backends() {
        for n in [0, 1, 3, 64, 1000] {
            let hash: HashMap<usize, String> = (0..n).map(|i| (i, i.to_string())).collect();
            same_by_index(pool, "&HashMap", || &hash);
            same_by_index(pool, "HashMap::iter", || hash.iter());
            same_by_index(pool, "HashMap::keys", || hash.keys());
            same_by_index(pool, "HashMap::values", || hash.values());
            let hashed: HashSet<usize> = (0..n).collect();
            same_by_index(pool, "&HashSet", || &hashed);
            same_by_index(pool, "HashSet::iter", || hashed.iter());
            let tree: BTreeMap<usize, String> = (0..n).map(|i| (i, i.to_string())).collect();
            same_by_index(pool, "&BTreeMap", || &tree);
            same_by_index(pool, "BTreeMap::iter", || tree.iter());
            same_by_index(pool, "BTreeMap::keys", || tree.keys());
            same_by_index(pool, "BTreeMap::values", || tree.values());
            same_by_index(pool, "BTreeMap::range", || tree.range(1..));
            same_by_index(pool, "BTreeMap::into_iter", || tree.clone().into_iter());
            same_by_index(pool, "BTreeMap::into_keys", || tree.clone().into_keys());
            same_by_index(pool, "BTreeMap::into_values", || tree.clone().into_values());
            let set: BTreeSet<usize> = (0..n).collect();
            same_by_index(pool, "&BTreeSet", || &set);
            same_by_index(pool, "BTreeSet::iter", || set.iter());
            same_by_index(pool, "BTreeSet::into_iter", || set.clone().into_iter());
            same_by_index(pool, "BTreeSet::range", || {
                set.range((Bound::Excluded(2), Bound::Unbounded))
            });
        }
    }
}

#[test]
fn options_results_and_rows_of_no_size() {
    for pool in backends() {
        for option in [None, Some(5)] {
            same_by_index(pool, "&Option", || &option);
            same_by_index(pool, "Option::iter", || option.iter());
            same_by_index(pool, "Option::into_iter", || option.into_iter());
            let result = option.ok_or("none");
            same_by_index(pool, "&Result", || &result);
            same_by_index(pool, "Result::iter", || result.iter());
            same_by_index(pool, "Result::into_iter", || result.into_iter());
        }
        same_by_index(pool, "once", || iter::once("one"));
        same_by_index(pool, "empty", iter::empty::<u8>);
        for n in LENGTHS {
            same_by_index(pool, "repeat_n", || iter::repeat_n("again", n));
        }
        for n in [0, 1, 5] {
            same_by_index(pool, "rows of no size", || vec![(); n].into_iter());
            same_by_index(pool, "deque of no size", || VecDeque::from(vec![(); n]).into_iter());
            let nothings = vec![(); n];
            same_by_index(pool, "chunks of no size", || nothings.chunks(2));
        }
        // Characters are not counted beforehand.
        same(pool, "chars", || "aé中😀".chars());
    }
}
