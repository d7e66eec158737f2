//! Tasks without threads, for [`Serial`](crate::Serial) and for pools of one; and what every pool's
//! `broadcast` tells its calls.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::FirstPanic;

/// Where tasks are spawned on the serial backend: each runs at once, inside `spawn`.
pub struct SerialScope {
    panic: FirstPanic,
}

impl SerialScope {
    /// Runs `op` and what it spawns, and returns what it gives.
    ///
    /// # Panics
    ///
    /// With the payload of `op` if it panicked, else with that of the first task that did, after all
    /// have ended.
    pub fn run<R>(op: impl FnOnce(&Self) -> R) -> R {
        let scope = Self { panic: FirstPanic::new() };
        let result = catch_unwind(AssertUnwindSafe(|| op(&scope)));
        scope.panic.settle(result)
    }

    /// Runs `task`, which may spawn more. Its panic is kept until the scope ends.
    pub fn spawn(&self, task: impl FnOnce(&Self)) {
        self.panic.catch(|| task(self));
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
