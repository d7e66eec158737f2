//! The drive: cut, join, merge. In come a span, its plan and the work of a terminal, out comes one
//! partial for all rows. Terminals call it; it decides when to cut, the plan where.

use std::{
    mem,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use spanwise_backend::Backend;

use crate::{
    plan::{Leaves, Plan},
    span::Span,
};

/// What a terminal does with parts of a span.
pub(crate) trait Work<S: Span>: Sync {
    /// What comes of a part.
    type Partial: Send;

    /// Runs the rows of these leaves.
    fn run(&self, leaves: Leaves<'_>, part: S) -> Self::Partial;

    /// Two neighbours into one.
    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial;

    /// Runs the leaves just after those of `left`, on the same thread.
    fn run_on(&self, left: Self::Partial, leaves: Leaves<'_>, part: S) -> Self::Partial {
        self.merge(left, self.run(leaves, part))
    }

    /// Whether the answer no longer needs the rows from `at` on.
    fn needless(&self, at: usize) -> bool {
        let _ = at;
        false
    }
}

/// Work that a thread does between two looks at the clock and at the flags.
const STRIDE: Duration = Duration::from_micros(10);

/// A call that ends within this is not worth a second thread.
const SOLO: Duration = Duration::from_micros(8);

/// Pieces for each thread: what is left to balance skewed rows with.
const PIECES: usize = 8;

/// Calls of so few rows are spread at once, since each row may be heavy.
const FEW: usize = 64;

/// Runs `work` over all rows, on as many threads as the backend gives.
///
/// # Panics
///
/// With the first panic in input order among those that happened, once no thread runs a row.
pub(crate) fn drive<S, W, B>(backend: &B, plan: &Plan, span: S, work: &W) -> W::Partial
where
    S: Span,
    W: Work<S>,
    B: Backend,
{
    let leaves = plan.all();
    let width = backend.width().get();
    if width == 1 || leaves.count() == 1 {
        return work.run(leaves, span);
    }
    let call = Call { backend, work, unwinding: AtomicBool::new(false) };
    let pieces = width.saturating_mul(PIECES);
    let partial = backend.enter(|| {
        if leaves.rows() <= FEW {
            return call.spread(pieces, leaves, span);
        }
        let (near, leaves, rest) = call.stroll(leaves, span, Some(SOLO));
        match rest {
            None => near,
            Some(rest) => call.merge(near, call.spread(pieces, leaves, rest)),
        }
    });
    partial.expect("a call that skips every row has unwound")
}

/// One call on its way.
struct Call<'a, B, W> {
    backend: &'a B,
    work: &'a W,
    /// A row panicked: leaves that have not begun need not.
    unwinding: AtomicBool,
}

impl<B: Backend, W> Call<'_, B, W> {
    /// Halves the leaves until there are enough pieces, and runs them wherever the backend likes.
    fn spread<S: Span>(&self, pieces: usize, leaves: Leaves<'_>, part: S) -> Option<W::Partial>
    where
        W: Work<S>,
    {
        if pieces <= 1 || leaves.count() <= 1 {
            return self.stroll(leaves, part, None).0;
        }
        if self.stops(leaves.at()) {
            return None;
        }
        let (near, far) = leaves.cut(leaves.count().div_ceil(2));
        let (near_part, far_part) = part.cut(near.rows());
        let (left, right) = self.backend.join(
            || self.spread(pieces.div_ceil(2), near, near_part),
            || self.spread(pieces / 2, far, far_part),
        );
        self.merge(left, right)
    }

    /// Runs leaves one after another in strides that grow with their speed, so that flags are seen
    /// in time. With a `budget`, returns what is left once it is spent.
    fn stroll<'l, S: Span>(
        &self,
        mut leaves: Leaves<'l>,
        mut part: S,
        budget: Option<Duration>,
    ) -> (Option<W::Partial>, Leaves<'l>, Option<S>)
    where
        W: Work<S>,
    {
        let start = Instant::now();
        let mut before = Duration::ZERO;
        let mut done = None;
        let mut stride = 1;
        loop {
            if self.stops(leaves.at()) {
                return (done, leaves, None);
            }
            let (now, later) = leaves.cut(stride);
            if later.count() == 0 {
                return (Some(self.run(done, now, part)), later, None);
            }
            let (head, rest) = part.cut(now.rows());
            done = Some(self.run(done, now, head));
            (leaves, part) = (later, rest);
            let spent = start.elapsed();
            if budget.is_some_and(|budget| spent >= budget) {
                return (done, leaves, Some(part));
            }
            let took = spent - before;
            before = spent;
            stride = if took < STRIDE / 4 {
                stride * 4
            } else if took > STRIDE * 2 {
                stride.div_ceil(2)
            } else {
                stride
            };
        }
    }

    fn run<S: Span>(&self, left: Option<W::Partial>, leaves: Leaves<'_>, part: S) -> W::Partial
    where
        W: Work<S>,
    {
        let unwound = SetOnDrop(&self.unwinding);
        let partial = match left {
            None => self.work.run(leaves, part),
            Some(left) => self.work.run_on(left, leaves, part),
        };
        mem::forget(unwound);
        partial
    }

    fn merge<S: Span>(
        &self,
        left: Option<W::Partial>,
        right: Option<W::Partial>,
    ) -> Option<W::Partial>
    where
        W: Work<S>,
    {
        match (left, right) {
            (Some(left), Some(right)) => Some(self.work.merge(left, right)),
            (left, right) => left.or(right),
        }
    }

    fn stops<S: Span>(&self, at: usize) -> bool
    where
        W: Work<S>,
    {
        // Relaxed: a hint to skip work; what it leads to is ordered by the joins.
        self.unwinding.load(Ordering::Relaxed) || self.work.needless(at)
    }
}

/// Set when a run unwinds past it.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        // Relaxed: pairs with the load in `stops()`, a hint.
        self.0.store(true, Ordering::Relaxed);
    }
}
