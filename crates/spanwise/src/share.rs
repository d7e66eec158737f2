//! What a thread knows about its part of a call, and when it cuts it. In come guesses and what strides
//! took, out go the length of the next stride and whether half of the rest is to be given away; the drive
//! asks. docs/cost.md tells why.

use std::time::Duration;

use spanwise_backend::Backend;

use crate::{
    control::Control,
    plan::Leaves,
    pull::SOLO,
    site::{Guess, HANDOFF},
    work::Stride,
};

/// Parts for each thread where a backend cannot tell whether threads want work: what is left to
/// balance skewed rows with.
const PARTS: usize = 8;

/// Calls of so few rows of unknown cost are cut at once, since each row may be heavy.
pub(crate) const FEW: usize = 64;

/// What a stride should take.
const STRIDE: Duration = Duration::from_micros(5);

/// For so long a call of unknown cost may be a small one.
const LOOK: Duration = Duration::from_micros(1);

/// A stride has at most so many times the leaves of the one before.
const GROWTH: usize = 16;

/// Calls that take at least this long are always timed.
pub(crate) const LONG: Duration = Duration::from_micros(20);

/// What a thread knows about its part of a call, and may do with it.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    /// Into how many parts it may be cut.
    parts: usize,
    /// Into how many of them once it is seen to be long, whoever wants them.
    eager: usize,
    pub(crate) guess: Guess,
    /// What the last rows cost.
    pub(crate) lately: Guess,
    /// Whether its strides are timed even where one is all.
    pub(crate) timed: bool,
    /// How many strides it has run.
    strides: usize,
    /// How long the call has taken.
    age: Duration,
    /// How long a thread takes to have its half.
    pub(crate) late: Duration,
}

/// Rows whose time was taken, and that time, on whatever threads.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) rows: usize,
    pub(crate) time: Duration,
    /// More than one thread may have run them.
    pub(crate) cut: bool,
}

impl Spent {
    pub(crate) fn and(self, other: Self) -> Self {
        let cut = self.cut || other.cut;
        Self { rows: self.rows + other.rows, time: self.time + other.time, cut }
    }
}

impl Share {
    /// The whole of a call for one thread.
    pub(crate) fn alone(guess: Guess, timed: bool) -> Self {
        let (lately, age, late) = (Guess::NONE, Duration::ZERO, HANDOFF);
        Self { parts: 1, eager: 1, guess, lately, timed, strides: 0, age, late }
    }

    /// The whole of a call.
    pub(crate) fn first<C: Control>(control: &C, guess: Guess, timed: bool, rows: usize) -> Self {
        let (width, all) = (control.width(), control.backend().width().get());
        // A call that is not young wakes nobody for nothing.
        let tells = control.backend().wants(Duration::ZERO, HANDOFF).is_some();
        let many = width.saturating_mul(PARTS).min(usize::MAX / 4);
        let (parts, eager) = match (width < all, tells) {
            // More parts than threads balance the load, but would let in more than the caller wants.
            (true, _) => (width, width),
            (false, false) => (many, many),
            // Each cut is a frame deeper, so there is an end to them.
            (false, true) if guess.is_none() && rows <= FEW => (many * 4, many),
            (false, true) => (many * 4, 1),
        };
        Self { parts, eager, ..Self::alone(guess, timed) }
    }

    /// Whether to give half of these leaves away now.
    pub(crate) fn is_cut<C: Control>(&self, control: &C, leaves: &Leaves) -> bool {
        if self.parts <= 1 || leaves.count() <= 1 {
            return false;
        }
        let rows = leaves.rows();
        if self.guess.is_none() {
            return self.eager > 1 && (rows <= FEW || control.backend().cuts_at_once());
        }
        let lately = self.lately.time(rows);
        let rest = if self.guess.is_sure() { self.guess.time(rows).max(lately) } else { lately };
        if self.eager > 1 {
            return self.age >= SOLO || rows <= FEW || self.guess.is_sure() && rest >= SOLO * 4;
        }
        // A call whose cost is a wild guess looks at some rows first. The very first bring code and data into
        // the caches, so what they say counts only if it is much.
        let looked = if self.strides > 1 { LOOK } else { STRIDE };
        (self.guess.is_sure() || self.age >= looked)
            && rest > self.late
            && control.backend().wants(rest, self.age) == Some(true)
    }

    /// The leaves of the near half.
    pub(crate) fn near(&self, leaves: &Leaves) -> usize {
        let count = leaves.count();
        if self.eager > 1 {
            return count.div_ceil(2);
        }
        // The far half begins a little later.
        let late = self.guess.rows(HANDOFF) / leaves.grain().max(1);
        (count.saturating_add(late) / 2).clamp(1, count - 1)
    }

    /// What the two halves get.
    pub(crate) fn halves(mut self) -> (Self, Self) {
        (self.strides, self.age) = (self.strides.max(2), self.age.max(LOOK));
        let (parts, eager) = (self.parts, self.eager);
        let far = Self { parts: parts / 2, eager: eager / 2, ..self };
        (Self { parts: parts.div_ceil(2), eager: eager.div_ceil(2), ..self }, far)
    }

    /// A stride of so many rows took so long, and all so far `spent`.
    pub(crate) fn ran(&mut self, rows: usize, took: Duration, spent: Spent) {
        self.strides += 1;
        self.age += took;
        self.lately = Guess::seen(rows, took);
        if !self.guess.is_sure() {
            self.guess = Guess::seen(spent.rows, spent.time);
        }
    }

    /// The leaves of the first stride.
    pub(crate) fn stride(&self, leaves: &Leaves) -> usize {
        if self.guess.is_sure() { fitting(self.guess, self.guess, leaves) } else { 1 }
    }
}

/// The leaves of a stride: as many as its time allows if rows go on costing what they did `lately`, but
/// no more than a part of what is left, unless that is little work however dear rows ever were.
fn fitting(lately: Guess, ever: Guess, leaves: &Leaves) -> usize {
    let count = leaves.count();
    let worth = |cost: Guess, time| cost.rows(time) / leaves.grain().max(1);
    let most = (count / 8).max(worth(lately, Stride::SHORT).min(worth(ever, Stride::SHORT)));
    worth(lately, STRIDE).min(most).max(1)
}

/// The leaves of the stride after one that `took` so long.
pub(crate) fn next(
    stride: usize,
    took: Duration,
    ever: Guess,
    lately: Guess,
    leaves: &Leaves,
) -> usize {
    // No rate tells what rows cost that cost nothing, and there may be any number of them.
    let more = if took < STRIDE / 4 { stride.saturating_mul(4).min(leaves.count() / 8) } else { 0 };
    fitting(lately, ever, leaves).max(more).min(stride.saturating_mul(GROWTH))
}
