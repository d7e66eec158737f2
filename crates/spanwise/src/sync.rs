//! The only file that names the locks, atomics and clocks by which the threads of a call meet. In come
//! std's, or loom's or shuttle's when `cfg(spanwise_loom)` or `cfg(spanwise_shuttle)` asks for a model,
//! in which every stretch of time is as long as any other, so that it can be replayed.

#[cfg(not(any(spanwise_loom, spanwise_shuttle)))]
mod real {
    pub(crate) use std::{
        hint::spin_loop,
        sync::{
            Condvar, Mutex, MutexGuard,
            atomic::{AtomicBool, AtomicUsize},
        },
        thread::{self, sleep},
        time::Instant as Moment,
    };
    use std::{sync::OnceLock, time::Duration};

    /// How long after some moment this one is.
    pub(crate) fn uptime(now: Moment) -> Duration {
        static BORN: OnceLock<Moment> = OnceLock::new();
        now.saturating_duration_since(*BORN.get_or_init(|| now))
    }
}

#[cfg(any(spanwise_loom, spanwise_shuttle))]
mod real {
    use std::{ops::Sub, time::Duration};

    #[cfg(spanwise_loom)]
    pub(crate) use loom::{
        hint::spin_loop,
        sync::{
            Condvar, Mutex, MutexGuard,
            atomic::{AtomicBool, AtomicUsize},
        },
        thread,
    };
    #[cfg(spanwise_shuttle)]
    pub(crate) use shuttle::{
        hint::spin_loop,
        sync::{
            Condvar, Mutex, MutexGuard,
            atomic::{AtomicBool, AtomicUsize},
        },
        thread,
    };

    pub(crate) fn sleep(_: Duration) {
        thread::yield_now();
    }

    pub(crate) fn uptime(_: Moment) -> Duration {
        Duration::ZERO
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
