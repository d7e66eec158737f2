//! Fork-join pools under one trait. In come pools, out go joins; the programs of `work` call them.

use std::{fmt, num::NonZero};

use spanwise_deque::DequePool;

use crate::machine;

/// What a program on a pool holds: it joins, and each half gets its own to go on with.
pub trait Fork: Sized {
    /// What a half gets; the same but for the lifetime.
    type Half<'s>: Fork;

    /// Runs both halves, perhaps at once.
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Self::Half<'_>) -> RA + Send,
        B: FnOnce(&mut Self::Half<'_>) -> RB + Send,
        RA: Send,
        RB: Send;
}

/// Plain calls.
#[derive(Clone, Copy, Debug)]
pub struct Serial;

impl Fork for Serial {
    type Half<'s> = Self;

    #[inline(always)]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Self::Half<'_>) -> RA + Send,
        B: FnOnce(&mut Self::Half<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        (a(self), b(&mut Self))
    }
}

/// The deque pool, from inside it.
#[derive(Clone, Copy, Debug)]
pub struct Deque<'p>(pub &'p DequePool);

impl<'p> Fork for Deque<'p> {
    type Half<'s> = Deque<'p>;

    #[inline(always)]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Self::Half<'_>) -> RA + Send,
        B: FnOnce(&mut Self::Half<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let pool = self.0;
        pool.join(|| a(&mut Deque(pool)), || b(&mut Deque(pool)))
    }
}

/// rayon-core, from inside a pool.
#[derive(Clone, Copy, Debug)]
pub struct Rayon;

impl Fork for Rayon {
    type Half<'s> = Self;

    #[inline(always)]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Self::Half<'_>) -> RA + Send,
        B: FnOnce(&mut Self::Half<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        rayon_core::join(|| a(&mut Self), || b(&mut Self))
    }
}

impl Fork for chili::Scope<'_> {
    type Half<'s> = chili::Scope<'s>;

    #[inline(always)]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut Self::Half<'_>) -> RA + Send,
        B: FnOnce(&mut Self::Half<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        chili::Scope::join(self, a, b)
    }
}

/// The pools of one width.
pub struct Pools {
    /// Ours.
    pub deque: DequePool,
    /// With as many threads as ours, the caller's included: it is installed in the pool.
    pub rayon: rayon_core::ThreadPool,
    /// Likewise; its caller works too.
    pub chili: chili::ThreadPool,
}

impl Pools {
    /// Pools in which `threads` threads work, wherever the system puts them.
    pub fn new(threads: usize) -> Self {
        Self::with_hook(threads, |_| ())
    }

    /// Pools in which two threads work: the caller on CPU 0, where it stays, the other on CPU 1.
    pub fn pinned_pair() -> Self {
        let deque = machine::pair(true).expect("a deque pool");
        machine::pin(&[1]);
        let pools = Self { deque, ..Self::with_hook(2, |index| machine::pin(&[index])) };
        machine::pin(&[0]);
        pools
    }

    /// Threads inherit the caller's CPUs; rayon's, of which one stands for the caller, call the hook.
    fn with_hook(threads: usize, hook: impl Fn(usize) + Send + Sync + 'static) -> Self {
        let config = chili::Config { thread_count: NonZero::new(threads), ..Default::default() };
        let rayon = rayon_core::ThreadPoolBuilder::new().num_threads(threads).start_handler(hook);
        Self {
            deque: DequePool::new(threads).expect("a deque pool"),
            rayon: rayon.build().expect("a rayon pool"),
            chili: chili::ThreadPool::with_config(config),
        }
    }
}

impl fmt::Debug for Pools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pools").field("deque", &self.deque).finish_non_exhaustive()
    }
}

/// A program that runs on any pool.
pub trait Program: Sync {
    /// Its answer.
    type Answer: PartialEq + Send + fmt::Debug;

    /// Runs it.
    fn run(&self, fork: &mut impl Fork) -> Self::Answer;
}

impl Pools {
    /// On the deque pool.
    pub fn on_deque<P: Program>(&self, program: &P) -> P::Answer {
        self.deque.enter(|| program.run(&mut Deque(&self.deque)))
    }

    /// On rayon-core, by one of its threads.
    pub fn on_rayon<P: Program>(&self, program: &P) -> P::Answer {
        self.rayon.install(|| program.run(&mut Rayon))
    }

    /// On chili.
    pub fn on_chili<P: Program>(&self, program: &P) -> P::Answer {
        program.run(&mut self.chili.scope())
    }
}
