//! The list of backends. In comes nothing, out come pools that the suites loop over; they are built
//! once and live as long as the test program.

use std::{
    num::NonZeroUsize,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use spanwise_backend::{Backend, Seeded, Serial};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

use crate::staged::{Erased, FarFirst, NearFirst};

/// Any backend. It is a backend too, so that a suite compiles once for all.
#[derive(Debug)]
pub enum AnyPool {
    /// The reference.
    Serial(Serial),
    /// Not erased since it learns by the type of halves what they cost, and wakes threads by that.
    Deque(DequePool),
    /// Any other.
    Erased(Erased),
}

impl AnyPool {
    /// A backend from anywhere.
    pub fn erased<B: Backend + Send + 'static>(pool: B) -> Self {
        Self::Erased(Erased::new(pool))
    }

    /// Whether a thread that waits in this backend may run jobs of other calls.
    pub fn runs_strangers(&self) -> bool {
        match self {
            Self::Serial(_) => Serial::RUNS_STRANGERS,
            Self::Deque(_) => DequePool::RUNS_STRANGERS,
            Self::Erased(pool) => pool.runs_strangers(),
        }
    }
}

static JOINS: AtomicU64 = AtomicU64::new(0);

/// How many joins there were on any backend so far. Calls that seem cheap run without one, so a suite
/// that made none has shown little.
pub fn joins() -> u64 {
    // Relaxed: a count.
    JOINS.load(Ordering::Relaxed)
}

impl Backend for AnyPool {
    fn width(&self) -> NonZeroUsize {
        match self {
            Self::Serial(pool) => pool.width(),
            Self::Deque(pool) => pool.width(),
            Self::Erased(pool) => pool.width(),
        }
    }

    fn cuts_at_once(&self) -> bool {
        match self {
            Self::Erased(pool) => pool.cuts_at_once(),
            Self::Serial(_) | Self::Deque(_) => false,
        }
    }

    fn wants(&self, rest: Duration, age: Duration) -> Option<bool> {
        match self {
            Self::Serial(pool) => pool.wants(rest, age),
            Self::Deque(pool) => pool.wants(rest, age),
            Self::Erased(pool) => pool.wants(rest, age),
        }
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        // Relaxed: a count.
        JOINS.fetch_add(1, Ordering::Relaxed);
        match self {
            Self::Serial(pool) => pool.join(a, b),
            Self::Deque(pool) => pool.join(a, b),
            Self::Erased(pool) => pool.join(a, b),
        }
    }

    fn enter<F, R>(&self, op: F) -> R
    where
        F: FnOnce() -> R,
    {
        match self {
            Self::Serial(pool) => pool.enter(op),
            Self::Deque(pool) => Backend::enter(pool, op),
            Self::Erased(pool) => pool.enter(op),
        }
    }
}

/// Widths of the pools with threads.
const WIDTHS: &[usize] = &[1, 2, 3, 4, 7, 8, 16];

/// Widths that random input runs on.
const FEW_WIDTHS: &[usize] = &[1, 2, 3, 8];

// A new backend is one line here.
static POOLS: LazyLock<Vec<AnyPool>> = LazyLock::new(|| {
    let mut pools = vec![AnyPool::Serial(Serial)];
    let deque = |&width: &usize| AnyPool::Deque(DequePool::new(width).expect("threads"));
    pools.extend(WIDTHS.iter().map(deque));
    let rayon = |&width: &usize| AnyPool::erased(RayonPool::new(width).expect("threads"));
    pools.extend(WIDTHS.iter().map(rayon));
    pools.extend([2, 8].map(|width| AnyPool::erased(NearFirst(width))));
    pools.extend([2, 8].map(|width| AnyPool::erased(FarFirst(width))));
    pools.push(AnyPool::erased(Seeded::new(3, 3)));
    pools
});

/// Every backend at every width, the reference first.
pub fn all_pools() -> impl Iterator<Item = &'static AnyPool> {
    POOLS.iter()
}

/// Every backend at the widths that random input runs on, the reference first.
pub fn pools() -> impl Iterator<Item = &'static AnyPool> {
    all_pools().filter(|pool| FEW_WIDTHS.contains(&pool.width().get()))
}

/// The reference.
pub fn serial() -> &'static AnyPool {
    &POOLS[0]
}
