//! Each library's own parallel iterator over the same rows. All of them extend slices by methods of the
//! same names, so that they must be called apart from each other.

use std::ops::Range;

use orx_parallel::{BasicPool, IntoParIter, Par, Runner};
use paralight::{
    prelude::{
        ExactParallelSourceExt, IntoExactParallelRefSource, IntoExactParallelSource,
        ParallelIterator,
    },
    threads::ThreadPool,
};

/// rayon's, of a slice.
pub fn rayon<T: Sync>(rows: &[T]) -> rayon::slice::Iter<'_, T> {
    rayon::iter::IntoParallelRefIterator::par_iter(rows)
}

/// rayon's, of a range.
pub fn rayon_range(rows: Range<i64>) -> rayon::range::Iter<i64> {
    rayon::iter::IntoParallelIterator::into_par_iter(rows)
}

/// paralight's, of a slice.
pub fn paralight<'a, T: Sync>(
    rows: &'a [T],
    pool: &'a mut ThreadPool,
) -> impl ParallelIterator<Item = &'a T> {
    rows.par_iter().with_thread_pool(pool)
}

/// paralight's map and collect of a slice: only before it gets its pool does it know its length.
pub fn paralight_collect<T: Sync, R: Send>(
    rows: &[T],
    pool: &mut ThreadPool,
    f: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    rows.par_iter().map(f).with_thread_pool(pool).collect()
}

/// paralight's, of a range. On stable Rust it has ranges of `usize` only.
pub fn paralight_range(
    rows: Range<i64>,
    pool: &mut ThreadPool,
) -> impl ParallelIterator<Item = usize> {
    (rows.start as usize..rows.end as usize).into_par_iter().with_thread_pool(pool)
}

/// orx-parallel's, of a slice.
pub fn orx<'a, T: Sync>(rows: &'a [T], pool: &'a BasicPool) -> impl Par<Item = &'a T> {
    rows.into_par().runner(Runner::adaptive_with_pool(pool))
}

/// orx-parallel's, of a range, which has to be of `usize` here too.
pub fn orx_range(rows: Range<i64>, pool: &BasicPool) -> impl Par<Item = usize> {
    (rows.start as usize..rows.end as usize).into_par().runner(Runner::adaptive_with_pool(pool))
}
