//! More terminals that look for one item: `find_map_first`, `find_map_any`, `position_any`, `first`
//! and `last`. In comes a chain, out comes at most one value.

use crate::{
    chain::Chain,
    control::Control,
    find::any,
    front::CountOf,
    input::Input,
    leaf::{Count, Leaf},
    stop::Stop,
    terminal::Terminal,
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Calls `f` on the items and gives the first `Some` in input order: std's `find_map`.
    ///
    /// Rows behind a hit are given up within a stride; rows before it are run to the end. A panic of
    /// `f` reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let texts = ["a", "2", "b", "4"];
    /// assert_eq!(texts.par(&pool).find_map_first(|text| text.parse().ok()), Some(2));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn find_map_first<R, F>(self, f: F) -> C::Out<Option<R>>
    where
        R: Send,
        F: Fn(L::Item) -> Option<R> + Sync,
    {
        self.filter_map(f).first()
    }

    /// Calls `f` on the items and gives some `Some`: the one that is found first in time.
    ///
    /// All threads stop within a stride of it. A panic of `f` reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let found = ["a", "2", "b", "4"].par(&pool).find_map_any(|text| text.parse().ok());
    /// assert!(found == Some(2) || found == Some(4));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn find_map_any<R, F>(self, f: F) -> C::Out<Option<R>>
    where
        R: Send,
        F: Fn(L::Item) -> Option<R> + Sync,
    {
        self.filter_map(f).find_any(|_| true)
    }

    /// The position of some item for which `hit` is true: the one that is found first in time.
    ///
    /// All threads stop within a stride of it. After `filter` and the like a position is known only
    /// once all items before it have been counted, so there it is that of the first hit. A panic of
    /// `hit` reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let position = [7, 1, 7].par(&pool).position_any(|&x| x == 7);
    /// assert!(position == Some(0) || position == Some(2));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn position_any<P: Fn(L::Item) -> bool + Sync>(self, hit: P) -> C::Out<Option<usize>> {
        if <CountOf<I, L>>::EXACT {
            self.whole(&PositionAny { hit, stop: Stop::new() }, |position| position)
        } else {
            self.position_first(hit)
        }
    }

    /// The first item, or `None` if there are none: std's `next`.
    ///
    /// The chain is run from its front and stops within a few strides of the first item.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!((0..u64::MAX).par(&pool).filter(|x| x % 100 == 99).first(), Some(99));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn first(self) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
    {
        self.find_first(|_| true)
    }

    /// The last item, or `None` if there are none.
    ///
    /// The whole chain runs, as std's does, so closures are called on all items. Where an item comes
    /// of each row, `.rev().first()` runs only the last rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!((0..1000).par(&pool).filter(|x| x % 7 == 0).last(), Some(994));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn last(self) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
    {
        self.whole(&Last, |last| last)
    }
}

struct PositionAny<P> {
    hit: P,
    stop: Stop,
}

impl<T, P: Fn(T) -> bool + Sync> Terminal<T> for PositionAny<P> {
    type Partial = Option<usize>;
    const FROM_FRONT: bool = true;

    #[inline]
    fn run(&self, at: usize, mut items: impl Iterator<Item = T>) -> Option<usize> {
        let mut next = at;
        let hit = any(&mut items, |item| {
            next += 1;
            (self.hit)(item)
        });
        if !hit {
            return None;
        }
        self.stop.after(0);
        Some(next - 1)
    }

    fn merge(&self, left: Option<usize>, right: Option<usize>) -> Option<usize> {
        left.or(right)
    }

    fn needless(&self, _: usize) -> bool {
        self.stop.is_set()
    }
}

struct Last;

impl<T: Send> Terminal<T> for Last {
    type Partial = Option<T>;

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Option<T> {
        // Not std's `last()`: it loses an item if the destructor of the one before panics.
        let mut last = None;
        items.for_each(|item| last = Some(item));
        last
    }

    fn merge(&self, mut left: Option<T>, right: Option<T>) -> Option<T> {
        if right.is_some() {
            left = right;
        }
        left
    }
}
