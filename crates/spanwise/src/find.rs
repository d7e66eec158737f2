//! Terminals that can stop early: `any`, `all`, `find_*` and `position_first`. A hit is told to the
//! other threads by one flag or one row number, which they read before each stride.

use crate::{
    chain::Chain, control::Control, input::Input, leaf::Leaf, stop::Stop, terminal::Terminal,
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Whether `hit` is true for some item. Stops all threads soon after the first hit by any.
    pub fn any<P: Fn(L::Item) -> bool + Sync>(self, hit: P) -> C::Out<bool> {
        self.whole(&Any { hit, stop: Stop::new() }, |hit| hit)
    }

    /// Whether `good` is true for all items. Stops all threads soon after the first that is not.
    pub fn all<P: Fn(L::Item) -> bool + Sync>(self, good: P) -> C::Out<bool> {
        self.whole(&Any { hit: |item| !good(item), stop: Stop::new() }, |bad| !bad)
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
    pub fn find_first<P>(self, hit: P) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        P: Fn(&L::Item) -> bool + Sync,
    {
        self.whole(&Find { hit, stop: Stop::new() }, |hit| hit)
    }

    /// Some item for which `hit` is true: the one that is found first in time.
    pub fn find_any<P>(self, hit: P) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        P: Fn(&L::Item) -> bool + Sync,
    {
        self.whole(&FindAny(Find { hit, stop: Stop::new() }), |hit| hit)
    }

    /// The position of the first item for which `hit` is true, counted in items as std does.
    pub fn position_first<P: Fn(L::Item) -> bool + Sync>(self, hit: P) -> C::Out<Option<usize>> {
        let position = Position { hit, stop: Stop::new() };
        self.whole(&position, |seen| seen.hit.then_some(seen.before))
    }
}

struct Any<P> {
    hit: P,
    stop: Stop,
}

impl<T, P: Fn(T) -> bool + Sync> Terminal<T> for Any<P> {
    type Partial = bool;
    const FROM_FRONT: bool = true;

    #[inline]
    fn run(&self, _: usize, mut items: impl Iterator<Item = T>) -> bool {
        let hit = any(&mut items, &self.hit);
        if hit {
            self.stop.after(0);
        }
        hit
    }

    fn merge(&self, left: bool, right: bool) -> bool {
        left || right
    }

    fn needless(&self, _: usize) -> bool {
        self.stop.is_set()
    }
}

struct Find<P> {
    hit: P,
    stop: Stop,
}

impl<T: Send, P: Fn(&T) -> bool + Sync> Terminal<T> for Find<P> {
    type Partial = Option<T>;
    const FROM_FRONT: bool = true;

    #[inline]
    fn run(&self, at: usize, mut items: impl Iterator<Item = T>) -> Option<T> {
        let hit = find(&mut items, &self.hit);
        if hit.is_some() {
            self.stop.after(at);
        }
        // Before the return: a hit that is already returned would leak if a row's destructor panicked.
        drop(items);
        hit
    }

    fn merge(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        nearer(left, right)
    }

    fn needless(&self, at: usize) -> bool {
        self.stop.is_before(at)
    }
}

struct FindAny<P>(Find<P>);

impl<T: Send, P: Fn(&T) -> bool + Sync> Terminal<T> for FindAny<P> {
    type Partial = Option<T>;
    const FROM_FRONT: bool = true;

    #[inline]
    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> Option<T> {
        self.0.run(at, items)
    }

    fn merge(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        nearer(left, right)
    }

    fn needless(&self, _: usize) -> bool {
        self.0.stop.is_set()
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
    const FROM_FRONT: bool = true;

    #[inline]
    fn run(&self, at: usize, mut items: impl Iterator<Item = T>) -> Seen {
        let mut before = 0;
        let hit = any(&mut items, |item| {
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
        self.stop.is_before(at)
    }
}

/// The left hit, or the right one if there is none.
fn nearer<T>(left: Option<T>, right: Option<T>) -> Option<T> {
    if left.is_none() {
        return right;
    }
    // Before the return: a hit that is already returned would leak if this panicked.
    drop(right);
    left
}

/// std's `any`, but four rows a turn where their number is known. std's loop jumps back after each
/// row, and where the compiler has put it at a bad place in the program that takes two cycles.
pub(crate) fn any<T>(items: &mut impl Iterator<Item = T>, mut hit: impl FnMut(T) -> bool) -> bool {
    for _ in 0..fours(items) {
        for _ in 0..4 {
            let Some(item) = items.next() else { return false };
            if hit(item) {
                return true;
            }
        }
    }
    items.any(hit)
}

/// std's `find`, as `any`.
fn find<T>(items: &mut impl Iterator<Item = T>, mut hit: impl FnMut(&T) -> bool) -> Option<T> {
    for _ in 0..fours(items) {
        for _ in 0..4 {
            let item = items.next()?;
            if hit(&item) {
                return Some(item);
            }
        }
    }
    items.find(hit)
}

/// Into how many fours these items can be cut, if their number is known.
fn fours(items: &impl Iterator) -> usize {
    let (count, most) = items.size_hint();
    if most == Some(count) { count / 4 } else { 0 }
}
