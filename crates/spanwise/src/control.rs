//! How a call runs: on which backend, with what grain, and until when. Chains carry it, the drive
//! asks it, and it says what a terminal's answer is: a value, or a `Result` where a call can stop.

use std::{
    error::Error,
    fmt,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use spanwise_backend::Backend;

use crate::sealed::Sealed;

/// How a chain runs.
pub trait Control: Sealed + Sync {
    /// What it runs on.
    type Backend: Backend;

    /// What a terminal that computes a `T` returns: `T`, or `Result<T, Stopped>` after `until` or
    /// `deadline`.
    type Out<T>;

    /// Whether somebody may stop or watch the call, so that long runs must look up in between.
    #[doc(hidden)]
    const WATCHED: bool;

    #[doc(hidden)]
    fn backend(&self) -> &Self::Backend;

    #[doc(hidden)]
    fn settings(&mut self) -> &mut Settings;

    #[doc(hidden)]
    fn grain(&self) -> Option<NonZeroUsize>;

    /// Threads that may work on the call.
    #[doc(hidden)]
    fn width(&self) -> usize;

    /// Why the call should stop, if it should.
    #[doc(hidden)]
    fn stopped(&self) -> Option<Stopped>;

    /// So many rows have been run.
    #[doc(hidden)]
    fn ran(&self, rows: usize);

    #[doc(hidden)]
    fn out<T>(answer: Result<T, Stopped>) -> Self::Out<T>;

    /// The answer that `finish` makes of the last partial, where one is wanted.
    #[doc(hidden)]
    fn finish<P, T>(
        &self,
        partial: Result<P, Stopped>,
        finish: impl FnOnce(P) -> T,
    ) -> Self::Out<T> {
        Self::out(partial.map(finish))
    }

    /// Rows behind this one are not part of the answer.
    #[doc(hidden)]
    fn ends_at(&self, row: usize) {
        let _ = row;
    }

    #[doc(hidden)]
    fn map<T, U>(out: Self::Out<T>, f: impl FnOnce(T) -> U) -> Self::Out<U>;
}

/// What a caller fixed about a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub(crate) grain: Option<NonZeroUsize>,
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Runs on a backend, to the end.
#[derive(Debug)]
pub struct On<'p, B> {
    backend: &'p B,
    settings: Settings,
}

impl<'p, B> On<'p, B> {
    pub(crate) fn new(backend: &'p B) -> Self {
        Self { backend, settings: Settings::default() }
    }
}

impl<B> Clone for On<'_, B> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<B> Sealed for On<'_, B> {}

impl<B: Backend> Control for On<'_, B> {
    type Backend = B;
    type Out<T> = T;
    const WATCHED: bool = false;

    #[inline]
    fn backend(&self) -> &B {
        self.backend
    }

    fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }

    #[inline]
    fn grain(&self) -> Option<NonZeroUsize> {
        self.settings.grain
    }

    #[inline]
    fn width(&self) -> usize {
        let width = self.backend.width();
        self.settings.threads.map_or(width, |most| most.min(width)).get()
    }

    #[inline]
    fn stopped(&self) -> Option<Stopped> {
        None
    }

    #[inline]
    fn ran(&self, _: usize) {}

    #[inline]
    fn out<T>(answer: Result<T, Stopped>) -> T {
        answer.expect("nothing can stop this call")
    }

    fn map<T, U>(out: T, f: impl FnOnce(T) -> U) -> U {
        f(out)
    }
}

/// Why a call has no answer: it was stopped before all its rows had run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// The token of `until` was cancelled.
    Cancelled,
    /// The moment of `deadline` had come.
    DeadlinePassed,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cancelled => "the call was cancelled",
            Self::DeadlinePassed => "the call did not end before its deadline",
        })
    }
}

impl Error for Stopped {}

/// Asks calls to stop; clones share the wish.
///
/// # Examples
///
/// ```
/// use spanwise::{CancelToken, Stopped, prelude::*};
///
/// let pool = spanwise::Pool::new(2)?;
/// let token = CancelToken::new();
/// assert_eq!((0..100).par(&pool).until(&token).count(), Ok(100));
/// token.cancel();
/// assert_eq!((0..100).par(&pool).until(&token).count(), Err(Stopped::Cancelled));
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops, within a stride of each thread, every call that runs until this token is cancelled.
    pub fn cancel(&self) {
        // Release: pairs with the Acquire in `is_cancelled`, so that a stopped caller sees why.
        self.0.store(true, Ordering::Release);
    }

    /// Whether somebody has cancelled.
    pub fn is_cancelled(&self) -> bool {
        // Acquire: pairs with the Release in `cancel`.
        self.0.load(Ordering::Acquire)
    }
}

/// Told how a call goes on.
pub trait Observer: Sync {
    /// So many more rows have been run; called by any thread, after each of its strides.
    fn advance(&self, rows: usize);
}

impl<F: Fn(usize) + Sync> Observer for F {
    fn advance(&self, rows: usize) {
        self(rows);
    }
}

/// A progress bar of indicatif as an observer of rows.
///
/// # Examples
///
/// ```
/// use spanwise::{Bar, prelude::*};
///
/// let pool = spanwise::Pool::new(2)?;
/// let bar = indicatif::ProgressBar::hidden();
/// assert_eq!((0..1000).par(&pool).progress(Bar(bar.clone())).filter(|x| x % 2 == 0).count(), 500);
/// assert_eq!(bar.position(), 1000);
/// # Ok::<(), spanwise::PoolError>(())
/// ```
#[cfg(feature = "indicatif")]
#[derive(Clone, Debug)]
pub struct Bar(pub indicatif::ProgressBar);

#[cfg(feature = "indicatif")]
impl Observer for Bar {
    fn advance(&self, rows: usize) {
        self.0.inc(rows as u64);
    }
}

/// Runs until a token is cancelled.
#[derive(Clone, Debug)]
pub struct Until<C> {
    pub(crate) inner: C,
    pub(crate) token: CancelToken,
}

/// Runs until a moment comes.
#[derive(Clone, Debug)]
pub struct Deadline<C> {
    pub(crate) inner: C,
    pub(crate) moment: Instant,
}

/// Runs and tells an observer.
#[derive(Clone, Debug)]
pub struct Watched<C, O> {
    pub(crate) inner: C,
    pub(crate) observer: O,
}

/// What the controls around another leave to it.
macro_rules! inner {
    () => {
        type Backend = C::Backend;
        const WATCHED: bool = true;

        #[inline]
        fn backend(&self) -> &C::Backend {
            self.inner.backend()
        }

        fn settings(&mut self) -> &mut Settings {
            self.inner.settings()
        }

        #[inline]
        fn grain(&self) -> Option<NonZeroUsize> {
            self.inner.grain()
        }

        #[inline]
        fn width(&self) -> usize {
            self.inner.width()
        }
    };
}

/// The answer of a control that can stop a call.
macro_rules! stoppable {
    () => {
        type Out<T> = Result<T, Stopped>;

        fn ran(&self, rows: usize) {
            self.inner.ran(rows);
        }

        fn out<T>(answer: Result<T, Stopped>) -> Result<T, Stopped> {
            answer
        }

        fn map<T, U>(out: Result<T, Stopped>, f: impl FnOnce(T) -> U) -> Result<U, Stopped> {
            out.map(f)
        }
    };
}

impl<C> Sealed for Until<C> {}

impl<C: Control> Control for Until<C> {
    inner!();
    stoppable!();

    fn stopped(&self) -> Option<Stopped> {
        self.token.is_cancelled().then_some(Stopped::Cancelled).or_else(|| self.inner.stopped())
    }
}

impl<C> Sealed for Deadline<C> {}

impl<C: Control> Control for Deadline<C> {
    inner!();
    stoppable!();

    fn stopped(&self) -> Option<Stopped> {
        let passed = Instant::now() >= self.moment;
        passed.then_some(Stopped::DeadlinePassed).or_else(|| self.inner.stopped())
    }
}

impl<C, O> Sealed for Watched<C, O> {}

impl<C: Control, O: Observer> Control for Watched<C, O> {
    inner!();
    type Out<T> = C::Out<T>;

    fn stopped(&self) -> Option<Stopped> {
        self.inner.stopped()
    }

    fn ran(&self, rows: usize) {
        self.observer.advance(rows);
        self.inner.ran(rows);
    }

    fn out<T>(answer: Result<T, Stopped>) -> C::Out<T> {
        C::out(answer)
    }

    fn map<T, U>(out: C::Out<T>, f: impl FnOnce(T) -> U) -> C::Out<U> {
        C::map(out, f)
    }
}
