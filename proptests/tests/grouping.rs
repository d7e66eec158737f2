//! The grouping itself, shown by operations that are not associative: the same grid and the same tree
//! on every backend, and no others.

use std::sync::atomic::{AtomicUsize, Ordering};

use spanwise::prelude::*;
use spanwise_proptests::{
    backends::{all_pools, pools},
    generate::{check, grain, keep, program, rows},
    naive::{grid, grouped, reduced, tree},
    shape::On,
};

fn pair(left: String, right: String) -> String {
    format!("({left}{right})")
}

#[test]
fn the_grid_covers_all_rows_evenly() {
    for rows in (0..200).chain([255, 256, 257, 1023, 1024, 1025, 4097, 65_535, 65_536, 65_537]) {
        let sizes = grid(rows, None);
        assert_eq!(sizes.iter().sum::<usize>(), rows);
        assert!(sizes.len() <= 1024, "{rows} rows in {} leaves", sizes.len());
        let (last, full) = sizes.split_last().unwrap();
        let leaf = full.first().unwrap_or(last);
        assert!(full.iter().all(|size| size == leaf) && last <= leaf, "{rows} rows: {sizes:?}");
        assert!(*last > 0 || rows == 0);
        for grain in [1, 2, 7, 64, 1000, rows.max(1), rows + 1, usize::MAX] {
            let sizes = grid(rows, Some(grain));
            let (last, full) = sizes.split_last().unwrap();
            assert!(full.iter().all(|&size| size == grain) && *last <= grain);
            assert_eq!(full.len() * grain.min(rows.max(1)) + last, rows, "{rows} rows by {grain}");
        }
    }
}

#[test]
fn reduce_follows_the_tree_or_the_grain_and_fold_the_grid() {
    check(128, (0..700_usize, grain()), |(len, grain)| {
        let grid = grid(len, grain);
        let items: Vec<_> = (0..len).map(|i| format!("{i} ")).collect();
        let by_rule = reduced(&items, grain, pair);
        let folded = grouped(&items, &grid, || "_".to_string(), pair, pair);
        for pool in pools() {
            let all = || On { pool, grain }.of(0..len).map(|i| format!("{i} "));
            assert_eq!(all().reduce(pair), by_rule, "{pool:?}");
            let identities = AtomicUsize::new(0);
            let identity = || {
                identities.fetch_add(1, Ordering::Relaxed);
                "_".to_string()
            };
            assert_eq!(all().fold(identity, pair, pair), folded, "{pool:?}");
            assert_eq!(identities.into_inner(), grid.len(), "{pool:?}");
        }
    });
}

#[test]
fn reduce_tree_depends_on_the_number_of_items_alone() {
    let input = (rows(), keep(), program(), grain());
    check(96, input, |(xs, keep, program, grain)| {
        let xs = &xs[..xs.len().min(500)];
        let spread = || xs.iter().filter(|&&x| keep.of(x)).flat_map(|&x| program.of(x));
        let few = |items: &mut dyn Iterator<Item = i64>| tree(items.map(|x| format!("{x} ")), pair);
        let all = few(&mut xs.iter().copied());
        let some = few(&mut spread());
        for pool in pools() {
            let on = On { pool, grain };
            assert_eq!(on.of(xs).map(|x| format!("{x} ")).reduce_tree(pair), all, "{pool:?}");
            let chain = on.of(xs).filter(|&&x| keep.of(x)).flat_map(|&x| program.of(x));
            assert_eq!(chain.map(|x| format!("{x} ")).reduce_tree(pair), some, "{pool:?}");
        }
    });
}

fn longer<T>(sizes: Vec<usize>, _: T) -> Vec<usize> {
    vec![sizes[0] + 1]
}

/// Where a grain is set in a chain does not matter, and the last one counts.
#[test]
fn the_last_grain_counts() {
    for pool in all_pools() {
        let merge = |left: Vec<usize>, right: Vec<usize>| [left, right].concat();
        let early = (0..10).par(pool).with_grain(4).map(|x| x + 1).rev().enumerate();
        assert_eq!(early.fold(|| vec![0], longer, merge), [4, 4, 2], "{pool:?}");
        let late = (0..10).par(pool).with_grain(4).map(|x| x + 1).with_grain(3);
        assert_eq!(late.fold(|| vec![0], longer, merge), [3, 3, 3, 1], "{pool:?}");
        let other = (0..10).par(pool).with_grain(2);
        let both = (0..10).par(pool).with_grain(5).zip(other).skip(1);
        assert_eq!(both.fold(|| vec![0], longer, merge), [5, 4], "{pool:?}");
    }
}

#[test]
#[should_panic = "grain"]
fn a_grain_of_no_rows_is_refused() {
    let _ = (0..10).par(&spanwise_backend::Serial).with_grain(0);
}
