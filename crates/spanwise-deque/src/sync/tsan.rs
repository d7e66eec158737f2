//! std's locks as ThreadSanitizer can read them. In come the crate's calls for `cfg(spanwise_tsan)`,
//! out goes the same behaviour by atomics that are compiled, and watched, with this crate. Those
//! inside std are not, so that what a lock or an `Arc` protects is reported although all is well.
//!
//! Every type keeps std's inside, for the memory; the gates around it tell who came after whom.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        self, LockResult, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// A lock without a queue.
#[derive(Debug)]
struct Gate(AtomicBool);

impl Gate {
    const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    fn close(&self) {
        // Acquire: pairs with the Release in `open`.
        while self.0.swap(true, Ordering::Acquire) {
            thread::yield_now();
        }
    }

    fn open(&self) {
        // Release: pairs with the Acquire in `close`.
        self.0.store(false, Ordering::Release);
    }
}

#[derive(Debug)]
pub(crate) struct Mutex<T> {
    gate: Gate,
    inner: sync::Mutex<T>,
}

#[derive(Debug)]
pub(crate) struct MutexGuard<'m, T> {
    mutex: &'m Mutex<T>,
    /// `None` only while it is dropped.
    inner: Option<sync::MutexGuard<'m, T>>,
}

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { gate: Gate::new(), inner: sync::Mutex::new(value) }
    }

    pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        self.gate.close();
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(MutexGuard { mutex: self, inner: Some(inner) })
    }

    pub(crate) fn into_inner(self) -> LockResult<T> {
        self.inner.into_inner()
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.inner.as_ref().expect("there until it is dropped")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.inner.as_mut().expect("there until it is dropped")
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        drop(self.inner.take());
        self.mutex.gate.open();
    }
}

/// Wakes whoever waits every few microseconds, called or not: its users look again.
#[derive(Debug)]
pub(crate) struct Condvar;

impl Condvar {
    pub(crate) fn new() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as std's")]
    pub(crate) fn wait<'m, T>(&self, guard: MutexGuard<'m, T>) -> LockResult<MutexGuard<'m, T>> {
        let mutex = guard.mutex;
        drop(guard);
        thread::sleep(Duration::from_micros(20));
        mutex.lock()
    }

    #[expect(clippy::unused_self, reason = "as std's")]
    pub(crate) fn notify_one(&self) {}
}

#[derive(Debug)]
pub(crate) struct Arc<T>(Option<sync::Arc<T>>);

/// Counts are changed by one thread at a time.
static COUNTS: Gate = Gate::new();

impl<T> Arc<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(sync::Arc::new(value)))
    }

    fn inner(&self) -> &sync::Arc<T> {
        self.0.as_ref().expect("there until it is dropped")
    }

    pub(crate) fn ptr_eq(this: &Self, other: &Self) -> bool {
        sync::Arc::ptr_eq(this.inner(), other.inner())
    }
}

impl<T> Clone for Arc<T> {
    fn clone(&self) -> Self {
        Self(Some(sync::Arc::clone(self.inner())))
    }
}

impl<T> Deref for Arc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.inner()
    }
}

impl<T> Drop for Arc<T> {
    fn drop(&mut self) {
        COUNTS.close();
        let last = self.0.take().and_then(sync::Arc::into_inner);
        COUNTS.open();
        // Outside the gate: it may own further ones.
        drop(last);
    }
}
