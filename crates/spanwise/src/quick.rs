//! Sorting in place: rows are parted by a pivot and both sides sorted, perhaps at once. In come rows in
//! any order, out come the same rows, sorted; `sort` calls it.
//!
//! Which rows are compared and swapped depends on the rows and their number alone, so equal rows end in
//! the same order on every backend. Rows only swap places, so none can be lost.

use std::cmp::Ordering;

use spanwise_backend::Backend;

/// Up to this many rows std sorts.
const FEW: usize = 4096;

/// Of so many leaves each has enough rows to outweigh its joins, and 64 threads have one.
const LEAVES: usize = 64;

/// Rows whose middle one is the pivot.
const SAMPLE: usize = 65;

/// How often in a row of cuts one side may have under an eighth of the rows before std takes over,
/// whose worst case is bounded.
const BAD: u32 = 8;

/// Rows that are parted in one turn of a loop.
const TURN: usize = 4;

/// Sorts `rows`: by `less` as long as they are many, by `sort` then. Without a backend this thread does
/// all, to the same end.
pub(crate) fn quick_sort<T, B, S, F>(backend: Option<&B>, sort: &S, less: &F, rows: &mut [T])
where
    T: Send,
    B: Backend,
    S: Fn(&mut [T]) + Sync,
    F: Fn(&T, &T) -> bool + Sync,
{
    let leaf = FEW.max(rows.len() / LEAVES);
    Quick { backend, sort, less, leaf }.run(BAD, None, rows);
}

struct Quick<'a, B, S, F> {
    backend: Option<&'a B>,
    sort: &'a S,
    less: &'a F,
    /// Rows of a leaf, at most.
    leaf: usize,
}

impl<B: Backend, S: Sync, F: Sync> Quick<'_, B, S, F> {
    /// Sorts rows of which none comes before `least`, a row that only this thread holds.
    fn run<'r, T>(&self, mut bad: u32, mut least: Option<&'r mut T>, mut rows: &'r mut [T])
    where
        T: Send,
        S: Fn(&mut [T]),
        F: Fn(&T, &T) -> bool,
    {
        while rows.len() > self.leaf && bad > 0 {
            rows.swap(0, self.middle(rows));
            let (pivot, rest) = rows.split_first_mut().expect("there are rows");
            if least.as_deref().is_some_and(|least| !(self.less)(least, pivot)) {
                // No row comes before the pivot, so those that it does not come before equal it.
                let equal = part(rest, |row| !(self.less)(pivot, row));
                bad -= u32::from(equal < rest.len() / 8);
                rows = &mut rows[1 + equal..];
                continue;
            }
            let below = part(rest, |row| (self.less)(row, pivot));
            bad -= u32::from(below.min(rest.len() - below) < rest.len() / 8);
            rows.swap(0, below);
            let (left, rest) = rows.split_at_mut(below);
            let (pivot, right) = rest.split_first_mut().expect("the pivot is there");
            if let Some(backend) = self.backend {
                backend.join(|| self.run(bad, least, left), || self.run(bad, Some(pivot), right));
                return;
            }
            self.run(bad, least, left);
            (least, rows) = (Some(pivot), right);
        }
        (self.sort)(rows);
    }

    /// The index of the middle row of a sample.
    fn middle<T>(&self, rows: &[T]) -> usize
    where
        F: Fn(&T, &T) -> bool,
    {
        let step = rows.len() / SAMPLE;
        let mut sample: [usize; SAMPLE] = std::array::from_fn(|i| i * step + step / 2);
        let order = |i: &usize, j: &usize| {
            let (row, other) = (&rows[*i], &rows[*j]);
            if (self.less)(row, other) {
                Ordering::Less
            } else {
                (self.less)(other, row).cmp(&false)
            }
        };
        *sample.select_nth_unstable_by(SAMPLE / 2, order).1
    }
}

/// Brings the rows for which `front` is true before the others and returns their number.
///
/// Every row is swapped, so that nothing branches on what the comparison says.
fn part<T>(rows: &mut [T], front: impl Fn(&T) -> bool) -> usize {
    let mut border = 0;
    let mut step = |rows: &mut [T], at: usize| {
        let goes = front(&rows[at]);
        rows.swap(border, at);
        border += usize::from(goes);
    };
    let mut at = 0;
    while at + TURN <= rows.len() {
        // One check of bounds serves a turn.
        let seen = &mut rows[..at + TURN];
        for turn in 0..TURN {
            step(seen, at + turn);
        }
        at += TURN;
    }
    for at in at..rows.len() {
        step(rows, at);
    }
    border
}

#[cfg(test)]
mod tests {
    use spanwise_backend::Serial;

    use super::*;

    #[test]
    fn parting_swaps_those_in_front_to_the_front() {
        for n in 0..40_u32 {
            for bits in [0, !0, 0b1011_0011, 0x5555_5555_u64 << 3, 1, 1 << 20] {
                let mut rows: Vec<u32> = (0..n).collect();
                let front = |row: &u32| bits >> row & 1 == 1;
                let border = part(&mut rows, front);
                assert!(rows[..border].iter().all(front) && !rows[border..].iter().any(front));
                rows.sort();
                assert!(rows.into_iter().eq(0..n));
            }
        }
    }

    /// Leaves of two rows, so that nearly all is done here.
    #[test]
    fn every_length_is_sorted_down_to_tiny_leaves() {
        for n in (0..200).chain([1000, 3000]) {
            for values in [1, 2, 5, 101, 1 << 30] {
                let mut rows: Vec<u64> = (0..n).map(|i| i * 7_919_777 % values).collect();
                let mut want = rows.clone();
                want.sort();
                let sort = |rows: &mut [u64]| rows.sort_unstable();
                let quick = Quick { backend: Some(&Serial), sort: &sort, less: &u64::lt, leaf: 2 };
                let mut alone = rows.clone();
                quick.run(BAD, None, &mut rows);
                Quick { backend: None, ..quick }.run(BAD, None, &mut alone);
                assert_eq!((rows, alone), (want.clone(), want), "{n} rows, {values} values");
            }
        }
    }
}
