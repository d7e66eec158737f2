//! Items that may be errors. In comes a chain of `Result` or `Option`, out comes a chain of the good
//! ones that ends where the first error lies; collecting and summing into `Result` use it, and the
//! terminals that try.

use std::{num::NonZeroUsize, ops::ControlFlow};

use crate::{
    chain::Chain,
    control::{Control, Settings, Stopped},
    input::{Input, NumberInput},
    leaf::{Inexact, Leaf},
    sealed::Sealed,
    span::{Numbered, Span},
    sync::{AtomicUsize, Mutex, MutexGuard, Ordering, PoisonError},
};

/// `Result`, `Option` and `ControlFlow`: good with a value, or bad.
pub trait Fallible: Sealed {
    /// What a good one holds.
    type Good;
    /// What a bad one holds.
    type Bad;

    #[doc(hidden)]
    fn into_result(self) -> Result<Self::Good, Self::Bad>;

    #[doc(hidden)]
    fn from_result(result: Result<Self::Good, Self::Bad>) -> Self;
}

impl<T, E> Sealed for Result<T, E> {}
impl<T> Sealed for Option<T> {}
impl<B, T> Sealed for ControlFlow<B, T> {}

impl<T, E> Fallible for Result<T, E> {
    type Good = T;
    type Bad = E;

    #[inline]
    fn into_result(self) -> Self {
        self
    }

    fn from_result(result: Self) -> Self {
        result
    }
}

impl<T> Fallible for Option<T> {
    type Good = T;
    type Bad = ();

    #[inline]
    fn into_result(self) -> Result<T, ()> {
        self.ok_or(())
    }

    fn from_result(result: Result<T, ()>) -> Self {
        result.ok()
    }
}

impl<B, T> Fallible for ControlFlow<B, T> {
    type Good = T;
    type Bad = B;

    #[inline]
    fn into_result(self) -> Result<T, B> {
        match self {
            Self::Continue(good) => Ok(good),
            Self::Break(bad) => Err(bad),
        }
    }

    fn from_result(result: Result<T, B>) -> Self {
        match result {
            Ok(good) => Self::Continue(good),
            Err(bad) => Self::Break(bad),
        }
    }
}

/// A leaf of the good items of a part, up to its first bad one.
#[derive(Debug)]
pub struct Attempt<'a, L, E> {
    leaf: L,
    first: &'a First<E>,
}

/// The first bad item so far.
#[derive(Debug)]
pub struct First<E> {
    /// The first row of its part.
    at: AtomicUsize,
    bad: Mutex<Option<(usize, E)>>,
}

impl<E> First<E> {
    fn new() -> Self {
        Self { at: AtomicUsize::new(usize::MAX), bad: Mutex::new(None) }
    }

    fn tell(&self, at: usize, bad: E) {
        // Relaxed: pairs with the load in `iter()`, a hint; the error itself is under the lock.
        self.at.fetch_min(at, Ordering::Relaxed);
        let mut first = self.lock();
        // A part tells once, and parts do not overlap, so the order of parts is that of errors.
        if first.as_ref().is_none_or(|known| at < known.0) {
            let later = first.replace((at, bad));
            drop(first);
            drop(later);
        }
    }

    /// The row of the part that it lies in.
    fn row(&self) -> Option<usize> {
        self.lock().as_ref().map(|first| first.0)
    }

    /// Forgets it if it lies behind this row.
    fn forget_behind(&self, row: usize) {
        let mut first = self.lock();
        let forgotten =
            if first.as_ref().is_some_and(|known| known.0 > row) { first.take() } else { None };
        drop(first);
        drop(forgotten);
    }

    fn lock(&self) -> MutexGuard<'_, Option<(usize, E)>> {
        self.bad.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L, E> Sealed for Attempt<'_, L, E> {}

impl<S, L, E> Leaf<Numbered<S>> for Attempt<'_, L, E>
where
    S: Span,
    L: Leaf<S, Item: Fallible<Bad = E>>,
    E: Send,
{
    type Item = <L::Item as Fallible>::Good;
    type Count = Inexact;

    #[inline]
    fn iter(&self, part: Numbered<S>) -> impl Iterator<Item = Self::Item> {
        let at = part.base;
        // Relaxed: pairs with `tell()`, a hint.
        let needed = at <= self.first.at.load(Ordering::Relaxed);
        let items = needed.then(|| self.leaf.iter(part.span));
        items.into_iter().flatten().map_while(move |item| match item.into_result() {
            Ok(good) => Some(good),
            Err(bad) => {
                self.first.tell(at, bad);
                None
            }
        })
    }
}

/// Runs as another control does, but makes no answer of good items once there is a bad one: rows
/// behind it may have been run, and what they come to is nobody's business.
#[derive(Debug)]
pub struct Attempting<'a, C, E> {
    inner: C,
    first: &'a First<E>,
}

impl<C, E> Sealed for Attempting<'_, C, E> {}

impl<C: Control, E: Send> Control for Attempting<'_, C, E> {
    type Backend = C::Backend;
    /// `None` if there is a bad item.
    type Out<T> = C::Out<Option<T>>;
    const WATCHED: bool = C::WATCHED;

    fn backend(&self) -> &C::Backend {
        self.inner.backend()
    }

    fn settings(&mut self) -> &mut Settings {
        self.inner.settings()
    }

    fn grain(&self) -> Option<NonZeroUsize> {
        self.inner.grain()
    }

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn stopped(&self) -> Option<Stopped> {
        self.inner.stopped()
    }

    fn ran(&self, rows: usize) {
        self.inner.ran(rows);
    }

    fn out<T>(answer: Result<T, Stopped>) -> C::Out<Option<T>> {
        C::out(answer.map(Some))
    }

    fn finish<P, T>(
        &self,
        partial: Result<P, Stopped>,
        finish: impl FnOnce(P) -> T,
    ) -> C::Out<Option<T>> {
        let Some(row) = self.first.row() else {
            return self.inner.finish(partial, |partial| Some(finish(partial)));
        };
        // An attempt around this one saw its items through us, and std's would have ended here.
        self.inner.ends_at(row);
        self.inner.finish(partial, |_| None)
    }

    fn ends_at(&self, row: usize) {
        self.first.forget_behind(row);
        self.inner.ends_at(row);
    }

    fn map<T, U>(out: C::Out<Option<T>>, f: impl FnOnce(T) -> U) -> C::Out<Option<U>> {
        C::map(out, |value| value.map(f))
    }
}

/// What `terminal` makes of the good items, or the first bad one in input order.
pub(crate) fn attempt<I, L, C, R>(
    chain: Chain<I, L, C>,
    terminal: impl for<'a> FnOnce(Attempted<'a, I, L, C>) -> C::Out<Option<R>>,
) -> C::Out<Result<R, <L::Item as Fallible>::Bad>>
where
    I: Input,
    L: Leaf<I::Span, Item: Fallible<Bad: Send>>,
    C: Control,
{
    let first = First::new();
    let chain = chain.with(NumberInput, |leaf| Attempt { leaf, first: &first });
    let good = terminal(chain.with_control(|inner| Attempting { inner, first: &first }));
    C::map(good, |good| match first.lock().take() {
        None => Ok(good.expect("without a bad item there is an answer")),
        Some((_, bad)) => {
            // Before the return: an error that is already returned would leak if this panicked.
            drop(good);
            Err(bad)
        }
    })
}

/// A chain of good items.
type Attempted<'a, I, L, C> = Chain<
    NumberInput<I>,
    Attempt<'a, L, <<L as Leaf<<I as Input>::Span>>::Item as Fallible>::Bad>,
    Attempting<'a, C, <<L as Leaf<<I as Input>::Span>>::Item as Fallible>::Bad>,
>;
