//! The queue from outside. In come items from any thread, out they go once each, oldest first, to
//! any thread. A lock and a length: whoever finds it empty touches no lock.

use std::{collections::VecDeque, fmt};

use crate::{
    ring::Steal,
    sync::{AtomicUsize, Mutex, Ordering, PoisonError},
};

/// A first-in first-out queue that any thread may push to and steal from.
///
/// # Examples
///
/// ```
/// use spanwise_deque::{Injector, Steal};
///
/// let queue = Injector::new();
/// queue.push("first");
/// queue.push("second");
/// assert_eq!(queue.steal(), Steal::Success("first"));
/// assert_eq!(queue.len(), 1);
/// ```
pub struct Injector<T> {
    items: Mutex<VecDeque<T>>,
    len: AtomicUsize,
}

impl<T> Injector<T> {
    /// An empty queue.
    pub fn new() -> Self {
        Self { items: Mutex::new(VecDeque::new()), len: AtomicUsize::new(0) }
    }

    /// Adds an item as the newest.
    pub fn push(&self, item: T) {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.push_back(item);
        // Relaxed: a hint, and whoever must not miss it has fences of his own.
        self.len.store(items.len(), Ordering::Relaxed);
    }

    /// Takes the oldest item. It waits for a moment if another thread is at it, so the answer is
    /// never [`Steal::Retry`].
    pub fn steal(&self) -> Steal<T> {
        if self.is_empty() {
            return Steal::Empty;
        }
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let item = items.pop_front();
        // Relaxed: as in `push`.
        self.len.store(items.len(), Ordering::Relaxed);
        item.map_or(Steal::Empty, Steal::Success)
    }

    /// Items that were in the queue at some moment of the call.
    pub fn len(&self) -> usize {
        // Relaxed: as in `push`.
        self.len.load(Ordering::Relaxed)
    }

    /// Whether the queue was empty at some moment of the call.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Default for Injector<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for Injector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Injector").field("len", &self.len()).finish_non_exhaustive()
    }
}
