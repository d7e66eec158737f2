//! Floats by bits: the same on every backend, and the bits that the documented grouping gives.

use std::cmp::Ordering;

use proptest::prelude::*;
use spanwise::prelude::*;
use spanwise_proptests::{
    backends::{pools, serial},
    generate::{check, float, grain, keep, rows_of, wild_float},
    naive::{self, bits, grouped},
    shape::On,
};

const CASES: u32 = 192;

#[test]
fn sums_and_products_are_grouped_by_the_grid() {
    check(CASES, (rows_of(wild_float()), grain()), |(rows, grain)| {
        let grid = naive::grid(rows.len(), grain);
        let sum = grouped(&rows, &grid, || -0.0, |sum, x| sum + x, |left, right| left + right);
        let product = grouped(&rows, &grid, || 1.0, |p, x| p * x, |left, right| left * right);
        let ratios = |x: &f64| x.abs() + 1.0;
        let halves: Vec<f64> = rows.iter().map(ratios).collect();
        let ratio = grouped(&halves, &grid, || None, divide, |left, right| divide(left, right?));
        for pool in pools() {
            let on = On { pool, grain };
            assert_eq!(bits(on.of(&rows).sum()), bits(sum), "{pool:?}");
            assert_eq!(bits(on.of(&rows).copied().sum()), bits(sum), "{pool:?}");
            assert_eq!(bits(on.of(&rows).product()), bits(product), "{pool:?}");
            let reduced = on.of(&rows).map(ratios).reduce(|x, y| x / y);
            assert_eq!(reduced.map(bits), ratio.map(bits), "{pool:?}");
            let tried: Option<f64> = on.of(&rows).copied().map(Some).sum();
            assert_eq!(tried.map(bits), Some(bits(sum)), "{pool:?}");
        }
    });
}

fn divide(left: Option<f64>, x: f64) -> Option<f64> {
    Some(left.map_or(x, |left| left / x))
}

#[test]
fn one_leaf_is_std() {
    check(CASES, (rows_of(float()), rows_of(any::<f32>())), |(rows, short)| {
        for pool in pools() {
            let on = On { pool, grain: Some(3000) };
            let sum: f64 = on.of(&rows).sum();
            assert_eq!(bits(sum), bits(rows.iter().sum()), "{pool:?}");
            let product: f64 = on.of(&rows).product();
            assert_eq!(bits(product), bits(rows.iter().product()), "{pool:?}");
            let sum: f32 = on.of(&short).sum();
            assert_eq!(bits(sum.into()), bits(short.iter().sum::<f32>().into()), "{pool:?}");
        }
    });
}

#[test]
fn floats_of_chains_without_exact_length_are_those_of_serial() {
    let input = (rows_of(float()), rows_of(any::<f32>()), keep(), grain());
    check(CASES, input, |(rows, short, keep, grain)| {
        let kept = |x: &f64| keep.of(*x as i64);
        let of = |pool| {
            let on = On { pool, grain };
            let rows = || on.of(&rows).copied().filter(kept);
            let short = || on.of(&short).copied().filter(|x| keep.of(*x as i64));
            let folded = rows().fold(|| 0.5, |acc, x| acc / 3.0 + x, |left, right| left - right);
            let tree = rows().reduce_tree(|x, y| x / 3.0 - y).unwrap_or(7.0);
            let sums: [f64; 2] = [rows().sum(), rows().product()];
            let shorts: [f32; 2] = [short().sum(), short().product()];
            (sums.map(bits), shorts.map(|x| bits(x.into())), bits(folded), bits(tree))
        };
        let reference = of(serial());
        for pool in pools() {
            assert_eq!(of(pool), reference, "{pool:?}");
        }
        let kept: Vec<_> = rows.iter().copied().filter(kept).collect();
        let tree = naive::tree(kept, |x, y| x / 3.0 - y).unwrap_or(7.0);
        assert_eq!(reference.3, bits(tree));
    });
}

#[test]
fn exact_sums_are_correctly_rounded() {
    check(CASES, (rows_of(float()), rows_of(-1e30..1e30_f32), grain()), |(rows, short, grain)| {
        let sum = naive::exact_sum(&rows);
        let long: Vec<f64> = short.iter().copied().map(f64::from).collect();
        let short_sum = naive::exact_sum(&long);
        for pool in pools() {
            let on = On { pool, grain };
            assert_eq!(on.of(&rows).exact_sum().to_bits(), sum.to_bits(), "{pool:?}");
            assert_eq!(on.of(&rows).rev().exact_sum().to_bits(), sum.to_bits(), "{pool:?}");
            assert_eq!(on.of(&short).exact_sum().to_bits(), short_sum.to_bits(), "{pool:?}");
        }
    });
}

#[test]
fn exact_sums_of_what_is_not_finite() {
    check(CASES, (rows_of(wild_float()), grain()), |(rows, grain)| {
        let wild: f64 = rows.iter().filter(|x| !x.is_finite()).sum();
        for pool in pools() {
            let sum = On { pool, grain }.of(&rows).exact_sum();
            if rows.iter().all(|x| x.is_finite()) {
                assert_eq!(sum.to_bits(), naive::exact_sum(&rows).to_bits(), "{pool:?}");
            } else {
                assert_eq!(bits(sum), bits(wild), "{pool:?}");
            }
        }
    });
}

/// Some item is picked, so all its bits count, those of a NaN too.
#[test]
fn comparisons_that_are_no_order_pick_the_same_item() {
    let loose = |x: &f64, y: &f64| x.partial_cmp(y).unwrap_or(Ordering::Equal);
    check(CASES, (rows_of(wild_float()), grain()), |(rows, grain)| {
        let grid = naive::grid(rows.len(), grain);
        let pick = |worse: Ordering| {
            let better = |x: Option<f64>, y: f64| match x {
                Some(x) if loose(&x, &y) != worse => Some(x),
                _ => Some(y),
            };
            grouped(&rows, &grid, || None, better, |left, right| better(left, right?))
        };
        let least = pick(Ordering::Greater).map(f64::to_bits);
        let total = |x: Option<&f64>| x.copied().map(f64::to_bits);
        for pool in pools() {
            let on = On { pool, grain };
            let min = on.of(&rows).copied().min_by(loose);
            assert_eq!(min.map(f64::to_bits), least, "{pool:?}");
            let max = |pool| On { pool, grain }.of(&rows).copied().max_by(loose).map(f64::to_bits);
            assert_eq!(max(pool), max(serial()), "{pool:?}");
            let min = on.of(&rows).min_by(|x, y| x.total_cmp(y));
            assert_eq!(total(min), total(rows.iter().min_by(|x, y| x.total_cmp(y))), "{pool:?}");
            let max = on.of(&rows).max_by(|x, y| x.total_cmp(y));
            assert_eq!(total(max), total(rows.iter().max_by(|x, y| x.total_cmp(y))), "{pool:?}");
        }
    });
}

/// The total is not a number, so whose NaN comes out must not depend on where the rows were cut.
#[test]
fn an_exact_sum_that_is_no_number_has_one_bit_pattern() {
    let rows = [f64::INFINITY, 1.0, f64::NEG_INFINITY, f64::from_bits(0x7ff8_0000_0000_0abc)];
    let reference = rows.par(serial()).exact_sum();
    assert!(reference.is_nan());
    for pool in pools() {
        assert_eq!(rows.par(pool).exact_sum().to_bits(), reference.to_bits(), "{pool:?}");
    }
}
