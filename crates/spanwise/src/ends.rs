//! Terminals that keep two items of a run: `minmax` its extremes, `is_sorted` and its kin its ends. In
//! comes a chain, out comes a pair or a verdict.

use std::mem;

use crate::{
    chain::Chain, control::Control, input::Input, leaf::Leaf, stop::Stop, terminal::Terminal,
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// The least and the greatest item in one pass, or `None` if there are none.
    ///
    /// Of equal items the first is the least and the last the greatest, as in std's `min` and `max`. A
    /// single item is both, and only then is it cloned. A panic of the comparison reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!([3, 1, 4, 1, 5].par(&pool).minmax(), Some((&1, &5)));
    /// assert_eq!((0..0).par(&pool).minmax(), None);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    #[expect(clippy::type_complexity, reason = "a control decides what is around the pair")]
    pub fn minmax(self) -> C::Out<Option<(L::Item, L::Item)>>
    where
        L::Item: Ord + Clone + Send,
    {
        self.whole(&MinMax, |extremes| match extremes {
            Ends::None => None,
            Ends::One(item) => Some((item.clone(), item)),
            Ends::Two(least, greatest) => Some((least, greatest)),
        })
    }

    /// Whether each item is at most its successor; items that cannot be compared are not sorted.
    ///
    /// The chain is run from its front and stops within a few strides of the first fall. A panic of
    /// the comparison reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert!((0..1000).par(&pool).map(|i| i / 3).is_sorted());
    /// assert!(![1.0, f64::NAN].par(&pool).is_sorted());
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn is_sorted(self) -> C::Out<bool>
    where
        L::Item: PartialOrd + Send,
    {
        self.is_sorted_by(|left, right| left <= right)
    }

    /// Whether `in_order` is true for each item and its successor.
    ///
    /// The chain is run from its front and stops within a few strides of the first pair for which it
    /// is false. A panic of `in_order` reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert!([1, 2, 4].par(&pool).is_sorted_by(|x, y| x < y));
    /// assert!(![1, 2, 2].par(&pool).is_sorted_by(|x, y| x < y));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn is_sorted_by<F>(self, in_order: F) -> C::Out<bool>
    where
        L::Item: Send,
        F: Fn(&L::Item, &L::Item) -> bool + Sync,
    {
        let sorted = IsSorted { in_order, stop: Stop::new() };
        self.whole(&sorted, |ends| ends.is_some())
    }

    /// Whether the keys of the items are sorted. `key` is called once for each item, at most.
    ///
    /// The chain is run from its front and stops within a few strides of the first fall. A panic of
    /// `key` or the comparison reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert!(["a", "bb", "aaa"].par(&pool).is_sorted_by_key(|text| text.len()));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn is_sorted_by_key<K, F>(self, key: F) -> C::Out<bool>
    where
        K: PartialOrd + Send,
        F: Fn(L::Item) -> K + Sync,
    {
        self.map(key).is_sorted()
    }
}

/// Two items of some, or the only one.
enum Ends<T> {
    None,
    One(T),
    Two(T, T),
}

impl<T> Ends<T> {
    fn each(self, mut f: impl FnMut(T)) {
        match self {
            Self::None => {}
            Self::One(item) => f(item),
            Self::Two(first, second) => {
                f(first);
                f(second);
            }
        }
    }

    /// With another second item. The old one is dropped first, so that a destructor that panics takes
    /// nothing else with it.
    fn push(self, item: T) -> Self {
        match self {
            Self::None => Self::One(item),
            Self::One(first) => Self::Two(first, item),
            Self::Two(first, second) => {
                drop(second);
                Self::Two(first, item)
            }
        }
    }
}

struct MinMax;

/// Widens the extremes to an item that comes behind them. What they lose is dropped in place, for the same reason.
#[inline]
fn widen<T: Ord>(extremes: &mut (T, T), item: T) {
    if item < extremes.0 {
        extremes.0 = item;
    } else if item >= extremes.1 {
        extremes.1 = item;
    }
}

/// The extremes of two items in a row.
#[inline]
fn sorted<T: Ord>(first: T, second: T) -> (T, T) {
    if second < first { (second, first) } else { (first, second) }
}

impl<T: Ord + Send> Terminal<T> for MinMax {
    type Partial = Ends<T>;

    #[inline]
    fn run(&self, _: usize, mut items: impl Iterator<Item = T>) -> Ends<T> {
        let Some(first) = items.next() else { return Ends::None };
        let Some(second) = items.next() else { return Ends::One(first) };
        let mut extremes = sorted(first, second);
        items.for_each(|item| widen(&mut extremes, item));
        Ends::Two(extremes.0, extremes.1)
    }

    fn merge(&self, left: Ends<T>, right: Ends<T>) -> Ends<T> {
        let (least, greatest) = match (left, right) {
            (Ends::None, only) | (only, Ends::None) => return only,
            (Ends::One(first), Ends::One(second)) => sorted(first, second),
            (Ends::Two(least, greatest), right) => {
                let mut extremes = (least, greatest);
                right.each(|item| widen(&mut extremes, item));
                extremes
            }
            (Ends::One(item), Ends::Two(mut least, mut greatest)) => {
                // The item comes first: of equals it is the least and not the greatest.
                if item <= least {
                    least = item;
                } else if item > greatest {
                    greatest = item;
                }
                (least, greatest)
            }
        };
        Ends::Two(least, greatest)
    }
}

struct IsSorted<F> {
    in_order: F,
    stop: Stop,
}

impl<F> IsSorted<F> {
    fn fell<T>(&self) -> Option<Ends<T>> {
        self.stop.after(0);
        None
    }
}

/// A partial is the first and the last item of a sorted run, or `None` if it is not sorted.
impl<T: Send, F: Fn(&T, &T) -> bool + Sync> Terminal<T> for IsSorted<F> {
    type Partial = Option<Ends<T>>;
    const FROM_FRONT: bool = true;

    #[inline]
    fn run(&self, _: usize, mut items: impl Iterator<Item = T>) -> Self::Partial {
        let Some(first) = items.next() else { return Some(Ends::None) };
        let Some(mut last) = items.next() else { return Some(Ends::One(first)) };
        let in_order = (self.in_order)(&first, &last)
            && items.all(|item| {
                let before = mem::replace(&mut last, item);
                (self.in_order)(&before, &last)
            });
        if in_order { Some(Ends::Two(first, last)) } else { self.fell() }
    }

    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial {
        let (left, right) = (left?, right?);
        let in_order = match (&left, &right) {
            (Ends::None, _) | (_, Ends::None) => true,
            (Ends::One(x) | Ends::Two(_, x), Ends::One(y) | Ends::Two(y, _)) => {
                (self.in_order)(x, y)
            }
        };
        if !in_order {
            return self.fell();
        }
        Some(match right {
            Ends::None => left,
            Ends::One(last) => left.push(last),
            right if matches!(left, Ends::None) => right,
            Ends::Two(first, last) => {
                drop(first);
                left.push(last)
            }
        })
    }

    fn needless(&self, _: usize) -> bool {
        self.stop.is_set()
    }
}
