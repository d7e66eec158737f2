//! Terminals that can stop early: `any`, `all`, `find_*` and `position_first`. A hit is told to the
//! other threads by one flag or one row number, which they read before each stride.

use std::sync::atomic::{AtomicUsize, Ordering};

use spanwise_backend::Backend;

use crate::{chain::Chain, leaf::Leaf, span::Span, terminal::Terminal};

impl<S: Span, L: Leaf<S>, B: Backend> Chain<'_, S, L, B> {
    /// Whether `hit` is true for some item. Stops all threads soon after the first hit by any.
    pub fn any<P: Fn(L::Item) -> bool + Sync>(self, hit: P) -> bool {
        self.whole(&Any { hit, stop: Stop::new() })
    }

    /// Whether `good` is true for all items. Stops all threads soon after the first that is not.
    pub fn all<P: Fn(L::Item) -> bool + Sync>(self, good: P) -> bool {
        !self.any(|item| !good(item))
    }

    /// The first item in input order for which `hit` is true.
    ///
    /// Rows behind a hit are given up within a stride; rows before it are searched to the end.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!((1..1_000_000).par(&pool).find_first(|x| x % 777 == 0), Some(777));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn find_first<P>(self, hit: P) -> Option<L::Item>
    where
        L::Item: Send,
        P: Fn(&L::Item) -> bool + Sync,
    {
        self.whole(&Find { hit, stop: Stop::new() })
    }

    /// Some item for which `hit` is true: the one that is found first in time.
    pub fn find_any<P>(self, hit: P) -> Option<L::Item>
    where
        L::Item: Send,
        P: Fn(&L::Item) -> bool + Sync,
    {
        self.whole(&FindAny(Find { hit, stop: Stop::new() }))
    }

    /// The position of the first item for which `hit` is true, counted in items as std does.
    pub fn position_first<P: Fn(L::Item) -> bool + Sync>(self, hit: P) -> Option<usize> {
        let seen = self.whole(&Position { hit, stop: Stop::new() });
        seen.hit.then_some(seen.before)
    }
}

/// The row from which on nothing is needed.
struct Stop(AtomicUsize);

impl Stop {
    fn new() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }

    /// Rows behind `row` are needless.
    fn after(&self, row: usize) {
        // Relaxed: pairs with the load below; a hint, the hit itself travels by the join.
        self.0.fetch_min(row, Ordering::Relaxed);
    }

    fn row(&self) -> usize {
        // Relaxed: pairs with `after()`, a hint.
        self.0.load(Ordering::Relaxed)
    }
}

struct Any<P> {
    hit: P,
    stop: Stop,
}

impl<T, P: Fn(T) -> bool + Sync> Terminal<T> for Any<P> {
    type Partial = bool;

    #[inline]
    fn run(&self, _: usize, mut items: impl Iterator<Item = T>) -> bool {
        let hit = items.any(&self.hit);
        if hit {
            self.stop.after(0);
        }
        hit
    }

    fn merge(&self, left: bool, right: bool) -> bool {
        left || right
    }

    fn needless(&self, _: usize) -> bool {
        self.stop.row() == 0
    }
}

struct Find<P> {
    hit: P,
    stop: Stop,
}

impl<T: Send, P: Fn(&T) -> bool + Sync> Terminal<T> for Find<P> {
    type Partial = Option<T>;

    #[inline]
    fn run(&self, at: usize, mut items: impl Iterator<Item = T>) -> Option<T> {
        let hit = items.find(&self.hit);
        if hit.is_some() {
            self.stop.after(at);
        }
        hit
    }

    fn merge(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        left.or(right)
    }

    fn needless(&self, at: usize) -> bool {
        at > self.stop.row()
    }
}

struct FindAny<P>(Find<P>);

impl<T: Send, P: Fn(&T) -> bool + Sync> Terminal<T> for FindAny<P> {
    type Partial = Option<T>;

    #[inline]
    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> Option<T> {
        self.0.run(at, items)
    }

    fn merge(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        left.or(right)
    }

    fn needless(&self, _: usize) -> bool {
        self.0.stop.row() != usize::MAX
    }
}

struct Position<P> {
    hit: P,
    stop: Stop,
}

/// How many items came before a hit, or at all.
struct Seen {
    before: usize,
    hit: bool,
}

impl<T, P: Fn(T) -> bool + Sync> Terminal<T> for Position<P> {
    type Partial = Seen;

    #[inline]
    fn run(&self, at: usize, mut items: impl Iterator<Item = T>) -> Seen {
        let mut before = 0;
        let hit = items.any(|item| {
            let hit = (self.hit)(item);
            before += usize::from(!hit);
            hit
        });
        if hit {
            self.stop.after(at);
        }
        Seen { before, hit }
    }

    fn merge(&self, left: Seen, right: Seen) -> Seen {
        if left.hit {
            return left;
        }
        Seen { before: left.before + right.before, hit: right.hit }
    }

    fn needless(&self, at: usize) -> bool {
        at > self.stop.row()
    }
}
