//! The pipelines that end in all rows: collected, counted, summed, reduced. In come rows and a callback,
//! out comes each library's way to write the chain.

use std::ops::Range;

use orx_parallel::{BasicPool, Par as _};
use paralight::{prelude::ParallelIteratorExt, threads::ThreadPool};
use rayon::iter::ParallelIterator as _;
use spanwise::prelude::*;
use spanwise_backend::Backend;

use crate::{halves::Halves, pipeline::Pipeline, rows};

/// A callback.
pub trait Call<T>: Fn(T) -> T + Copy + Send + Sync {}
impl<T, F: Fn(T) -> T + Copy + Send + Sync> Call<T> for F {}

/// `rows.iter().map(f).collect()`.
#[derive(Clone, Copy, Debug)]
pub struct Collect<'a, F> {
    /// The rows.
    pub rows: &'a [i64],
    /// The callback.
    pub f: F,
    /// chili's.
    pub leaf: usize,
}

impl<F: Call<i64>> Pipeline for Collect<'_, F> {
    type Answer = Vec<i64>;

    #[inline(never)]
    fn serial(&self) -> Vec<i64> {
        self.rows.iter().map(|&x| (self.f)(x)).collect()
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> Vec<i64> {
        let f = self.f;
        self.rows.iter().par(pool).map(move |&x| f(x)).collect()
    }

    #[inline(never)]
    fn rayon(&self) -> Vec<i64> {
        rows::rayon(self.rows).map(|&x| (self.f)(x)).collect()
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> Vec<i64> {
        rows::paralight_collect(self.rows, pool, |&x| (self.f)(x))
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> Vec<i64> {
        rows::orx(self.rows, pool).map(|&x| (self.f)(x)).collect()
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> Vec<i64> {
        // Zeroed first: without unsafe code two threads can write one vector no other way.
        let mut out = vec![0; self.rows.len()];
        let fill = |(rows, out): (&[i64], &mut [i64])| {
            out.iter_mut().zip(rows).for_each(|(out, &x)| *out = (self.f)(x));
        };
        pool.run((self.rows, &mut out[..]), fill, |(), ()| ());
        out
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}

/// `rows.iter().map(f).filter(sevenths).count()`.
#[derive(Clone, Copy, Debug)]
pub struct FilterCount<'a, F> {
    /// The rows.
    pub rows: &'a [i64],
    /// The callback.
    pub f: F,
    /// chili's.
    pub leaf: usize,
}

#[inline(always)]
fn seventh(x: i64) -> bool {
    x % 7 == 0
}

impl<F: Call<i64>> Pipeline for FilterCount<'_, F> {
    type Answer = usize;

    #[inline(never)]
    fn serial(&self) -> usize {
        self.rows.iter().map(|&x| (self.f)(x)).filter(|&x| seventh(x)).count()
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> usize {
        let f = self.f;
        self.rows.iter().par(pool).map(move |&x| f(x)).filter(|&x| seventh(x)).count()
    }

    #[inline(never)]
    fn rayon(&self) -> usize {
        rows::rayon(self.rows).map(|&x| (self.f)(x)).filter(|&x| seventh(x)).count()
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> usize {
        // It has no `count`.
        rows::paralight(self.rows, pool).map(|&x| usize::from(seventh((self.f)(x)))).sum()
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> usize {
        rows::orx(self.rows, pool).map(|&x| (self.f)(x)).filter(|&x| seventh(x)).count()
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> usize {
        let count = |rows: &[i64]| rows.iter().filter(|&&x| seventh((self.f)(x))).count();
        pool.run(self.rows, count, |a, b| a + b)
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}

/// `rows.iter().map(f).sum()`, of integers.
#[derive(Clone, Copy, Debug)]
pub struct Sum<'a, F> {
    /// The rows.
    pub rows: &'a [i64],
    /// The callback.
    pub f: F,
    /// chili's.
    pub leaf: usize,
}

impl<F: Call<i64>> Pipeline for Sum<'_, F> {
    type Answer = i64;

    #[inline(never)]
    fn serial(&self) -> i64 {
        self.rows.iter().map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> i64 {
        let f = self.f;
        self.rows.iter().par(pool).map(move |&x| f(x)).sum()
    }

    #[inline(never)]
    fn rayon(&self) -> i64 {
        rows::rayon(self.rows).map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> i64 {
        rows::paralight(self.rows, pool).map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> i64 {
        rows::orx(self.rows, pool).map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> i64 {
        let sum = |rows: &[i64]| rows.iter().map(|&x| (self.f)(x)).sum::<i64>();
        pool.run(self.rows, sum, |a, b| a + b)
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}

/// `(0..n).map(f).sum()`.
#[derive(Clone, Debug)]
pub struct SumRange<F> {
    /// The rows.
    pub rows: Range<i64>,
    /// The callback.
    pub f: F,
    /// chili's.
    pub leaf: usize,
}

impl<F: Call<i64>> Pipeline for SumRange<F> {
    type Answer = i64;

    #[inline(never)]
    fn serial(&self) -> i64 {
        self.rows.clone().map(|x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> i64 {
        self.rows.clone().par(pool).map(self.f).sum()
    }

    #[inline(never)]
    fn rayon(&self) -> i64 {
        rows::rayon_range(self.rows.clone()).map(|x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> i64 {
        rows::paralight_range(self.rows.clone(), pool).map(|x| (self.f)(x as i64)).sum()
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> i64 {
        rows::orx_range(self.rows.clone(), pool).map(|x| (self.f)(x as i64)).sum()
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> i64 {
        let sum = |rows: Range<i64>| rows.map(|x| (self.f)(x)).sum::<i64>();
        pool.run(self.rows.clone(), sum, |a, b| a + b)
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}
