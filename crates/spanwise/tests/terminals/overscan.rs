//! How much is run beyond what an early answer needs: closures are counted, over many more rows than
//! may be run.

use std::{
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering},
};

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

const ROWS: usize = 100_000_000;
const HIT: usize = 100_000;
const MOST: usize = 400_000;

/// Calls the search with a predicate that is true from `HIT` on, and counts its calls.
fn few_calls(name: &str, search: impl FnOnce(&(dyn Fn(usize) -> bool + Sync))) {
    calls_below(MOST, name, search);
}

fn calls_below(most: usize, name: &str, search: impl FnOnce(&(dyn Fn(usize) -> bool + Sync))) {
    let calls = AtomicUsize::new(0);
    search(&|i| {
        calls.fetch_add(1, Ordering::Relaxed);
        // Slow enough that the other threads come while the hit is still ahead.
        (0..20).for_each(|j| _ = black_box(i + j));
        i >= HIT
    });
    let calls = calls.into_inner();
    assert!(calls < most, "{name}: {calls} calls");
}

/// Not run from the front, since mostly nothing fails; but all stop once they know of a failure.
fn failures_stop_the_rest(pool: &impl Backend) {
    let rows = || (0..ROWS).par(pool);
    let fail = |hit: &(dyn Fn(usize) -> bool + Sync), i| if hit(i) { Err(i) } else { Ok(i) };
    calls_below(ROWS / 2, "try_for_each", |hit| {
        assert_eq!(rows().try_for_each(|i| fail(hit, i).map(|_| ())), Err(HIT));
    });
    calls_below(ROWS / 2, "try_for_each_init", |hit| {
        let tried = rows().try_for_each_init(|| (), |(), i| fail(hit, i).map(|_| ()));
        assert_eq!(tried, Err(HIT));
    });
    calls_below(ROWS / 2, "try_reduce", |hit| {
        let reduced = rows().map(|i| fail(hit, i)).try_reduce(|| 0, |x, y| Ok(x.max(y)));
        assert_eq!(reduced, Err(HIT));
    });
    calls_below(ROWS / 2, "collect of results", |hit| {
        let collected: Result<Vec<usize>, usize> = rows().map(|i| fail(hit, i)).collect();
        assert_eq!(collected, Err(HIT));
    });
    calls_below(ROWS / 2, "sum of options", |hit| {
        let sum: Option<usize> = rows().map(|i| fail(hit, i).ok()).sum();
        assert_eq!(sum, None);
    });
}

fn searches_end_soon(pool: &impl Backend) {
    let rows = || (0..ROWS).par(pool);
    few_calls("find_first", |hit| {
        assert_eq!(rows().find_first(|&i| hit(i)), Some(HIT));
    });
    few_calls("find_first after filter", |hit| {
        assert_eq!(rows().filter(|&i| hit(i)).find_first(|_| true), Some(HIT));
    });
    few_calls("first after filter", |hit| {
        assert_eq!(rows().filter(|&i| hit(i)).first(), Some(HIT));
    });
    few_calls("find_map_first", |hit| {
        assert_eq!(rows().find_map_first(|i| hit(i).then_some(i)), Some(HIT));
    });
    few_calls("find_any", |hit| {
        assert!(rows().find_any(|&i| hit(i)).is_some_and(|i| i >= HIT));
    });
    few_calls("find_map_any", |hit| {
        assert!(rows().find_map_any(|i| hit(i).then_some(i)).is_some_and(|i| i >= HIT));
    });
    few_calls("position_first", |hit| {
        assert_eq!(rows().position_first(hit), Some(HIT));
    });
    few_calls("position_first after filter", |hit| {
        let odd_or_late = |&i: &usize| hit(i) || i % 2 == 1;
        assert_eq!(rows().filter(odd_or_late).position_first(|i| i % 2 == 0), Some(HIT / 2));
    });
    few_calls("position_any", |hit| {
        assert!(rows().position_any(hit).is_some_and(|i| i >= HIT));
    });
    few_calls("any", |hit| assert!(rows().any(hit)));
    few_calls("all", |hit| assert!(!rows().all(|i| !hit(i))));
    few_calls("is_sorted", |hit| {
        assert!(!rows().map(|i| if hit(i) { 0 } else { i }).is_sorted());
    });
    few_calls("is_sorted_by_key", |hit| {
        assert!(!rows().is_sorted_by_key(|i| !hit(i)));
    });
    few_calls("eq", |hit| {
        assert!(!rows().map(hit).eq(rows().map(|_| false)));
    });
    few_calls("partial_cmp", |hit| {
        let late = rows().map(|i| if hit(i) { f64::NAN } else { 0.0 });
        assert_eq!(late.partial_cmp(rows().map(|_| 0.0)), None);
    });
    few_calls("take_while", |hit| {
        assert_eq!(rows().take_while(|&i| !hit(i)).count(), HIT);
    });
    few_calls("take after filter", |hit| {
        assert_eq!(rows().filter(|&i| hit(i)).take(1).collect::<Vec<_>>(), [HIT]);
    });
}

/// The caller begins alone, so an error in the first row is known before anybody else begins.
fn errors_stop_the_rest(pool: &impl Backend) {
    let calls = AtomicUsize::new(0);
    let fails = |i: usize| {
        calls.fetch_add(1, Ordering::Relaxed);
        Err::<(), _>(i)
    };
    let rows = || (0..ROWS).par(pool);
    assert_eq!(rows().try_for_each(fails), Err(0));
    assert_eq!(rows().try_for_each_init(|| (), |(), i| fails(i)), Err(0));
    assert_eq!(rows().map(fails).try_reduce(|| (), |(), ()| Ok(())), Err(0));
    assert_eq!(calls.into_inner(), 3);
}

#[test]
fn on_the_serial_backend() {
    searches_end_soon(&Serial);
    errors_stop_the_rest(&Serial);
}

#[test]
fn on_two_threads() {
    let pool = RayonPool::new(2).unwrap();
    searches_end_soon(&pool);
    errors_stop_the_rest(&pool);
}

#[test]
fn on_eight_threads() {
    let pool = RayonPool::new(8).unwrap();
    (0..5).for_each(|_| searches_end_soon(&pool));
    errors_stop_the_rest(&pool);
    let pool = DequePool::new(8).unwrap();
    (0..5).for_each(|_| searches_end_soon(&pool));
    errors_stop_the_rest(&pool);
}

#[test]
fn failures_stop_the_rest_everywhere() {
    on_every_backend!(failures_stop_the_rest);
}
