//! Terminals that compare: `min`, `max` and their kin, with std's ties.

use std::cmp::Ordering;

use crate::{chain::Chain, control::Control, fold::Reduce, input::Input, leaf::Leaf};

/// Of equal items `min` gives the first and `max` the last, as std does. The `_by` forms group their
/// comparisons as `reduce` does, so that even a comparison that is no order, such as one of floats with
/// NaN, has the same answer on every backend.
impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// The least item, the first of several.
    pub fn min(self) -> C::Out<Option<L::Item>>
    where
        L::Item: Ord + Send,
    {
        self.whole(&Reduce(|x, y| pick(x, y, |x, y| x <= y)), |least| least)
    }

    /// The greatest item, the last of several.
    pub fn max(self) -> C::Out<Option<L::Item>>
    where
        L::Item: Ord + Send,
    {
        self.whole(&Reduce(|x, y| pick(x, y, |x, y| x > y)), |greatest| greatest)
    }

    /// The least item by this comparison, the first of several.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let least = [2.5, -1.0, 7.0].par(&pool).copied().min_by(f64::total_cmp);
    /// assert_eq!(least, Some(-1.0));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn min_by<F>(self, compare: F) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        F: Fn(&L::Item, &L::Item) -> Ordering + Sync,
    {
        let least = Reduce(|x, y| pick(x, y, |x, y| compare(x, y) != Ordering::Greater));
        self.by_leaf(&least, |least| least)
    }

    /// The greatest item by this comparison, the last of several.
    pub fn max_by<F>(self, compare: F) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        F: Fn(&L::Item, &L::Item) -> Ordering + Sync,
    {
        let greatest = Reduce(|x, y| pick(x, y, |x, y| compare(x, y) == Ordering::Greater));
        self.by_leaf(&greatest, |greatest| greatest)
    }

    /// The item with the least key, the first of several. `key` is called once for each item.
    pub fn min_by_key<K, F>(self, key: F) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        K: Ord + Send,
        F: Fn(&L::Item) -> K + Sync,
    {
        let keyed = self.map(|item| (key(&item), item));
        C::map(keyed.min_by(|x, y| x.0.cmp(&y.0)), |least| least.map(|(_, item)| item))
    }

    /// The item with the greatest key, the last of several. `key` is called once for each item.
    pub fn max_by_key<K, F>(self, key: F) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        K: Ord + Send,
        F: Fn(&L::Item) -> K + Sync,
    {
        let keyed = self.map(|item| (key(&item), item));
        C::map(keyed.max_by(|x, y| x.0.cmp(&y.0)), |greatest| greatest.map(|(_, item)| item))
    }
}

/// The first of two if it is better, else the second.
#[inline]
fn pick<T>(first: T, second: T, is_better: impl FnOnce(&T, &T) -> bool) -> T {
    let (winner, loser) =
        if is_better(&first, &second) { (first, second) } else { (second, first) };
    // Before the return: a winner that is already returned would leak if this panicked.
    drop(loser);
    winner
}
