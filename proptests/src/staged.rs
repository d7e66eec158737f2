//! Backends around backends. In come two halves, out go their results; what a race would decide is
//! decided here by the kind of backend, so a failure that needs an unlucky order comes every time.

use std::{
    any, fmt,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::Duration,
};

use spanwise_backend::{Backend, discard};

/// Runs `a`, then `b`, but claims to be wide: what a pool does when no thread has time. As `FarFirst` it
/// has every call cut at once, also where a pool would not find that worth while.
#[derive(Debug)]
pub struct NearFirst(pub usize);

/// Runs `b`, then `a`: what a pool does when its caller is slow.
#[derive(Debug)]
pub struct FarFirst(pub usize);

fn wide(width: usize) -> NonZeroUsize {
    NonZeroUsize::new(width).expect("a backend of no width")
}

impl Backend for NearFirst {
    const RUNS_STRANGERS: bool = false;

    fn width(&self) -> NonZeroUsize {
        wide(self.0)
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
        (a(), b())
    }
}

impl Backend for FarFirst {
    const RUNS_STRANGERS: bool = false;

    fn width(&self) -> NonZeroUsize {
        wide(self.0)
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

/// Any backend, of whatever type, whose `join` is compiled once for all halves. Suites of hundreds of
/// chain types compile several times as fast with it.
pub struct Erased {
    name: &'static str,
    strangers: bool,
    pool: Box<dyn Joins>,
}

type Half<'a> = &'a mut (dyn FnMut() + Send);

/// What a backend does, for one type of halves.
trait Joins: Send + Sync {
    fn width(&self) -> NonZeroUsize;
    fn cuts_at_once(&self) -> bool;
    fn wants(&self, rest: Duration, age: Duration) -> Option<bool>;
    fn join(&self, a: Half<'_>, b: Half<'_>);
    fn enter(&self, op: &mut dyn FnMut());
}

impl<B: Backend + Send> Joins for B {
    fn width(&self) -> NonZeroUsize {
        Backend::width(self)
    }

    fn cuts_at_once(&self) -> bool {
        Backend::cuts_at_once(self)
    }

    fn wants(&self, rest: Duration, age: Duration) -> Option<bool> {
        Backend::wants(self, rest, age)
    }

    fn join(&self, a: Half<'_>, b: Half<'_>) {
        Backend::join(self, a, b);
    }

    fn enter(&self, op: &mut dyn FnMut()) {
        Backend::enter(self, op);
    }
}

impl Erased {
    /// The backend without its type.
    pub fn new<B: Backend + Send + 'static>(pool: B) -> Self {
        let name = any::type_name::<B>();
        Self { name, strangers: B::RUNS_STRANGERS, pool: Box::new(pool) }
    }

    /// What the backend's `RUNS_STRANGERS` says.
    pub fn runs_strangers(&self) -> bool {
        self.strangers
    }
}

impl fmt::Debug for Erased {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.name, self.pool.width())
    }
}

const ONCE: &str = "a half runs once";

impl Backend for Erased {
    fn width(&self) -> NonZeroUsize {
        self.pool.width()
    }

    fn cuts_at_once(&self) -> bool {
        self.pool.cuts_at_once()
    }

    fn wants(&self, rest: Duration, age: Duration) -> Option<bool> {
        self.pool.wants(rest, age)
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let (mut a, mut b) = (Some(a), Some(b));
        let (mut near, mut far) = (None, None);
        let mut run_near = || near = Some(a.take().expect(ONCE)());
        let mut run_far = || far = Some(b.take().expect(ONCE)());
        self.pool.join(&mut run_near, &mut run_far);
        (near.expect(ONCE), far.expect(ONCE))
    }

    fn enter<F, R>(&self, op: F) -> R
    where
        F: FnOnce() -> R,
    {
        let (mut op, mut result) = (Some(op), None);
        self.pool.enter(&mut || result = Some(op.take().expect(ONCE)()));
        result.expect(ONCE)
    }
}
