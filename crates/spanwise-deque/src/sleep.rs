//! Sleep and wake. In come a worker without work and a pusher with some, out goes at least one of:
//! the worker sees the work, or the pusher sees the worker asleep. docs/protocol.md has the proof.

use crossbeam_utils::CachePadded;

use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, Ordering, PoisonError, fence};

/// Where one thread parks: a token that `wake` leaves and `park` takes.
#[derive(Debug)]
pub(crate) struct Parker {
    token: Mutex<bool>,
    changed: Condvar,
}

impl Parker {
    fn new() -> Self {
        Self { token: Mutex::new(false), changed: Condvar::new() }
    }

    /// Sleeps until there is a token and takes it. A token may be old: look again afterwards.
    pub(crate) fn park(&self) {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        while !*token {
            token = self.changed.wait(token).unwrap_or_else(PoisonError::into_inner);
        }
        *token = false;
    }

    /// Leaves a token.
    pub(crate) fn wake(&self) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_one();
    }
}

/// One thread's place to sleep.
#[derive(Debug)]
pub(crate) struct Bed {
    pub(crate) parker: Parker,
    /// The thread lies down, and nobody has taken it upon himself to wake it.
    asleep: AtomicBool,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self { parker: Parker::new(), asleep: AtomicBool::new(false) }
    }
}

/// How many threads of a pool are asleep: one line, read by every pusher, written by sleepers.
#[derive(Debug)]
pub(crate) struct Sleepers(CachePadded<AtomicUsize>);

impl Sleepers {
    pub(crate) fn new() -> Self {
        Self(CachePadded::new(AtomicUsize::new(0)))
    }

    /// A pusher asks, after it has shown its work: does anybody sleep?
    #[inline]
    pub(crate) fn any(&self) -> bool {
        // SeqCst: pairs with the fence in `sleep`; one of the two sees the other's store.
        fence(Ordering::SeqCst);
        // Relaxed: ordered by the fence.
        self.0.load(Ordering::Relaxed) != 0
    }

    /// The same as a guess, for which no fence is needed.
    pub(crate) fn are_likely(&self) -> bool {
        // Relaxed: a hint.
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Lies down in `bed` until woken, unless `work` is in sight.
    pub(crate) fn sleep(&self, bed: &Bed, work: impl FnOnce() -> bool) {
        // Counted first: the count must never be too small, or a pusher overlooks another sleeper.
        // Relaxed: ordered by the fence, as the read in `any` is.
        self.0.fetch_add(1, Ordering::Relaxed);
        // Release: pairs with the Acquire in `claim`: counted before it is claimed.
        bed.asleep.store(true, Ordering::Release);
        // SeqCst: pairs with the fence in `any`.
        fence(Ordering::SeqCst);
        if work() && self.claim(bed) {
            return;
        }
        // Either nothing is in sight, or somebody has claimed us and a token comes.
        bed.parker.park();
        // An old token may have ended it.
        self.claim(bed);
    }

    /// Wakes one sleeper among `beds`; `false` if there was none left.
    pub(crate) fn rouse<'b>(&self, mut beds: impl Iterator<Item = &'b Bed>) -> bool {
        let claimed = beds.find(|bed| self.claim(bed));
        claimed.inspect(|bed| bed.parker.wake()).is_some()
    }

    /// Takes a sleeper off the list: once for each time it lies down.
    fn claim(&self, bed: &Bed) -> bool {
        // Relaxed: a look before the exchange. Acquire: pairs with the Release in `sleep`; Relaxed: a
        // failure gives nothing.
        let claimed = bed.asleep.load(Ordering::Relaxed)
            && bed
                .asleep
                .compare_exchange(true, false, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        if claimed {
            // Relaxed: behind the sleeper's own, see above.
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
        claimed
    }
}
