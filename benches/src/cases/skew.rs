//! Rows that do not cost the same, and calls within calls.

use orx_parallel::{BasicPool, Par as _};
use paralight::{prelude::ParallelIteratorExt, threads::ThreadPool};
use rayon::iter::ParallelIterator as _;
use spanwise::prelude::*;
use spanwise_backend::Backend;

use super::visit::{Hot, Visit};
use crate::{
    cell::Place,
    chains::Sum,
    halves::Halves,
    input::{burn, expensive, list},
    peers::Peers,
    pipeline::Pipeline,
    rows,
    session::Session,
};

const ROWS: usize = 10_000;

/// Steps of `burn` in a millisecond, about.
pub const MILLI: usize = 1_100_000;

/// A row's part of the cost.
type Shape = fn(usize) -> usize;

/// How the cost lies over the rows: steps for row `i` of `ROWS`, to be brought to a given total.
const SHAPES: [(&str, Shape); 6] = [
    ("growing", |i| i),
    ("falling", |i| ROWS - i),
    ("one heavy row first", |i| if i == 0 { ROWS } else { 1 }),
    ("one heavy row last", |i| if i == ROWS - 1 { ROWS } else { 1 }),
    ("all in the first eighth", |i| usize::from(i < ROWS / 8)),
    ("all in the last eighth", |i| usize::from(i >= ROWS - ROWS / 8)),
];

/// Rows whose costs add up to about so many steps.
fn costs(shape: Shape, steps: usize) -> Vec<i64> {
    let whole: usize = (0..ROWS).map(shape).sum();
    (0..ROWS).map(|i| (shape(i) as u128 * steps as u128 / whole as u128) as i64).collect()
}

/// Ten thousand rows in six shapes, 0.3 to 10 ms in all.
///
/// # Errors
///
/// If answers differ.
pub fn skew(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let totals = [("0.3 ms", 3 * MILLI / 10), ("1 ms", MILLI), ("10 ms", 10 * MILLI)];
    let totals = &totals[..if session.is_full() { 3 } else { 2 }];
    shapes(totals, &mut Hot { session, peers })
}

/// Shows the shapes to the visitor, at these total costs in steps.
///
/// # Errors
///
/// The visitor's first.
pub fn shapes(totals: &[(&str, usize)], visit: &mut impl Visit) -> Result<(), String> {
    for (case, shape) in SHAPES {
        for &(cost, steps) in totals {
            let rows = costs(shape, steps);
            visit.visit(Place::hot(case, cost, ROWS), &Sum { rows: &rows, f: burn, leaf: 64 })?;
        }
    }
    Ok(())
}

/// A sum of sums, each row of the outer call being a call of its own.
#[derive(Clone, Copy, Debug)]
pub struct Nested<'a> {
    outer: &'a [i64],
    inner: &'a [i64],
}

impl Nested<'_> {
    fn loops(&self, outer: i64) -> i64 {
        self.inner.iter().map(|&x| expensive(x ^ outer)).sum()
    }
}

impl Pipeline for Nested<'_> {
    type Answer = i64;

    #[inline(never)]
    fn serial(&self) -> i64 {
        self.outer.iter().map(|&outer| self.loops(outer)).sum()
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> i64 {
        let inner = self.inner;
        let call = |&outer: &i64| -> i64 {
            inner.iter().par(pool).map(move |&x| expensive(x ^ outer)).sum()
        };
        self.outer.iter().par(pool).map(call).sum()
    }

    #[inline(never)]
    fn rayon(&self) -> i64 {
        let call =
            |&outer: &i64| -> i64 { rows::rayon(self.inner).map(|&x| expensive(x ^ outer)).sum() };
        rows::rayon(self.outer).map(call).sum()
    }

    // The others do not nest: their inner loops are plain ones.

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> i64 {
        rows::paralight(self.outer, pool).map(|&outer| self.loops(outer)).sum()
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> i64 {
        rows::orx(self.outer, pool).map(|&outer| self.loops(outer)).sum()
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> i64 {
        let sum = |outer: &[i64]| outer.iter().map(|&outer| self.loops(outer)).sum::<i64>();
        pool.run(self.outer, sum, |a, b| a + b)
    }

    fn leaf(&self) -> usize {
        1
    }
}

/// A hundred calls of a thousand rows within a call.
///
/// # Errors
///
/// If answers differ.
pub fn nested(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let (outer, inner) = (list(100), list(1000));
    let place = Place::hot("nested, 100 rows of 1,000", "expensive", 100_000);
    Hot { session, peers }.visit(place, &Nested { outer: &outer, inner: &inner })
}
