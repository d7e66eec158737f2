//! All threads of a call at one feed: each claims the next rows, runs them, and settles their partial
//! with its neighbours'. In come a feed and what the caller has run of it, out come one partial and the
//! rest of the feed; `pull` and `drive` call it once they know that others may help.

use std::{
    any::Any,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::Duration,
};

use spanwise_backend::{Backend, discard};

use crate::{
    control::{Control, Stopped},
    feed::Feed,
    pace::Pace,
    plan::Leaves,
    sync::{
        AtomicBool, Condvar, Mutex, MutexGuard, Ordering, PoisonError, spin_loop,
        thread::{self, ThreadId},
    },
    work::{Call, Stride, Work},
};

/// A claim is at most such a part of what is left, unless that is soon done.
const PARTS: usize = 8;

/// How often a thread looks for the feed before it sleeps: a claim of a span takes less.
const LOOKS: usize = if cfg!(any(spanwise_loom, spanwise_shuttle)) { 0 } else { 32 };

/// How long a thread waits for the feed on a backend whose waiting threads run any job.
const PATIENCE: Duration = Duration::from_millis(10);

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
        // The last rows may be the dear ones, so nobody takes them all.
        let leaves = stride.at_most((feed.left() / PARTS).max(1));
        // No lock is held while the feed makes rows: it may be anybody's iterator.
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
