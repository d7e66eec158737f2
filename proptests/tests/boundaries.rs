//! Every terminal on every backend at lengths around every boundary of the plan, against plain loops.

use std::collections::{BTreeSet, HashMap, VecDeque};

use spanwise::prelude::*;
use spanwise_proptests::{
    backends::{AnyPool, all_pools, serial},
    generate::noise,
    naive::{self, bits},
};

const LENGTHS: &[usize] = &[
    0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 4097, 65_535, 65_536,
    65_537,
];

/// Every length with rows of it, on every pool; first, once for all pools, what is expected.
fn each<E>(expect: impl Fn(&[i64]) -> E, test: impl Fn(&AnyPool, &[i64], &E)) {
    for &len in LENGTHS {
        let rows: Vec<i64> =
            noise(len as u64 + 1).map(|x| x as i64 >> (x % 64)).take(len).collect();
        let expected = expect(&rows);
        all_pools().for_each(|pool| test(pool, &rows, &expected));
    }
}

#[test]
fn integer_totals() {
    let expect = |rows: &[i64]| {
        let sum: i128 = rows.iter().map(|&x| i128::from(x)).sum();
        let mut wrapped = (0_i64, 1_i64);
        for &x in rows {
            wrapped = (wrapped.0.wrapping_add(x), wrapped.1.wrapping_mul(x | 1));
        }
        let signs = rows.iter().filter(|&&x| x < 0).count() % 2;
        (sum, wrapped, if signs == 1 { -1 } else { 1 })
    };
    each(expect, |pool, rows, &(sum, wrapped, sign)| {
        let what = format!("{} rows on {pool:?}", rows.len());
        assert_eq!(rows.par(pool).exact_sum(), sum, "{what}");
        assert_eq!(rows.par(pool).checked_sum(), i64::try_from(sum).ok(), "{what}");
        assert_eq!(rows.par(pool).wrapping_sum(), wrapped.0, "{what}");
        assert_eq!(rows.par(pool).map(|&x| i128::from(x)).sum::<i128>(), sum, "{what}");
        assert_eq!(rows.par(pool).map(|x| x | 1).wrapping_product(), wrapped.1, "{what}");
        let signs = || rows.par(pool).map(|&x| if x < 0 { -1_i8 } else { 1 });
        assert_eq!(signs().product::<i8>(), sign, "{what}");
        assert_eq!(signs().checked_product(), Some(sign), "{what}");
        assert_eq!(rows.par(pool).count(), rows.len(), "{what}");
        let odd = rows.iter().filter(|&x| x % 2 != 0).count();
        assert_eq!(rows.par(pool).filter(|&x| x % 2 != 0).count(), odd, "{what}");
    });
}

fn float(x: &i64) -> f64 {
    *x as f64 / 1e3
}

#[test]
fn float_totals() {
    let expect = |rows: &[i64]| {
        let rows: Vec<f64> = rows.iter().map(float).collect();
        let sum = naive::laned(&rows, -0.0, |x, y| x + y);
        let near: Vec<f64> = rows.iter().map(|x| 1.0 + x.sin() / 9.0).collect();
        let product = naive::laned(&near, 1.0, |x, y| x * y);
        let tree = naive::tree(rows.iter().copied(), |x, y| x / 3.0 + y).unwrap_or(0.5);
        // A row is a leaf, so `reduce` is the tree too.
        let all = [sum, product, tree, tree, naive::exact_sum(&rows)];
        all.map(bits)
    };
    each(expect, |pool, rows, expected| {
        let all = || rows.par(pool).map(float);
        let got = [
            all().sum(),
            all().map(|x| 1.0 + x.sin() / 9.0).product(),
            all().reduce_tree(|x, y| x / 3.0 + y).unwrap_or(0.5),
            all().reduce(|x, y| x / 3.0 + y).unwrap_or(0.5),
            all().exact_sum(),
        ];
        assert_eq!(&got.map(bits), expected, "{} rows on {pool:?}", rows.len());
        let some = |pool| rows.par(pool).filter(|&x| x % 3 != 0).map(float).sum::<f64>();
        assert_eq!(bits(some(pool)), bits(some(serial())), "{} rows on {pool:?}", rows.len());
    });
}

#[test]
fn order_and_ties() {
    type Pair<'a> = (usize, &'a i64);

    let key = |x: &i64| x.rem_euclid(17);
    // The first row at each place, and the last, so that every leaf has its turn.
    each(
        |rows| {
            let place = |row: Option<Pair<'_>>| row.map(|row| row.0);
            let all = || rows.iter().enumerate();
            [
                place(all().min_by_key(|x| key(x.1))),
                place(all().max_by_key(|x| key(x.1))),
                place(all().min_by(|x, y| x.1.cmp(y.1))),
                place(all().max_by(|x, y| x.1.cmp(y.1))),
            ]
        },
        |pool, rows, expected| {
            let place = |row: Option<Pair<'_>>| row.map(|row| row.0);
            let all = || rows.par(pool).enumerate();
            let got = [
                place(all().min_by_key(|x| key(x.1))),
                place(all().max_by_key(|x| key(x.1))),
                place(all().min_by(|x, y| x.1.cmp(y.1))),
                place(all().max_by(|x, y| x.1.cmp(y.1))),
            ];
            assert_eq!(&got, expected, "{} rows on {pool:?}", rows.len());
            assert_eq!(rows.par(pool).min(), rows.iter().min(), "{pool:?}");
            assert_eq!(rows.par(pool).max(), rows.iter().max(), "{pool:?}");
        },
    );
}

#[test]
fn searches() {
    each(<[i64]>::len, |pool, rows, &len| {
        // A hit in the first row, in the last, where leaves meet, and nowhere.
        for at in [0, 1, len / 2, len.saturating_sub(1), len] {
            let what = format!("hit at {at} of {len} on {pool:?}");
            let found = (at < len).then_some(at);
            let all = || rows.par(pool).enumerate();
            assert_eq!(all().find_first(|x| x.0 >= at).map(|x| x.0), found, "{what}");
            assert_eq!(all().position_first(|x| x.0 >= at), found, "{what}");
            assert_eq!(all().find_any(|x| x.0 == at).map(|x| x.0), found, "{what}");
            assert_eq!(all().any(|x| x.0 == at), found.is_some(), "{what}");
            assert_eq!(all().all(|x| x.0 != at), found.is_none(), "{what}");
            let tried = all().map(|x| if x.0 >= at { Err(x.0) } else { Ok(x.1) });
            let tried = tried.collect::<Result<Vec<_>, _>>();
            assert_eq!(tried.as_ref().err(), found.as_ref(), "{what}");
            assert!(tried.is_err() || tried.unwrap().into_iter().eq(rows), "{what}");
        }
    });
}

#[test]
fn collections() {
    let letter = |x: &i64| char::from(b'a' + x.rem_euclid(26) as u8);
    let expect = |rows: &[i64]| {
        let text: String = rows.iter().map(letter).collect();
        let pairs = || rows.iter().enumerate().map(|(i, x)| (x % 100, i));
        let map: HashMap<_, _> = pairs().collect();
        let set: BTreeSet<_> = rows.iter().copied().collect();
        (text, map, set)
    };
    each(expect, |pool, rows, (text, map, set)| {
        let what = format!("{} rows on {pool:?}", rows.len());
        assert!(rows.par(pool).copied().collect::<Vec<_>>() == rows, "{what}");
        assert!(*rows.par(pool).copied().collect::<Box<[_]>>() == *rows, "{what}");
        assert!(rows.par(pool).copied().collect::<VecDeque<_>>() == rows, "{what}");
        let mut back = vec![7];
        rows.par(pool).copied().rev().collect_into(&mut back);
        assert!(back.iter().skip(1).eq(rows.iter().rev()) && back[0] == 7, "{what}");
        assert!(rows.par(pool).map(letter).collect::<String>() == *text, "{what}");
        let pairs = rows.par(pool).enumerate().map(|(i, x)| (x % 100, i));
        assert!(pairs.collect::<HashMap<_, _>>() == *map, "{what}");
        assert!(rows.par(pool).copied().collect::<BTreeSet<_>>() == *set, "{what}");
        let even = rows.par(pool).copied().filter(|x| x % 2 == 0).collect::<Vec<_>>();
        assert!(even.iter().eq(rows.iter().filter(|&x| x % 2 == 0)), "{what}");
    });
}

#[test]
fn changes_in_place() {
    let expect =
        |rows: &[i64]| rows.iter().enumerate().map(|(i, x)| x ^ i as i64).collect::<Vec<_>>();
    each(expect, |pool, rows, expected| {
        let mut changed = rows.to_vec();
        changed.par(pool).for_each(|_| ());
        changed.iter_mut().par(pool).enumerate().for_each(|(i, x)| *x ^= i as i64);
        assert!(changed == *expected, "{} rows on {pool:?}", rows.len());
        let numbers = (0..rows.len() as i64).par(pool).rev();
        changed.iter_mut().par(pool).rev().zip(numbers).for_each(|(x, i)| *x ^= i);
        assert!(changed == rows, "{} rows on {pool:?}", rows.len());
    });
}
