//! Ties and early stops: which of several equal items is taken, and that the first hit in input order
//! is found, however late it is found in time. That a hit ends the call is a row of the conformance table.

use std::cmp::Ordering;

use spanwise_proptests::{
    backends::pools,
    generate::{check, grain, keep, program, rows, rows_of},
    naive::first,
    shape::On,
};

/// Equal to others of its key, but not the same.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    key: u8,
    place: usize,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

#[test]
fn ties_are_std_s() {
    check(192, (rows_of(0..4_u8), keep(), grain()), |(keys, keep, grain)| {
        let ranked = keys.iter().enumerate().map(|(place, &key)| Ranked { key, place });
        let ranked: Vec<_> = ranked.collect();
        let place = |row: Option<&Ranked>| row.map(|row| row.place);
        let kept = |row: &&Ranked| keep.of(row.place as i64);
        let by = |x: &&Ranked, y: &&Ranked| x.key.cmp(&y.key).reverse();
        let std = || ranked.iter().filter(kept);
        for pool in pools() {
            let all = || On { pool, grain }.of(&ranked);
            let some = || all().filter(kept);
            assert_eq!(place(all().min()), place(ranked.iter().min()), "{pool:?}");
            assert_eq!(place(all().max()), place(ranked.iter().max()), "{pool:?}");
            assert_eq!(place(some().min()), place(std().min()), "{pool:?}");
            assert_eq!(place(some().max()), place(std().max()), "{pool:?}");
            assert_eq!(place(some().min_by(by)), place(std().min_by(by)), "{pool:?}");
            assert_eq!(place(some().max_by(by)), place(std().max_by(by)), "{pool:?}");
            assert_eq!(place(some().min_by_key(|x| x.key)), place(std().min_by_key(|x| x.key)));
            assert_eq!(place(some().max_by_key(|x| x.key)), place(std().max_by_key(|x| x.key)));
            // From the other end the other one of equals is meant.
            assert_eq!(place(all().rev().min()), place(ranked.iter().rev().min()), "{pool:?}");
            assert_eq!(place(all().rev().max()), place(ranked.iter().rev().max()), "{pool:?}");
        }
    });
}

#[test]
fn the_first_hit_is_found() {
    check(192, (rows(), keep(), program(), grain()), |(xs, keep, program, grain)| {
        let pairs: Vec<_> = xs.iter().copied().enumerate().collect();
        let hit = |&(_, x): &(usize, i64)| keep.of(x);
        let spread = |&(i, x): &(usize, i64)| program.of(x).into_iter().map(move |y| (i, y));
        let std = || pairs.iter().flat_map(spread);
        for pool in pools() {
            let all = || On { pool, grain }.of(&pairs);
            assert_eq!(all().find_first(|x| hit(x)), pairs.iter().find(|x| hit(x)), "{pool:?}");
            assert_eq!(all().position_first(hit), pairs.iter().position(hit), "{pool:?}");
            assert_eq!(all().any(hit), pairs.iter().any(hit), "{pool:?}");
            assert_eq!(all().all(hit), pairs.iter().all(hit), "{pool:?}");
            let found = all().find_any(|x| hit(x));
            assert_eq!(found.is_some(), pairs.iter().any(hit), "{pool:?}");
            assert!(found.is_none_or(hit), "{pool:?}");
            // Positions count items, of which a row may give none or many.
            let spread = || all().flat_map(spread);
            assert_eq!(spread().find_first(hit), std().find(hit), "{pool:?}");
            assert_eq!(spread().position_first(|x| hit(&x)), std().position(|x| hit(&x)));
        }
    });
}

/// Errors at random rows: the first one in input order comes out, and no good value is taken for it.
#[test]
fn the_first_error_comes_out() {
    check(192, (rows(), keep(), grain()), |(xs, keep, grain)| {
        let pairs: Vec<_> = xs.iter().copied().enumerate().collect();
        let bad = first(&pairs, |row| keep.of(row.1));
        let expected = if bad < xs.len() { Err(bad) } else { Ok(xs.clone()) };
        let tried = |&(i, x): &(usize, i64)| if keep.of(x) { Err(i) } else { Ok(x) };
        let sum = expected.clone().map(|xs| xs.into_iter().map(i128::from).sum::<i128>());
        for pool in pools() {
            let all = || On { pool, grain }.of(&pairs).map(tried);
            assert_eq!(all().collect::<Result<Vec<_>, _>>(), expected, "{pool:?}");
            let some = all().map(Result::ok).collect::<Option<Vec<_>>>();
            assert_eq!(some, expected.clone().ok(), "{pool:?}");
            let unit = all().map(|x| x.map(drop)).collect::<Result<(), _>>();
            assert_eq!(unit.err(), expected.clone().err(), "{pool:?}");
            let total = all().map(|x| x.map(i128::from)).sum::<Result<i128, _>>();
            assert_eq!(total, sum, "{pool:?}");
            let one = all().map(|x| x.map(|_| 1_u8)).product::<Result<u8, _>>();
            assert_eq!(one.err(), expected.clone().err(), "{pool:?}");
        }
    });
}

/// Each of two kinds of error ends the call, so those behind the first of either kind do not count.
#[test]
fn the_first_error_of_two_kinds_comes_out() {
    check(192, (rows(), keep(), keep(), grain()), |(xs, bad, none, grain)| {
        let pairs: Vec<_> = xs.iter().copied().enumerate().collect();
        let tried = |&(i, x): &(usize, i64)| match x {
            _ if bad.of(x) => Err(i),
            _ => Ok((!none.of(x)).then_some(x)),
        };
        let expected: Result<Option<Vec<_>>, _> = pairs.iter().map(tried).collect();
        for pool in pools() {
            let got =
                On { pool, grain }.of(&pairs).map(tried).collect::<Result<Option<Vec<_>>, _>>();
            assert_eq!(got, expected, "{pool:?}");
        }
    });
}

/// What lies behind the first error is no part of the sum, so it cannot make it overflow.
#[test]
fn rows_behind_an_error_are_not_summed() {
    let rows = [Ok(i32::MAX), Err("first"), Ok(i32::MAX), Ok(i32::MAX)];
    for pool in pools() {
        let on = On { pool, grain: None };
        assert_eq!(on.of(&rows).cloned().sum::<Result<i32, _>>(), Err("first"), "{pool:?}");
        assert_eq!(on.of(&rows).cloned().product::<Result<i32, _>>(), Err("first"), "{pool:?}");
        let some: Option<i32> = on.of(&rows).map(|row| row.ok()).sum();
        assert_eq!(some, None, "{pool:?}");
    }
}
