//! Where leaves begin. In come the number of rows and a caller's grain, out comes a grid that the
//! drive cuts along. Nothing else may decide it: results that depend on grouping depend on this.

use std::{num::NonZeroUsize, ops::Range};

/// The most leaves that the plan makes on its own.
const MOST: usize = 1024;

/// The most rows in a leaf that the plan makes on its own, so that threads look up in time.
const LONGEST: usize = 1 << 20;

/// Up to this many rows each one is a leaf, since each may be heavy.
const FEW: usize = 64;

/// The grid of leaves over some rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    rows: usize,
    leaves: usize,
    /// Rows in a leaf; the first `longer` leaves have one more.
    grain: usize,
    longer: usize,
}

impl Plan {
    /// The grid for this many rows, which has at least one leaf.
    ///
    /// With a grain every leaf has so many rows, but the last. Without, there are four times as many
    /// leaves as the square root of the rows, at least `FEW` and at most `MOST`: enough to balance
    /// skewed rows, few enough that a leaf of cheap rows outweighs its own cost. Where they would be
    /// longer than `LONGEST` there are as many more as it takes.
    #[inline]
    pub(crate) fn new(rows: usize, grain: Option<NonZeroUsize>) -> Self {
        if let Some(grain) = grain {
            let leaves = rows.div_ceil(grain.get()).max(1);
            return Self { rows, leaves, grain: grain.get(), longer: 0 };
        }
        let leaves = (4 * rows.isqrt()).clamp(FEW, MOST).max(rows / LONGEST).min(rows).max(1);
        Self { rows, leaves, grain: rows / leaves, longer: rows % leaves }
    }

    /// The grid for rows whose end nobody knows: each is a leaf, or as many as the grain says.
    pub(crate) fn endless(grain: Option<NonZeroUsize>) -> Self {
        let grain = grain.map_or(1, NonZeroUsize::get);
        Self { rows: usize::MAX, leaves: usize::MAX.div_ceil(grain), grain, longer: 0 }
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
        // Behind the rows of the longer leaves each leaf has `grain`.
        match row.checked_sub(self.longer * self.grain + self.longer) {
            None => row / (self.grain + 1),
            // There is no grain where there are no rows.
            Some(behind) => self.longer + behind.checked_div(self.grain).unwrap_or(0),
        }
    }

    /// The first row of a leaf, or the end for the leaf after the last.
    #[inline]
    pub(crate) fn row(&self, leaf: usize) -> usize {
        leaf.saturating_mul(self.grain).saturating_add(leaf.min(self.longer)).min(self.rows)
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

    /// Where any leaf of the plan begins, as if the plan had no end.
    pub(crate) fn border(&self, leaf: usize) -> usize {
        leaf.saturating_mul(self.plan.grain).saturating_add(leaf.min(self.plan.longer))
    }

    /// How many rows.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.plan.row(self.last) - self.at()
    }

    /// The rows of each leaf.
    #[inline]
    pub(crate) fn sizes(self) -> impl Iterator<Item = usize> {
        let Plan { grain, longer, .. } = self.plan;
        let mut left = self.rows();
        (self.first..self.last).map(move |leaf| {
            let rows = left.min(grain + usize::from(leaf < longer));
            left -= rows;
            rows
        })
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
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(*least >= 1 && most - least <= 1, "{rows} rows: {least} to {most} in a leaf");
            assert!(sizes.len() <= MOST);
        }
    }

    #[test]
    fn leaves_do_not_grow_without_end() {
        for rows in [LONGEST * MOST - 1, LONGEST * MOST + 1, LONGEST * MOST * 3 + 12_345] {
            let sizes = grid(rows, None);
            assert!(
                sizes.len() >= MOST && sizes.iter().all(|&size| size <= LONGEST + LONGEST / MOST)
            );
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
        assert_eq!((plan.all().count(), plan.all().rows()), (usize::MAX / LONGEST, usize::MAX));
        let plan = Plan::new(usize::MAX, NonZeroUsize::new(usize::MAX - 1));
        assert_eq!((plan.all().count(), plan.all().rows()), (2, usize::MAX));
        assert_eq!([usize::MAX - 2, usize::MAX - 1].map(|row| plan.leaf(row)), [0, 1]);
    }

    /// The sizes of all leaves, of some in the middle, and where each begins.
    #[test]
    fn leaves_know_their_sizes_and_borders() {
        for (rows, grain) in [(1000, None), (130, None), (10, Some(4)), (12, Some(4)), (0, None)] {
            let plan = Plan::new(rows, grain.and_then(NonZeroUsize::new));
            let sizes = grid(rows, grain);
            assert_eq!(plan.leaves(), sizes.len());
            assert!(plan.all().sizes().eq(sizes.iter().copied()));
            for from in 0..sizes.len() {
                let rest = plan.all().cut(from).1;
                assert_eq!((rest.first(), rest.count()), (from, sizes.len() - from));
                assert!(rest.sizes().eq(sizes[from..].iter().copied()));
                let at = sizes[..from].iter().sum();
                assert_eq!((rest.at(), rest.border(from)), (at, at));
            }
        }
        // A border knows no end.
        assert_eq!(Plan::new(10, NonZeroUsize::new(4)).all().border(5), 20);
        assert_eq!(Plan::new(9, NonZeroUsize::new(1)).all().border(usize::MAX), usize::MAX);
    }

    #[test]
    fn an_endless_plan_ends_where_the_rows_do() {
        for (grain, claimed, rows, sizes) in [
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
            assert_eq!(filled.sizes().collect::<Vec<_>>(), sizes);
        }
        assert_eq!(Plan::endless(None).all().cut(3).0.rows(), 3);
    }
}
