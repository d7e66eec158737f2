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
    share::{FEW, LONG, Share, Spent, next},
    site::{Guess, HANDOFF, Site},
    span::Span,
    sync::Moment,
    together::{Front, shared},
    work::{Call, Stride, Work},
};

/// A search of a site that looks at all rows, as a rule, is cut in halves unless it takes longer. A hit
/// in the near half finds the far one begun, for nothing.
const KNOWN: Duration = Duration::from_millis(2);

/// Runs `work` over all rows, on as many threads as the control allows.
///
/// # Panics
///
/// With the first panic in input order among those that happened, once no thread runs a row.
#[inline]
pub(crate) fn drive<S, W, C>(control: &C, span: S, work: &W) -> Result<W::Partial, Stopped>
where
    S: Span,
    W: Work<S>,
    C: Control,
{
    let leaves = Plan::new(span.len(), control.grain()).all();
    let alone = control.width() == 1 || leaves.count() == 1;
    let key = drive_large::<S, W, C> as *const () as usize;
    let site = Site::of(key);
    let is_small = || {
        !control.backend().cuts_at_once()
            && site.guess(key).is_small(leaves.rows())
            && !site.is_turn()
    };
    if !C::WATCHED && (alone || is_small()) {
        return Ok(work.run(leaves, span));
    }
    drive_large(control, (leaves, span), work, (site, key))
}

/// Runs what is not small, or may not be.
#[inline(never)]
fn drive_large<S, W, C>(
    control: &C,
    (leaves, span): (Leaves, S),
    work: &W,
    (site, key): (&Site, usize),
) -> Result<W::Partial, Stopped>
where
    S: Span,
    W: Work<S>,
    C: Control,
{
    let rows = leaves.rows();
    let alone = control.width() == 1 || leaves.count() == 1;
    let at_once = control.backend().cuts_at_once();
    let guess = if at_once { Guess::NONE } else { site.guess(key) };
    if !C::WATCHED && guess.is_small(rows) {
        let start = Moment::now();
        let partial = work.run(leaves, span);
        let end = Moment::now();
        site.learn(key, rows, end - start, end);
        return Ok(partial);
    }
    let call = Call::new(control, work);
    if W::FROM_FRONT && !alone && rows > FEW {
        let feed = SpanFeed::by_row(span, control.grain());
        if at_once {
            let (partial, _) = pull(control, feed, work, Duration::ZERO)?;
            return Ok(partial.expect("a span has a leaf"));
        }
        return call.search(feed, guess, |time| site.learn(key, rows, time, Moment::now()));
    }
    let long = !guess.is_sure() || guess.time(rows) >= LONG;
    let compared = !long && site.is_alone();
    let timed = long || site.is_turn() || compared;
    let mut share = if alone || compared {
        Share::alone(guess, timed)
    } else {
        Share::first(control, guess, timed, rows)
    };
    if !long {
        share.late = site.late();
    }
    let start = (timed && !long).then(Moment::now);
    let (partial, spent) = call.part(leaves, span, share);
    if spent.rows == rows {
        let end = Moment::now();
        site.learn(key, rows, spent.time, end);
        if let Some(start) = start {
            site.compare(rows, end - start, spent.cut);
        }
    }
    call.finish(partial)
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
        (all, Spent { cut: true, ..spent.and(near_spent).and(far_spent) })
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
            spent = spent.and(Spent { rows: now.rows(), time: took, cut: false });
            let Some(rest) = rest else { return (done, spent, None) };
            share.ran(now.rows(), took, spent);
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
        let soon = guess.rows(HANDOFF) / feed.rest().grain();
        let mut stride = if guess.is_sure() { soon.clamp(1, FEW) } else { 1 };
        let rows = feed.rest().rows();
        // A first stride whose cost is known is not timed: it may be all.
        let mut since = (stride < FEW).then(Moment::now);
        let (mut done, mut age, mut asked) = (None, Duration::ZERO, false);
        while let Some((leaves, part)) = feed.claim(stride) {
            if self.stops(leaves.at()) {
                // As in `part`.
                drop(part);
                break;
            }
            let partial = self.run(done.take(), leaves, part);
            let over = self.work.enough(&partial);
            done = Some(partial);
            let now = Moment::now();
            let took = since.map_or(guess.time(leaves.rows()), |since| now - since);
            since = Some(now);
            age += took;
            let rest = feed.rest();
            if over || rest.count() == 0 {
                break;
            }
            let lately = Guess::seen(leaves.rows(), took);
            let left = lately.time(rest.rows());
            // It may end long before the last row, as those before it did. A rate that was seen for a
            // moment only is mostly the clock's.
            let early = guess.is_sure() && guess.time(rows) < left / 2;
            let young = age < if early { guess.time(rows).min(LONG) } else { HANDOFF };
            stride = next(stride, took, lately, lately, &rest);
            if !young && !early && guess.is_sure() && guess.time(rows) < KNOWN {
                // It will not end much sooner, so it is cut like any other.
                let (leaves, span) = feed.into_rest();
                let share = Share::first(self.control, guess, true, leaves.rows());
                let (later, spent) = self.part(leaves, span, share);
                ended(age + spent.time);
                let both = self.merge(done, later);
                return self.finish(both);
            }
            // As far as others are concerned it begins when it asks for the first time.
            let old = if asked { age } else { Duration::ZERO };
            asked |= !young;
            if !young && self.control.backend().wants(left, old).unwrap_or(age >= SOLO) {
                let few = lately.rows(Stride::SHORT) / rest.grain();
                let next = Stride::after(rest.at(), stride.min(rest.at()).max(few), few);
                let front = Front { partial: done, behind: rest.at(), stride: next, over: false };
                let (partial, _) = shared(self, feed, 0, front)?;
                ended(age + now.elapsed());
                return Ok(partial.expect("a span has a leaf"));
            }
        }
        // Before the return, as above.
        drop(feed);
        ended(age);
        self.finish(done)
    }
}
