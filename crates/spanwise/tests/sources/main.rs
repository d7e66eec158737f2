//! Every source × every backend × lengths × grains, against std's iterator over the same rows.

mod behind;
mod every;
mod given;
mod ledger;
mod ranges;
mod same;
mod text;
mod written;

use std::{num::NonZeroUsize, sync::LazyLock};

use spanwise::{
    Chain,
    backend::{Backend, Serial},
    control::Control,
};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

/// The backends, as one type, so that each check is compiled once.
enum Any {
    Serial(Serial),
    Rayon(RayonPool),
    Deque(DequePool),
    Cuts(Cuts),
}

/// Three threads that take turns on one: calls are cut at once, however cheap their rows are.
struct Cuts;

impl Backend for Cuts {
    fn width(&self) -> NonZeroUsize {
        const { NonZeroUsize::new(3).unwrap() }
    }

    fn cuts_at_once(&self) -> bool {
        true
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let far = b();
        (a(), far)
    }
}

/// All of them: a backend is a variant and a line.
fn backends() -> &'static [Any] {
    static BACKENDS: LazyLock<Vec<Any>> = LazyLock::new(|| {
        let rayon = |width| Any::Rayon(RayonPool::new(width).unwrap());
        let deque = |width| Any::Deque(DequePool::new(width).unwrap());
        let pools =
            [1, 2, 3, 4, 7, 8, 16].into_iter().flat_map(|width| [rayon(width), deque(width)]);
        [Any::Serial(Serial), Any::Cuts(Cuts)].into_iter().chain(pools).collect()
    });
    &BACKENDS
}

impl Backend for Any {
    fn width(&self) -> NonZeroUsize {
        match self {
            Self::Serial(pool) => pool.width(),
            Self::Rayon(pool) => pool.width(),
            Self::Deque(pool) => pool.width(),
            Self::Cuts(pool) => pool.width(),
        }
    }

    fn cuts_at_once(&self) -> bool {
        matches!(self, Self::Cuts(_))
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        match self {
            Self::Serial(pool) => pool.join(a, b),
            Self::Rayon(pool) => pool.join(a, b),
            Self::Deque(pool) => pool.join(a, b),
            Self::Cuts(pool) => pool.join(a, b),
        }
    }

    fn enter<F: FnOnce() -> R, R>(&self, call: F) -> R {
        match self {
            Self::Serial(pool) => pool.enter(call),
            Self::Rayon(pool) => pool.enter(call),
            Self::Deque(pool) => pool.enter(call),
            Self::Cuts(pool) => pool.enter(call),
        }
    }
}

const LENGTHS: [usize; 12] = [0, 1, 2, 3, 63, 64, 65, 255, 1000, 1024, 1025, 5000];

const GRAINS: [Option<usize>; 4] = [None, Some(1), Some(3), Some(64)];

fn grained<I, L, C: Control>(chain: Chain<I, L, C>, grain: Option<usize>) -> Chain<I, L, C> {
    match grain {
        None => chain,
        Some(rows) => chain.with_grain(rows),
    }
}
