//! Terminals that compare: `min`, `max` and their kin, with std's ties.

use std::cmp::{self, Ordering};

use spanwise_backend::Backend;

use crate::{chain::Chain, fold::Reduce, leaf::Leaf, span::Span};

/// Of equal items `min` gives the first and `max` the last, as std does. The `_by` forms group their
/// comparisons by the plan, so that even a comparison that is no order, such as one of floats with
/// NaN, has the same answer on every backend.
impl<S: Span, L: Leaf<S>, B: Backend> Chain<'_, S, L, B> {
    /// The least item, the first of several.
    pub fn min(self) -> Option<L::Item>
    where
        L::Item: Ord + Send,
    {
        self.whole(&Reduce(cmp::min))
    }

    /// The greatest item, the last of several.
    pub fn max(self) -> Option<L::Item>
    where
        L::Item: Ord + Send,
    {
        self.whole(&Reduce(cmp::max))
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
    pub fn min_by<F>(self, compare: F) -> Option<L::Item>
    where
        L::Item: Send,
        F: Fn(&L::Item, &L::Item) -> Ordering + Sync,
    {
        self.by_leaf(&Reduce(|x, y| if compare(&x, &y) == Ordering::Greater { y } else { x }))
    }

    /// The greatest item by this comparison, the last of several.
    pub fn max_by<F>(self, compare: F) -> Option<L::Item>
    where
        L::Item: Send,
        F: Fn(&L::Item, &L::Item) -> Ordering + Sync,
    {
        self.by_leaf(&Reduce(|x, y| if compare(&x, &y) == Ordering::Greater { x } else { y }))
    }

    /// The item with the least key, the first of several. `key` is called once for each item.
    pub fn min_by_key<K, F>(self, key: F) -> Option<L::Item>
    where
        L::Item: Send,
        K: Ord + Send,
        F: Fn(&L::Item) -> K + Sync,
    {
        let keyed = self.map(|item| (key(&item), item));
        keyed.min_by(|x, y| x.0.cmp(&y.0)).map(|(_, item)| item)
    }

    /// The item with the greatest key, the last of several. `key` is called once for each item.
    pub fn max_by_key<K, F>(self, key: F) -> Option<L::Item>
    where
        L::Item: Send,
        K: Ord + Send,
        F: Fn(&L::Item) -> K + Sync,
    {
        let keyed = self.map(|item| (key(&item), item));
        keyed.max_by(|x, y| x.0.cmp(&y.0)).map(|(_, item)| item)
    }
}
