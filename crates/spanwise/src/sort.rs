//! Sorting. In come slices of rows, out come the same rows in order: by merging runs where equal rows
//! keep their order, in place where they need not. Users call it through [`ParSlice`].

use std::{
    cmp::Ordering::{self, Less},
    hint::black_box,
    time::{Duration, Instant},
};

use spanwise_backend::Backend;

use crate::{chain::Par, merge::merge_sort, quick::quick_sort, run::straighten, sealed::Sealed};

/// Below this many rows std sorts them.
const FEW: usize = 1024;

/// Rows whose comparison tells what comparisons cost.
const PROBE: usize = 129;

/// A sort that ends within this is not worth a second thread.
const SOLO: Duration = Duration::from_micros(100);

impl<T> Sealed for [T] {}

/// Sorts slices on all threads of a backend.
///
/// The names and the results are std's; the pool comes first. Comparisons and keys are `Fn` and `Sync`
/// since several threads may run them at once, on different rows: rows need not be `Sync`. Short and
/// cheap slices are sorted by std on the calling thread.
///
/// If a comparison panics, the slice holds the same rows in some order. So it does if the comparison is
/// no total order; std's sorts may then panic.
pub trait ParSlice<T>: Sealed {
    /// Sorts the rows; equal ones keep their order.
    ///
    /// The result is std's `sort`'s, whatever the backend. Needs room for as many rows again, and
    /// O(n log n) comparisons; rows that are sorted already, or backwards, cost n.
    ///
    /// # Panics
    ///
    /// If the comparison does.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut rows = [5, -3, 1];
    /// rows.par_sort(&pool);
    /// assert_eq!(rows, [-3, 1, 5]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_sort<B: Backend>(&mut self, backend: &B)
    where
        T: Ord + Send;

    /// Sorts the rows by `order`; equal ones keep their order.
    ///
    /// As [`par_sort`](Self::par_sort).
    ///
    /// # Panics
    ///
    /// If `order` does.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut rows = [2.5, f64::NAN, -1.0];
    /// rows.par_sort_by(&pool, |x, y| y.total_cmp(x));
    /// assert_eq!(rows[1..], [2.5, -1.0]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_sort_by<B, F>(&mut self, backend: &B, order: F)
    where
        T: Send,
        B: Backend,
        F: Fn(&T, &T) -> Ordering + Sync;

    /// Sorts the rows by a key; rows with equal keys keep their order.
    ///
    /// As [`par_sort`](Self::par_sort). `key` is called twice for each comparison: for dear keys there is
    /// [`par_sort_by_cached_key`](Self::par_sort_by_cached_key).
    ///
    /// # Panics
    ///
    /// If `key` or the comparison of keys does.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut words = ["pear", "fig", "plum"];
    /// words.par_sort_by_key(&pool, |word| word.len());
    /// assert_eq!(words, ["fig", "pear", "plum"]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_sort_by_key<B, K, F>(&mut self, backend: &B, key: F)
    where
        T: Send,
        B: Backend,
        K: Ord,
        F: Fn(&T) -> K + Sync;

    /// Sorts the rows by a key that is computed once for each; rows with equal keys keep their order.
    ///
    /// Keys are computed and sorted on all threads, then this one swaps each row to its place. Needs
    /// room for the keys and as many indices.
    ///
    /// # Panics
    ///
    /// If `key` or the comparison of keys does; the slice is then as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut rows = [10, 9, 100];
    /// rows.par_sort_by_cached_key(&pool, |row| row.to_string());
    /// assert_eq!(rows, [10, 100, 9]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_sort_by_cached_key<B, K, F>(&mut self, backend: &B, key: F)
    where
        T: Send,
        B: Backend,
        K: Ord + Send,
        F: Fn(&T) -> K + Sync;

    /// Sorts the rows in place; equal ones may change their order.
    ///
    /// Needs no room beyond the rows. Where rows that compare equal are equal, the result is std's. Where they
    /// can be told apart their order may be another than std's, but it is the same on every backend.
    /// O(n log n) comparisons; rows that are sorted already, or backwards, cost n.
    ///
    /// # Panics
    ///
    /// If the comparison does.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut rows: Vec<u32> = (0..100_000).map(|x| x * 7_919 % 100_000).collect();
    /// rows.par_sort_unstable(&pool);
    /// assert!(rows.is_sorted());
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_sort_unstable<B: Backend>(&mut self, backend: &B)
    where
        T: Ord + Send;

    /// Sorts the rows in place by `order`; equal ones may change their order.
    ///
    /// As [`par_sort_unstable`](Self::par_sort_unstable).
    ///
    /// # Panics
    ///
    /// If `order` does.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut rows = [1, 3, 2];
    /// rows.par_sort_unstable_by(&pool, |x, y| y.cmp(x));
    /// assert_eq!(rows, [3, 2, 1]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_sort_unstable_by<B, F>(&mut self, backend: &B, order: F)
    where
        T: Send,
        B: Backend,
        F: Fn(&T, &T) -> Ordering + Sync;

    /// Sorts the rows in place by a key; rows with equal keys may change their order.
    ///
    /// As [`par_sort_unstable`](Self::par_sort_unstable). `key` is called twice for each comparison.
    ///
    /// # Panics
    ///
    /// If `key` or the comparison of keys does.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut rows = [-5_i32, 4, 1, -3];
    /// rows.par_sort_unstable_by_key(&pool, |row| row.abs());
    /// assert_eq!(rows, [1, -3, 4, -5]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    fn par_sort_unstable_by_key<B, K, F>(&mut self, backend: &B, key: F)
    where
        T: Send,
        B: Backend,
        K: Ord,
        F: Fn(&T) -> K + Sync;
}

impl<T> ParSlice<T> for [T] {
    fn par_sort<B: Backend>(&mut self, backend: &B)
    where
        T: Ord + Send,
    {
        stable(backend, &<[T]>::sort, &T::lt, self);
    }

    fn par_sort_by<B, F>(&mut self, backend: &B, order: F)
    where
        T: Send,
        B: Backend,
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        let sort = |rows: &mut [T]| rows.sort_by(&order);
        stable(backend, &sort, &|row, other| order(row, other) == Less, self);
    }

    fn par_sort_by_key<B, K, F>(&mut self, backend: &B, key: F)
    where
        T: Send,
        B: Backend,
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        let sort = |rows: &mut [T]| rows.sort_by_key(&key);
        stable(backend, &sort, &|row, other| key(row) < key(other), self);
    }

    fn par_sort_by_cached_key<B, K, F>(&mut self, backend: &B, key: F)
    where
        T: Send,
        B: Backend,
        K: Ord + Send,
        F: Fn(&T) -> K + Sync,
    {
        if self.len() < 2 {
            return;
        }
        let keys = self.par(backend).enumerate().map(|(at, row)| (key(row), at));
        let mut keys: Vec<(K, usize)> = keys.collect();
        // No two are equal, so nothing keeps this from being done in place.
        keys.par_sort_unstable(backend);
        for to in 0..self.len() {
            // What stood here may have been swapped away: it is where that place's row went.
            let mut from = keys[to].1;
            while from < to {
                from = keys[from].1;
            }
            keys[to].1 = from;
            self.swap(to, from);
        }
    }

    fn par_sort_unstable<B: Backend>(&mut self, backend: &B)
    where
        T: Ord + Send,
    {
        unstable(backend, &<[T]>::sort_unstable, &T::lt, self);
    }

    fn par_sort_unstable_by<B, F>(&mut self, backend: &B, order: F)
    where
        T: Send,
        B: Backend,
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        let sort = |rows: &mut [T]| rows.sort_unstable_by(&order);
        unstable(backend, &sort, &|row, other| order(row, other) == Less, self);
    }

    fn par_sort_unstable_by_key<B, K, F>(&mut self, backend: &B, key: F)
    where
        T: Send,
        B: Backend,
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        let sort = |rows: &mut [T]| rows.sort_unstable_by_key(&key);
        unstable(backend, &sort, &|row, other| key(row) < key(other), self);
    }
}

/// `sort` on all threads, where `sort` is stable.
fn stable<T, B, S, F>(backend: &B, sort: &S, less: &F, rows: &mut [T])
where
    T: Send,
    B: Backend,
    S: Fn(&mut [T]) + Sync,
    F: Fn(&T, &T) -> bool + Sync,
{
    let width = backend.width().get();
    if width == 1 || is_small(rows) {
        return sort(rows);
    }
    backend.enter(|| {
        if straighten(backend, less, rows) {
            return;
        }
        if !is_dear(less, rows) {
            return sort(rows);
        }
        // Four runs for two threads; an even number of levels ends where it began.
        let levels = 2 * width.ilog2().div_ceil(2).min(3);
        merge_sort(backend, width, levels, sort, less, rows);
    });
}

/// `sort` on all threads, with equal rows in an order that depends on the rows alone.
fn unstable<T, B, S, F>(backend: &B, sort: &S, less: &F, rows: &mut [T])
where
    T: Send,
    B: Backend,
    S: Fn(&mut [T]) + Sync,
    F: Fn(&T, &T) -> bool + Sync,
{
    if is_small(rows) {
        return sort(rows);
    }
    backend.enter(|| {
        if straighten(backend, less, rows) {
            return;
        }
        let spread = backend.width().get() > 1 && (backend.cuts_at_once() || is_dear(less, rows));
        quick_sort(spread.then_some(backend), sort, less, rows);
    });
}

fn is_small<T>(rows: &[T]) -> bool {
    // Rows of no size are all equal: std leaves them alone.
    rows.len() < FEW || size_of::<T>() == 0
}

/// Whether sorting seems to take long enough for a second thread, as far as a few comparisons tell.
fn is_dear<T>(less: &impl Fn(&T, &T) -> bool, rows: &[T]) -> bool {
    let began = Instant::now();
    let probe = rows[..PROBE].windows(2);
    black_box(probe.filter(|pair| less(&pair[1], &pair[0])).count());
    let comparisons = rows.len() as f64 * f64::from(rows.len().ilog2());
    began.elapsed().as_secs_f64() / (PROBE - 1) as f64 * comparisons >= SOLO.as_secs_f64()
}
