//! Rows of no size are counted, kept and dropped like others.

use std::sync::atomic::{AtomicUsize, Ordering as Order};

use spanwise::{backend::Backend, prelude::*};

/// Rows of no size whose drops are counted.
struct Nothing;

static NOTHINGS: AtomicUsize = AtomicUsize::new(0);

impl Drop for Nothing {
    fn drop(&mut self) {
        NOTHINGS.fetch_add(1, Order::Relaxed);
    }
}

fn nothings(pool: &impl Backend) {
    for n in [0, 1, 2, 65, 1000] {
        let rows = || (0..n).map(|_| Nothing).collect::<Vec<_>>().into_iter().par(pool);
        let dropped = |all: usize| {
            assert_eq!(NOTHINGS.swap(0, Order::Relaxed), all);
        };
        let (xs, ys): (Vec<_>, Vec<_>) = rows().map(|row| (row, Nothing)).unzip();
        assert_eq!((xs.len(), ys.len()), (n, n));
        drop((xs, ys));
        dropped(2 * n);
        let (xs, ys): (Vec<_>, Vec<_>) = rows().partition(|_| false);
        assert_eq!((xs.len(), ys.len()), (0, n));
        drop((xs, ys));
        dropped(n);
        assert_eq!(
            rows().group_by_key(|_| 1).into_values().map(|group| group.len()).sum::<usize>(),
            n
        );
        dropped(n);
        assert_eq!(rows().fold_ordered(0, |count, _| count + 1), n);
        dropped(n);
        assert_eq!(rows().last().is_some(), n > 0);
        dropped(n);
        assert_eq!(rows().try_for_each(Err::<(), _>).is_err(), n > 0);
        dropped(n);
        let mut all = vec![Nothing];
        all.par_extend(rows());
        assert_eq!(all.len(), n + 1);
        drop(all);
        dropped(n + 1);
    }
}

#[test]
fn rows_of_no_size_are_rows() {
    on_every_backend!(nothings);
}
