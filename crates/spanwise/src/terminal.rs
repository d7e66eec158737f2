//! What most terminals are: a serial fold over a leaf's iterator and a merge. In comes a chain and a
//! [`Terminal`], out comes its partial, by either of two groupings.

use spanwise_backend::Backend;

use crate::{
    chain::Chain,
    drive::{self, Work},
    leaf::Leaf,
    plan::{Leaves, Plan},
    span::Span,
    tree::Tree,
};

/// A serial fold into locals, and a merge of two neighbouring partials.
pub(crate) trait Terminal<T>: Sync {
    /// What comes of some items in a row.
    type Partial: Send;

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
}

impl<S: Span, L: Leaf<S>, B: Backend> Chain<'_, S, L, B> {
    /// For terminals whose answer does not depend on grouping: a run of leaves is one loop.
    pub(crate) fn whole<T: Terminal<L::Item>>(self, terminal: &T) -> T::Partial {
        let plan = self.plan();
        drive::drive(self.backend, &plan, self.span, &Whole { leaf: &self.leaf, terminal })
    }

    /// For terminals whose answer depends on grouping: one partial a leaf, merged along the fixed
    /// tree over the leaves.
    pub(crate) fn by_leaf<T: Terminal<L::Item>>(self, terminal: &T) -> T::Partial {
        let plan = self.plan();
        let work = ByLeaf { leaf: &self.leaf, terminal };
        let tree = drive::drive(self.backend, &plan, self.span, &work);
        tree.finish(|left, right| terminal.merge(left, right)).expect("a plan has a leaf")
    }

    pub(crate) fn plan(&self) -> Plan {
        Plan::new(self.span.len(), self.grain)
    }
}

struct Whole<'a, L, T> {
    leaf: &'a L,
    terminal: &'a T,
}

impl<S: Span, L: Leaf<S>, T: Terminal<L::Item>> Work<S> for Whole<'_, L, T> {
    type Partial = T::Partial;

    #[inline]
    fn run(&self, leaves: Leaves<'_>, part: S) -> T::Partial {
        self.terminal.run(leaves.at(), self.leaf.iter(part))
    }

    fn merge(&self, left: T::Partial, right: T::Partial) -> T::Partial {
        self.terminal.merge(left, right)
    }

    #[inline]
    fn run_on(&self, left: T::Partial, leaves: Leaves<'_>, part: S) -> T::Partial {
        self.terminal.run_on(left, leaves.at(), self.leaf.iter(part))
    }

    fn needless(&self, at: usize) -> bool {
        self.terminal.needless(at)
    }
}

struct ByLeaf<'a, L, T> {
    leaf: &'a L,
    terminal: &'a T,
}

impl<S: Span, L: Leaf<S>, T: Terminal<L::Item>> Work<S> for ByLeaf<'_, L, T> {
    type Partial = Tree<T::Partial>;

    fn run(&self, leaves: Leaves<'_>, part: S) -> Self::Partial {
        self.run_on(Tree::at(leaves.first()), leaves, part)
    }

    fn merge(&self, mut left: Self::Partial, right: Self::Partial) -> Self::Partial {
        left.append(right, |left, right| self.terminal.merge(left, right));
        left
    }

    fn run_on(
        &self,
        mut tree: Self::Partial,
        mut leaves: Leaves<'_>,
        mut part: S,
    ) -> Self::Partial {
        loop {
            let (leaf, later) = leaves.cut(1);
            let (rows, rest) =
                if later.count() == 0 { (part, None) } else { cut(part, leaf.rows()) };
            let partial = self.terminal.run(leaf.at(), self.leaf.iter(rows));
            tree.push(partial, |left, right| self.terminal.merge(left, right));
            let Some(rest) = rest else { return tree };
            (leaves, part) = (later, rest);
        }
    }
}

fn cut<S: Span>(part: S, at: usize) -> (S, Option<S>) {
    let (rows, rest) = part.cut(at);
    (rows, Some(rest))
}
