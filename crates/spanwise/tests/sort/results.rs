//! What std gives: rows of every shape, length and type.

use std::cmp::{Ordering, Reverse};

use spanwise::{backend::Backend, prelude::*};

use crate::{LENGTHS, Pairs, SHAPES, Visit, dear, each_backend, key, noise, pairs};

#[derive(Default)]
struct Table {
    /// What the unstable sorts gave on the first backend, in the order of the table.
    unstable: Vec<Vec<(usize, usize)>>,
}

impl Visit for Table {
    fn on<B: Backend>(&mut self, pool: &B) {
        let first = self.unstable.is_empty();
        let mut turn = 0;
        for n in LENGTHS {
            for shape in SHAPES {
                let rows = pairs(shape, n);
                let name = format!("{n} rows, {shape}, width {}", pool.width());
                let sorted = |sort: &dyn Fn(&mut Pairs)| {
                    let mut rows = rows.clone();
                    sort(&mut rows);
                    rows
                };
                let stable = sorted(&|rows| rows.sort_by_key(|row| row.0));
                let total = sorted(&|rows| rows.sort());
                assert_eq!(sorted(&|rows| rows.par_sort(pool)), total, "{name}");
                assert_eq!(sorted(&|rows| rows.par_sort_unstable(pool)), total, "{name}");
                let down = sorted(&|rows| rows.sort_by_key(|row| Reverse(row.0)));
                let by = sorted(&|rows| rows.par_sort_by(pool, |x, y| dear(&y.0, &x.0)));
                assert_eq!(by, down, "{name}");
                let by_key = sorted(&|rows| rows.par_sort_by_key(pool, |row| Dear(row.0)));
                assert_eq!(by_key, stable, "{name}");
                let cached = sorted(&|rows| rows.par_sort_by_cached_key(pool, |row| Dear(row.0)));
                assert_eq!(cached, stable, "{name}");
                for sort in [
                    sorted(&|rows| rows.par_sort_unstable_by(pool, |x, y| dear(&x.0, &y.0))),
                    sorted(&|rows| rows.par_sort_unstable_by_key(pool, |row| Dear(row.0))),
                ] {
                    let mut again = sort.clone();
                    assert!(again.is_sorted_by_key(|row| row.0), "{name}");
                    again.sort();
                    assert_eq!(again, total, "{name}");
                    if first {
                        self.unstable.push(sort);
                    } else {
                        assert_eq!(sort, self.unstable[turn], "equal rows moved: {name}");
                    }
                    turn += 1;
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Dear(usize);

impl Ord for Dear {
    fn cmp(&self, other: &Self) -> Ordering {
        dear(&self.0, &other.0)
    }
}

impl PartialOrd for Dear {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[test]
fn all_functions_equal_std_and_unstable_ones_themselves() {
    each_backend(&mut Table::default());
}

struct Nothing;

impl Visit for Nothing {
    fn on<B: Backend>(&mut self, pool: &B) {
        for n in [0, 1, 2000, 100_000] {
            let mut rows = vec![(); n];
            rows.par_sort(pool);
            rows.par_sort_unstable(pool);
            rows.par_sort_by(pool, |_, _| Ordering::Less);
            rows.par_sort_unstable_by_key(pool, |_| 1);
            rows.par_sort_by_cached_key(pool, |_| 1);
            assert_eq!(rows.len(), n);
        }
        // A slice of more rows than any buffer has bytes.
        let mut rows = [(); usize::MAX];
        rows.par_sort(pool);
        rows.par_sort_unstable(pool);
    }
}

#[test]
fn rows_of_no_size() {
    each_backend(&mut Nothing);
}

struct Large;

impl Visit for Large {
    /// Rows so large, and so many, that runs are merged on one thread too.
    fn on<B: Backend>(&mut self, pool: &B) {
        for (n, shape) in [(3000, "random"), (70_001, "few values"), (70_001, "last out of place")]
        {
            let mut rows: Vec<_> = (0..n).map(|i| (key(shape, i, n), i, [i; 14])).collect();
            let mut want = rows.clone();
            want.sort_by_key(|row| row.0);
            rows.par_sort_by(pool, |x, y| dear(&x.0, &y.0));
            assert!(rows == want, "{n} rows, {shape}, width {}", pool.width());
        }
        let mut floats: Vec<f64> =
            (0..70_001).map(|i| f64::from_bits(noise(i) as u64 * 7)).collect();
        let mut want = floats.clone();
        want.sort_by(f64::total_cmp);
        floats.par_sort_by(pool, f64::total_cmp);
        assert!(floats.iter().map(|x| x.to_bits()).eq(want.iter().map(|x| x.to_bits())));
    }
}

#[test]
fn large_rows_and_floats_by_bits() {
    each_backend(&mut Large);
}
