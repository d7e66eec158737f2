//! The pools that are compared. In comes whether to pin, out come pools in which two threads work: the
//! caller on CPU 0 and the other on CPU 1, or both wherever the system puts them.

use std::{cell::RefCell, fmt, num::NonZero, sync::Barrier};

use orx_parallel::{BasicPool, Pool, TaskQueue as _, Tasks, ThreadPool as _};
use paralight::prelude::{CpuPinningPolicy, RangeStrategy, ThreadCount, ThreadPoolBuilder};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

use crate::machine;

/// One pool of each library. Those of `chili` and `fork_union` are made when they are used: the one's
/// heartbeat and the other's spinning would take time from everybody else.
pub struct Peers {
    /// Whether threads are pinned.
    pub pinned: bool,
    cpus: usize,
    /// Ours.
    pub deque: DequePool,
    /// Ours over rayon-core.
    pub over_rayon: RayonPool,
    /// rayon's own: both its threads work while a caller from outside waits.
    pub rayon: rayon::ThreadPool,
    /// Both its threads work while the caller waits.
    pub paralight: RefCell<paralight::threads::ThreadPool>,
    /// Likewise.
    pub orx: BasicPool,
}

impl Peers {
    /// Makes the pools on a machine of so many CPUs, and leaves the calling thread on CPU 0 if they are pinned.
    pub fn new(pinned: bool, cpus: usize) -> Self {
        machine::pin_to_first(cpus);
        let orx = Pool::basic(2_usize);
        let rayon = rayon::ThreadPoolBuilder::new().num_threads(2).start_handler(move |index| {
            if pinned {
                machine::pin(&[index]);
            }
        });
        let paralight = ThreadPoolBuilder {
            num_threads: ThreadCount::Count(NonZero::new(2).expect("two")),
            range_strategy: RangeStrategy::Fixed,
            cpu_pinning: if pinned { CpuPinningPolicy::IfSupported } else { CpuPinningPolicy::No },
        };
        let (rayon, paralight) = (rayon.build().expect("a rayon pool"), paralight.build());
        if pinned {
            pin_all(&orx);
        }
        let deque = machine::pair(pinned).expect("a deque pool");
        let over_rayon = machine::pair(pinned).expect("a rayon-core pool");
        Self { pinned, cpus, deque, over_rayon, rayon, paralight: RefCell::new(paralight), orx }
    }

    /// Lets the calling thread and those that it makes run on all CPUs for a while.
    pub fn on_all<T>(&self, run: impl FnOnce() -> T) -> T {
        if !self.pinned {
            return run();
        }
        machine::pin_to_first(self.cpus);
        let out = run();
        machine::pin(&[0]);
        out
    }

    /// A chili pool whose other thread is on CPU 1, and so is its heartbeat.
    pub fn chili(&self) -> chili::ThreadPool {
        let two = chili::Config { thread_count: NonZero::new(2), ..chili::Config::default() };
        beside(self.pinned, || chili::ThreadPool::with_config(two))
    }

    /// A fork_union pool whose other thread spins on CPU 1.
    #[cfg(feature = "fork_union")]
    pub fn fork_union(&self) -> fork_union::ThreadPool {
        beside(self.pinned, || fork_union::ThreadPool::try_spawn(2).expect("a fork_union pool"))
    }
}

/// Threads inherit the CPUs of the thread that makes them: on CPU 1, while the caller is there.
fn beside<T>(pinned: bool, make: impl FnOnce() -> T) -> T {
    if !pinned {
        return make();
    }
    machine::pin(&[1]);
    let made = make();
    machine::pin(&[0]);
    made
}

/// Each of two tasks waits for the other, so each is on a thread of its own, which it pins.
fn pin_all(pool: &BasicPool) {
    let both = Barrier::new(2);
    let pin = |cpu| {
        let both = &both;
        move || {
            both.wait();
            machine::pin(&[cpu]);
        }
    };
    pool.run_all(Tasks::new().push(pin(0)).push(pin(1)));
}

impl fmt::Debug for Peers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peers").field("pinned", &self.pinned).finish_non_exhaustive()
    }
}
