//! Backends around backends. In come two halves, out go their results; what a race would decide is
//! decided here by the kind of backend, so a failure that needs an unlucky order comes every time.

use std::{
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use spanwise_backend::{Backend, discard};

/// Runs `a`, then `b`, but claims to be wide: what a pool does when no thread has time.
#[derive(Debug)]
pub struct NearFirst(pub usize);

/// Runs `b`, then `a`: what a pool does when its caller is slow.
#[derive(Debug)]
pub struct FarFirst(pub usize);

fn wide(width: usize) -> NonZeroUsize {
    NonZeroUsize::new(width).expect("a backend of no width")
}

impl Backend for NearFirst {
    fn width(&self) -> NonZeroUsize {
        wide(self.0)
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        (a(), b())
    }
}

impl Backend for FarFirst {
    fn width(&self) -> NonZeroUsize {
        wide(self.0)
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        // Both halves run and the near one's panic counts first, as the contract says.
        let far = catch_unwind(AssertUnwindSafe(b));
        let near = catch_unwind(AssertUnwindSafe(a));
        match (near, far) {
            (Ok(near), Ok(far)) => (near, far),
            (Err(payload), far) => {
                discard(far);
                resume_unwind(payload)
            }
            (Ok(_), Err(payload)) => resume_unwind(payload),
        }
    }
}

/// Another backend, whose `join` is compiled once for all halves. Suites of hundreds of chain types
/// compile several times as fast with it.
#[derive(Debug)]
pub struct Erased<P>(pub P);

type Half<'a> = &'a mut (dyn FnMut() + Send);

impl<P: Backend> Erased<P> {
    fn join_halves(&self, a: Half<'_>, b: Half<'_>) {
        self.0.join(a, b);
    }
}

impl<P: Backend> Backend for Erased<P> {
    fn width(&self) -> NonZeroUsize {
        self.0.width()
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        const ONCE: &str = "a half runs once";
        let (mut a, mut b) = (Some(a), Some(b));
        let (mut near, mut far) = (None, None);
        let mut run_near = || near = Some(a.take().expect(ONCE)());
        let mut run_far = || far = Some(b.take().expect(ONCE)());
        self.join_halves(&mut run_near, &mut run_far);
        (near.expect(ONCE), far.expect(ONCE))
    }

    fn enter<F, R>(&self, op: F) -> R
    where
        F: FnOnce() -> R,
    {
        self.0.enter(op)
    }
}
