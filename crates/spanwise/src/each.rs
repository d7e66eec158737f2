//! More of what a chain does to each item: `flatten`, `update` and `map_init`. In comes a chain, out
//! comes one with a wrapped leaf. `map_init` keeps the states that its call has made, for the parts
//! to come.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{
    chain::Chain,
    control::Control,
    input::Input,
    leaf::{BackLeaf, Inexact, Leaf},
    sealed::Sealed,
    span::Span,
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Goes on with the items of each item, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let rows = vec![vec![1], vec![], vec![2, 3]];
    /// assert_eq!(rows.into_iter().par(&pool).flatten().collect::<Vec<_>>(), [1, 2, 3]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn flatten(self) -> Chain<I, Flatten<L>, C>
    where
        L::Item: IntoIterator,
    {
        self.with_leaf(Flatten)
    }

    /// Lets `f` change each item, and goes on with it.
    ///
    /// Within a leaf the order is the input's, between leaves it is open.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let lists: Vec<Vec<u32>> = (0..2).par(&pool).map(|n| vec![n]).update(|list| list.push(7)).collect();
    /// assert_eq!(lists, [[0, 7], [1, 7]]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn update<F>(self, f: F) -> Chain<I, Update<L, F>, C>
    where
        F: Fn(&mut L::Item) + Sync,
    {
        self.with_leaf(|leaf| Update(leaf, f))
    }

    /// Calls `f` on a state and each item, and goes on with what it returns.
    ///
    /// `init` makes a state when a thread comes to an item and no state of this call is free: at most
    /// once for each thread of the call, whatever the number of leaves. (Where `f` itself waits for the
    /// pool, rayon-core may run another part of the call on the same stack, which then needs a state
    /// of its own.) A state is with one part at a time, goes from part to part as it is, and is dropped
    /// when the call ends; one with which `f` panicked is dropped at once. Which items meet in a state
    /// is open, so what `f` returns should not depend on it: buffers, caches and connections are what
    /// it is for.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let digits = (0..1000_u32).par(&pool).map_init(String::new, |buffer, x| {
    ///     use std::fmt::Write;
    ///     buffer.clear();
    ///     write!(buffer, "{x}").expect("a string takes everything");
    ///     buffer.len()
    /// });
    /// assert_eq!(digits.sum::<usize>(), 2_890);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn map_init<T, N, R, F>(self, init: N, f: F) -> Chain<I, MapInit<L, T, N, F>, C>
    where
        T: Send,
        N: Fn() -> T + Sync,
        F: Fn(&mut T, L::Item) -> R + Sync,
    {
        self.with_leaf(|leaf| MapInit { leaf, free: Free::new(), init, f })
    }
}

/// A leaf whose items each become what they hold.
#[derive(Clone, Debug)]
pub struct Flatten<L>(L);

impl<L> Sealed for Flatten<L> {}

impl<S: Span, L: Leaf<S, Item: IntoIterator>> Leaf<S> for Flatten<L> {
    type Item = <L::Item as IntoIterator>::Item;
    type Count = Inexact;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = Self::Item> {
        self.0.iter(part).flatten()
    }
}

/// A leaf whose items a function changes.
#[derive(Clone, Debug)]
pub struct Update<L, F>(L, F);

impl<L, F> Sealed for Update<L, F> {}

impl<L, F> Update<L, F> {
    #[inline]
    fn of<T>(&self, mut item: T) -> T
    where
        F: Fn(&mut T),
    {
        (self.1)(&mut item);
        item
    }
}

impl<S: Span, L: Leaf<S>, F: Fn(&mut L::Item) + Sync> Leaf<S> for Update<L, F> {
    type Item = L::Item;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = L::Item> {
        self.0.iter(part).map(|item| self.of(item))
    }
}

impl<S: Span, L: BackLeaf<S>, F: Fn(&mut L::Item) + Sync> BackLeaf<S> for Update<L, F> {
    #[inline]
    fn iter_back(&self, part: S) -> impl Iterator<Item = L::Item> {
        self.0.iter_back(part).map(|item| self.of(item))
    }
}

/// A leaf and a function over a state and what comes out of it.
#[derive(Debug)]
pub struct MapInit<L, T, N, F> {
    leaf: L,
    free: Free<T>,
    init: N,
    f: F,
}

/// States stay with the call that made them.
impl<L: Clone, T, N: Clone, F: Clone> Clone for MapInit<L, T, N, F> {
    fn clone(&self) -> Self {
        let (leaf, init, f) = (self.leaf.clone(), self.init.clone(), self.f.clone());
        Self { leaf, free: Free::new(), init, f }
    }
}

impl<L, T, N, F> Sealed for MapInit<L, T, N, F> {}

impl<S, L, T, N, R, F> Leaf<S> for MapInit<L, T, N, F>
where
    S: Span,
    L: Leaf<S>,
    T: Send,
    N: Fn() -> T + Sync,
    F: Fn(&mut T, L::Item) -> R + Sync,
{
    type Item = R;
    type Count = L::Count;

    #[inline]
    fn iter(&self, part: S) -> impl Iterator<Item = R> {
        let mut held = Held::new(&self.free);
        self.leaf.iter(part).map(move |item| held.apply(&self.init, &self.f, item))
    }
}

impl<S, L, T, N, R, F> BackLeaf<S> for MapInit<L, T, N, F>
where
    S: Span,
    L: BackLeaf<S>,
    T: Send,
    N: Fn() -> T + Sync,
    F: Fn(&mut T, L::Item) -> R + Sync,
{
    #[inline]
    fn iter_back(&self, part: S) -> impl Iterator<Item = R> {
        let mut held = Held::new(&self.free);
        self.leaf.iter_back(part).map(move |item| held.apply(&self.init, &self.f, item))
    }
}

/// States that no part holds. The lock is never held while a caller's function runs.
#[derive(Debug)]
struct Free<T>(Mutex<Vec<T>>);

impl<T> Free<T> {
    fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn states(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part's state, from its first item on.
struct Held<'a, T> {
    state: Option<T>,
    /// A function has the state: seen on drop, it panicked.
    lent: bool,
    free: &'a Free<T>,
}

impl<'a, T> Held<'a, T> {
    fn new(free: &'a Free<T>) -> Self {
        Self { state: None, lent: false, free }
    }

    #[inline]
    fn apply<X, R>(&mut self, init: impl Fn() -> T, f: impl Fn(&mut T, X) -> R, item: X) -> R {
        let state = match &mut self.state {
            Some(state) => state,
            none => {
                let free = self.free.states().pop();
                none.insert(free.unwrap_or_else(init))
            }
        };
        self.lent = true;
        let out = f(state, item);
        self.lent = false;
        out
    }
}

impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        if let Some(state) = self.state.take().filter(|_| !self.lent) {
            self.free.states().push(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    use super::*;

    #[test]
    fn a_state_comes_back_unless_a_function_panicked_with_it() {
        let free = Free::new();
        let add = |state: &mut u32, x: u32| {
            *state += x;
            *state
        };
        for _ in 0..3 {
            let mut held = Held::new(&free);
            held.apply(|| 0, add, 1);
            held.apply(|| 0, add, 1);
        }
        assert_eq!(*free.states(), [6]);
        // Held at once, two parts have two states; a part without an item makes none.
        let (mut one, mut two, none) = (Held::new(&free), Held::new(&free), Held::new(&free));
        assert_eq!((one.apply(|| 0, add, 1), two.apply(|| 0, add, 1)), (7, 1));
        drop((one, two, none));
        assert_eq!(*free.states(), [7, 1]);
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let mut held = Held::new(&free);
            held.apply(|| 0, |state, ()| resume_unwind(Box::new(*state)), ());
        }));
        assert_eq!(*unwound.expect_err("it panics").downcast::<u32>().unwrap(), 1);
        assert_eq!(*free.states(), [7]);
    }
}
