//! The drive: cut, join, merge. In come a span and the work of a terminal, out comes one partial for
//! all rows. Inputs call it; it decides when to cut, the plan where.
//!
//! A call whose site is known to be small is one loop and looks at no clock. Else a thread runs strides
//! of leaves, and between two of them gives half of what is left away if the backend knows a taker and
//! it is worth it. docs/cost.md tells why.

use std::time::Duration;

use spanwise_backend::Backend;

use crate::{
    control::{Control, Stopped},
    feed::{Feed, SpanFeed},
    plan::{Leaves, Plan},
    pull::{SOLO, pull},
    site::{Guess, Site},
    span::Span,
    sync::Moment,
    together::{Front, shared},
    work::{Call, Stride, Work},
};

/// Parts for each thread where a backend cannot tell whether threads want work: what is left to
/// balance skewed rows with.
const PARTS: usize = 8;

/// Calls of so few rows of unknown cost are cut at once, since each row may be heavy.
const FEW: usize = 64;

/// Until another thread has begun a half, and until its end is seen.
const HANDOFF: Duration = Duration::from_nanos(250);

/// What a stride should take, and what it may take however much of the rest that is.
const STRIDE: Duration = Duration::from_micros(5);
const SHORT: Duration = Duration::from_nanos(1500);

/// A stride has at most so many times the leaves of the one before.
const GROWTH: usize = 16;

/// Calls that take at least this long are always timed.
const LONG: Duration = Duration::from_micros(20);

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
    let guess = if at_once { Guess::NONE } else { site.guess(key) };
    if !C::WATCHED && guess.is_small(rows) {
        if !site.is_turn() {
            return Ok(work.run(leaves, span));
        }
        let start = Moment::now();
        let partial = work.run(leaves, span);
        site.learn(key, rows, start.elapsed());
        return Ok(partial);
    }
    let call = Call::new(control, work);
    if W::FROM_FRONT && !alone && rows > FEW {
        let feed = SpanFeed::by_row(span, control.grain());
        if at_once {
            let (partial, _) = pull(control, feed, work, Duration::ZERO)?;
            return Ok(partial.expect("a span has a leaf"));
        }
        return call.search(feed, guess, |time| site.learn(key, rows, time));
    }
    let timed = !guess.is_sure() || guess.time(rows) >= LONG || site.is_turn();
    let share =
        if alone { Share::alone(guess, timed) } else { Share::first(control, guess, timed, rows) };
    let (partial, spent) = call.part(leaves, span, share);
    if spent.rows == rows {
        site.learn(key, rows, spent.time);
    }
    call.finish(partial)
}

/// What a thread knows about its part of a call, and may do with it.
#[derive(Clone, Copy)]
struct Share {
    /// Into how many parts it may be cut.
    parts: usize,
    /// Into how many of them once it is seen to be long, whoever wants them.
    eager: usize,
    guess: Guess,
    /// What the last rows cost.
    lately: Guess,
    /// Whether its strides are timed even where one is all.
    timed: bool,
    /// How long the call has taken.
    age: Duration,
}

/// Rows whose time was taken, and that time, on whatever threads.
#[derive(Clone, Copy, Default)]
struct Spent {
    rows: usize,
    time: Duration,
}

impl Spent {
    fn and(self, other: Self) -> Self {
        Self { rows: self.rows + other.rows, time: self.time + other.time }
    }
}

impl Share {
    /// The whole of a call for one thread.
    fn alone(guess: Guess, timed: bool) -> Self {
        Self { parts: 1, eager: 1, guess, lately: Guess::NONE, timed, age: Duration::ZERO }
    }

    /// The whole of a call.
    fn first<C: Control>(control: &C, guess: Guess, timed: bool, rows: usize) -> Self {
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
    fn is_cut<C: Control>(&self, control: &C, leaves: &Leaves) -> bool {
        if self.parts <= 1 || leaves.count() <= 1 {
            return false;
        }
        let rows = leaves.rows();
        if self.guess.is_none() {
            return self.eager > 1 && (rows <= FEW || control.backend().cuts_at_once());
        }
        let rest = self.guess.time(rows).max(self.lately.time(rows));
        if self.eager > 1 {
            return self.age >= SOLO || rows <= FEW || self.guess.is_sure() && rest >= SOLO * 4;
        }
        // A new call whose cost is a wild guess looks at a few rows first.
        (self.guess.is_sure() || !self.age.is_zero())
            && control.backend().wants(rest, self.age) == Some(true)
    }

    /// The leaves of the near half.
    fn near(&self, leaves: &Leaves) -> usize {
        let count = leaves.count();
        if self.eager > 1 {
            return count.div_ceil(2);
        }
        // The far half begins a little later.
        let late = self.guess.rows(HANDOFF) / leaves.grain().max(1);
        (count.saturating_add(late) / 2).clamp(1, count - 1)
    }

    /// What the two halves get.
    fn halves(mut self) -> (Self, Self) {
        self.age = self.age.max(HANDOFF);
        let (parts, eager) = (self.parts, self.eager);
        let far = Self { parts: parts / 2, eager: eager / 2, ..self };
        (Self { parts: parts.div_ceil(2), eager: eager.div_ceil(2), ..self }, far)
    }

    /// The leaves of the first stride.
    fn stride(&self, leaves: &Leaves) -> usize {
        if self.guess.is_sure() { fitting(self.guess, self.guess, leaves) } else { 1 }
    }
}

/// The leaves of a stride: as many as its time allows if rows go on costing what they did `lately`, but
/// no more than a part of what is left, unless that is little work however dear rows ever were.
fn fitting(lately: Guess, ever: Guess, leaves: &Leaves) -> usize {
    let count = leaves.count();
    let worth = |cost: Guess, time| cost.rows(time) / leaves.grain().max(1);
    let most = (count / 8).max(worth(lately, SHORT).min(worth(ever, SHORT)));
    worth(lately, STRIDE).min(most).max(1)
}

/// The leaves of the stride after one that `took` so long.
fn next(stride: usize, took: Duration, ever: Guess, lately: Guess, leaves: &Leaves) -> usize {
    // No rate tells what rows cost that cost nothing, and there may be any number of them.
    let more = if took < STRIDE / 4 { stride.saturating_mul(4).min(leaves.count() / 8) } else { 0 };
    fitting(lately, ever, leaves).max(more).min(stride.saturating_mul(GROWTH))
}

impl<C: Control, W> Call<'_, C, W> {
    /// Runs leaves, and gives half of what is left away where that is wanted, again and again. Small
    /// frames, since halves of halves are frames upon frames.
    fn part<S: Span>(
        &self,
        leaves: Leaves,
        span: S,
        mut share: Share,
    ) -> (Option<W::Partial>, Spent)
    where
        W: Work<S>,
    {
        let (done, spent, rest) = self.strides(leaves, span, &mut share);
        let Some((leaves, span)) = rest else { return (done, spent) };
        let (near, far) = leaves.cut(share.near(&leaves));
        let (near_span, far_span) = span.cut(near.rows());
        let (near_share, far_share) = share.halves();
        let ((left, near_spent), (right, far_spent)) = self.control.backend().join(
            || self.part(near, near_span, near_share),
            || self.part(far, far_span, far_share),
        );
        let begun = done.is_some();
        let both = self.merge(left, right);
        let all = if begun { self.merge(done, both) } else { both };
        (all, spent.and(near_spent).and(far_spent))
    }

    /// Runs leaves one after another in strides until there are no more, or half of them is wanted.
    #[allow(clippy::type_complexity, reason = "three results, for one caller")]
    fn strides<S: Span>(
        &self,
        mut leaves: Leaves,
        mut span: S,
        share: &mut Share,
    ) -> (Option<W::Partial>, Spent, Option<(Leaves, S)>)
    where
        W: Work<S>,
    {
        let mut done = None;
        let mut spent = Spent::default();
        let mut stride = share.stride(&leaves);
        let mut since = None;
        loop {
            if self.stops(leaves.at()) {
                // Before the return: a partial that is already returned would leak if this panicked.
                drop(span);
                return (done, spent, None);
            }
            if share.is_cut(self.control, &leaves) {
                return (done, spent, Some((leaves, span)));
            }
            let last = stride >= leaves.count();
            if since.is_none() && (share.timed || !last) {
                since = Some(Moment::now());
            }
            let (now, later) = leaves.cut(stride);
            let rest = if last {
                done = Some(self.run(done, now, span));
                None
            } else {
                let (head, rest) = span.cut(now.rows());
                done = Some(self.run(done, now, head));
                Some(rest)
            };
            let Some(start) = since else { return (done, spent, None) };
            let end = Moment::now();
            since = Some(end);
            let took = end - start;
            spent = spent.and(Spent { rows: now.rows(), time: took });
            let Some(rest) = rest else { return (done, spent, None) };
            share.age += took;
            share.lately = Guess::seen(now.rows(), took);
            if !share.guess.is_sure() {
                share.guess = Guess::seen(spent.rows, spent.time);
            }
            stride = next(stride, took, share.guess, share.lately, &later);
            (leaves, span) = (later, rest);
        }
    }

    /// Runs rows from the front on, alone until it takes long and others want some of it. Tells what it
    /// took in the end: the next of this site may end as soon.
    fn search<S: Span>(
        self,
        mut feed: SpanFeed<S>,
        guess: Guess,
        ended: impl FnOnce(Duration),
    ) -> Result<W::Partial, Stopped>
    where
        W: Work<S>,
    {
        let mut stride =
            if guess.is_sure() { fitting(guess, guess, &feed.rest()).min(FEW) } else { 1 };
        let rows = feed.rest().rows();
        let mut start = (stride < FEW).then(Moment::now);
        let (mut done, mut age) = (None, Duration::ZERO);
        while let Some((leaves, part)) = feed.claim(stride) {
            if self.stops(leaves.at()) {
                // As in `part`.
                drop(part);
                break;
            }
            let partial = self.run(done.take(), leaves, part);
            let over = self.work.enough(&partial);
            done = Some(partial);
            let rest = feed.rest();
            if over || rest.count() == 0 {
                break;
            }
            let now = start.get_or_insert_with(Moment::now).elapsed();
            let before = age;
            let lately = Guess::seen(leaves.rows(), now - before);
            age = now;
            let left = lately.time(rest.rows());
            // It may end long before the last row, as those before it did. A rate that was seen for a
            // moment only is mostly the clock's.
            let early = guess.is_sure() && guess.time(rows) < left / 2;
            let young = age < if early { guess.time(rows).min(LONG) } else { HANDOFF };
            if !young && self.control.backend().wants(left, age).unwrap_or(age >= SOLO) {
                let next = Stride::after(rest.at(), stride);
                let front = Front { partial: done, behind: rest.at(), stride: next, over: false };
                let (partial, _) = shared(self, feed, 0, front)?;
                ended(start.map_or(Duration::ZERO, |start| start.elapsed()));
                return Ok(partial.expect("a span has a leaf"));
            }
            stride = next(stride, now - before, lately, lately, &rest);
        }
        // Before the return, as above.
        drop(feed);
        ended(start.map_or(Duration::ZERO, |start| start.elapsed()));
        self.finish(done)
    }
}
