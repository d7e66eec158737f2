//! A backend over chili, another fork–join pool.

use std::{
    fmt,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use spanwise_backend::Backend;

/// Chili's pool. No panic passes through it: of 0.2.1 a scope is not to be used behind one.
pub(crate) struct Chili {
    pool: chili::ThreadPool,
    width: NonZeroUsize,
}

impl fmt::Debug for Chili {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chili").field(&self.width).finish()
    }
}

impl Chili {
    pub(crate) fn new(width: usize) -> Self {
        let width = NonZeroUsize::new(width).expect("a width");
        let config = chili::Config { thread_count: Some(width), ..Default::default() };
        Self { pool: chili::ThreadPool::with_config(config), width }
    }
}

impl Backend for Chili {
    fn width(&self) -> NonZeroUsize {
        self.width
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let (near, far) = self
            .pool
            .scope()
            .join(|_| catch_unwind(AssertUnwindSafe(a)), |_| catch_unwind(AssertUnwindSafe(b)));
        match (near, far) {
            (Ok(near), Ok(far)) => (near, far),
            (Err(payload), _) | (_, Err(payload)) => resume_unwind(payload),
        }
    }
}
