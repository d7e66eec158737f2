//! The drive: cut, join, merge. In come a span and the work of a terminal, out comes one partial for
//! all rows. Inputs call it; it decides when to cut, the plan where.

use std::time::{Duration, Instant};

use spanwise_backend::Backend;

use crate::{
    control::{Control, Stopped},
    plan::{Leaves, Plan},
    pull::{SOLO, SpanFeed, pull},
    site::Site,
    span::Span,
    work::{Call, Stride, Work},
};

/// Pieces for each thread: what is left to balance skewed rows with.
const PIECES: usize = 8;

/// Calls of so few rows are spread at once, since each row may be heavy.
const FEW: usize = 64;

/// Runs `work` over all rows, on as many threads as the control allows.
///
/// # Panics
///
/// With the first panic in input order among those that happened, once no thread runs a row.
pub(crate) fn drive<S, W, C>(control: &C, span: S, work: &W) -> Result<W::Partial, Stopped>
where
    S: Span,
    W: Work<S>,
    C: Control,
{
    let leaves = Plan::new(span.len(), control.grain()).all();
    let width = control.width();
    let alone = width == 1 || leaves.count() == 1;
    if alone && !C::WATCHED {
        return Ok(work.run(leaves, span));
    }
    let (rows, key) = (leaves.rows(), drive::<S, W, C> as *const () as usize);
    let site = Site::of(key);
    let at_once = control.backend().cuts_at_once();
    // A search may end anywhere, so what it took says nothing about its rows.
    if !W::FROM_FRONT && !C::WATCHED && !at_once && site.is_small(key, rows) {
        if !site.is_turn() {
            return Ok(work.run(leaves, span));
        }
        let start = Instant::now();
        let partial = work.run(leaves, span);
        site.learn(key, rows, start.elapsed());
        return Ok(partial);
    }
    let call = Call::new(control, work);
    if alone {
        let (partial, ..) = call.stroll(leaves, span, None);
        return call.finish(partial);
    }
    if W::FROM_FRONT && rows > FEW {
        let (partial, _) = pull(control, SpanFeed::by_row(span, control.grain()), work, SOLO)?;
        return Ok(partial.expect("a span has a leaf"));
    }
    // More pieces than threads balance the load, but would let in more threads than the caller wants.
    let limited = width < control.backend().width().get();
    let pieces = if limited { width } else { width.saturating_mul(PIECES) };
    let partial = control.backend().enter(|| {
        let start = Instant::now();
        if rows <= FEW || at_once {
            let partial = call.spread(pieces, leaves, span);
            site.learn(key, rows, start.elapsed());
            return partial;
        }
        let (near, leaves, rest) = call.stroll(leaves, span, Some(SOLO));
        site.learn(key, rows - leaves.rows(), start.elapsed());
        match rest {
            None => near,
            Some(rest) => call.merge(near, call.spread(pieces, leaves, rest)),
        }
    });
    call.finish(partial)
}

impl<C: Control, W> Call<'_, C, W> {
    /// Halves the leaves until there are enough pieces, and runs them wherever the backend likes.
    fn spread<S: Span>(&self, pieces: usize, leaves: Leaves, part: S) -> Option<W::Partial>
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
        let (left, right) = self.control.backend().join(
            || self.spread(pieces.div_ceil(2), near, near_part),
            || self.spread(pieces / 2, far, far_part),
        );
        self.merge(left, right)
    }

    /// Runs leaves one after another in strides that grow with their speed, so that flags are seen
    /// in time. With a `budget`, returns what is left once it is spent.
    fn stroll<S: Span>(
        &self,
        mut leaves: Leaves,
        mut part: S,
        budget: Option<Duration>,
    ) -> (Option<W::Partial>, Leaves, Option<S>)
    where
        W: Work<S>,
    {
        let mut stride = Stride::new();
        let mut spent = Duration::ZERO;
        let mut done = None;
        loop {
            if self.stops(leaves.at()) {
                // Before the return: a partial that is already returned would leak if this panicked.
                drop(part);
                return (done, leaves, None);
            }
            let (now, later) = leaves.cut(stride.leaves);
            if later.count() == 0 {
                return (Some(self.run(done, now, part)), later, None);
            }
            let (head, rest) = part.cut(now.rows());
            done = Some(self.run(done, now, head));
            (leaves, part) = (later, rest);
            spent += stride.adapt();
            if budget.is_some_and(|budget| spent >= budget) {
                return (done, leaves, Some(part));
            }
        }
    }
}
