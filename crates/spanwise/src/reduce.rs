//! Reductions that begin with an identity: `reduce_with_identity` and `try_reduce`. In comes a chain,
//! out comes one item, grouped by the plan.

use crate::{
    attempt::Fallible, chain::Chain, control::Control, input::Input, leaf::Leaf, stop::Stop,
    terminal::Terminal,
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Merges all items into one, beginning with `identity()`, which is also the result for none.
    ///
    /// Each leaf is folded from left to right from an identity of its own on, and the leaves' results
    /// are merged along the fixed tree, so the bits are the same on every backend. `identity` is called
    /// once for each leaf, at most 1,024 times unless a grain says otherwise. A panic of either
    /// function reaches the caller. [`reduce`](Self::reduce) needs no identity.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let product = (1..=5).par(&pool).reduce_with_identity(|| 1, |x, y| x * y);
    /// assert_eq!(product, 120);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn reduce_with_identity<N, F>(self, identity: N, f: F) -> C::Out<L::Item>
    where
        L::Item: Send,
        N: Fn() -> L::Item + Sync,
        F: Fn(L::Item, L::Item) -> L::Item + Sync,
    {
        self.fold(identity, &f, &f)
    }

    /// Merges the good items into one with a function that may fail, or gives the first failure.
    ///
    /// Items are `Result`, `Option` or `ControlFlow`; `identity()` and what `f` takes are what good
    /// ones hold. The grouping is that of [`reduce_with_identity`](Self::reduce_with_identity), and of
    /// several failures, whether of items or of `f`, the first in it counts, from left to right; so
    /// the answer is the same on every backend, and a bad item's error is the first in input order
    /// unless `f` failed before. Leaves behind a failure are not run once it is known. A panic of
    /// either function reaches the caller.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let sum = |rows: &[i8]| rows.par(&pool).map(|&x| Some(x)).try_reduce(|| 0, i8::checked_add);
    /// assert_eq!(sum(&[1, 2, 3]), Some(6));
    /// assert_eq!(sum(&[100, 100]), None);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn try_reduce<T, N, F>(self, identity: N, f: F) -> C::Out<L::Item>
    where
        L::Item: Fallible<Good = T, Bad: Send>,
        T: Send,
        N: Fn() -> T + Sync,
        F: Fn(T, T) -> L::Item + Sync,
    {
        self.by_leaf(&TryReduce { identity, f, stop: Stop::new() }, |all| {
            let value = all.value.expect("rows are left out only behind a failure");
            L::Item::from_result(value)
        })
    }
}

struct TryReduce<N, F> {
    identity: N,
    f: F,
    stop: Stop,
}

/// Some neighbouring leaves from row `at` on, reduced. A leaf that was left out has no value.
struct Tried<T, E> {
    at: usize,
    value: Option<Result<T, E>>,
}

impl<N, F> TryReduce<N, F> {
    /// The value of leaves from `at` on; if it is a failure, rows behind `seen` need not begin.
    fn tried<T, E>(&self, at: usize, seen: usize, value: Result<T, E>) -> Tried<T, E> {
        if value.is_err() {
            self.stop.after(seen);
        }
        Tried { at, value: Some(value) }
    }
}

impl<R, N, F> Terminal<R> for TryReduce<N, F>
where
    R: Fallible<Good: Send, Bad: Send>,
    N: Fn() -> R::Good + Sync,
    F: Fn(R::Good, R::Good) -> R + Sync,
{
    type Partial = Tried<R::Good, R::Bad>;

    fn run(&self, at: usize, mut items: impl Iterator<Item = R>) -> Self::Partial {
        if self.stop.is_before(at) {
            return Tried { at, value: None };
        }
        let reduced = items.try_fold((self.identity)(), |left, item| {
            (self.f)(left, item.into_result()?).into_result()
        });
        self.tried(at, at, reduced)
    }

    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial {
        let at = left.at;
        match (left.value, right.value) {
            // The leaves from `right.at` on that a failure of `f` is about have been run.
            (Some(Ok(x)), Some(Ok(y))) => self.tried(at, right.at, (self.f)(x, y).into_result()),
            (Some(Ok(_)), value) | (value, _) => Tried { at, value },
        }
    }
}
