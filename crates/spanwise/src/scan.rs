//! Prefix scans: `scan` and `scan_exclusive`. In comes a chain and an associative function, out comes
//! a chain of what has come of all items so far.
//!
//! Opening it runs the chain once: each leaf of the plan is scanned on its own, in place; then the
//! leaves' totals are folded from left to right. What came before a leaf is put in front of its items
//! when they are read, on whatever thread.

#![expect(clippy::type_complexity, reason = "a chain's type spells the chain, as std's does")]

use std::sync::Arc;

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    fill::fill,
    front::CountOf,
    gather::{Gather, gathered},
    input::Input,
    leaf::{Append, BackLeaf, Count, Exact, Leaf, Rows},
    owned::Owned,
    plan::Plan,
    sealed::Sealed,
    span::{self, Appended, Numbered, Span},
    terminal::whole,
};

impl<I, L, C> Chain<I, L, C>
where
    I: Input,
    L: Leaf<I::Span, Item: Clone + Send + Sync>,
    C: Control,
{
    /// Gives for each item what `f` makes of `init` and all items up to it, this one included.
    ///
    /// `f` has to be associative, not commutative: it always gets what came earlier on its left. For
    /// exact functions the items are those of std's serial scan. Others, such as adding floats, group
    /// by leaf: within one from left to right, then the leaves' totals from left to right, then both
    /// together; so the bits are the same on every backend, and with a single leaf they are std's.
    ///
    /// When a terminal is called the chain runs once, into memory for one item each, twice that after
    /// `filter` and the like. `f` is called about twice for each item, and an item cloned as often:
    /// once as its leaf is scanned, once as the terminal reads it.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let sums: Vec<u32> = [1, 2, 3].par(&pool).copied().scan(10, |acc, x| acc + x).collect();
    /// assert_eq!(sums, [11, 13, 16]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn scan<F>(self, init: L::Item, f: F) -> Chain<ScanInput<I, L, L::Item, F>, Scan<F>, C>
    where
        F: Fn(L::Item, L::Item) -> L::Item + Send + Sync,
    {
        let Self { input, leaf, control } = self;
        let f = Arc::new(f);
        let scan = Scan(Arc::clone(&f));
        Chain { input: ScanInput { input, leaf, init, f }, leaf: scan, control }
    }

    /// Gives for each item what `f` makes of `init` and all items before it: `init` for the first.
    ///
    /// All else is as for [`scan`](Self::scan).
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise::prelude::*;
    ///
    /// let pool = spanwise::Pool::new(2)?;
    /// let lengths = [3, 5, 2];
    /// let starts: Vec<usize> = lengths.par(&pool).copied().scan_exclusive(0, |acc, n| acc + n).collect();
    /// assert_eq!(starts, [0, 3, 8]);
    /// # Ok::<(), spanwise::PoolError>(())
    /// ```
    pub fn scan_exclusive<F>(
        self,
        init: L::Item,
        f: F,
    ) -> Chain<ExclusiveInput<ScanInput<I, L, L::Item, F>>, Append<Rows, Scan<F>>, C>
    where
        F: Fn(L::Item, L::Item) -> L::Item + Send + Sync,
    {
        self.scan(init, f).with(ExclusiveInput, |scan| Append(Rows, scan))
    }
}

/// A chain that is scanned when it opens.
#[derive(Clone, Debug)]
pub struct ScanInput<I, L, T, F> {
    input: I,
    leaf: L,
    init: T,
    f: Arc<F>,
}

impl<I, L, T, F> Input for ScanInput<I, L, T, F>
where
    I: Input,
    L: Leaf<I::Span, Item = T>,
    T: Clone + Send + Sync,
    F: Fn(T, T) -> T + Sync,
{
    type Span = Scanned<T>;
    type Length = Exact;

    fn open<C: Control>(self, control: &C) -> Result<Scanned<T>, Stopped> {
        let Self { input, leaf, init, f } = self;
        if <CountOf<I, L>>::EXACT {
            return scan(input.open(control)?, &leaf, control, &init, &*f);
        }
        let items = whole(input, &leaf, control, &Gather::<Vec<T>>::new())?;
        scan(Owned::from(gathered(items)), &Rows, control, &init, &*f)
    }
}

/// A scan that gives what came before an item, not what it made.
#[derive(Clone, Debug)]
pub struct ExclusiveInput<I>(I);

impl<I, L, T, F> Input for ExclusiveInput<ScanInput<I, L, T, F>>
where
    I: Input,
    L: Leaf<I::Span, Item = T>,
    T: Clone + Send + Sync,
    F: Fn(T, T) -> T + Sync,
{
    type Span = Appended<Owned<T>, Scanned<T>>;
    type Length = Exact;

    fn open<C: Control>(self, control: &C) -> Result<Self::Span, Stopped> {
        let init = self.0.init.clone();
        let scanned = self.0.open(control)?;
        let (first, later) = match scanned.len() {
            0 => (Vec::new(), scanned),
            rows => (vec![init], span::take(scanned, rows - 1)),
        };
        Ok(Appended { a: Owned::from(first), b: later })
    }
}

/// Scans the items of a span whose rows are items.
fn scan<S, L, T, C, F>(
    span: S,
    leaf: &L,
    control: &C,
    init: &T,
    f: &F,
) -> Result<Scanned<T>, Stopped>
where
    S: Span,
    L: Leaf<S, Item = T>,
    T: Clone + Send + Sync,
    C: Control,
    F: Fn(T, T) -> T + Sync,
{
    let plan = Plan::new(span.len(), control.grain());
    let mut items = Vec::new();
    let leaves = ByLeaf { leaf, plan, init, f };
    fill(Numbered { base: 0, span }, &leaves, control, &mut items)?;
    let mut before: Vec<T> = Vec::with_capacity(plan.leaves() - 1);
    for leaf in 1..plan.leaves() {
        let total = items[plan.row(leaf) - 1].clone();
        before.push(match before.last() {
            None => total,
            Some(earlier) => f(earlier.clone(), total),
        });
    }
    let rows = Numbered { base: 0, span: Owned::from(items) };
    Ok(Scanned { rows, leaves: Arc::new(Leaves { plan, before }) })
}

/// A leaf of the plan at a time, each scanned on its own; the first one goes on from `init`.
struct ByLeaf<'a, L, T, F> {
    leaf: &'a L,
    plan: Plan,
    init: &'a T,
    f: &'a F,
}

impl<L, T, F> Sealed for ByLeaf<'_, L, T, F> {}

impl<S, L, T, F> Leaf<Numbered<S>> for ByLeaf<'_, L, T, F>
where
    S: Span,
    L: Leaf<S, Item = T>,
    T: Clone + Send + Sync,
    F: Fn(T, T) -> T + Sync,
{
    type Item = T;
    type Count = Exact;

    /// The part has to begin with a leaf of the plan, as parts of the drive do.
    #[inline]
    fn iter(&self, part: Numbered<S>) -> impl Iterator<Item = T> {
        let mut place = Place::of(self.plan, part.base);
        let mut acc = None;
        self.leaf.iter(part.span).map(move |item| {
            if place.enter() {
                acc = None;
            }
            let next = match acc.take() {
                Some(acc) => (self.f)(acc, item),
                None if place.leaf == 0 => (self.f)(self.init.clone(), item),
                None => item,
            };
            acc = Some(next.clone());
            next
        })
    }
}

/// Scanned leaves, and what comes before each.
#[derive(Clone, Debug)]
pub struct Scanned<T> {
    rows: Numbered<Owned<T>>,
    leaves: Arc<Leaves<T>>,
}

#[derive(Clone, Debug)]
struct Leaves<T> {
    plan: Plan,
    /// For each leaf but the first.
    before: Vec<T>,
}

impl<T: Clone> Leaves<T> {
    /// What comes before a leaf.
    #[inline]
    fn before(&self, leaf: usize) -> Option<T> {
        self.before.get(leaf.checked_sub(1)?).cloned()
    }
}

impl<T: Send + Sync> Span for Scanned<T> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (front, back) = self.rows.cut(at);
        let leaves = Arc::clone(&self.leaves);
        (Self { rows: front, leaves: self.leaves }, Self { rows: back, leaves })
    }
}

/// A leaf that puts what came before in front of scanned items.
#[derive(Clone, Debug)]
pub struct Scan<F>(Arc<F>);

impl<F> Sealed for Scan<F> {}

impl<T, F> Leaf<Scanned<T>> for Scan<F>
where
    T: Clone + Send + Sync,
    F: Fn(T, T) -> T + Send + Sync,
{
    type Item = T;
    type Count = Exact;

    #[inline]
    fn iter(&self, part: Scanned<T>) -> impl Iterator<Item = T> {
        let Scanned { rows, leaves } = part;
        let mut place = Place::of(leaves.plan, rows.base);
        let mut before = leaves.before(place.leaf);
        rows.span.map(move |item| {
            if place.enter() {
                before = leaves.before(place.leaf);
            }
            match &before {
                None => item,
                Some(before) => (self.0)(before.clone(), item),
            }
        })
    }
}

impl<T, F> BackLeaf<Scanned<T>> for Scan<F>
where
    T: Clone + Send + Sync,
    F: Fn(T, T) -> T + Send + Sync,
{
    #[inline]
    fn iter_back(&self, part: Scanned<T>) -> impl Iterator<Item = T> {
        let Scanned { rows: Numbered { base, span }, leaves } = part;
        let rows = base..base + Span::len(&span);
        rows.zip(span).rev().map(move |(row, item)| match leaves.before(leaves.plan.leaf(row)) {
            None => item,
            Some(before) => (self.0)(before, item),
        })
    }
}

/// Where in a plan an iterator stands.
struct Place {
    plan: Plan,
    leaf: usize,
    /// Rows of the leaf that are still to come.
    left: usize,
}

impl Place {
    fn of(plan: Plan, row: usize) -> Self {
        let leaf = plan.leaf(row);
        Self { plan, leaf, left: plan.row(leaf + 1) - row }
    }

    /// Steps over one row; whether it begins the next leaf.
    #[inline]
    fn enter(&mut self) -> bool {
        let next = self.left == 0;
        if next {
            self.advance();
        }
        self.left -= 1;
        next
    }

    #[inline]
    fn advance(&mut self) {
        self.leaf += 1;
        // A span that gives more rows than it said is found by who fills with them.
        self.left = (self.plan.row(self.leaf + 1) - self.plan.row(self.leaf)).max(1);
    }
}
