//! Collections by value, and std's iterators, as the second source; chains that are cloned.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use spanwise::prelude::*;

use crate::backends;

#[test]
fn collections_by_value() {
    for pool in backends() {
        for n in [0, 1, 3, 64, 65, 1000_u32] {
            let text = || (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
            let zipped: Vec<_> = (0..n).par(pool).zip(text()).collect();
            assert!(zipped.into_iter().eq((0..n).zip(text())));
            let words = || text().into_iter().par(pool);
            let expected = |more: Vec<String>| [text(), more].concat();
            assert_eq!(words().chain(text()).collect::<Vec<_>>(), expected(text()));
            let some = || Some(String::from("one"));
            assert_eq!(words().chain(some()).collect::<Vec<_>>(), expected(vec![some().unwrap()]));
            assert_eq!(words().chain(None).collect::<Vec<_>>(), expected(vec![]));
            let good = || Ok::<_, u8>(String::from("good"));
            assert_eq!(words().chain(good()).count(), n as usize + 1);
            let boxed = text().into_boxed_slice();
            assert_eq!(words().chain(boxed).collect::<Vec<_>>(), expected(text()));
            let array = ["a", "b"].map(String::from);
            assert_eq!(
                words().chain(array.clone()).collect::<Vec<_>>(),
                expected(array.clone().into())
            );
            let mut deque = VecDeque::from(text());
            deque.rotate_left(n as usize / 3);
            let turned: Vec<_> = deque.iter().cloned().collect();
            assert_eq!(words().chain(deque).collect::<Vec<_>>(), expected(turned));
            let tree: BTreeSet<_> = text().into_iter().collect();
            let sorted: Vec<_> = tree.iter().cloned().collect();
            assert_eq!(words().chain(tree).collect::<Vec<_>>(), expected(sorted));
            let map: BTreeMap<u32, String> = (0..n).zip(text()).collect();
            let pairs: Vec<_> =
                (0..n).par(pool).zip(map.clone()).map(|(i, (k, _))| (i, k)).collect();
            assert!(pairs.into_iter().all(|(i, k)| i == k));
            let hashed: HashMap<u32, String> = map.into_iter().collect();
            let total: u32 = (0..n).par(pool).zip(hashed).map(|(_, (k, _))| k).sum();
            assert_eq!(total, (0..n).sum());
            assert!((0..n).par(pool).eq((0..n).collect::<Vec<_>>()));
            let woven: Vec<u32> = (0..n).par(pool).interleave(vec![7; 2]).collect();
            assert_eq!(woven.len(), n as usize + 2);
        }
    }
}

/// A clone of a chain is another call: with its own rows and its own states.
#[test]
fn chains_are_cloned() {
    for pool in backends() {
        let words: Vec<String> = (0..1000).map(|i: u32| i.to_string()).collect();
        let (least, text) = (1, String::from("!"));
        let owned = words.clone().into_iter().par(pool).map(|word| word + &text);
        assert_eq!(owned.clone().collect::<Vec<_>>(), owned.collect::<Vec<_>>());
        let states = words.par(pool).skip(1).map_init(Vec::<u8>::new, |seen, word| {
            seen.extend(word.as_bytes());
            word.len()
        });
        let twice = [states.clone().sum::<usize>(), states.sum::<usize>()];
        assert_eq!(twice, [2889; 2]);
        let sparse =
            (0..500_u32).par(pool).filter(|x| x % 3 == least).skip(2).take_while(|x| *x < 90);
        let sparse = sparse.enumerate().zip(&words).chain((0..3).par(pool).zip(0..3).zip(&words));
        assert_eq!(sparse.clone().map(|((_, x), _)| x).collect::<Vec<_>>(), {
            let some = (0..500).filter(|x| x % 3 == 1).skip(2).take_while(|x| *x < 90);
            some.chain(0..3).collect::<Vec<u32>>()
        });
        assert_eq!(sparse.clone().count(), sparse.count());
        let sums = (1..=9_u32).par(pool).max_threads(2).scan_exclusive(0, |x, y| x + y).rev();
        assert_eq!(sums.clone().collect::<Vec<_>>(), sums.collect::<Vec<_>>());
        assert_eq!(format!("{:?}", words.par(pool).map(String::len)), "Chain { .. }");
    }
}
