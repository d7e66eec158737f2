//! Tasks without threads, for [`Serial`](crate::Serial) and for pools of one; and what every pool's
//! `broadcast` tells its calls.

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Mutex, PoisonError},
};

/// Where tasks are spawned on the serial backend: each runs at once, inside `spawn`.
pub struct SerialScope {
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl SerialScope {
    /// Runs `op` and what it spawns, and returns what it gives.
    ///
    /// # Panics
    ///
    /// With the payload of `op` if it panicked, else with that of the first task that did, after all
    /// have ended.
    pub fn run<R>(op: impl FnOnce(&Self) -> R) -> R {
        let scope = Self { panic: Mutex::new(None) };
        let result = op(&scope);
        match scope.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => result,
            Some(payload) => resume_unwind(payload),
        }
    }

    /// Runs `task`, which may spawn more. Its panic is kept until the scope ends.
    pub fn spawn(&self, task: impl FnOnce(&Self)) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| task(self))) {
            let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
            let later = if first.is_none() { first.replace(payload) } else { Some(payload) };
            drop(first);
            drop(later);
        }
    }
}

impl fmt::Debug for SerialScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SerialScope")
    }
}

/// One call of a pool's `broadcast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    index: usize,
    width: usize,
}

impl Share {
    /// The call of this index among so many; pools make it.
    pub fn new(index: usize, width: usize) -> Self {
        Self { index, width }
    }

    /// Which call this is, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many calls there are.
    pub fn width(&self) -> usize {
        self.width
    }
}
