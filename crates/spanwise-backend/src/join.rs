//! The contract. In come two closures, out go their two results; the drive of `spanwise` and users
//! call it, pools implement it.

use std::{num::NonZeroUsize, time::Duration};

/// Something that runs two halves, perhaps at once.
///
/// The trait is safe to implement: a half is `FnOnce` and comes back as a value, so the types alone
/// force each half to have run exactly once when [`join`](Self::join) returns. A backend that breaks
/// its word can be slow or can panic; it cannot lose a row or free memory early.
///
/// An implementation promises three things that types cannot say:
///
/// - **Drain.** `join` returns or unwinds only after both halves have ended.
/// - **First panic.** If `a` panics its payload is resumed, whatever `b` did; else `b`'s is. A half
///   that nobody has started when the other panics may be dropped unrun.
/// - **Progress.** A half may wait for nobody but the halves that it joined itself, so `join` must
///   not need a second thread to finish.
///
/// # Examples
///
/// A backend on scoped threads, complete:
///
/// ```
/// use spanwise_backend::Backend;
/// use std::{num::NonZeroUsize, panic::resume_unwind, thread};
///
/// struct Threads;
///
/// impl Backend for Threads {
///     fn width(&self) -> NonZeroUsize {
///         thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
///     }
///
///     fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
///     where
///         A: FnOnce() -> RA + Send,
///         B: FnOnce() -> RB + Send,
///         RA: Send,
///         RB: Send,
///     {
///         thread::scope(|scope| {
///             let far = scope.spawn(b);
///             let near = a();
///             (near, far.join().unwrap_or_else(|payload| resume_unwind(payload)))
///         })
///     }
/// }
///
/// assert_eq!(Threads.join(|| 6 * 7, || "far"), (42, "far"));
/// ```
pub trait Backend: Sync {
    /// Whether a thread that waits in `join` may meanwhile run jobs of other calls.
    ///
    /// Such a thread must never block on what its own call holds, so chains over a bridged iterator
    /// give up waiting for their turn after a while. `false` is a promise; leave it if in doubt.
    const RUNS_STRANGERS: bool = true;

    /// Threads that can work on one call at once, the caller included.
    fn width(&self) -> NonZeroUsize;

    /// Whether chains should be cut at once, however cheap their rows are. Only backends for tests
    /// say so: it makes small calls slow, and lets each of them show what a schedule can do.
    #[inline]
    fn cuts_at_once(&self) -> bool {
        false
    }

    /// Runs both halves, perhaps at once, and returns both results once both are done.
    ///
    /// `a` is the near half: the caller should run it itself. `b` is the far half, offered to others.
    ///
    /// # Panics
    ///
    /// With the payload of `a` if `a` panicked, else with that of `b`; in every case after both
    /// halves have ended.
    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send;

    /// Whether a thread would soon take a far half of a call that has taken `age` so far, zero if it
    /// only begins, and has work for about `rest` left; `None` if the backend cannot tell.
    ///
    /// A guess, which changes speed and no result. A backend that answers may wake a thread that sleeps
    /// where that is worth its price. Where one cannot tell, which is the default, a call is cut into
    /// some more parts than there are threads as soon as it has run for a while.
    fn wants(&self, rest: Duration, age: Duration) -> Option<bool> {
        let _ = (rest, age);
        None
    }

    /// Runs `op` on the calling thread as part of this backend, so that the joins in it are cheap.
    ///
    /// One call of a chain enters once and joins many times. The default just calls `op`.
    fn enter<F, R>(&self, op: F) -> R
    where
        F: FnOnce() -> R,
    {
        op()
    }
}

/// What shares a backend runs on it.
macro_rules! shared {
    ($([$($generics:tt)*] $pointer:ty;)*) => {$(
        impl<$($generics)*> Backend for $pointer {
            const RUNS_STRANGERS: bool = B::RUNS_STRANGERS;

            #[inline]
            fn width(&self) -> NonZeroUsize {
                B::width(self)
            }

            #[inline]
            fn cuts_at_once(&self) -> bool {
                B::cuts_at_once(self)
            }

            #[inline]
            fn join<X, Y, RX, RY>(&self, a: X, b: Y) -> (RX, RY)
            where
                X: FnOnce() -> RX + Send,
                Y: FnOnce() -> RY + Send,
                RX: Send,
                RY: Send,
            {
                B::join(self, a, b)
            }

            #[inline]
            fn wants(&self, rest: Duration, age: Duration) -> Option<bool> {
                B::wants(self, rest, age)
            }

            #[inline]
            fn enter<F: FnOnce() -> R, R>(&self, op: F) -> R {
                B::enter(self, op)
            }
        }
    )*};
}

shared! {
    [B: Backend] &B;
    [B: Backend + Send] std::sync::Arc<B>;
}
