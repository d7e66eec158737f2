//! The only file that names atomics and threads. In come std's, or loom's when
//! `cfg(spanwise_loom)` asks for a model; every other module takes them from here.

#[cfg(not(spanwise_loom))]
mod real {
    pub(crate) use std::hint::spin_loop;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, fence};
    pub(crate) use std::sync::{Condvar, Mutex};
    pub(crate) use std::thread;

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
    pub(crate) use loom::cell::UnsafeCell as Shared;
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, fence};
    pub(crate) use loom::sync::{Condvar, Mutex};
    pub(crate) use loom::thread;
}

pub(crate) use real::*;
// A model needs neither: an `Arc` here is only ever dropped whole, a `OnceLock` never waits.
pub(crate) use std::sync::{Arc, OnceLock, PoisonError, atomic::Ordering};
