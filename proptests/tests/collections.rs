//! Every collection against what std collects from the same items, twice the same key among them.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    fmt::Debug,
    hash::{BuildHasherDefault, DefaultHasher},
    rc::Rc,
    sync::Arc,
};

use proptest::prelude::*;
use spanwise::{Par, collect::FromChain};
use spanwise_proptests::{
    backends::{pools, serial},
    generate::{check, grain, keep, rows, rows_of},
    program::Keep,
    shape::On,
};

type Hasher = BuildHasherDefault<DefaultHasher>;

/// Collects by std and on every pool, with an exact length and without, and compares what `show`
/// makes of both.
fn same<C, T, D>(items: &[T], keep: Keep, grain: Option<usize>, show: impl Fn(C) -> D)
where
    C: FromIterator<T> + FromChain<T>,
    T: Clone + Send + Sync,
    D: PartialEq + Debug,
{
    let of = |i: &usize| keep.of(*i as i64);
    let all = show(items.iter().cloned().collect());
    let some = show((0..items.len()).filter(of).map(|i| items[i].clone()).collect());
    for pool in pools() {
        let on = On { pool, grain };
        assert_eq!(show(on.of(items).cloned().collect()), all, "{pool:?}");
        let kept = on.of(0..items.len()).filter(of).map(|i| items[i].clone());
        assert_eq!(show(kept.collect()), some, "{pool:?}");
    }
}

#[test]
fn sequences() {
    check(48, (rows(), keep(), grain()), |(xs, keep, grain)| {
        same(&xs, keep, grain, |all: Vec<i64>| all);
        same(&xs, keep, grain, |all: Box<[i64]>| all);
        same(&xs, keep, grain, |all: Arc<[i64]>| all);
        same(&xs, keep, grain, |all: Rc<[i64]>| all);
        same(&xs, keep, grain, |all: VecDeque<i64>| all);
        same(&xs, keep, grain, |all: LinkedList<i64>| all);
        same(&xs, keep, grain, |all: BinaryHeap<i64>| all.into_sorted_vec());
        let units = vec![(); xs.len()];
        same(&units, keep, grain, |(): ()| ());
        same(&units, keep, grain, |all: Vec<()>| all.len());
    });
}

#[test]
fn sets_and_maps() {
    let pairs = rows_of((-9..9_i64, any::<u8>()));
    check(48, (rows(), pairs, keep(), grain()), |(xs, pairs, keep, grain)| {
        same(&xs, keep, grain, |all: BTreeSet<i64>| all);
        same(&xs, keep, grain, |all: HashSet<i64>| all);
        same(&xs, keep, grain, |all: HashSet<i64, Hasher>| all);
        same(&pairs, keep, grain, |all: BTreeMap<i64, u8>| all);
        same(&pairs, keep, grain, |all: HashMap<i64, u8>| all);
        // The same map, and made alike on every backend, so that it is walked in the same order.
        let walk = |pool| {
            let chain = On { pool, grain }.of(&pairs).copied().filter(|x| keep.of(x.0));
            chain.collect::<HashMap<i64, u8, Hasher>>().into_iter().collect::<Vec<_>>()
        };
        pools().for_each(|pool| assert_eq!(walk(pool), walk(serial()), "{pool:?}"));
    });
}

#[test]
fn text() {
    let words = rows_of("[aé☃]{0,3}".prop_map(String::from));
    check(48, (words, keep(), grain()), |(words, keep, grain)| {
        let chars: Vec<char> = words.concat().chars().collect();
        let slices: Vec<&str> = words.iter().map(String::as_str).collect();
        let boxes: Vec<Box<str>> = slices.iter().map(|&word| word.into()).collect();
        let cows: Vec<Cow<'_, str>> = slices.iter().map(|&word| word.into()).collect();
        same(&chars, keep, grain, |all: String| all);
        same(&words, keep, grain, |all: String| all);
        same(&slices, keep, grain, |all: String| all);
        same(&boxes, keep, grain, |all: String| all);
        same(&cows, keep, grain, |all: String| all);
        let letters = chars.iter().collect::<Vec<_>>();
        same(&letters, keep, grain, |all: String| all);
    });
}

#[test]
fn results_and_options() {
    let tried = |x: &i64, bad: Keep| if bad.of(*x) { Err(*x) } else { Ok(*x) };
    check(48, (rows(), keep(), keep(), grain()), |(xs, keep, bad, grain)| {
        let results: Vec<Result<i64, i64>> = xs.iter().map(|x| tried(x, bad)).collect();
        let options: Vec<Option<i64>> = results.iter().map(|x| x.ok()).collect();
        same(&results, keep, grain, |all: Result<Vec<i64>, i64>| all);
        same(&results, keep, grain, |all: Result<BTreeSet<i64>, i64>| all);
        same(&options, keep, grain, |all: Option<Box<[i64]>>| all);
        let texts: Vec<Result<String, i64>> =
            results.iter().map(|x| x.map(|x| x.to_string())).collect();
        same(&texts, keep, grain, |all: Result<String, i64>| all);
        let pairs: Vec<Option<(i64, usize)>> =
            options.iter().enumerate().map(|(i, x)| x.map(|x| (x, i))).collect();
        same(&pairs, keep, grain, |all: Option<HashMap<i64, usize>>| all);
        let units: Vec<Result<(), i64>> = results.iter().map(|x| x.map(drop)).collect();
        same(&units, keep, grain, |all: Result<(), i64>| all);
    });
}

#[test]
fn collect_into_appends() {
    let input = (rows(), rows(), 0..9_usize, keep(), grain());
    check(96, input, |(before, xs, room, keep, grain)| {
        let expected: Vec<i64> = before.iter().chain(&xs).copied().collect();
        let kept = xs.iter().filter(|&&x| keep.of(x)).copied();
        let twice: Vec<i64> = expected.iter().copied().chain(kept).collect();
        for pool in pools() {
            let on = On { pool, grain };
            let mut all = Vec::with_capacity(before.len() + room);
            all.extend(&before);
            let given = on.of(&xs).copied().collect_into(&mut all);
            given.shrink_to_fit();
            assert_eq!(all, expected, "{pool:?}");
            on.of(&xs).copied().filter(|&x| keep.of(x)).collect_into(&mut all);
            assert_eq!(all, twice, "{pool:?}");
        }
    });
}

/// Room that is there is used: a buffer filled again and again stays where it is.
#[test]
fn collect_into_keeps_a_buffer() {
    for pool in pools() {
        let mut all = Vec::with_capacity(5000);
        let place = all.as_ptr();
        for _ in 0..3 {
            all.clear();
            (0..5000_u32).par(pool).collect_into(&mut all);
            assert!(all.iter().copied().eq(0..5000) && all.as_ptr() == place, "{pool:?}");
        }
    }
}
