//! The plainest backend: a thread for each far half.

use std::{num::NonZeroUsize, panic::resume_unwind, thread};

use spanwise_backend::Backend;

/// Starts a thread at each join, and claims to be so wide.
#[derive(Debug)]
pub(crate) struct Threads(pub(crate) usize);

impl Backend for Threads {
    // Nobody but the far half's own thread runs it, and who waits runs nothing.
    const RUNS_STRANGERS: bool = false;

    fn width(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.0).expect("a width")
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        thread::scope(|scope| {
            let far = scope.spawn(b);
            let near = a();
            (near, far.join().unwrap_or_else(|payload| resume_unwind(payload)))
        })
    }
}
