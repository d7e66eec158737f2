//! Rows from the front: in comes a feed, out comes one partial; for inputs whose end nobody knows and
//! for terminals whose answer may lie in front. Nothing is shared before the caller has run the first
//! rows alone, since that is often all.

use std::time::Duration;

use spanwise_backend::Backend;

use crate::{
    control::{Control, Stopped},
    feed::Feed,
    site::Site,
    sync::Moment,
    together::{Front, shared},
    work::{Call, Stride, Work},
};

/// How long the caller of a call of unknown cost pulls alone before others may join.
pub(crate) const SOLO: Duration = Duration::from_micros(8);

/// Runs what the feed gives until there is no more or it is enough, on as many threads as the control
/// allows, and returns what came of it and the rest of the feed. The caller pulls alone for a while,
/// `solo`, in case that is all it takes.
///
/// # Panics
///
/// With the first panic in input order among those that happened, once no thread runs a row.
pub(crate) fn pull<F, W, C>(
    control: &C,
    mut feed: F,
    work: &W,
    solo: Duration,
) -> Result<(Option<W::Partial>, F), Stopped>
where
    F: Feed,
    W: Work<F::Span>,
    C: Control,
{
    let width = control.width();
    let solo = if control.backend().cuts_at_once() { Duration::ZERO } else { solo };
    let call = Call::new(control, work);
    let key = pull::<F, W, C> as *const () as usize;
    let first = feed.next_leaf();
    let mut front = Front { partial: None, behind: 0, stride: Stride::new(), over: false };
    if width == 1 {
        front.run(&call, &mut feed, key, Duration::MAX);
    } else if solo > Duration::ZERO {
        front.run(&call, &mut feed, key, solo);
    }
    if width > 1 && !front.over {
        return shared(call, feed, first, front);
    }
    match call.why() {
        Some(why) => Err(why),
        None => Ok((front.partial, feed)),
    }
}

impl<P> Front<P> {
    /// Runs rows until it is over or the budget is spent. Nobody looks at a clock before the first row is
    /// done, or as many as are known to be cheap.
    fn run<F, W, C>(&mut self, call: &Call<'_, C, W>, feed: &mut F, key: usize, budget: Duration)
    where
        F: Feed,
        W: Work<F::Span, Partial = P>,
        C: Control,
    {
        let site = Site::of(key);
        let known = if C::WATCHED { 1 } else { small(site, key) };
        // One row is not much of a call, whatever it costs.
        let unclocked = if known > 1 && site.is_turn() { 1 } else { known };
        self.step(call, feed, unclocked);
        if self.over {
            return;
        }
        self.stride.resume();
        self.stride.leaves = unclocked;
        let (began, mut leaves, mut spent) = (feed.next_leaf(), 0, Duration::ZERO);
        while spent < budget {
            self.step(call, feed, self.stride.leaves);
            if self.over {
                // Who knows how many of the last were run.
                break;
            }
            spent += self.stride.adapt();
            leaves = feed.next_leaf() - began;
        }
        if leaves > 0 {
            site.learn(key, leaves, spent, Moment::now());
        }
    }

    /// Runs the next leaves.
    fn step<F, W, C>(&mut self, call: &Call<'_, C, W>, feed: &mut F, leaves: usize)
    where
        F: Feed,
        W: Work<F::Span, Partial = P>,
        C: Control,
    {
        if call.stops(self.behind) {
            self.over = true;
            return;
        }
        let Some((leaves, part)) = feed.claim(leaves) else {
            self.over = true;
            return;
        };
        let partial = call.run(self.partial.take(), leaves, part);
        self.behind = leaves.at() + leaves.rows();
        self.over = call.work.enough(&partial) || call.work.needless(self.behind);
        self.partial = Some(partial);
    }
}

/// The most leaves that a call may run before it looks at a clock.
const UNCLOCKED: usize = 1 << 12;

/// How many leaves are small, as far as this site is known.
fn small(site: &Site, key: usize) -> usize {
    let mut leaves = UNCLOCKED;
    let guess = site.guess(key);
    while leaves > 1 && !guess.is_small(leaves) {
        leaves /= 4;
    }
    leaves
}
