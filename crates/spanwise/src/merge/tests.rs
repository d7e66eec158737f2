//! Attacks on U-merge below what the public sorts reach: every small length, number of levels and
//! width, and a panic at every comparison.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use spanwise_backend::Serial;
use spanwise_rayon::RayonPool;

use super::*;

fn key(shape: usize, i: usize, n: usize) -> usize {
    match shape {
        0 => i,
        1 => n - i,
        2 => i * 7919 % 101,
        3 => i * 31 % 3,
        _ => (i + n / 2) % n,
    }
}

fn merges_equal_std(backend: &impl Backend) {
    for n in (0..70).chain([255, 257, 1000, 2049, 4097, 10_000]) {
        for shape in 0..5 {
            for levels in [1, 2, 3, 4, 6] {
                let mut rows: Vec<_> = (0..n).map(|i| (key(shape, i, n), i)).collect();
                let mut want = rows.clone();
                want.sort_by_key(|row| row.0);
                let sort = |rows: &mut [(usize, usize)]| rows.sort_by_key(|row| row.0);
                merge_sort(backend, 3, levels, &sort, &|x, y| x.0 < y.0, &mut rows);
                assert_eq!(rows, want, "{n} rows, shape {shape}, {levels} levels");
            }
        }
    }
}

#[test]
fn every_length_and_level_equals_std() {
    merges_equal_std(&Serial);
    merges_equal_std(&RayonPool::new(3).unwrap());
}

/// Wide enough that a torn copy shows.
type Wide = (usize, Box<usize>, [usize; 30]);

fn wide(n: usize, shape: usize) -> Vec<Wide> {
    (0..n).map(|i| (key(shape, i, n), Box::new(i), [i; 30])).collect()
}

#[test]
fn a_panic_at_any_comparison_leaves_each_row_once() {
    let pool = RayonPool::new(2).unwrap();
    for (n, levels, shape) in [(40, 1, 2), (130, 2, 3), (300, 2, 2)] {
        let mut at = 0;
        loop {
            let mut rows = wide(n, shape);
            let calls = AtomicUsize::new(0);
            let less = |x: &Wide, y: &Wide| {
                if calls.fetch_add(1, Relaxed) == at {
                    panic_any(at);
                }
                x.0 < y.0
            };
            let sort = |rows: &mut [Wide]| rows.sort_by_key(|row| row.0);
            let answer = catch_unwind(AssertUnwindSafe(|| {
                merge_sort(&pool, 2, levels, &sort, &less, &mut rows);
            }));
            assert!(rows.iter().all(|row| row.2 == [*row.1; 30]), "a row is torn");
            let mut ids: Vec<_> = rows.iter().map(|row| *row.1).collect();
            ids.sort();
            assert!(ids.into_iter().eq(0..n), "rows are lost or doubled");
            match answer {
                Ok(()) => break,
                Err(payload) => assert_eq!(payload.downcast_ref(), Some(&at)),
            }
            at += 1;
        }
        assert!(at >= n / 2, "{at} comparisons");
    }
}

#[test]
fn a_border_takes_the_first_rows_and_of_equal_ones_the_left() {
    let merge = Merge { backend: &Serial, less: &|x: &i32, y: &i32| x < y };
    let (left, right) = ([1, 2, 2, 5], [0, 2, 2, 9]);
    let borders: Vec<_> = (0..=8).map(|rows| merge.border(&left, &right, rows)).collect();
    assert_eq!(borders, [0, 0, 1, 2, 3, 3, 3, 4, 4]);
    let never = Merge { backend: &Serial, less: &|_: &i32, _: &i32| false };
    let always = Merge { backend: &Serial, less: &|_: &i32, _: &i32| true };
    assert_eq!((never.border(&left, &right, 6), always.border(&left, &right, 6)), (4, 2));
}

#[test]
#[should_panic(expected = "3 of 4 rows")]
fn a_level_that_wrote_less_does_not_count() {
    let mut rows = [1, 2, 3, 4];
    let mut room = [const { MaybeUninit::uninit() }; 4];
    Places::new(&mut rows, &mut room).refill(|rows, room| copy(&rows[..3], &mut room[..3]));
}
