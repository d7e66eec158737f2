//! Rows from the front: every thread of a call claims the next rows of one feed, runs them, and
//! settles their partial with its neighbours'. In comes a feed, out comes one partial; for inputs
//! whose end nobody knows and for terminals whose answer may lie in front. Nothing is shared before the
//! caller has run the first rows alone, since that is often all.

use std::{
    any::Any,
    collections::BTreeMap,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::Duration,
};

use spanwise_backend::{Backend, discard};

use crate::{
    control::{Control, Stopped},
    pace::Pace,
    plan::{Leaves, Plan},
    site::Site,
    span::Span,
    sync::{
        AtomicBool, Condvar, Moment, Mutex, MutexGuard, Ordering, PoisonError, spin_loop,
        thread::{self, ThreadId},
    },
    work::{Call, Stride, Work},
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

/// A claim is at most such a part of what is left, unless that is soon done.
const PARTS: usize = 8;

/// How long the caller of a call of unknown cost pulls alone before others may join.
pub(crate) const SOLO: Duration = Duration::from_micros(8);

/// How often a thread looks for the feed before it sleeps: a claim of a span takes less.
const LOOKS: usize = if cfg!(spanwise_loom) { 0 } else { 32 };

/// How long a thread waits for the feed on a backend whose waiting threads run any job.
const PATIENCE: Duration = Duration::from_millis(10);

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

/// What the caller ran alone.
pub(crate) struct Front<P> {
    pub(crate) partial: Option<P>,
    /// The row behind it.
    pub(crate) behind: usize,
    /// What comes next.
    pub(crate) stride: Stride,
    /// No more rows are wanted, or there are none.
    pub(crate) over: bool,
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

/// Lets other threads pull too, behind what the caller has run.
pub(crate) fn shared<F, W, C>(
    call: Call<'_, C, W>,
    feed: F,
    first: usize,
    front: Front<W::Partial>,
) -> Result<(Option<W::Partial>, F), Stopped>
where
    F: Feed,
    W: Work<F::Span>,
    C: Control,
{
    let width = call.control.width();
    let pace = Pace::new(width);
    pace.done(front.behind);
    let end = feed.next_leaf();
    let pull = Pull {
        call,
        stride: front.stride,
        first,
        desk: Mutex::new(Desk { feed: Some(feed), claimant: None }),
        free: Condvar::new(),
        over: AtomicBool::new(false),
        pace,
        settled: Mutex::new(
            front.partial.map(|partial| (first, (end, partial))).into_iter().collect(),
        ),
        panicked: Mutex::new(None),
    };
    pull.call.control.backend().enter(|| pull.spread(width));
    if let Some((_, payload)) = pull.panicked.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(payload);
    }
    if let Some(why) = pull.call.why() {
        return Err(why);
    }
    let settled = pull.settled.into_inner().unwrap_or_else(PoisonError::into_inner);
    let partials = settled.into_values().map(|(_, partial)| partial);
    let partial = partials.reduce(|left, right| pull.call.work.merge(left, right));
    let desk = pull.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((partial, desk.feed.expect("no claim has panicked")))
}

/// Where the feed lies when no thread claims rows from it.
struct Desk<F> {
    feed: Option<F>,
    claimant: Option<ThreadId>,
}

/// What the threads of a call share while they pull.
struct Pull<'a, F, W: Work<F::Span>, C>
where
    F: Feed,
{
    call: Call<'a, C, W>,
    /// What each thread begins with.
    stride: Stride,
    /// The leaf that the feed began with.
    first: usize,
    desk: Mutex<Desk<F>>,
    /// The feed is back on the desk, or will not come back.
    free: Condvar,
    /// No more rows are wanted.
    over: AtomicBool,
    pace: Pace,
    /// Partials that are no neighbours, by their first leaf, with the leaf behind their last.
    settled: Mutex<BTreeMap<usize, (usize, W::Partial)>>,
    /// The first panic so far and the leaf it began in.
    panicked: Mutex<Option<(usize, Box<dyn Any + Send>)>>,
}

impl<F: Feed, W: Work<F::Span>, C: Control> Pull<'_, F, W, C> {
    /// Puts this many threads to work, as far as the backend has them.
    fn spread(&self, width: usize) {
        if width <= 1 || self.is_over() {
            return self.run();
        }
        let halves = (width.div_ceil(2), width / 2);
        self.call.control.backend().join(|| self.spread(halves.0), || self.spread(halves.1));
    }

    /// Pulls until there are no more rows.
    fn run(&self) {
        let mut stride = self.stride;
        while !self.is_over() {
            if W::FROM_FRONT {
                self.pace.wait(|| self.is_over());
            }
            let Some((leaves, part)) = self.claim(&mut stride) else { return };
            if self.call.stops(leaves.at()) {
                // What follows in the feed lies behind, so it is not wanted either.
                self.finish();
                return;
            }
            let unwound = catch_unwind(AssertUnwindSafe(|| {
                let partial = self.call.run(None, leaves, part);
                self.settle(leaves, partial);
            }));
            if let Err(payload) = unwound {
                self.panic(leaves.first(), payload);
                return;
            }
            stride.adapt();
        }
    }

    /// The next rows. A stride begins with its claim, so that a slow feed is asked for less.
    fn claim(&self, stride: &mut Stride) -> Option<(Leaves, F::Span)> {
        let mut feed = self.turn()?;
        stride.resume();
        // No lock is held while the feed makes rows: it may be anybody's iterator.
        // The last rows may be the dear ones, so nobody takes them all.
        let leaves = stride.at_most(feed.left() / PARTS);
        let claimed = catch_unwind(AssertUnwindSafe(|| feed.claim(leaves)));
        let mut desk = lock(&self.desk);
        desk.claimant = None;
        match claimed {
            Ok(Some((leaves, part))) => {
                self.pace.claimed(&leaves, leaves.first() == self.first);
                desk.feed = Some(feed);
                self.free.notify_one();
                Some((leaves, part))
            }
            Ok(None) => {
                desk.feed = Some(feed);
                drop(desk);
                // Nobody need come any more.
                self.finish();
                None
            }
            Err(payload) => {
                drop(desk);
                self.panic(usize::MAX, payload);
                None
            }
        }
    }

    /// The feed, once nobody else has it; `None` if this thread should not wait for it.
    fn turn(&self) -> Option<F> {
        let me = thread::current().id();
        let mut looks = 0;
        let mut desk = lock(&self.desk);
        loop {
            if self.is_over() || desk.claimant == Some(me) {
                // In the second case the feed itself called the backend, which ran us on its stack.
                return None;
            }
            if let Some(feed) = desk.feed.take() {
                desk.claimant = Some(me);
                return Some(feed);
            }
            if looks < LOOKS {
                looks += 1;
                drop(desk);
                spin_loop();
                desk = lock(&self.desk);
                continue;
            }
            if !<C::Backend as Backend>::RUNS_STRANGERS {
                desk = self.free.wait(desk).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // Below us on this stack may lie what the claimant waits for.
            let waited = self.free.wait_timeout(desk, PATIENCE);
            let (now, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                return None;
            }
            desk = now;
        }
    }

    /// Merges a partial with the neighbours that are done, and leaves it to theirs.
    fn settle(&self, leaves: Leaves, mut partial: W::Partial) {
        let (mut first, mut end) = (leaves.first(), leaves.first() + leaves.count());
        loop {
            let mut settled = lock(&self.settled);
            let left = settled.range(..first).next_back().filter(|left| left.1.0 == first);
            if let Some(at) = left.map(|left| *left.0) {
                let (_, left) = settled.remove(&at).expect("found just now");
                drop(settled);
                (first, partial) = (at, self.call.work.merge(left, partial));
            } else if let Some((behind, right)) = settled.remove(&end) {
                drop(settled);
                (end, partial) = (behind, self.call.work.merge(partial, right));
            } else {
                if first == self.first {
                    self.pace.done(leaves.border(end));
                    if self.call.work.enough(&partial) {
                        self.finish();
                    }
                }
                settled.insert(first, (end, partial));
                return;
            }
        }
    }

    fn panic(&self, first: usize, payload: Box<dyn Any + Send>) {
        self.finish();
        let mut panicked = lock(&self.panicked);
        if panicked.as_ref().is_none_or(|earlier| first < earlier.0) {
            let later = panicked.replace((first, payload));
            drop(panicked);
            discard(later);
        } else {
            drop(panicked);
            discard(payload);
        }
    }

    fn finish(&self) {
        // Relaxed: pairs with the load below, a hint to pull no more; those who wait for the feed are
        // told under the lock.
        self.over.store(true, Ordering::Relaxed);
        drop(lock(&self.desk));
        self.free.notify_all();
    }

    fn is_over(&self) -> bool {
        // Relaxed: pairs with `finish()`, a hint.
        self.over.load(Ordering::Relaxed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
