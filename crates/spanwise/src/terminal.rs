//! What most terminals are: a serial fold over a leaf's iterator and a merge. In comes a chain and a
//! [`Terminal`], out comes its partial, by either of two groupings.

use std::iter;

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    eights::{Cutting, Eights, Pulling},
    input::Input,
    leaf::{Count, Leaf},
    plan::Leaves,
    span::Span,
    tree::{Nodes, Tree, of_eight, of_few},
    work::Work,
};

/// A serial fold into locals, and a merge of two neighbouring partials.
pub trait Terminal<T>: Sync {
    /// What comes of some items in a row.
    type Partial: Send;

    /// Whether rows should be run from the front on, because the answer may lie there.
    const FROM_FRONT: bool = false;

    /// Whether each row is a leaf of its own where it gives one item and the caller set no grain.
    const BY_ROW: bool = false;

    /// Folds items; the first comes from row `at`.
    fn run(&self, at: usize, items: impl Iterator<Item = T>) -> Self::Partial;

    /// Two neighbours into one.
    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial;

    /// Folds items that follow those of `left`.
    #[inline]
    fn run_on(
        &self,
        left: Self::Partial,
        at: usize,
        items: impl Iterator<Item = T>,
    ) -> Self::Partial {
        self.merge(left, self.run(at, items))
    }

    /// What comes of the one item of a row that is a leaf.
    #[inline]
    fn row(&self, at: usize, item: T) -> Self::Partial {
        self.run(at, iter::once(item))
    }

    /// What comes of eight such rows, from a multiple of eight on.
    #[inline]
    fn eight(&self, at: usize, items: [T; 8]) -> Self::Partial {
        let mut next = at;
        let partials = items.map(|item| {
            next += 1;
            self.row(next - 1, item)
        });
        of_eight(partials, |left, right| self.merge(left, right))
    }

    /// What comes of so many such rows, fewer than eight, from a multiple of eight on.
    #[inline]
    fn few(&self, at: usize, count: usize, mut item: impl FnMut() -> T) -> Self::Partial {
        let mut next = at;
        let row = || {
            next += 1;
            self.row(next - 1, item())
        };
        of_few(count, row, |left, right| self.merge(left, right))
    }

    /// Whether the answer no longer needs the rows from `at` on.
    fn needless(&self, at: usize) -> bool {
        let _ = at;
        false
    }

    /// Whether the items that this partial comes of, from the first on, are all that is needed.
    fn enough(&self, first: &Self::Partial) -> bool {
        let _ = first;
        false
    }
}

/// For terminals whose answer does not depend on grouping: a run of leaves is one loop.
pub(crate) fn whole<I, L, C, T>(
    input: I,
    leaf: &L,
    control: &C,
    terminal: &T,
) -> Result<T::Partial, Stopped>
where
    I: Input,
    L: Leaf<I::Span>,
    C: Control,
    T: Terminal<L::Item>,
{
    input.drive(control, &Whole { leaf, terminal })
}

impl<I: Input, L: Leaf<I::Span>, C: Control> Chain<I, L, C> {
    /// For terminals whose answer does not depend on grouping.
    pub(crate) fn whole<T, R>(self, terminal: &T, finish: impl FnOnce(T::Partial) -> R) -> C::Out<R>
    where
        T: Terminal<L::Item>,
    {
        self.control.finish(whole(self.input, &self.leaf, &self.control, terminal), finish)
    }

    /// For terminals whose answer depends on grouping.
    pub(crate) fn by_leaf<T, R>(
        self,
        terminal: &T,
        finish: impl FnOnce(T::Partial) -> R,
    ) -> C::Out<R>
    where
        T: Terminal<L::Item>,
    {
        let by_row = <I::Length as Count>::EXACT && self.control.grain().is_none();
        let partial = by_leaf(self.input, &self.leaf, &self.control, terminal, by_row);
        self.control.finish(partial, finish)
    }
}

/// For terminals whose answer depends on grouping: one partial a leaf, merged along the fixed tree over
/// the leaves. `by_row` says that rows are leaves if the terminal and the chain allow it.
pub(crate) fn by_leaf<I, L, C, T>(
    input: I,
    leaf: &L,
    control: &C,
    terminal: &T,
    by_row: bool,
) -> Result<T::Partial, Stopped>
where
    I: Input,
    L: Leaf<I::Span>,
    C: Control,
    T: Terminal<L::Item>,
{
    let tree = input.drive(control, &ByLeaf { leaf, terminal, by_row })?;
    let whole = tree.finish(|left, right| terminal.merge(left, right));
    Ok(whole.unwrap_or_else(|| terminal.run(0, iter::empty())))
}

/// One run of a terminal over many leaves.
pub(crate) struct Whole<'a, L, T> {
    pub(crate) leaf: &'a L,
    pub(crate) terminal: &'a T,
}

impl<S: Span, L: Leaf<S>, T: Terminal<L::Item>> Work<S> for Whole<'_, L, T> {
    type Partial = T::Partial;

    const FROM_FRONT: bool = T::FROM_FRONT;

    #[inline]
    fn run(&self, leaves: Leaves, part: S) -> T::Partial {
        self.terminal.run(leaves.at(), self.leaf.iter(part))
    }

    fn merge(&self, left: T::Partial, right: T::Partial) -> T::Partial {
        self.terminal.merge(left, right)
    }

    #[inline]
    fn run_on(&self, left: T::Partial, leaves: Leaves, part: S) -> T::Partial {
        self.terminal.run_on(left, leaves.at(), self.leaf.iter(part))
    }

    fn needless(&self, at: usize) -> bool {
        self.terminal.needless(at)
    }

    fn enough(&self, first: &T::Partial) -> bool {
        self.terminal.enough(first)
    }
}

/// One partial a leaf, or a row.
struct ByLeaf<'a, L, T> {
    leaf: &'a L,
    terminal: &'a T,
    /// Whether each row is a leaf, if it gives one item.
    by_row: bool,
}

impl<L, T> ByLeaf<'_, L, T> {
    #[inline]
    fn fold<S: Span>(
        &self,
        tree: Option<Tree<T::Partial>>,
        leaves: Leaves,
        part: S,
    ) -> Tree<T::Partial>
    where
        L: Leaf<S>,
        T: Terminal<L::Item>,
    {
        let Self { leaf, terminal, .. } = *self;
        if !(T::BY_ROW && L::Count::EXACT && self.by_row) {
            let mut nodes = LeafNodes { leaf, terminal, leaves, part: Some(part) };
            return extended(tree, leaves, &mut nodes, (leaves.first(), leaves.count()));
        }
        if S::FINE {
            self.rows(tree, leaves, Cutting::new(leaf, part))
        } else {
            self.rows(tree, leaves, Pulling::new(leaf.iter(part)))
        }
    }

    #[inline]
    fn rows<E: Eights>(
        &self,
        tree: Option<Tree<T::Partial>>,
        leaves: Leaves,
        items: E,
    ) -> Tree<T::Partial>
    where
        T: Terminal<E::Item>,
    {
        let at = leaves.at();
        let mut nodes = RowNodes { terminal: self.terminal, at, items };
        let tree = extended(tree, leaves, &mut nodes, (at, leaves.rows()));
        nodes.items.end();
        // Before the return: what is already returned would leak if a destructor panicked here.
        drop(nodes);
        tree
    }
}

/// The stretch so far and so many more, from `first` on; all at once if that is the whole sequence.
#[inline]
fn extended<N: Nodes>(
    tree: Option<Tree<N::Node>>,
    leaves: Leaves,
    nodes: &mut N,
    (first, count): (usize, usize),
) -> Tree<N::Node> {
    if tree.is_none() && leaves.are_all() {
        return Tree::of_all(nodes, count);
    }
    let mut tree = tree.unwrap_or_else(|| Tree::at(first));
    tree.extend(nodes, count);
    tree
}

impl<S: Span, L: Leaf<S>, T: Terminal<L::Item>> Work<S> for ByLeaf<'_, L, T> {
    type Partial = Tree<T::Partial>;

    #[inline]
    fn run(&self, leaves: Leaves, part: S) -> Self::Partial {
        self.fold(None, leaves, part)
    }

    fn merge(&self, mut left: Self::Partial, right: Self::Partial) -> Self::Partial {
        left.append(right, |left, right| self.terminal.merge(left, right));
        left
    }

    fn run_on(&self, tree: Self::Partial, leaves: Leaves, part: S) -> Self::Partial {
        self.fold(Some(tree), leaves, part)
    }
}

/// Leaves of some rows each.
struct LeafNodes<'a, S, L, T> {
    leaf: &'a L,
    terminal: &'a T,
    leaves: Leaves,
    /// There as long as leaves are.
    part: Option<S>,
}

/// There is no level below a leaf's.
impl<S: Span, L: Leaf<S>, T: Terminal<L::Item>> Nodes for LeafNodes<'_, S, L, T> {
    type Node = T::Partial;

    const BASE: u32 = 0;
    const FEW: usize = 0;

    #[inline(always)]
    fn lend(&mut self) -> Self {
        Self { part: self.part.take(), ..*self }
    }

    #[inline]
    fn base(&mut self) -> T::Partial {
        let (leaves, part) = (self.leaves, self.part.take().expect("a leaf has a part"));
        let rows = if leaves.count() > 1 {
            let (rows, rest) = part.cut(leaves.grain());
            self.part = Some(rest);
            self.leaves = leaves.cut(1).1;
            rows
        } else {
            // The last leaf is what is left, also where a span has more rows than it said.
            part
        };
        self.terminal.run(leaves.at(), self.leaf.iter(rows))
    }

    fn small(&mut self, _: u32) -> T::Partial {
        self.base()
    }

    fn few(&mut self, _: usize) -> T::Partial {
        self.base()
    }

    #[inline]
    fn merge(&self, left: T::Partial, right: T::Partial) -> T::Partial {
        self.terminal.merge(left, right)
    }
}

/// Rows that are leaves.
struct RowNodes<'a, T, E> {
    terminal: &'a T,
    /// The next row.
    at: usize,
    items: E,
}

impl<E: Eights, T: Terminal<E::Item>> Nodes for RowNodes<'_, T, E> {
    type Node = T::Partial;

    const BASE: u32 = 5;
    const FEW: usize = 8;

    #[inline(always)]
    fn lend(&mut self) -> Self {
        Self { items: self.items.lend(), ..*self }
    }

    #[inline(always)]
    fn base(&mut self) -> T::Partial {
        let terminal = self.terminal;
        let mut at = self.at;
        self.at += 32;
        let [a, b, c, d] = self.items.quad(|items| {
            at += 8;
            terminal.eight(at - 8, items)
        });
        terminal.merge(terminal.merge(a, b), terminal.merge(c, d))
    }

    fn small(&mut self, level: u32) -> T::Partial {
        let at = self.at;
        match level {
            0 => {
                self.at += 1;
                self.terminal.row(at, self.items.one())
            }
            3 => {
                self.at += 8;
                self.terminal.eight(at, self.items.eight())
            }
            _ => {
                let left = self.small(level - 1);
                let right = self.small(level - 1);
                self.terminal.merge(left, right)
            }
        }
    }

    #[inline]
    fn few(&mut self, count: usize) -> T::Partial {
        let at = self.at;
        self.at += count;
        self.terminal.few(at, count, || self.items.one())
    }

    #[inline]
    fn merge(&self, left: T::Partial, right: T::Partial) -> T::Partial {
        self.terminal.merge(left, right)
    }
}
