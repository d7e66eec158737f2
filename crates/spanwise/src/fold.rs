//! Terminals that fold with the caller's functions: `for_each`, `count`, `fold`, `reduce` and
//! `reduce_tree`.

use std::marker::PhantomData;

use crate::{
    chain::Chain,
    control::Control,
    front::CountOf,
    gather::{Gather, gathered},
    input::Input,
    leaf::{Count, Leaf, Rows},
    owned::Owned,
    terminal::{Terminal, by_leaf, whole},
    tree::of_eight,
};

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// Calls `f` on each item. Within a leaf the order is the input's, between leaves it is open.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let mut rows = [1, 2, 3];
    /// rows.iter_mut().par(&pool).zip(&[10, 20, 30]).for_each(|(x, y)| *x += y);
    /// assert_eq!(rows, [11, 22, 33]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn for_each<F: Fn(L::Item) + Sync>(self, f: F) -> C::Out<()> {
        self.whole(&ForEach(f), |()| ())
    }

    /// How many items there are. The chain runs, as std's does, so closures are called.
    pub fn count(self) -> C::Out<usize> {
        self.whole(&Tally, |count| count)
    }

    /// Folds each leaf from `identity()` on with `fold`, then merges the leaves' results.
    ///
    /// The grouping is the plan's, so the result has the same bits on every backend even where
    /// `merge` is not associative. `identity` is called once for each leaf, at most 1,024 times unless
    /// a grain says otherwise.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let (sum, squares) = (1..=3).par(&pool).fold(
    ///     || (0, 0),
    ///     |(sum, squares), x| (sum + x, squares + x * x),
    ///     |left, right| (left.0 + right.0, left.1 + right.1),
    /// );
    /// assert_eq!((sum, squares), (6, 14));
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn fold<A, N, F, M>(self, identity: N, fold: F, merge: M) -> C::Out<A>
    where
        A: Send,
        N: Fn() -> A + Sync,
        F: Fn(A, L::Item) -> A + Sync,
        M: Fn(A, A) -> A + Sync,
    {
        self.by_leaf(&Fold { identity, fold, merge, partial: PhantomData }, |folded| folded)
    }

    /// Merges all items into one, or gives `None` if there are none.
    ///
    /// Where each row gives one item, items are merged along the fixed tree in which neighbours meet
    /// first, as [`reduce_tree`](Self::reduce_tree) does. After `filter` and the like, and with a grain,
    /// each leaf is folded from left to right and the leaves' results are merged along that tree. So
    /// the bits are the same on every backend.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// assert_eq!(["a", "b", "c"].par(&pool).map(|s| s.to_string()).reduce(|a, b| a + &b).unwrap(), "abc");
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn reduce<F>(self, f: F) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        F: Fn(L::Item, L::Item) -> L::Item + Sync,
    {
        self.by_leaf(&Reduce(f), |reduced| reduced)
    }

    /// Merges all items into one along the fixed tree: step k merges neighbours `2i` and `2i + 1`
    /// into `i`, and an odd last one goes up as it is.
    ///
    /// The grouping depends on the number of items alone; a grain does not change it. After `filter`
    /// and the like the items are gathered first, since only then is it known which are neighbours.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let tree = (0..5).par(&pool).map(|i| i.to_string()).reduce_tree(|a, b| format!("({a} {b})"));
    /// assert_eq!(tree.unwrap(), "(((0 1) (2 3)) 4)");
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn reduce_tree<F>(self, f: F) -> C::Out<Option<L::Item>>
    where
        L::Item: Send,
        F: Fn(L::Item, L::Item) -> L::Item + Sync,
    {
        let Self { input, leaf, control } = self;
        let reduce = Reduce(f);
        if <CountOf<I, L>>::EXACT {
            return C::out(by_leaf(input, &leaf, &control, &reduce, true));
        }
        let items = whole(input, &leaf, &control, &Gather::<Vec<L::Item>>::new());
        C::out(items.and_then(|items| {
            by_leaf(Owned::from(gathered(items)), &Rows, &control, &reduce, true)
        }))
    }
}

struct ForEach<F>(F);

impl<T, F: Fn(T) + Sync> Terminal<T> for ForEach<F> {
    type Partial = ();

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) {
        items.for_each(&self.0);
    }

    fn merge(&self, (): (), (): ()) {}
}

struct Tally;

impl<T> Terminal<T> for Tally {
    type Partial = usize;

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> usize {
        items.count()
    }

    fn merge(&self, left: usize, right: usize) -> usize {
        left.checked_add(right).expect("a count of more than usize::MAX items")
    }
}

struct Fold<A, I, F, M> {
    identity: I,
    fold: F,
    merge: M,
    partial: PhantomData<fn() -> A>,
}

impl<T, A, I, F, M> Terminal<T> for Fold<A, I, F, M>
where
    A: Send,
    I: Fn() -> A + Sync,
    F: Fn(A, T) -> A + Sync,
    M: Fn(A, A) -> A + Sync,
{
    type Partial = A;

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> A {
        items.fold((self.identity)(), &self.fold)
    }

    fn merge(&self, left: A, right: A) -> A {
        (self.merge)(left, right)
    }
}

/// Also serves every terminal that is a reduction of optional partials; rows are leaves.
pub(crate) struct Reduce<F>(pub(crate) F);

impl<T: Send, F: Fn(T, T) -> T + Sync> Terminal<T> for Reduce<F> {
    type Partial = Option<T>;

    const BY_ROW: bool = true;

    #[inline]
    fn run(&self, _: usize, items: impl Iterator<Item = T>) -> Option<T> {
        items.reduce(&self.0)
    }

    #[inline]
    fn merge(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        match (left, right) {
            (Some(left), Some(right)) => Some((self.0)(left, right)),
            (left, right) => left.or(right),
        }
    }

    #[inline]
    fn eight(&self, _: usize, items: [T; 8]) -> Option<T> {
        Some(of_eight(items, &self.0))
    }
}
