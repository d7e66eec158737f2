//! Where rows from the front come from. In come spans and iterators, out goes what can be claimed from
//! them, leaf by leaf; `pull`, `drive` and what runs from the front claim.

use std::num::NonZeroUsize;

use crate::{
    plan::{Leaves, Plan},
    span::Span,
};

/// Where the next rows come from.
pub trait Feed: Send {
    /// What they come in.
    type Span: Span;

    /// The next rows, at most so many leaves; `None` at the end, and then for ever.
    fn claim(&mut self, leaves: usize) -> Option<(Leaves, Self::Span)>;

    /// The number of the leaf that the next claim begins with.
    fn next_leaf(&self) -> usize;

    /// How many leaves there are yet, where that is known.
    fn left(&self) -> usize {
        usize::MAX
    }
}

/// A span whose leaves are claimed from its front.
pub(crate) struct SpanFeed<S> {
    leaves: Leaves,
    /// Always there, but for the moment of a cut.
    span: Option<S>,
}

impl<S: Span> SpanFeed<S> {
    /// All rows of a span. Unless the caller says otherwise each is a leaf: grouping matters to nobody
    /// who pulls, and large leaves would look far beyond an answer.
    pub(crate) fn by_row(span: S, grain: Option<NonZeroUsize>) -> Self {
        let grain = grain.unwrap_or(NonZeroUsize::MIN);
        Self { leaves: Plan::new(span.len(), Some(grain)).all(), span: Some(span) }
    }
}

impl<S> SpanFeed<S> {
    /// What is not claimed.
    pub(crate) fn rest(&self) -> Leaves {
        self.leaves
    }

    /// The same, to be run in any order.
    pub(crate) fn into_rest(self) -> (Leaves, S) {
        (self.leaves, self.span.expect("no cut has panicked"))
    }
}

impl<S: Span> Feed for SpanFeed<S> {
    type Span = S;

    fn claim(&mut self, leaves: usize) -> Option<(Leaves, S)> {
        let (now, later) = self.leaves.cut(leaves);
        if now.count() == 0 {
            return None;
        }
        self.leaves = later;
        let (head, rest) = self.span.take()?.cut(now.rows());
        self.span = Some(rest);
        Some((now, head))
    }

    fn next_leaf(&self) -> usize {
        self.leaves.first()
    }

    fn left(&self) -> usize {
        self.leaves.count()
    }
}
