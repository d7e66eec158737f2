//! The only file that names the locks, atomics and clocks by which the threads of a call meet. In come
//! std's, or loom's or shuttle's when `cfg(spanwise_loom)` or `cfg(spanwise_shuttle)` asks for a model,
//! in which every stretch of time is as long as any other, so that it can be replayed.

#[cfg(not(any(spanwise_loom, spanwise_shuttle)))]
mod real {
    pub(crate) use std::{
        sync::{
            Condvar, Mutex, MutexGuard,
            atomic::{AtomicBool, AtomicUsize},
        },
        thread::{self, sleep},
        time::Instant as Moment,
    };
}

#[cfg(any(spanwise_loom, spanwise_shuttle))]
mod real {
    use std::{ops::Sub, time::Duration};

    #[cfg(spanwise_loom)]
    pub(crate) use loom::{
        sync::{
            Condvar, Mutex, MutexGuard,
            atomic::{AtomicBool, AtomicUsize},
        },
        thread,
    };
    #[cfg(spanwise_shuttle)]
    pub(crate) use shuttle::{
        sync::{
            Condvar, Mutex, MutexGuard,
            atomic::{AtomicBool, AtomicUsize},
        },
        thread,
    };

    pub(crate) fn sleep(_: Duration) {
        thread::yield_now();
    }

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Moment;

    impl Moment {
        pub(crate) fn now() -> Self {
            Self
        }

        pub(crate) fn elapsed(&self) -> Duration {
            Self - *self
        }
    }

    impl Sub for Moment {
        type Output = Duration;

        fn sub(self, _: Self) -> Duration {
            Duration::from_micros(10)
        }
    }
}

pub(crate) use real::*;
pub(crate) use std::sync::{PoisonError, atomic::Ordering};
