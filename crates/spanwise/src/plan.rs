//! Where leaves begin. In come the number of rows and a caller's grain, out comes a grid that the
//! drive cuts along. Nothing else may decide it: results that depend on grouping depend on this.

use std::{num::NonZeroUsize, ops::Range};

/// Up to so many rows each is a leaf, since it may be heavy; more make at least half as many leaves.
const FEW: usize = 64;

/// The most leaves, as long as none is longer than `LONGEST`.
const MOST: usize = 1024;

/// The most rows in a leaf that the plan makes on its own, so that threads look up in time.
const LONGEST: usize = 1 << 20;

/// The grid of leaves over some rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    rows: usize,
    leaves: usize,
    /// Rows in a leaf, but for the last.
    grain: usize,
}

impl Plan {
    /// The grid for this many rows, which has at least one leaf.
    #[inline]
    pub(crate) fn new(rows: usize, grain: Option<NonZeroUsize>) -> Self {
        match grain {
            // The common case, and a small call, sees no division.
            None => {
                let level = Self::level(rows);
                let leaves = (rows >> level) + usize::from(rows & ((1 << level) - 1) != 0);
                Self { rows, leaves: leaves.max(1), grain: 1 << level }
            }
            Some(grain) => {
                let leaves = rows.div_ceil(grain.get()).max(1);
                Self { rows, leaves, grain: grain.get() }
            }
        }
    }

    /// Leaves of `2^level` rows: about as many rows in a leaf as there are leaves, so that a leaf of cheap
    /// rows outweighs its own cost. Of few rows there are `FEW` leaves or a little fewer, to balance
    /// skewed ones, and of many at most `MOST`, unless they would be longer than `LONGEST`.
    #[inline]
    fn level(rows: usize) -> u32 {
        // The least level at which there are so many leaves or fewer.
        let at_most = |leaves: usize| {
            let quotient = rows.saturating_sub(1) >> leaves.ilog2();
            usize::BITS - quotient.leading_zeros()
        };
        let even = rows.max(1).ilog2() / 2;
        at_most(FEW).min(even).max(at_most(MOST)).min(LONGEST.ilog2())
    }

    /// The grid for rows whose end nobody knows: each is a leaf, or as many as the grain says.
    pub(crate) fn endless(grain: Option<NonZeroUsize>) -> Self {
        let grain = grain.map_or(1, NonZeroUsize::get);
        Self { rows: usize::MAX, leaves: usize::MAX.div_ceil(grain), grain }
    }

    #[inline]
    pub(crate) fn all(self) -> Leaves {
        Leaves { plan: self, first: 0, last: self.leaves }
    }

    /// How many leaves there are.
    #[inline]
    pub(crate) fn leaves(&self) -> usize {
        self.leaves
    }

    /// The leaf that a row lies in.
    #[inline]
    pub(crate) fn leaf(&self, row: usize) -> usize {
        row / self.grain
    }

    /// The first row of a leaf, or the end for the leaf after the last.
    #[inline]
    pub(crate) fn row(&self, leaf: usize) -> usize {
        leaf.saturating_mul(self.grain).min(self.rows)
    }
}

/// Some neighbouring leaves of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Leaves {
    plan: Plan,
    first: usize,
    last: usize,
}

impl Leaves {
    /// How many leaves.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.last - self.first
    }

    /// The number of the first leaf.
    #[inline]
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    /// The first row.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.plan.row(self.first)
    }

    /// Whether these are all leaves of the plan.
    #[inline]
    pub(crate) fn are_all(&self) -> bool {
        self.first == 0 && self.last == self.plan.leaves
    }

    /// Where any leaf of the plan begins, as if the plan had no end.
    pub(crate) fn border(&self, leaf: usize) -> usize {
        leaf.saturating_mul(self.plan.grain)
    }

    /// How many leaves so many rows fill, at least one.
    pub(crate) fn leaves_of(&self, rows: usize) -> usize {
        (rows / self.plan.grain.max(1)).max(1)
    }

    /// How many rows.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.plan.row(self.last) - self.at()
    }

    /// Rows in each leaf but the plan's last.
    #[inline]
    pub(crate) fn grain(&self) -> usize {
        self.plan.grain
    }

    /// As many of them as these rows fill; the last may not be full, and then the plan ends there.
    pub(crate) fn filled(mut self, rows: usize) -> Self {
        let end = self.at() + rows;
        self.last = self.first + rows.div_ceil(self.plan.grain);
        self.plan.rows = self.plan.rows.min(end);
        self
    }

    /// The first `leaves` of them and the rest.
    #[inline]
    pub(crate) fn cut(&self, leaves: usize) -> (Self, Self) {
        let Range { start, end } = self.first..self.last;
        let border = start.saturating_add(leaves).min(end);
        (Self { last: border, ..*self }, Self { first: border, ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(mut leaves: Leaves) -> Vec<usize> {
        let mut sizes = Vec::new();
        while leaves.count() > 0 {
            let (leaf, behind) = leaves.cut(1);
            sizes.push(leaf.rows());
            leaves = behind;
        }
        sizes
    }

    fn grid(rows: usize, grain: Option<usize>) -> Vec<usize> {
        let plan = Plan::new(rows, grain.and_then(NonZeroUsize::new));
        let mut rest = plan.all();
        let mut sizes = Vec::new();
        while rest.count() > 0 {
            let (leaf, behind) = rest.cut(1);
            assert_eq!(leaf.at(), sizes.iter().sum::<usize>());
            if leaf.rows() > 0 {
                let ends = [leaf.at(), leaf.at() + leaf.rows() - 1];
                assert_eq!(ends.map(|row| plan.leaf(row)), [leaf.first(); 2]);
            }
            sizes.push(leaf.rows());
            rest = behind;
        }
        sizes
    }

    #[test]
    fn leaves_cover_all_rows_and_none_is_empty() {
        for rows in (1..3000).chain([65_535, 65_536, 65_537, 1_000_000, 10_000_019]) {
            let sizes = grid(rows, None);
            assert_eq!(sizes.iter().sum::<usize>(), rows);
            let (last, full) = sizes.split_last().unwrap();
            let grain = full.first().unwrap_or(last);
            assert!(grain.is_power_of_two() && full.iter().all(|size| size == grain), "{rows}");
            assert!(*last >= 1 && last <= grain, "{rows} rows: {last} in the last leaf");
            let least = if rows <= FEW { rows } else { FEW / 2 };
            assert!((least..=MOST).contains(&sizes.len()), "{rows} rows, {}", sizes.len());
        }
    }

    #[test]
    fn leaves_grow_with_the_rows() {
        let table = [
            (64, 1),
            (65, 2),
            (128, 2),
            (129, 4),
            (1000, 16),
            (2049, 32),
            (4096, 64),
            (16_383, 64),
            (16_384, 128),
            (100_000, 256),
            (1 << 20, 1024),
            ((1 << 20) + 1, 2048),
        ];
        for (rows, grain) in table {
            assert_eq!(Plan::new(rows, None).grain, grain, "{rows} rows");
        }
    }

    #[test]
    fn leaves_do_not_grow_without_end() {
        for rows in [LONGEST * MOST - 1, LONGEST * MOST + 1, LONGEST * MOST * 3 + 12_345] {
            let sizes = grid(rows, None);
            assert!(sizes.len() >= MOST && sizes.iter().all(|&size| size <= LONGEST));
            assert_eq!(sizes.iter().sum::<usize>(), rows);
        }
    }

    #[test]
    fn a_grain_is_kept() {
        assert_eq!(grid(10, Some(4)), [4, 4, 2]);
        assert_eq!(grid(8, Some(4)), [4, 4]);
        assert_eq!(grid(3, Some(usize::MAX)), [3]);
    }

    #[test]
    fn no_rows_are_one_empty_leaf_and_the_longest_span_has_a_grid() {
        assert_eq!(grid(0, None), [0]);
        assert_eq!(grid(0, Some(7)), [0]);
        let plan = Plan::new(usize::MAX, None);
        assert_eq!((plan.leaves(), plan.all().rows()), (usize::MAX.div_ceil(LONGEST), usize::MAX));
        let plan = Plan::new(usize::MAX, NonZeroUsize::new(usize::MAX - 1));
        assert_eq!((plan.all().count(), plan.all().rows()), (2, usize::MAX));
        assert_eq!([usize::MAX - 2, usize::MAX - 1].map(|row| plan.leaf(row)), [0, 1]);
    }

    /// The sizes of all leaves, of some in the middle, and where each begins.
    #[test]
    fn leaves_know_their_sizes_and_borders() {
        for (rows, grain) in [(1000, None), (130, None), (10, Some(4)), (12, Some(4)), (0, None)] {
            let plan = Plan::new(rows, grain.and_then(NonZeroUsize::new));
            let all = grid(rows, grain);
            assert_eq!(plan.leaves(), all.len());
            assert_eq!(sizes(plan.all()), all);
            for from in 0..all.len() {
                let rest = plan.all().cut(from).1;
                assert_eq!((rest.first(), rest.count()), (from, all.len() - from));
                assert_eq!(sizes(rest), all[from..]);
                let at = all[..from].iter().sum();
                assert_eq!((rest.at(), rest.border(from)), (at, at));
            }
        }
        // A border knows no end.
        assert_eq!(Plan::new(10, NonZeroUsize::new(4)).all().border(5), 20);
        assert_eq!(Plan::new(9, NonZeroUsize::new(1)).all().border(usize::MAX), usize::MAX);
    }

    #[test]
    fn an_endless_plan_ends_where_the_rows_do() {
        for (grain, claimed, rows, expected) in [
            (1, 5, 3, vec![1, 1, 1]),
            (4, 2, 6, vec![4, 2]),
            (4, 3, 8, vec![4, 4]),
            (4, 3, 0, vec![]),
        ] {
            let plan = Plan::endless(NonZeroUsize::new(grain));
            // Behind others, so that rows and leaves are not the same.
            let now = plan.all().cut(7).1.cut(claimed).0;
            assert_eq!(now.rows(), claimed * grain);
            let filled = now.filled(rows);
            assert_eq!((filled.at(), filled.rows(), filled.first()), (7 * grain, rows, 7));
            assert_eq!(sizes(filled), expected);
        }
        assert_eq!(Plan::endless(None).all().cut(3).0.rows(), 3);
    }
}
