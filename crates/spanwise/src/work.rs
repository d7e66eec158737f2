//! One call on its way: what is to be done with parts, and what all its threads share. In come parts,
//! out come partials; `pull` and `drive` bring the parts.

use std::{mem, sync::OnceLock, time::Duration};

use crate::{
    control::{Control, Stopped},
    plan::Leaves,
    span::Span,
    sync::{AtomicBool, Moment, Ordering},
};

/// What a terminal does with parts of a span.
pub trait Work<S: Span>: Sync {
    /// What comes of a part.
    type Partial: Send;

    /// Whether rows should be run from the front on, because the answer may lie there.
    const FROM_FRONT: bool = false;

    /// Runs the rows of these leaves.
    fn run(&self, leaves: Leaves, part: S) -> Self::Partial;

    /// Two neighbours into one.
    fn merge(&self, left: Self::Partial, right: Self::Partial) -> Self::Partial;

    /// Runs the leaves just after those of `left`, on the same thread.
    fn run_on(&self, left: Self::Partial, leaves: Leaves, part: S) -> Self::Partial {
        self.merge(left, self.run(leaves, part))
    }

    /// Whether the answer no longer needs the rows from `at` on.
    fn needless(&self, at: usize) -> bool {
        let _ = at;
        false
    }

    /// Whether the rows that this partial comes of, from the first on, are all that is needed.
    fn enough(&self, first: &Self::Partial) -> bool {
        let _ = first;
        false
    }
}

/// What the threads of a call share.
pub(crate) struct Call<'a, C, W> {
    pub(crate) control: &'a C,
    pub(crate) work: &'a W,
    /// A row panicked: leaves that have not begun need not.
    unwinding: AtomicBool,
    /// Why rows were left out that the answer needs.
    stopped: OnceLock<Stopped>,
}

impl<'a, C: Control, W> Call<'a, C, W> {
    pub(crate) fn new(control: &'a C, work: &'a W) -> Self {
        Self { control, work, unwinding: AtomicBool::new(false), stopped: OnceLock::new() }
    }

    /// Runs leaves that follow those of `left`.
    #[inline]
    pub(crate) fn run<S: Span>(
        &self,
        left: Option<W::Partial>,
        leaves: Leaves,
        part: S,
    ) -> W::Partial
    where
        W: Work<S>,
    {
        let unwound = SetOnDrop(&self.unwinding);
        let partial = match left {
            None => self.work.run(leaves, part),
            Some(left) => self.work.run_on(left, leaves, part),
        };
        if C::WATCHED {
            self.control.ran(leaves.rows());
        }
        mem::forget(unwound);
        partial
    }

    /// Whether a thread should run nothing from row `at` on.
    pub(crate) fn stops<S: Span>(&self, at: usize) -> bool
    where
        W: Work<S>,
    {
        // Relaxed: pairs with the store in `SetOnDrop`; a hint to skip work, what it leads to is
        // ordered by the joins.
        if self.unwinding.load(Ordering::Relaxed) || self.work.needless(at) {
            return true;
        }
        match self.control.stopped() {
            None => false,
            Some(why) => {
                self.stopped.get_or_init(|| why);
                true
            }
        }
    }

    /// Two neighbours into one. Once rows are missing there are no neighbours and no answer.
    pub(crate) fn merge<S: Span>(
        &self,
        left: Option<W::Partial>,
        right: Option<W::Partial>,
    ) -> Option<W::Partial>
    where
        W: Work<S>,
    {
        // Relaxed: pairs with the store in `SetOnDrop`. Whoever left rows out had seen it set, and a
        // join has brought us what they had.
        if self.unwinding.load(Ordering::Relaxed) || self.stopped.get().is_some() {
            return None;
        }
        match (left, right) {
            (Some(left), Some(right)) => Some(self.work.merge(left, right)),
            (left, right) => left.or(right),
        }
    }

    /// Why rows are missing, if any are.
    pub(crate) fn why(&self) -> Option<Stopped> {
        self.stopped.get().copied()
    }

    /// The call's answer, unless rows are missing.
    pub(crate) fn finish<P>(&self, partial: Option<P>) -> Result<P, Stopped> {
        match self.why() {
            None => Ok(partial.expect("a call that nobody stopped has run a row or unwound")),
            Some(why) => Err(why),
        }
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

/// How many leaves a thread runs between two looks at the clock and at the flags.
#[derive(Clone, Copy)]
pub(crate) struct Stride {
    pub(crate) leaves: usize,
    /// So many are soon done, going by the last stride; at least one, as in `leaves`.
    few: usize,
    done: usize,
    last: Moment,
}

impl Stride {
    /// What a stride should take.
    const TARGET: Duration = Duration::from_micros(10);

    /// A stride may take so long however much of the rest that is: what it costs beside its rows hardly shows.
    pub(crate) const SHORT: Duration = Duration::from_nanos(1500);

    pub(crate) fn new() -> Self {
        Self::after(0, 1, 1)
    }

    /// The one after so many leaves, of which `few` take `SHORT`.
    pub(crate) fn after(done: usize, leaves: usize, few: usize) -> Self {
        Self { leaves: leaves.max(1), few: few.max(1), done, last: Moment::now() }
    }

    /// Makes it no longer than so many leaves, unless it is short, and says what it is now.
    pub(crate) fn at_most(&mut self, leaves: usize) -> usize {
        self.leaves = self.leaves.min(leaves.max(self.few));
        self.leaves
    }

    /// Begins a stride now, after a pause.
    pub(crate) fn resume(&mut self) {
        self.last = Moment::now();
    }

    /// Ends a stride and fits the next to what it took, which is returned.
    pub(crate) fn adapt(&mut self) -> Duration {
        let now = Moment::now();
        let took = now - self.last;
        self.last = now;
        let each = took.as_nanos() as usize / self.leaves;
        self.few = (Self::SHORT.as_nanos() as usize / each.max(1)).max(1);
        self.done = self.done.saturating_add(self.leaves);
        if took < Self::TARGET / 4 {
            // Dear rows may follow cheap ones, and a stride looks at no flag: so it is at most as much
            // as has been seen.
            self.leaves = self.leaves.saturating_mul(4).min(self.done.max(4));
        } else if took > Self::TARGET * 2 {
            self.leaves = self.leaves.div_ceil(2);
        }
        took
    }
}

#[cfg(all(test, not(any(spanwise_loom, spanwise_shuttle))))]
mod tests {
    use super::*;

    /// Who claims no leaf takes it for the end of the rows.
    #[test]
    fn a_stride_has_a_leaf() {
        let mut stride = Stride::after(0, 0, 0);
        assert_eq!(stride.at_most(0), 1);
        stride.last -= Duration::from_secs(1);
        stride.adapt();
        assert_eq!(stride.at_most(0), 1, "one leaf is dear");
        stride.leaves = 1 << 20;
        stride.adapt();
        assert_eq!(stride.at_most(2), stride.few.max(2), "many are cheap");
    }
}
