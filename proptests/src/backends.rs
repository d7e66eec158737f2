//! The list of backends. In comes nothing, out come pools that the suites loop over; they are built
//! once and live as long as the test program.

use std::{num::NonZeroUsize, sync::LazyLock};

use spanwise_backend::{Backend, Serial};
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

use crate::staged::{Erased, FarFirst, NearFirst};

/// Something to do with a backend of any type, which a closure cannot say.
pub trait Visit {
    /// Called with the backend itself.
    fn run<B: Backend>(&self, backend: &B);
}

macro_rules! backends {
    ($($name:ident($pool:ty) at $widths:expr, $build:expr;)*) => {
        /// Any backend of the list. It is a backend too, so that a suite compiles once for all.
        #[derive(Debug)]
        pub enum AnyPool {
            $(#[doc = concat!("A `", stringify!($pool), "`.")] $name($pool),)*
        }

        impl AnyPool {
            /// Hands over the backend behind this one.
            pub fn visit(&self, visitor: &impl Visit) {
                match self {
                    $(Self::$name(pool) => visitor.run(pool),)*
                }
            }
        }

        impl Backend for AnyPool {
            fn width(&self) -> NonZeroUsize {
                match self {
                    $(Self::$name(pool) => Backend::width(pool),)*
                }
            }

            fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
            where
                A: FnOnce() -> RA + Send,
                B: FnOnce() -> RB + Send,
                RA: Send,
                RB: Send,
            {
                match self {
                    $(Self::$name(pool) => Backend::join(pool, a, b),)*
                }
            }

            fn enter<F, R>(&self, op: F) -> R
            where
                F: FnOnce() -> R,
            {
                match self {
                    $(Self::$name(pool) => Backend::enter(pool, op),)*
                }
            }
        }

        fn build() -> Vec<AnyPool> {
            let mut pools = Vec::new();
            $(for &width in $widths {
                let build: fn(usize) -> $pool = $build;
                pools.push(AnyPool::$name(build(width)));
            })*
            pools
        }
    };
}

// A new backend is one line here. The deque pool is not erased since it learns by the type of halves
// what they cost, and wakes threads by that.
backends! {
    Serial(Serial) at &[1], |_| Serial;
    Deque(DequePool) at WIDTHS, |width| DequePool::new(width).expect("threads");
    Rayon(Erased<RayonPool>) at WIDTHS, |width| Erased(RayonPool::new(width).expect("threads"));
    NearFirst(Erased<NearFirst>) at &[2, 8], |width| Erased(NearFirst(width));
    FarFirst(Erased<FarFirst>) at &[2, 8], |width| Erased(FarFirst(width));
}

/// Widths of the pools with threads.
const WIDTHS: &[usize] = &[1, 2, 3, 4, 7, 8, 16];

/// Widths that random input runs on.
const FEW_WIDTHS: &[usize] = &[1, 2, 3, 8];

static POOLS: LazyLock<Vec<AnyPool>> = LazyLock::new(build);

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
