//! Terminals that call a function for its effects and carry more than `for_each`: a state, an error
//! that stops, or both. In comes a chain, out comes nothing or the first error.

use crate::{
    attempt::{Fallible, attempt},
    chain::Chain,
    control::Control,
    input::Input,
    leaf::Leaf,
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Calls `f` on each item, with a state that the thread has for itself meanwhile.
    ///
    /// States are those of [`map_init`](Self::map_init): at most one for each thread of the call, and
    /// all are dropped before this returns. Which items see which state is open; within a leaf the
    /// order is the input's. A panic of `init` or `f` reaches the caller. The cost above `for_each` is
    /// two short locks a stride and a branch an item.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let letters = AtomicUsize::new(0);
    /// (0..1000).par(&pool).for_each_init(String::new, |text, i| {
    ///     text.clear();
    ///     text.push_str(&i.to_string());
    ///     letters.fetch_add(text.len(), Ordering::Relaxed);
    /// });
    /// assert_eq!(letters.into_inner(), 10 + 2 * 90 + 3 * 900);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn for_each_init<S, N, F>(self, init: N, f: F) -> C::Out<()>
    where
        S: Send,
        N: Fn() -> S + Sync,
        F: Fn(&mut S, L::Item) + Sync,
    {
        self.map_init(init, f).for_each(|()| ())
    }

    /// Calls `f` on each item until one fails, and gives the first failure in input order.
    ///
    /// `f` returns `Result<(), E>`, `Option<()>` or `ControlFlow<B>`; so does this, or a `Result` of
    /// it after `until`. Items before the failing one are all seen; those behind it may have been, and
    /// no thread begins a stride of them once it is known. A panic of `f` reaches the caller. The cost
    /// is that of `for_each` and a branch an item.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let texts = ["1", "x", "2", "y"];
    /// let checked = texts.par(&pool).try_for_each(|text| text.parse::<i32>().map(|_| ()));
    /// assert_eq!(checked, "x".parse::<i32>().map(|_| ()));
    /// assert_eq!(texts.par(&pool).try_for_each(|text| (text.len() == 1).then_some(())), Some(()));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn try_for_each<R, F>(self, f: F) -> C::Out<R>
    where
        R: Fallible<Good = (), Bad: Send>,
        F: Fn(L::Item) -> R + Sync,
    {
        try_each(self.map(f))
    }

    /// Calls `f` on each item, with a state that the thread has for itself meanwhile, until one fails,
    /// and gives the first failure in input order.
    ///
    /// States are those of [`for_each_init`](Self::for_each_init), failures those of
    /// [`try_for_each`](Self::try_for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let bad = (1..1000).par(&pool).try_for_each_init(Vec::new, |digits, i| {
    ///     digits.clear();
    ///     digits.extend(i.to_string().bytes());
    ///     if digits.ends_with(b"77") { Err(i) } else { Ok(()) }
    /// });
    /// assert_eq!(bad, Err(77));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn try_for_each_init<S, N, R, F>(self, init: N, f: F) -> C::Out<R>
    where
        S: Send,
        N: Fn() -> S + Sync,
        R: Fallible<Good = (), Bad: Send>,
        F: Fn(&mut S, L::Item) -> R + Sync,
    {
        try_each(self.map_init(init, f))
    }
}

fn try_each<I, L, C>(chain: Chain<I, L, C>) -> C::Out<L::Item>
where
    I: Input,
    L: Leaf<I::Span, Item: Fallible<Good = (), Bad: Send>>,
    C: Control,
{
    C::map(attempt(chain, |good| good.for_each(|()| ())), L::Item::from_result)
}
