//! Terminals that collect into more than one place, and into what exists.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    ffi::{OsStr, OsString},
    fmt::Debug,
    path::PathBuf,
    rc::Rc,
    sync::Arc,
};

use spanwise::{backend::Backend, collect::FromChain, prelude::*};

use super::*;

fn divisions(pool: &impl Backend) {
    each_case(|rows, grain| {
        let chain = || rows.par(pool).grain(grain).copied();
        let serial = || rows.iter().copied();
        let odd = |x: &i64| x % 2 != 0;
        type Two<T> = (Vec<T>, Vec<T>);
        let expected: Two<i64> = serial().partition(odd);
        assert_eq!(chain().partition(odd), expected);
        let (sets, deques): (BTreeSet<i64>, VecDeque<i64>) = chain().partition(odd);
        assert!(sets.into_iter().eq(BTreeSet::from_iter(expected.0)));
        assert!(deques.into_iter().eq(expected.1));

        let way = |x: i64| if x % 3 == 0 { Ok(x) } else { Err(x.to_string()) };
        let (numbers, texts): (Vec<i64>, Vec<String>) = chain().partition_map(way);
        assert!(numbers.into_iter().eq(serial().filter_map(|x| way(x).ok())));
        assert!(texts.into_iter().eq(serial().filter_map(|x| way(x).err())));

        let pair = |x: i64| (x.to_string(), x as f64 / 7.0);
        let expected: (Vec<_>, Vec<_>) = serial().map(pair).unzip();
        assert_eq!(chain().map(pair).unzip(), expected);
        let expected: (Vec<_>, Vec<_>) = serial().filter(odd).map(pair).unzip();
        assert_eq!(chain().filter(odd).map(pair).unzip(), expected);
        let (text, set): (String, HashSet<i64>) = chain().map(|x| (pair(x).0, x)).unzip();
        assert_eq!((text, set), serial().map(|x| (pair(x).0, x)).unzip());
        let (nothing, all): (Vec<()>, Vec<i64>) = chain().map(|x| ((), x)).unzip();
        assert_eq!((nothing.len(), all), (rows.len(), rows.to_vec()));
    });
}

#[test]
fn divided_items_keep_their_order() {
    on_every_backend!(divisions);
}

fn groups(pool: &impl Backend) {
    each_case(|rows, grain| {
        let tags = tagged(rows);
        for keys in [1, 7, 1_000_000] {
            let key = |tag: Tagged| Tagged((tag.0 * 7919 + tag.1 as i64) % keys, tag.1);
            let mut expected: HashMap<Tagged, Vec<Tagged>> = HashMap::new();
            tags.iter().for_each(|&tag| expected.entry(key(tag)).or_default().push(tag));
            let sorted = |map: HashMap<Tagged, Vec<Tagged>>| {
                let items = |items: Vec<Tagged>| items.into_iter().map(Tagged::both).collect();
                let map = map.into_iter().map(|(key, group)| (key.both(), items(group)));
                map.collect::<BTreeMap<_, Vec<_>>>()
            };
            let expected = sorted(expected);
            let chain = || tags.par(pool).grain(grain).copied();
            let counts = chain().counts_by_key(key);
            let counts: BTreeMap<_, _> = counts.into_iter().map(|(k, n)| (k.both(), n)).collect();
            let lengths = expected.iter().map(|(&key, group)| (key, group.len())).collect();
            assert_eq!(counts, lengths);
            assert_eq!(sorted(chain().group_by_key(|&tag| key(tag))), expected);
            let odd = |tag: &Tagged| tag.1 % 2 != 0;
            let odds = chain().filter(odd).group_by_key(|&tag| key(tag));
            assert_eq!(odds.into_values().map(|group| group.len()).sum::<usize>(), rows.len() / 2);
        }
    });
}

#[test]
fn groups_keep_the_order_and_the_first_key() {
    on_every_backend!(groups);
}

/// What `par_extend` leaves is what `extend` leaves.
fn extended<T, E>(pool: &impl Backend, grain: Option<usize>, rows: &[T], old: E)
where
    T: Clone + Send + Sync,
    E: ParExtend<T> + Clone + PartialEq + Debug,
{
    let (mut ours, mut stds) = (old.clone(), old);
    ours.par_extend(rows.par(pool).grain(grain).cloned());
    stds.extend(rows.iter().cloned());
    assert_eq!(ours, stds);
    ours.par_extend(rows.par(pool).grain(grain).cloned().filter(|_| true));
    stds.extend(rows.iter().cloned());
    assert_eq!(ours, stds);
}

fn extensions(pool: &impl Backend) {
    each_case(|rows, grain| {
        extended(pool, grain, rows, vec![1, 2, 3]);
        extended(pool, grain, rows, Vec::new());
        extended(pool, grain, rows, VecDeque::from([1, 2, 3]));
        extended(pool, grain, rows, LinkedList::from([1, 2, 3]));
        extended(pool, grain, rows, HashSet::from([1, 2, 3]));
        extended(pool, grain, rows, BTreeSet::from([1, 2, 3]));
        let pairs: Vec<_> = rows.iter().enumerate().map(|(i, &x)| (x, i)).collect();
        extended(pool, grain, &pairs, HashMap::from([(1, 0), (-1000, 2)]));
        extended(pool, grain, &pairs, BTreeMap::from([(1, 0), (-1000, 2)]));
        extended(pool, grain, &pairs, (vec![1], VecDeque::from([5])));
        let chars: Vec<char> =
            rows.iter().map(|&x| (b'a' + (x % 26).max(0) as u8) as char).collect();
        extended(pool, grain, &chars, String::from("old"));
        extended(pool, grain, &chars, String::new());
        let texts: Vec<String> = rows.iter().map(ToString::to_string).collect();
        extended(pool, grain, &texts, String::from("old"));
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        extended(pool, grain, &borrowed, String::from("old"));
        let mut heap = BinaryHeap::from([5]);
        heap.par_extend(rows.par(pool).grain(grain));
        assert_eq!(heap.into_sorted_vec(), {
            let mut all = [rows, &[5]].concat();
            all.sort_unstable();
            all
        });
        let mut copies = vec![9];
        copies.par_extend(rows.par(pool).grain(grain));
        assert_eq!(copies, [&[9], rows].concat());
    });
}

#[test]
fn extending_is_stds() {
    on_every_backend!(extensions);
}

/// What `collect` makes is what std's makes.
fn collected<T, E>(pool: &impl Backend, grain: Option<usize>, rows: &[T])
where
    T: Clone + Send + Sync,
    E: FromChain<T> + FromIterator<T> + PartialEq + Debug,
{
    let chain = || rows.par(pool).grain(grain).cloned();
    let expected: E = rows.iter().cloned().collect();
    assert_eq!(chain().collect::<E>(), expected);
    assert_eq!(chain().filter(|_| true).collect::<E>(), expected);
    let good: Result<E, u8> = chain().map(Ok).collect();
    assert_eq!(good.as_ref(), Ok(&expected));
    let some: Option<E> = chain().map(Some).collect();
    assert_eq!(some, Some(expected));
}

fn collections(pool: &impl Backend) {
    each_case(|rows, grain| {
        collected::<_, Vec<_>>(pool, grain, rows);
        collected::<_, Box<[_]>>(pool, grain, rows);
        collected::<_, Rc<[_]>>(pool, grain, rows);
        collected::<_, Arc<[_]>>(pool, grain, rows);
        collected::<_, Cow<'_, [_]>>(pool, grain, rows);
        collected::<_, VecDeque<_>>(pool, grain, rows);
        collected::<_, LinkedList<_>>(pool, grain, rows);
        collected::<_, HashSet<_>>(pool, grain, rows);
        collected::<_, BTreeSet<_>>(pool, grain, rows);
        let pairs: Vec<_> = rows.iter().enumerate().map(|(i, &x)| (x, i)).collect();
        collected::<_, HashMap<_, _>>(pool, grain, &pairs);
        collected::<_, BTreeMap<_, _>>(pool, grain, &pairs);
        collected::<_, (Vec<_>, BTreeSet<_>)>(pool, grain, &pairs);
        let nothings = vec![(); rows.len()];
        collected::<_, ()>(pool, grain, &nothings);
        let letters: Vec<char> = rows.iter().map(|x| ['a', 'é', '中'][*x as usize % 3]).collect();
        collected::<_, String>(pool, grain, &letters);
        collected::<_, Box<str>>(pool, grain, &letters);
        collected::<_, Cow<'_, str>>(pool, grain, &letters);
        collected::<_, String>(pool, grain, &letters.iter().collect::<Vec<_>>());
        let texts: Vec<String> = rows.iter().map(ToString::to_string).collect();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        collected::<_, String>(pool, grain, &texts);
        collected::<_, Box<str>>(pool, grain, &borrowed);
        collected::<_, Cow<'_, str>>(pool, grain, &texts);
        collected::<_, PathBuf>(pool, grain, &borrowed);
        let os: Vec<OsString> = texts.iter().map(OsString::from).collect();
        collected::<_, OsString>(pool, grain, &os);
        collected::<_, OsString>(pool, grain, &os.iter().map(|s| &**s).collect::<Vec<&OsStr>>());
        let heap: BinaryHeap<i64> = rows.par(pool).grain(grain).copied().collect();
        assert_eq!(heap.into_sorted_vec(), {
            let mut all = rows.to_vec();
            all.sort_unstable();
            all
        });
        let mut vec = vec![7; 2];
        assert_eq!(rows.par(pool).grain(grain).copied().collect_into(&mut vec)[2..], *rows);
        assert_eq!(vec[..2], [7; 2]);
    });
}

#[test]
fn collecting_is_stds() {
    on_every_backend!(collections);
}
