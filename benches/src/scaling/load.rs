//! The rows of a call and what they cost. In come a shape, a number of rows and their time, out come
//! times of parts, and the leaves that the library's plan makes of so many rows.

use std::{cmp::Reverse, collections::BinaryHeap};

use spanwise::{backend::Serial, prelude::*};

/// How the cost is spread over the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All rows cost the same.
    Even,
    /// A row costs as much as its number says.
    Growing,
    /// One row in the middle has a fiftieth of all cost, the others the same.
    HeavyRow,
    /// All cost is in the first eighth of the rows.
    FirstEighth,
}

impl Shape {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Even, Self::Growing, Self::HeavyRow, Self::FirstEighth];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Growing => "growing",
            Self::HeavyRow => "one heavy row",
            Self::FirstEighth => "all in the first eighth",
        }
    }

    /// What part of all cost lies in the rows before this one.
    fn before(self, row: usize, rows: usize) -> f64 {
        let part = row as f64 / rows as f64;
        match self {
            Self::Even => part,
            Self::Growing => part * part,
            Self::HeavyRow => part * 0.98 + if row > rows / 2 { 0.02 } else { 0.0 },
            Self::FirstEighth => (part * 8.0).min(1.0),
        }
    }
}

/// A call: rows, what they cost, and where its leaves begin.
#[derive(Clone, Debug)]
pub struct Load {
    shape: Shape,
    rows: usize,
    nanos: u64,
    grain: usize,
}

impl Load {
    /// So many rows that take so long on one thread, with the library's own leaves.
    ///
    /// # Panics
    ///
    /// If there are no rows.
    pub fn new(shape: Shape, rows: usize, nanos: u64) -> Self {
        assert!(rows > 0, "a call of no rows takes no time");
        // A fold has a partial for each leaf, so that the plan needs to show nothing but that. All
        // leaves but the last are as long as the first.
        let grain = (0..rows)
            .par(&Serial)
            .fold(|| (0_usize, 0), |(all, _), _| (all + 1, 0), |(first, _), _| (first, 0))
            .0;
        Self { shape, rows, nanos, grain }
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Rows of each leaf but the last.
    pub fn grain(&self) -> usize {
        self.grain
    }

    /// Leaves.
    pub fn leaves(&self) -> usize {
        self.rows.div_ceil(self.grain)
    }

    /// What all rows cost on one thread, in nanoseconds.
    pub fn nanos(&self) -> u64 {
        self.nanos
    }

    /// What these rows cost, in nanoseconds.
    pub(super) fn cost(&self, from: usize, to: usize) -> f64 {
        let before = |row| self.shape.before(row, self.rows);
        (before(to) - before(from)) * self.nanos as f64
    }

    /// What a call takes if nothing costs anything but rows, leaves stay whole, and every leaf's cost is
    /// known beforehand: the dearest first, each to the thread that is done with its own earliest.
    pub fn ideal(&self, width: usize) -> f64 {
        let row = |leaf: usize| (leaf * self.grain).min(self.rows);
        let mut costs: Vec<u64> =
            (0..self.leaves()).map(|leaf| self.cost(row(leaf), row(leaf + 1)) as u64).collect();
        costs.sort_unstable_by_key(|&cost| Reverse(cost));
        let mut free: BinaryHeap<Reverse<u64>> = (0..width).map(|_| Reverse(0)).collect();
        for cost in costs {
            let Reverse(at) = free.pop().expect("there are threads");
            free.push(Reverse(at + cost));
        }
        free.into_iter().map(|Reverse(at)| at).max().unwrap_or(0).max(1) as f64
    }
}
