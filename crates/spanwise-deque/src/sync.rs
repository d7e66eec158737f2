//! The only file that names atomics and threads. In come std's, or loom's when
//! `cfg(spanwise_loom)` asks for a model; every other module takes them from here. What
//! ThreadSanitizer misreads in std has twins for `cfg(spanwise_tsan)`.

#[cfg(not(spanwise_loom))]
mod real {
    pub(crate) use std::hint::spin_loop;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, fence};
    pub(crate) use std::thread;

    #[cfg(not(spanwise_tsan))]
    pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};

    #[cfg(spanwise_tsan)]
    pub(crate) use super::{
        once::OnceLock,
        tsan::{Arc, Condvar, Mutex, MutexGuard},
    };

    /// A SeqCst load behind another SeqCst access of the same thread: all threads agree on their order.
    #[inline(always)]
    pub(crate) fn load_after(index: &AtomicUsize) -> usize {
        // SeqCst: the callers name the partners.
        index.load(std::sync::atomic::Ordering::SeqCst)
    }

    /// A cell that many threads may reach; loom's twin watches who does.
    #[derive(Debug)]
    pub(crate) struct Shared<T>(std::cell::UnsafeCell<T>);

    impl<T> Shared<T> {
        #[inline]
        pub(crate) fn new(value: T) -> Self {
            Self(std::cell::UnsafeCell::new(value))
        }

        #[inline]
        pub(crate) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
            f(self.0.get())
        }
    }
}

#[cfg(spanwise_loom)]
mod real {
    pub(crate) use super::once::OnceLock;
    pub(crate) use loom::cell::UnsafeCell as Shared;
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, fence};
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread;
    // A model needs no other: an `Arc` here is only ever dropped whole.
    pub(crate) use std::sync::Arc;

    /// loom takes SeqCst accesses for Acquire and Release, but SeqCst fences for what they are: the
    /// fence stands for the order that the access has in truth.
    pub(crate) fn load_after(index: &AtomicUsize) -> usize {
        fence(super::Ordering::SeqCst);
        index.load(super::Ordering::Acquire)
    }
}

// Models include this file by its path, so the path of what it includes is said.
#[cfg(any(spanwise_loom, spanwise_tsan))]
#[path = "sync/once.rs"]
mod once;
#[cfg(spanwise_tsan)]
#[path = "sync/tsan.rs"]
mod tsan;

pub(crate) use real::*;
pub(crate) use std::sync::{PoisonError, atomic::Ordering};
