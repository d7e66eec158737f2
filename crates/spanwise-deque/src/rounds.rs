//! Tasks for one thread each. In comes a round of them, one for each worker, out they go to their
//! threads, or back to the caller who may not wait for one. All workers come to two rounds in the
//! same order, so the shares of a round may wait for each other.

use crate::{
    sync::{Arc, AtomicUsize, Mutex, MutexGuard, Ordering, PoisonError},
    tasks::{Task, Tasks},
};

struct Round {
    /// Counts the shares, and is told of their panics.
    tasks: Arc<Tasks>,
    /// By the number of the thread, as long as nobody has taken them.
    shares: Vec<Option<Task>>,
}

/// The rounds that have shares left, oldest first.
pub(crate) struct Rounds {
    /// How many shares wait, so that threads pass by without the lock.
    waiting: AtomicUsize,
    rounds: Mutex<Vec<Round>>,
}

impl Rounds {
    pub(crate) fn new() -> Self {
        Self { waiting: AtomicUsize::new(0), rounds: Mutex::new(Vec::new()) }
    }

    /// Adds a round; the share at place `i` is for thread `i`.
    pub(crate) fn add(&self, tasks: Arc<Tasks>, shares: Vec<Option<Task>>) {
        let count = shares.iter().flatten().count();
        tasks.expect(count);
        let mut rounds = self.lock();
        rounds.push(Round { tasks, shares });
        // Relaxed: whoever must not miss it has fences of his own.
        self.waiting.fetch_add(count, Ordering::Relaxed);
    }

    /// Takes the oldest share of this thread, with the tasks it counts among; `run` must follow.
    pub(crate) fn take(&self, number: usize) -> Option<(Arc<Tasks>, Task)> {
        self.take_where(|_, thread| thread == number)
    }

    /// Takes a share out of the round of `tasks`, whose thread satisfies `test`.
    pub(crate) fn take_back(
        &self,
        tasks: &Arc<Tasks>,
        test: impl Fn(usize) -> bool,
    ) -> Option<Task> {
        self.take_where(|round, thread| Arc::ptr_eq(&round.tasks, tasks) && test(thread))
            .map(|(_, task)| task)
    }

    fn take_where(&self, test: impl Fn(&Round, usize) -> bool) -> Option<(Arc<Tasks>, Task)> {
        if self.is_empty() {
            return None;
        }
        let mut rounds = self.lock();
        let found = rounds.iter_mut().enumerate().find_map(|(place, round)| {
            let fits = |thread: &usize| round.shares[*thread].is_some() && test(round, *thread);
            let thread = (0..round.shares.len()).find(fits)?;
            let task = round.shares[thread].take()?;
            Some((place, Arc::clone(&round.tasks), task))
        });
        let (place, tasks, task) = found?;
        if rounds[place].shares.iter().all(Option::is_none) {
            rounds.remove(place);
        }
        // Relaxed: as in `add`.
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some((tasks, task))
    }

    /// Whether no share waits, at some moment of the call.
    pub(crate) fn is_empty(&self) -> bool {
        // Relaxed: as in `add`.
        self.waiting.load(Ordering::Relaxed) == 0
    }

    /// Whether a share waits for a thread that satisfies `test`.
    pub(crate) fn has(&self, test: impl Fn(usize) -> bool) -> bool {
        !self.is_empty()
            && self.lock().iter().any(|round| {
                (0..round.shares.len()).any(|thread| round.shares[thread].is_some() && test(thread))
            })
    }

    /// Whom to wake because a thread is gone: all who wait for a round.
    pub(crate) fn waiters(&self) -> Vec<usize> {
        self.lock().iter().filter_map(|round| round.tasks.call_waiter()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Round>> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
