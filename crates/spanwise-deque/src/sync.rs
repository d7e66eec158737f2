//! The only file that names atomics and threads. In come std's, or loom's or shuttle's when
//! `cfg(spanwise_loom)` or `cfg(spanwise_shuttle)` asks for a model; every other module takes them from
//! here. What ThreadSanitizer misreads in std has twins for `cfg(spanwise_tsan)`.

/// Whether this is a model: time stands still, and what can be full is small.
pub(crate) const MODELLED: bool = cfg!(any(spanwise_loom, spanwise_shuttle));

#[cfg(not(any(spanwise_loom, spanwise_shuttle)))]
mod real {
    pub(crate) use std::hint::spin_loop;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, fence};
    pub(crate) use std::{thread, thread_local};

    #[cfg(not(spanwise_tsan))]
    pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};

    #[cfg(spanwise_tsan)]
    pub(crate) use super::{
        once::OnceLock,
        tsan::{Arc, Condvar, Mutex, MutexGuard},
    };
}

#[cfg(spanwise_shuttle)]
mod real {
    pub(crate) use super::once::OnceLock;
    pub(crate) use shuttle::hint::spin_loop;
    pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, fence};
    pub(crate) use shuttle::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(crate) use shuttle::{thread, thread_local};
}

#[cfg(not(spanwise_loom))]
mod plain {
    use std::cell::UnsafeCell;

    use super::{AtomicUsize, Ordering};

    /// A SeqCst load behind another SeqCst access of the same thread: all threads agree on their order.
    #[inline(always)]
    pub(crate) fn load_after(index: &AtomicUsize) -> usize {
        // SeqCst: the callers name the partners.
        index.load(Ordering::SeqCst)
    }

    /// A cell that many threads may reach; loom's twin watches who does.
    #[derive(Debug)]
    pub(crate) struct Shared<T>(UnsafeCell<T>);

    impl<T> Shared<T> {
        #[inline]
        pub(crate) fn new(value: T) -> Self {
            Self(UnsafeCell::new(value))
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
    // Models have no file that uses it.
    pub(crate) use std::thread_local;

    /// loom takes SeqCst accesses for Acquire and Release, but SeqCst fences for what they are: the
    /// fence stands for the order that the access has in truth.
    pub(crate) fn load_after(index: &AtomicUsize) -> usize {
        fence(super::Ordering::SeqCst);
        index.load(super::Ordering::Acquire)
    }
}

// Models include this file by its path, so the path of what it includes is said.
#[cfg(any(spanwise_loom, spanwise_shuttle, spanwise_tsan))]
#[path = "sync/once.rs"]
mod once;
#[cfg(spanwise_tsan)]
#[path = "sync/tsan.rs"]
mod tsan;

#[cfg(not(spanwise_loom))]
pub(crate) use plain::*;
pub(crate) use real::*;
pub(crate) use std::sync::{PoisonError, atomic::Ordering};
