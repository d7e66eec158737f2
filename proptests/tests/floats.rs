//! Floats by bits: the same on every backend, and the bits that the documented grouping gives.

use std::cmp::Ordering;

use proptest::prelude::*;
use spanwise::prelude::*;
use spanwise_proptests::{
    backends::{all_pools, pools, serial},
    generate::{check, float, grain, keep, noise, rows_of, wild_float},
    naive::{self, bits},
    shape::On,
};

const CASES: u32 = 192;

fn add<T: std::ops::Add<Output = T>>(x: T, y: T) -> T {
    x + y
}

fn mul(x: f64, y: f64) -> f64 {
    x * y
}

/// The sum and the product of rows, by the plainest reading of the rule.
fn expected(rows: &[f64], grain: Option<usize>) -> [f64; 2] {
    if grain.is_none() {
        return [naive::laned(rows, -0.0, add), naive::laned(rows, 1.0, mul)];
    }
    let grid = naive::grid(rows.len(), grain);
    let leaves: Vec<_> = naive::leaves(rows, &grid).map(<[f64]>::to_vec).collect();
    [naive::laned_by_leaf(&leaves, -0.0, add), naive::laned_by_leaf(&leaves, 1.0, mul)]
}

#[test]
fn sums_and_products_are_grouped_by_the_rule() {
    check(CASES, (rows_of(wild_float()), grain()), |(rows, grain)| {
        let [sum, product] = expected(&rows, grain);
        let ratios = |x: &f64| x.abs() + 1.0;
        let halves: Vec<f64> = rows.iter().map(ratios).collect();
        let ratio = naive::reduced(&halves, grain, |x, y| x / y);
        for pool in pools() {
            let on = On { pool, grain };
            assert_eq!(bits(on.of(&rows).sum()), bits(sum), "{pool:?}");
            assert_eq!(bits(on.of(&rows).copied().sum()), bits(sum), "{pool:?}");
            assert_eq!(bits(on.of(rows.clone().into_iter()).sum()), bits(sum), "{pool:?}");
            assert_eq!(bits(on.of(&rows).product()), bits(product), "{pool:?}");
            let reduced = on.of(&rows).map(ratios).reduce(|x, y| x / y);
            assert_eq!(reduced.map(bits), ratio.map(bits), "{pool:?}");
        }
    });
}

/// Lengths around every place where a lane, a node, a leaf or a loop ends, on every backend and width.
#[test]
fn sums_and_reductions_at_every_border() {
    let borders = [0, 8, 16, 32, 64, 72, 96, 128, 256, 1000, 1024, 4096, 8192, 16_384];
    for n in borders.iter().flat_map(|&n: &usize| n.saturating_sub(1)..n + 3) {
        let rows: Vec<f64> = noise(n as u64 + 1).take(n).map(|x| x as f64 - 9e18).collect();
        let short: Vec<f32> = rows.iter().map(|&x| x as f32).collect();
        let sum = bits(naive::laned(&rows, -0.0, add));
        let short_sum = bits(naive::laned(&short, -0.0, add).into());
        let reduced = naive::tree(rows.iter().copied(), |x, y| x / 3.0 - y).map(bits);
        let grid = naive::grid(n, None);
        let keep = |x: &f64| *x as i64 % 3 != 0;
        let kept: Vec<Vec<f64>> = naive::leaves(&rows, &grid)
            .map(|leaf| leaf.iter().copied().filter(keep).collect())
            .collect();
        let kept = bits(naive::laned_by_leaf(&kept, -0.0, add));
        for pool in all_pools() {
            assert_eq!(bits(rows.par(pool).sum()), sum, "{n} rows on {pool:?}");
            assert_eq!(bits(short.par(pool).sum::<f32>().into()), short_sum, "{n} on {pool:?}");
            let all = rows.par(pool).copied().reduce(|x, y| x / 3.0 - y).map(bits);
            assert_eq!(all, reduced, "{n} rows on {pool:?}");
            let some: f64 = rows.par(pool).copied().filter(keep).sum();
            assert_eq!(bits(some), kept, "{n} rows on {pool:?}");
        }
    }
}

#[test]
fn few_rows_are_as_std() {
    check(CASES, (rows_of(float()), rows_of(any::<f32>())), |(rows, short)| {
        for pool in pools() {
            for n in 0..3.min(rows.len()) {
                let sum: f64 = rows[..n].par(pool).sum();
                assert_eq!(bits(sum), bits(rows[..n].iter().sum()), "{pool:?}");
            }
            for n in 0..3.min(short.len()) {
                let product: f32 = short[..n].par(pool).product();
                assert_eq!(bits(product.into()), bits(short[..n].iter().product::<f32>().into()));
            }
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
        let grid = naive::grid(rows.len(), grain);
        let leaves: Vec<Vec<f64>> = naive::leaves(&rows, &grid)
            .map(|leaf| leaf.iter().copied().filter(kept).collect())
            .collect();
        assert_eq!(reference.0[0], bits(naive::laned_by_leaf(&leaves, -0.0, add)));
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
        let pick = |worse: Ordering| {
            naive::reduced(&rows, grain, |x, y| if loose(&x, &y) == worse { y } else { x })
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
