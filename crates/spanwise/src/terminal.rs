//! What most terminals are: a serial fold over a leaf's iterator and a merge. In comes a chain and a
//! [`Terminal`], out comes its partial, by either of two groupings.

use crate::{
    chain::Chain,
    control::{Control, Stopped},
    input::Input,
    leaf::Leaf,
    plan::Leaves,
    span::Span,
    tree::Tree,
    work::Work,
};

/// A serial fold into locals, and a merge of two neighbouring partials.
pub trait Terminal<T>: Sync {
    /// What comes of some items in a row.
    type Partial: Send;

    /// Whether rows should be run from the front on, because the answer may lie there.
    const FROM_FRONT: bool = false;

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

    /// For terminals whose answer depends on grouping: one partial a leaf, merged along the fixed
    /// tree over the leaves.
    pub(crate) fn by_leaf<T, R>(
        self,
        terminal: &T,
        finish: impl FnOnce(T::Partial) -> R,
    ) -> C::Out<R>
    where
        T: Terminal<L::Item>,
    {
        let work = ByLeaf { leaf: &self.leaf, terminal };
        let tree = self.input.drive(&self.control, &work);
        let merge = |left, right| terminal.merge(left, right);
        self.control.finish(tree, |tree| finish(tree.finish(merge).expect("an input has a leaf")))
    }
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

struct ByLeaf<'a, L, T> {
    leaf: &'a L,
    terminal: &'a T,
}

impl<S: Span, L: Leaf<S>, T: Terminal<L::Item>> Work<S> for ByLeaf<'_, L, T> {
    type Partial = Tree<T::Partial>;

    fn run(&self, leaves: Leaves, part: S) -> Self::Partial {
        self.run_on(Tree::at(leaves.first()), leaves, part)
    }

    fn merge(&self, mut left: Self::Partial, right: Self::Partial) -> Self::Partial {
        left.append(right, |left, right| self.terminal.merge(left, right));
        left
    }

    fn run_on(&self, mut tree: Self::Partial, leaves: Leaves, mut part: S) -> Self::Partial {
        let mut at = leaves.at();
        let run = |tree: &mut Self::Partial, at, rows| {
            let partial = self.terminal.run(at, self.leaf.iter(rows));
            tree.push(partial, |left, right| self.terminal.merge(left, right));
        };
        for size in leaves.sizes().take(leaves.count().saturating_sub(1)) {
            let (rows, rest) = part.cut(size);
            run(&mut tree, at, rows);
            (at, part) = (at + size, rest);
        }
        // The last leaf is what is left, also where a span has more rows than it said.
        run(&mut tree, at, part);
        tree
    }
}
