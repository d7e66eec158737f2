//! Items that may be errors. In comes a chain of `Result` or `Option`, out comes a chain of the good
//! ones that ends where the first error lies; collecting and summing into `Result` use it, and the
//! terminals that try.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{
    chain::Chain,
    control::Control,
    input::{Input, NumberInput},
    leaf::{Inexact, Leaf},
    sealed::Sealed,
    span::{Numbered, Span},
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
struct First<E> {
    /// The first row of its part.
    at: AtomicUsize,
    bad: Mutex<Option<(usize, E)>>,
}

impl<E> First<E> {
    fn tell(&self, at: usize, bad: E) {
        // Relaxed: pairs with the load in `iter()`, a hint; the error itself is under the lock.
        self.at.fetch_min(at, Ordering::Relaxed);
        let mut first = self.bad.lock().unwrap_or_else(PoisonError::into_inner);
        // A part tells once, and parts do not overlap, so the order of parts is that of errors.
        if first.as_ref().is_none_or(|known| at < known.0) {
            let later = first.replace((at, bad));
            drop(first);
            drop(later);
        }
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

/// What `terminal` makes of the good items, or the first bad one in input order.
pub(crate) fn attempt<I, L, C, R>(
    chain: Chain<I, L, C>,
    terminal: impl for<'a> FnOnce(
        Chain<NumberInput<I>, Attempt<'a, L, <L::Item as Fallible>::Bad>, C>,
    ) -> C::Out<R>,
) -> C::Out<Result<R, <L::Item as Fallible>::Bad>>
where
    I: Input,
    L: Leaf<I::Span, Item: Fallible>,
    C: Control,
{
    let first = First { at: AtomicUsize::new(usize::MAX), bad: Mutex::new(None) };
    let good = terminal(chain.with(NumberInput, |leaf| Attempt { leaf, first: &first }));
    let bad = first.bad.into_inner().unwrap_or_else(PoisonError::into_inner);
    C::map(good, |good| match bad {
        None => Ok(good),
        Some((_, bad)) => Err(bad),
    })
}
