//! Every terminal, which must give on a backend what it gives on `Serial`. Rows are dear now and then,
//! so that calls are cut on any backend that has a second thread.

use std::{
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, LinkedList, VecDeque},
    fmt::Debug,
    hint,
    sync::Mutex,
    time::{Duration, Instant},
};

use spanwise::{Chain, control, leaf::Leaf, prelude::*};

use crate::{
    backends::{AnyPool, serial},
    naive::bits,
    shape::On,
};

/// A terminal at a number of rows, and what it gave as a text.
type Digest = fn(On<'_>, usize) -> String;

const LENGTHS: &[usize] = &[0, 1, 2, 63, 64, 65, 129, 1000, 1025];

pub(super) fn same(digest: Digest, pool: &AnyPool) {
    for &rows in LENGTHS {
        for grain in [None, Some(1), Some(7)] {
            let expected = digest(On { pool: serial(), grain }, rows);
            let got = digest(On { pool, grain }, rows);
            assert!(
                got == expected,
                "{rows} rows, grain {grain:?}: {got:.200}, not {expected:.200}"
            );
        }
    }
}

/// A row's number as a number of any size, with repeats; dear for some.
fn dear(row: usize) -> i64 {
    if row % 32 == 5 {
        let since = Instant::now();
        while since.elapsed() < Duration::from_micros(2) {
            hint::spin_loop();
        }
    }
    let x = (row as i64).wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64);
    if row % 3 == 1 { x } else { x >> 40 }
}

type Rows<'p> = Chain<std::ops::Range<usize>, DearLeaf, control::On<'p, AnyPool>>;
type DearLeaf = spanwise::leaf::Map<spanwise::leaf::Rows, fn(usize) -> i64>;

fn xs(on: On<'_>, n: usize) -> Rows<'_> {
    on.of(0..n).map(dear as fn(usize) -> i64)
}

fn floats<'p>(
    on: On<'p>,
    n: usize,
) -> Chain<
    std::ops::Range<usize>,
    impl Leaf<std::ops::Range<usize>, Item = f64>,
    control::On<'p, AnyPool>,
> {
    xs(on, n).map(|x| x as f64 / 3e5)
}

fn word(x: i64) -> String {
    format!("{} ", x.rem_euclid(1000))
}

fn text(x: impl Debug) -> String {
    format!("{x:?}")
}

fn key(x: i64) -> i64 {
    x.rem_euclid(17)
}

fn sorted<K: Ord, V>(map: HashMap<K, V>) -> BTreeMap<K, V> {
    map.into_iter().collect()
}

/// All of them.
pub(super) const TERMINALS: &[(&str, Digest)] = &[
    ("all", |on, n| text(xs(on, n).all(|x| key(x) < 17))),
    ("any", |on, n| text(xs(on, n).any(|x| key(x) == 16))),
    ("checked_product", |on, n| text(xs(on, n).map(|x| (x % 2) | 1).checked_product())),
    ("checked_sum", |on, n| text(xs(on, n).checked_sum())),
    ("cmp", |on, n| text(xs(on, n).cmp((0..n).map(dear).collect::<Vec<_>>().into_iter()))),
    ("collect into a BTreeSet", |on, n| text(xs(on, n).map(key).collect::<BTreeSet<_>>())),
    ("collect into a BinaryHeap", |on, n| {
        text(xs(on, n).collect::<BinaryHeap<_>>().into_sorted_vec())
    }),
    ("collect into a HashMap", |on, n| {
        text(sorted(xs(on, n).map(|x| (key(x), x)).collect::<HashMap<_, _>>()))
    }),
    ("collect into a LinkedList", |on, n| text(xs(on, n).collect::<LinkedList<_>>())),
    ("collect into a Result", |on, n| {
        let tried = |x: i64| if key(x) == 3 { Err(x) } else { Ok(x) };
        text(xs(on, n).map(tried).collect::<Result<Vec<_>, _>>())
    }),
    ("collect into a String", |on, n| xs(on, n).map(word).collect()),
    ("collect into a Vec", |on, n| text(xs(on, n).collect::<Vec<_>>())),
    ("collect into a Vec, filtered", |on, n| {
        text(xs(on, n).filter(|x| x % 2 == 0).flat_map(|x| [word(x), word(!x)]).collect::<Vec<_>>())
    }),
    ("collect into a VecDeque", |on, n| text(xs(on, n).collect::<VecDeque<_>>())),
    ("collect_into", |on, n| {
        let mut all = vec![7];
        xs(on, n).rev().collect_into(&mut all);
        text(all)
    }),
    ("count", |on, n| text(xs(on, n).filter(|x| x % 3 == 0).count())),
    ("counts_by_key", |on, n| text(sorted(xs(on, n).counts_by_key(key)))),
    ("eq", |on, n| text(xs(on, n).eq(xs(on, n)))),
    ("exact_sum", |on, n| text(xs(on, n).exact_sum())),
    ("exact_sum of floats", |on, n| text(floats(on, n).exact_sum().to_bits())),
    ("find_any", |on, n| text(xs(on, n).find_any(|&x| key(x) == 9).map(key))),
    ("find_first", |on, n| text(xs(on, n).find_first(|&x| key(x) == 9))),
    ("find_map_any", |on, n| text(xs(on, n).find_map_any(|x| (key(x) == 9).then_some(9)))),
    ("find_map_first", |on, n| text(xs(on, n).find_map_first(|x| (key(x) == 9).then_some(x)))),
    ("first", |on, n| text(xs(on, n).filter(|x| x % 5 == 0).first())),
    ("fold", |on, n| {
        let push = |all: String, x: i64| all + &word(x);
        xs(on, n).fold(|| "_".to_string(), push, |left, right| format!("({left}{right})"))
    }),
    ("fold_ordered", |on, n| xs(on, n).fold_ordered(String::new(), |all, x| all + &word(x))),
    ("for_each", |on, n| {
        let seen = Mutex::new(Vec::new());
        xs(on, n).for_each(|x| seen.lock().expect("nobody panics").push(x));
        let mut seen = seen.into_inner().expect("nobody panics");
        seen.sort_unstable();
        text(seen)
    }),
    ("for_each in place", |on, n| {
        let mut rows: Vec<_> = (0..n).collect();
        on.of(&mut rows).enumerate().for_each(|(i, x)| *x = i ^ dear(*x) as usize);
        text(rows)
    }),
    ("for_each_init", |on, n| {
        let seen = Mutex::new(0);
        let add = |_: &mut u8, x: i64| {
            let mut seen = seen.lock().expect("nobody panics");
            *seen = x.wrapping_add(*seen);
        };
        xs(on, n).for_each_init(|| 0, add);
        text(seen.into_inner().expect("nobody panics"))
    }),
    ("group_by_key", |on, n| text(sorted(xs(on, n).group_by_key(|&x| key(x))))),
    ("is_sorted", |on, n| text(xs(on, n).map(|x| x / i64::MAX).is_sorted())),
    ("last", |on, n| text(xs(on, n).filter(|x| x % 5 == 0).last())),
    ("max", |on, n| text(xs(on, n).max())),
    ("max_by", |on, n| text(xs(on, n).max_by(|&x, &y| key(x).cmp(&key(y))))),
    ("max_by_key", |on, n| text(xs(on, n).max_by_key(|&x| key(x)))),
    ("min", |on, n| text(xs(on, n).min())),
    ("min_by", |on, n| text(xs(on, n).min_by(|&x, &y| key(x).cmp(&key(y))))),
    ("min_by_key", |on, n| text(xs(on, n).min_by_key(|&x| key(x)))),
    ("minmax", |on, n| text(xs(on, n).minmax())),
    ("par_bridge, collect", |on, n| {
        text((0..n).par_bridge(on.pool).map(dear).filter(|x| x % 2 == 0).collect::<Vec<_>>())
    }),
    ("par_bridge, reduce_tree", |on, n| {
        let pair = |left, right| format!("({left}{right})");
        text((0..n).par_bridge(on.pool).map(dear).map(word).reduce_tree(pair))
    }),
    ("par_extend", |on, n| {
        let mut all = vec![7];
        all.par_extend(xs(on, n));
        text(all)
    }),
    ("par_sort", |on, n| {
        let mut rows: Vec<_> = (0..n).map(dear).collect();
        rows.par_sort_by(on.pool, |&x, &y| key(x).cmp(&key(y)));
        text(rows)
    }),
    ("partition", |on, n| text(xs(on, n).partition::<Vec<_>, Vec<_>, _>(|x| x % 2 == 0))),
    ("position_any", |on, n| text(xs(on, n).position_any(|x| key(x) == 9).is_some())),
    ("position_first", |on, n| text(xs(on, n).position_first(|x| key(x) == 9))),
    ("product of floats", |on, n| text(bits(floats(on, n).map(|x| 1.0 + x.sin() / 9.0).product()))),
    ("reduce", |on, n| text(xs(on, n).map(word).reduce(|left, right| format!("({left}{right})")))),
    ("reduce of floats", |on, n| text(floats(on, n).reduce(|x, y| x / 3.0 + y).map(bits))),
    ("reduce_tree", |on, n| {
        text(xs(on, n).map(word).reduce_tree(|left, right| format!("({left}{right})")))
    }),
    ("reduce_tree, filtered", |on, n| {
        let some = xs(on, n).filter(|x| x % 3 == 0).map(word);
        text(some.reduce_tree(|left, right| format!("({left}{right})")))
    }),
    ("scan", |on, n| text(xs(on, n).scan(1, i64::wrapping_add).collect::<Vec<_>>())),
    ("skip_while, take_while", |on, n| {
        let some = xs(on, n).filter(|x| x % 2 == 0).skip_while(|&x| key(x) < 9);
        text(some.take_while(|&x| key(x) < 16).collect::<Vec<_>>())
    }),
    ("stream", |on, n| text(xs(on, n).stream(50).collect::<Vec<_>>())),
    ("sum", |on, n| text(xs(on, n).map(|x| x >> 12).sum::<i64>())),
    ("sum of floats", |on, n| text(bits(floats(on, n).sum()))),
    ("sum of floats, filtered", |on, n| {
        text(bits(floats(on, n).filter(|x| x.fract() < 0.5).sum()))
    }),
    ("try_for_each", |on, n| {
        text(xs(on, n).try_for_each(|x| if key(x) == 5 { Err(x) } else { Ok(()) }))
    }),
    ("unzip", |on, n| text(xs(on, n).map(|x| (key(x), word(x))).unzip::<_, _, Vec<_>, Vec<_>>())),
    ("wrapping_product", |on, n| text(xs(on, n).map(|x| x | 1).wrapping_product())),
    ("wrapping_sum", |on, n| text(xs(on, n).wrapping_sum())),
];
