//! The tasks of one scope, and the board where open scopes hang out. In come tasks from the scope's
//! own code, out they go to threads without work and to the scope's end, which waits for the last.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use spanwise_backend::discard;

use crate::{
    injector::Injector,
    ring::Steal,
    sync::{Arc, AtomicUsize, Mutex, Ordering, PoisonError, fence},
};

/// The payload of a panic.
type Payload = Box<dyn Any + Send>;

/// One task and its site for the gate.
pub(crate) struct Task {
    pub(crate) site: usize,
    pub(crate) run: Box<dyn FnOnce() + Send>,
}

/// What one scope has to do.
pub(crate) struct Tasks {
    queue: Injector<Task>,
    /// Tasks spawned and not ended.
    pending: AtomicUsize,
    /// The number of the thread parked at the scope's end, plus one.
    waiter: AtomicUsize,
    panic: Mutex<Option<Payload>>,
}

impl Tasks {
    pub(crate) fn new() -> Self {
        Self {
            queue: Injector::new(),
            pending: AtomicUsize::new(0),
            waiter: AtomicUsize::new(0),
            panic: Mutex::new(None),
        }
    }

    /// Adds a task and says whom to wake for it.
    pub(crate) fn push(&self, task: Task) -> Option<usize> {
        // Relaxed: the spawner's own task or the scope's body is still pending or not at its end.
        self.pending.fetch_add(1, Ordering::Relaxed);
        self.queue.push(task);
        self.call_waiter()
    }

    /// Counts tasks that somebody else hands out; `run` must follow for each.
    pub(crate) fn expect(&self, count: usize) {
        // Relaxed: as in `push`.
        self.pending.fetch_add(count, Ordering::Relaxed);
    }

    /// Tasks that wait for a thread.
    pub(crate) fn backlog(&self) -> usize {
        self.queue.len()
    }

    /// Whether every task has ended.
    pub(crate) fn are_done(&self) -> bool {
        // Acquire: pairs with the Release in `run`.
        self.pending.load(Ordering::Acquire) == 0
    }

    /// Takes a task that nobody has begun; `run` must follow.
    pub(crate) fn take(&self) -> Option<Task> {
        match self.queue.steal() {
            Steal::Success(task) => Some(task),
            Steal::Empty | Steal::Retry => None,
        }
    }

    /// Runs a task that was taken and says whom to wake after it.
    pub(crate) fn run(&self, task: Task) -> Option<usize> {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(task.run)) {
            self.report(payload);
        }
        // Release: pairs with the Acquire in `are_done`.
        let last = self.pending.fetch_sub(1, Ordering::Release) == 1;
        last.then(|| self.call_waiter()).flatten()
    }

    /// Keeps the first payload.
    fn report(&self, payload: Payload) {
        let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
        let late = if first.is_none() { first.replace(payload) } else { Some(payload) };
        drop(first);
        // Nothing may unwind from here: the task still has to be counted as ended.
        discard(late);
    }

    /// The first panic, once.
    pub(crate) fn panic(&self) -> Option<Payload> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Asks to be woken as thread `number`; `false` if there is something to do or nothing to await.
    pub(crate) fn call_me(&self, number: usize) -> bool {
        // Relaxed: ordered by the fence.
        self.waiter.store(number + 1, Ordering::Relaxed);
        // SeqCst: pairs with the fence in `call_waiter`; one of the two sees the other's store.
        fence(Ordering::SeqCst);
        !self.are_done() && self.queue.is_empty()
    }

    /// Whom to wake, if somebody waits at the scope's end.
    pub(crate) fn call_waiter(&self) -> Option<usize> {
        // SeqCst: pairs with the fence in `call_me`.
        fence(Ordering::SeqCst);
        // Relaxed, both: the number itself is all, and one of several callers gets it.
        if self.waiter.load(Ordering::Relaxed) == 0 {
            return None;
        }
        self.waiter.swap(0, Ordering::Relaxed).checked_sub(1)
    }
}

/// The scopes that are open in a pool.
pub(crate) struct Board {
    /// How many there are, so that threads without work pass by without the lock.
    open: AtomicUsize,
    scopes: Mutex<Vec<Arc<Tasks>>>,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self { open: AtomicUsize::new(0), scopes: Mutex::new(Vec::new()) }
    }

    /// Hangs a scope out.
    pub(crate) fn hang(&self, tasks: Arc<Tasks>) {
        self.change(|scopes| scopes.push(tasks));
    }

    /// Takes a scope down.
    pub(crate) fn take_down(&self, tasks: &Arc<Tasks>) {
        self.change(|scopes| scopes.retain(|other| !Arc::ptr_eq(other, tasks)));
    }

    fn change(&self, f: impl FnOnce(&mut Vec<Arc<Tasks>>)) {
        let mut scopes = self.scopes.lock().unwrap_or_else(PoisonError::into_inner);
        f(&mut scopes);
        // Relaxed: whoever must not miss it has fences of his own.
        self.open.store(scopes.len(), Ordering::Relaxed);
    }

    /// A scope with something to do.
    pub(crate) fn find(&self) -> Option<Arc<Tasks>> {
        // Relaxed: as in `change`.
        if self.open.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let scopes = self.scopes.lock().unwrap_or_else(PoisonError::into_inner);
        scopes.iter().find(|tasks| tasks.backlog() > 0).cloned()
    }
}
