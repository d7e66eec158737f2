//! The `par_sort` family on every backend against std: results, stability, panics at any comparison,
//! comparisons that lie, backends that lose their halves, and rows that are counted.

use std::{
    cell::Cell,
    cmp::{Ordering, Reverse},
    hint::black_box,
    mem,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use spanwise::{
    backend::{Backend, Serial},
    prelude::*,
};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// Something that is done on each backend.
trait Visit {
    fn on<B: Backend>(&mut self, pool: &B);
}

/// The backends: one line each.
fn each_backend(visit: &mut impl Visit) {
    visit.on(&Serial);
    for width in [1, 2, 3, 4, 7, 8, 16] {
        visit.on(&RayonPool::new(width).unwrap());
        visit.on(&DequePool::new(width).unwrap());
    }
}

/// Around every border: of what std does alone, of leaves, of blocks.
const LENGTHS: [usize; 15] =
    [0, 1, 2, 3, 63, 64, 65, 255, 1000, 1023, 1024, 1025, 4097, 5000, 9001];

const SHAPES: [&str; 9] = [
    "sorted",
    "reversed",
    "random",
    "few values",
    "one value",
    "saw",
    "pipe",
    "last out of place",
    "first out of place",
];

fn noise(i: usize) -> usize {
    let x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20) as usize
}

fn key(shape: &str, i: usize, n: usize) -> usize {
    match shape {
        "sorted" => i,
        "reversed" => n - i,
        "random" => noise(i),
        "few values" => noise(i) % 5,
        "one value" => 7,
        "saw" => i % 100,
        "pipe" => i.min(n - i),
        "last out of place" => {
            if i + 1 == n {
                0
            } else {
                i + 1
            }
        }
        "first out of place" => {
            if i == 0 {
                n
            } else {
                i
            }
        }
        _ => unreachable!(),
    }
}

/// Dear enough that a thousand rows are sorted on all threads.
fn dear(x: &usize, y: &usize) -> Ordering {
    for i in 0..6 {
        black_box(i);
    }
    x.cmp(y)
}

type Pairs = [(usize, usize)];

/// Rows with a key to sort by and the index they had.
fn pairs(shape: &str, n: usize) -> Vec<(usize, usize)> {
    (0..n).map(|i| (key(shape, i, n), i)).collect()
}

#[derive(Default)]
struct Table {
    /// What the unstable sorts gave on the first backend, in the order of the table.
    unstable: Vec<Vec<(usize, usize)>>,
}

impl Visit for Table {
    fn on<B: Backend>(&mut self, pool: &B) {
        let first = self.unstable.is_empty();
        let mut turn = 0;
        for n in LENGTHS {
            for shape in SHAPES {
                let rows = pairs(shape, n);
                let name = format!("{n} rows, {shape}, width {}", pool.width());
                let sorted = |sort: &dyn Fn(&mut Pairs)| {
                    let mut rows = rows.clone();
                    sort(&mut rows);
                    rows
                };
                let stable = sorted(&|rows| rows.sort_by_key(|row| row.0));
                let total = sorted(&|rows| rows.sort());
                assert_eq!(sorted(&|rows| rows.par_sort(pool)), total, "{name}");
                assert_eq!(sorted(&|rows| rows.par_sort_unstable(pool)), total, "{name}");
                let down = sorted(&|rows| rows.sort_by_key(|row| Reverse(row.0)));
                let by = sorted(&|rows| rows.par_sort_by(pool, |x, y| dear(&y.0, &x.0)));
                assert_eq!(by, down, "{name}");
                let by_key = sorted(&|rows| rows.par_sort_by_key(pool, |row| Dear(row.0)));
                assert_eq!(by_key, stable, "{name}");
                let cached = sorted(&|rows| rows.par_sort_by_cached_key(pool, |row| Dear(row.0)));
                assert_eq!(cached, stable, "{name}");
                for sort in [
                    sorted(&|rows| rows.par_sort_unstable_by(pool, |x, y| dear(&x.0, &y.0))),
                    sorted(&|rows| rows.par_sort_unstable_by_key(pool, |row| Dear(row.0))),
                ] {
                    let mut again = sort.clone();
                    assert!(again.is_sorted_by_key(|row| row.0), "{name}");
                    again.sort();
                    assert_eq!(again, total, "{name}");
                    if first {
                        self.unstable.push(sort);
                    } else {
                        assert_eq!(sort, self.unstable[turn], "equal rows moved: {name}");
                    }
                    turn += 1;
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Dear(usize);

impl Ord for Dear {
    fn cmp(&self, other: &Self) -> Ordering {
        dear(&self.0, &other.0)
    }
}

impl PartialOrd for Dear {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[test]
fn all_functions_equal_std_and_unstable_ones_themselves() {
    each_backend(&mut Table::default());
}

/// A row that owns memory, counts its drops and the comparisons that it was in. Not `Sync`.
struct Row<'a> {
    key: usize,
    id: Box<usize>,
    seen: Cell<usize>,
    ledger: &'a Ledger,
}

struct Ledger {
    dropped: Vec<AtomicUsize>,
    seen: AtomicUsize,
}

impl Row<'_> {
    fn look(&self, other: &Self) {
        self.ledger.seen.fetch_add(2, Relaxed);
        self.seen.set(self.seen.get() + 1);
        other.seen.set(other.seen.get() + 1);
    }
}

impl Drop for Row<'_> {
    fn drop(&mut self) {
        self.ledger.dropped[*self.id].fetch_add(1, Relaxed);
    }
}

/// Checks that a sort, whatever becomes of it, leaves each row in the slice once and with what the
/// comparisons did to it. Returns whether it returned, or its payload.
fn audit(n: usize, shape: &str, sort: impl FnOnce(&mut [Row<'_>])) -> Result<(), usize> {
    let dropped = (0..n).map(|_| AtomicUsize::new(0)).collect();
    let ledger = Ledger { dropped, seen: AtomicUsize::new(0) };
    let row =
        |i| Row { key: key(shape, i, n), id: Box::new(i), seen: Cell::new(0), ledger: &ledger };
    let mut rows: Vec<_> = (0..n).map(row).collect();
    let unwound = catch_unwind(AssertUnwindSafe(|| sort(&mut rows)));
    let mut ids: Vec<_> = rows.iter().map(|row| *row.id).collect();
    ids.sort();
    assert!(ids.into_iter().eq(0..n), "rows are lost or doubled");
    assert_eq!(rows.iter().map(|row| row.seen.get()).sum::<usize>(), ledger.seen.load(Relaxed));
    drop(rows);
    assert!(ledger.dropped.iter().all(|count| count.load(Relaxed) == 1));
    unwound.map_err(|payload| payload.downcast_ref().copied().unwrap_or(usize::MAX))
}

fn sort_by<B: Backend>(
    stable: bool,
    pool: &B,
    rows: &mut [Row<'_>],
    order: impl Fn(&Row<'_>, &Row<'_>) -> Ordering + Sync,
) {
    let order = |x: &Row<'_>, y: &Row<'_>| {
        x.look(y);
        order(x, y)
    };
    if stable { rows.par_sort_by(pool, order) } else { rows.par_sort_unstable_by(pool, order) }
}

struct Panics;

impl Visit for Panics {
    fn on<B: Backend>(&mut self, pool: &B) {
        for stable in [true, false] {
            for (n, step) in [(3, 1), (1500, 997), (5000, 9973)] {
                for shape in ["random", "few values", "last out of place"] {
                    let mut at = 0;
                    loop {
                        let calls = AtomicUsize::new(0);
                        let answer = audit(n, shape, |rows| {
                            sort_by(stable, pool, rows, |x, y| {
                                if calls.fetch_add(1, Relaxed) == at {
                                    panic_any(at);
                                }
                                dear(&x.key, &y.key)
                            });
                        });
                        if answer.is_ok() {
                            break;
                        }
                        assert_eq!(answer, Err(at));
                        at += step;
                    }
                    assert!(at > 0);
                    assert_eq!(pool.join(|| 1, || 2), (1, 2), "the pool stays usable");
                }
            }
        }
    }
}

#[test]
fn a_comparison_that_panics_loses_no_row() {
    each_backend(&mut Panics);
}

struct Lies;

impl Visit for Lies {
    fn on<B: Backend>(&mut self, pool: &B) {
        for stable in [true, false] {
            for n in [20, 1100, 5000] {
                for lie in 0..6 {
                    let calls = AtomicUsize::new(0);
                    // The answer is open, but for rows, memory and time.
                    let _ = audit(n, "random", |rows| {
                        sort_by(stable, pool, rows, |x, y| {
                            let call = calls.fetch_add(1, Relaxed);
                            match lie {
                                0 => Ordering::Less,
                                1 => Ordering::Greater,
                                2 => Ordering::Equal,
                                3 => noise(call).cmp(&noise(call + 1)),
                                4 if noise(call) % 50 == 0 => y.key.cmp(&x.key),
                                5 if call > 20 * n => Ordering::Greater,
                                _ => dear(&x.key, &y.key),
                            }
                        });
                    });
                    let most = 60 * n * (n.ilog2() as usize);
                    assert!(calls.into_inner() < most, "lie {lie} costs too much");
                }
            }
        }
    }
}

#[test]
fn a_comparison_that_lies_loses_no_row() {
    each_backend(&mut Lies);
}

/// A backend that runs some joins, then one badly.
struct Bad {
    joins: AtomicUsize,
    bad: usize,
    way: usize,
}

impl Backend for Bad {
    fn width(&self) -> NonZeroUsize {
        NonZeroUsize::new(4).unwrap()
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        if self.joins.fetch_add(1, Relaxed) != self.bad {
            let far = b();
            return (a(), far);
        }
        match self.way {
            0 => mem::forget((a, b)),
            1 => {
                mem::forget(a());
                mem::forget(b);
            }
            2 => mem::forget((b(), a())),
            _ => drop((b(), a)),
        }
        panic_any(self.bad);
    }
}

#[test]
fn a_backend_that_loses_its_halves_loses_no_row() {
    for stable in [true, false] {
        for (n, shape) in [(1200, "random"), (9001, "few values"), (9001, "random")] {
            for way in 0..4 {
                let mut bad = 0;
                loop {
                    let pool = Bad { joins: AtomicUsize::new(0), bad, way };
                    let order = |x: &Row<'_>, y: &Row<'_>| dear(&x.key, &y.key);
                    if audit(n, shape, |rows| sort_by(stable, &pool, rows, order)).is_ok() {
                        break;
                    }
                    bad += 1;
                }
                // Short slices are parted on one thread where nothing is cut off.
                assert!(bad > 0 || n < 4096 && !stable, "no join was lost");
            }
        }
    }
}

struct Keys;

impl Visit for Keys {
    fn on<B: Backend>(&mut self, pool: &B) {
        for n in [0, 1, 2, 1000, 5000] {
            let calls = AtomicUsize::new(0);
            let answer = audit(n, "random", |rows| {
                rows.par_sort_by_cached_key(pool, |row| {
                    calls.fetch_add(1, Relaxed);
                    row.key
                });
                assert!(rows.is_sorted_by_key(|row| row.key));
            });
            assert_eq!(answer, Ok(()));
            assert_eq!(calls.into_inner(), if n < 2 { 0 } else { n }, "one key for each row");
            for at in [0, 1, n / 2, n.saturating_sub(1)].into_iter().filter(|&at| at < n && n > 1) {
                let answer = audit(n, "random", |rows| {
                    let unwound = catch_unwind(AssertUnwindSafe(|| {
                        rows.par_sort_by_cached_key(pool, |row| {
                            if *row.id == at {
                                panic_any(at);
                            }
                            row.key
                        });
                    }));
                    assert!(rows.iter().map(|row| *row.id).eq(0..n), "the slice is as it was");
                    std::panic::resume_unwind(unwound.expect_err("a key panicked"));
                });
                assert_eq!(answer, Err(at));
            }
        }
    }
}

#[test]
fn cached_keys_are_computed_once_or_nothing_moves() {
    each_backend(&mut Keys);
}

struct Nothing;

impl Visit for Nothing {
    fn on<B: Backend>(&mut self, pool: &B) {
        for n in [0, 1, 2000, 100_000] {
            let mut rows = vec![(); n];
            rows.par_sort(pool);
            rows.par_sort_unstable(pool);
            rows.par_sort_by(pool, |_, _| Ordering::Less);
            rows.par_sort_unstable_by_key(pool, |_| 1);
            rows.par_sort_by_cached_key(pool, |_| 1);
            assert_eq!(rows.len(), n);
        }
        // A slice of more rows than any buffer has bytes.
        let mut rows = [(); usize::MAX];
        rows.par_sort(pool);
        rows.par_sort_unstable(pool);
    }
}

#[test]
fn rows_of_no_size() {
    each_backend(&mut Nothing);
}

struct Large;

impl Visit for Large {
    /// Rows so large, and so many, that runs are merged on one thread too.
    fn on<B: Backend>(&mut self, pool: &B) {
        for (n, shape) in [(3000, "random"), (70_001, "few values"), (70_001, "last out of place")]
        {
            let mut rows: Vec<_> = (0..n).map(|i| (key(shape, i, n), i, [i; 14])).collect();
            let mut want = rows.clone();
            want.sort_by_key(|row| row.0);
            rows.par_sort_by(pool, |x, y| dear(&x.0, &y.0));
            assert!(rows == want, "{n} rows, {shape}, width {}", pool.width());
        }
        let mut floats: Vec<f64> =
            (0..70_001).map(|i| f64::from_bits(noise(i) as u64 * 7)).collect();
        let mut want = floats.clone();
        want.sort_by(f64::total_cmp);
        floats.par_sort_by(pool, f64::total_cmp);
        assert!(floats.iter().map(|x| x.to_bits()).eq(want.iter().map(|x| x.to_bits())));
    }
}

#[test]
fn large_rows_and_floats_by_bits() {
    each_backend(&mut Large);
}
