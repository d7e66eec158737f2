//! The pipelines that end in a float sum or a reduction. In come rows and a callback, out comes each
//! library's way to write the chain.

use orx_parallel::{BasicPool, Par as _};
use paralight::{prelude::ParallelIteratorExt, threads::ThreadPool};
use rayon::iter::ParallelIterator as _;
use spanwise::prelude::*;
use spanwise_backend::Backend;

use crate::{chains::Call, halves::Halves, pipeline::Pipeline, rows};

/// `rows.iter().map(f).sum()`, of floats.
#[derive(Clone, Copy, Debug)]
pub struct FloatSum<'a, F> {
    /// The rows.
    pub rows: &'a [f64],
    /// The callback.
    pub f: F,
    /// chili's.
    pub leaf: usize,
}

impl<F: Call<f64>> Pipeline for FloatSum<'_, F> {
    type Answer = f64;

    #[inline(never)]
    fn serial(&self) -> f64 {
        self.rows.iter().map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> f64 {
        let f = self.f;
        self.rows.iter().par(pool).map(move |&x| f(x)).sum()
    }

    #[inline(never)]
    fn rayon(&self) -> f64 {
        rows::rayon(self.rows).map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> f64 {
        rows::paralight(self.rows, pool).map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> f64 {
        rows::orx(self.rows, pool).map(|&x| (self.f)(x)).sum()
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> f64 {
        let sum = |rows: &[f64]| rows.iter().map(|&x| (self.f)(x)).sum::<f64>();
        pool.run(self.rows, sum, |a, b| a + b)
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}

/// `rows.iter().map(f).reduce(max)`.
#[derive(Clone, Copy, Debug)]
pub struct Max<'a, F> {
    /// The rows.
    pub rows: &'a [i64],
    /// The callback.
    pub f: F,
    /// chili's.
    pub leaf: usize,
}

impl<F: Call<i64>> Pipeline for Max<'_, F> {
    type Answer = Option<i64>;

    #[inline(never)]
    fn serial(&self) -> Option<i64> {
        self.rows.iter().map(|&x| (self.f)(x)).reduce(i64::max)
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> Option<i64> {
        let f = self.f;
        self.rows.iter().par(pool).map(move |&x| f(x)).reduce(i64::max)
    }

    #[inline(never)]
    fn rayon(&self) -> Option<i64> {
        rows::rayon(self.rows).map(|&x| (self.f)(x)).reduce_with(i64::max)
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> Option<i64> {
        let max =
            rows::paralight(self.rows, pool).map(|&x| (self.f)(x)).reduce(|| i64::MIN, i64::max);
        (!self.rows.is_empty()).then_some(max)
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> Option<i64> {
        rows::orx(self.rows, pool).map(|&x| (self.f)(x)).reduce(i64::max)
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> Option<i64> {
        let max = |rows: &[i64]| rows.iter().map(|&x| (self.f)(x)).reduce(i64::max);
        // `None` is less than any `Some`.
        pool.run(self.rows, max, Option::max)
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}
