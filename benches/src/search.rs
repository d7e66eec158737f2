//! The pipelines that may end early. In come rows, a callback and what is looked for, out comes each
//! library's way to write the chain.

use std::sync::atomic::{AtomicBool, Ordering};

use orx_parallel::{BasicPool, Par as _};
use paralight::{prelude::ParallelIteratorExt, threads::ThreadPool};
use rayon::iter::ParallelIterator as _;
use spanwise::prelude::*;
use spanwise_backend::Backend;

use crate::{chains::Call, halves::Halves, pipeline::Pipeline, rows};

/// `rows.iter().map(f).find(wanted)`.
#[derive(Clone, Copy, Debug)]
pub struct FindFirst<'a, F> {
    /// The rows.
    pub rows: &'a [i64],
    /// The callback.
    pub f: F,
    /// What is looked for, as the callback returns it.
    pub wanted: i64,
    /// chili's.
    pub leaf: usize,
}

impl<F: Call<i64>> Pipeline for FindFirst<'_, F> {
    type Answer = Option<i64>;

    #[inline(never)]
    fn serial(&self) -> Option<i64> {
        self.rows.iter().map(|&x| (self.f)(x)).find(|&x| x == self.wanted)
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> Option<i64> {
        let (f, wanted) = (self.f, self.wanted);
        self.rows.iter().par(pool).map(move |&x| f(x)).find_first(move |&x| x == wanted)
    }

    #[inline(never)]
    fn rayon(&self) -> Option<i64> {
        rows::rayon(self.rows).map(|&x| (self.f)(x)).find_first(|&x| x == self.wanted)
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> Option<i64> {
        rows::paralight(self.rows, pool).map(|&x| (self.f)(x)).find_first(|&x| x == self.wanted)
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> Option<i64> {
        rows::orx(self.rows, pool).map(|&x| (self.f)(x)).find(|&x| x == self.wanted)
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> Option<i64> {
        let find = |rows: &[i64]| rows.iter().map(|&x| (self.f)(x)).find(|&x| x == self.wanted);
        pool.run(self.rows, find, Option::or)
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}

/// `rows.iter().map(f).any(wanted)`.
#[derive(Clone, Copy, Debug)]
pub struct Any<'a, F> {
    /// The rows.
    pub rows: &'a [i64],
    /// The callback.
    pub f: F,
    /// What is looked for, as the callback returns it.
    pub wanted: i64,
    /// chili's.
    pub leaf: usize,
}

impl<F: Call<i64>> Pipeline for Any<'_, F> {
    type Answer = bool;

    #[inline(never)]
    fn serial(&self) -> bool {
        self.rows.iter().map(|&x| (self.f)(x)).any(|x| x == self.wanted)
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> bool {
        let (f, wanted) = (self.f, self.wanted);
        self.rows.iter().par(pool).map(move |&x| f(x)).any(move |x| x == wanted)
    }

    #[inline(never)]
    fn rayon(&self) -> bool {
        rows::rayon(self.rows).map(|&x| (self.f)(x)).any(|x| x == self.wanted)
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> bool {
        rows::paralight(self.rows, pool).map(|&x| (self.f)(x)).any(|x| x == self.wanted)
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> bool {
        rows::orx(self.rows, pool).map(|&x| (self.f)(x)).any(|&x| x == self.wanted)
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> bool {
        // By hand one would look, block by block, whether the other half has found it.
        let found = AtomicBool::new(false);
        let any = |rows: &[i64]| {
            rows.chunks(1024).any(|block| {
                // Relaxed: the flag carries nothing else; a late look costs a block.
                let hit = found.load(Ordering::Relaxed)
                    || block.iter().map(|&x| (self.f)(x)).any(|x| x == self.wanted);
                if hit {
                    found.store(true, Ordering::Relaxed);
                }
                hit
            })
        };
        pool.run(self.rows, any, |a, b| a || b)
    }

    fn leaf(&self) -> usize {
        self.leaf
    }
}
