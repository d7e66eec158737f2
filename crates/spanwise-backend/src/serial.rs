//! The reference. In come two halves, out go their results, first one then the other, on the
//! calling thread.

use std::num::NonZeroUsize;

use crate::{Backend, Builder, FromSettings, PoolError, SerialScope, Settings, Share};

/// The backend without threads: `join(a, b)` is `(a(), b())`.
///
/// It is a real backend, for debugging, for targets without threads, and as the reference: every
/// other backend must give the bits that this one gives. It has the constructors of the pools, so
/// that code which builds a pool compiles unchanged over it.
///
/// # Examples
///
/// ```
/// use spanwise_backend::{Backend, Serial};
///
/// assert_eq!(Serial.join(|| 1, || 2), (1, 2));
/// assert_eq!(Serial.width().get(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Serial;

impl Serial {
    /// Checks `threads` as a pool would and gives the serial backend, whose width is always 1.
    ///
    /// # Errors
    ///
    /// If `threads` is 0 or above [`MAX_THREADS`](crate::MAX_THREADS).
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        Self::builder().threads(threads).build()
    }

    /// Settings to choose before building.
    pub fn builder() -> Builder<Self> {
        Builder::new()
    }

    /// Threads that work on one call: always 1.
    pub fn width(&self) -> NonZeroUsize {
        NonZeroUsize::MIN
    }

    /// Runs `a`, then `b`, on the calling thread.
    ///
    /// # Panics
    ///
    /// With the payload of the first half that panicked; when it is `a`, `b` is dropped unrun.
    pub fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA,
        B: FnOnce() -> RB,
    {
        (a(), b())
    }

    /// Runs `op`; a task that it spawns runs at once, inside `spawn`.
    ///
    /// # Panics
    ///
    /// With the payload of `op` if it panicked, else with that of the first task that did.
    ///
    /// # Examples
    ///
    /// ```
    /// use spanwise_backend::Serial;
    ///
    /// let mut words = ["one".to_owned(), "two".to_owned()];
    /// Serial.scope(|s| words.iter_mut().for_each(|word| s.spawn(|_| word.push('!'))));
    /// assert_eq!(words, ["one!", "two!"]);
    /// ```
    pub fn scope<R>(&self, op: impl FnOnce(&SerialScope) -> R) -> R {
        SerialScope::run(op)
    }

    /// Runs `op` once, for the one thread there is.
    pub fn broadcast<R>(&self, op: impl Fn(Share) -> R) -> Vec<R> {
        vec![op(Share::new(0, 1))]
    }
}

impl FromSettings for Serial {
    fn from_settings(_: Settings) -> Result<Self, PoolError> {
        Ok(Self)
    }
}

impl Backend for Serial {
    const RUNS_STRANGERS: bool = false;

    fn width(&self) -> NonZeroUsize {
        Self::width(self)
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        Self::join(self, a, b)
    }
}
